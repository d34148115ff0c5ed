// Copies a matrix whose rows begin `pitch` elements apart into one without gaps. Hand this file in as copy.cu.
__global__ void copy_kernel(float *out, const float *in, int rows, int columns, int pitch)
{
    // TODO: which row and which column has this thread?
}

void copy(float *out, const float *in, int rows, int columns, int pitch)
{
    // TODO: the block, the grid, and one launch
}
