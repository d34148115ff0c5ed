// An output that was allocated and not filled is only written.
extern "C" __global__ void ok_output_never_filled(const int *in, int *out)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    out[i] = in[i] + 1;
}
