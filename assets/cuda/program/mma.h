// Products of matrices by a warp, by the interface of CUDA's mma.h: nvcuda::wmma with fragments of half, __nv_bfloat16,
// precision::tf32, signed and unsigned char, and double. Each function is one PTX instruction (wmma.load, .store, .mma), so
// the elements of a fragment lie in the lanes as on a GPU. Elements of 1 and 4 bits are not here.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#ifdef __cplusplus
#define LANESCOPE_WMMA static __inline__ __attribute__((always_inline, nodebug, device))
namespace nvcuda {
namespace wmma {
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

template <class T> struct lanescope_element {
    typedef T type;
};
template <> struct lanescope_element<precision::tf32> {
    typedef float type;
};
// `count` elements of a lane, in registers.
template <class T, int count> struct __align__(4) lanescope_elements {
    typedef typename lanescope_element<T>::type element_type, storage_element_type;
    enum { num_elements = count, num_storage_elements = count };
    element_type x[count];
};
template <class use, int m, int n, int k, class T, class layout = void> class fragment;
template <class T, int count>
LANESCOPE_WMMA void fill_fragment(lanescope_elements<T, count> &f, typename lanescope_element<T>::type value)
{
#pragma unroll
    for (int i = 0; i < count; i++)
        f.x[i] = value;
}
LANESCOPE_WMMA float __float_to_tf32(float value)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __builtin_bit_cast(float, bits);
}

// ---- the registers of a fragment: r32_4 is four of 32 bits ----
#define LANESCOPE_SET_1(N) "{%[" #N "0]}"
#define LANESCOPE_SET_2(N) "{%[" #N "0],%[" #N "1]}"
#define LANESCOPE_SET_4(N) "{%[" #N "0],%[" #N "1],%[" #N "2],%[" #N "3]}"
#define LANESCOPE_SET_8(N)                                                                                             \
    "{%[" #N "0],%[" #N "1],%[" #N "2],%[" #N "3],%[" #N "4],%[" #N "5],%[" #N "6],%[" #N "7]}"
#define LANESCOPE_OPERANDS_1(N, C, P) [N##0] C(P[0])
#define LANESCOPE_OPERANDS_2(N, C, P) LANESCOPE_OPERANDS_1(N, C, P), [N##1] C(P[1])
#define LANESCOPE_OPERANDS_4(N, C, P) LANESCOPE_OPERANDS_2(N, C, P), [N##2] C(P[2]), [N##3] C(P[3])
#define LANESCOPE_OPERANDS_8(N, C, P)                                                                                  \
    LANESCOPE_OPERANDS_4(N, C, P), [N##4] C(P[4]), [N##5] C(P[5]), [N##6] C(P[6]), [N##7] C(P[7])
#define LANESCOPE_TYPE_r unsigned
#define LANESCOPE_TYPE_f float
#define LANESCOPE_TYPE_d double
#define LANESCOPE_REGISTERS(F, C) ((LANESCOPE_TYPE_##C *)(F).x)
#define LANESCOPE_READ(F, C) ((const LANESCOPE_TYPE_##C *)(F).x)

// ---- fragments with their loads and stores. C: the letter of the registers, R: how many ----
#define LANESCOPE_LOAD(F, LETTER, LAYOUT, SHAPE, WORD, C, R)                                                           \
    asm volatile("wmma.load." LETTER ".sync.aligned." LAYOUT "." SHAPE "." WORD " " LANESCOPE_SET_##R(                 \
                     d) ", [%[p]], %[s];"                                                                              \
                 : LANESCOPE_OPERANDS_##R(d, "=" #C, LANESCOPE_REGISTERS(F, C))                                        \
                 : [p] "l"(p), [s] "r"(stride)                                                                         \
                 : "memory");
#define LANESCOPE_STORE(F, LAYOUT, SHAPE, WORD, C, R)                                                                  \
    asm volatile("wmma.store.d.sync.aligned." LAYOUT "." SHAPE "." WORD " [%[p]], " LANESCOPE_SET_##R(d) ", %[s];"     \
                 :                                                                                                     \
                 : LANESCOPE_OPERANDS_##R(d, #C, LANESCOPE_READ(F, C)), [p] "l"(p), [s] "r"(stride)                    \
                 : "memory");
#define LANESCOPE_FACTOR_IN(USE, LETTER, LAYOUT, WORDS, M, N, K, T, WORD, COUNT, C, R)                                 \
    template <> class fragment<USE, M, N, K, T, LAYOUT> : public lanescope_elements<T, COUNT> {};                      \
    LANESCOPE_WMMA void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT> &f,                                         \
                                         const typename lanescope_element<T>::type *p, unsigned stride)                \
    {                                                                                                                  \
        LANESCOPE_LOAD(f, LETTER, WORDS, "m" #M "n" #N "k" #K, WORD, C, R)                                             \
    }
#define LANESCOPE_FACTOR(USE, LETTER, M, N, K, T, WORD, COUNT, C, R)                                                   \
    LANESCOPE_FACTOR_IN(USE, LETTER, row_major, "row", M, N, K, T, WORD, COUNT, C, R)                                  \
    LANESCOPE_FACTOR_IN(USE, LETTER, col_major, "col", M, N, K, T, WORD, COUNT, C, R)
#define LANESCOPE_SUM(M, N, K, T, WORD, COUNT, C, R)                                                                   \
    template <> class fragment<accumulator, M, N, K, T> : public lanescope_elements<T, COUNT> {};                      \
    LANESCOPE_WMMA void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned stride,            \
                                         layout_t layout)                                                              \
    {                                                                                                                  \
        if (layout == mem_row_major)                                                                                   \
            LANESCOPE_LOAD(f, "c", "row", "m" #M "n" #N "k" #K, WORD, C, R)                                            \
        else                                                                                                           \
            LANESCOPE_LOAD(f, "c", "col", "m" #M "n" #N "k" #K, WORD, C, R)                                            \
    }                                                                                                                  \
    LANESCOPE_WMMA void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned stride,           \
                                          layout_t layout)                                                             \
    {                                                                                                                  \
        if (layout == mem_row_major)                                                                                   \
            LANESCOPE_STORE(f, "row", "m" #M "n" #N "k" #K, WORD, C, R)                                                \
        else                                                                                                           \
            LANESCOPE_STORE(f, "col", "m" #M "n" #N "k" #K, WORD, C, R)                                                \
    }

// ---- products. TD, TC: the types of the sums; C and R of each fragment ----
#define LANESCOPE_PRODUCT_IN(LA, WA, LB, WB, M, N, K, TD, TAB, TC, WORDS, CD, RD, CA, RA, RB, CC, RC)                  \
    asm volatile("wmma.mma.sync.aligned." WA "." WB ".m" #M "n" #N "k" #K "." WORDS " " LANESCOPE_SET_##RD(            \
                     d) ", " LANESCOPE_SET_##RA(a) ", " LANESCOPE_SET_##RB(b) ", " LANESCOPE_SET_##RC(c) ";"           \
                 : LANESCOPE_OPERANDS_##RD(d, "=" #CD, LANESCOPE_REGISTERS(d, CD))                                     \
                 : LANESCOPE_OPERANDS_##RA(a, #CA, LANESCOPE_READ(a, CA)),                                             \
                   LANESCOPE_OPERANDS_##RB(b, #CA, LANESCOPE_READ(b, CA)),                                             \
                   LANESCOPE_OPERANDS_##RC(c, #CC, LANESCOPE_READ(c, CC)));
#define LANESCOPE_PRODUCT_OF(LA, WA, LB, WB, M, N, K, TD, TAB, TC, ...)                                                \
    LANESCOPE_WMMA void mma_sync(fragment<accumulator, M, N, K, TD> &d, const fragment<matrix_a, M, N, K, TAB, LA> &a, \
                                 const fragment<matrix_b, M, N, K, TAB, LB> &b,                                        \
                                 const fragment<accumulator, M, N, K, TC> &c)                                          \
    {                                                                                                                  \
        LANESCOPE_PRODUCT_IN(LA, WA, LB, WB, M, N, K, TD, TAB, TC, __VA_ARGS__)                                        \
    }
#define LANESCOPE_LIMITED_OF(LA, WA, LB, WB, M, N, K, TD, TAB, TC, WORDS, ...)                                         \
    LANESCOPE_WMMA void mma_sync(fragment<accumulator, M, N, K, TD> &d, const fragment<matrix_a, M, N, K, TAB, LA> &a, \
                                 const fragment<matrix_b, M, N, K, TAB, LB> &b,                                        \
                                 const fragment<accumulator, M, N, K, TC> &c, bool limits = false)                     \
    {                                                                                                                  \
        if (limits)                                                                                                    \
            LANESCOPE_PRODUCT_IN(LA, WA, LB, WB, M, N, K, TD, TAB, TC, WORDS ".satfinite", __VA_ARGS__)                \
        else                                                                                                           \
            LANESCOPE_PRODUCT_IN(LA, WA, LB, WB, M, N, K, TD, TAB, TC, WORDS, __VA_ARGS__)                             \
    }
#define LANESCOPE_LAYOUTS(OF, ...)                                                                                     \
    OF(row_major, "row", row_major, "row", __VA_ARGS__)                                                                \
    OF(row_major, "row", col_major, "col", __VA_ARGS__)                                                                \
    OF(col_major, "col", row_major, "row", __VA_ARGS__)                                                                \
    OF(col_major, "col", col_major, "col", __VA_ARGS__)

#define LANESCOPE_HALVES(M, N, K)                                                                                      \
    LANESCOPE_FACTOR(matrix_a, "a", M, N, K, __half, "f16", 16, r, 8)                                                  \
    LANESCOPE_FACTOR(matrix_b, "b", M, N, K, __half, "f16", 16, r, 8)                                                  \
    LANESCOPE_SUM(M, N, K, __half, "f16", 8, r, 4)                                                                     \
    LANESCOPE_SUM(M, N, K, float, "f32", 8, f, 8)                                                                      \
    LANESCOPE_SUM(M, N, K, int, "s32", 8, r, 8)                                                                        \
    LANESCOPE_LAYOUTS(LANESCOPE_PRODUCT_OF, M, N, K, __half, __half, __half, "f16.f16", r, 4, r, 8, 8, r, 4)           \
    LANESCOPE_LAYOUTS(LANESCOPE_PRODUCT_OF, M, N, K, __half, __half, float, "f16.f32", r, 4, r, 8, 8, f, 8)            \
    LANESCOPE_LAYOUTS(LANESCOPE_PRODUCT_OF, M, N, K, float, __half, __half, "f32.f16", f, 8, r, 8, 8, r, 4)            \
    LANESCOPE_LAYOUTS(LANESCOPE_PRODUCT_OF, M, N, K, float, __half, float, "f32.f32", f, 8, r, 8, 8, f, 8)
// RA, RB: the registers of bytes; 16-bit elements take twice as many
#define LANESCOPE_BYTES(M, N, K, T, WORD, RA, RB)                                                                      \
    LANESCOPE_FACTOR(matrix_a, "a", M, N, K, T, WORD, 4 * RA, r, RA)                                                   \
    LANESCOPE_FACTOR(matrix_b, "b", M, N, K, T, WORD, 4 * RB, r, RB)                                                   \
    LANESCOPE_LAYOUTS(LANESCOPE_LIMITED_OF, M, N, K, int, T, int, "s32." WORD "." WORD ".s32", r, 8, r, RA, RB, r, 8)
#define LANESCOPE_BRAINS(M, N, K, RA, RB)                                                                              \
    LANESCOPE_FACTOR(matrix_a, "a", M, N, K, __nv_bfloat16, "bf16", 2 * RA, r, RA)                                     \
    LANESCOPE_FACTOR(matrix_b, "b", M, N, K, __nv_bfloat16, "bf16", 2 * RB, r, RB)                                     \
    LANESCOPE_LAYOUTS(LANESCOPE_PRODUCT_OF, M, N, K, float, __nv_bfloat16, float, "f32.bf16.bf16.f32", f, 8, r, RA,    \
                      RB, f, 8)
LANESCOPE_HALVES(16, 16, 16)
LANESCOPE_HALVES(32, 8, 16)
LANESCOPE_HALVES(8, 32, 16)
LANESCOPE_BYTES(16, 16, 16, signed char, "s8", 2, 2)
LANESCOPE_BYTES(16, 16, 16, unsigned char, "u8", 2, 2)
LANESCOPE_BYTES(32, 8, 16, signed char, "s8", 4, 1)
LANESCOPE_BYTES(32, 8, 16, unsigned char, "u8", 4, 1)
LANESCOPE_BYTES(8, 32, 16, signed char, "s8", 1, 4)
LANESCOPE_BYTES(8, 32, 16, unsigned char, "u8", 1, 4)
LANESCOPE_BRAINS(16, 16, 16, 4, 4)
LANESCOPE_BRAINS(32, 8, 16, 8, 2)
LANESCOPE_BRAINS(8, 32, 16, 2, 8)
LANESCOPE_FACTOR(matrix_a, "a", 16, 16, 8, precision::tf32, "tf32", 4, r, 4)
LANESCOPE_FACTOR(matrix_b, "b", 16, 16, 8, precision::tf32, "tf32", 4, r, 4)
LANESCOPE_SUM(16, 16, 8, float, "f32", 8, f, 8)
LANESCOPE_LAYOUTS(LANESCOPE_PRODUCT_OF, 16, 16, 8, float, precision::tf32, float, "f32.tf32.tf32.f32", f, 8, r, 4, 4, f,
                  8)
LANESCOPE_FACTOR(matrix_a, "a", 8, 8, 4, double, "f64", 1, d, 1)
LANESCOPE_FACTOR(matrix_b, "b", 8, 8, 4, double, "f64", 1, d, 1)
LANESCOPE_SUM(8, 8, 4, double, "f64", 2, d, 2)
LANESCOPE_LAYOUTS(LANESCOPE_PRODUCT_OF, 8, 8, 4, double, double, double, "f64.f64.f64.f64", d, 2, d, 1, 1, d, 2)
} // namespace wmma
} // namespace nvcuda
#endif
