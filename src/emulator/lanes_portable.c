/* The handlers for any processor, and the choice among instruction sets. */
#define LANES_TABLE lanes_portable
#define LANES_SET "portable"
#include "emulator/lanes.inc"

const struct lanes_table *lanes_best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return &lanes_x86_v4;
    if (v3)
        return &lanes_x86_v3;
#endif
    return &lanes_portable;
}
