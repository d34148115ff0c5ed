// Kernels of `lanescope bench device`, which measures the speed of a GPU's memories. For a latency, one thread follows
// a chain of addresses in which each load needs the previous one, or a chain of multiply-adds. For a rate, many threads
// run and the host measures the time.

#define CLOCK(t) asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory")

// Builds a chain through `nodes` places, `spread` bytes apart, in an order that jumps about; nodes is a power of two.
static __device__ void make_chain(char *memory, unsigned nodes, unsigned spread)
{
    unsigned jump = (unsigned)((unsigned long long)nodes * 2654435769u >> 32) | 1; // golden section, made odd
    for (unsigned k = threadIdx.x; k < nodes; k += blockDim.x) {
        unsigned next = (k + jump) & (nodes - 1);
        *(unsigned long long *)(memory + (unsigned long long)k * spread) =
            (unsigned long long)(memory + (unsigned long long)next * spread);
    }
}

// Measures loads that may hit L1. The chain is walked once before the measurement.
extern "C" __global__ void chase_l1(unsigned long long *out, char *memory, unsigned nodes, unsigned spread,
                                    unsigned steps)
{
    make_chain(memory, nodes, spread);
    __syncthreads();
    if (threadIdx.x)
        return;
    unsigned long long at = (unsigned long long)memory, begin, end;
    for (unsigned i = 0; i < nodes; i++)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at)::"memory");
    CLOCK(begin);
#pragma unroll 16
    for (unsigned i = 0; i < steps; i++)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at)::"memory");
    CLOCK(end);
    out[0] = end - begin;
    out[1] = at;
}

// Measures loads that bypass L1. With `evict` > 0, that many bytes of other memory are written first and the chain is
// not walked before, so that the loads miss L2 too. With 0, the chain is walked once before the measurement.
extern "C" __global__ void chase_l2(unsigned long long *out, char *memory, unsigned nodes, unsigned spread,
                                    unsigned steps, unsigned evict)
{
    make_chain(memory, nodes, spread);
    __syncthreads();
    char *other = memory + (unsigned long long)nodes * spread;
    for (unsigned i = threadIdx.x * 16; i < evict; i += blockDim.x * 16)
        *(uint4 *)(other + i) = make_uint4(i, i, i, i);
    __syncthreads();
    if (threadIdx.x)
        return;
    unsigned long long at = (unsigned long long)memory, begin, end;
    for (unsigned i = 0; i < nodes && !evict; i++)
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at)::"memory");
    CLOCK(begin);
#pragma unroll 16
    for (unsigned i = 0; i < steps; i++)
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at)::"memory");
    CLOCK(end);
    out[0] = end - begin;
    out[1] = at;
}

extern "C" __global__ void chase_shared(unsigned long long *out, unsigned steps)
{
    __shared__ unsigned chain[1024];
    unsigned first;
    asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(first) : "l"(chain));
    for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x)
        chain[k] = first + 4 * ((k + 641) & 1023);
    __syncthreads();
    if (threadIdx.x)
        return;
    unsigned long long begin, end;
    unsigned at = first;
    CLOCK(begin);
#pragma unroll 16
    for (unsigned i = 0; i < steps; i++)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at)::"memory");
    CLOCK(end);
    out[0] = end - begin;
    out[1] = at;
}

// Words of constant memory that hold their own distance from the first word, so that a lane that reads one finds the
// address of its next load: the same. `near` lies in 128 bytes; the words of `far` are 1 KiB apart.
#define EIGHT(row, i) row(i), row(i + 1), row(i + 2), row(i + 3), row(i + 4), row(i + 5), row(i + 6), row(i + 7)
#define ALL(row) EIGHT(row, 0), EIGHT(row, 8), EIGHT(row, 16), EIGHT(row, 24)
#define NEAR(i) 4 * (i)
#define FAR(i) {1024 * (i)}
struct far_word {
    unsigned next, other[255];
};
static __constant__ unsigned near_words[32] = {ALL(NEAR)};
static __constant__ struct far_word far_words[32] = {ALL(FAR)};

// One warp reads `addresses` different words of constant memory in each step, and each step needs the previous one.
#define NEXT(words) at = *(const volatile unsigned *)((const char *)words + at)
#define CHASE_CONSTANT(name, words, bytes)                                                                             \
    extern "C" __global__ void name(unsigned long long *out, unsigned addresses, unsigned steps)                       \
    {                                                                                                                  \
        if (threadIdx.x >= 32)                                                                                         \
            return;                                                                                                    \
        unsigned long long begin, end;                                                                                 \
        unsigned at = threadIdx.x % addresses * bytes;                                                                 \
        for (unsigned i = 0; i < 16; i++)                                                                              \
            NEXT(words);                                                                                               \
        CLOCK(begin);                                                                                                  \
        _Pragma("unroll 16") for (unsigned i = 0; i < steps; i++) NEXT(words);                                         \
        CLOCK(end);                                                                                                    \
        if (threadIdx.x == 0)                                                                                          \
            out[0] = end - begin;                                                                                      \
        if (at == 1)                                                                                                   \
            out[1] = at;                                                                                               \
    }
