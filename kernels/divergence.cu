// The lanes of a warp part into `ways` groups, and each group does its work while the others wait.

extern "C" __global__ void divergence(int *out, int ways, int work)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int group = threadIdx.x % ways;
    int value = i;
    for (int turn = 0; turn < ways; turn++)
        if (group == turn)
            for (int k = 0; k < work; k++)
                value = value * 3 + turn;
    out[i] = value;
}
