// One thread writes before the barrier, and all threads read after it.
extern "C" __global__ void ok_everyone_reads(int *io)
{
    __shared__ int first;
    if (threadIdx.x == 0)
        first = io[5];
    __syncthreads();
    io[threadIdx.x] += first;
}
