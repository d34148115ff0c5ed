// c = a * b for square matrices of n by n floats, stored row after row. Every block has TILE by TILE threads.
#ifndef TILE
#define TILE 16
#endif

// One element of c a thread. It reads a row of a and a column of b from global memory.
extern "C" __global__ void matmul_direct(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        float left = a[row * n + k];
        sum += left * b[k * n + column];
    }
    c[row * n + column] = sum;
}

// The same through shared memory. Each phase copies one tile of a and one of b, with zeros beyond the edge.
extern "C" __global__ void matmul_tile(float *c, const float *a, const float *b, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        a_tile[ty][tx] = row < n && first + tx < n ? a[row * n + first + tx] : 0;
        b_tile[ty][tx] = first + ty < n && column < n ? b[(first + ty) * n + column] : 0;
        __syncthreads(); // both tiles are complete
        for (int k = 0; k < TILE; k++) {
            float left = a_tile[ty][k];
            sum += left * b_tile[k][tx];
        }
        __syncthreads(); // nobody needs them any more
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

// Four elements of c a thread: each value from shared memory is used twice.
extern "C" __global__ void matmul_four(float *c, const float *a, const float *b, int n)
{
    __shared__ float a_tile[2 * TILE][TILE];
    __shared__ float b_tile[TILE][2 * TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 2 * TILE + ty;
    int column = blockIdx.x * 2 * TILE + tx;
    float sum[2][2] = {{0, 0}, {0, 0}};
    for (int first = 0; first < n; first += TILE) {
        for (int half = 0; half < 2; half++) {
            int r = row + half * TILE, s = column + half * TILE;
            a_tile[ty + half * TILE][tx] = r < n && first + tx < n ? a[r * n + first + tx] : 0;
            b_tile[ty][tx + half * TILE] = first + ty < n && s < n ? b[(first + ty) * n + s] : 0;
        }
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float left[2] = {a_tile[ty][k], a_tile[ty + TILE][k]};
            float right[2] = {b_tile[k][tx], b_tile[k][tx + TILE]};
            for (int i = 0; i < 4; i++)
                sum[i / 2][i % 2] += left[i / 2] * right[i % 2];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        int r = row + i / 2 * TILE, s = column + i % 2 * TILE;
        if (r < n && s < n)
            c[r * n + s] = sum[i / 2][i % 2];
    }
}
