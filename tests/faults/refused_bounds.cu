// Compiled for at most 64 threads a block, launched with 128.
extern "C" __global__ void __launch_bounds__(64) refused_bounds(int *out)
{
    out[threadIdx.x] = 1;
}
