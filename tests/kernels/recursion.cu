__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

typedef int (*operation)(int, int);
__device__ int add(int a, int b)
{
    return a + b;
}
__device__ int multiply(int a, int b)
{
    return a * b;
}
__device__ operation operations[2] = {add, multiply};

__global__ void call(int *out, int which)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 10) + operations[which](threadIdx.x, 3);
}
