// The parts of CUDA C that need no #include, for clang only: with this prelude clang compiles the kernels of a CUDA
// course without any NVIDIA software. Every function here is `nodebug`, so that its instructions belong to the line of
// the caller. Accuracy: functions of double are good to about 5 units in the last place, sin, cos and tan for arguments
// up to 10^5, erfc, gamma and the inverse and Bessel functions to some 60, pow and exp10 to some 200. Functions of float
// are computed in double and rounded. The fast ones (__expf and so on) use the hardware's instructions.
// In a whole program (LANESCOPE_PROGRAM, from program.cuh), the host half has its own C library: functions that exist
// there as well are for the device alone.
#pragma once
#define __CUDACC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#if !defined(LANESCOPE_PROGRAM)
#define __managed__ __attribute__((managed))
#elif defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device))
#else // the runtime finds the host's copies by their section
#define __managed__ __attribute__((device, section("lanescope_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#if !__has_feature(cuda_noinline_keyword) // clang 15 has a keyword, which also stands in libstdc++'s attributes
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __grid_constant__
#define __maxnreg__(n)
#define __nv_pure__
#define __inline_hint__ __inline__
#define LANESCOPE_BOTH static __inline__ __attribute__((always_inline, nodebug, device, host))
#ifdef LANESCOPE_PROGRAM
#define LANESCOPE_FN static __inline__ __attribute__((always_inline, nodebug, device))
#else
#define LANESCOPE_FN LANESCOPE_BOTH
#endif
// The host half of a program parses the kernels, too, so that it sees the functions of every architecture.
#if defined(LANESCOPE_PROGRAM) && !defined(__CUDA_ARCH__)
#define LANESCOPE_ARCH 900
#else
#define LANESCOPE_ARCH __CUDA_ARCH__
#endif

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef unsigned long long cudaTextureObject_t;
#ifdef LANESCOPE_PROGRAM
#include <stdlib.h>
#include <string.h>
#include <time.h>
#else
typedef long long clock_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#ifndef NULL
#define NULL 0
#endif
#endif

// ---- vector types ----
// Assignment loads all members and then stores them, because clang joins neighbouring loads, and neighbouring stores, into
// one wide access. It would split a copy of the whole struct into pieces of 8 bytes.
#define LANESCOPE_ASSIGN(NAME, ...)                                                                                    \
    __inline__ __attribute__((always_inline, nodebug, device, host)) NAME &operator=(const NAME &from)                 \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        return *this;                                                                                                  \
    }
#define LANESCOPE_VECTOR(T, NAME, ALIGN2, ALIGN4)                                                                      \
    struct NAME##1 {                                                                                                   \
        T x;                                                                                                           \
    };                                                                                                                 \
    struct __attribute__((aligned(ALIGN2))) NAME##2 {                                                                  \
        T x, y;                                                                                                        \
        LANESCOPE_ASSIGN(NAME##2, T const a = from.x, b = from.y; x = a; y = b)                                        \
    };                                                                                                                 \
    struct NAME##3 {                                                                                                   \
        T x, y, z;                                                                                                     \
    };                                                                                                                 \
    struct __attribute__((aligned(ALIGN4))) NAME##4 {                                                                  \
        T x, y, z, w;                                                                                                  \
        LANESCOPE_ASSIGN(NAME##4, T const a = from.x, b = from.y, c = from.z, d = from.w; x = a; y = b; z = c;         \
                         w = d)                                                                                        \
    };                                                                                                                 \
    LANESCOPE_BOTH NAME##1 make_##NAME##1(T x)                                                                         \
    {                                                                                                                  \
        return {x};                                                                                                    \
    }                                                                                                                  \
    LANESCOPE_BOTH NAME##2 make_##NAME##2(T x, T y)                                                                    \
    {                                                                                                                  \
        return {x, y};                                                                                                 \
    }                                                                                                                  \
    LANESCOPE_BOTH NAME##3 make_##NAME##3(T x, T y, T z)                                                               \
    {                                                                                                                  \
        return {x, y, z};                                                                                              \
    }                                                                                                                  \
    LANESCOPE_BOTH NAME##4 make_##NAME##4(T x, T y, T z, T w)                                                          \
    {                                                                                                                  \
        return {x, y, z, w};                                                                                           \
    }
