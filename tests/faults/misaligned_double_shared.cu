// Doubles laid behind an odd number of floats in dynamic shared memory.
extern __shared__ float pool[];
extern "C" __global__ void misaligned_double_shared(double *io, int floats)
{
    double *d = (double *)(pool + floats);
    d[threadIdx.x] = io[threadIdx.x];
    __syncthreads();
    io[threadIdx.x] = d[31 - threadIdx.x];
}
