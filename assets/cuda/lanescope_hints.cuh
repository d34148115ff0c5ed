// Loads and stores with a hint for the caches: __ldcg, __stcs and so on. A hint changes no result, but it decides which
// cache keeps the line, and `--caches model` counts by it. Elements of other sizes than 1, 2, 4, 8 and 16 bytes are
// accessed without a hint.
#ifndef LANESCOPE_HINTS_CUH
#define LANESCOPE_HINTS_CUH

template <typename T> struct lanescope_same { // a value of it does not decide what T is
    typedef T type;
};

#define LANESCOPE_LOAD(NAME, PTX)                                                                                      \
    template <typename T> LANESCOPE_FN T NAME(const T *place)                                                          \
    {                                                                                                                  \
        unsigned n[4];                                                                                                 \
        unsigned long long wide;                                                                                       \
        unsigned short half;                                                                                           \
        T v;                                                                                                           \
        switch (sizeof(T)) {                                                                                           \
        case 1:                                                                                                        \
            asm volatile(PTX ".b8 %0, [%1];" : "=h"(half) : "l"(place) : "memory");                                    \
            __builtin_memcpy(&v, &half, 1);                                                                            \
            return v;                                                                                                  \
        case 2:                                                                                                        \
            asm volatile(PTX ".b16 %0, [%1];" : "=h"(half) : "l"(place) : "memory");                                   \
            __builtin_memcpy(&v, &half, LANESCOPE_WITHIN(T, half));                                                    \
            return v;                                                                                                  \
        case 4:                                                                                                        \
            asm volatile(PTX ".b32 %0, [%1];" : "=r"(n[0]) : "l"(place) : "memory");                                   \
            __builtin_memcpy(&v, &n[0], LANESCOPE_WITHIN(T, n[0]));                                                    \
            return v;                                                                                                  \
        case 8:                                                                                                        \
            asm volatile(PTX ".b64 %0, [%1];" : "=l"(wide) : "l"(place) : "memory");                                   \
            __builtin_memcpy(&v, &wide, LANESCOPE_WITHIN(T, wide));                                                    \
            return v;                                                                                                  \
        case 16:                                                                                                       \
            asm volatile(PTX ".v4.b32 {%0, %1, %2, %3}, [%4];"                                                         \
                         : "=r"(n[0]), "=r"(n[1]), "=r"(n[2]), "=r"(n[3])                                              \
                         : "l"(place)                                                                                  \
                         : "memory");                                                                                  \
            __builtin_memcpy(&v, n, LANESCOPE_WITHIN(T, n));                                                           \
            return v;                                                                                                  \
        default:                                                                                                       \
            return *place;                                                                                             \
        }                                                                                                              \
    }
#define LANESCOPE_WITHIN(T, from) (sizeof(T) < sizeof(from) ? sizeof(T) : sizeof(from))
LANESCOPE_LOAD(__ldcg, "ld.global.cg")
LANESCOPE_LOAD(__ldcs, "ld.global.cs")
LANESCOPE_LOAD(__ldlu, "ld.global.lu")
LANESCOPE_LOAD(__ldcv, "ld.global.cv")
#undef LANESCOPE_LOAD

#define LANESCOPE_STORE(NAME, PTX)                                                                                     \
    template <typename T> LANESCOPE_FN void NAME(T *place, typename lanescope_same<T>::type v)                         \
    {                                                                                                                  \
        unsigned n[4];                                                                                                 \
        unsigned long long wide;                                                                                       \
        unsigned short half = 0;                                                                                       \
        switch (sizeof(T)) {                                                                                           \
        case 1:                                                                                                        \
            __builtin_memcpy(&half, &v, 1);                                                                            \
            asm volatile(PTX ".b8 [%0], %1;" ::"l"(place), "h"(half) : "memory");                                      \
            break;                                                                                                     \
        case 2:                                                                                                        \
            __builtin_memcpy(&half, &v, LANESCOPE_WITHIN(T, half));                                                    \
            asm volatile(PTX ".b16 [%0], %1;" ::"l"(place), "h"(half) : "memory");                                     \
            break;                                                                                                     \
        case 4:                                                                                                        \
            __builtin_memcpy(&n[0], &v, LANESCOPE_WITHIN(T, n[0]));                                                    \
            asm volatile(PTX ".b32 [%0], %1;" ::"l"(place), "r"(n[0]) : "memory");                                     \
            break;                                                                                                     \
        case 8:                                                                                                        \
            __builtin_memcpy(&wide, &v, LANESCOPE_WITHIN(T, wide));                                                    \
            asm volatile(PTX ".b64 [%0], %1;" ::"l"(place), "l"(wide) : "memory");                                     \
            break;                                                                                                     \
        case 16:                                                                                                       \
            __builtin_memcpy(n, &v, LANESCOPE_WITHIN(T, n));                                                           \
            asm volatile(PTX ".v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(place), "r"(n[0]), "r"(n[1]), "r"(n[2]),          \
                         "r"(n[3])                                                                                     \
                         : "memory");                                                                                  \
            break;                                                                                                     \
        default:                                                                                                       \
            *place = v;                                                                                                \
        }                                                                                                              \
    }
LANESCOPE_STORE(__stcg, "st.global.cg")
LANESCOPE_STORE(__stcs, "st.global.cs")
LANESCOPE_STORE(__stwt, "st.global.wt")
#undef LANESCOPE_STORE
#undef LANESCOPE_WITHIN

// What loads and stores do without a hint.
template <typename T> LANESCOPE_FN T __ldg(const T *place)
{
    return *place;
}
template <typename T> LANESCOPE_FN T __ldca(const T *place)
{
    return *place;
}
template <typename T> LANESCOPE_FN void __stwb(T *place, typename lanescope_same<T>::type v)
{
    *place = v;
}
#endif