LANESCOPE_VECTOR(signed char, char, 2, 4)
LANESCOPE_VECTOR(unsigned char, uchar, 2, 4)
LANESCOPE_VECTOR(short, short, 4, 8)
LANESCOPE_VECTOR(unsigned short, ushort, 4, 8)
LANESCOPE_VECTOR(int, int, 8, 16)
LANESCOPE_VECTOR(unsigned int, uint, 8, 16)
LANESCOPE_VECTOR(long, long, 16, 16)
LANESCOPE_VECTOR(unsigned long, ulong, 16, 16)
LANESCOPE_VECTOR(long long, longlong, 16, 16)
LANESCOPE_VECTOR(unsigned long long, ulonglong, 16, 16)
LANESCOPE_VECTOR(float, float, 8, 16)
LANESCOPE_VECTOR(double, double, 16, 16)

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ __attribute__((nodebug)) constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    __host__ __device__ __attribute__((nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ __attribute__((nodebug)) constexpr operator uint3() const
    {
        return {x, y, z};
    }
};

// ---- coordinates of a thread ----
#define LANESCOPE_COORDINATE(NAME, REGISTER, CONVERTED)                                                                \
    struct lanescope_##NAME {                                                                                          \
        __declspec(property(get = get_x)) unsigned x;                                                                  \
        __declspec(property(get = get_y)) unsigned y;                                                                  \
        __declspec(property(get = get_z)) unsigned z;                                                                  \
        LANESCOPE_FN unsigned get_x()                                                                                  \
        {                                                                                                              \
            return __nvvm_read_ptx_sreg_##REGISTER##_x();                                                              \
        }                                                                                                              \
        LANESCOPE_FN unsigned get_y()                                                                                  \
        {                                                                                                              \
            return __nvvm_read_ptx_sreg_##REGISTER##_y();                                                              \
        }                                                                                                              \
        LANESCOPE_FN unsigned get_z()                                                                                  \
        {                                                                                                              \
            return __nvvm_read_ptx_sreg_##REGISTER##_z();                                                              \
        }                                                                                                              \
        __inline__ __attribute__((always_inline, nodebug, device)) operator CONVERTED() const                          \
        {                                                                                                              \
            return {get_x(), get_y(), get_z()};                                                                        \
        }                                                                                                              \
    };                                                                                                                 \
    extern const __device__ __attribute__((weak)) lanescope_##NAME NAME;
LANESCOPE_COORDINATE(threadIdx, tid, uint3)
LANESCOPE_COORDINATE(blockIdx, ctaid, uint3)
LANESCOPE_COORDINATE(blockDim, ntid, dim3)
LANESCOPE_COORDINATE(gridDim, nctaid, dim3)
#undef LANESCOPE_COORDINATE
#ifdef LANESCOPE_PROGRAM // a member of cudaDeviceProp has this name, too
static __device__ __attribute__((unused)) constexpr int warpSize = 32;
#else
#define warpSize 32
#endif

// ---- barriers and fences ----
// Some versions of LLVM (14 is one) assume that a barrier or fence leaves a variable unchanged whose address is not taken,
// such as a __shared__ scalar, and move its loads across. Inline assembly that clobbers memory stops them.
#define LANESCOPE_MEMORY_ORDER asm volatile("" ::: "memory")
#define LANESCOPE_ORDERED(NAME, INTRINSIC)                                                                             \
    LANESCOPE_FN void NAME                                                                                             \
    {                                                                                                                  \
        LANESCOPE_MEMORY_ORDER;                                                                                        \
        INTRINSIC;                                                                                                     \
        LANESCOPE_MEMORY_ORDER;                                                                                        \
    }
#define LANESCOPE_ORDERED_VALUE(NAME, INTRINSIC)                                                                       \
    LANESCOPE_FN int NAME(int p)                                                                                       \
    {                                                                                                                  \
        LANESCOPE_MEMORY_ORDER;                                                                                        \
        int const value = INTRINSIC(p);                                                                                \
        LANESCOPE_MEMORY_ORDER;                                                                                        \
        return value;                                                                                                  \
    }
