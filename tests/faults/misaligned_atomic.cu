// An atomic on an int at an address that is no multiple of 4.
extern "C" __global__ void misaligned_atomic(unsigned char *bytes, int offset)
{
    atomicAdd((int *)(bytes + offset), 1);
}
