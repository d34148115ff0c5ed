// Atomic functions. Those with _block and _system order memory among the threads of a block or of the whole machine.
#pragma once
#define LANESCOPE_INT ((volatile int *)place)
#define LANESCOPE_LONG ((volatile long long *)place)
#define LANESCOPE_ATOMIC(NAME, T, CALL)                                                                                \
    LANESCOPE_FN T NAME(T *place, T v)                                                                                 \
    {                                                                                                                  \
        return (T)CALL;                                                                                                \
    }
#define LANESCOPE_ATOMIC_CAS(NAME, T, CALL)                                                                            \
    LANESCOPE_FN T NAME(T *place, T expected, T v)                                                                     \
    {                                                                                                                  \
        return (T)CALL;                                                                                                \
    }
// SUFFIX: of the function's name; SCOPE: of the compiler's.
#define LANESCOPE_ATOMICS(SUFFIX, SCOPE)                                                                               \
    LANESCOPE_ATOMIC(atomicAdd##SUFFIX, int, __nvvm_atom_##SCOPE##add_gen_i(LANESCOPE_INT, v))                         \
    LANESCOPE_ATOMIC(atomicAdd##SUFFIX, unsigned, __nvvm_atom_##SCOPE##add_gen_i(LANESCOPE_INT, (int)v))               \
    LANESCOPE_ATOMIC(atomicAdd##SUFFIX, unsigned long long,                                                            \
                     __nvvm_atom_##SCOPE##add_gen_ll(LANESCOPE_LONG, (long long)v))                                    \
    LANESCOPE_ATOMIC(atomicAdd##SUFFIX, float, __nvvm_atom_##SCOPE##add_gen_f(place, v))                               \
    LANESCOPE_ATOMIC(atomicSub##SUFFIX, int, __nvvm_atom_##SCOPE##add_gen_i(LANESCOPE_INT, -v))                        \
    LANESCOPE_ATOMIC(atomicSub##SUFFIX, unsigned, __nvvm_atom_##SCOPE##add_gen_i(LANESCOPE_INT, -(int)v))              \
    LANESCOPE_ATOMIC(atomicExch##SUFFIX, int, __nvvm_atom_##SCOPE##xchg_gen_i(LANESCOPE_INT, v))                       \
    LANESCOPE_ATOMIC(atomicExch##SUFFIX, unsigned, __nvvm_atom_##SCOPE##xchg_gen_i(LANESCOPE_INT, (int)v))             \
    LANESCOPE_ATOMIC(atomicExch##SUFFIX, unsigned long long,                                                           \
                     __nvvm_atom_##SCOPE##xchg_gen_ll(LANESCOPE_LONG, (long long)v))                                   \
    LANESCOPE_FN float atomicExch##SUFFIX(float *place, float v)                                                       \
    {                                                                                                                  \
        return __int_as_float(__nvvm_atom_##SCOPE##xchg_gen_i(LANESCOPE_INT, __float_as_int(v)));                      \
    }                                                                                                                  \
    LANESCOPE_ATOMIC(atomicMin##SUFFIX, int, __nvvm_atom_##SCOPE##min_gen_i(LANESCOPE_INT, v))                         \
    LANESCOPE_ATOMIC(atomicMin##SUFFIX, unsigned, __nvvm_atom_##SCOPE##min_gen_ui(place, v))                           \
    LANESCOPE_ATOMIC(atomicMin##SUFFIX, long long, __nvvm_atom_##SCOPE##min_gen_ll(LANESCOPE_LONG, v))                 \
    LANESCOPE_ATOMIC(atomicMin##SUFFIX, unsigned long long, __nvvm_atom_##SCOPE##min_gen_ull(place, v))                \
    LANESCOPE_ATOMIC(atomicMax##SUFFIX, int, __nvvm_atom_##SCOPE##max_gen_i(LANESCOPE_INT, v))                         \
    LANESCOPE_ATOMIC(atomicMax##SUFFIX, unsigned, __nvvm_atom_##SCOPE##max_gen_ui(place, v))                           \
    LANESCOPE_ATOMIC(atomicMax##SUFFIX, long long, __nvvm_atom_##SCOPE##max_gen_ll(LANESCOPE_LONG, v))                 \
    LANESCOPE_ATOMIC(atomicMax##SUFFIX, unsigned long long, __nvvm_atom_##SCOPE##max_gen_ull(place, v))                \
    LANESCOPE_ATOMIC(atomicInc##SUFFIX, unsigned, __nvvm_atom_##SCOPE##inc_gen_ui(place, v))                           \
    LANESCOPE_ATOMIC(atomicDec##SUFFIX, unsigned, __nvvm_atom_##SCOPE##dec_gen_ui(place, v))                           \
    LANESCOPE_ATOMIC(atomicAnd##SUFFIX, int, __nvvm_atom_##SCOPE##and_gen_i(LANESCOPE_INT, v))                         \
    LANESCOPE_ATOMIC(atomicAnd##SUFFIX, unsigned, __nvvm_atom_##SCOPE##and_gen_i(LANESCOPE_INT, (int)v))               \
    LANESCOPE_ATOMIC(atomicAnd##SUFFIX, unsigned long long,                                                            \
                     __nvvm_atom_##SCOPE##and_gen_ll(LANESCOPE_LONG, (long long)v))                                    \
    LANESCOPE_ATOMIC(atomicOr##SUFFIX, int, __nvvm_atom_##SCOPE##or_gen_i(LANESCOPE_INT, v))                           \
    LANESCOPE_ATOMIC(atomicOr##SUFFIX, unsigned, __nvvm_atom_##SCOPE##or_gen_i(LANESCOPE_INT, (int)v))                 \
    LANESCOPE_ATOMIC(atomicOr##SUFFIX, unsigned long long,                                                             \
                     __nvvm_atom_##SCOPE##or_gen_ll(LANESCOPE_LONG, (long long)v))                                     \
    LANESCOPE_ATOMIC(atomicXor##SUFFIX, int, __nvvm_atom_##SCOPE##xor_gen_i(LANESCOPE_INT, v))                         \
    LANESCOPE_ATOMIC(atomicXor##SUFFIX, unsigned, __nvvm_atom_##SCOPE##xor_gen_i(LANESCOPE_INT, (int)v))               \
    LANESCOPE_ATOMIC(atomicXor##SUFFIX, unsigned long long,                                                            \
                     __nvvm_atom_##SCOPE##xor_gen_ll(LANESCOPE_LONG, (long long)v))                                    \
    LANESCOPE_ATOMIC_CAS(atomicCAS##SUFFIX, int, __nvvm_atom_##SCOPE##cas_gen_i(LANESCOPE_INT, expected, v))           \
    LANESCOPE_ATOMIC_CAS(atomicCAS##SUFFIX, unsigned,                                                                  \
                         __nvvm_atom_##SCOPE##cas_gen_i(LANESCOPE_INT, (int)expected, (int)v))                         \
    LANESCOPE_ATOMIC_CAS(atomicCAS##SUFFIX, unsigned long long,                                                        \
                         __nvvm_atom_##SCOPE##cas_gen_ll(LANESCOPE_LONG, (long long)expected, (long long)v))
LANESCOPE_ATOMICS(, )
#if LANESCOPE_ARCH >= 600
LANESCOPE_ATOMICS(_block, cta_)
LANESCOPE_ATOMICS(_system, sys_)
LANESCOPE_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d(place, v))
LANESCOPE_ATOMIC(atomicAdd_block, double, __nvvm_atom_cta_add_gen_d(place, v))
LANESCOPE_ATOMIC(atomicAdd_system, double, __nvvm_atom_sys_add_gen_d(place, v))
#endif
#if LANESCOPE_ARCH >= 700
LANESCOPE_FN unsigned short atomicCAS(unsigned short *place, unsigned short expected, unsigned short v)
{
    unsigned short before;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(before) : "l"(place), "h"(expected), "h"(v) : "memory");
    return before;
}
#endif
// Of a type with 16 bytes that is aligned to 16. clang has no register of 128 bits, PTX for sm_90 has (see unit.c).
#define LANESCOPE_ATOMICS_WIDE(SUFFIX, SCOPE)                                                                          \
    template <typename T> LANESCOPE_FN lanescope_wide<T> atomicExch##SUFFIX(T *place, T v)                             \
    {                                                                                                                  \
        unsigned long long n[2];                                                                                       \
        __builtin_memcpy(n, &v, sizeof v);                                                                             \
        asm volatile("{.reg .b128 n, o; mov.b128 n, {%3, %4}; atom" SCOPE ".exch.b128 o, [%2], n; "                    \
                     "mov.b128 {%0, %1}, o;}"                                                                          \
                     : "=l"(n[0]), "=l"(n[1])                                                                          \
                     : "l"(place), "l"(n[0]), "l"(n[1])                                                                \
                     : "memory");                                                                                      \
        __builtin_memcpy(&v, n, sizeof v);                                                                             \
        return v;                                                                                                      \
    }                                                                                                                  \
    template <typename T> LANESCOPE_FN lanescope_wide<T> atomicCAS##SUFFIX(T *place, T expected, T v)                  \
    {                                                                                                                  \
        unsigned long long e[2], n[2];                                                                                 \
        __builtin_memcpy(e, &expected, sizeof v);                                                                      \
        __builtin_memcpy(n, &v, sizeof v);                                                                             \
        asm volatile("{.reg .b128 e, n, o; mov.b128 e, {%3, %4}; mov.b128 n, {%5, %6}; "                               \
                     "atom" SCOPE ".cas.b128 o, [%2], e, n; mov.b128 {%0, %1}, o;}"                                    \
                     : "=l"(n[0]), "=l"(n[1])                                                                          \
                     : "l"(place), "l"(e[0]), "l"(e[1]), "l"(n[0]), "l"(n[1])                                          \
                     : "memory");                                                                                      \
        __builtin_memcpy(&v, n, sizeof v);                                                                             \
        return v;                                                                                                      \
    }
template <typename T, bool Fits> struct lanescope_fitting {
};
template <typename T> struct lanescope_fitting<T, true> {
    using type = T;
};
template <typename T> using lanescope_wide = typename lanescope_fitting<T, sizeof(T) == 16 && alignof(T) == 16>::type;
LANESCOPE_ATOMICS_WIDE(, "")
LANESCOPE_ATOMICS_WIDE(_block, ".cta")
LANESCOPE_ATOMICS_WIDE(_system, ".sys")
#undef LANESCOPE_ATOMICS_WIDE
// Each part is one atomic operation, the whole is none, as on sm_90.
LANESCOPE_FN float2 atomicAdd(float2 *place, float2 v)
{
    float2 before;
    before.x = atomicAdd(&place->x, v.x);
    before.y = atomicAdd(&place->y, v.y);
    return before;
}
LANESCOPE_FN float4 atomicAdd(float4 *place, float4 v)
{
    float4 before;
    before.x = atomicAdd(&place->x, v.x);
    before.y = atomicAdd(&place->y, v.y);
    before.z = atomicAdd(&place->z, v.z);
    before.w = atomicAdd(&place->w, v.w);
    return before;
}
#undef LANESCOPE_ATOMICS
#undef LANESCOPE_ATOMIC_CAS
#undef LANESCOPE_ATOMIC
#undef LANESCOPE_INT
#undef LANESCOPE_LONG
