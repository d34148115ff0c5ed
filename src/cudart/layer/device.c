#include "cudart/layer/device.h"
#include "cudart/backend/backend.h"
#include <stdlib.h>
#include <string.h>

static struct {
    bool read;
    struct arena arena;
    struct gpu gpu;
    struct clock_figures clock;
    const struct occupancy_limits *limits; /* NULL: not known */
} device;

static void read_device(void)
{
    struct error error;
    const char *name = getenv("LANESCOPE_PROGRAM_GPU");
    if (device.read)
        return;
    device.read = true;
    device.clock.gpu = "";
    if (gpu_read(&device.arena, name && *name ? name : GPU_DEFAULT, &device.gpu, &error)) {
        gpu_figures(&device.gpu, &device.clock, &error);
        if (!gpu_limits(&device.arena, &device.gpu, &device.limits, &error))
            device.limits = NULL;
    } else {
        device.gpu = (struct gpu){.name = "GPU"};
    }
    runtime.backend->describe(&device.gpu, &device.limits); /* a GPU needs no file */
}

const struct clock_figures *device_clock(void)
{
    read_device();
    return &device.clock;
}

const char *device_name(void)
{
    read_device();
    return device.gpu.name;
}

const char *device_path(void)
{
    read_device();
    return device.gpu.path;
}

int device_capability(bool minor)
{
    read_device();
    const char *text = device.gpu.compute_capability ? device.gpu.compute_capability : "9.0";
    int const point = (int)strcspn(text, ".");
    return minor ? text[point] ? text[point + 1] - '0' : 0 : text[0] - '0';
}

const struct occupancy_limits *device_limits(void)
{
    static const struct occupancy_limits unknown = {.threads = 2048, .blocks = 32};
    read_device();
    return device.limits ? device.limits : &unknown;
}

double device_fact(const char *name, double otherwise)
{
    read_device();
    const struct gpu_fact *fact = gpu_find(&device.gpu, name);
    return fact && fact->value > 0 ? fact->value : otherwise;
}

uint32_t device_blocks(const struct ptx_function *kernel, uint32_t threads, uint64_t dynamic_shared)
{
    read_device();
    struct occupancy_needs const needs = {
        .threads = threads, .barriers = 1, .shared = kernel->shared_bytes + dynamic_shared};
    if (!threads || threads > LAUNCH_THREADS_MAX || !device.limits)
        return 0;
    return occupancy_of(device.limits, &needs).blocks;
}

size_t device_shared(const struct ptx_function *kernel, uint32_t threads, uint32_t blocks)
{
    read_device();
    uint64_t low = 0, high = device.limits ? device.limits->shared_per_block : LAUNCH_STATIC_SHARED_MAX;
    while (low < high) {
        uint64_t const middle = (low + high + 1) / 2;
        if (device_blocks(kernel, threads, middle) >= blocks)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
