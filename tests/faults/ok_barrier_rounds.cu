// Warps make different numbers of rounds and then end: the rest do not wait for them.
extern "C" __global__ void ok_barrier_rounds(int *io)
{
    for (int k = 0; k <= (int)threadIdx.x / 32; k++) {
        io[threadIdx.x] += k;
        __syncthreads();
    }
}
