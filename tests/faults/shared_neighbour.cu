// An index beyond one shared array lands in the next; the array is chosen at run time.
extern "C" __global__ void shared_neighbour(const int *in, int *out, int offset)
{
    __shared__ int a[32], b[32];
    a[threadIdx.x] = in[threadIdx.x];
    b[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        (a < b ? a : b)[31 + offset] = 7;
    __syncthreads();
    out[threadIdx.x] = a[31 - threadIdx.x] + b[31 - threadIdx.x];
}
