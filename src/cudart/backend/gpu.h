/* A GPU as the device: gpu.c, gpu_memory.c, gpu_stream.c and gpu_launch.c. */
#ifndef LANESCOPE_CUDART_GPU_H
#define LANESCOPE_CUDART_GPU_H
#include "cuda/api/api.h"
#include "cudart/backend/backend.h"

#define BACKEND(result, name, parameters) result gpu_##name parameters;
#include "cudart/backend/backend.def"

const struct cuda_api *gpu_api(void);
const char *gpu_driver(void); /* its version */
/* Returns a result of the driver as the layer's. After one that loses the context all calls return it. */
enum status gpu_status(int code);
bool gpu_is_lasting(int code);
/* Returns the driver's kernel, or NULL. */
void *gpu_kernel(struct kernel *kernel);

/* gpu_time.c: the time of work between begin and end becomes a line of the record, once it is known. */
void gpu_measure_begin(const struct stream *stream);
void gpu_measure_end(const struct stream *stream);
/* Writes the times of the work that is done. */
void gpu_measured(void);
void gpu_measured_drop(void);
#endif
