// No barrier between writing the tile and reading it.
#define BLOCK 256
#define RADIUS 3

__global__ void stencil_kernel(float *out, const float *in, int n)
{
    __shared__ float tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int place = threadIdx.x + RADIUS; // of element i in the tile
    tile[place] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        int left = i - RADIUS, right = i + BLOCK;
        tile[place - RADIUS] = left >= 0 ? in[left] : 0;
        tile[place + BLOCK] = right < n ? in[right] : 0;
    }
    if (i < n) {
        float sum = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += tile[place + k];
        out[i] = sum;
    }
}

void stencil(float *out, const float *in, int n)
{
    if (n > 0)
        stencil_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(out, in, n);
}
