// Adjacent difference that forgets its neighbour at the start of every block.
extern "C" __global__ void broken(float *b, const float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i] - (threadIdx.x > 0 ? a[i - 1] : 0);
}
