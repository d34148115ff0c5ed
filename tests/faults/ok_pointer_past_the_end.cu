// Pointers one past the end are formed and compared, never followed.
extern "C" __global__ void ok_pointer_past_the_end(const int *in, int *out)
{
    const int *at = in + threadIdx.x, *end = in + blockDim.x;
    int sum = 0;
    while (at != end)
        sum += *at++;
    out[threadIdx.x] = sum;
}
