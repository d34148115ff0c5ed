__device__ int collatz(int n)
{
    int steps = 0;
    while (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

__global__ void diverge(int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (threadIdx.x % 4) {
    case 0:
        out[i] = collatz(in[i]);
        break;
    case 1:
        out[i] = in[i] * 3;
        break;
    case 2:
        out[i] = in[i] - 7;
        break;
    default:
        out[i] = -in[i];
    }
}
