/* The functions that are not supported: each returns an error and is named once. */
#include "cudart/record.h"
#include <stdio.h>

static cudaError_t not_supported(const char *name, const char *what, const void *from, bool *told)
{
    struct call const call = call_begin(name, from);
    if (!*told)
        fprintf(stderr, "lanescope: %s (%s) is not supported: docs/programs.md lists what is\n", name, what);
    *told = true;
    return call_end(&call, cudaErrorNotSupported);
}

#define STUB_yes(name, note)
#define STUB_partly(name, note)
#define STUB_no(name, note)                                                                                            \
    API cudaError_t name(void);                                                                                        \
    API cudaError_t name(void)                                                                                         \
    {                                                                                                                  \
        static bool told;                                                                                              \
        return not_supported(#name, note, __builtin_return_address(0), &told);                                         \
    }
#define CALL(name, support, note) STUB_##support(name, note)
#include "cudart/calls.def"
