// Needs sm_80
// The swizzled product of fragments.cu with a mistake. A row of ROW halves in shared memory has pieces of 8 (16 bytes).
#ifndef ROW
#define ROW 64
#endif
#define PIECES (ROW / 8)

// Where piece `piece` of row `row` begins in shared memory.
static __device__ int place(int row, int piece) { return row * ROW + (piece ^ row % PIECES) * 8; }

// All threads of the block copy `rows` rows of a matrix into shared memory, four numbers at once.
static __device__ void fill(unsigned short *tile, const float *from, int rows, int n)
{
    for (int i = threadIdx.x; i < rows * ROW / 4; i += blockDim.x) {
        int row = i / (ROW / 4), column = i % (ROW / 4) * 4;
        float4 four = *(const float4 *)&from[row * n + column];
        uint2 halves;
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves.x) : "f"(four.y), "f"(four.x));
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves.y) : "f"(four.w), "f"(four.z));
        *(uint2 *)&tile[place(row, column / 8) + column % 8] = halves;
    }
}

#define FOUR(r) "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])

// Four matrices of 8 by 8 halves. Each lane gives the address of one row, and takes two halves of each matrix.
static __device__ void load_four(unsigned r[4], const unsigned short *tile, int row)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(tile + row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : FOUR(r) : "r"(at));
}

// d += a * b: 16 by 16 halves times 16 by 8, all of them in the registers of the warp.
static __device__ void multiply(float d[4], const unsigned a[4], const unsigned b[2])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void mma_another(float *c, const float *a, const float *b, int n)
{
    __shared__ __align__(128) unsigned short a_tile[64 * ROW], b_tile[ROW * ROW];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int top = warp / 2 * 16, left = warp % 2 * (ROW / 2); // of the warp's part of c
    float d[ROW / 16][4] = {};                             // 16 by 8 elements each
    for (int first = 0; first < n; first += ROW) {
        fill(a_tile, &a[blockIdx.y * 64 * n + first], 64, n);
        fill(b_tile, &b[first * n + blockIdx.x * ROW], ROW, n);
        __syncthreads();
        for (int k = 0; k < ROW; k += 16) {
            unsigned a_part[4], b_part[4];
            load_four(a_part, a_tile, place(top + lane % 16, k / 8 + lane / 16));
            for (int j = 0; j < ROW / 16; j += 2) {
                load_four(b_part, b_tile, place(k + lane % 16, left / 8 + j + lane / 16));
                multiply(d[j], a_part, b_part);
                multiply(d[j + 1], a_part, b_part + 2);
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < ROW / 16; j++) {
        float *to = &c[(blockIdx.y * 64 + top + lane / 4) * n + blockIdx.x * ROW + left + j * 8 + lane % 4 * 2];
        *(float2 *)to = make_float2(d[j][0], d[j][1]);
        *(float2 *)(to + 8 * n) = make_float2(d[j][2], d[j][3]);
    }
}
