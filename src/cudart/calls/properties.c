/* Properties and attributes of the device, in CUDA 12's layout. */
#include "cudart/backend/backend.h"
#include "cudart/calls/call.h"
#include "cudart/layer/device.h"
#include <stddef.h>
#include <string.h>

/* cudaDeviceProp of CUDA 12, in its order: assets/cuda/program/cuda_runtime_api.h. What a program without a second
 * device asks for is filled; the rest is 0. */
struct properties {
    char name[256], uuid[16], luid[8];
    unsigned luid_mask;
    size_t memory, shared_per_block;
    int registers_per_block, warp;
    size_t pitch;
    int threads_per_block, block[3], grid[3], clock_khz;
    size_t constant;
    int major, minor;
    size_t texture_alignment, texture_pitch_alignment;
    int overlap, multiprocessors, timeout, integrated, map_host, compute_mode;
    int textures[40];
    size_t surface_alignment;
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, engines;
    int unified, memory_clock_khz, bus_width, l2, persisting_l2;
    int threads, priorities, global_l1, local_l1;
    size_t shared;
    int registers, managed, multi_gpu, multi_gpu_group, host_atomics;
    int double_ratio, pageable, concurrent_managed, preemption;
    int registered_pointer, cooperative, cooperative_multi;
    size_t shared_optin;
    int pageable_tables, direct_managed, blocks, window;
    size_t shared_reserved;
    int host_register, sparse, register_read_only, semaphores, pools, rdma;
    unsigned rdma_flags;
    int rdma_order;
    unsigned pool_handles;
    int deferred, ipc_events, cluster, unified_functions;
    int reserved[63];
};
_Static_assert(sizeof(struct properties) == 1032, "the size of cudaDeviceProp of CUDA 12");

/* cudaDeviceProp of CUDA 13, which left members out and moved others. */
struct properties_13 {
    char name[256], uuid[16], luid[8];
    unsigned luid_mask;
    size_t memory, shared_per_block;
    int registers_per_block, warp;
    size_t pitch;
    int threads_per_block, block[3], grid[3];
    size_t constant;
    int major, minor;
    size_t texture_alignment, texture_pitch_alignment;
    int multiprocessors, integrated, map_host;
    int textures[39];
    size_t surface_alignment;
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, engines;
    int unified, bus_width, l2, persisting_l2;
    int threads, priorities, global_l1, local_l1;
    size_t shared;
    int registers, managed, multi_gpu, multi_gpu_group, host_atomics;
    int pageable, concurrent_managed, preemption, registered_pointer, cooperative;
    size_t shared_optin;
    int pageable_tables, direct_managed, blocks, window;
    size_t shared_reserved;
    int host_register, rest[12 + 7 + 56];
};
_Static_assert(sizeof(struct properties_13) == 1008 && offsetof(struct properties_13, threads) == 604 &&
                   offsetof(struct properties_13, host_register) == 704,
               "the layout of cudaDeviceProp of CUDA 13");

cudaError_t cudaDeviceGetAttribute(int *value, int number, int device)
{
    CALL_BEGIN_WITHOUT_CONTEXT(cudaDeviceGetAttribute);
    line_signed("attribute", number);
    if (device != 0)
        return call_end(&call, cudaErrorInvalidDevice);
    return call_end(&call, value ? (cudaError_t)runtime.backend->attribute(value, number) : cudaErrorInvalidValue);
}

/* Fills the limits of textures and surfaces: the attributes in the members' order. */
static void fill_textures(int textures[40])
{
    static const int numbers[40] = {21, 77, 69, 22, 23, 73, 74, 70, 71, 72, 45, 46, 24, 25, 26, 47, 48, 49, 52, 42,
                                    43, 27, 28, 29, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68};
    for (int i = 0; i < 40; i++)
        if (runtime.backend->attribute(&textures[i], numbers[i]))
            textures[i] = 0;
}

