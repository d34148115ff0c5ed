#include "base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Returns the number in a file of one number; `otherwise` when there is no such file, or it says "max". */
static uint64_t number_in(const char *path, uint64_t otherwise)
{
    FILE *file = fopen(path, "r");
    uint64_t number = otherwise;
    if (!file)
        return otherwise;
    if (fscanf(file, "%20" SCNu64, &number) != 1)
        number = otherwise;
    fclose(file);
    return number;
}

static uint64_t computer_has(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    uint64_t kilobytes = 0;
    char line[128];
    while (file && !kilobytes && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %16" SCNu64, &kilobytes) != 1)
            kilobytes = 0;
    if (file)
        fclose(file);
    return kilobytes ? kilobytes << 10 : (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns what a container's limit leaves of its memory. */
static uint64_t container_has(const char *limit, const char *used)
{
    uint64_t const most = number_in(limit, UINT64_MAX), taken = number_in(used, 0);
    return most > taken ? most - taken : 0;
}

uint64_t memory_available(void)
{
    struct rlimit space;
    uint64_t bytes = computer_has();
    bytes = least(bytes, container_has("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"));
    bytes = least(bytes, container_has("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                       "/sys/fs/cgroup/memory/memory.usage_in_bytes"));
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        bytes = least(bytes, space.rlim_cur);
    return bytes;
}

void memory_prefer_large_pages(void *bytes, size_t size)
{
    static const size_t least = 4 << 20, most = 256 << 20;
    if (size >= least && size <= most)
        madvise(bytes, size, MADV_HUGEPAGE);
}
