// An optional output: the pointer is null, and checked.
extern "C" __global__ void ok_null_never_used(int *io, int *optional)
{
    io[threadIdx.x] *= 2;
    if (optional)
        optional[threadIdx.x] = io[threadIdx.x];
}
