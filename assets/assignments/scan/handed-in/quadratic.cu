// Each thread adds up all elements before its own.
#define BLOCK 256

__global__ void scan_kernel(int *out, const int *in, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    for (int k = 0; k <= i; k++)
        sum += in[k];
    out[i] = sum;
}

void scan(int *out, const int *in, int n)
{
    if (n > 0)
        scan_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(out, in, n);
}
