/* Opens the computer's GPU and asks what it is. */
#include "cuda/driver.h"
#include "cuda/gpu/gpu.h"
#include <stdio.h>

bool cuda_gpu_open(struct cuda_gpu *gpu, struct error *error)
{
    static const char doing[] = "opening the GPU";
    struct cuda_api *api = &gpu->api;
    int count = 0;
    if (gpu->lost)
        return cuda_api_did(api, CUDA_API_UNAVAILABLE, doing, error);
    if (gpu->context)
        return cuda_api_did(api, api->context_use(gpu->context), doing, error);
    return cuda_api_load(api, error) && cuda_api_did(api, api->initialize(0), doing, error) &&
           cuda_api_did(api, api->device_count(&count), doing, error) &&
           cuda_api_did(api, count > 0 ? 0 : CUDA_API_NO_DEVICE, doing, error) &&
           cuda_api_did(api, api->device_get(&gpu->device, 0), doing, error) &&
           cuda_api_did(api, api->context_retain(&gpu->context, gpu->device), doing, error) &&
           cuda_api_did(api, api->context_use(gpu->context), doing, error);
}

/* After a fault every call that waits fails, until the process ends. */
void cuda_gpu_failed(struct cuda_gpu *gpu)
{
    gpu->lost = gpu->lost || (gpu->context && gpu->api.context_wait() != 0);
}

static int attribute(const struct cuda_gpu *gpu, int which)
{
    int value = 0;
    return gpu->api.device_attribute(&value, which, gpu->device) ? 0 : value;
}

bool job_device(const struct cuda_gpu *gpu, struct cuda_device *device, struct error *error)
{
    static const char doing[] = "asking the GPU what it is";
    const struct cuda_api *api = &gpu->api;
    *device = (struct cuda_device){
        .major = attribute(gpu, CUDA_API_ATTRIBUTE_MAJOR),
        .minor = attribute(gpu, CUDA_API_ATTRIBUTE_MINOR),
        .multiprocessors = attribute(gpu, CUDA_API_ATTRIBUTE_MULTIPROCESSORS),
        .clock_khz = attribute(gpu, CUDA_API_ATTRIBUTE_CLOCK),
        .memory_clock_khz = attribute(gpu, CUDA_API_ATTRIBUTE_MEMORY_CLOCK),
        .memory_bus_bits = attribute(gpu, CUDA_API_ATTRIBUTE_BUS_WIDTH),
        .l2_bytes = attribute(gpu, CUDA_API_ATTRIBUTE_L2),
        .shared_bytes_block = (size_t)attribute(gpu, CUDA_API_ATTRIBUTE_SHARED),
        .shared_bytes_block_optin = (size_t)attribute(gpu, CUDA_API_ATTRIBUTE_SHARED_OPTIN),
    };
    if (!cuda_api_did(api, api->device_name(device->name, (int)sizeof device->name, gpu->device), doing, error) ||
        !cuda_api_did(api, api->device_memory(&device->memory_bytes, gpu->device), doing, error) ||
        !cuda_api_did(api, api->version(&device->cuda), doing, error))
        return false;
    if (!driver_version(device->driver, sizeof device->driver))
        snprintf(device->driver, sizeof device->driver, "CUDA %d.%d", device->cuda / 1000, device->cuda % 1000 / 10);
    return true;
}

bool job_pitch(const struct cuda_gpu *gpu, uint64_t row_bytes, uint64_t *pitch, struct error *error)
{
    enum { ROWS = 16, ELEMENT = 4 };
    uint64_t memory = 0;
    size_t bytes = 0;
    int const code = gpu->api.allocate_rows(&memory, &bytes, row_bytes, ROWS, ELEMENT);
    if (!cuda_api_did(&gpu->api, code, "asking for a pitch", error))
        return false;
    cuda_release(&gpu->api, memory);
    *pitch = bytes;
    return true;
}
