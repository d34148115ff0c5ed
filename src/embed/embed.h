/* For src/embed only: what an instance holds. */
#ifndef LANESCOPE_EMBED_EMBED_H
#define LANESCOPE_EMBED_EMBED_H
#include "base/arena.h"
#include "base/error.h"
#include "embed/lanescope.h"
#include "trace/trace.h"

struct embed_memory {
    uint64_t address;
    size_t bytes;
    uint64_t *written; /* a bit for each byte; NULL: shared memory, all written */
    char *name;
};
struct lanescope {
    struct error error;
    char sentence[1024];
    struct {
        struct embed_memory *items; /* ascending, apart */
        size_t count, capacity;
    } memory;
    struct lanescope_module *modules; /* a list */
    struct lanescope_run *runs;
};
struct embed_kernel {
    struct lanescope_kernel shown; /* the first member, so that a pointer to it is one to the whole */
    struct lanescope_parameter *parameters;
};
struct lanescope_module {
    struct lanescope *instance;
    struct lanescope_module *next;
    struct arena arena;
    struct ptx_module *ptx;
    struct embed_kernel *kernels;
    size_t kernel_count;
    struct launch_variable *variables;
};
struct lanescope_run {
    struct lanescope *instance;
    struct lanescope_run *next;
    struct arena arena;
    struct trace *trace;
    const char *output;
    struct lanescope_counter *counters;
    size_t counter_count;
    struct lanescope_finding *findings;
};

/* Keeps the instance's error as a sentence. Returns its status. */
enum lanescope_status embed_fail(struct lanescope *instance);
/* Returns the memory that holds this address, or NULL. */
struct embed_memory *embed_memory_at(struct lanescope *instance, uint64_t address);
#endif
