// result[0] = in[0] + ... + in[n - 1], in memory of the device. Hand this file in as sum.cu.
#define BLOCK 256

__global__ void sum_kernel(int *result, const int *in, int n)
{
    // TODO: the sum of a block in shared memory, and one atomicAdd for each block
}

void sum(int *result, const int *in, int n)
{
    // TODO: nobody has set the result to 0
}
