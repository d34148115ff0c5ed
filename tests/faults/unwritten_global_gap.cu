// Every other element is written, every element is read.
extern "C" __global__ void unwritten_global_gap(int *scratch, int *out)
{
    scratch[2 * threadIdx.x] = (int)threadIdx.x;
    out[threadIdx.x] = scratch[2 * threadIdx.x] + scratch[2 * threadIdx.x + 1];
}
