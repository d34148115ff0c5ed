// The tiled product of matmul_tiles.cu with three mistakes, one in each kernel.
#ifndef TILE
#define TILE 16
#endif

// The tile of a is stored with its indices exchanged.
extern "C" __global__ void matmul_first(float *c, const float *a, const float *b, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        a_tile[tx][ty] = row < n && first + tx < n ? a[row * n + first + tx] : 0;
        b_tile[ty][tx] = first + ty < n && column < n ? b[(first + ty) * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float left = a_tile[ty][k];
            sum += left * b_tile[k][tx];
        }
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

// The division of whole numbers forgets the last tile where n is no multiple of TILE.
extern "C" __global__ void matmul_second(float *c, const float *a, const float *b, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int phase = 0; phase < n / TILE; phase++) {
        int first = phase * TILE;
        a_tile[ty][tx] = row < n ? a[row * n + first + tx] : 0;
        b_tile[ty][tx] = column < n ? b[(first + ty) * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float left = a_tile[ty][k];
            sum += left * b_tile[k][tx];
        }
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

// Without the second barrier, a fast warp overwrites a tile that a slow one still reads.
extern "C" __global__ void matmul_third(float *c, const float *a, const float *b, int n)
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
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float left = a_tile[ty][k];
            sum += left * b_tile[k][tx];
        }
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
