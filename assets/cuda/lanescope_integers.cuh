// The integer functions of CUDA C that are rarer than those of prelude.cuh: averages, dot products, bits, and the SIMD
// functions on two halves or four bytes of a word, among them those for dynamic programming.
#pragma once
LANESCOPE_FN int __hadd(int a, int b)
{
    return (int)(((long long)a + b) >> 1);
}
LANESCOPE_FN int __rhadd(int a, int b)
{
    return (int)(((long long)a + b + 1) >> 1);
}
LANESCOPE_FN unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
LANESCOPE_FN unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
LANESCOPE_FN unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return c + (a > b ? a - b : b - a);
}
LANESCOPE_FN long long __mul64hi(long long a, long long b)
{
    return __nvvm_mulhi_ll(a, b);
}
LANESCOPE_FN unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    unsigned long long const both = (unsigned long long)high << 32 | low;
    return shift >= 32 ? low : (unsigned)(both << shift >> 32);
}
LANESCOPE_FN unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    unsigned long long const both = (unsigned long long)high << 32 | low;
    return shift >= 32 ? high : (unsigned)(both >> shift);
}
LANESCOPE_BOTH long long llmin(long long a, long long b)
{
    return min(a, b);
}
LANESCOPE_BOTH long long llmax(long long a, long long b)
{
    return max(a, b);
}
LANESCOPE_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return min(a, b);
}
LANESCOPE_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return max(a, b);
}
LANESCOPE_FN unsigned short __nv_bswap16(unsigned short v)
{
    return __builtin_bswap16(v);
}
LANESCOPE_FN unsigned __nv_bswap32(unsigned v)
{
    return __builtin_bswap32(v);
}
LANESCOPE_FN unsigned long long __nv_bswap64(unsigned long long v)
{
    return __builtin_bswap64(v);
}
// Returns the place of the n-th set bit of the mask from `base` on, upwards for n > 0, downwards for n < 0.
LANESCOPE_FN unsigned __fns(unsigned mask, unsigned base, int n)
{
    unsigned place;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(place) : "r"(mask), "r"(base), "r"(n));
    return place;
}

// ---- dot products of bytes ----
#if LANESCOPE_ARCH >= 610
#define LANESCOPE_DOT(NAME, WORD, T, A, B)                                                                             \
    LANESCOPE_FN T NAME(T a, T b, T c)                                                                                 \
    {                                                                                                                  \
        T sum;                                                                                                         \
        asm(WORD " %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));                                             \
        return sum;                                                                                                    \
    }                                                                                                                  \
    LANESCOPE_FN T NAME(A a, B b, T c)                                                                                 \
    {                                                                                                                  \
        T left, right;                                                                                                 \
        __builtin_memcpy(&left, &a, sizeof left);                                                                      \
        __builtin_memcpy(&right, &b, sizeof right);                                                                    \
        return NAME(left, right, c);                                                                                   \
    }
LANESCOPE_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
LANESCOPE_DOT(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4)
LANESCOPE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
LANESCOPE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, ushort2, uchar4)
LANESCOPE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
LANESCOPE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, ushort2, uchar4)
#undef LANESCOPE_DOT
#endif

// ---- two halves or four bytes at once ----
// x and y are the parts of one place, as int; the result's low bits are kept.
#define LANESCOPE_SIMD(NAME, PART, BITS, RESULT)                                                                       \
    LANESCOPE_FN unsigned NAME(unsigned a, unsigned b)                                                                 \
    {                                                                                                                  \
        unsigned word = 0;                                                                                             \
        for (int i = 0; i < 32; i += BITS) {                                                                           \
            int const x = (PART)(a >> i), y = (PART)(b >> i);                                                          \
            word |= ((unsigned)(RESULT) & (0xffffffffu >> (32 - BITS))) << i;                                          \
        }                                                                                                              \
        return word;                                                                                                   \
    }
#define LANESCOPE_SIMD_ONE(NAME, PART, BITS, RESULT)                                                                   \
    LANESCOPE_FN unsigned NAME(unsigned a)                                                                             \
    {                                                                                                                  \
        unsigned word = 0;                                                                                             \
        for (int i = 0; i < 32; i += BITS) {                                                                           \
            int const x = (PART)(a >> i);                                                                              \
            word |= ((unsigned)(RESULT) & (0xffffffffu >> (32 - BITS))) << i;                                          \
        }                                                                                                              \
        return word;                                                                                                   \
    }
#define LANESCOPE_SIMD_SUM(NAME, PART, BITS, RESULT)                                                                   \
    LANESCOPE_FN unsigned NAME(unsigned a, unsigned b)                                                                 \
    {                                                                                                                  \
        unsigned sum = 0;                                                                                              \
        for (int i = 0; i < 32; i += BITS) {                                                                           \
            int const x = (PART)(a >> i), y = (PART)(b >> i);                                                          \
            sum += (unsigned)(RESULT);                                                                                 \
        }                                                                                                              \
        return sum;                                                                                                    \
    }
