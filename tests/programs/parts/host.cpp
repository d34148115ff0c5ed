#include <cmath>
#include <cstdio>

void show(int value, int result)
{
    std::printf("%d * %d = %.0f\n", value, FACTOR, std::fabs((double)result));
}
