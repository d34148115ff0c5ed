// The same as tiled_product.cu on the processor: block by block, and thread by thread between barriers.
#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

static void product(int by, int bx, float *c, const float *a, const float *b, int n)
{
    float of_a[TILE][TILE], of_b[TILE][TILE], sum[TILE][TILE] = {0};
    for (int t = 0; t < n; t += TILE) {
        for (int y = 0; y < TILE; y++)
            for (int x = 0; x < TILE; x++) {
                of_a[y][x] = a[(by * TILE + y) * n + t + x];
                of_b[y][x] = b[(t + y) * n + bx * TILE + x];
            }
        for (int y = 0; y < TILE; y++)
            for (int x = 0; x < TILE; x++)
                for (int k = 0; k < TILE; k++)
                    sum[y][x] += of_a[y][k] * of_b[k][x];
    }
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++)
            c[(by * TILE + y) * n + bx * TILE + x] = sum[y][x];
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
        product(block / blocks, block % blocks, c, a, b, n);
    printf("%g\n", c[n * n - 1]);
    free(a);
    free(b);
    free(c);
}
