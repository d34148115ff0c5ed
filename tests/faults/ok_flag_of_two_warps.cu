// All threads set a flag to 1; behind a barrier one clears it.
extern "C" __global__ void ok_flag_of_two_warps(int *flag)
{
    flag[blockIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 33)
        flag[blockIdx.x] = 0;
}
