// An atomic on an int that is none.
extern "C" __global__ void misaligned_atomic(unsigned char *bytes, int offset)
{
    atomicAdd((int *)(bytes + offset), 1);
}
