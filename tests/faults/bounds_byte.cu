// One byte too many: the terminator of a text that fills its buffer.
extern "C" __global__ void bounds_byte(char *text, int length)
{
    text[threadIdx.x] = (int)threadIdx.x < length ? 'a' : 0;
}