#if __has_builtin(__syncthreads)
LANESCOPE_ORDERED(lanescope_syncthreads(), __syncthreads())
#else
LANESCOPE_ORDERED(lanescope_syncthreads(), __nvvm_barrier0())
#endif
#define __syncthreads lanescope_syncthreads // a builtin of clang cannot be defined anew
LANESCOPE_ORDERED_VALUE(__syncthreads_count, __nvvm_bar0_popc)
LANESCOPE_ORDERED_VALUE(__syncthreads_and, __nvvm_bar0_and)
LANESCOPE_ORDERED_VALUE(__syncthreads_or, __nvvm_bar0_or)
LANESCOPE_ORDERED(__syncwarp(unsigned mask = 0xffffffffu), __nvvm_bar_warp_sync(mask))
LANESCOPE_ORDERED(__threadfence_block(), __nvvm_membar_cta())
LANESCOPE_ORDERED(__threadfence(), __nvvm_membar_gl())
LANESCOPE_ORDERED(__threadfence_system(), __nvvm_membar_sys())
#undef LANESCOPE_ORDERED_VALUE
#undef LANESCOPE_ORDERED
LANESCOPE_FN void __barrier_sync(unsigned number)
{
    asm volatile("barrier.sync %0;" ::"r"(number) : "memory");
}
LANESCOPE_FN void __barrier_sync_count(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// ---- reinterpretation of bits ----
#define LANESCOPE_BITS(NAME, FROM, TO)                                                                                 \
    LANESCOPE_FN TO NAME(FROM from)                                                                                    \
    {                                                                                                                  \
        return __builtin_bit_cast(TO, from);                                                                           \
    }
LANESCOPE_BITS(__int_as_float, int, float)
LANESCOPE_BITS(__float_as_int, float, int)
LANESCOPE_BITS(__uint_as_float, unsigned, float)
LANESCOPE_BITS(__float_as_uint, float, unsigned)
LANESCOPE_BITS(__longlong_as_double, long long, double)
LANESCOPE_BITS(__double_as_longlong, double, long long)
#undef LANESCOPE_BITS
LANESCOPE_FN int __double2loint(double v)
{
    return (int)__double_as_longlong(v);
}
LANESCOPE_FN int __double2hiint(double v)
{
    return (int)(__double_as_longlong(v) >> 32);
}
LANESCOPE_FN double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)high << 32 | (unsigned)low);
}

// ---- votes, shuffles, matches ----
LANESCOPE_FN int __all_sync(unsigned mask, int p)
{
    return __nvvm_vote_all_sync(mask, p);
}
LANESCOPE_FN int __any_sync(unsigned mask, int p)
{
    return __nvvm_vote_any_sync(mask, p);
}
LANESCOPE_FN unsigned __ballot_sync(unsigned mask, int p)
{
    return __nvvm_vote_ballot_sync(mask, p);
}
LANESCOPE_FN unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
#define LANESCOPE_SHUFFLE(NAME, KIND, MODE, LIMIT)                                                                     \
    template <typename T>                                                                                              \
    LANESCOPE_FN T NAME(unsigned mask, T value, KIND lane, int width = 32)                                             \
    {                                                                                                                  \
        if constexpr (sizeof(T) < 4) /* bool and char are passed as int */                                             \
            return (T)NAME(mask, (int)value, lane, width);                                                             \
        static_assert(sizeof(T) < 4 || sizeof(T) % 4 == 0, "a shuffle moves words of 4 bytes");                        \
        int const limit = (32 - width) << 8 | (LIMIT);                                                                 \
        int words[sizeof(T) < 4 ? 1 : sizeof(T) / 4];                                                                  \
        __builtin_memcpy(words, &value, sizeof(T));                                                                    \
        for (unsigned i = 0; i < sizeof(T) / 4; i++)                                                                   \
            words[i] = __nvvm_shfl_sync_##MODE##_i32(mask, words[i], (int)lane, limit);                                \
        __builtin_memcpy(&value, words, sizeof(T));                                                                    \
        return value;                                                                                                  \
    }