static void fill_properties(struct properties *p)
{
    const struct occupancy_limits *limits = device_limits();
    *p = (struct properties){.memory = runtime.backend->memory_total(),
                             .shared_per_block = LAUNCH_STATIC_SHARED_MAX,
                             .registers_per_block = (int)limits->registers_per_block,
                             .warp = WARP_LANES,
                             .pitch = INT32_MAX,
                             .threads_per_block = LAUNCH_THREADS_MAX,
                             .block = {LAUNCH_THREADS_MAX, LAUNCH_THREADS_MAX, LAUNCH_BLOCK_Z_MAX},
                             .grid = {LAUNCH_GRID_X_MAX, LAUNCH_GRID_YZ_MAX, LAUNCH_GRID_YZ_MAX},
                             .clock_khz = (int)(device_fact("clock_mhz", 0) * 1000),
                             .constant = LAUNCH_CONSTANT_MAX,
                             .major = device_capability(false),
                             .minor = device_capability(true),
                             .texture_alignment = 512,
                             .texture_pitch_alignment = 32,
                             .surface_alignment = 512,
                             .overlap = 1,
                             .multiprocessors = (int)device_fact("multiprocessors", 1),
                             .map_host = 1,
                             .concurrent_kernels = 1,
                             .engines = 3,
                             .unified = 1,
                             .memory_clock_khz = (int)(device_fact("memory_clock_mhz", 0) * 1000),
                             .bus_width = (int)device_fact("memory_bus_bits", 0),
                             .l2 = (int)device_fact("l2_bytes", 0),
                             .threads = (int)limits->threads,
                             .priorities = 1,
                             .global_l1 = 1,
                             .local_l1 = 1,
                             .shared = limits->shared,
                             .registers = (int)limits->registers,
                             .managed = 1,
                             .concurrent_managed = 1,
                             .preemption = 1,
                             .cooperative = 1,
                             .shared_optin = limits->shared_per_block,
                             .blocks = (int)limits->blocks,
                             .shared_reserved = limits->shared_reserved,
                             .host_register = 1,
                             .pools = 1};
    fill_textures(p->textures);
    snprintf(p->name, sizeof p->name, runtime.backend->gpu ? "%s" : "%s (Lanescope emulator)", device_name());
}

cudaError_t cudaGetDeviceProperties_v2(struct properties *properties, int device)
{
    CALL_BEGIN_ANYWHERE(cudaGetDeviceProperties);
    if (!properties)
        return call_end(&call, cudaErrorInvalidValue);
    if (device != 0)
        return call_end(&call, cudaErrorInvalidDevice);
    fill_properties(properties);
    return call_end(&call, cudaSuccess);
}

#define SPAN(type, first, last) (offsetof(type, last) + sizeof(((type *)0)->last) - offsetof(type, first))
/* Copies the members from the first to the last, which lie alike in both. */
#define COPY(first, last)                                                                                              \
    do {                                                                                                               \
        _Static_assert(SPAN(struct properties, first, last) == SPAN(struct properties_13, first, last),                \
                       "another part");                                                                                \
        memcpy(&properties->first, &p.first, SPAN(struct properties, first, last));                                    \
    } while (0)

/* As nvcc 13 calls it. */
cudaError_t cudaGetDeviceProperties(struct properties_13 *properties, int device)
{
    struct properties p;
    CALL_BEGIN_ANYWHERE(cudaGetDeviceProperties);
    if (!properties)
        return call_end(&call, cudaErrorInvalidValue);
    if (device != 0)
        return call_end(&call, cudaErrorInvalidDevice);
    fill_properties(&p);
    *properties = (struct properties_13){.name = ""};
    COPY(name, grid);
    COPY(constant, texture_pitch_alignment);
    COPY(multiprocessors, multiprocessors);
    COPY(map_host, map_host);
    memcpy(properties->textures, p.textures, 2 * sizeof *p.textures); /* without the width of 1D in linear memory */
    memcpy(properties->textures + 2, p.textures + 3, 37 * sizeof *p.textures);
    COPY(surface_alignment, unified);
    COPY(bus_width, local_l1);
    COPY(shared, host_atomics);
    COPY(pageable, cooperative);
    COPY(shared_optin, host_register);
    return call_end(&call, cudaSuccess);
}
