// An int is read from any byte.
extern "C" __global__ void misaligned_int(const unsigned char *in, int *out)
{
    out[threadIdx.x] = *(const int *)(in + threadIdx.x);
}
