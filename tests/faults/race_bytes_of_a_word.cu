// Each thread writes a byte and reads the first one of the same word, with no barrier between.
extern "C" __global__ void race_bytes_of_a_word(unsigned char *x, unsigned char *out)
{
    int i = threadIdx.x;
    x[i] = 2 * i;
    out[i] = x[i / 4 * 4];
}
