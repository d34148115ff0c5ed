// Each block reverses its own part of an array through shared memory.

extern "C" __global__ void reverse_early(int *out, const int *in)
{
    __shared__ int tile[1024];
    int i = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    tile[i] = in[first + i];
    out[first + i] = tile[blockDim.x - 1 - i];
}

extern "C" __global__ void reverse_block(int *out, const int *in)
{
    __shared__ int tile[1024];
    int i = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    tile[i] = in[first + i];
    __syncthreads();
    out[first + i] = tile[blockDim.x - 1 - i];
}

extern "C" __global__ void reverse_divergent(int *out, const int *in)
{
    __shared__ int tile[1024];
    int i = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    if (i % 2 == 0) {
        tile[i] = in[first + i];
        __syncthreads();
    } else {
        tile[i] = in[first + i];
    }
    out[first + i] = tile[blockDim.x - 1 - i];
}

// Without shared memory no barrier is needed.
extern "C" __global__ void reverse_direct(int *out, const int *in)
{
    int i = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    int value = in[first + blockDim.x - 1 - i];
    out[first + i] = value;
}

extern "C" __global__ void reverse_above(int *out, const int *in)
{
    __shared__ int tile[1024];
    int i = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    __syncthreads();
    tile[i] = in[first + i];
    out[first + i] = tile[blockDim.x - 1 - i];
}

extern "C" __global__ void reverse_below(int *out, const int *in)
{
    __shared__ int tile[1024];
    int i = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    tile[i] = in[first + i];
    int value = tile[blockDim.x - 1 - i];
    __syncthreads();
    out[first + i] = value;
}
