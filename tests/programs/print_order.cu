// Lanes that an `if` has parted meet behind it, so that their output is in the order of the source.
#include <cstdio>

__global__ void lines()
{
    int const t = threadIdx.x;
    if (t == 0)
        printf("threads: ");
    printf("%d ", t);
    if (t == 0)
        printf("\n");
    if (t == 0)
        printf("halves: ");
    printf("%d ", t / 2);
    if (t == 0)
        printf("\n");
}

int main()
{
    lines<<<1, 8>>>();
    cudaDeviceSynchronize();
}
