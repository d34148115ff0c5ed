// out[i] = in[0] + ... + in[i], in memory of the device, for up to 65536 elements. Hand this file in as scan.cu.
#define BLOCK 256

__global__ void scan_blocks(int *out, int *sums, const int *in, int n)
{
    // TODO: scan the part of a block in shared memory, and keep its sum
}

void scan(int *out, const int *in, int n)
{
    // TODO: scan the blocks, scan their sums, and add them
}
