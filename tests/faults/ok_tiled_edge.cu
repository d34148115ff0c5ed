// Tiled matrix product of a width that is no multiple of the tile, its edge filled with zeros.
extern "C" __global__ void ok_tiled_edge(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < (n + 15) / 16; t++) {
        int u = t * 16 + threadIdx.x, v = t * 16 + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = y < n && u < n ? a[y * n + u] : 0;
        bs[threadIdx.y][threadIdx.x] = x < n && v < n ? b[v * n + x] : 0;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    if (x < n && y < n)
        c[y * n + x] = sum;
}
