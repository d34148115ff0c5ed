// All threads set a flag to 1, which is no race; then a lane of one warp clears it, ordered after its own warp alone.
extern "C" __global__ void race_flag_of_two_warps(int *flag)
{
    flag[blockIdx.x] = 1;
    __syncwarp();
    if (threadIdx.x == 33)
        flag[blockIdx.x] = 0;
}
