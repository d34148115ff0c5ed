// A float4 from the second float on: 16-byte accesses must lie at multiples of 16.
extern "C" __global__ void misaligned_float4(const float *in, float *out)
{
    float4 v = *(const float4 *)(in + 1 + 4 * threadIdx.x);
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
