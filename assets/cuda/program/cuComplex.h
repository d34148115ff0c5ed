// Complex numbers of C: cuFloatComplex, cuDoubleComplex and their functions, by cuComplex.h of the CUDA Toolkit.
#pragma once
#include "cuda_runtime.h"
#include <math.h>
#ifdef __cplusplus
#define LANESCOPE_COMPLEX static __inline__ __attribute__((always_inline, nodebug, device, host))
#ifndef __CUDACC__
#undef LANESCOPE_COMPLEX
#define LANESCOPE_COMPLEX static __inline__
#endif
#else
#define LANESCOPE_COMPLEX static __inline__
#endif
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
// Each function for both types. The quotient and the absolute value are scaled, so that nothing in between overflows.
#define LANESCOPE_COMPLEX_ALL(T, REAL, F, S, MAKE, ABS, SQRT)                                                          \
    LANESCOPE_COMPLEX REAL cuCreal##F(T x)                                                                             \
    {                                                                                                                  \
        return x.x;                                                                                                    \
    }                                                                                                                  \
    LANESCOPE_COMPLEX REAL cuCimag##F(T x)                                                                             \
    {                                                                                                                  \
        return x.y;                                                                                                    \
    }                                                                                                                  \
    LANESCOPE_COMPLEX T MAKE(REAL real, REAL imaginary)                                                                \
    {                                                                                                                  \
        T result;                                                                                                      \
        result.x = real;                                                                                               \
        result.y = imaginary;                                                                                          \
        return result;                                                                                                 \
    }                                                                                                                  \
    LANESCOPE_COMPLEX T cuConj##F(T x)                                                                                 \
    {                                                                                                                  \
        return MAKE(x.x, -x.y);                                                                                        \
    }                                                                                                                  \
    LANESCOPE_COMPLEX T cuCadd##F(T x, T y)                                                                            \
    {                                                                                                                  \
        return MAKE(x.x + y.x, x.y + y.y);                                                                             \
    }                                                                                                                  \
    LANESCOPE_COMPLEX T cuCsub##F(T x, T y)                                                                            \
    {                                                                                                                  \
        return MAKE(x.x - y.x, x.y - y.y);                                                                             \
    }                                                                                                                  \
    LANESCOPE_COMPLEX T cuCmul##F(T x, T y)                                                                            \
    {                                                                                                                  \
        return MAKE(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                                     \
    }                                                                                                                  \
    LANESCOPE_COMPLEX T cuCdiv##F(T x, T y)                                                                            \
    {                                                                                                                  \
        REAL const scale = 1 / (ABS(y.x) + ABS(y.y));                                                                  \
        REAL const a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale, over = 1 / (c * c + d * d);     \
        return MAKE((a * c + b * d) * over, (b * c - a * d) * over);                                                   \
    }                                                                                                                  \
    LANESCOPE_COMPLEX REAL cuCabs##F(T x)                                                                              \
    {                                                                                                                  \
        REAL const a = ABS(x.x), b = ABS(x.y), large = a > b ? a : b, small = a > b ? b : a;                           \
        REAL const ratio = small / large;                                                                              \
        return large == 0 || large > S || small > S ? a + b : large * SQRT(1 + ratio * ratio);                         \
    }                                                                                                                  \
    LANESCOPE_COMPLEX T cuCfma##F(T x, T y, T z)                                                                       \
    {                                                                                                                  \
        return MAKE(x.x * y.x + z.x - x.y * y.y, x.x * y.y + z.y + x.y * y.x);                                         \
    }
LANESCOPE_COMPLEX_ALL(cuFloatComplex, float, f, 3.402823466e38f, make_cuFloatComplex, fabsf, sqrtf)
LANESCOPE_COMPLEX_ALL(cuDoubleComplex, double, , 1.79769313486231570e+308, make_cuDoubleComplex, fabs, sqrt)
#undef LANESCOPE_COMPLEX_ALL
LANESCOPE_COMPLEX cuComplex make_cuComplex(float real, float imaginary)
{
    return make_cuFloatComplex(real, imaginary);
}
LANESCOPE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_cuDoubleComplex((double)x.x, (double)x.y);
}
LANESCOPE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return make_cuFloatComplex((float)x.x, (float)x.y);
}
#undef LANESCOPE_COMPLEX
