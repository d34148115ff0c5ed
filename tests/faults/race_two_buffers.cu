// Two buffers, but the turn is switched too late: reads and writes meet in one of them.
extern "C" __global__ void race_two_buffers(const int *in, int *out)
{
    __shared__ int s[2][64];
    s[0][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        int from = k / 2 % 2, to = (k + 1) / 2 % 2;
        s[to][threadIdx.x] = s[from][(threadIdx.x + 32) % 64] + k;
        __syncthreads();
    }
    out[threadIdx.x] = s[0][threadIdx.x];
}
