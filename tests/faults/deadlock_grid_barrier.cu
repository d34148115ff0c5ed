// A barrier of the whole grid, but the grid has more blocks than fit on the GPU at once: the rest never begins.
extern "C" __global__ void deadlock_grid_barrier(unsigned *arrived)
{
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x) {
        }
    }
    __syncthreads();
}
