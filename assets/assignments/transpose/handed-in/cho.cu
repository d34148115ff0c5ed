// Cho: no shared memory, so each store of a warp touches 32 sectors.
__global__ void transpose_naive(float *out, const float *in, int rows, int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        out[column * rows + row] = in[row * columns + column];
}

void transpose(float *out, const float *in, int rows, int columns)
{
    dim3 const block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
    transpose_naive<<<grid, block>>>(out, in, rows, columns);
}
