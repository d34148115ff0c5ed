// Sums that read numbers more than once, a part of each sector at a time, or together with other blocks.

#define ROUNDS 4
#define LINE 32

// Each block adds up its own `count` floats of a, ROUNDS times over. They lie in lines of 128 bytes, `step` floats apart.
extern "C" __global__ void sum_again(float *out, const float *a, const float *b, int count, int step)
{
    const float *mine = a + (long long)blockIdx.x * (count / LINE) * step;
    float weight = b[threadIdx.x];
    float sum = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            sum += weight * mine[i / LINE * step + i % LINE];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// out[row] = the sum of a[row][k] * b[row][k]. Each thread takes a row.
extern "C" __global__ void rows_by_thread(float *out, const float *a, const float *b, int rows, int columns)
{
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
        const float *a_row = a + (long long)row * columns;
        const float *b_row = b + (long long)row * columns;
        float sum = 0;
        for (int k = 0; k < columns; k++)
            sum += a_row[k] * b_row[k];
        out[row] = sum;
    }
}

// The same sums. Each warp takes a row, and its lanes read side by side.
extern "C" __global__ void rows_by_warp(float *out, const float *a, const float *b, int rows, int columns)
{
    int lane = threadIdx.x % 32;
    int warps = gridDim.x * blockDim.x / 32;
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        const float *a_row = a + (long long)row * columns;
        const float *b_row = b + (long long)row * columns;
        float sum = 0;
        for (int k = lane; k < columns; k += 32)
            sum += a_row[k] * b_row[k];
        for (int other = 16; other > 0; other /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, other);
        if (lane == 0)
            out[row] = sum;
    }
}

#define PART 8
#define PITCH (PART + 1)

// The same sums. Each warp copies 8 columns of its 32 rows into shared memory, by whole sectors; then each thread takes a
// row.
extern "C" __global__ void rows_by_tile(float *out, const float *a, const float *b, int rows, int columns)
{
    extern __shared__ float tiles[];
    int lane = threadIdx.x % 32;
    float *a_tile = tiles + threadIdx.x / 32 * 2 * 32 * PITCH;
    float *b_tile = a_tile + 32 * PITCH;
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
        const float *a_rows = a + (long long)(row - lane) * columns;
        const float *b_rows = b + (long long)(row - lane) * columns;
        float sum = 0;
        for (int first = 0; first < columns; first += PART) {
            for (int r = lane / PART; r < 32; r += 32 / PART) {
                int from = r * columns + first + lane % PART;
                a_tile[r * PITCH + lane % PART] = a_rows[from];
                b_tile[r * PITCH + lane % PART] = b_rows[from];
            }
            __syncwarp();
            for (int k = 0; k < PART; k++)
                sum += a_tile[lane * PITCH + k] * b_tile[lane * PITCH + k];
            __syncwarp();
        }
        out[row] = sum;
    }
}

// Each block stores `count` floats, and after the barrier each thread loads one that another warp has stored.
extern "C" __global__ void store_and_load(float *out, float *a, const float *b, int count, int distance)
{
    float *mine = a + blockIdx.x * count;
    int i = blockIdx.x * count + threadIdx.x;
    mine[threadIdx.x] = 2 * b[i];
    __syncthreads();
    out[i] = mine[(threadIdx.x + distance) % count];
}

// out[i][j] = the sum of a[i][k] * b[j][k]: how like signal i of a and signal j of b are. Each block takes a pair. The
// blocks go through bands of `band` signals of a, down each column of a band; with a band of 1 along the rows.
extern "C" __global__ void compare_pairs(float *out, const float *a, const float *b, int length, int band)
{
    __shared__ float sums[8];
    int signals = gridDim.x;
    int number = blockIdx.y * gridDim.x + blockIdx.x;
    int inside = number % (band * signals);
    int i = number / (band * signals) * band + inside % band;
    int j = inside / band;
    const float *a_signal = a + (long long)i * length;
    const float *b_signal = b + (long long)j * length;
    float sum = 0;
    for (int k = threadIdx.x; k < length; k += blockDim.x)
        sum += a_signal[k] * b_signal[k];
    for (int other = 16; other > 0; other /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, other);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < blockDim.x / 32; warp++)
            sum += sums[warp];
        out[i * signals + j] = sum;
    }
}
