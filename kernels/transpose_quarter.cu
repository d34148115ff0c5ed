// out = in transposed through a padded tile of TILE by TILE floats, with a quarter of as many threads: each moves four
// elements, STEP rows apart.
#ifndef TILE
#define TILE 32
#endif
#define STEP (TILE / 4)

extern "C" __global__ void transpose_quarter(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    float kept[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        kept[k] = in[(row + k * STEP) * n + column];
#pragma unroll
    for (int k = 0; k < 4; k++)
        tile[threadIdx.y + k * STEP][threadIdx.x] = kept[k];
    __syncthreads();

    column = blockIdx.y * TILE + threadIdx.x; // of the other matrix
    row = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float value = tile[threadIdx.x][threadIdx.y + k * STEP];
        out[(row + k * STEP) * n + column] = value;
    }
}
