// Every block adds to one sum without an atomic.
extern "C" __global__ void race_blocks_sum(const int *in, int *sum)
{
    if (threadIdx.x == 0)
        *sum += in[blockIdx.x * 32];
}
