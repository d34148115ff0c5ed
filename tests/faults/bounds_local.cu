// An index far outside a thread's own array.
extern "C" __global__ void bounds_local(const int *in, int *out, int far)
{
    int own[8];
    for (int k = 0; k < 8; k++)
        own[k] = in[k];
    own[in[threadIdx.x] * far] = 1;
    out[threadIdx.x] = own[in[threadIdx.x] & 7];
}
