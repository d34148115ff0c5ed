// Each thread copies WORK floats. All its loads come before its first store, so the floats wait in registers.
#ifndef WORK
#define WORK 1
#endif

extern "C" __global__ void occupancy_copy(float *out, const float *in)
{
    int first = blockIdx.x * blockDim.x * WORK + threadIdx.x;
    float kept[WORK];
#pragma unroll
    for (int k = 0; k < WORK; k++)
        kept[k] = in[first + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < WORK; k++)
        out[first + k * blockDim.x] = kept[k];
}
