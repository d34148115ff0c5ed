// An integer divided by zero gives all ones and no sign that anything is wrong.
extern "C" __global__ void division_by_zero(const int *in, int *out)
{
    out[threadIdx.x] = 100 / in[threadIdx.x];
}
