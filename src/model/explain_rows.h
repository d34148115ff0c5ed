/* What the passes over a trace collect for each instruction. For model/explain*.c alone. */
#ifndef LANESCOPE_MODEL_EXPLAIN_ROWS_H
#define LANESCOPE_MODEL_EXPLAIN_ROWS_H
#include "model/explain.h"

/* The addresses of an instruction as a function of its threads' x and y: those of each warp's first access in the first
 * block that has one. */
struct explain_threads {
    uint64_t block; /* plus 1; 0: none yet */
    uint32_t warps; /* bit w: warp w's first access is taken */
    uint32_t x, y;  /* of the first thread */
    uint64_t address;
    int64_t by_x, by_y; /* bytes from a thread to its neighbour in x, and in y */
    bool has_x, has_y, broken;
};

struct explain_row {
    struct explanation is;
    uint64_t worst;    /* waste of is.event */
    uint64_t recorded; /* events */
    /* of global memory */
    uint64_t loaded;                 /* sectors, summed over the recorded accesses */
    uint64_t sectors, bytes;         /* distinct ones of each block, and the bytes of them that it ever uses */
    uint64_t all_sectors, all_bytes; /* the same of all recorded blocks together */
    uint64_t border;                 /* of `all_sectors`: several blocks access the same bytes */
    uint64_t of_warps;               /* of `sectors`: several warps of the block access them with it */
    uint64_t also_others;            /* of `sectors`: other instructions of the block load them, too */
    uint32_t first_behind;           /* the first access's distance from the beginning of a sector */
    bool behind_varies, any_behind;  /* further accesses have another one; one is known */
    bool shifted;                    /* an access begins inside of what the warp accessed just before */
    uint64_t last_base[LAUNCH_WARPS_MAX], last_block; /* by warp; of the first block with one, plus 1 */
    struct explain_threads threads;
    /* of shared memory: which powers of two the strides of conflicts are, and whether they fall in the course */
    uint64_t strides, last_stride;
    bool falls;
    uint64_t passes, passes_least; /* of recorded atomics of global memory */
    /* of branches */
    uint64_t cycles; /* of the model clock, in its paths */
    uint32_t halvings,
        last_way[LAUNCH_WARPS_MAX]; /* how often the lanes of one way were half of the time before, by warp */
    uint64_t way_blocks;            /* the block of last_way, plus 1 */
};

struct explain_rows {
    const struct trace *trace;
    struct explain_row *items;
    size_t count;
    uint32_t *of_site; /* the row of a site + 1 */
    uint64_t steps;    /* recorded, of all warps */
    uint64_t partial;  /* lanes that partial warps lack, summed over their recorded steps */
    /* By the model clock: the cycles of all warps, those in the paths of branches, and the lanes that had ended or that
     * their warp lacks, summed over cycles. */
    uint64_t cycles, in_paths, absent;
    bool cut;
};
/* explain_memory.c: the sectors that recorded accesses to global memory share. */
void explain_memory(struct explain_rows *rows);
/* explain_exchange.c: what each access would move if x and y were exchanged; fills `exchange` where that pays. */
void explain_exchange(struct explain_rows *rows);
/* explain_branch.c: the steps that branches make idle. */
void explain_branches(struct explain_rows *rows);
/* explain_pattern.c: fills the fields of the worst access. */
void explain_pattern(const struct explain_rows *rows, struct explain_row *row);
/* Takes the figures of the worst access as an atomic. */
void explain_atomic(const struct explain_rows *rows, struct explain_row *row);
/* Returns the stride of the active lanes, or of a row of the block's threads in them. False: there is none. */
bool explain_stride(const struct trace *trace, const uint64_t addresses[WARP_LANES], uint32_t mask, int64_t *stride);
#endif
