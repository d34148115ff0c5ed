/* Probes as text, from which cuda_add_probes builds its result. No CUDA header is needed here. */
#ifndef LANESCOPE_CUDA_PROBE_PROBE_H
#define LANESCOPE_CUDA_PROBE_PROBE_H
#include "cuda/probe/run.h"
#include "ptx/meet.h"
#include <stdio.h>

/* Our names in the PTX are PREFIX_word, with a prefix that occurs nowhere else in the text. */
struct probed {
    char *ptx;
    const char *control; /* the .const variable for a struct record_control */
    const char *window;  /* the kernel that takes a pointer and stores a struct record_windows there */
    struct record_layout layout;
};
/* Facts about a launch's shape that make its probes shorter. */
struct probe_shape {
    bool rows;            /* the lanes of a warp form rows of a block: see record_row_shift */
    bool wide;            /* the grid may have 2^32 blocks or more */
    unsigned grid, block; /* number of their dimensions in use: 1, 2 or 3 */
};
/* Adds the probes. launch NULL: the text suits any launch, and its records hold the position of every lane. values:
 * records hold values, too. */
bool probe_module(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel,
                  const struct launch *launch, bool values, struct probed *probed, struct error *error);

/* A range of the text, in bytes. */
struct probe_range {
    size_t start, end;
};
/* Declarations of memory that the kernel's two copies must not repeat, in the order of the text. */
struct probe_late {
    struct probe_range *ranges;
    size_t count;
};

/* The output of the probes and the place in the module that it has reached. */
struct probe_writer {
    FILE *out;
    FILE *cold; /* code for the function's end */
    const char *prefix;
    struct probe_shape shape;
    const struct ptx_module *module;
    const struct ptx_function *function;
    const struct probe_runs *runs;   /* of the current function */
    const struct probe_meets *meets; /* of the current function */
    const struct record_layout *layout;
    struct probe_late late; /* of the kernel */
    bool names_differ;      /* names may mean something else at the function's end: in an inner scope, or before a
                               declaration */
    uint32_t labels, overs; /* numbers given out so far */
};
/* Writes a template: `~` stands for the prefix and an underscore, `#` for number; the rest is copied. */
void probe_write(struct probe_writer *writer, const char *template, uint32_t number);
/* Writes the registers that all probes of a function share, at its start. */
void probe_declare(struct probe_writer *writer);
/* Writes the test whether this block is recorded, before the function's first event. If not, a kernel continues at
 * ~plain. In a kernel, it opens the braces of the body's first copy. */
void probe_prologue(struct probe_writer *writer);
/* Writes the probe before or after an instruction, if it has an event there. */
void probe_at(struct probe_writer *writer, struct probe_place place);
/* Finds the places where lanes are brought together, for all functions, in the arena. */
const struct probe_meets *probe_find_meets(struct arena *arena, const struct ptx_module *module);
const struct probe_meets *probe_meets_of(const struct probe_meets *all, uint32_t function);
/* Writes the registers that hold the remembered lanes, at the function's start. */
void probe_meets_declare(struct probe_writer *writer);
/* Writes code that waits for the remembered lanes, if they meet before the instruction. */
void probe_meets_wait(struct probe_writer *writer, uint32_t instruction);
/* Writes code that remembers the active lanes, if their paths part behind the place. */
void probe_meets_remember(struct probe_writer *writer, struct probe_place place);
/* Code that rarely runs goes to the function's end, so that the common path stays short. Where names mean something
 * else there (`names_differ`), it stays in place and is jumped over. */
struct probe_cold {
    FILE *hot;
    uint32_t over; /* a label, or PTX_NO_INDEX */
};
struct probe_cold probe_cold_begin(struct probe_writer *writer);
void probe_cold_end(struct probe_writer *writer, struct probe_cold cold);
/* Returns the operand that says how many bytes a cp.async takes from its source, or whether it ignores the source;
 * NULL: it has none. A lane that takes nothing does not access global memory. */
