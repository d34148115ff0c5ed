// Tiled matrix product without the second barrier: fast warps overwrite the tile that slow ones still read.
extern "C" __global__ void race_tile_reused(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        as[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    }
    c[y * n + x] = sum;
}
