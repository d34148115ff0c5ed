// Needs sm_80
// The same product as in fragments.cu, in the words of CUDA C++: fragments of 16 by 16, whose place in the registers is
// not known to the program.
#include <mma.h>
using namespace nvcuda;
#ifndef ROW
#define ROW 64
#endif

static __device__ void fill(half *tile, const float *from, int rows, int n)
{
    for (int i = threadIdx.x; i < rows * ROW / 2; i += blockDim.x) {
        int row = i / (ROW / 2), column = i % (ROW / 2) * 2;
        *(half2 *)&tile[row * ROW + column] = __float22half2_rn(*(const float2 *)&from[row * n + column]);
    }
}

extern "C" __global__ void wmma_straight(float *c, const float *a, const float *b, int n)
{
    __shared__ __align__(128) half a_tile[64 * ROW], b_tile[ROW * ROW];
    int warp = threadIdx.x / 32, top = warp / 2 * 16, left = warp % 2 * (ROW / 2);
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[ROW / 32];
    for (int j = 0; j < ROW / 32; j++)
        wmma::fill_fragment(sum[j], 0);
    for (int first = 0; first < n; first += ROW) {
        fill(a_tile, &a[blockIdx.y * 64 * n + first], 64, n);
        fill(b_tile, &b[first * n + blockIdx.x * ROW], ROW, n);
        __syncthreads();
        for (int k = 0; k < ROW; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_part;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b_part;
            wmma::load_matrix_sync(a_part, &a_tile[top * ROW + k], ROW);
            for (int j = 0; j < ROW / 32; j++) {
                wmma::load_matrix_sync(b_part, &b_tile[k * ROW + left + j * 16], ROW);
                wmma::mma_sync(sum[j], a_part, b_part, sum[j]);
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < ROW / 32; j++)
        wmma::store_matrix_sync(&c[(blockIdx.y * 64 + top) * n + blockIdx.x * ROW + left + j * 16], sum[j], n,
                                wmma::mem_row_major);
}
