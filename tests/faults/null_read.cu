// The input was never allocated: a null pointer.
extern "C" __global__ void null_read(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}
