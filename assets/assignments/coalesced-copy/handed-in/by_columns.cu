// The lanes of a warp go down a column.
__global__ void copy_kernel(float *out, const float *in, int rows, int columns, int pitch)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        out[row * columns + column] = in[row * pitch + column];
}

void copy(float *out, const float *in, int rows, int columns, int pitch)
{
    if (rows == 0 || columns == 0)
        return; // a launch of no blocks is an error
    dim3 block(32, 8), grid((rows + 31) / 32, (columns + 7) / 8);
    copy_kernel<<<grid, block>>>(out, in, rows, columns, pitch);
}
