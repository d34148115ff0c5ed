// bins[v / 4] counts the bytes v of an array, in memory of the device. Hand this file in as histogram.cu.
#define BLOCK 256
#define BINS 64

__global__ void histogram_kernel(unsigned *bins, const unsigned char *in, int n)
{
    // TODO: count in shared memory, then add the counts of the block to the bins
}

void histogram(unsigned *bins, const unsigned char *in, int n)
{
    // TODO: nobody has set the bins to 0
}
