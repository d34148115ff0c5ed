// Threads read, or write, global memory: thread i takes element offset + i * stride. A write gives all of them in[0].
#ifndef ELEMENT
#define ELEMENT float
#endif
typedef ELEMENT element;

extern "C" __global__ void coalescing_load(element *out, const element *in, int offset, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[offset + i * stride];
}

extern "C" __global__ void coalescing_store(element *out, const element *in, int offset, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[offset + i * stride] = in[0];
}

// The last lane of each warp takes the first element.
extern "C" __global__ void coalescing_reversed(element *out, const element *in, int offset, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int turned = i / 32 * 32 + 31 - i % 32;
    out[i] = in[offset + turned * stride];
}

// The lanes of each warp take its 32 elements in another order: 13 and 32 have no common factor.
extern "C" __global__ void coalescing_shuffled(element *out, const element *in, int offset, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mixed = i / 32 * 32 + i % 32 * 13 % 32;
    out[i] = in[offset + mixed * stride];
}

// Every lane takes an element from anywhere in the array: a gather.
extern "C" __global__ void coalescing_gather(element *out, const element *in, int offset, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned anywhere = i * 2654435761u % n;
    out[i] = in[anywhere];
}

// Structs of `stride` elements, one after another; every thread reads field `offset` of its struct.
extern "C" __global__ void coalescing_structs(element *out, const element *in, int offset, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride + offset];
}

// The same fields as `stride` arrays: all first fields side by side, then all second ones.
extern "C" __global__ void coalescing_arrays(element *out, const element *in, int offset, int stride, int n)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[offset * threads + i];
}
