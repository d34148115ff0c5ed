/* Where the sectors of a recorded block's loads came from, by the rules of model/caches.h, as if its multiprocessor had
 * empty caches and no other block. So a sector that another block loaded before counts as one from the DRAM. */
#ifndef LANESCOPE_MODEL_ORIGINS_H
#define LANESCOPE_MODEL_ORIGINS_H
#include "model/coalescing.h"
#include "model/timeline.h"

struct origins {
    const struct timeline *timeline;
    const uint32_t *first; /* by position: index of a load's first chunk below; UINT32_MAX: it is no load of chunks */
    struct origin {
        uint8_t l1, l2; /* sectors that were in the L1; of the others, those that were in the L2 */
    } * chunks;         /* of a load, in the order of model_coalescing */
};

/* Returns the origins of a block, in the arena, or NULL where it loads nothing from global memory, or without memory.
 */
struct origins *origins_new(struct arena *arena, const struct timeline *timeline);
/* Returns the origins of the chunks of a load at a position; NULL: the event is none. */
const struct origin *origins_at(const struct origins *origins, size_t position);

enum origin_level { ORIGIN_L1, ORIGIN_L2, ORIGIN_DRAM, ORIGIN_LEVELS };
enum origin_level origin_of(const struct origin *chunk, unsigned sector);
/* Counts the fetched sectors of an access by where they came from. */
void origins_count(const struct origin *chunks, const struct coalescing *access, uint32_t counts[ORIGIN_LEVELS]);
#endif
