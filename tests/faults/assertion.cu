// An assertion that does not hold.
#include <cassert>
extern "C" __global__ void assertion(const int *in)
{
    assert(in[threadIdx.x] < 20);
}
