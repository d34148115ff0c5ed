/* The functions that are not supported: each returns an error and is named once. */
#include "cudart/calls/call.h"
#include "cudart/layer/again.h"
#include <stdio.h>

static cudaError_t not_supported(const char *name, const char *what, const void *from, bool *named)
{
    struct call const call = call_begin(name, from);
    if (!*named)
        fprintf(stderr, "lanescope: %s (%s) is not supported: docs/programs.md lists what is\n", name, what);
    *named = true;
    return call_end(&call, cudaErrorNotSupported);
}

#define CALL(name, parameters, support, note)
#define MISSING(name, note)                                                                                            \
    cudaError_t name(void)                                                                                             \
    {                                                                                                                  \
        static bool named;                                                                                             \
        return not_supported(#name, note, __builtin_return_address(0), &named);                                        \
    }
#define THREAD(name, suffix) AGAIN(name, name##_##suffix)
#include "cudart/calls/calls.def"
