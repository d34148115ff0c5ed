_Z3sumIfLb1ELin2EEvPKT_
template <typename T, int N = (3 > 2)> __global__ void __launch_bounds__(256) k(T *x, T *y, int n)
{
    __shared__ T s[N];
    x[n] = s[0];
}
template __global__ void k<float, 4>(float *, float *, int);
#define LENGTH \
    128
constexpr unsigned M = LENGTH / 2; enum { E = 5 };
void run(float *x) { k<float, 4><<<dim3{M, 1}, E>>>(x, x, M); }
