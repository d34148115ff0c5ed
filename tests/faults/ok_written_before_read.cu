// Scratch memory that the kernel itself fills; its tail is never read.
extern "C" __global__ void ok_written_before_read(int *scratch, int *out)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    scratch[i] = i;
    __syncthreads();
    out[i] = scratch[blockIdx.x * 32 + 31 - threadIdx.x];
}
