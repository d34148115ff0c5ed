// The grid is width / 8 blocks, rounded down: the last partial tile is never computed and keeps its old contents.
extern "C" __global__ void wrong_grid_rounded_down(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0, count = 0;
    if (x >= width || y >= height)
        return;
    for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++)
            if (u >= 0 && u < width && v >= 0 && v < height)
                sum += in[v * width + u], count++;
    out[y * width + x] = (unsigned char)(sum / count);
}
