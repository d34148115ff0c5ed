/* How much memory one launch takes for its records. */
#ifndef LANESCOPE_CUDA_RECORD_PLAN_H
#define LANESCOPE_CUDA_RECORD_PLAN_H
#include <stdbool.h>
#include <stdint.h>

/* Lanes of a warp as rows of a block: as many as the block is wide where that is a power of two below 32; else one row
 * of 32. */
uint32_t record_row_shift(const uint32_t block[3]);

/* How many blocks one launch records, and how much memory for them: chunks as long as the layout wants them, else small
 * when warps are many, the whole within limit bytes. a_block: bytes a block is known to need, 0: not known. blocks is 0
 * when not even one has room. */
struct record_plan {
    uint64_t blocks, own_chunks, more_chunks;
    uint32_t chunk_bytes;
    bool all_memory; /* the limit is reached: no other plan has more room */
};
struct record_plan record_plan(uint64_t blocks, uint32_t warps, uint32_t chunk_bytes, uint64_t a_block, uint64_t limit);
#endif
