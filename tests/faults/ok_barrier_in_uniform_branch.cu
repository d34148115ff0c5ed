// The barrier is in a branch that all threads of a block take, or none.
extern "C" __global__ void ok_barrier_in_uniform_branch(int *io)
{
    __shared__ int s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (blockIdx.x % 2) {
        s[threadIdx.x] = io[i];
        __syncthreads();
        io[i] = s[63 - threadIdx.x];
    }
}
