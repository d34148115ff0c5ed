// The host uses a device pointer.
#include <cstdio>

int main()
{
    float *spare, *data;
    cudaMalloc(&spare, 64);
    cudaMalloc(&data, 400);
    printf("before\n");
    data[3] = 1;
    printf("after\n");
}
