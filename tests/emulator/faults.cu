// Kernels with one mistake each, and their correct twins, for tests/unit/emulator/faults.c. Regenerate faults.ptx with
//   nvcc -ptx -arch=compute_80 -lineinfo faults.cu
extern "C" __global__ void past_the_end(int *a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x] = n; }
extern "C" __global__ void before_the_start(int *a, int n) { a[(int)threadIdx.x - 1] = n; }
extern "C" __global__ void misaligned(char *a, int n) { *(int *)(a + threadIdx.x + 1) = n; }
extern "C" __global__ void null_pointer(int *a, int n) { ((int *)(size_t)n)[threadIdx.x] = a != 0; }
extern "C" __global__ void endless(int *a, int n) { while (*(volatile int *)a == n) { } }
extern "C" __global__ void lonely_barrier(int *a, int n)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        while (*(volatile int *)a == n) { }
}
extern "C" __global__ void named_barrier(int *a, int n)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;");
    else
        asm volatile("bar.sync 2, 64;");
    a[0] = n;
}
extern "C" __global__ void shared_past_the_end(int *a, int n)
{
    __shared__ int s[32];
    s[threadIdx.x + n] = 1;
    __syncthreads();
    a[threadIdx.x] = s[0];
}
__device__ __noinline__ int deep(int n) { return n == 0 ? 0 : 1 + deep(n + 1) * 2; }
extern "C" __global__ void stack_overflow(int *a, int n) { a[0] = deep(n); }
extern "C" __global__ void race(int *a, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = n;
    a[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void no_race(int *a, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = n;
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void unwritten(int *a, int n)
{
    __shared__ int s[64];
    if (threadIdx.x < 32)
        s[threadIdx.x] = n;
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void shuffle_mask(int *a, int n)
{
    if (threadIdx.x % 32 < 16)
        a[threadIdx.x] = __shfl_sync(~0u, n, 3);
    else
        a[threadIdx.x] = __shfl_sync(0xffff0000u, n, 20);
}
extern "C" __global__ void stop(int *a, int n) { if (n) __trap(); a[0] = 1; }
// One warp: lanes read words that other lanes wrote one instruction earlier.
extern "C" __global__ void warp_race(int *a, int n)
{
    __shared__ volatile int s[32];
    s[threadIdx.x & 31] = n;
    a[threadIdx.x & 31] = s[31 - (threadIdx.x & 31)];
}
extern "C" __global__ void warp_no_race(int *a, int n)
{
    __shared__ volatile int s[32];
    s[threadIdx.x & 31] = n;
    __syncwarp();
    a[threadIdx.x & 31] = s[31 - (threadIdx.x & 31)];
}
extern "C" __global__ void divergent_barrier(int *a, int n)
{
    if (threadIdx.x & 1) {
        asm volatile("bar.sync 0;");
        a[threadIdx.x] = n;
    } else {
        asm volatile("bar.sync 0;");
        a[threadIdx.x] = n + 1;
    }
}
// A shuffle does not order memory.
extern "C" __global__ void shuffle_is_no_barrier(int *a, int n)
{
    __shared__ volatile int s[32];
    int t = threadIdx.x & 31;
    s[t] = n;
    int v = __shfl_xor_sync(~0u, n, 1);
    a[t] = s[31 - t] + v;
}
extern "C" __global__ void same_value(int *a, int n)
{
    __shared__ int s[1];
    s[0] = n;
    __syncthreads();
    a[threadIdx.x] = s[0];
}
extern "C" __global__ void different_values(int *a, int n)
{
    __shared__ int s[1];
    s[0] = n + threadIdx.x;
    __syncthreads();
    a[threadIdx.x] = s[0];
}
extern "C" __global__ void unrolled_race(int *a, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = n;
    int sum = 0;
#pragma unroll
    for (int k = 1; k <= 4; k++)
        sum += s[(threadIdx.x + 16 * k) % 64];
    a[threadIdx.x] = sum;
}
