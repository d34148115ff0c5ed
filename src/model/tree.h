/* How values flow between the threads of a block through shared memory and shuffles, and are combined step by step: the
 * tree of a reduction or a scan. It follows from the accesses of a trace alone, so it works for any kernel.
 *
 * A node is a number that a thread made: a leaf, when it stored a number that comes from nowhere in the block, or the
 * combination of up to TREE_SOURCES nodes, which the thread loaded from shared memory, received by a shuffle, or still
 * had in a register. The trace does not say how a thread computed a number. With recorded values this is found by
 * trying the usual operations: of those that fit, the one that explains every lane of the same instruction. Without
 * values, a thread combines what it loaded since its last store.
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
    uint32_t word;  /* of shared memory, of 4 bytes or a smaller number's, counted from 1; 0: the number stays in a
                       register */
    uint32_t place; /* where tree.places: its word's rank among them */
    uint32_t share,
        shares; /* which of the nodes of its level and column it is, of how many; shares 0: not worth drawing */
    uint32_t sources[TREE_SOURCES], source_count;
    uint32_t site;        /* the instruction that stored the number or brought its last source */
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
    uint32_t node_count;
    uint32_t level_count; /* up to the last result; some nodes that no result needs may lie beyond */
    enum ptx_type type;   /* of the numbers; PTX_TYPE_NONE: unknown */
    bool values;          /* the trace has them */
    uint32_t
        places; /* words of the leaves, where a thread has several; a column then is a place, not a thread. 0: none */
    struct tree_level {
        uint32_t threads;   /* that make nodes of several sources */
        uint32_t combined;  /* nodes of several sources */
        uint32_t wasted;    /* of these not used */
        uint32_t moved;     /* nodes of one source: numbers that a thread kept or took over as they are */
        uint32_t idle;      /* threads of the block that make no node */
        uint32_t conflicts; /* passes of its accesses to shared memory beyond the smallest possible number */
        uint32_t barriers;  /* that a thread passes before the next level */
        bool shuffles;      /* made by shuffles */
        bool apart;         /* `distance` holds for all of its nodes: the thread of the other source, less their own */
        int64_t distance;
    } levels[TREE_LEVELS];
};

/* Returns the tree of a block, in the arena, or NULL when its threads combine no values of each other. */
const struct tree *tree_new(struct arena *arena, const struct timeline *timeline);
/* Returns how often two numbers were combined in all levels: the additions of a sum. */
uint32_t tree_combined(const struct tree *tree);
#endif
