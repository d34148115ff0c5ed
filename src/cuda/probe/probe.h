/* Probes as text: what cuda_add_probes puts together. No CUDA header is needed here. */
#ifndef LANESCOPE_CUDA_PROBE_PROBE_H
#define LANESCOPE_CUDA_PROBE_PROBE_H
#include "cuda/probe/run.h"
#include <stdio.h>

/* A name of ours in the PTX is PREFIX_word; the prefix is one that occurs nowhere in the text. */
struct probed {
    char *ptx;
    const char *control; /* the .const variable that takes a struct record_control */
    const char *window;  /* the kernel that takes a pointer and writes a struct record_windows there */
    struct record_layout layout;
};
/* What a launch's shape spares its probes. */
struct probe_shape {
    bool rows;            /* lanes of a warp lie in rows of a block, see record_row_shift */
    bool wide;            /* the grid may have 2^32 blocks or more */
    unsigned grid, block; /* how many of their dimensions count: 1, 2 or 3 */
};
/* launch NULL: the text suits any launch, and its records say where every lane is. values: and what it read or wrote.
 */
bool probe_program(struct arena *arena, const struct ptx_program *program, const struct ptx_function *kernel,
                   const struct launch *launch, bool values, struct probed *probed, struct error *error);

/* Where a probe is written to. */
struct probe_writer {
    FILE *out;
    FILE *cold; /* what goes to the function's end */
    const char *prefix;
    struct probe_shape shape;
    const struct ptx_program *program;
    const struct ptx_function *function;
    const struct probe_runs *runs; /* of the function */
    const struct record_layout *layout;
    bool in_braces;         /* inside the function's own */
    uint32_t labels, overs; /* numbers handed out so far */
};
/* Writes a template: `~` stands for the prefix and an underscore, `#` for number, the rest is as it is. */
void probe_write(struct probe_writer *writer, const char *template, uint32_t number);
/* At the start of a function: the registers all its probes share. */
void probe_declare(struct probe_writer *writer);
/* Whether this block is recorded, before the function's first event. A kernel goes on at ~plain where it is not. */
void probe_prologue(struct probe_writer *writer);
/* In front of an instruction, or behind it; nothing for those that make no event there. */
void probe_at(struct probe_writer *writer, struct probe_place place);
/* What is seldom run goes to the function's end, so that the rest stays close together. Labels in braces are known only
 * there: inside them it stays where it is, and is jumped over. */
struct probe_cold {
    FILE *hot;
    uint32_t over; /* label; PTX_NO_INDEX: none */
};
struct probe_cold probe_cold_begin(struct probe_writer *writer);
void probe_cold_end(struct probe_writer *writer, struct probe_cold cold);
/* Passes by to ~done_ID: lanes of blocks that are not recorded, and lanes whose predicate does not hold, unless the
 * predicate is what a branch goes by. */
void probe_write_guard(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id);
/* ~lead: this lane is the lowest of ~mask. */
void probe_write_lead(struct probe_writer *writer);
/* The leader takes a further chunk: the warp's second own one where nobody has, else one of the common ones. Where
 * there are none it runs `otherwise`, with id in it. fresh: a label's number. */
void probe_write_take_chunk(struct probe_writer *writer, const char *otherwise, uint32_t id, uint32_t fresh);
const struct ptx_variable *probe_variable(const struct probe_writer *writer, const struct ptx_operand *operand);
/* The address that [base + offset] stands for, in ~address, or in ~mine when it has 32 bits. */
void probe_write_address(struct probe_writer *writer, const struct ptx_operand *operand, bool small);
/* The leader's part of a record of known size: `stores` write it. Ends at ~done_ID. */
void probe_write_record(struct probe_writer *writer, size_t bytes, const char *stores, uint32_t id);
/* An access that is in no run: one address a lane. */
void probe_write_single(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id);
/* An access that is in no run. */
void probe_write_access(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id);
/* The leader's ~record in all lanes; to ~done_ID when it found no room. */
void probe_write_own_place(struct probe_writer *writer, uint32_t id);
/* Where values are wanted: the registers that takes, and what stands in front of an access and behind it. */
void probe_values_registers(struct probe_writer *writer);
void probe_write_valued(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after);
/* One struct record_values: ~mask and ~clock, and each lane's ~address and ~value. Without room to ~done_ID. */
void probe_write_values(struct probe_writer *writer, uint32_t site, bool small, uint32_t id);
/* The same of what is not one address a lane, where values are wanted: in front of it and behind it. */
void probe_write_pieces(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after);
/* Why what the instruction reads and writes cannot be recorded; NULL when it can. */
const char *probe_refused(const struct ptx_program *program, const struct ptx_instruction *instruction);
/* By site, in the arena. */
const struct record_unfold *const *probe_find_unfolded(struct arena *arena, const struct ptx_program *program);
/* No label, no brace: whoever passes start comes to end. */
bool probe_is_straight(const char *text, size_t start, size_t end);
/* How many braces are open at `end`, after so many at `start`. */
unsigned probe_depth(const char *text, size_t start, size_t end, unsigned depth);
/* Label ~plain and the body from start, where the prologue stands, to end as it was: for blocks that are not recorded.
 */
void probe_plain(struct probe_writer *writer, size_t start, size_t end);
/* At the function's end: what was put off until there. */
void probe_end(struct probe_writer *writer, const char *cold);
#endif
