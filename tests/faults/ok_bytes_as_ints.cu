// Bytes are read as ints, at multiples of four.
extern "C" __global__ void ok_bytes_as_ints(const unsigned char *in, int *out)
{
    out[threadIdx.x] = *(const int *)(in + 4 * threadIdx.x);
}
