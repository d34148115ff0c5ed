/* Decodes the chunks of records that came back from the GPU into the events of a trace. */
#ifndef LANESCOPE_CUDA_RECORD_DECODE_H
#define LANESCOPE_CUDA_RECORD_DECODE_H
#include "cuda/record/layout.h"
#include "trace/trace.h"

struct record_batch {
    const uint8_t *chunks; /* chunk_count of them, those in use */
    uint64_t chunk_count;
    uint64_t own_chunks; /* at the start of `chunks`, two per warp; each second one may be empty */
    uint64_t first;      /* the first block in this batch */
    uint32_t warps;      /* per block */
    struct record_layout layout;
    uint32_t chunk_bytes, row_shift;
    struct record_windows windows;
    uint32_t clock_khz; /* of the multiprocessors; aligns their clocks with the global timer */
    bool complete;      /* no record was lost */
    uint64_t *bytes;    /* receives the bytes of heads and records; NULL: not wanted */
};
/* Adds the records of the trace's recorded blocks to the trace. The listener (or NULL) receives the records of all
 * blocks, block by block, from several threads; the events of a block come in the order of its clock. A lane's exit is
 * placed right after its last record, because a probe before `ret` would change where lanes meet. An incomplete batch
 * gets no exits. Times count from the batch's first chunk. Returns false when the records are damaged or memory is
 * short. */
bool record_decode(const struct record_batch *batch, const struct trace_listener *listener, struct trace *trace,
                   struct error *error);
#endif
