// No barrier between reading and writing the line.
#define BLOCK 256

__global__ void scan_blocks(int *out, int *sums, const int *in, int n)
{
    __shared__ int line[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    line[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        int left = threadIdx.x >= step ? line[threadIdx.x - step] : 0;
        line[threadIdx.x] += left;
        __syncthreads(); // all have written
    }
    if (i < n)
        out[i] = line[threadIdx.x];
    if (sums && threadIdx.x == BLOCK - 1)
        sums[blockIdx.x] = line[threadIdx.x];
}

__global__ void add_sums(int *out, const int *sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += sums[blockIdx.x - 1];
}

void scan(int *out, const int *in, int n)
{
    int blocks = (n + BLOCK - 1) / BLOCK, *sums; // at most 256, so that one block can scan their sums
    if (n == 0)
        return; // a launch of no blocks is an error
    cudaMalloc(&sums, blocks * sizeof(int));
    scan_blocks<<<blocks, BLOCK>>>(out, sums, in, n);
    scan_blocks<<<1, BLOCK>>>(sums, nullptr, sums, blocks);
    add_sums<<<blocks, BLOCK>>>(out, sums, n);
    cudaFree(sums);
}
