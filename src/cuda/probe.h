/* Probes as text: what cuda_add_probes puts together. No CUDA header is needed here. */
#ifndef LANESCOPE_CUDA_PROBE_H
#define LANESCOPE_CUDA_PROBE_H
#include "cuda/record.h"
#include <stdio.h>

/* A name of ours in the PTX is PREFIX_word; the prefix is one that occurs nowhere in the text. */
struct probed {
    char *ptx;
    const char *control; /* the .const variable that takes a struct record_control */
    const char *window;  /* the kernel that takes a pointer and writes a struct record_windows there */
};
/* What a launch's shape spares its probes. */
struct probe_shape {
    bool rows;                  /* lanes of a warp lie in rows of a block, see record_row_shift */
    bool flat_grid, flat_block; /* only x counts */
};
bool probe_program(struct arena *arena, const struct ptx_program *program, const struct ptx_function *kernel,
                   struct probe_shape shape, struct probed *probed, struct error *error);

/* Where a probe is written to. */
struct probe_writer {
    FILE *out;
    FILE *cold; /* what goes to the function's end */
    const char *prefix;
    struct probe_shape shape;
    const struct ptx_program *program;
    const struct ptx_function *function;
    uint32_t labels; /* handed out so far */
};
/* Writes a template: `~` stands for the prefix and an underscore, `#` for number, the rest is as it is. */
void probe_write(struct probe_writer *writer, const char *template, uint32_t number);
/* At the start of a function: the registers all its probes share, and whether this block is recorded. */
void probe_prologue(struct probe_writer *writer);
/* Before (and, for barriers, after) an instruction; nothing for those that make no event. */
void probe_before(struct probe_writer *writer, const struct ptx_instruction *instruction);
void probe_after(struct probe_writer *writer, const struct ptx_instruction *instruction);
/* At the function's end: what was put off until there. */
void probe_end(struct probe_writer *writer, const char *cold);
#endif
