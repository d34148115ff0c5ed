_ZN4mine5inner1kEPNS0_4pairES1_
#define A B
#define B A + A + ((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))
#define N (1 << 62) / 0 + 99999999999999999999999999 % 0 - -9223372036854775807 >> 70
#if A && defined(N) || N > 3 ? 1 : 0
__shared__ float s[N][A];
#elif !0x1'000u
#else
#endif
typedef struct { int m[3]; struct k *next; } k;
extern "C" __global__ void k(float *x, // data
                             k (&y)[8], int n = sizeof(k))
{
    __shared__ k s[sizeof(k)];
    const int j = 4, i[j];
}
int main() { dim3 b(j, N); k<<<4, b>>>(x, y, 3); k<<<1, 32 * 2>>>(R"(a)"); }
