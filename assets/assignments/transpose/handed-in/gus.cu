// Gus: the last wait never ends.
__global__ void transpose_one(float *out, const float *in, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < rows * columns) {
        out[i % columns * rows + i / columns] = in[i];
    }
}

void transpose(float *out, const float *in, int rows, int columns)
{
    transpose_one<<<(rows * columns + 255) / 256, 256>>>(out, in, rows, columns);
}
