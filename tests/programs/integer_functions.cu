// Integer and SIMD functions in kernels, against their definition part by part.
#include <cstdio>
#include <cstdlib>

constexpr int WORDS = 4096;
__managed__ unsigned a[WORDS], b[WORDS], c[WORDS], got[64][WORDS];

// Of the parts of two words, of BITS bits each and taken as T.
template <typename T, typename Function> __host__ unsigned parts(unsigned x, unsigned y, Function function)
{
    unsigned const bits = 8 * sizeof(T), mask = 0xffffffffu >> (32 - bits);
    unsigned word = 0;
    for (unsigned i = 0; i < 32; i += bits)
        word |= ((unsigned)function((int)(T)(x >> i), (int)(T)(y >> i)) & mask) << i;
    return word;
}
template <typename T, typename Function> __host__ unsigned sum(unsigned x, unsigned y, Function function)
{
    unsigned const bits = 8 * sizeof(T);
    unsigned total = 0;
    for (unsigned i = 0; i < 32; i += bits)
        total += (unsigned)function((int)(T)(x >> i), (int)(T)(y >> i));
    return total;
}
static int clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

__global__ void simd(int n)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned const x = a[i], y = b[i], z = c[i];
    unsigned const results[] = {
        __vadd4(x, y), __vaddss4(x, y), __vaddus4(x, y), __vsub2(x, y), __vsubss2(x, y), __vsubus4(x, y),
        __vabsdiffs4(x, y), __vabsdiffu2(x, y), __vavgs4(x, y), __vavgu4(x, y), __vhaddu2(x, y), __vmaxs4(x, y),
        __vminu2(x, y), __vsads4(x, y), __vsadu2(x, y), __vcmpgts4(x, y), __vsetleu2(x, y), __vabs4(x), __vabsss2(x),
        __vnegss4(x), __vcmpeq4(x, y),
        // 21 on
        (unsigned)__dp4a((int)x, (int)y, (int)z), __dp4a(x, y, z), (unsigned)__dp2a_lo((int)x, (int)y, (int)z),
        __dp2a_hi(x, y, z), (unsigned)__hadd((int)x, (int)y), (unsigned)__rhadd((int)x, (int)y), __uhadd(x, y),
        __urhadd(x, y), __usad(x, y, z), __funnelshift_lc(x, y, z & 63), __funnelshift_rc(x, y, z & 63),
        (unsigned)(__mul64hi((long long)x << 32 | y, (long long)y << 31) >> 7), __nv_bswap32(x),
        __fns(x, z & 31, (int)(y & 7) + 1), (unsigned)__vimax3_s32((int)x, (int)y, (int)z),
        __viaddmax_s16x2_relu(x, y, z), __vimin3_u16x2(x, y, z), (unsigned)__viaddmin_s32((int)x, (int)y, (int)z)};
    for (unsigned k = 0; k < sizeof results / sizeof *results; k++)
        got[k][i] = results[k];
}

static unsigned fns(unsigned mask, unsigned base, int n)
{
    for (unsigned i = base; i < 32; i++)
        if (mask >> i & 1 && --n == 0)
            return i;
    return 0xffffffffu;
}

