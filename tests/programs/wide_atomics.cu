// Atomic operations on 16 bytes: atomicExch and atomicCAS of types that are aligned to 16.
#include <cstdio>

struct alignas(16) pair {
    unsigned long long sum, count;
};
static_assert(sizeof(pair) == 16, "");

// A list of one entry: each thread puts itself in and takes out what was there. No entry is lost or torn.
__global__ void chain(pair *place, unsigned long long *out)
{
    unsigned long long const i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    pair const before = atomicExch(place, pair{i, 3 * i});
    atomicAdd(out, before.sum);
    if (before.count != 3 * before.sum)
        atomicAdd(out + 1, 1ULL);
}

// Both halves change together.
__global__ void count(pair *place)
{
    unsigned long long const i = blockIdx.x * blockDim.x + threadIdx.x;
    pair seen = {0, 0};
    for (;;) {
        pair const before = atomicCAS(place, seen, pair{seen.sum + i, seen.count + 1});
        if (before.sum == seen.sum && before.count == seen.count)
            break;
        seen = before;
    }
}

__global__ void shared_count(unsigned __int128 *out)
{
    __shared__ unsigned __int128 total;
    if (threadIdx.x == 0)
        total = (unsigned __int128)1 << 64;
    __syncthreads();
    unsigned __int128 seen = 0, before;
    while ((before = atomicCAS(&total, seen, seen - threadIdx.x)) != seen)
        seen = before;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = atomicExch(&total, (unsigned __int128)0);
}

// No other thread changes the place, but each try asks for another value, so that this is no deadlock.
__global__ void find(pair *place, unsigned long long *out)
{
    for (unsigned long long i = 0;; i++)
        if (atomicCAS(place, pair{0, i}, pair{0, i}).count == i) {
            *out = i;
            break;
        }
}

// One thread reads while the others exchange.
__global__ void torn(unsigned long long *out)
{
    __shared__ pair place;
    if (threadIdx.x == 0)
        place = {0, 0};
    __syncthreads();
    if (threadIdx.x)
        atomicExch(&place, pair{threadIdx.x, 1});
    else
        *out = place.sum;
}

int main()
{
    pair *place;
    unsigned long long *out;
    cudaMallocManaged(&place, sizeof *place);
    cudaMallocManaged(&out, 4 * sizeof *out);
    chain<<<4, 64>>>(place, out);
    cudaDeviceSynchronize();
    printf("%llu %llu %d\n", out[0] + place->sum, out[1],
           place->count == 3 * place->sum);
    *place = {0, 0};
    count<<<2, 64>>>(place);
    cudaDeviceSynchronize();
    printf("%llu %llu\n", place->sum, place->count);
    shared_count<<<1, 64>>>((unsigned __int128 *)place);
    cudaDeviceSynchronize();
    printf("%llx %llx\n", place->sum, place->count);
    *place = {0, 100000};
    find<<<1, 1>>>(place, out);
    cudaDeviceSynchronize();
    printf("%llu\n", *out);
    torn<<<1, 64>>>(out);
    cudaFree(place);
    cudaFree(out);
}
