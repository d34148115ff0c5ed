// The same as naive_product.cu on the processor, thread by thread.
#include <stdio.h>
#include <stdlib.h>

static void product(int row, int column, float *c, const float *a, const float *b, int n)
{
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 512, blocks = (n + 15) / 16;
    float *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *c = malloc(n * n * sizeof *c);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    for (int block = 0; block < blocks * blocks; block++)
        for (int thread = 0; thread < 256; thread++)
            product(block / blocks * 16 + thread / 16, block % blocks * 16 + thread % 16, c, a, b, n);
    printf("%g\n", c[n * n - 1]);
    free(a);
    free(b);
    free(c);
}
