/* Products of matrices whose elements have a type of their own: halves and bfloat16 become floats, the product and its
 * sums are made in float, and the result is rounded once. A GPU that sums in halves rounds every sum. */
#include "cublas/cublas.h"
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cudaDataType and cublasComputeType_t, by NVIDIA's interface. */
enum { TYPE_F32 = 0, TYPE_F64 = 1, TYPE_F16 = 2, TYPE_BF16 = 14 };
enum {
    COMPUTE_F16 = 64,
    COMPUTE_F16_PEDANTIC,
    COMPUTE_F32 = 68,
    COMPUTE_F32_PEDANTIC,
    COMPUTE_F64,
    COMPUTE_F64_PEDANTIC
};
enum { FAST_F16 = 74, FAST_BF16, FAST_TF32 = 77 };

struct factor {
    const char *name;
    const void *memory;
    int operation, rows, columns, leading; /* as it lies in memory */
    long long apart;                       /* elements to that of the next product */
};
struct products {
    int m, n, k, count;
    int from, to, compute; /* types of A and B, of C, and of the sums */
    struct factor a, b, c;
    const void *alpha, *beta;
};

static size_t size_of(int type)
{
    return type == TYPE_F64 ? 8 : type == TYPE_F32 ? 4 : 2;
}

static float power(int exponent)
{
    uint32_t const bits = (uint32_t)(exponent + 127) << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_of_half(uint16_t half)
{
    int const exponent = half >> 10 & 31, fraction = half & 1023;
    uint32_t const special = 0x7f800000u | (uint32_t)fraction << 13;
    float value;
    if (exponent == 31)
        memcpy(&value, &special, sizeof value);
    else
        value = exponent ? (float)(fraction + 1024) * power(exponent - 25) : (float)fraction * power(-24);
    return half >> 15 ? -value : value;
}

/* Returns `value >> shift`, rounded to the nearest, ties to even. */
static uint32_t rounded(uint32_t value, uint32_t shift)
{
    uint32_t const half = 1u << (shift - 1), rest = value & ((1u << shift) - 1), whole = value >> shift;
    return whole + (rest > half || (rest == half && whole & 1));
}

static uint16_t half_of_float(float value)
{
    enum { INFINITE = 0x7f800000, NAN_OF_HALF = 0x7fff, INFINITE_HALF = 0x7c00, LEAST_NORMAL = 113, BEYOND = 143 };
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t const sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff, exponent = size >> 23;
    uint32_t const fraction = (size & 0x7fffff) | 0x800000;
    if (size > INFINITE)
        return NAN_OF_HALF;
    if (exponent >= BEYOND)
        return (uint16_t)(sign | INFINITE_HALF);
    if (exponent < LEAST_NORMAL - 11)
        return (uint16_t)sign;
    if (exponent < LEAST_NORMAL)
        return (uint16_t)(sign | rounded(fraction, 126 - exponent));
    return (uint16_t)(sign | (((exponent - LEAST_NORMAL) << 10) + rounded(fraction, 13)));
}

static uint16_t bfloat_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(value != value ? 0x7fff : rounded(bits, 16));
}

