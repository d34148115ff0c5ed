// Producer and consumer wait at barriers of different numbers.
extern "C" __global__ void barrier_named_apart(int *out)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[0] = 1;
}
