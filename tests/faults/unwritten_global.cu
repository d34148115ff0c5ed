// The input was allocated, but never filled.
extern "C" __global__ void unwritten_global(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x] + 1;
}
