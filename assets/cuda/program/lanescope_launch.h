// Kernels that launch kernels. kernel<<<grid, block>>>(...) in device code reaches the compiler as
// lanescope_kernel<kernel>(grid, block)(...), see src/source/dialect.h, and the emulator provides lanescope_launch. Included
// by cuda_runtime.h.
#pragma once
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
extern "C" __device__ int lanescope_launch(const void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                           unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                           cudaStream_t stream, const void *arguments);
extern "C" __device__ int lanescope_launch_error(int reset);
#define LANESCOPE_LAUNCH __inline__ __attribute__((always_inline, nodebug, device))
template <auto kernel> __device__ const auto lanescope_entry = kernel; // its address, which no device function may take
template <auto kernel, class F = decltype(kernel)> struct lanescope_launcher;
template <auto kernel, class... A> struct lanescope_launcher<kernel, void (*)(A...)> {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    LANESCOPE_LAUNCH void operator()(A... arguments) const
    {
        alignas(16) unsigned char bytes[(0 + ... + (sizeof(A) + alignof(A))) + 1]; // as the kernel has its parameters
        size_t at = 0;
        ((at = (at + alignof(A) - 1) / alignof(A) * alignof(A), __builtin_memcpy(bytes + at, &arguments, sizeof(A)),
          at += sizeof(A)),
         ...);
        lanescope_launch((const void *)lanescope_entry<kernel>, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                         (unsigned)shared, stream, bytes);
    }
};
template <auto kernel>
static LANESCOPE_LAUNCH lanescope_launcher<kernel> lanescope_kernel(dim3 grid, dim3 block, size_t shared = 0,
                                                                    cudaStream_t stream = 0)
{
    return {grid, block, shared, stream};
}
static LANESCOPE_LAUNCH cudaError_t cudaGetLastError()
{
    return (cudaError_t)lanescope_launch_error(1);
}
static LANESCOPE_LAUNCH cudaError_t cudaPeekAtLastError()
{
    return (cudaError_t)lanescope_launch_error(0);
}
// The errors that a kernel's launches have.
#define LANESCOPE_ERRORS(CALL, ...)                                                                           \
    static LANESCOPE_LAUNCH const char *CALL(cudaError_t error)                                                        \
    {                                                                                                                  \
        const char *const texts[] = {__VA_ARGS__};                                                                     \
        return error == cudaSuccess                           ? texts[0]                                               \
               : error == cudaErrorInvalidConfiguration       ? texts[1]                                               \
               : error == cudaErrorLaunchMaxDepthExceeded     ? texts[2]                                               \
               : error == cudaErrorLaunchPendingCountExceeded ? texts[3]                                               \
                                                              : "unrecognized error code";                             \
    }
LANESCOPE_ERRORS(cudaGetErrorString, "no error", "invalid configuration argument",
                 "launch max depth exceeded", "launch pending count exceeded")
LANESCOPE_ERRORS(cudaGetErrorName, "cudaSuccess", "cudaErrorInvalidConfiguration",
                 "cudaErrorLaunchMaxDepthExceeded", "cudaErrorLaunchPendingCountExceeded")
#undef LANESCOPE_ERRORS
// Streams of a kernel order its launches, which run one after the other in any case.
static LANESCOPE_LAUNCH cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = (cudaStream_t)0x100;
    return cudaSuccess;
}
static LANESCOPE_LAUNCH cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}
// An error where a kernel's code calls it. A lambda of the host may name it: clang reads one for the GPU as well.
__device__ __attribute__((error("a kernel cannot wait for kernels that it launched since CUDA 12"))) cudaError_t
cudaDeviceSynchronize();
#undef LANESCOPE_LAUNCH
