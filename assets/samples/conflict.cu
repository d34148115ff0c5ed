// A bank conflict: the lanes of a warp read a column of a tile 32 floats wide, so all of them need the same bank.
// lanescope: --grid 1 --block 32 --arg f32[1024]=iota --arg f32[32]=zero
extern "C" __global__ void sum_rows(const float *in, float *out)
{
    __shared__ float tile[32][32];
    for (int row = 0; row < 32; row++)
        tile[row][threadIdx.x] = in[32 * row + threadIdx.x];
    __syncwarp();
    float sum = 0;
    for (int column = 0; column < 32; column++)
        sum += tile[threadIdx.x][column];
    out[threadIdx.x] = sum;
}
