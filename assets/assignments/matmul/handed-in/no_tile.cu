// Each thread reads a row and a column from global memory.
#define TILE 16

__global__ void product_kernel(float *c, const float *a, const float *b, int n)
{
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

void product(float *c, const float *a, const float *b, int n)
{
    if (n == 0)
        return; // a launch of no blocks is an error
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    product_kernel<<<grid, block>>>(c, a, b, n);
}
