/* The basic blocks of a function, for flow.c and meet.c. */
#ifndef LANESCOPE_PTX_GRAPH_H
#define LANESCOPE_PTX_GRAPH_H
#include "ptx/module.h"

struct ptx_edges { /* edges of block b: list[start[b]] .. list[start[b + 1]] */
    uint32_t *start, *list;
};

struct ptx_graph {
    const struct ptx_function *function;
    const struct ptx_module *module;
    uint32_t count;     /* blocks; the exit is node `count` */
    uint32_t *first;    /* first instruction of each block; after the last block, the instruction count */
    uint32_t *block_of; /* block of each instruction */
    struct ptx_edges next, previous;
    bool *ends;  /* the block has an edge to the exit */
    bool *kills; /* the block ends in a trap */
};

/* Fills the graph of a function that has instructions, in the arena. */
void graph_make(struct ptx_graph *graph, struct arena *arena, const struct ptx_function *function,
                const struct ptx_module *module);
#endif
