// The tile is copied asynchronously, and no thread waits for the copy.
extern "C" __global__ void race_async_copy(const int *in, int *out)
{
    __shared__ int s[64];
    unsigned to = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
    asm volatile("cp.async.wait_all;" ::: "memory");
}
