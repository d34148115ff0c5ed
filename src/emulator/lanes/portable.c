/* The handlers for any processor, and the choice among instruction sets. */
#define LANES_TABLE lanes_portable
#define LANES_SET "portable"
#include "emulator/lanes/lanes.inc"
#include <stdlib.h>

#if defined(__x86_64__)
static bool asked_below(const char *name)
{
    const char *most = getenv("LANESCOPE_LANES");
    return most && *most && strcmp(most, name) < 0; /* portable < x86-64-v3 < x86-64-v4 */
}
#endif

const struct lanes_table *lanes_best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (v4 && !asked_below(lanes_x86_v4.name))
        return &lanes_x86_v4;
    if (v3 && !asked_below(lanes_x86_v3.name))
        return &lanes_x86_v3;
#endif
    return &lanes_portable;
}

const char *emulator_lanes(void)
{
    return lanes_best()->name;
}
