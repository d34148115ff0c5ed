// The types of CUDA C for files that a plain C or C++ compiler sees: vectors and dim3, and the qualifiers as nothing.
#pragma once
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define LANESCOPE_PLAIN(T, NAME, ALIGN2, ALIGN4)                                                                       \
    typedef struct {                                                                                                   \
        T x;                                                                                                           \
    } NAME##1;                                                                                                         \
    typedef struct __attribute__((aligned(ALIGN2))) {                                                                  \
        T x, y;                                                                                                        \
    } NAME##2;                                                                                                         \
    typedef struct {                                                                                                   \
        T x, y, z;                                                                                                     \
    } NAME##3;                                                                                                         \
    typedef struct __attribute__((aligned(ALIGN4))) {                                                                  \
        T x, y, z, w;                                                                                                  \
    } NAME##4;                                                                                                         \
    static inline NAME##2 make_##NAME##2(T x, T y)                                                                     \
    {                                                                                                                  \
        NAME##2 const v = {x, y};                                                                                      \
        return v;                                                                                                      \
    }                                                                                                                  \
    static inline NAME##3 make_##NAME##3(T x, T y, T z)                                                                \
    {                                                                                                                  \
        NAME##3 const v = {x, y, z};                                                                                   \
        return v;                                                                                                      \
    }                                                                                                                  \
    static inline NAME##4 make_##NAME##4(T x, T y, T z, T w)                                                           \
    {                                                                                                                  \
        NAME##4 const v = {x, y, z, w};                                                                                \
        return v;                                                                                                      \
    }
LANESCOPE_PLAIN(signed char, char, 2, 4)
LANESCOPE_PLAIN(unsigned char, uchar, 2, 4)
LANESCOPE_PLAIN(short, short, 4, 8)
LANESCOPE_PLAIN(unsigned short, ushort, 4, 8)
LANESCOPE_PLAIN(int, int, 8, 16)
LANESCOPE_PLAIN(unsigned int, uint, 8, 16)
LANESCOPE_PLAIN(long, long, 16, 16)
LANESCOPE_PLAIN(unsigned long, ulong, 16, 16)
LANESCOPE_PLAIN(long long, longlong, 16, 16)
LANESCOPE_PLAIN(unsigned long long, ulonglong, 16, 16)
LANESCOPE_PLAIN(float, float, 8, 16)
LANESCOPE_PLAIN(double, double, 16, 16)
#undef LANESCOPE_PLAIN
#ifdef __cplusplus
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
};
#else
typedef struct dim3 {
    unsigned x, y, z;
} dim3;
#endif
