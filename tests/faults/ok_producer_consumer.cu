// One warp produces, one consumes; two named barriers, arrive and sync.
extern "C" __global__ void ok_producer_consumer(int *out)
{
    __shared__ int s[32];
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        if (threadIdx.x < 32) {
            s[threadIdx.x] = k + (int)threadIdx.x;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum += s[63 - threadIdx.x];
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
    if (threadIdx.x >= 32)
        out[threadIdx.x - 32] = sum;
}
