// An index one beyond the end of a shared array: the next array lies there, so nothing traps.
extern "C" __global__ void shared_next_array(int *data)
{
    __shared__ int shifted[32], scale[32];
    int t = threadIdx.x;
    scale[t] = 2;
    __syncthreads();
    shifted[t + 1] = data[t];
    __syncthreads();
    data[t] = shifted[(t + 1) % 32] * scale[t];
}
