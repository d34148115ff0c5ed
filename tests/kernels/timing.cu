__global__ void chase(long long *cycles, const int *next, int steps)
{
    int at = 0;
    long long begin = clock64();
    for (int i = 0; i < steps; i++)
        at = next[at];
    long long end = clock64();
    cycles[0] = end - begin;
    cycles[1] = at;
}

__device__ int counter;
__global__ void local_array(int *out, int n)
{
    int digits[16];
    for (int i = 0; i < 16; i++)
        digits[i] = (n >> i) & threadIdx.x;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += digits[(i * threadIdx.x) % 16];
    out[threadIdx.x] = sum + atomicAdd(&counter, 1);
}
