// Features that ordinary CUDA C++ uses on a device, one kernel each. The numbers that a kernel leaves in out must equal
// those of an H200 (features.txt, by features_gpu.cu). Every kernel runs with 2 blocks of 64 threads; out has room for
// 8 words a thread. Regenerate features.ptx with
//   nvcc -ptx -arch=compute_80 -std=c++17 features.cu
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;
typedef unsigned long long word;
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(64) name(word *out)
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define PUT(k, value) (out[THREAD * 8 + (k)] = (word)(value))
#define PUT_DOUBLE(k, value) PUT(k, __double_as_longlong((double)(value)))

// ---- module variables ----

struct entry {
    const char *name;
    int (*function)(int);
    double weight;
    short small[3];
};
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int counter = 5;
__device__ float table[4] = {1.5f, -2.25f, 3.0f, 1e-30f};
__constant__ entry entries[2] = {{"twice", twice, 0.5, {1, 2, 3}}, {"square", square, -0.25, {-1, -2, -3}}};
__device__ float *middle = &table[2];
__constant__ unsigned char bytes[5] = {250, 251, 252, 253, 254};

KERNEL(variables)
{
    const entry &e = entries[threadIdx.x & 1];
    int length = 0;
    while (e.name[length])
        length++;
    PUT(0, length);
    PUT(1, e.function(threadIdx.x));
    PUT_DOUBLE(2, e.weight * table[threadIdx.x & 3]);
    PUT(3, (long long)e.small[threadIdx.x % 3]);
    PUT_DOUBLE(4, middle[0] + middle[-1]);
    PUT(5, bytes[threadIdx.x % 5]);
    PUT(6, atomicAdd(&counter, 0));
}

// ---- functions ----

__device__ __noinline__ int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ int is_odd(int n);
__device__ __noinline__ int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
__device__ __noinline__ int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }

KERNEL(recursion)
{
    PUT(0, ackermann(2, threadIdx.x % 4));
    PUT(1, is_even(threadIdx.x));
}

struct shape {
    __device__ virtual float area() const = 0;
    __device__ virtual int sides() const { return 0; }
    __device__ virtual ~shape() {}
};
struct circle : shape {
    float r;
    __device__ circle(float r) : r(r) {}
    __device__ float area() const override { return 3.0f * r * r; }
};
struct box : shape {
    float a, b;
    int *died;
    __device__ box(float a, float b, int *died) : a(a), b(b), died(died) {}
    __device__ float area() const override { return a * b; }
    __device__ int sides() const override { return 4; }
    __device__ ~box() { ++*died; }
};

KERNEL(virtual_functions)
{
    int died = 0;
    shape *made = threadIdx.x % 3 ? (shape *)new box(threadIdx.x, 2, &died) : (shape *)new circle(threadIdx.x);
    PUT_DOUBLE(0, made->area());
    PUT(1, made->sides());
    delete made;
    box here(1, threadIdx.x, &died);
    shape *seen = &here;
    PUT_DOUBLE(2, seen->area());
    PUT(3, died);
}

__device__ __noinline__ int sum_of(const int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
__device__ __noinline__ int variable_array(int n)
{
    int *a = (int *)alloca((n + 1) * sizeof *a);
    for (int i = 0; i <= n; i++)
        a[i] = i * n;
    int inner = n > 2 ? variable_array(n - 2) : 0;
    return sum_of(a, n + 1) + inner;
}

KERNEL(alloca_in_recursion)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += variable_array(threadIdx.x % 9 + i);
    PUT(0, sum);
}

struct node {
    node *next;
    int value;
};

KERNEL(heap)
{
    node *list = 0;
    for (int i = 0; i < 5; i++) {
        node *fresh = (node *)malloc(sizeof *fresh);
        fresh->next = list;
        fresh->value = i * THREAD;
        list = fresh;
    }
    int sum = 0;
    while (list) {
        node *next = list->next;
        sum = sum * 3 + list->value;
        free(list);
        list = next;
    }
    PUT(0, sum);
    int *many = new int[threadIdx.x + 1];
    for (int i = 0; i <= threadIdx.x; i++)
        many[i] = i;
    PUT(1, many[threadIdx.x / 2]);
    delete[] many;
}

