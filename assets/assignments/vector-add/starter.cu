// c[i] = a[i] + b[i] for the n elements of arrays on the host. Hand this file in as add.cu.
#define BLOCK 256

__global__ void add_kernel(float *c, const float *a, const float *b, int n)
{
    // TODO: the element of this thread
}

void add(float *c, const float *a, const float *b, int n)
{
    // TODO: memory of the device, copies, launch, copy back, and free
}
