// Three shared arrays and a dynamic one cut in two, through pointers that walk, swap and come from a function.
__device__ __noinline__ int *later(int *p, int by) { return p + by; }
extern "C" __global__ void ok_shared_arrays(int *data, int rounds)
{
    __shared__ int one[64], two[64];
    __shared__ char flags[64];
    extern __shared__ int dynamic[];
    int t = threadIdx.x, *from = one, *to = two, *low = dynamic, *high = dynamic + 64;
    one[t] = data[t];
    flags[63 - t] = 1;
    low[t] = high[63 - t] = t;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        to[t] = from[t ^ 32] + flags[t];
        __syncthreads();
        int *swap = from;
        from = to;
        to = swap;
    }
    int sum = 0;
    for (const int *p = one + t; p < one + 64; p += 8)
        sum += *p;
    for (const int *p = &high[-1]; p >= low; p--)
        sum += *p;
    *later(low, t + 64) = sum;
    __syncthreads();
    data[t] = high[63 - t] + *later(from, t);
}
