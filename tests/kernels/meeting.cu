// Kernels with divergent lanes and one line more: the lanes wait for each other before the last store. The originals
// are in mandelbrot.cu, tests/faults/ok_recursion.cu and recursion.cu.
extern "C" __global__ __launch_bounds__(256) void mandelbrot_meets(unsigned char *image, int width, int height,
                                                                   int limit)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const double cr = -2.0 + 3.0 * x / width, ci = -1.5 + 3.0 * y / height;
    double zr = 0, zi = 0;
    int i = 0;
    while (i < limit && zr * zr + zi * zi < 4.0) {
        const double t = zr * zr - zi * zi + cr;
        zi = 2.0 * zr * zi + ci;
        zr = t;
        i++;
    }
    __syncwarp();
    image[y * width + x] = (unsigned char)(255 * i / limit);
}

__device__ __noinline__ int triangle(int n)
{
    return n == 0 ? 0 : triangle(n - 1) * 3 % 1000 + n;
}
extern "C" __global__ void recursion_meets(int *io)
{
    int const last = triangle(io[threadIdx.x]);
    __syncwarp();
    io[threadIdx.x] = last;
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" __global__ void fibonacci_meets(int *io)
{
    int const last = fibonacci(io[threadIdx.x]);
    __syncwarp();
    io[threadIdx.x] = last;
}

// No instruction makes the lanes wait here. Each lane records its active mask.
extern "C" __global__ void fibonacci_groups(uint2 *groups, const int *n)
{
    int const last = fibonacci(n[threadIdx.x]);
    groups[threadIdx.x] = make_uint2(__activemask(), last);
}
