/* From the chunks of records that came back from the GPU to the events of a trace. */
#ifndef LANESCOPE_CUDA_RECORD_DECODE_H
#define LANESCOPE_CUDA_RECORD_DECODE_H
#include "cuda/record/layout.h"
#include "trace/trace.h"

struct record_batch {
    const uint8_t *chunks; /* chunk_count of them, those that were taken */
    uint64_t chunk_count;
    uint64_t own_chunks; /* the first of them, two a warp: each second one may be empty */
    uint64_t first;      /* the block that they begin with */
    uint32_t warps;      /* of a block */
    struct record_layout layout;
    uint32_t chunk_bytes, row_shift;
    struct record_windows windows;
    uint32_t clock_khz; /* of the multiprocessors: sets the clocks of two of them side by side */
    bool complete;      /* no record was lost */
    uint64_t *bytes;    /* adds up the bytes of heads and records; NULL: not wanted */
};
/* Adds the records of the trace's recorded blocks to the trace, and tells the listener (or NULL) the records of all,
 * block by block, each block's in the order of its clock, from several threads. A lane's exit is put right behind its
 * last record: a probe before `ret` would change where lanes meet. None are made of a batch that is not complete. False
 * when the records make no sense or memory is short. Times count from the batch's first chunk. */
bool record_decode(const struct record_batch *batch, const struct trace_listener *listener, struct trace *trace,
                   struct error *error);
#endif
