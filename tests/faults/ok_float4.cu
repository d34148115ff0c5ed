// Vectors of 16 bytes at multiples of 16, the last at the very end.
extern "C" __global__ void ok_float4(const float *in, float *out)
{
    float4 v = *(const float4 *)(in + 4 + 4 * threadIdx.x);
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
