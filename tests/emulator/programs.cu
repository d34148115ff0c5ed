// Small kernels with a host reference in tests/unit/emulator/programs.c. Regenerate programs.ptx with
//   nvcc -ptx -arch=compute_80 -lineinfo programs.cu
extern "C" __global__ void saxpy(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void reduce(float *out, const float *in, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// Loops of different lengths, a break, an if inside, and a switch.
extern "C" __global__ void diverge(int *o)
{
    int t = threadIdx.x, s = 0;
    for (int i = 0; i < t; i++) {
        if (i & 1)
            s += i * 3;
        else
            s -= i;
        if (s > 500)
            break;
    }
    switch (t % 5) {
    case 0: s += 1; break;
    case 1: s *= 2; break;
    case 2: s ^= 77; break;
    case 3: s -= 9; break;
    default: s = -s;
    }
    o[blockIdx.x * blockDim.x + t] = s;
}

extern "C" __global__ void shuffles(int *o)
{
    int t = threadIdx.x, v = t * t;
    v += __shfl_xor_sync(~0u, v, 1);
    v += __shfl_down_sync(~0u, v, 2);
    v += __shfl_sync(~0u, v, 3, 8);
    v += __shfl_up_sync(~0u, v, 1, 16);
    unsigned b = __ballot_sync(~0u, v & 4);
    o[t] = v + __popc(b) + __reduce_add_sync(~0u, t) + __any_sync(~0u, t == 40) + __popc(__match_any_sync(~0u, t / 3));
}

extern "C" __global__ void histogram(unsigned *h, const unsigned *in, int n)
{
    __shared__ unsigned own[16];
    if (threadIdx.x < 16)
        own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&own[in[i] & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&h[threadIdx.x], own[threadIdx.x]);
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" __global__ void recursion(int *o)
{
    o[threadIdx.x] = fibonacci(threadIdx.x % 10);
}

extern "C" __global__ void locals(int *o)
{
    int a[16], t = threadIdx.x, s = 0;
    for (int i = 0; i < 16; i++)
        a[(i * 5 + t) & 15] = i + t;
    for (int i = 0; i < 16; i++)
        s = s * 3 + a[(i + t * 7) & 15];
    o[t] = s;
}

// Works only if lanes that wait for a lock let the lane that holds it continue.
extern "C" __global__ void lock(int *l, int *c)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(l, 0, 1) == 0) {
            *(volatile int *)c = *(volatile int *)c + 1;
            __threadfence();
            atomicExch(l, 0);
            done = true;
        }
    }
}

// A barrier does not wait for threads that have ended.
extern "C" __global__ void early_exit(int *o)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t < 40 ? t : -t;
    __syncthreads();
    if (t >= 50)
        return;
    __syncthreads();
    o[t] = s[63 - t];
}

// Wide, vector, byte and half-word accesses, constant memory and a table of functions.
__constant__ int weights[4] = {3, 5, 7, 11};
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
typedef int (*function)(int);
__device__ function functions[2] = {twice, square};
extern "C" __global__ void widths(uint4 *out, const uchar4 *bytes, const unsigned short *halves, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 b = bytes[i];
    uint4 v = make_uint4(b.x + weights[i & 3], (unsigned)(signed char)b.y, halves[i] * b.z, functions[i & 1](b.w));
    out[i] = v;
}

// The same pointer points to shared memory in some lanes and to global memory in others.
extern "C" __global__ void generic(int *out, int *data)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = 1000 + t;
    __syncwarp();
    int *p = t % 3 ? &s[31 - t] : &data[t];
    out[t] = *(volatile int *)p;
}