static float float_of(int type, const void *at, size_t i)
{
    uint16_t half;
    float value;
    if (type == TYPE_F32) {
        memcpy(&value, (const char *)at + 4 * i, sizeof value);
        return value;
    }
    memcpy(&half, (const char *)at + 2 * i, sizeof half);
    if (type == TYPE_F16)
        return float_of_half(half);
    uint32_t const bits = (uint32_t)half << 16;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Packed floats of a packed matrix; of floats the matrix itself. */
static float *floats_of(struct blas *blas, int type, void *packed, int64_t count)
{
    float *floats = type == TYPE_F32 ? packed : blas_room(blas, sizeof *floats, count);
    for (size_t i = 0; type != TYPE_F32 && !blas->status && i < (size_t)count; i++)
        floats[i] = float_of(type, packed, i);
    return floats;
}

static void round_to(int type, const float *floats, uint16_t *packed, int64_t count)
{
    for (size_t i = 0; i < (size_t)count; i++)
        packed[i] = type == TYPE_F16 ? half_of_float(floats[i]) : bfloat_of_float(floats[i]);
}

/* The matrix of product `which`, at an address of the device. */
static void *memory_of(const struct factor *f, int type, int64_t which)
{
    return (void *)((uintptr_t)f->memory + (uintptr_t)f->apart * (uintptr_t)which * size_of(type));
}

static void *take(struct blas *blas, const struct factor *f, int type, int64_t which)
{
    return blas_take(blas, f->name, memory_of(f, type, which), size_of(type), f->rows, f->columns, f->leading);
}

static CBLAS_TRANSPOSE transposed(const struct factor *f)
{
    return f->operation == BLAS_N ? CblasNoTrans : CblasTrans;
}

static int at_least_1(int rows)
{
    return rows > 1 ? rows : 1;
}

static void product(struct blas *blas, const struct products *p, int64_t which, double scale, double keep)
{
    int64_t const results = (int64_t)p->m * p->n;
    void *a = take(blas, &p->a, p->from, which), *b = take(blas, &p->b, p->from, which);
    void *c = keep == 0 ? blas_room(blas, size_of(p->to), results) : take(blas, &p->c, p->to, which);
    int const a_by = at_least_1(p->a.rows), b_by = at_least_1(p->b.rows);
    if (p->from == TYPE_F64) {
        if (!blas->status)
            cblas_dgemm(CblasColMajor, transposed(&p->a), transposed(&p->b), p->m, p->n, p->k, scale, a, a_by, b, b_by,
                        keep, c, p->m);
    } else if (!blas->status) {
        const float *left = floats_of(blas, p->from, a, (int64_t)p->a.rows * p->a.columns);
        const float *right = floats_of(blas, p->from, b, (int64_t)p->b.rows * p->b.columns);
        float *sums = keep == 0 && p->to != TYPE_F32 ? blas_room(blas, sizeof *sums, results)
                                                     : floats_of(blas, p->to, c, results);
        if (!blas->status)
            cblas_sgemm(CblasColMajor, transposed(&p->a), transposed(&p->b), p->m, p->n, p->k, (float)scale, left, a_by,
                        right, b_by, (float)keep, sums, p->m);
        if (!blas->status && p->to != TYPE_F32)
            round_to(p->to, sums, c, results);
    }
    blas_give(blas, "C", memory_of(&p->c, p->to, which), size_of(p->to), p->m, p->n, p->c.leading, c);
    while (blas->count)
        free(blas->buffers[--blas->count]);
}

/* The type of alpha and beta, or -1: cuBLAS has no such product, or this library has none. */
static int type_of_scalars(const struct products *p)
{
    bool const narrow = p->from == TYPE_F16 || p->from == TYPE_BF16;
    switch (p->compute) {
    case COMPUTE_F16:
    case COMPUTE_F16_PEDANTIC:
        return p->from == TYPE_F16 && p->to == TYPE_F16 ? TYPE_F16 : -1;
    case COMPUTE_F32:
    case COMPUTE_F32_PEDANTIC:
        return (narrow && (p->to == p->from || p->to == TYPE_F32)) || (p->from == TYPE_F32 && p->to == TYPE_F32)
                   ? TYPE_F32
                   : -1;
    case FAST_F16:
    case FAST_BF16:
    case FAST_TF32:
        return p->from == TYPE_F32 && p->to == TYPE_F32 ? TYPE_F32 : -1;
    case COMPUTE_F64:
    case COMPUTE_F64_PEDANTIC:
        return p->from == TYPE_F64 && p->to == TYPE_F64 ? TYPE_F64 : -1;
    default:
        return -1;
    }
}

static double scalar(struct blas *blas, const char *name, const void *pointer, int type)
{
    double value = 0;
    char bytes[sizeof value] = "";
    blas_scalar(blas, name, pointer, size_of(type), bytes);
    if (type != TYPE_F64)
        return float_of(type, bytes, 0);
    memcpy(&value, bytes, sizeof value);
    return value;
}

static bool leads(const struct factor *f)
{
    return f->operation >= BLAS_N && f->operation <= BLAS_C && f->leading >= at_least_1(f->rows);
}

static int multiply(struct blas *blas, const char *name, struct products *p, int type_of_b)
{
    blas_require(blas,
                 p->m >= 0 && p->n >= 0 && p->k >= 0 && p->count >= 0 && leads(&p->a) && leads(&p->b) && leads(&p->c),
                 BLAS_INVALID_VALUE);
    int const scalars = p->from == type_of_b ? type_of_scalars(p) : -1;
    if (!blas->status && scalars < 0)
        fprintf(stderr, "lanescope: %s: the types of A %d, B %d, C %d with the compute type %d are not supported\n",
                name, p->from, type_of_b, p->to, p->compute);
    blas_require(blas, scalars >= 0, BLAS_NOT_SUPPORTED);
    if (blas->status)
        return blas_end(blas);
    double const scale = scalar(blas, "alpha", p->alpha, scalars), keep = scalar(blas, "beta", p->beta, scalars);
    for (int i = 0; !blas->status && p->m && p->n && i < p->count; i++)
        product(blas, p, i, scale, keep);
    return blas_end(blas);
}

static struct factor factor_of(const char *name, const void *memory, int operation, int rows, int columns, int leading,
                               long long apart)
{
    bool const plain = operation == BLAS_N;
    return (struct factor){name, memory, operation, plain ? rows : columns, plain ? columns : rows, leading, apart};
}

API int cublasGemmStridedBatchedEx(struct handle *handle, int a_operation, int b_operation, int m, int n, int k,
                                   const void *alpha, const void *a, int a_type, int a_by, long long a_apart,
                                   const void *b, int b_type, int b_by, long long b_apart, const void *beta, void *c,
                                   int c_type, int c_by, long long c_apart, int count, int compute, int algorithm)
{
    struct blas blas = blas_begin("cublasGemmStridedBatchedEx", __builtin_return_address(0), handle);
    struct products p = {m, n, k, count, a_type, c_type, compute, .alpha = alpha, .beta = beta};
    (void)algorithm;
    p.a = factor_of("A", a, a_operation, m, k, a_by, a_apart);
    p.b = factor_of("B", b, b_operation, k, n, b_by, b_apart);
    p.c = factor_of("C", c, BLAS_N, m, n, c_by, c_apart);
    return multiply(&blas, "cublasGemmStridedBatchedEx", &p, b_type);
}

API int cublasGemmEx(struct handle *handle, int a_operation, int b_operation, int m, int n, int k, const void *alpha,
                     const void *a, int a_type, int a_by, const void *b, int b_type, int b_by, const void *beta,
                     void *c, int c_type, int c_by, int compute, int algorithm)
{
    struct blas blas = blas_begin("cublasGemmEx", __builtin_return_address(0), handle);
    struct products p = {m, n, k, 1, a_type, c_type, compute, .alpha = alpha, .beta = beta};
    (void)algorithm;
    p.a = factor_of("A", a, a_operation, m, k, a_by, 0);
    p.b = factor_of("B", b, b_operation, k, n, b_by, 0);
    p.c = factor_of("C", c, BLAS_N, m, n, c_by, 0);
    return multiply(&blas, "cublasGemmEx", &p, b_type);
}
