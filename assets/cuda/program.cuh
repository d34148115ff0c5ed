// Included before every file of a whole program, in both halves: CUDA C's device functions from prelude.cuh, then the C++
// library's headers, then the runtime API. The device functions come first, so that std::sin in a kernel is the
// device's sin: <cmath> takes both into its namespace.
#pragma once
#define LANESCOPE_PROGRAM 1
// What nvcc defines, in the version that belongs to CUDART_VERSION.
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#include "prelude.cuh"
namespace std {
#define LANESCOPE_USE(NAME) using ::NAME;
LANESCOPE_USE(fabs)
LANESCOPE_USE(floor)
LANESCOPE_USE(ceil)
LANESCOPE_USE(trunc)
LANESCOPE_USE(rint)
LANESCOPE_USE(nearbyint)
LANESCOPE_USE(sqrt)
LANESCOPE_USE(fma)
LANESCOPE_USE(fmin)
LANESCOPE_USE(fmax)
LANESCOPE_USE(copysign)
LANESCOPE_USE(round)
LANESCOPE_USE(lround)
LANESCOPE_USE(ldexp)
LANESCOPE_USE(exp)
LANESCOPE_USE(exp2)
LANESCOPE_USE(expm1)
LANESCOPE_USE(log)
LANESCOPE_USE(log2)
LANESCOPE_USE(log10)
LANESCOPE_USE(log1p)
LANESCOPE_USE(pow)
LANESCOPE_USE(sin)
LANESCOPE_USE(cos)
LANESCOPE_USE(tan)
LANESCOPE_USE(asin)
LANESCOPE_USE(acos)
LANESCOPE_USE(atan)
LANESCOPE_USE(atan2)
LANESCOPE_USE(sinh)
LANESCOPE_USE(cosh)
LANESCOPE_USE(tanh)
LANESCOPE_USE(cbrt)
LANESCOPE_USE(hypot)
LANESCOPE_USE(fmod)
LANESCOPE_USE(erf)
LANESCOPE_USE(erfc)
LANESCOPE_USE(lgamma)
LANESCOPE_USE(tgamma)
LANESCOPE_USE(acosh)
LANESCOPE_USE(asinh)
LANESCOPE_USE(atanh)
LANESCOPE_USE(fdim)
LANESCOPE_USE(frexp)
LANESCOPE_USE(modf)
LANESCOPE_USE(ilogb)
LANESCOPE_USE(logb)
LANESCOPE_USE(scalbn)
LANESCOPE_USE(scalbln)
LANESCOPE_USE(nextafter)
LANESCOPE_USE(remainder)
LANESCOPE_USE(remquo)
LANESCOPE_USE(lrint)
LANESCOPE_USE(llrint)
LANESCOPE_USE(llround)
LANESCOPE_USE(abs)
#undef LANESCOPE_USE
} // namespace std
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <math.h>
// gcc knows a whole number's std::ceil and std::floor while it compiles, nvcc knows std::ceil; for clang they are calls.
namespace std {
#define LANESCOPE_WHOLE(TYPE)                                                                                          \
    __attribute__((host, device)) constexpr double ceil(TYPE x) { return static_cast<double>(x); }                     \
    __attribute__((host, device)) constexpr double floor(TYPE x) { return static_cast<double>(x); }
LANESCOPE_WHOLE(int)
LANESCOPE_WHOLE(unsigned)
LANESCOPE_WHOLE(long)
LANESCOPE_WHOLE(unsigned long)
LANESCOPE_WHOLE(long long)
LANESCOPE_WHOLE(unsigned long long)
#undef LANESCOPE_WHOLE
} // namespace std
#include "lanescope_cuda_math.cuh"
#include "program/cuda_runtime.h"
// assert of the C library: the message, and a fault of the kernel.
extern "C" __device__ __attribute__((noreturn, always_inline, nodebug)) inline void
__assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    __assertfail(text, file, line, function, 1);
    __builtin_unreachable();
}

#ifdef __CUDA_ARCH__
// What the table of virtual functions has in the place of a pure one: ptxas takes no address of what is only declared.
extern "C" __device__ __attribute__((nodebug)) inline void __cxa_pure_virtual()
{
    __trap();
}
#endif

#include <new> // clang has new and delete for kernels beside it

// ---- managed variables ----
#ifndef __CUDA_ARCH__
extern "C" {
void lanescope_managed_variables(const char *begin, const char *end);
extern const char __start_lanescope_managed[] __attribute__((weak, visibility("hidden")));
extern const char __stop_lanescope_managed[] __attribute__((weak, visibility("hidden")));
}
static __attribute__((constructor(101), used)) void lanescope_tell_managed_variables()
{
    lanescope_managed_variables(__start_lanescope_managed, __stop_lanescope_managed);
}
#endif
