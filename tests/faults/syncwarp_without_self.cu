// Lanes 16 to 31 call __syncwarp with a mask that does not name them.
extern "C" __global__ void syncwarp_without_self(int *out, unsigned mask)
{
    __syncwarp(mask);
    out[threadIdx.x] = 1;
}
