// One block of threads in one, two or three dimensions.

// Each thread copies the element with its own number: x runs fastest, then y, then z.
extern "C" __global__ void warps_copy(int *out, const int *in, int width)
{
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[thread] = in[thread];
}

// Each thread inverts one pixel of a picture, `width` pixels a row.
extern "C" __global__ void warps_invert(int *out, const int *in, int width)
{
    int x = threadIdx.x;
    int y = threadIdx.y + blockDim.y * threadIdx.z;
    if (x < width)
        out[y * width + x] = 255 - in[y * width + x];
}
