// A recursion 12 deep in one lane, 0 in another.
__device__ __noinline__ int triangle(int n)
{
    return n == 0 ? 0 : triangle(n - 1) * 3 % 1000 + n;
}
extern "C" __global__ void ok_recursion(int *io)
{
    io[threadIdx.x] = triangle(io[threadIdx.x]);
}
