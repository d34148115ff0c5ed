/* From one record to where its lanes lie, and to what they read or wrote. */
#ifndef LANESCOPE_CUDA_RECORD_LANES_H
#define LANESCOPE_CUDA_RECORD_LANES_H
#include "cuda/record/layout.h"

struct record_lanes {
    uint64_t addresses[WARP_LANES];
    uint64_t values[WARP_LANES]; /* where valued */
    bool small, valued;          /* small: addresses of 4 bytes were recorded */
};
/* entry: of a run's record, an access; NULL for all others. Lanes outside the mask may hold anything. */
void record_find_lanes(const struct record *record, const struct record_entry *entry, uint32_t row_shift,
                       struct record_lanes *lanes);
/* The lanes, 0 behind the last, and the addresses of the event with this number that the instruction makes. given: the
 * addresses that were recorded; other: the stride, in elements, or the bytes. */
uint32_t record_unfold(const struct record_unfold *unfold, uint32_t number, uint32_t other,
                       const uint64_t given[WARP_LANES], uint64_t addresses[WARP_LANES]);
#endif
