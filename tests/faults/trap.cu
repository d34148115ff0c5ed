// The kernel gives up by itself.
extern "C" __global__ void trap(const int *in)
{
    if (in[threadIdx.x] >= 20)
        __trap();
}
