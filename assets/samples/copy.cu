// An uncoalesced copy: the lanes of a warp read elements that are 32 floats apart, so each needs a sector of its own.
// lanescope: --grid 2 --block 128 --arg f32[8192]=iota --arg f32[256]=zero
extern "C" __global__ void copy_column(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[32 * i];
}