LANESCOPE_SHUFFLE(__shfl_sync, int, idx, 31)
LANESCOPE_SHUFFLE(__shfl_up_sync, unsigned, up, 0)
LANESCOPE_SHUFFLE(__shfl_down_sync, unsigned, down, 31)
LANESCOPE_SHUFFLE(__shfl_xor_sync, int, bfly, 31)
#undef LANESCOPE_SHUFFLE
#if LANESCOPE_ARCH >= 700
template <typename T> LANESCOPE_FN unsigned __match_any_sync(unsigned mask, T value)
{
    if constexpr (sizeof(T) == 4)
        return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned, value));
    else { // clang 14's builtin for 8 bytes gives the result a register of the wrong size
        unsigned alike;
        asm volatile("match.any.sync.b64 %0, %1, %2;"
                     : "=r"(alike)
                     : "l"(__builtin_bit_cast(long long, value)), "r"(mask));
        return alike;
    }
}
template <typename T> LANESCOPE_FN unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    if constexpr (sizeof(T) == 4)
        return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(unsigned, value), all);
    else {
        unsigned alike;
        asm volatile("{\n\t.reg .pred p;\n\tmatch.all.sync.b64 %0|p, %2, %3;\n\tselp.s32 %1, 1, 0, p;\n\t}"
                     : "=r"(alike), "=r"(*all)
                     : "l"(__builtin_bit_cast(long long, value)), "r"(mask));
        return alike;
    }
}
#endif
#if LANESCOPE_ARCH >= 800
#define LANESCOPE_REDUCE(NAME, T, CALL)                                                                                \
    LANESCOPE_FN T __reduce_##NAME##_sync(unsigned mask, T v)                                                          \
    {                                                                                                                  \
        return (T)__nvvm_redux_sync_##CALL((int)v, (int)mask);                                                         \
    }
LANESCOPE_REDUCE(add, int, add)
LANESCOPE_REDUCE(min, int, min)
LANESCOPE_REDUCE(max, int, max)
LANESCOPE_REDUCE(add, unsigned, add)
LANESCOPE_REDUCE(min, unsigned, umin)
LANESCOPE_REDUCE(max, unsigned, umax)
LANESCOPE_REDUCE(and, unsigned, and)
LANESCOPE_REDUCE(or, unsigned, or)
LANESCOPE_REDUCE(xor, unsigned, xor)
#undef LANESCOPE_REDUCE
#endif

#include "lanescope_atomics.cuh"

// ---- memory and clocks ----
// Returns the place of a shared variable in shared memory, as instructions such as cp.async name it.
LANESCOPE_FN size_t __cvta_generic_to_shared(const void *place)
{
    return (size_t)(__attribute__((address_space(3))) const char *)place;
}
#define LANESCOPE_SPACE(NAME, NUMBER)                                                                                  \
    LANESCOPE_FN size_t __cvta_generic_to_##NAME(const void *place)                                                    \
    {                                                                                                                  \
        return (size_t)(__attribute__((address_space(NUMBER))) const char *)place;                                     \
    }                                                                                                                  \
    LANESCOPE_FN void *__cvta_##NAME##_to_generic(size_t place)                                                        \
    {                                                                                                                  \
        return (void *)(__attribute__((address_space(NUMBER))) char *)place;                                           \
    }
LANESCOPE_SPACE(global, 1)
LANESCOPE_SPACE(constant, 4)
LANESCOPE_SPACE(local, 5)
#undef LANESCOPE_SPACE
LANESCOPE_FN void *__cvta_shared_to_generic(size_t place)
{
    return (void *)(__attribute__((address_space(3))) char *)place;
}
#include "lanescope_hints.cuh"
LANESCOPE_FN unsigned __isGlobal(const void *place)
{
    return __nvvm_isspacep_global(place);
}
LANESCOPE_FN unsigned __isShared(const void *place)
{
    return __nvvm_isspacep_shared(place);
}
LANESCOPE_FN unsigned __isConstant(const void *place)
{
    return __nvvm_isspacep_const(place);
}
LANESCOPE_FN unsigned __isLocal(const void *place)
{
    return __nvvm_isspacep_local(place);
}
LANESCOPE_FN clock_t clock()
{
    return __nvvm_read_ptx_sreg_clock();
}
LANESCOPE_FN long long clock64()
{
    return __nvvm_read_ptx_sreg_clock64();
}
LANESCOPE_FN void __nanosleep(unsigned t)
{
    asm volatile("nanosleep.u32 %0;" ::"r"(t));
}
LANESCOPE_FN void __trap()
{
    asm volatile("trap;");
}

