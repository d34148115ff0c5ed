/* How values flow between the threads of a block through shared memory and shuffles, and are combined step by step: the
 * tree of a reduction or a scan. It follows from the accesses of a trace alone, so it works for any kernel.
 *
 * A node is a number that a thread made: a leaf, when it stored a number that comes from nowhere in the block, or the
 * combination of up to TREE_SOURCES nodes, which the thread loaded from shared memory, received by a shuffle, or still
 * had in a register. The trace does not say how a thread computed a number. With recorded values this is found by
 * trying the usual operations; without them a thread combines what it loaded since its last store.
 *
 * There is nothing to draw for kernels whose threads do not combine each other's values: copies and transpositions
 * through shared memory, tiles of which a thread loads more than TREE_SOURCES words (matrix product, stencil), atomics.
 */
#ifndef LANESCOPE_MODEL_TREE_H
#define LANESCOPE_MODEL_TREE_H
#include "model/timeline.h"

enum { TREE_SOURCES = 4, TREE_LEVELS = 32 };
struct tree_node {
    uint32_t thread, level; /* level 0: leaves */
    uint32_t sources[TREE_SOURCES], source_count;
    char operation;       /* '+', '*', '<' (the least), '>' (the greatest), '=' (moved); 0: another or unknown */
    bool known;           /* value and received hold numbers */
    bool by_shuffle;      /* the last source came by a shuffle */
    bool used;            /* some result of the block in global memory depends on it */
    uint64_t value;       /* bits */
    uint64_t received;    /* bits that a shuffle brought */
    uint32_t begin, done; /* positions in the timeline: of its first load or its shuffle, and of its store */
};

struct tree {
    const struct tree_node *nodes;
    uint32_t node_count, level_count;
    enum ptx_type type; /* of the numbers; PTX_TYPE_NONE: unknown */
    bool values;        /* the trace has them */
    struct tree_level {
        uint32_t combined; /* nodes of several sources */
        uint32_t wasted;   /* of these not used */
        bool shuffles;     /* made by shuffles */
        bool apart;        /* `distance` holds for all of its nodes: the thread of the other source, less their own */
        int64_t distance;
    } levels[TREE_LEVELS];
};

/* Returns the tree of a block, in the arena, or NULL when its threads combine no values of each other. */
const struct tree *tree_new(struct arena *arena, const struct timeline *timeline);
#endif
