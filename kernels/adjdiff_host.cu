// Adjacent difference as the processor does it: one loop, one element after another.
__host__ __device__ void adjdiff_host(float *b, const float *a, int n)
{
    for (int i = 0; i < n; i++) {
        float before = 0;
        if (i > 0)
            before = a[i - 1];
        b[i] = a[i] - before;
    }
}

#ifdef __CUDACC__
// The same loop as a single CUDA thread, to step through it.
extern "C" __global__ void adjdiff_one_thread(float *b, const float *a, int n)
{
    adjdiff_host(b, a, n);
}
#endif