KERNEL(switches)
{
    int x = threadIdx.x;
    switch (x) {
    case 0: x = 17; break;
    case 1: x *= 31; // on to the next
    case 2: x -= 5; break;
    case 3: case 4: x ^= 0x55; break;
    case 5: x = x * x * x; break;
    case 6: x = -x; break;
    case 7: x |= 1 << 20; break;
    case 8: x <<= 9; break;
    case 9: return;
    case 40: x = 4040; break;
    default: x += 1000;
    }
    PUT(0, (long long)x);
}

// ---- memory ----

KERNEL(vectors)
{
    __shared__ float4 tile[64];
    __shared__ uchar4 narrow[64];
    int t = threadIdx.x;
    tile[t] = make_float4(t, t + 0.5f, -t, 1.0f / (t + 1));
    narrow[t] = make_uchar4(t, 2 * t, 3 * t, 255 - t);
    __syncthreads();
    float4 v = tile[63 - t];
    uchar4 b = narrow[t ^ 5];
    PUT_DOUBLE(0, v.x + v.y * v.z + v.w);
    PUT(1, b.x + (b.y << 8) + (b.z << 16) + ((word)b.w << 24));
    ulonglong2 *pair = (ulonglong2 *)&out[THREAD * 8 + 2];
    *pair = make_ulonglong2(t * 3, ~(word)t);
    short4 *shorts = (short4 *)&out[THREAD * 8 + 4];
    *shorts = make_short4(t, -t, 100 * t, 7);
    double2 *doubles = (double2 *)&out[THREAD * 8 + 6];
    *doubles = make_double2(t * 0.1, -t);
}

KERNEL(read_only_loads)
{
    const float *in = (const float *)table;
    PUT_DOUBLE(0, __ldg(&in[threadIdx.x & 3]));
    PUT_DOUBLE(1, __ldcg(&in[threadIdx.x & 3]));
    PUT_DOUBLE(2, __ldcs(&in[1]));
    PUT_DOUBLE(3, __ldlu(&in[2]));
    __stwt(&out[THREAD * 8 + 4], (word)threadIdx.x);
    __stcg((int *)&out[THREAD * 8 + 5], (int)threadIdx.x);
}

