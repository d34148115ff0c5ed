__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    int v = threadIdx.x;
    atomicAdd(i, v), atomicSub(i + 1, v), atomicExch(i + 2, v), atomicMin(i + 3, v), atomicMax(i + 4, v);
    atomicAnd(i + 5, v), atomicOr(i + 6, v), atomicXor(i + 7, v), atomicCAS(i + 8, 0, v);
    atomicAdd(u, 1u), atomicInc(u + 1, 7u), atomicDec(u + 2, 7u), atomicMin(u + 3, 1u), atomicMax(u + 4, 3u);
    atomicAdd(l, 1ull), atomicCAS(l + 1, 0ull, 5ull), atomicMax(l + 2, 5ull), atomicExch(l + 3, 6ull);
    atomicAdd(f, 1.5f), atomicExch(f + 1, 2.5f), atomicAdd(d, 0.5);
}

__device__ double add_by_cas(double *place, double value)
{
    unsigned long long *bits = (unsigned long long *)place, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void atomics_by_cas(double *sum, const double *in)
{
    add_by_cas(sum, in[threadIdx.x]);
    __threadfence();
}
