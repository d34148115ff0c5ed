// Blocks of 32 threads write 33 elements each.
extern "C" __global__ void race_blocks_overlap(int *a)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    a[i] = (int)blockIdx.x;
    if (threadIdx.x == 31)
        a[i + 1] = -1;
}
