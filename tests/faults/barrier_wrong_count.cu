// A barrier for 48 threads: the count must be a multiple of 32.
extern "C" __global__ void barrier_wrong_count(int *out, int count)
{
    asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");
    out[0] = 1;
}
