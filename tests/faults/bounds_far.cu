// Rows and columns are swapped: the index is a thousand times too large.
extern "C" __global__ void bounds_far(int *out, int height)
{
    out[threadIdx.x * height] = (int)threadIdx.x;
}
