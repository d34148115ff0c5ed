__global__ void matrix_add(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && column < n) {
        size_t i = (size_t)row * n + column;
        c[i] = a[i] + b[i];
    }
}
