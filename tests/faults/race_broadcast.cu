// Thread 0 sets the next value while others may still read the last.
extern "C" __global__ void race_broadcast(const int *in, int *out)
{
    __shared__ int pivot;
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x == 0)
            pivot = in[k];
        __syncthreads();
        sum += pivot;
    }
    out[threadIdx.x] = sum;
}
