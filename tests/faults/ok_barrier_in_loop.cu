// Every thread makes the same number of rounds, which comes from memory.
extern "C" __global__ void ok_barrier_in_loop(int *io, const int *rounds)
{
    __shared__ int s[64];
    s[threadIdx.x] = io[threadIdx.x];
    for (int k = 0; k < *rounds; k++) {
        __syncthreads();
        int v = s[(threadIdx.x + 1) % 64];
        __syncthreads();
        s[threadIdx.x] = v;
    }
    io[threadIdx.x] = s[threadIdx.x];
}
