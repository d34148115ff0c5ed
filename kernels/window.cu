// Each pixel of a picture and the square window around it: the mean, and an adaptive threshold that finds text on
// uneven paper. A place beyond an edge counts as the nearest pixel of that edge.
#define BELOW 8 // grey levels by which ink is darker than the mean around it

static __device__ int clamp(int place, int count)
{
    return min(max(place, 0), count - 1);
}

// Every thread reads its whole window from global memory.
extern "C" __global__ void mean_global(float *out, const float *in, int width, int height, int window)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int left = x - window / 2, top = y - window / 2;
    float sum = 0;
    for (int v = top; v < top + window; v++) {
        const float *row = in + clamp(v, height) * width;
        for (int u = left; u < left + window; u++)
            sum += row[clamp(u, width)];
    }
    out[y * width + x] = sum / (window * window);
}

// The block copies its tile and a halo around it to shared memory: all from (left, top) on.
static __device__ void copy_tile(float *tile, const float *in, int width, int height, int window, int left, int top)
{
    int wide = blockDim.x + window - 1, high = blockDim.y + window - 1;
    for (int v = threadIdx.y; v < high; v += blockDim.y) {
        const float *row = in + clamp(top + v, height) * width;
        for (int u = threadIdx.x; u < wide; u += blockDim.x)
            tile[v * wide + u] = row[clamp(left + u, width)];
    }
}

// Returns the mean of this thread's window, from the copy.
static __device__ float mean_of(const float *tile, int window)
{
    int wide = blockDim.x + window - 1;
    int left = threadIdx.x, top = threadIdx.y;
    float sum = 0;
    for (int v = top; v < top + window; v++)
        for (int u = left; u < left + window; u++)
            sum += tile[v * wide + u];
    return sum / (window * window);
}

extern "C" __global__ void mean_tile(float *out, const float *in, int width, int height, int window)
{
    extern __shared__ float tile[];
    int x = blockIdx.x * blockDim.x, y = blockIdx.y * blockDim.y;
    copy_tile(tile, in, width, height, window, x - window / 2, y - window / 2);
    __syncthreads();

    float mean = mean_of(tile, window);
    x += threadIdx.x;
    y += threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = mean;
}

// 255 where a pixel is not much darker than the mean around it, else 0. The tiles are numbered row by row, and block b
// works on tile b.
extern "C" __global__ void threshold(float *out, const float *in, int width, int height, int window)
{
    extern __shared__ float tile[];
    int across = (width + blockDim.x - 1) / blockDim.x; // tiles
    int x = blockIdx.x % across * blockDim.x;
    int y = blockIdx.x / across * blockDim.y;
    copy_tile(tile, in, width, height, window, x - window / 2, y - window / 2);
    __syncthreads();

    float least = mean_of(tile, window) - BELOW;
    x += threadIdx.x;
    y += threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = in[y * width + x] > least ? 255 : 0;
}

// The same kernel by another author.
extern "C" __global__ void threshold_lost(float *out, const float *in, int width, int height, int window)
{
    extern __shared__ float tile[];
    int across = ceilf(width / blockDim.x); // tiles
    int x = blockIdx.x % across * blockDim.x;
    int y = blockIdx.x / across * blockDim.y;
    copy_tile(tile, in, width, height, window, x - window / 2, y - window / 2);
    __syncthreads();

    float least = mean_of(tile, window) - BELOW;
    x += threadIdx.x;
    y += threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = in[y * width + x] > least ? 255 : 0;
}
