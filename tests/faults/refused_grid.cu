// 65536 blocks in y.
extern "C" __global__ void refused_grid(int *out)
{
    out[blockIdx.y] = 1;
}
