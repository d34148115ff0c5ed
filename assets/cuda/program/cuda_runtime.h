// The CUDA runtime API for C++: cuda_runtime_api.h, and its functions that take typed pointers, symbols and kernels.
#pragma once
#include "cuda_runtime_api.h"
#include <limits.h> // programs use INT_MAX without it, because the Toolkit's header brings it
#ifdef __cplusplus
#include <utility> // likewise std::move, std::initializer_list
#define __CUDA_RUNTIME_H__
#ifdef __CUDACC__
#define LANESCOPE_HOST static __inline__ __attribute__((always_inline, nodebug, host))
#else
#define LANESCOPE_HOST static __inline__ __attribute__((always_inline, nodebug))
#endif
template <typename T> LANESCOPE_HOST cudaError_t cudaMalloc(T **pointer, size_t size)
{
    return cudaMalloc((void **)pointer, size);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned flags = 0)
{
    return cudaHostAlloc((void **)pointer, size, flags);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned flags)
{
    return cudaHostAlloc((void **)pointer, size, flags);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)pointer, size, flags);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream)
{
    return cudaMallocAsync((void **)pointer, size, stream);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, size, pool, stream);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, size, pool, stream);
}
LANESCOPE_HOST cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, cudaMemLocation location,
                                                unsigned flags, cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync_v2(pointer, size, location, flags, stream);
}
LANESCOPE_HOST cudaError_t cudaMemAdvise(const void *pointer, size_t size, cudaMemoryAdvise advice,
                                         cudaMemLocation location)
{
    return cudaMemAdvise_v2(pointer, size, advice, location);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t size = 0,
                                                    unsigned flags = cudaMemAttachSingle)
{
    return cudaStreamAttachMemAsync(stream, (void *)pointer, size, flags);
}
// Of CUDA 11: with a place for the node and the text of a failure.
LANESCOPE_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t *instance, cudaGraph_t graph, cudaGraphNode_t *node,
                                                char *text, size_t size)
{
    if (node)
        *node = 0;
    if (text && size)
        *text = 0;
    return cudaGraphInstantiate(instance, graph, 0);
}
LANESCOPE_HOST cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphNode_t *node,
                                               cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t const error = cudaGraphExecUpdate(instance, graph, &info);
    if (node)
        *node = 0;
    if (result)
        *result = info.result;
    return error;
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, size, offset, kind);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, size, offset, kind);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                                   cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                   cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, size, offset, kind, stream);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset = 0,
                                                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                     cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, size, offset, kind, stream);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol)
{
    return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaGetSymbolAddress(T **pointer, const T &symbol)
{
    return cudaGetSymbolAddress((void **)pointer, (const void *)&symbol);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return cudaGetSymbolSize(size, (const void *)&symbol);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function)
{
    return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)function, config);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaFuncSetSharedMemConfig(T *function, cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                            cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                                       size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared, stream);
}
// The arguments are converted to the kernel's parameters.
template <typename... P, typename... A>
LANESCOPE_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...arguments)
{
    return [&](P... values) __attribute__((always_inline, nodebug))
    {
        void *pointers[sizeof...(P) + 1] = {(void *)&values..., 0};
        return cudaLaunchKernelExC(config, (const void *)kernel, pointers);
    }
    (static_cast<A &&>(arguments)...);
}
template <typename T> LANESCOPE_HOST cudaError_t cudaFuncGetName(const char **name, T *function)
{
    return cudaFuncGetName(name, (const void *)function);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int threads,
                                                                         size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, threads, shared);
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T function, int threads,
                                                                                  size_t shared, unsigned flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function, threads, shared,
                                                                  flags);
}
// Returns the block size with the most resident threads; among equals the largest.
template <typename F, typename T>
LANESCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T function,
                                                                          F shared_of_block, int limit = 0)
{
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)function);
    int multiprocessors = 0, best = 0;
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    int const most = limit > 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
    for (int size = most / 32 * 32 ? most / 32 * 32 : most; error == cudaSuccess && size > 0; size -= 32) {
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, size,
                                                              (size_t)shared_of_block(size));
        if (blocks * size > best) {
            best = blocks * size;
            *block = size;
            *grid = blocks * multiprocessors;
        }
    }
    return error;
}
template <typename T>
LANESCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function, size_t shared = 0,
                                                              int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, function, [=](int) { return shared; }, limit);
}
template <typename T> LANESCOPE_HOST cudaChannelFormatDesc cudaCreateChannelDesc()
{
    cudaChannelFormatKind const kind = T(-1) < T(0) && T(0.5) == T(0) ? cudaChannelFormatKindSigned
                                       : T(0.5) == T(0)               ? cudaChannelFormatKindUnsigned
                                                                      : cudaChannelFormatKindFloat;
    return {8 * (int)sizeof(T), 0, 0, 0, kind};
}
#define LANESCOPE_CHANNELS(T, BITS, X, Y, Z, KIND)                                                                     \
    template <> LANESCOPE_HOST_SPECIAL cudaChannelFormatDesc cudaCreateChannelDesc<T>()                                \
    {                                                                                                                  \
        return {BITS, X, Y, Z, cudaChannelFormatKind##KIND};                                                           \
    }
#define LANESCOPE_HOST_SPECIAL inline __attribute__((nodebug))
LANESCOPE_CHANNELS(float2, 32, 32, 0, 0, Float)
LANESCOPE_CHANNELS(float4, 32, 32, 32, 32, Float)
LANESCOPE_CHANNELS(int2, 32, 32, 0, 0, Signed)
LANESCOPE_CHANNELS(int4, 32, 32, 32, 32, Signed)
LANESCOPE_CHANNELS(uint2, 32, 32, 0, 0, Unsigned)
LANESCOPE_CHANNELS(uint4, 32, 32, 32, 32, Unsigned)
LANESCOPE_CHANNELS(short2, 16, 16, 0, 0, Signed)
LANESCOPE_CHANNELS(short4, 16, 16, 16, 16, Signed)
LANESCOPE_CHANNELS(ushort2, 16, 16, 0, 0, Unsigned)
LANESCOPE_CHANNELS(ushort4, 16, 16, 16, 16, Unsigned)
LANESCOPE_CHANNELS(char2, 8, 8, 0, 0, Signed)
LANESCOPE_CHANNELS(char4, 8, 8, 8, 8, Signed)
LANESCOPE_CHANNELS(uchar2, 8, 8, 0, 0, Unsigned)
LANESCOPE_CHANNELS(uchar4, 8, 8, 8, 8, Unsigned)
#undef LANESCOPE_CHANNELS
#undef LANESCOPE_HOST_SPECIAL
#ifdef __CUDACC__
#define LANESCOPE_TEXTURE(NAME)                                                                                        \
    template <typename T, typename... A>                                                                               \
    __attribute__((device, unavailable("textures and surfaces are not supported: docs/programs.md"))) T NAME(A...);
LANESCOPE_TEXTURE(tex1Dfetch)
LANESCOPE_TEXTURE(tex1D)
LANESCOPE_TEXTURE(tex2D)
LANESCOPE_TEXTURE(tex3D)
LANESCOPE_TEXTURE(tex1DLayered)
LANESCOPE_TEXTURE(tex2DLayered)
LANESCOPE_TEXTURE(tex2DLod)
LANESCOPE_TEXTURE(tex2Dgather)
LANESCOPE_TEXTURE(texCubemap)
LANESCOPE_TEXTURE(surf1Dread)
LANESCOPE_TEXTURE(surf2Dread)
LANESCOPE_TEXTURE(surf3Dread)
#undef LANESCOPE_TEXTURE
#endif
LANESCOPE_HOST cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return {width, height, depth};
}
LANESCOPE_HOST cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return {x, y, z};
}
LANESCOPE_HOST cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height)
{
    return {pointer, pitch, width, height};
}
#if defined(__CUDACC__) && __cplusplus >= 201703L
#include "lanescope_launch.h"
#endif
#endif
