/* What the parent process asks for, in environment variables: see src/program/start.c. A program that is started
 * without one runs all the same. */
#include "base/file.h"
#include "cudart/layer/state.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* The files of the models lie beside the installed library, and the program may lie anywhere. */
static void find_data(void)
{
    Dl_info library;
    char path[4096], *end = NULL;
    if (getenv("LANESCOPE_DATA") || !dladdr(&runtime, &library) || !library.dli_fname ||
        strlen(library.dli_fname) >= sizeof path - 64)
        return;
    snprintf(path, sizeof path, "%s", library.dli_fname);
    for (unsigned up = 0; up < 2; up++) /* lib/lanescope/liblanescope_cudart.so */
        if ((end = strrchr(path, '/')))
            *end = '\0';
    if ((end = strrchr(path, '/')))
        snprintf(end, sizeof path - (size_t)(end - path), "%s", "/share/lanescope");
    if (end && file_exists(path))
        setenv("LANESCOPE_DATA", path, 0);
}

void options_read(struct options *options)
{
    const char *checks = getenv("LANESCOPE_PROGRAM_CHECKS"), *record = getenv("LANESCOPE_PROGRAM_RECORD_LAUNCH");
    const char *blocks = getenv("LANESCOPE_PROGRAM_BLOCKS");
    unsigned long long first = 0, last = 0;
    find_data();
    const char *executor = getenv("LANESCOPE_PROGRAM_EXECUTOR");
    options->gpu = executor && strcmp(executor, "gpu") == 0;
    options->folder = getenv("LANESCOPE_PROGRAM_FOLDER");
    options->memory = !checks || strstr(checks, "memory");
    options->races = !checks || strstr(checks, "race");
    options->values = number("LANESCOPE_PROGRAM_VALUES", 0) != 0;
    options->rows = number("LANESCOPE_PROGRAM_ROWS", 0) != 0;
    options->caches = number("LANESCOPE_PROGRAM_CACHES", 0) != 0;
    options->record_all = record && strcmp(record, "all") == 0;
    options->record_launch = record && !options->record_all ? strtoull(record, NULL, 10) : 0;
    options->record_kernel = getenv("LANESCOPE_PROGRAM_RECORD_KERNEL");
    if (blocks && sscanf(blocks, "%llu-%llu", &first, &last) == 2)
        options->blocks = (struct launch_blocks){first, last};
    options->budget = number("LANESCOPE_PROGRAM_BUDGET", 0);
    options->device_bytes = number("LANESCOPE_PROGRAM_DEVICE_BYTES", UINT64_C(8) << 30);
    options->trace_limit = (unsigned)number("LANESCOPE_PROGRAM_TRACES", 64);
}
