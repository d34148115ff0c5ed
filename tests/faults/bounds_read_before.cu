// Each thread also reads its left neighbour; the first has none.
extern "C" __global__ void bounds_read_before(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] - in[i - 1];
}
