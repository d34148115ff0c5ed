// The variables of a kernel and their places. Every thread adds up neighbours in its block, weighted.
__constant__ float weights[32] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                  17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

extern "C" __global__ void spaces_plain(float *out, const float *in, int terms, int groups)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    const float weight = weights[threadIdx.x % groups];
    float sum = 0;
    for (int k = 0; k < 32; k++)
        sum += weight * tile[(threadIdx.x + k) % blockDim.x];
    out[i] = sum;
}

// The products are kept in an array.
extern "C" __global__ void spaces_unrolled(float *out, const float *in, int terms, int groups)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    const float weight = weights[threadIdx.x % groups];
    float t[32];
    for (int k = 0; k < 32; k++)
        t[k] = weight * tile[(threadIdx.x + k) % blockDim.x];
    float sum = 0;
    for (int k = 0; k < 32; k++)
        sum += t[k];
    out[i] = sum;
}

// Every thread adds up in an order of its own.
extern "C" __global__ void spaces_rotated(float *out, const float *in, int terms, int groups)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    const float weight = weights[threadIdx.x % groups];
    float t[32];
    for (int k = 0; k < 32; k++)
        t[k] = weight * tile[(threadIdx.x + k) % blockDim.x];
    float sum = 0;
    for (int k = 0; k < 32; k++)
        sum += t[(threadIdx.x + k) % 32];
    out[i] = sum;
}

// The same with a small array.
extern "C" __global__ void spaces_small(float *out, const float *in, int terms, int groups)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    const float weight = weights[threadIdx.x % groups];
    float t[4];
    for (int k = 0; k < 4; k++)
        t[k] = weight * tile[(threadIdx.x + k) % blockDim.x];
    float sum = 0;
    for (int k = 0; k < 4; k++)
        sum += t[(threadIdx.x + k) % 4];
    out[i] = sum;
}

// The last loop runs to a parameter.
extern "C" __global__ void spaces_indexed(float *out, const float *in, int terms, int groups)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    const float weight = weights[threadIdx.x % groups];
    float t[32];
    for (int k = 0; k < 32; k++)
        t[k] = weight * tile[(threadIdx.x + k) % blockDim.x];
    float sum = 0;
    for (int k = 0; k < terms; k++)
        sum += t[k];
    out[i] = sum;
}

// The tile is filled once.
extern "C" __global__ void spaces_first(float *out, const float *in, int terms, int groups)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 0)
        tile[threadIdx.x] = in[i];
    __syncthreads();
    const float weight = weights[threadIdx.x % groups];
    float sum = 0;
    for (int k = 0; k < 32; k++)
        sum += weight * tile[(threadIdx.x + k) % blockDim.x];
    out[i] = sum;
}

// Only reads of constant memory, `terms` of them. The lanes of a warp read up to `groups` addresses at a time.
extern "C" __global__ void spaces_constant(float *out, const float *in, int terms, int groups)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = threadIdx.x % groups;
    float sum = 0;
    for (int k = 0; k < terms; k++)
        sum += weights[(first + k) % 32];
    out[i] = sum;
}

// The same reads from an array in global memory.
extern "C" __global__ void spaces_global(float *out, const float *in, int terms, int groups)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = threadIdx.x % groups;
    float sum = 0;
    for (int k = 0; k < terms; k++)
        sum += in[(first + k) % 32];
    out[i] = sum;
}
