// A block waits for another through a plain flag, neither volatile nor atomic, so nothing orders the accesses after it.
extern "C" __global__ void race_plain_flag(int *flag, int *value)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 1) {
            *value = 7;
            __threadfence();
            *flag = 1;
        } else {
            while (*flag == 0)
                __threadfence();
            value[1] = *value;
        }
    }
}
