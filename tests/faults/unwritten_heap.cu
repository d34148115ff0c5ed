// Memory from malloc is not zero.
extern "C" __global__ void unwritten_heap(int *out)
{
    volatile int *own = (volatile int *)malloc(64);
    own[0] = 1;
    out[0] = own[0] + own[1];
    free((void *)own);
}
