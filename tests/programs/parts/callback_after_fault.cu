// Work fails: a callback behind it gets the error, a host function is left out.
#include <cstdio>

__global__ void bad(int *pointer)
{
    *pointer = 1;
}

static void add(cudaStream_t stream)
{
    cudaError_t const callback = cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t error, void *) {
        printf("called with %d\n", error);
    }, nullptr, 0);
    cudaError_t const function = cudaLaunchHostFunc(stream, [](void *) { puts("host function"); }, nullptr);
    printf("added %d %d\n", callback, function);
}

int main()
{
    int *data;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&data, sizeof *data);
    bad<<<1, 1, 0, stream>>>((int *)((size_t)data + (1ULL << 40)));
    add(stream);
    printf("synchronized %d\n", cudaStreamSynchronize(stream));
    add(stream);
}
