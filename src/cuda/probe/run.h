/* The events of a function that one record can describe: see enum record_kind. This is text work, done before the
 * launch. */
#ifndef LANESCOPE_CUDA_PROBE_RUN_H
#define LANESCOPE_CUDA_PROBE_RUN_H
#include "cuda/probe/affine.h"
#include "cuda/record/layout.h"

enum probe_word_kind {
    WORD_WIDE,  /* the value of the address's base */
    WORD_SMALL, /* its low 4 bytes */
    WORD_TAKEN, /* the lanes for which the branch's predicate holds */
    WORD_CLOCK
};
struct probe_word {
    enum probe_word_kind kind;
    const struct ptx_operand *address;
    uint32_t at; /* offset in the record */
};

/* A place in the text: before or after an instruction. */
struct probe_place {
    uint32_t instruction;
    bool after;
};

struct probe_run {
    uint32_t number;                /* index in record_layout.runs */
    struct probe_place first, last; /* the clock is read at the first place, and the record is written at the last */
    struct probe_word *words;
    uint32_t word_count;
};

/* The runs of one function. */
struct probe_runs {
    struct probe_run *items;
    uint32_t count;
    uint32_t *at[2];  /* per instruction, before and after it: the run with an event there, or PTX_NO_INDEX */
    uint32_t singles; /* accesses outside runs */
};

/* Finds the runs of the kernel and of all functions that it may call: one struct per function of the module, in the
 * arena. launch NULL: nothing is known about addresses. values: no access is in a run. */
const struct probe_runs *probe_find_runs(struct arena *arena, const struct ptx_module *module,
                                         const struct ptx_function *kernel, const struct launch *launch, bool values,
                                         struct record_layout *layout);
/* Returns the address operand of an access. */
const struct ptx_operand *probe_address(const struct ptx_instruction *instruction);
bool probe_is_small(const struct ptx_instruction *instruction);
/* Returns true when the instruction is not one address per lane, so that record_unfold expands its record. */
bool probe_is_unfolded(const struct ptx_instruction *instruction);
/* Returns true when a branch of the function leads backwards. */
bool probe_has_loop(const struct ptx_function *function);
#endif
