/* Atomics: the passes in which a warp's lanes change memory. Lanes on one address are served one after the other.
 * docs/model.md has the rules, which were found on an H200, and says what they equal. */
#ifndef LANESCOPE_MODEL_ATOMICS_H
#define LANESCOPE_MODEL_ATOMICS_H
#include "model/banks.h"

/* The lanes of one address. */
struct atomic_place {
    uint64_t address;
    uint32_t lanes, count;
    uint8_t order[WARP_LANES]; /* the lanes in the order in which they are served */
};

struct atomic_passes {
    uint32_t place_count;
    struct atomic_place places[WARP_LANES]; /* of shared memory by bank, then address; of global memory by address */
    uint32_t passes;                        /* wavefronts of shared memory; passes of global memory */
    uint32_t passes_ideal;                  /* if no two lanes were in each other's way */
    uint32_t sectors;                       /* of global memory, each counted once a pass; 0 of shared memory */
    uint32_t most;                          /* lanes on the address with the most */
    uint8_t pass[WARP_LANES];               /* of each active lane, from 0 */
};

/* Returns whether an access changes memory as an atomic or a reduction. */
static inline bool atomic_is(const struct trace_site *site)
{
    return site->operation == TRACE_ATOMIC || site->operation == TRACE_REDUCTION;
}

/* Lays out the passes of an atomic. space: PTX_SPACE_SHARED, else global memory. */
void model_atomics(const uint64_t addresses[32], uint32_t mask, const struct trace_site *site, enum ptx_space space,
                   struct atomic_passes *result);
/* Returns the sectors of an atomic or a reduction of 4 or 8 bytes a lane: Nsight Compute's
 * l1tex__t_sectors_pipe_lsu_mem_global_op_{atom,red}. Lanes on one address take turns, and a sector counts once a turn;
 * docs/model.md says which lanes share a turn. compare: the operation is a compare and exchange. */
uint32_t model_atomic_sectors(const uint64_t addresses[32], uint32_t mask, bool compare);
#endif
