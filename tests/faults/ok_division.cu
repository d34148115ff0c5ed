// A zero divisor is guarded; a float division by zero is no mistake.
extern "C" __global__ void ok_division(int *io, float *f)
{
    int d = io[threadIdx.x];
    io[threadIdx.x] = d != 0 ? 100 / d + 100 % d : 0;
    f[threadIdx.x] = 1.0f / f[threadIdx.x];
}
