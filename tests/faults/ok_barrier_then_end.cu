// One warp waits at a barrier, the others end without it.
extern "C" __global__ void ok_barrier_then_end(int *io)
{
    if (threadIdx.x < 32) {
        __syncthreads();
        io[threadIdx.x] *= 2;
    }
}
