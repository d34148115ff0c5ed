/* Where the sectors of a recorded block's loads and atomics came from, and what its accesses to global and local memory
 * do in the L1, by the rules of model/caches.h, as if its
 * multiprocessor had empty caches and no other block. So a sector that another block loaded before counts as one from
 * the DRAM. What the caches hold at a position is a function of the position alone. */
#ifndef LANESCOPE_MODEL_ORIGINS_H
#define LANESCOPE_MODEL_ORIGINS_H
#include "model/cache_sets.h"
#include "model/coalescing.h"
#include "model/gpu.h"
#include "model/timeline.h"

struct origins {
    const struct timeline *timeline;
    const uint32_t *first; /* by position: index below of the first chunk of a load or atomic; UINT32_MAX: neither */
    struct origin {
        uint8_t l1 : 4, l2 : 4; /* sectors that were in the L1; of the others, those that were in the L2 */
        uint8_t along; /* of those in l2, those that nobody asked for before: they came with the other of their pair */
    } * chunks;        /* in the order of model_coalescing */
    const uint8_t *kinds; /* of each site: enum step_kind */
    struct gpu_caches gpu;
    uint32_t l1_room;           /* bytes of the L1 that hold data beside the launch's shared memory */
    uint64_t l2_bytes;          /* that the L2 can hold */
    const uint32_t *l2_sectors; /* by position: sectors in the L2 after it */
    const struct l1 *snapshots; /* the L1 before each position that is a multiple of `every` */
    size_t every;
};

/* Returns the origins of a block, in the arena, or NULL where it loads from neither, where the sizes of the GPU's
 * caches are not known or the block is too large for it, or without memory. gpu: its name, as in gpu_read; NULL:
 * GPU_DEFAULT. */
struct origins *origins_new(struct arena *arena, const struct timeline *timeline, const char *gpu);
/* Returns the origins of the chunks of a load at a position; NULL: the event is none. */
const struct origin *origins_at(const struct origins *origins, size_t position);
/* Returns the same of a load or an atomic. The L2 carries atomics out, so none of their sectors comes from the L1. */
const struct origin *origins_fetched_at(const struct origins *origins, size_t position);

enum origin_level { ORIGIN_L1, ORIGIN_L2, ORIGIN_DRAM, ORIGIN_LEVELS };
enum origin_level origin_of(const struct origin *chunk, unsigned sector);
/* Returns how many sectors that a load at a position gets from the L2 came along with a neighbour. */
uint32_t origins_count_along(const struct origins *origins, size_t position);
/* Counts the fetched sectors of an access by where they came from. */
void origins_count(const struct origin *chunks, const struct coalescing *access, uint32_t counts[ORIGIN_LEVELS]);

/* What an access does in the L1, chunk by chunk. */
enum l1_change_kind {
    L1_HIT,     /* all sectors that it asks of a line are inside; of a store: the line is */
    L1_BROUGHT, /* some or all come in */
    L1_THROWN,  /* another line leaves, to make room */
    L1_TAKEN,   /* an atomic takes sectors out */
    L1_CHANGES
};
struct l1_change {
    enum l1_change_kind kind;
    uint16_t set;
    uint8_t way, chunk; /* chunk: of the access */
    uint32_t lanes;     /* of an access to local memory: that use the line */
    uint8_t sectors;    /* of L1_BROUGHT: those that come in; of L1_THROWN and L1_TAKEN: those that leave; else hits */
    uint64_t line;      /* address / 128 */
};
enum l1_way_of_access { L1_UNUSED, L1_LOADS, L1_STORES, L1_ATOMICS, L1_PASSED };
struct origins_l1 {
    struct l1 l1;              /* after the access at the position */
    enum l1_way_of_access way; /* L1_UNUSED: no access to global or local memory; L1_PASSED: its loads go past */
    bool local;                /* it goes to local memory */
    uint32_t lines;            /* that it asks for */
    uint32_t levels[ORIGIN_LEVELS], stored; /* sectors: fetched, by where they came from; stored */
    struct l1_change changes[3 * CHUNKS_MAX];
    uint32_t change_count, counts[L1_CHANGES]; /* counts: of changes by kind */
};
/* Returns whether a line is one of local memory: a word of each lane of a warp. place: the number of the word in their
 * room.
 */
bool origins_line_is_local(uint64_t line, uint32_t *warp, uint32_t *place);
/* Returns whether the event at a position loads from local memory, and counts its sectors by where they came from. */
bool origins_count_local(const struct origins *origins, size_t position, uint32_t counts[ORIGIN_LEVELS]);
/* Fills what the L1 holds after the event at a position, and what this event changes. */
void origins_l1_at(const struct origins *origins, size_t position, struct origins_l1 *result);
#endif
