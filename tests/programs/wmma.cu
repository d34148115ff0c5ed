// Products of matrices by a warp (mma.h), each form against a plain product of the same numbers.
#include <cstdio>
#include <mma.h>
using namespace nvcuda;

template <class T> struct number { // as the host writes the elements
    typedef T type;
};
template <> struct number<wmma::precision::tf32> {
    typedef float type;
};

template <int m, int n, int k, class T, class S, class LA, class LB>
__global__ void product(S *d, const typename number<T>::type *a, const typename number<T>::type *b, const S *c,
                        wmma::layout_t layout)
{
    bool const by_rows = layout == wmma::mem_row_major;
    wmma::fragment<wmma::matrix_a, m, n, k, T, LA> left;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LB> right;
    wmma::fragment<wmma::accumulator, m, n, k, S> sum, start;
    wmma::load_matrix_sync(left, a, std::is_same<LA, wmma::row_major>::value ? k : m);
    wmma::load_matrix_sync(right, b, std::is_same<LB, wmma::row_major>::value ? n : k);
    wmma::load_matrix_sync(start, c, by_rows ? n : m, layout);
    wmma::fill_fragment(sum, S(1));
    for (int i = 0; i < sum.num_elements; i++)
        start.x[i] = start.x[i] + sum.x[i];
    wmma::mma_sync(sum, left, right, start);
    wmma::store_matrix_sync(d, sum, by_rows ? n : m, layout);
}

static float value(int i)
{
    return i * 7 % 11;
}

template <int m, int n, int k, class T, class S, class LA, class LB> void check(const char *name)
{
    typedef typename number<T>::type element;
    bool const a_rows = std::is_same<LA, wmma::row_major>::value, b_rows = std::is_same<LB, wmma::row_major>::value;
    element *a, *b;
    S *c, *d;
    cudaMallocManaged(&a, m * k * sizeof *a);
    cudaMallocManaged(&b, k * n * sizeof *b);
    cudaMallocManaged(&c, m * n * sizeof *c);
    cudaMallocManaged(&d, m * n * sizeof *d);
    int wrong = 0;
    for (int turn = 0; turn < 2; turn++) { // the sums by rows, then by columns
        for (int i = 0; i < m * k; i++)
            a[i] = (element)value(i);
        for (int i = 0; i < k * n; i++)
            b[i] = (element)value(i + 3);
        for (int i = 0; i < m * n; i++)
            c[i] = (S)value(i + 5);
        product<m, n, k, T, S, LA, LB><<<1, 32>>>(d, a, b, c, turn ? wmma::mem_col_major : wmma::mem_row_major);
        cudaDeviceSynchronize();
        for (int row = 0; row < m; row++)
            for (int column = 0; column < n; column++) {
                int const at = turn ? column * m + row : row * n + column;
                double sum = (double)c[at] + 1;
                for (int i = 0; i < k; i++)
                    sum += (double)a[a_rows ? row * k + i : i * m + row] *
                           (double)b[b_rows ? i * n + column : column * k + i];
                wrong += (double)d[at] != sum;
            }
    }
    printf("%s: %d of %d wrong\n", name, wrong, 2 * m * n);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
}
#define CHECK(m, n, k, T, S)                                                                                           \
    check<m, n, k, T, S, wmma::row_major, wmma::col_major>("m" #m "n" #n "k" #k " " #T " " #S);                        \
    check<m, n, k, T, S, wmma::col_major, wmma::row_major>("m" #m "n" #n "k" #k " " #T " " #S " turned");
#define SHAPES(T, S) CHECK(16, 16, 16, T, S) CHECK(32, 8, 16, T, S) CHECK(8, 32, 16, T, S)

__global__ void mixed(float *d, const half *a, const unsigned char *bytes, int *limits)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> wide;
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, a, 16);
    wmma::fill_fragment(sum, 0.5f);
    wmma::mma_sync(wide, left, right, sum);
    wmma::mma_sync(sum, left, right, wide);
    wmma::mma_sync(wide, left, right, sum);
    wmma::store_matrix_sync(d, wide, 16, wmma::mem_row_major);
    wmma::fragment<wmma::matrix_a, 16, 16, 16, unsigned char, wmma::row_major> up;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, unsigned char, wmma::col_major> down;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> whole;
    wmma::load_matrix_sync(up, bytes, 16);
    wmma::load_matrix_sync(down, bytes, 16);
    wmma::fill_fragment(whole, 2147483647);
    wmma::mma_sync(whole, up, down, whole, true);
    wmma::store_matrix_sync(limits, whole, 16, wmma::mem_row_major);
}

int main()
{
    SHAPES(half, float)
    SHAPES(half, half)
    SHAPES(__nv_bfloat16, float)
    SHAPES(signed char, int)
    SHAPES(unsigned char, int)
    CHECK(16, 16, 8, wmma::precision::tf32, float)
    CHECK(8, 8, 4, double, double)
    float *d;
    half *a;
    unsigned char *bytes;
    int *limits;
    cudaMallocManaged(&d, 256 * sizeof *d);
    cudaMallocManaged(&a, 256 * sizeof *a);
    cudaMallocManaged(&bytes, 256);
    cudaMallocManaged(&limits, 256 * sizeof *limits);
    for (int i = 0; i < 256; i++)
        a[i] = i / 16 == i % 16, bytes[i] = 1;
    mixed<<<1, 32>>>(d, a, bytes, limits);
    cudaDeviceSynchronize();
    printf("mixed sums: %g on the diagonal, %g beside it; a sum with a limit: %d\n", d[17], d[18], limits[100]);
    cudaFree(d);
    cudaFree(a);
    cudaFree(bytes);
    cudaFree(limits);
}
