// The loop steps over its end: 7 is odd.
extern "C" __global__ void endless_step(int *out, int n)
{
    for (unsigned i = 0; i != (unsigned)n; i += 2)
        *(volatile int *)&out[threadIdx.x] = (int)i;
}
