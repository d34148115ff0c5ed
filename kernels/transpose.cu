// out = in transposed, for square matrices of n by n floats, stored row after row.
#ifndef TILE
#define TILE 32
#endif

extern "C" __global__ void transpose_naive(float *out, const float *in, int n)
{
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    float value = in[row * n + column];
    out[column * n + row] = value;
}

extern "C" __global__ void transpose_tile(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE];
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[row * n + column];
    __syncthreads();

    column = blockIdx.y * TILE + threadIdx.x; // of the other matrix
    row = blockIdx.x * TILE + threadIdx.y;
    float value = tile[threadIdx.x][threadIdx.y];
    out[row * n + column] = value;
}

// One unused word at the end of each row of the tile.
extern "C" __global__ void transpose_padded(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[row * n + column];
    __syncthreads();

    column = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
    float value = tile[threadIdx.x][threadIdx.y];
    out[row * n + column] = value;
}

// No unused word: row r keeps its column c at place c xor r.
extern "C" __global__ void transpose_swizzled(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE];
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[row * n + column];
    __syncthreads();

    column = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
    float value = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
    out[row * n + column] = value;
}
