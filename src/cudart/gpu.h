/* A GPU as the device: the same calls, done by its driver. All but gpu_on and gpu_start need gpu_on(). */
#ifndef LANESCOPE_CUDART_GPU_H
#define LANESCOPE_CUDART_GPU_H
#include "cuda/api/api.h"
#include "cudart/state.h"
#include "run/execute.h"

struct kernel;
struct module;

/* gpu.c: the device, its memory and copies. */
bool gpu_on(void);
/* Loads the driver and takes the first GPU. */
bool gpu_start(struct error *error);
/* Makes the GPU's context that of the calling thread. */
void gpu_enter(void);
const struct cuda_api *gpu_api(void);
const char *gpu_name(void);   /* "NVIDIA H200" */
const char *gpu_driver(void); /* its version */
int gpu_attribute(int attribute);
/* Returns a result of the driver as the runtime's error. After one that loses the context all calls return it. */
cudaError_t gpu_error(int code);
bool gpu_is_lasting(int code);
/* Waits for all work. */
cudaError_t gpu_wait(void);
/* Frees all that lies on the GPU, also after a fault, and loads the modules anew. */
cudaError_t gpu_reset(void);

cudaError_t gpu_allocate(enum allocation_kind kind, uint64_t size, uint64_t *address);
void gpu_free(const struct allocation *allocation);
struct gpu_rows {
    uint64_t to, from;
    size_t width, height, depth;
    size_t to_pitch, to_slice, from_pitch, from_slice;
};
/* waits: the call returns when the copy is done, as cudaMemcpy does. */
cudaError_t gpu_copy(const struct gpu_rows *rows, const struct stream *stream, bool waits);
/* element: 1, 2 or 4 bytes, of which the value is repeated. */
cudaError_t gpu_fill(const struct gpu_rows *rows, unsigned value, unsigned element, const struct stream *stream);

/* gpu_time.c: the time of work between begin and end becomes a line of the record, once it is known. */
void gpu_measure_begin(const struct stream *stream);
void gpu_measure_end(const struct stream *stream);
/* Writes the times of the work that is done. */
void gpu_measured(void);
/* At the program's end: waits a little for the times of work that nobody waited for. */
void gpu_measured_at_end(void);
void gpu_measured_drop(void);

/* gpu_launch.c: modules and launches. */
bool gpu_load(struct module *module);
void *gpu_kernel(struct kernel *kernel);
struct gpu_launch {
    struct kernel *kernel;
    const struct launch *launch;
    void **arguments;
    const struct stream *stream;
    bool cooperative;
    cudaError_t failed; /* with probes: the error of the kernel */
};
/* Returns whether kernels of the module print. */
bool gpu_prints(const struct module *module);
/* Returns whether the launch is to be counted with probes though nobody chose it: the first of its kernel. */
bool gpu_counts(struct kernel *kernel);
/* Makes the trace of the launch for execute(). The launch itself is still to be made. */
bool gpu_trace(void *launch, struct launch_blocks recorded, bool values, const struct trace_listener *listener,
               struct trace **trace, struct error *error);
/* A cooperative launch must have all its blocks resident at once. */
cudaError_t gpu_cooperative_fits(struct kernel *kernel, const struct dim3 *grid, const struct dim3 *block,
                                 size_t shared);
cudaError_t gpu_run(const struct gpu_launch *launch);
#endif
