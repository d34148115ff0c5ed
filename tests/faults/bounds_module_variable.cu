// A __device__ table of 16 entries is written by 32 threads.
__device__ int table[16];
extern "C" __global__ void bounds_module_variable(const int *in)
{
    table[threadIdx.x] = in[threadIdx.x];
}
