// Shared memory through plain pointers, in a function that is not inlined.
__device__ __noinline__ void copy(int *to, const int *from, int i, int j)
{
    to[i] = from[j];
}
extern "C" __global__ void ok_shared_generic(const int *in, int *out)
{
    __shared__ int s[64];
    copy(s, in, (int)threadIdx.x, (int)threadIdx.x);
    __syncthreads();
    copy(out, s, (int)threadIdx.x, 63 - (int)threadIdx.x);
}
