// Kim: a tile, but each thread writes the element that it has read.
#define TILE 32

__global__ void transpose_tile(float *out, const float *in, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    if (row < rows && column < columns)
        out[column * rows + row] = tile[threadIdx.y][threadIdx.x];
}

void transpose(float *out, const float *in, int rows, int columns)
{
    dim3 const block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    transpose_tile<<<grid, block>>>(out, in, rows, columns);
}
