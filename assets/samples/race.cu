// A race: each thread reads the element that its neighbour writes, and no barrier stands between them.
// lanescope: --grid 1 --block 64 --arg f32[64]=iota --arg f32[64]=zero
extern "C" __global__ void shift_left(const float *in, float *out)
{
    __shared__ float tile[64];
    int i = threadIdx.x;
    tile[i] = in[i];
    // __syncthreads();
    out[i] = i < 63 ? tile[i + 1] : 0;
}
