struct particle {
    float3 place, speed;
    float mass;
};

__device__ float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__global__ void move(particle *all, int n, float step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    particle p = all[i];
    p.place = p.place + make_float3(p.speed.x * step, p.speed.y * step, p.speed.z * step);
    all[i] = p;
}

__global__ void copy_wide(float4 *out, const float4 *in, double2 *d, int2 *i, uchar4 *c)
{
    dim3 size = blockDim;
    unsigned at = blockIdx.x * size.x + threadIdx.x;
    out[at] = __ldg(&in[at]);
    d[at] = make_double2(d[at].y, d[at].x);
    i[at] = make_int2(at, gridDim.x);
    c[at] = make_uchar4(1, 2, 3, c[at].x);
}
