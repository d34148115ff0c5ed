// out = in transposed through a padded tile of TILE by TILE floats, with a quarter of as many threads: each moves four
// elements, a quarter of the tile apart.
#ifndef TILE
#define TILE 32
#endif

extern "C" __global__ void transpose_quarter(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
    for (int k = 0; k < TILE; k += TILE / 4)
        tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * n + column];
    __syncthreads();

    column = blockIdx.y * TILE + threadIdx.x; // of the other matrix
    row = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int k = 0; k < TILE; k += TILE / 4) {
        float value = tile[threadIdx.x][threadIdx.y + k];
        out[(row + k) * n + column] = value;
    }
}
