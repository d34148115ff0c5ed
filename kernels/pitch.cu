// Each thread doubles one element of a matrix. A row begins `pitch` bytes after the one before.

extern "C" __global__ void pitch_double(float *matrix, int width, int height, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (column < width && row < height) {
        float *start = (float *)((char *)matrix + row * pitch);
        float value = start[column];
        start[column] = 2 * value;
    }
}

// The same kernel by another author.
extern "C" __global__ void pitch_as_elements(float *matrix, int width, int height, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (column < width && row < height) {
        float *start = matrix + row * pitch;
        float value = start[column];
        start[column] = 2 * value;
    }
}
