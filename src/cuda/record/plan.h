/* The memory that one launch takes for its records. */
#ifndef LANESCOPE_CUDA_RECORD_PLAN_H
#define LANESCOPE_CUDA_RECORD_PLAN_H
#include <stdbool.h>
#include <stdint.h>

/* Returns log2 of the lanes in a row, for the lanes of a warp as rows of a block: the block's width where that is a
 * power of two below 32, else 32. */
uint32_t record_row_shift(const uint32_t block[3]);

/* Returns how many blocks one launch records and the memory for them, within limit bytes. Chunks have the size that the
 * layout requires, or else a small size when there are many warps. a_block: bytes that a block is known to need; 0:
 * unknown. blocks is 0 when not even one block has room. */
struct record_plan {
    uint64_t blocks, own_chunks, more_chunks;
    uint32_t chunk_bytes;
    bool all_memory; /* the limit is reached, so no other plan has more room */
};
struct record_plan record_plan(uint64_t blocks, uint32_t warps, uint32_t chunk_bytes, uint64_t a_block, uint64_t limit);
#endif
