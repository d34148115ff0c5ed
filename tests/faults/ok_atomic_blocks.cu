// Every thread of every block adds to one sum, with atomics of three kinds.
extern "C" __global__ void ok_atomic_blocks(const int *in, int *sums)
{
    int v = in[blockIdx.x * 64 + threadIdx.x];
    atomicAdd(&sums[0], v);
    atomicMax(&sums[1], v);
    int seen = 0, now;
    while ((now = atomicCAS(&sums[2], seen, seen + v)) != seen)
        seen = now;
}
