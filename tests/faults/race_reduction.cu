// A tree reduction without barriers between its steps.
extern "C" __global__ void race_reduction(const int *in, int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
    if (threadIdx.x == 0)
        out[0] = s[0];
}
