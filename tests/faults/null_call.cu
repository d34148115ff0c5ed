// A function pointer that was never set.
typedef int operation(int);
extern "C" __global__ void null_call(operation *f, int *out)
{
    out[threadIdx.x] = f((int)threadIdx.x);
}
