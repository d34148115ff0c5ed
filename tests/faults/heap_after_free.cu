// Memory is read after free.
extern "C" __global__ void heap_after_free(int *out)
{
    volatile int *own = (volatile int *)malloc(64);
    own[3] = 5;
    free((void *)own);
    out[0] = own[3];
}