static int compare(int i)
{
    unsigned const x = a[i], y = b[i], z = c[i];
    typedef signed char S;
    typedef unsigned char U;
    typedef unsigned short V;
    auto const distance = [](int p, int q) { return p > q ? p - q : q - p; };
    long long dot_s = (int)z, dot_u = z, dot_lo = (int)z, dot_hi = z;
    for (int k = 0; k < 4; k++) {
        dot_s += (S)(x >> 8 * k) * (S)(y >> 8 * k);
        dot_u += (U)(x >> 8 * k) * (U)(y >> 8 * k);
    }
    for (int k = 0; k < 2; k++) {
        dot_lo += (short)(x >> 16 * k) * (S)(y >> 8 * k);
        dot_hi += (long long)(V)(x >> 16 * k) * (U)(y >> (16 + 8 * k));
    }
    unsigned long long const both = (unsigned long long)y << 32 | x;
    unsigned const shift = z & 63;
    int const largest = (int)x > (int)y ? (int)x : (int)y, sum_xy = (int)(x + y);
    unsigned const wanted[] = {
        parts<U>(x, y, [](int p, int q) { return p + q; }),
        parts<S>(x, y, [](int p, int q) { return clamp(p + q, -128, 127); }),
        parts<U>(x, y, [](int p, int q) { return clamp(p + q, 0, 255); }),
        parts<V>(x, y, [](int p, int q) { return p - q; }),
        parts<short>(x, y, [](int p, int q) { return clamp(p - q, -32768, 32767); }),
        parts<U>(x, y, [](int p, int q) { return clamp(p - q, 0, 255); }), parts<S>(x, y, distance),
        parts<V>(x, y, distance), parts<S>(x, y, [](int p, int q) { return p + q >= 0 ? (p + q + 1) / 2 : (p + q) >> 1; }),
        parts<U>(x, y, [](int p, int q) { return (p + q + 1) / 2; }),
        parts<V>(x, y, [](int p, int q) { return (p + q) / 2; }), parts<S>(x, y, [](int p, int q) { return p > q ? p : q; }),
        parts<V>(x, y, [](int p, int q) { return p < q ? p : q; }), sum<S>(x, y, distance), sum<V>(x, y, distance),
        parts<S>(x, y, [](int p, int q) { return p > q ? 255 : 0; }),
        parts<V>(x, y, [](int p, int q) { return p <= q ? 1 : 0; }), parts<S>(x, y, [](int p, int) { return abs(p); }),
        parts<short>(x, y, [](int p, int) { return clamp(abs(p), 0, 32767); }),
        parts<S>(x, y, [](int p, int) { return clamp(-p, -128, 127); }),
        parts<U>(x, y, [](int p, int q) { return p == q ? 255 : 0; }), (unsigned)dot_s, (unsigned)dot_u, (unsigned)dot_lo,
        (unsigned)dot_hi, (unsigned)(((long long)(int)x + (int)y) >> 1), (unsigned)(((long long)(int)x + (int)y + 1) >> 1),
        (unsigned)(((unsigned long long)x + y) >> 1), (unsigned)(((unsigned long long)x + y + 1) >> 1),
        z + (x > y ? x - y : y - x), shift >= 32 ? x : (unsigned)(both << shift >> 32),
        shift >= 32 ? y : (unsigned)(both >> shift),
        (unsigned)((long long)(((__int128)((long long)x << 32 | y) * ((long long)y << 31)) >> 64) >> 7),
        __builtin_bswap32(x), fns(x, z & 31, (int)(y & 7) + 1), (unsigned)(largest > (int)z ? largest : (int)z),
        __viaddmax_s16x2_relu(x, y, z), __vimin3_u16x2(x, y, z), (unsigned)(sum_xy < (int)z ? sum_xy : (int)z)};
    int wrong = 0;
    for (unsigned k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (got[k][i] != wanted[k] && wrong++ < 3)
            printf("result %u of %08x %08x %08x: %08x, not %08x\n", k, x, y, z, got[k][i], wanted[k]);
    return wrong;
}

__managed__ unsigned counters[8], votes[3];
__managed__ int all_same[2];
__managed__ float sums[2];
__managed__ unsigned short halves[2];

__global__ void cooperate()
{
    atomicAdd_block(&counters[0], 1u);
    atomicAdd_system(&counters[1], 2u);
    atomicMax_block(&counters[2], threadIdx.x);
    atomicOr_system(&counters[3], 1u << threadIdx.x);
    atomicInc_block(&counters[4], 9);
    atomicCAS_system(&counters[5], 0u, 7u);
    atomicSub_block((int *)&counters[6], 1);
    atomicAdd_system(&sums[0], 0.5f);
    atomicCAS(&halves[1], (unsigned short)0, (unsigned short)0xabcd);
    votes[0] = __reduce_and_sync(0xffffffff, threadIdx.x | 0x100);
    votes[1] = __reduce_xor_sync(0xffffffff, threadIdx.x);
    votes[2] = __reduce_max_sync(0xffffffff, threadIdx.x + 0x80000000u);
    int same;
    __match_all_sync(0xffffffff, 5, &same);
    all_same[0] = same;
    __match_all_sync(0xffffffff, threadIdx.x, &same);
    all_same[1] = same;
    __shared__ int kept;
    if (threadIdx.x == 0)
        kept = __isGlobal(counters) * 2 + __isShared(&kept);
    __barrier_sync(0);
    counters[7] = (unsigned)kept;
}

int main()
{
    srand(1);
    for (int i = 0; i < WORDS; i++) {
        a[i] = (unsigned)rand() * 2u + (rand() & 1);
        b[i] = i % 7 ? (unsigned)rand() * 2u + (rand() & 1) : a[i] ^ 0x80;
        c[i] = (unsigned)rand() * 2u;
    }
    simd<<<WORDS / 256, 256>>>(WORDS);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < WORDS; i++)
        wrong += compare(i);
    cooperate<<<1, 32>>>();
    cudaDeviceSynchronize();
    printf("wrong: %d\n%u %u %u %x %u %u %d %u\n", wrong, counters[0], counters[1], counters[2], counters[3], counters[4],
           counters[5], (int)counters[6], counters[7]);
    printf("%g %x %x %x %x %d %d\n", sums[0], halves[1], votes[0], votes[1], votes[2], all_same[0], all_same[1]);
}
