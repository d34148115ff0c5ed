// Blocks write neighbouring elements of the same 32-byte sectors, each its own.
extern "C" __global__ void ok_blocks_interleaved(int *io)
{
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    io[i] = 2 * io[i] + 1;
}
