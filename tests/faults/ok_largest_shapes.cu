// A block of 1024 threads, 64 deep, with 227 KB of shared memory.
extern __shared__ int tile[];
extern "C" __global__ void ok_largest_shapes(int *io)
{
    int i = (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x;
    tile[56 * i] = io[i];
    __syncthreads();
    io[i] = tile[56 * (1023 - i)];
}
