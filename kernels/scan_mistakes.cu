// Hillis-Steele by another author, in one buffer. Warp 1 comes late to every round.
extern "C" __global__ void scan_another(float *out, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = in[i];
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        if (t / 32 == 1)
            __nanosleep(100);
        if (t >= offset)
            part[t] += part[t - offset];
        __syncthreads();
    }
    out[i] = part[t];
}
