/* The addresses and values of the lanes of one record. */
#ifndef LANESCOPE_CUDA_RECORD_LANES_H
#define LANESCOPE_CUDA_RECORD_LANES_H
#include "cuda/record/layout.h"

struct record_lanes {
    uint64_t addresses[WARP_LANES];
    uint64_t values[WARP_LANES]; /* with `valued` */
    bool small, valued;          /* small: the recorded addresses have 4 bytes */
};
/* Finds the lanes of a record. entry: an access of a run's record; NULL for other records. Lanes outside the mask may
 * hold anything. */
void record_find_lanes(const struct record *record, const struct record_entry *entry, uint32_t row_shift,
                       struct record_lanes *lanes);
/* Returns the lanes and addresses of one event that the instruction makes, by its number; 0 lanes after the last event.
 * given: the recorded addresses; other: the stride in elements, or the bytes. */
uint32_t record_unfold(const struct record_unfold *unfold, uint32_t number, uint32_t other,
                       const uint64_t given[WARP_LANES], uint64_t addresses[WARP_LANES]);
#endif
