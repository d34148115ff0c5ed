// c = a * b for square matrices of n by n floats, stored row after row.

extern "C" __global__ void matmul_naive(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

#define TILE 16

// Blocks of TILE by TILE threads. Each phase copies one tile of a and one of b into shared memory.
extern "C" __global__ void matmul_tiled(float *c, const float *a, const float *b, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        int a_column = first + threadIdx.x;
        int b_row = first + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] = row < n && a_column < n ? a[row * n + a_column] : 0;
        b_tile[threadIdx.y][threadIdx.x] = b_row < n && column < n ? b[b_row * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
