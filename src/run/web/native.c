/* A page has no compiler for machine code: every launch is interpreted. */
#include "run/native.h"

const struct emulator_native *native_maker(void)
{
    return NULL;
}

bool native_try(double *seconds)
{
    *seconds = 0;
    return false;
}