__device__ __noinline__ float sum_generic(const float *p, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

KERNEL(generic_addresses)
{
    __shared__ float shared[8];
    float local[4] = {1, 2, 3, (float)threadIdx.x};
    if (threadIdx.x < 8)
        shared[threadIdx.x] = threadIdx.x * 0.25f;
    __syncthreads();
    const float *p = threadIdx.x % 3 == 0 ? shared : threadIdx.x % 3 == 1 ? local : table;
    PUT_DOUBLE(0, sum_generic(p, 4));
    PUT(1, __isShared(p) | __isLocal(p) << 1 | __isGlobal(p) << 2 | __isConstant(p) << 3);
    PUT(2, __isShared(shared) | __isLocal(local) << 1 | __isGlobal(out) << 2 | __isConstant(bytes) << 3);
    PUT(3, __isConstant(&entries[1].weight) << 1 | __isConstant(table));
    PUT(4, *(float *)__cvta_shared_to_generic(__cvta_generic_to_shared(&shared[threadIdx.x & 7])) == shared[threadIdx.x & 7]);
}

KERNEL(asynchronous_copies)
{
    __shared__ int4 tile[2][64];
    __shared__ int words[64];
    for (int stage = 0; stage < 3; stage++) {
        out[THREAD * 8 + 2 * stage] = THREAD * 77 + stage;
        out[THREAD * 8 + 2 * stage + 1] = ~THREAD;
    }
    for (int stage = 0; stage < 2; stage++) {
        __pipeline_memcpy_async(&tile[stage][threadIdx.x], &out[THREAD * 8 + 2 * stage], 16);
        __pipeline_commit();
    }
    __pipeline_memcpy_async(&words[threadIdx.x], &out[THREAD * 8 + 4], 4, 2);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    int first = tile[0][63 - threadIdx.x].x;
    __pipeline_wait_prior(0);
    __syncthreads();
    PUT(6, first + tile[1][threadIdx.x ^ 1].z);
    PUT(7, words[threadIdx.x ^ 3]);
}

extern __shared__ word dynamic[];
KERNEL(static_and_no_dynamic_shared)
{
    __shared__ word a[64], b[32];
    a[threadIdx.x] = threadIdx.x * 3;
    if (threadIdx.x < 32)
        b[threadIdx.x] = threadIdx.x;
    __syncthreads();
    PUT(0, a[63 - threadIdx.x] + b[threadIdx.x / 2]);
    PUT(1, (char *)&dynamic[0] - (char *)&a[0] >= 0);
}

// ---- atomics ----

KERNEL(atomics_of_64_bits)
{
    __shared__ word sum, most, swapped;
    __shared__ double real;
    __shared__ long long least;
    if (threadIdx.x == 0)
        sum = most = swapped = 0, real = 0, least = 0;
    __syncthreads();
    atomicAdd(&sum, (word)threadIdx.x << 33);
    atomicMax(&most, (word)threadIdx.x << 40);
    atomicMin(&least, -((long long)threadIdx.x << 35));
    atomicAdd(&real, threadIdx.x * 0.25);
    word seen = atomicAdd(&swapped, 0), was;
    do
        was = seen, seen = atomicCAS(&swapped, was, was + 3);
    while (seen != was);
    __syncthreads();
    PUT(0, sum), PUT(1, most), PUT(2, least), PUT_DOUBLE(3, real), PUT(4, swapped);
    PUT(5, 0);
    atomicOr(&out[THREAD * 8 + 5], 0x8000000000000000ull | threadIdx.x);
    atomicXor(&out[THREAD * 8 + 5], 0xffull << 30);
    PUT(6, atomicExch(&out[THREAD * 8 + 5], 1));
}

__device__ cuda::atomic<int, cuda::thread_scope_device> tickets{0};
KERNEL(cuda_atomic)
{
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> turns;
    __shared__ float total;
    if (threadIdx.x == 0)
        turns.store(0), total = 0;
    __syncthreads();
    turns.fetch_add(threadIdx.x, cuda::memory_order_relaxed);
    cuda::atomic_ref<float, cuda::thread_scope_block>(total).fetch_add(0.5f);
    tickets.fetch_add(1, cuda::memory_order_acq_rel);
    __syncthreads();
    unsigned wanted = 2016;
    PUT(0, turns.load());
    __syncthreads();
    PUT(1, turns.compare_exchange_strong(wanted, 2016u));
    PUT_DOUBLE(2, total);
    PUT(3, tickets.load() >= 64);
}

// ---- warps and groups ----

KERNEL(warp_intrinsics)
{
    int lane = threadIdx.x & 31, v = lane * lane % 23;
    PUT(0, __shfl_sync(~0u, v, lane ^ 9) + (__shfl_up_sync(~0u, v, 3, 8) << 8) + (__shfl_down_sync(~0u, v, 2, 16) << 16));
    PUT(1, __shfl_xor_sync(~0u, (word)v << 40 | lane, 5));
    PUT_DOUBLE(2, __shfl_sync(~0u, v * 0.125, 31 - lane));
    PUT(3, __ballot_sync(~0u, v & 4) ^ (word)__match_any_sync(~0u, v & 3) << 32);
    int all;
    PUT(4, __match_all_sync(~0u, v >> 5, &all) + all);
    PUT(5, __any_sync(~0u, v == 22) + 2 * __all_sync(~0u, v < 23) + 4 * __uni_sync(~0u, v > 4));
    PUT(6, __reduce_add_sync(~0u, v) ^ __reduce_max_sync(~0u, (unsigned)v) << 10 ^ __reduce_xor_sync(~0u, v) << 20);
    if (lane & 1)
        PUT(7, __activemask() | (word)__reduce_min_sync(0xaaaaaaaa, v - 9) << 32);
    else
        PUT(7, __fns(0x5a5a5a5a, lane, 2));
}

KERNEL(block_votes)
{
    PUT(0, __syncthreads_count(threadIdx.x % 3 == 0));
    PUT(1, __syncthreads_or(threadIdx.x == 63) + 2 * __syncthreads_and(threadIdx.x < 64));
}

KERNEL(cooperative_groups_of_all_sizes)
{
    cg::thread_block block = cg::this_thread_block();
    auto eight = cg::tiled_partition<8>(block);
    auto warp = cg::tiled_partition<32>(block);
    int v = threadIdx.x * 7 % 31;
    PUT(0, block.thread_rank() + block.size() * 1000 + block.group_index().x * 100000);
    PUT(1, eight.shfl_down(v, 2) + eight.meta_group_rank() * 100 + eight.ballot(v & 1) * 10000);
    PUT(2, cg::reduce(eight, v, cg::plus<int>()) + cg::reduce(warp, v, cg::greater<int>()) * 1000);
    PUT(3, cg::inclusive_scan(warp, v) + cg::exclusive_scan(eight, v, cg::bit_xor<int>()) * 10000);
    if (v % 3 == 0) {
        cg::coalesced_group some = cg::coalesced_threads();
        PUT(4, some.size() * 100 + some.thread_rank() + some.shfl(v, 0) * 10000);
        PUT(5, cg::reduce(some, v, cg::plus<int>()));
    }
    auto labelled = cg::labeled_partition(warp, v & 3);
    PUT(6, labelled.size() * 100 + labelled.thread_rank());
    auto two = cg::binary_partition(warp, v > 15);
    two.sync();
    PUT(7, two.size() + cg::reduce(two, v, cg::less<int>()) * 100);
    block.sync();
}

// ---- arithmetic ----

KERNEL(integer_intrinsics)
{
    int t = THREAD * 2654435761u;
    unsigned u = t ^ 0x12345678;
    PUT(0, __brev(t) ^ (word)__clz(u >> (t & 31)) << 32 ^ (word)__ffs(u << (t & 31)) << 40 ^ (word)__popc(u) << 48);
    PUT(1, __byte_perm(t, u, 0x5140) ^ (word)__funnelshift_l(t, u, t & 63) << 32);
    PUT(2, __dp4a(t, (int)u, 9) ^ (word)__dp2a_hi((unsigned)t, u, 3u) << 32);
    PUT(3, __sad(t, u, 5) ^ (word)__usad(t, u, 1) << 32);
    PUT(4, __mul24(t, u) ^ (word)__umul24(t, u) << 32);
    PUT(5, __umulhi(t, u) ^ (word)__hadd(t, u) << 32 ^ (word)__rhadd(t, (int)u) << 16);
    PUT(6, __mul64hi((long long)t * u, (long long)u * u) ^ __umul64hi((word)t << 20, ~(word)u));
    __int128 wide = (__int128)((long long)t * u) * ((long long)u << 13);
    PUT(7, (word)(wide >> 64) ^ (word)wide ^ (word)(wide / ((word)u | 1)));
}

KERNEL(simd_in_a_word)
{
    unsigned a = THREAD * 2654435761u, b = a * 40503u + 77;
    PUT(0, __vadd4(a, b) ^ (word)__vaddss4(a, b) << 32);
    PUT(1, __vabsdiffu4(a, b) ^ (word)__vsadu4(a, b) << 32);
    PUT(2, __vmaxs2(a, b) ^ (word)__vminu4(a, b) << 32);
    PUT(3, __vcmpgtu4(a, b) ^ (word)__vseteq2(a, b & 0xffff) << 32);
    PUT(4, __vavgu4(a, b) ^ (word)__vhaddu2(a, b) << 32);
    PUT(5, __vnegss2(a) ^ (word)__vabsss4(a) << 32);
    PUT(6, __viaddmax_s32_relu(a, b, 5) ^ (word)__vimax3_s16x2(a, b, ~a) << 32);
    PUT(7, __vibmax_u32(a, b, (bool *)&out[THREAD * 8]) ^ (word)__viaddmin_u16x2(a, b, a ^ b) << 32);
}

KERNEL(directed_rounding)
{
    float x = (THREAD + 1) * 0.37f, y = (THREAD % 17 - 8) * 1.234567f;
    PUT(0, __float_as_int(__fadd_rd(x, y)) ^ (word)__float_as_int(__fmul_ru(x, y)) << 32);
    PUT(1, __float_as_int(__fsqrt_rz(x)) ^ (word)__float_as_int(__fdiv_rd(y, x)) << 32);
    PUT(2, __float_as_int(__frcp_ru(x)) ^ (word)__float_as_int(__fmaf_rz(x, y, x)) << 32);
    PUT(3, (word)__float2int_rd(y) << 32 ^ __float2uint_ru(x) ^ __float2ll_rn(y * 1e9f));
    PUT(4, __float_as_int(__ll2float_ru((long long)(THREAD * 123456789ll)))
               ^ (word)__float_as_int(__uint2float_rz(~THREAD)) << 32);
    PUT_DOUBLE(5, __dadd_ru(x, 1e-20) + __dmul_rd(x, y));
    PUT_DOUBLE(6, __ddiv_rz((double)x, 3.0) * __dsqrt_ru((double)x) + __drcp_rd((double)x));
    PUT(7, __double2ll_rd(y * 1e12) ^ (word)__double2uint_rz(x * 1e6) << 16 ^ __double_as_longlong(__ll2double_rn((1ll << 60) + THREAD)));
}

KERNEL(parts_of_numbers)
{
    float x = (THREAD % 29 - 14) * 1.7f;
    double d = (THREAD % 31 - 15) * 1e10 / 7;
    int e, q;
    double whole;
    PUT(0, __float_as_int(frexpf(x, &e)) + ((word)e << 32));
    PUT_DOUBLE(1, frexp(d, &e) + e);
    PUT_DOUBLE(2, ldexp(d, (int)THREAD % 2000 - 1000) + scalbnf(x, 3));
    PUT_DOUBLE(3, modf(d, &whole) + rint(d) - trunc(d) + floorf(x) + ceil(d) + roundf(x) + nearbyintf(x));
    PUT_DOUBLE(4, fmodf(x, 0.7f) + fmod(d, 3.3) + remainderf(x, 0.3f) + remquo(d, 1.1, &q));
    PUT(5, (long long)q ^ lrintf(x) ^ llround(d) << 8 ^ (word)ilogbf(x) << 20 ^ (word)(int)logb(d) << 40);
    PUT_DOUBLE(6, nextafter(d, 0.0) - fdimf(x, 2) + copysign(3.5, d) + fmaxf(x, -3) + fmin(d, 1e5));
    PUT(7, isnan(x / 0 * 0) | signbit(d) << 1 | isinf(x / 0) << 2 | isfinite(d) << 3 | __finitef(x) << 4);
}

KERNEL(doubles)
{
    double x = 1 + THREAD * 0.015625, y = 3.0 / x;
    for (int i = 0; i < 20; i++)
        x = 0.5 * (x + y / x);
    PUT_DOUBLE(0, x);
    PUT_DOUBLE(1, sqrt(y) / 7 + fma(x, y, -3.0));
    PUT_DOUBLE(2, 1 / (y - 2.5));
    PUT(4, (long long)(x * 1e15) ^ (word)(y * 1e18));
    PUT_DOUBLE(5, (float)y + (double)(long long)THREAD / 3);
    PUT_DOUBLE(6, hypot(x, y) + cbrt(y));
    PUT_DOUBLE(7, x > y ? fmax(x, y) : fabs(x - y));
}

KERNEL(halves)
{
    __half x = __float2half((int)(THREAD % 41) - 20 + 0.3f), y = __float2half(THREAD * 0.11f);
    __half2 a = __halves2half2(x, y), b = __half2half2(__hsub(y, x)), c;
    PUT(0, __half_as_ushort(__hadd(x, y)) | (word)__half_as_ushort(__hmul_sat(x, y)) << 16 |
               (word)__half_as_ushort(__hdiv(x, __hadd(y, __float2half(1.5f)))) << 32 | (word)__half_as_ushort(__hfma(x, y, x)) << 48);
    c = __hfma2(a, b, __hmul2(a, a));
    PUT(1, *(unsigned *)&c | (word)__heq2_mask(a, b) << 32);
    PUT(2, __hgt(x, y) | __hbeq2(a, b) << 1 | __hisnan(x) << 2 | (word)__hgt2_mask(a, b) << 32);
    c = __hmax2(a, __hneg2(b));
    PUT(3, *(unsigned *)&c | (word)__half_as_ushort(__hmin_nan(x, y)) << 32);
    PUT(4, __half2int_rd(x) ^ (word)__half2uint_rz(y) << 32);
    c = __hlt2(a, b);
    PUT(5, *(unsigned *)&c | (word)__half_as_ushort(hrint(x)) << 32 | (word)__half_as_ushort(__habs(x)) << 48);
    PUT(6, __half_as_ushort(__int2half_rz(THREAD * 77)) | (word)__half_as_ushort(__double2half(THREAD * 1e-5)) << 16);
    c = __float22half2_rn(make_float2(THREAD * 1.7f, -3.3f));
    PUT(7, *(unsigned *)&c | (word)__half_as_ushort(hsqrt(__habs(x))) << 32);
}

KERNEL(bfloats)
{
    __nv_bfloat16 x = __float2bfloat16((int)(THREAD % 41) - 20 + 0.3f), y = __float2bfloat16(THREAD * 0.11f);
    __nv_bfloat162 a = __halves2bfloat162(x, y), c = __hfma2(a, a, a);
    PUT(0, __bfloat16_as_ushort(__hadd(x, y)) | (word)__bfloat16_as_ushort(__hmul(x, y)) << 16 |
               (word)__bfloat16_as_ushort(__hfma_relu(x, y, x)) << 32);
    PUT(1, *(unsigned *)&c | (word)__hge(x, y) << 32);
    c = __hmax2(a, __float2bfloat162_rn(2.5f));
    PUT(2, *(unsigned *)&c | (word)__hne2_mask(a, c) << 32);
    PUT_DOUBLE(3, __bfloat162float(x) + __low2float(c));
    PUT(4, __bfloat162int_rn(x) ^ (word)__bfloat16_as_ushort(__double2bfloat16(THREAD / 3.0)) << 32);
}

// ---- time and place ----

KERNEL(clocks_go_on)
{
    long long before = clock64();
    unsigned first = clock();
    __nanosleep(10);
    __threadfence();
    unsigned second = clock();
    PUT(0, clock64() > before);
    PUT(1, second - first > 0 && second - first < 1000000);
}

extern "C" __global__ void place(word *out)
{
    PUT(0, threadIdx.x + blockIdx.x * 1000 + blockDim.x * 1000000ull + gridDim.x * 1000000000ull);
    PUT(1, threadIdx.y + threadIdx.z + blockIdx.y + blockIdx.z + blockDim.y * blockDim.z * gridDim.y * gridDim.z);
    PUT(2, warpSize);
}
