// The same as adjacent_difference.cu on the processor, thread by thread.
#include <stdio.h>
#include <stdlib.h>

static void difference(int i, float *out, const float *in, int n)
{
    if (i > 0 && i < n)
        out[i] = in[i] - in[i - 1];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 24;
    float *in = malloc(n * sizeof *in), *out = calloc(n, sizeof *out);
    for (int i = 0; i < n; i++)
        in[i] = i % 1000 * 0.125f;
    for (int block = 0; block < (n + 255) / 256; block++)
        for (int thread = 0; thread < 256; thread++)
            difference(block * 256 + thread, out, in, n);
    printf("%g\n", out[n - 1]);
    free(in);
    free(out);
}
