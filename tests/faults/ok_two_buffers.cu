// Two buffers in turn: one barrier a step is enough.
extern "C" __global__ void ok_two_buffers(const int *in, int *out)
{
    __shared__ int s[2][64];
    s[0][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        s[(k + 1) % 2][threadIdx.x] = s[k % 2][(threadIdx.x + 32) % 64] + k;
        __syncthreads();
    }
    out[threadIdx.x] = s[0][threadIdx.x];
}