CHASE_CONSTANT(chase_constant, near_words, 4)
CHASE_CONSTANT(chase_constant_far, far_words, 1024)

// Each step needs the previous one. A fused multiply-add cannot be merged with its neighbours.
extern "C" __global__ void chain_multiply_add(unsigned long long *out, float factor, unsigned steps)
{
    unsigned long long begin, end;
    float value = factor;
    CLOCK(begin);
#pragma unroll 16
    for (unsigned i = 0; i < steps; i++)
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(value) : "f"(factor) : "memory");
    CLOCK(end);
    out[0] = end - begin;
    out[1] = (unsigned)value;
}

// Each atomic needs the result of the previous one.
extern "C" __global__ void chase_atomic(unsigned long long *out, unsigned *memory, unsigned steps)
{
    unsigned long long begin, end;
    unsigned value = 0;
    CLOCK(begin);
#pragma unroll 16
    for (unsigned i = 0; i < steps; i++)
        asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(value) : "l"(memory) : "memory");
    CLOCK(end);
    out[0] = end - begin;
    out[1] = value;
}

extern "C" __global__ void copy(uint4 *to, const uint4 *from, unsigned count)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        to[i] = from[i];
}

extern "C" __global__ void fill(uint4 *to, unsigned count)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        to[i] = make_uint4(i, i, i, i);
}

// Each thread makes eight chains of fused multiply-adds, `rounds` times 8 of them: more than the pipes can hold.
extern "C" __global__ void multiply_add(float *out, unsigned rounds)
{
    float v[8], factor = (float)threadIdx.x;
    for (int i = 0; i < 8; i++)
        v[i] = (float)i;
#pragma unroll 16
    for (unsigned k = 0; k < rounds; k++)
#pragma unroll
        for (int i = 0; i < 8; i++)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(v[i]) : "f"(factor));
    float sum = 0;
    for (int i = 0; i < 8; i++)
        sum += v[i];
    if (sum == 1)
        out[0] = sum;
}

// Each thread reads 16 bytes of 16 KiB of global memory `rounds` times; after the first round all of it is in L1. Each
// read has another address than the one before it, because ptxas removes a repeated one.
extern "C" __global__ void read_l1(uint4 *words, unsigned rounds)
{
    unsigned a, b, c, d, sum = 0;
#pragma unroll 16
    for (unsigned i = 0; i < rounds; i++) {
        const uint4 *at = words + ((threadIdx.x ^ i) & 1023);
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at));
        sum += a ^ b ^ c ^ d;
    }
    if (sum == 1)
        words[0].x = sum;
}

// Each thread reads 16 bytes of shared memory `rounds` times, without bank conflicts, each time at another address.
extern "C" __global__ void read_shared(unsigned *out, unsigned rounds)
{
    __shared__ uint4 tile[1024];
    tile[threadIdx.x] = make_uint4(threadIdx.x, 1, 2, 3);
    __syncthreads();
    unsigned first, a, b, c, d, sum = 0;
    asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(first) : "l"(tile));
#pragma unroll 16
    for (unsigned i = 0; i < rounds; i++) {
        unsigned at = first + 16 * ((threadIdx.x ^ i) & 1023);
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
        sum += a ^ b ^ c ^ d;
    }
    if (sum == 1)
        out[0] = sum;
}

// Each thread adds `rounds` times. spread 0: all threads add to one word; 1: each to its own of 2^20. The addends
// differ by thread and round: if every lane added 1 to one word, the compiler would make one addition of them
// (ATOMS.POPC.INC), and the time would say nothing about memory.
extern "C" __global__ void add_global(unsigned *words, unsigned spread, unsigned rounds)
{
    unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * spread & 0xfffff;
    for (unsigned k = 0; k < rounds; k++)
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(words + i), "r"(threadIdx.x ^ k) : "memory");
}

extern "C" __global__ void add_shared(unsigned *out, unsigned spread, unsigned rounds)
{
    __shared__ unsigned words[1024];
    words[threadIdx.x] = 0;
    __syncthreads();
    unsigned at;
    asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(at) : "l"(&words[threadIdx.x * spread]));
    for (unsigned k = 0; k < rounds; k++)
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(threadIdx.x ^ k) : "memory");
    __syncthreads();
    if (words[0] == 1)
        out[0] = 1;
}
