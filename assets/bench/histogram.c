// The same as histogram.cu on the processor: block by block, and thread by thread between barriers.
#include <stdio.h>
#include <stdlib.h>

static void histogram(int block, int blocks, unsigned *counts, const unsigned char *in, int n)
{
    unsigned own[256] = {0};
    for (int thread = 0; thread < 256; thread++)
        for (int i = block * 256 + thread; i < n; i += blocks * 256)
            own[in[i]]++;
    for (int thread = 0; thread < 256; thread++)
        counts[thread] += own[thread];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 24, blocks = (n / 16 + 255) / 256;
    unsigned char *in = malloc(n);
    unsigned seed = 1;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        in[i] = seed >> 24;
    }
    unsigned counts[256] = {0};
    for (int block = 0; block < blocks; block++)
        histogram(block, blocks, counts, in, n);
    printf("%u %u\n", counts[0], counts[255]);
    free(in);
}
