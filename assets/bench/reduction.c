// The same as reduction.cu on the processor: block by block, and thread by thread between barriers.
#include <stdio.h>
#include <stdlib.h>

static void sums(int block, float *out, const float *in, int n)
{
    float part[256];
    for (int t = 0; t < 256; t++) {
        int i = block * 256 + t;
        part[t] = i < n ? in[i] : 0;
    }
    for (int step = 256 / 2; step > 0; step /= 2)
        for (int t = 0; t < 256; t++)
            if (t < step)
                part[t] += part[t + step];
    out[block] = part[0];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 24, blocks = (n + 255) / 256;
    float *in = malloc(n * sizeof *in), *out = malloc(blocks * sizeof *out);
    for (int i = 0; i < n; i++)
        in[i] = i % 3;
    for (int block = 0; block < blocks; block++)
        sums(block, out, in, n);
    double sum = 0;
    for (int i = 0; i < blocks; i++)
        sum += out[i];
    printf("%g\n", sum);
    free(in);
    free(out);
}
