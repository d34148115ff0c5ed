// The mean of the square window around each pixel, in two steps: first along the rows, then along the columns. A place
// beyond an edge counts as the nearest pixel of that edge.

static __device__ int clamp(int place, int count)
{
    return min(max(place, 0), count - 1);
}

// The block copies its tile and a halo. It adds `window` pixels of each row of the copy, and then `window` of these sums.
extern "C" __global__ void mean_rows(float *out, const float *in, int width, int height, int window)
{
    extern __shared__ float tile[];
    int wide = blockDim.x + window - 1, high = blockDim.y + window - 1;
    float *sums = tile + wide * high; // of the rows
    int x = blockIdx.x * blockDim.x, y = blockIdx.y * blockDim.y;
    int left = x - window / 2, top = y - window / 2;
    for (int v = threadIdx.y; v < high; v += blockDim.y) {
        const float *row = in + clamp(top + v, height) * width;
        for (int u = threadIdx.x; u < wide; u += blockDim.x)
            tile[v * wide + u] = row[clamp(left + u, width)];
    }
    __syncthreads();

    for (int v = threadIdx.y; v < high; v += blockDim.y) {
        float sum = 0;
        for (int u = threadIdx.x; u < threadIdx.x + window; u++)
            sum += tile[v * wide + u];
        sums[v * blockDim.x + threadIdx.x] = sum;
    }
    __syncthreads();

    float sum = 0;
    for (int v = threadIdx.y; v < threadIdx.y + window; v++)
        sum += sums[v * blockDim.x + threadIdx.x];
    x += threadIdx.x;
    y += threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = sum / (window * window);
}