// ---- functions provided by the driver ----
extern "C" {
#ifdef LANESCOPE_PROGRAM
#define LANESCOPE_PROVIDED __device__
#else
#define LANESCOPE_PROVIDED __device__ __host__
#endif
LANESCOPE_PROVIDED int printf(const char *, ...);
LANESCOPE_PROVIDED void *malloc(size_t);
LANESCOPE_PROVIDED void free(void *);
__device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
}
LANESCOPE_FN void *memcpy(void *to, const void *from, size_t size)
{
    return __builtin_memcpy(to, from, size);
}
LANESCOPE_FN void *memset(void *to, int value, size_t size)
{
    return __builtin_memset(to, value, size);
}

// ---- integers ----
LANESCOPE_FN int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
LANESCOPE_FN int __popcll(unsigned long long v)
{
    return __builtin_popcountll(v);
}
LANESCOPE_FN int __clz(int v)
{
    return v ? __builtin_clz((unsigned)v) : 32;
}
LANESCOPE_FN int __clzll(long long v)
{
    return v ? __builtin_clzll((unsigned long long)v) : 64;
}
LANESCOPE_FN int __ffs(int v)
{
    return __builtin_ffs(v);
}
LANESCOPE_FN int __ffsll(long long v)
{
    return __builtin_ffsll(v);
}
LANESCOPE_FN unsigned __brev(unsigned v)
{
    return __builtin_bitreverse32(v);
}
LANESCOPE_FN unsigned long long __brevll(unsigned long long v)
{
    return __builtin_bitreverse64(v);
}
LANESCOPE_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    return __nvvm_prmt(a, b, selector);
}
LANESCOPE_FN int __mulhi(int a, int b)
{
    return (int)(((long long)a * b) >> 32);
}
LANESCOPE_FN unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a * b) >> 32);
}
LANESCOPE_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}
LANESCOPE_FN int __mul24(int a, int b)
{
    return (a << 8 >> 8) * (b << 8 >> 8);
}
LANESCOPE_FN unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffffu) * (b & 0xffffffu);
}
LANESCOPE_FN unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
LANESCOPE_FN unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
LANESCOPE_FN unsigned __sad(int a, int b, unsigned c)
{
    return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}
LANESCOPE_FN int abs(int v)
{
    return v < 0 ? -v : v;
}
LANESCOPE_FN long abs(long v)
{
    return v < 0 ? -v : v;
}
LANESCOPE_FN long long abs(long long v)
{
    return v < 0 ? -v : v;
}
LANESCOPE_FN long labs(long v)
{
    return v < 0 ? -v : v;
}
LANESCOPE_FN long long llabs(long long v)
{
    return v < 0 ? -v : v;
}
#define LANESCOPE_MIN_MAX(T)                                                                                           \
    LANESCOPE_BOTH T min(T a, T b)                                                                                   \
    {                                                                                                                  \
        return b < a ? b : a;                                                                                          \
    }                                                                                                                  \
    LANESCOPE_BOTH T max(T a, T b)                                                                                   \
    {                                                                                                                  \
        return a < b ? b : a;                                                                                          \
    }
LANESCOPE_MIN_MAX(int)
LANESCOPE_MIN_MAX(unsigned)
LANESCOPE_MIN_MAX(long)
LANESCOPE_MIN_MAX(unsigned long)
LANESCOPE_MIN_MAX(long long)
LANESCOPE_MIN_MAX(unsigned long long)
#undef LANESCOPE_MIN_MAX
LANESCOPE_BOTH unsigned min(unsigned a, int b)
{
    return min(a, (unsigned)b);
}
LANESCOPE_BOTH unsigned min(int a, unsigned b)
{
    return min((unsigned)a, b);
}
LANESCOPE_BOTH unsigned max(unsigned a, int b)
{
    return max(a, (unsigned)b);
}
LANESCOPE_BOTH unsigned max(int a, unsigned b)
{
    return max((unsigned)a, b);
}
LANESCOPE_BOTH unsigned umin(unsigned a, unsigned b)
{
    return min(a, b);
}
LANESCOPE_BOTH unsigned umax(unsigned a, unsigned b)
{
    return max(a, b);
}

#include "lanescope_integers.cuh"
#include "lanescope_math.cuh"
#ifndef LANESCOPE_PROGRAM
#include "host.cuh"
#endif
#undef LANESCOPE_VECTOR
