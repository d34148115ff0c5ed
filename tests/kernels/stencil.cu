#define RADIUS 3
__constant__ float weights[2 * RADIUS + 1] = {0.05f, 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.05f};

__global__ void stencil(float *__restrict__ out, const float *__restrict__ in, int n)
{
    extern __shared__ float tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + RADIUS;
    tile[at] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < RADIUS) {
        tile[threadIdx.x] = i >= RADIUS ? in[i - RADIUS] : 0.0f;
        tile[at + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
    }
    __syncthreads();
    if (i >= n)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        sum += tile[at + offset] * weights[offset + RADIUS];
    out[i] = sum;
}
