__global__ void scan(int *data, int *block_sums, int n)
{
    __shared__ int buffer[2][256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, from = 0;
    buffer[0][t] = i < n ? data[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        int to = 1 - from;
        buffer[to][t] = buffer[from][t] + (t >= offset ? buffer[from][t - offset] : 0);
        from = to;
        __syncthreads();
    }
    if (i < n)
        data[i] = buffer[from][t];
    if (t == blockDim.x - 1)
        block_sums[blockIdx.x] = buffer[from][t];
}
