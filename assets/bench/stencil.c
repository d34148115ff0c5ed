// The same as stencil.cu on the processor, thread by thread.
#include <stdio.h>
#include <stdlib.h>

static void mean(int x, int y, float *out, const float *in, int n)
{
    if (x < 2 || y < 2 || x >= n - 2 || y >= n - 2)
        return;
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += in[(y + dy) * n + x + dx];
    out[y * n + x] = sum / 25;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2048, across = (n + 31) / 32, down = (n + 7) / 8;
    float *in = malloc(n * n * sizeof *in), *out = calloc(n * n, sizeof *out);
    for (int i = 0; i < n * n; i++)
        in[i] = i % 11;
    for (int block = 0; block < across * down; block++)
        for (int thread = 0; thread < 256; thread++)
            mean(block % across * 32 + thread % 32, block / across * 8 + thread / 32, out, in, n);
    printf("%g\n", out[(n / 2) * n + n / 2]);
    free(in);
    free(out);
}
