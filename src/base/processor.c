#include "base/processor.h"
#include <sched.h>
#include <unistd.h>

unsigned processor_count(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
#endif
    long const there = sysconf(_SC_NPROCESSORS_ONLN);
    return there > 0 ? (unsigned)there : 1;
}
