// An int is read at addresses that are no multiples of 4.
extern "C" __global__ void misaligned_int(const unsigned char *in, int *out)
{
    out[threadIdx.x] = *(const int *)(in + threadIdx.x);
}
