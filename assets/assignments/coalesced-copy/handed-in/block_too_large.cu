// 2048 threads in a block.
__global__ void copy_kernel(float *out, const float *in, int rows, int columns, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        out[row * columns + column] = in[row * pitch + column];
}

void copy(float *out, const float *in, int rows, int columns, int pitch)
{
    if (rows == 0 || columns == 0)
        return; // a launch of no blocks is an error
    dim3 block(64, 32), grid((columns + 63) / 64, (rows + 31) / 32);
    copy_kernel<<<grid, block>>>(out, in, rows, columns, pitch);
}
