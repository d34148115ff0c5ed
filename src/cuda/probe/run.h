/* Which events of a function one record can tell of: see enum record_kind. Pure text work, done before the launch. */
#ifndef LANESCOPE_CUDA_PROBE_RUN_H
#define LANESCOPE_CUDA_PROBE_RUN_H
#include "cuda/probe/affine.h"
#include "cuda/record/layout.h"

enum probe_word_kind {
    WORD_WIDE,  /* what the address's base holds */
    WORD_SMALL, /* its low 4 bytes */
    WORD_TAKEN, /* the lanes for which the branch's predicate holds */
    WORD_CLOCK
};
struct probe_word {
    enum probe_word_kind kind;
    const struct ptx_operand *address;
    uint32_t at; /* in the record */
};

/* A place in the text: in front of an instruction or behind it. */
struct probe_place {
    uint32_t instruction;
    bool after;
};

struct probe_run {
    uint32_t number;                /* in record_layout.runs */
    struct probe_place first, last; /* the clock is read at the first, the record written at the last */
    struct probe_word *words;
    uint32_t word_count;
};

/* The runs of one function. */
struct probe_runs {
    struct probe_run *items;
    uint32_t count;
    uint32_t *at[2];  /* of each instruction, in front and behind: which run has an event there; PTX_NO_INDEX: none */
    uint32_t singles; /* accesses that are in no run */
};

/* Finds the runs of the kernel and of all functions it might call; one struct a function of the program, in the arena.
 * launch NULL: nothing is known of addresses. values: no access is in a run. */
const struct probe_runs *probe_find_runs(struct arena *arena, const struct ptx_program *program,
                                         const struct ptx_function *kernel, const struct launch *launch, bool values,
                                         struct record_layout *layout);
/* The operand that an access goes by. */
const struct ptx_operand *probe_address(const struct ptx_instruction *instruction);
bool probe_is_small(const struct ptx_instruction *instruction);
/* Whether it is not one address a lane: record_unfold makes of its record what it is. */
bool probe_is_unfolded(const struct ptx_instruction *instruction);
#endif
