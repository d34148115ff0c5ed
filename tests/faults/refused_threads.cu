// 2048 threads a block.
extern "C" __global__ void refused_threads(int *out)
{
    out[threadIdx.x] = 1;
}
