// Every thread has its own memory from malloc, written before it is read.
extern "C" __global__ void ok_malloc(int *io)
{
    int *own = (int *)malloc(64);
    for (int k = 0; k < 16; k++)
        own[k] = io[threadIdx.x] + k;
    io[threadIdx.x] = own[io[threadIdx.x] & 15];
    free(own);
}
