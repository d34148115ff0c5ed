// c = a + b for matrices of floats, stored row after row, `width` floats a row.

// Neighbouring threads take neighbouring columns: a warp walks along a row.
extern "C" __global__ void add_by_rows(float *c, const float *a, const float *b, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (column < width && row < height) {
        int i = row * width + column;
        float sum = a[i] + b[i];
        c[i] = sum;
    }
}

// Neighbouring threads take neighbouring rows: a warp walks down a column.
extern "C" __global__ void add_by_columns(float *c, const float *a, const float *b, int width, int height)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y;
    if (column < width && row < height) {
        int i = row * width + column;
        float sum = a[i] + b[i];
        c[i] = sum;
    }
}

// A warp takes 8 columns of 4 rows: whole sectors, but other rows of the matrix.
extern "C" __global__ void add_by_strips(float *c, const float *a, const float *b, int width, int height)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int row = thread / 8;
    int column = blockIdx.y * 8 + thread % 8;
    if (column < width && row < height) {
        int i = row * width + column;
        float sum = a[i] + b[i];
        c[i] = sum;
    }
}
