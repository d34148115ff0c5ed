#include "shared.h"
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    int *place, value = argc > 1 ? atoi(argv[1]) : 0;
    cudaMalloc(&place, sizeof(int));
    cudaMemcpy(place, &value, sizeof(int), cudaMemcpyHostToDevice);
    multiply<<<1, 32>>>(place);
    int result;
    cudaMemcpy(&result, place, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(place);
    show(value, result);
    return 0;
}