#define LANESCOPE_SIMD_COMPARE(NAME, WIDTH, PART, BITS, SIGN)                                                          \
    LANESCOPE_SIMD(__vcmp##NAME##WIDTH, PART, BITS, x SIGN y ? -1 : 0)                                                 \
    LANESCOPE_SIMD(__vset##NAME##WIDTH, PART, BITS, x SIGN y ? 1 : 0)
#define LANESCOPE_CLAMP(V, LOW, HIGH) ((V) < (LOW) ? (LOW) : (V) > (HIGH) ? (HIGH) : (V))
#define LANESCOPE_SIMD_ALL(WIDTH, S, U, BITS, LOW, HIGH, MOST)                                                         \
    LANESCOPE_SIMD_ONE(__vabs##WIDTH, S, BITS, x < 0 ? -x : x)                                                         \
    LANESCOPE_SIMD_ONE(__vabsss##WIDTH, S, BITS, x < 0 ? x == LOW ? HIGH : -x : x)                                     \
    LANESCOPE_SIMD_ONE(__vneg##WIDTH, S, BITS, -x)                                                                     \
    LANESCOPE_SIMD_ONE(__vnegss##WIDTH, S, BITS, x == LOW ? HIGH : -x)                                                 \
    LANESCOPE_SIMD(__vabsdiffs##WIDTH, S, BITS, x > y ? x - y : y - x)                                                 \
    LANESCOPE_SIMD(__vabsdiffu##WIDTH, U, BITS, x > y ? x - y : y - x)                                                 \
    LANESCOPE_SIMD(__vadd##WIDTH, U, BITS, x + y)                                                                      \
    LANESCOPE_SIMD(__vaddss##WIDTH, S, BITS, LANESCOPE_CLAMP(x + y, LOW, HIGH))                                        \
    LANESCOPE_SIMD(__vaddus##WIDTH, U, BITS, LANESCOPE_CLAMP(x + y, 0, MOST))                                          \
    LANESCOPE_SIMD(__vsub##WIDTH, U, BITS, x - y)                                                                      \
    LANESCOPE_SIMD(__vsubss##WIDTH, S, BITS, LANESCOPE_CLAMP(x - y, LOW, HIGH))                                        \
    LANESCOPE_SIMD(__vsubus##WIDTH, U, BITS, LANESCOPE_CLAMP(x - y, 0, MOST))                                          \
    LANESCOPE_SIMD(__vavgs##WIDTH, S, BITS, (x + y + (x + y >= 0)) >> 1)                                               \
    LANESCOPE_SIMD(__vavgu##WIDTH, U, BITS, (x + y + 1) >> 1)                                                          \
    LANESCOPE_SIMD(__vhaddu##WIDTH, U, BITS, (x + y) >> 1)                                                             \
    LANESCOPE_SIMD(__vmaxs##WIDTH, S, BITS, x > y ? x : y)                                                             \
    LANESCOPE_SIMD(__vmaxu##WIDTH, U, BITS, x > y ? x : y)                                                             \
    LANESCOPE_SIMD(__vmins##WIDTH, S, BITS, x < y ? x : y)                                                             \
    LANESCOPE_SIMD(__vminu##WIDTH, U, BITS, x < y ? x : y)                                                             \
    LANESCOPE_SIMD_SUM(__vsads##WIDTH, S, BITS, x > y ? x - y : y - x)                                                 \
    LANESCOPE_SIMD_SUM(__vsadu##WIDTH, U, BITS, x > y ? x - y : y - x)                                                 \
    LANESCOPE_SIMD_COMPARE(eq, WIDTH, U, BITS, ==)                                                                     \
    LANESCOPE_SIMD_COMPARE(ne, WIDTH, U, BITS, !=)                                                                     \
    LANESCOPE_SIMD_COMPARE(ges, WIDTH, S, BITS, >=)                                                                    \
    LANESCOPE_SIMD_COMPARE(geu, WIDTH, U, BITS, >=)                                                                    \
    LANESCOPE_SIMD_COMPARE(gts, WIDTH, S, BITS, >)                                                                     \
    LANESCOPE_SIMD_COMPARE(gtu, WIDTH, U, BITS, >)                                                                     \
    LANESCOPE_SIMD_COMPARE(les, WIDTH, S, BITS, <=)                                                                    \
    LANESCOPE_SIMD_COMPARE(leu, WIDTH, U, BITS, <=)                                                                    \
    LANESCOPE_SIMD_COMPARE(lts, WIDTH, S, BITS, <)                                                                     \
    LANESCOPE_SIMD_COMPARE(ltu, WIDTH, U, BITS, <)
LANESCOPE_SIMD_ALL(2, short, unsigned short, 16, -32768, 32767, 65535)
LANESCOPE_SIMD_ALL(4, signed char, unsigned char, 8, -128, 127, 255)
#undef LANESCOPE_SIMD_ALL
#undef LANESCOPE_SIMD_COMPARE
#undef LANESCOPE_SIMD_SUM
#undef LANESCOPE_SIMD_ONE
#undef LANESCOPE_SIMD
#undef LANESCOPE_CLAMP

// ---- dynamic programming: sums, and the smaller or larger of two or three ----
#define LANESCOPE_DPX(NAME, T, RESULT)                                                                                 \
    LANESCOPE_BOTH T NAME(T a, T b, T c)                                                                               \
    {                                                                                                                  \
        return RESULT;                                                                                                 \
    }
#define LANESCOPE_DPX_2(NAME, PART, RESULT)                                                                            \
    LANESCOPE_BOTH unsigned NAME(unsigned first, unsigned second, unsigned third)                                      \
    {                                                                                                                  \
        unsigned word = 0;                                                                                             \
        for (int i = 0; i < 32; i += 16) {                                                                             \
            PART const a = (PART)(first >> i), b = (PART)(second >> i), c = (PART)(third >> i);                        \
            word |= ((unsigned)(RESULT) & 0xffffu) << i;                                                               \
        }                                                                                                              \
        return word;                                                                                                   \
    }
#define LANESCOPE_DPX_ALL(WHICH)                                                                                       \
    LANESCOPE_DPX(__vi##WHICH##3_s32, int, WHICH(WHICH(a, b), c))                                                      \
    LANESCOPE_DPX(__vi##WHICH##3_u32, unsigned, WHICH(WHICH(a, b), c))                                                 \
    LANESCOPE_DPX(__vi##WHICH##3_s32_relu, int, max(WHICH(WHICH(a, b), c), 0))                                         \
    LANESCOPE_DPX(__viadd##WHICH##_s32, int, WHICH((int)((unsigned)a + (unsigned)b), c))                               \
    LANESCOPE_DPX(__viadd##WHICH##_u32, unsigned, WHICH(a + b, c))                                                     \
    LANESCOPE_DPX(__viadd##WHICH##_s32_relu, int, max(WHICH((int)((unsigned)a + (unsigned)b), c), 0))                  \
    LANESCOPE_DPX_2(__vi##WHICH##3_s16x2, short, WHICH(WHICH((int)a, (int)b), (int)c))                                 \
    LANESCOPE_DPX_2(__vi##WHICH##3_u16x2, unsigned short, WHICH(WHICH((int)a, (int)b), (int)c))                        \
    LANESCOPE_DPX_2(__vi##WHICH##3_s16x2_relu, short, max(WHICH(WHICH((int)a, (int)b), (int)c), 0))                    \
    LANESCOPE_DPX_2(__viadd##WHICH##_s16x2, short, WHICH((int)(short)(a + b), (int)c))                                 \
    LANESCOPE_DPX_2(__viadd##WHICH##_u16x2, unsigned short, WHICH((int)(unsigned short)(a + b), (int)c))               \
    LANESCOPE_DPX_2(__viadd##WHICH##_s16x2_relu, short, max(WHICH((int)(short)(a + b), (int)c), 0))
LANESCOPE_DPX_ALL(max)
LANESCOPE_DPX_ALL(min)
#undef LANESCOPE_DPX_ALL
#undef LANESCOPE_DPX_2
#undef LANESCOPE_DPX
LANESCOPE_BOTH int __vimax_s32_relu(int a, int b)
{
    return max(max(a, b), 0);
}
LANESCOPE_BOTH int __vimin_s32_relu(int a, int b)
{
    return max(min(a, b), 0);
}
LANESCOPE_BOTH unsigned __vimax_s16x2_relu(unsigned a, unsigned b)
{
    return __vimax3_s16x2(a, b, 0);
}
LANESCOPE_BOTH unsigned __vimin_s16x2_relu(unsigned a, unsigned b)
{
    return __vimin3_s16x2_relu(a, b, a);
}
#define LANESCOPE_DPX_CHOICE(NAME, T, SIGN)                                                                            \
    LANESCOPE_BOTH T NAME(T a, T b, bool *first)                                                                       \
    {                                                                                                                  \
        *first = a SIGN b;                                                                                             \
        return *first ? a : b;                                                                                         \
    }
LANESCOPE_DPX_CHOICE(__vibmax_s32, int, >=)
LANESCOPE_DPX_CHOICE(__vibmax_u32, unsigned, >=)
LANESCOPE_DPX_CHOICE(__vibmin_s32, int, <=)
LANESCOPE_DPX_CHOICE(__vibmin_u32, unsigned, <=)
#undef LANESCOPE_DPX_CHOICE
#define LANESCOPE_DPX_CHOICE(NAME, PART, SIGN)                                                                         \
    LANESCOPE_BOTH unsigned NAME(unsigned a, unsigned b, bool *first_high, bool *first_low)                            \
    {                                                                                                                  \
        *first_high = (PART)(a >> 16) SIGN(PART)(b >> 16);                                                             \
        *first_low = (PART)a SIGN(PART) b;                                                                             \
        return ((*first_high ? a : b) & 0xffff0000u) | ((*first_low ? a : b) & 0xffffu);                               \
    }
LANESCOPE_DPX_CHOICE(__vibmax_s16x2, short, >=)
LANESCOPE_DPX_CHOICE(__vibmax_u16x2, unsigned short, >=)
LANESCOPE_DPX_CHOICE(__vibmin_s16x2, short, <=)
LANESCOPE_DPX_CHOICE(__vibmin_u16x2, unsigned short, <=)
#undef LANESCOPE_DPX_CHOICE
