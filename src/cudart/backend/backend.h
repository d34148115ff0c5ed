/* What does the device's work: the emulator in this process, or a GPU through its driver. The layer checks what a call
 * asks for and keeps account of memory, modules and streams; a back end gets what is already known to be right. */
#ifndef LANESCOPE_CUDART_BACKEND_H
#define LANESCOPE_CUDART_BACKEND_H
#include "base/error.h"
#include "cudart/layer/launch.h"
#include "cudart/layer/module.h"
#include "cudart/layer/work.h"
#include "model/gpu.h"

/* One side of a copy or a fill. */
struct side {
    uint64_t address;
    uint8_t *bytes;                /* in this process */
    struct allocation *allocation; /* NULL: plain host memory */
    uint64_t offset;
    bool device; /* only the device can reach it */
};
struct transfer {
    struct side to, from;
    struct rows rows; /* the sides are not set if they are empty */
    struct stream *stream;
    int direction; /* enum copy_kind, as the memory has it */
    bool pinned;   /* the host's memory */
    bool waits;    /* the copy is done when the function returns */
};

struct backend {
    const char *gpu;                 /* the GPU's name; NULL: the emulator */
    uint64_t range_begin, range_end; /* where all device memory lies; 0: the driver chooses */
#define BACKEND(result, name, parameters) result(*name) parameters;
#include "cudart/backend/backend.def"
};
extern const struct backend emulator_backend, gpu_backend;
/* Loads the driver and takes the first GPU. gpu_backend may be used afterwards. */
bool gpu_start(struct error *error);
#endif
