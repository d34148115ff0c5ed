// How often each value occurs, or the sum of the values in each bin. A bin is a part of the 256 values. Where the bins
// lie, and how many copies of them there are, decides how long lanes wait for each other.

// The bins lie in global memory: every addition goes to the L2.
extern "C" __global__ void histogram_global(unsigned *result, const unsigned char *in, int n, int bins, int copies)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&result[in[i] * bins / 256], 1);
}

// The lanes of a warp with the same bin agree first; one of them adds for all. n is a multiple of all threads.
extern "C" __global__ void histogram_match(unsigned *result, const unsigned char *in, int n, int bins, int copies)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int bin = in[i] * bins / 256;
        unsigned same = __match_any_sync(0xffffffff, bin);
        if (threadIdx.x % 32 == __ffs(same) - 1)
            atomicAdd(&result[bin], __popc(same));
    }
}

// Each block counts in bins of its own in shared memory, and adds them to the result at its end.
extern "C" __global__ void histogram_shared(unsigned *result, const unsigned char *in, int n, int bins, int copies)
{
    extern __shared__ unsigned part[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        part[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&part[in[i] * bins / 256], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        atomicAdd(&result[b], part[b]);
}

// The same with sums: what a lane adds is its value, and not 1.
extern "C" __global__ void histogram_sums(unsigned *result, const unsigned char *in, int n, int bins, int copies)
{
    extern __shared__ unsigned part[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        part[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned value = in[i];
        atomicAdd(&part[value * bins / 256], value);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        atomicAdd(&result[b], part[b]);
}

// Each warp of the block has bins of its own.
extern "C" __global__ void histogram_warps(unsigned *result, const unsigned char *in, int n, int bins, int copies)
{
    extern __shared__ unsigned part[];
    int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int b = threadIdx.x; b < bins * warps; b += blockDim.x)
        part[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned value = in[i];
        atomicAdd(&part[warp * bins + value * bins / 256], value);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < warps; w++)
            sum += part[w * bins + b];
        atomicAdd(&result[b], sum);
    }
}

// The block has `copies` of the bins, side by side: copy 0 of bin 0, copy 1 of bin 0 ... Neighbouring lanes use
// different copies.
extern "C" __global__ void histogram_copies(unsigned *result, const unsigned char *in, int n, int bins, int copies)
{
    extern __shared__ unsigned part[];
    for (int b = threadIdx.x; b < bins * copies; b += blockDim.x)
        part[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned value = in[i];
        atomicAdd(&part[value * bins / 256 * copies + threadIdx.x % copies], value);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        unsigned sum = 0;
        for (int c = 0; c < copies; c++)
            sum += part[b * copies + c];
        atomicAdd(&result[b], sum);
    }
}

// Wrong: two threads can read the same old count.
extern "C" __global__ void histogram_plain(unsigned *result, const unsigned char *in, int n, int bins, int copies)
{
    extern __shared__ unsigned part[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        part[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        part[in[i] * bins / 256]++;
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        atomicAdd(&result[b], part[b]);
}
