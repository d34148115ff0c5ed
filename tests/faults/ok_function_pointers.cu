// Lanes call different functions through a table.
typedef int operation(int);
__device__ __noinline__ int twice(int n) { return 2 * n; }
__device__ __noinline__ int square(int n) { return n * n; }
__device__ operation *const operations[2] = {twice, square};
extern "C" __global__ void ok_function_pointers(int *io)
{
    io[threadIdx.x] = operations[io[threadIdx.x] & 1](io[threadIdx.x]);
}
