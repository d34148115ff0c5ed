/* Launches of a kernel with probes, for as many records as the kernel makes. Where its inputs come from and where its
 * records go is its owner's part: a job, whose parent takes them, or a program that runs in this process. */
#ifndef LANESCOPE_CUDA_GPU_PROBED_LAUNCH_H
#define LANESCOPE_CUDA_GPU_PROBED_LAUNCH_H
#include "cuda/gpu/gpu.h"
#include "cuda/record/decode.h"
#include "cuda/record/plan.h"

struct probed_launch {
    const struct cuda_api *api;
    struct cuda_kernel probed;    /* loaded by the owner */
    const char *control, *window; /* the probes' variable and kernel */
    const uint32_t *block;        /* the launch's, three numbers */
    struct launch_blocks blocks;  /* to record */
    uint64_t room;                /* bytes of records at a time, at most */
    uint32_t chunk_bytes;         /* as the layout of the records requires; 0: any size */
    uint32_t record_bytes;        /* of the largest record */
    uint32_t clock_khz;
    uint64_t lost; /* answer: records without room after all attempts */
    void *owner;
    /* Makes one launch or more of the same blocks, each from the same inputs and after a probed_prepare. */
    bool (*launch)(struct probed_launch *r, const struct record_plan *plan, uint64_t first, struct error *error);
    /* Takes the records, batch->chunk_count chunks from r->chunks on. layout, chunks and bytes of the batch are
     * not set. */
    bool (*take)(struct probed_launch *r, const struct record_batch *batch, struct error *error);
    /* The rest is that of probed_launch.c. */
    struct record_windows windows;
    struct record_counters counted;
    uint64_t chunks, chunks_bytes, counters; /* on the GPU */
};
bool probed_run(struct probed_launch *r, struct error *error);
/* Clears the memory for records and fills the control variable. */
bool probed_prepare(struct probed_launch *r, const struct record_plan *plan, uint64_t first, struct error *error);
/* Frees its memory and unloads the kernel with probes. */
void probed_free(struct probed_launch *r);
#endif
