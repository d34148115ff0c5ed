// The lock is not given back on an early return.
extern "C" __global__ void deadlock_lock_kept(int *lock, int *out)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    if (out[threadIdx.x] == 0)
        return;
    out[threadIdx.x] = 1;
    atomicExch(lock, 0);
}
