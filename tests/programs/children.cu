// Kernels that launch kernels: nested three deep, in a recursion, through global memory, at the end of the parent, and
// beyond the limits.
#include <cstdio>

struct range { // a parameter with gaps
    char mark;
    double scale;
};
__global__ void leaf(int *sum, range r, char c, int n)
{
    atomicAdd(sum, (int)r.scale * n + c);
}
template <int N> __global__ void middle(int *sum, int n)
{
    leaf<<<N, 32>>>(sum, range{'x', 2.0}, 1, n);
}
__device__ void spread(int *sum)
{
    middle<2><<<1, dim3(1, 2)>>>(sum, threadIdx.x);
}
__global__ void nested(int *sum)
{
    if (threadIdx.x < 2)
        spread(sum);
}

__global__ void quicksort(int *items, int first, int last)
{
    int const pivot = items[(first + last) / 2];
    int i = first, j = last;
    while (i <= j) {
        while (items[i] < pivot)
            i++;
        while (items[j] > pivot)
            j--;
        if (i <= j) {
            int const kept = items[i];
            items[i++] = items[j];
            items[j--] = kept;
        }
    }
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (first < j)
        quicksort<<<1, 1, 0, stream>>>(items, first, j);
    if (i < last)
        quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(items, i, last);
    cudaStreamDestroy(stream);
}

__global__ void fill(int *data, int n)
{
    extern __shared__ int own[];
    own[threadIdx.x] = n + threadIdx.x;
    data[threadIdx.x] = own[threadIdx.x];
}
__global__ void total(const int *data, int *sum)
{
    *sum = 0;
    for (int i = 0; i < 32; i++)
        *sum += data[i];
}
__global__ void pipeline(int *data, int *sum, int n)
{
    total<<<1, 1, 0, cudaStreamTailLaunch>>>(data, sum);
    fill<<<1, 32, 32 * sizeof(int)>>>(data, n);
}

__global__ void deep(int *deepest, int level)
{
    *deepest = level;
    deep<<<1, 1>>>(deepest, level + 1);
    if (cudaError_t const error = cudaGetLastError())
        printf("level %d: %s, %s\n", level, cudaGetErrorName(error), cudaGetErrorString(error));
}
__global__ void nothing()
{
}
__global__ void many(int *refused)
{
    nothing<<<1, 1>>>();
    if (cudaPeekAtLastError() == cudaErrorLaunchPendingCountExceeded)
        atomicAdd(refused, 1);
    nothing<<<1, 2000>>>();
    if (threadIdx.x == 3)
        printf("%d, then %d\n", cudaGetLastError() == cudaErrorInvalidConfiguration, (int)cudaGetLastError());
}

int main()
{
    int *p;
    cudaMallocManaged(&p, 64 * sizeof *p);
    *p = 0;
    nested<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    printf("nested: %d\n", p[0]);
    for (int i = 0; i < 64; i++)
        p[i] = i * 29 % 64;
    quicksort<<<1, 1>>>(p, 0, 63);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 64; i++)
        wrong += p[i] != i;
    printf("sorted: %d wrong\n", wrong);
    pipeline<<<1, 1>>>(p, p + 32, 10);
    cudaDeviceSynchronize();
    printf("through global memory: %d\n", p[32]);
    deep<<<1, 1>>>(p, 0);
    cudaDeviceSynchronize();
    printf("deepest: %d\n", *p);
    *p = 0;
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 24);
    many<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    printf("refused: %d, %s\n", *p, cudaGetErrorString(cudaGetLastError()));
    return cudaFree(p);
}
