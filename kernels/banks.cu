// One warp reads, or writes, shared memory at a stride. Launch it with blocks of 32 threads.
// A row of 32 elements is followed by `padding` unused ones.
#ifndef ELEMENT
#define ELEMENT float
#endif
typedef ELEMENT element;

// CUDA gives double2 no + of its own.
__device__ double2 operator+(double2 a, double2 b)
{
    return make_double2(a.x + b.x, a.y + b.y);
}

extern "C" __global__ void banks_load(element *out, const element *in, int stride, int padding, int size, int rounds)
{
    __shared__ element tile[2304];
    for (int i = threadIdx.x; i < size; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();

    int lane = threadIdx.x % 32;
    int index = lane * stride;
    index += index / 32 * padding;

    element sum = {};
    for (int round = 0; round < rounds; round++) {
        sum = sum + tile[index];
        __syncwarp();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void banks_store(element *out, const element *in, int stride, int padding, int size, int rounds)
{
    __shared__ element tile[2304];
    int lane = threadIdx.x % 32;
    int index = lane * stride;
    index += index / 32 * padding;
    if (index >= size)
        return;

    element value = in[index];
    for (int round = 0; round < rounds; round++) {
        tile[index] = value;
        __syncwarp();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[index];
}
