// An assertion that holds.
#include <cassert>
extern "C" __global__ void ok_assertion(int *in)
{
    assert(in[threadIdx.x] < 32);
    in[threadIdx.x]++;
}
