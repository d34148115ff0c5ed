// A lock is taken again by the thread that holds it.
__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
}
extern "C" __global__ void deadlock_lock_twice(int *lock, int *out)
{
    take(lock);
    take(lock);
    *out = 1;
    atomicExch(lock, 0);
}
