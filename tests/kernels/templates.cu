template <typename T> struct Sum {
    __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};
template <typename T> struct Largest {
    __device__ T operator()(T a, T b) const
    {
        return max(a, b);
    }
};

template <typename T, int BLOCK, typename Operator> __global__ void reduce(T *out, const T *in, Operator combine)
{
    __shared__ T tile[BLOCK];
    tile[threadIdx.x] = in[blockIdx.x * BLOCK + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            tile[threadIdx.x] = combine(tile[threadIdx.x], tile[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = tile[0];
}
template __global__ void reduce<float, 128, Sum<float>>(float *, const float *, Sum<float>);
template __global__ void reduce<int, 64, Largest<int>>(int *, const int *, Largest<int>);
template __global__ void reduce<double, 64, Largest<double>>(double *, const double *, Largest<double>);