const struct ptx_operand *probe_taken(const struct ptx_instruction *instruction);
/* Writes code that puts into ~low how many bytes a cp.async takes. */
void probe_write_taken(struct probe_writer *writer, const struct ptx_instruction *instruction);
/* Writes jumps to ~done_ID for lanes of blocks that are not recorded, for lanes whose predicate is false and for those
 * that copy nothing. A branch has no second jump, because its predicate decides its direction. */
void probe_write_guard(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id);
/* Writes code that sets ~lead in the lowest lane of ~mask. */
void probe_write_lead(struct probe_writer *writer);
/* Writes code in which the leader takes another chunk: the warp's second own chunk if it is free, else one of the
 * common ones. If there is none, it runs `otherwise`, with id in it. fresh: the number of a label. */
void probe_write_take_chunk(struct probe_writer *writer, const char *otherwise, uint32_t id, uint32_t fresh);
const struct ptx_variable *probe_variable(const struct probe_writer *writer, const struct ptx_operand *operand);
/* Writes code that puts the address [base + offset] into ~address, or into ~mine when it has 32 bits. */
void probe_write_address(struct probe_writer *writer, const struct ptx_operand *operand, bool small);
/* Writes the leader's part of a record of fixed size, with the given stores. It ends at ~done_ID. */
void probe_write_record(struct probe_writer *writer, size_t bytes, const char *stores, uint32_t id);
/* Writes the probe of an access outside a run, with one address per lane. */
void probe_write_single(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id);
/* Writes the probe of an access outside a run. */
void probe_write_access(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id);
/* Writes code that gives all lanes the leader's ~record, or jumps to ~done_ID when there is no room. */
void probe_write_own_place(struct probe_writer *writer, uint32_t id);
/* For values: the registers they need, and the probe before and after an access. */
void probe_values_registers(struct probe_writer *writer);
void probe_write_valued(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after);
/* For values: the probe before and after a shuffle. */
void probe_write_shuffle(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after);
/* For values: the probe before and after a product of matrices. */
void probe_write_product(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after);
/* Writes one struct record_values from ~mask, ~clock, each lane's ~address and ~value, and `other`. Without room it
 * jumps to ~done_ID. */
void probe_write_values(struct probe_writer *writer, uint32_t site, uint32_t other, uint32_t id);
/* Writes the same probes for an instruction that is not one address per lane. */
void probe_write_pieces(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after);
/* Returns the reason why the instruction's accesses cannot be recorded, or NULL when they can. */
const char *probe_refused(const struct ptx_module *module, const struct ptx_instruction *instruction);
/* Finds the instructions that record_unfold expands, by site, in the arena. */
const struct record_unfold *const *probe_find_unfolded(struct arena *arena, const struct ptx_module *module);
/* Returns true when the text has no label and no brace, so that all lanes that pass start also pass end. */
bool probe_is_straight(const char *text, size_t start, size_t end);
/* Returns the number of open braces at `end`, given the number at `start`. */
unsigned probe_depth(const char *text, size_t start, size_t end, unsigned depth);
/* Returns whether a name means the same before and after the text: it has no brace and no declaration. */
bool probe_keeps_names(const char *text, size_t start, size_t end);
/* Returns the end of the last declaration in the function's own scope. */
size_t probe_declared_until(const char *text, const struct ptx_function *function);
/* Finds the declarations of memory behind the prologue, in the arena. Returns false and fills the error when one cannot
 * stand in front of both copies of the body. */
bool probe_find_late(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel,
                     size_t prologue, struct probe_late *late, struct error *error);
/* Writes these declarations. */
void probe_write_late(const struct probe_writer *writer);
/* Copies a part of the text without them. */
void probe_copy(const struct probe_writer *writer, size_t from, size_t to);
/* Returns the end of the declarations that a body begins with. */
size_t probe_code_at(const char *text, size_t start, size_t end);
/* Ends the body's first copy, and writes the label ~plain and a second copy of the body from start (the prologue) to
 * end, for blocks that are not recorded. */
void probe_plain(struct probe_writer *writer, size_t start, size_t end);
/* Writes the cold code at the function's end. */
void probe_end(struct probe_writer *writer, const char *cold);
#endif
