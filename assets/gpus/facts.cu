// What `lanescope bench device` runs to find out how fast a GPU's memories are. Latencies: one thread follows a chain of
// addresses, each load needing the one before it (or a chain of multiply-adds). Rates: many threads, timed from outside.

#define CLOCK(t) asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory")

// A chain through `nodes` places, `spread` bytes apart, in an order that jumps about; nodes is a power of two.
static __device__ void make_chain(char *memory, unsigned nodes, unsigned spread)
{
    unsigned jump = (unsigned)((unsigned long long)nodes * 2654435769u >> 32) | 1; // the golden section, odd
    for (unsigned k = threadIdx.x; k < nodes; k += blockDim.x) {
        unsigned next = (k + jump) & (nodes - 1);
        *(unsigned long long *)(memory + (unsigned long long)k * spread) =
            (unsigned long long)(memory + (unsigned long long)next * spread);
    }
}

// Loads that may hit L1. The chain is walked once unmeasured.
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

// Loads that go by L1. With evict bytes of other memory written first, of a chain that is not walked before, they find
// nothing in L2 either; without, the chain is walked once unmeasured.
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

// Each step needs the one before; a fused multiply-add cannot be folded with its neighbours.
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

// Each atomic needs what the one before it gave back.
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

// Each thread reads 16 bytes of shared memory `rounds` times, without bank conflicts.
extern "C" __global__ void read_shared(unsigned *out, unsigned rounds)
{
    __shared__ uint4 tile[1024];
    tile[threadIdx.x] = make_uint4(threadIdx.x, 1, 2, 3);
    __syncthreads();
    unsigned at, a, b, c, d, sum = 0;
    asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(at) : "l"(&tile[threadIdx.x]));
#pragma unroll 16
    for (unsigned i = 0; i < rounds; i++) {
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
        sum += a ^ b ^ c ^ d;
    }
    if (sum == 1)
        out[0] = sum;
}

// Each thread adds `rounds` times; spread 0: all to one word, 1: each to its own of 2^20. What is added differs from
// thread to thread and from round to round: lanes that add 1 each to one word would be made a single addition by the
// compiler (ATOMS.POPC.INC), and nothing would be learnt of the memory.
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
