// 65 threads in z.
extern "C" __global__ void refused_depth(int *out)
{
    out[threadIdx.z] = 1;
}
