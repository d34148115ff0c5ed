/* Mistakes of host code, as values; src/report/mistake.c turns them into sentences. The kinds: mistakes.def. */
#ifndef LANESCOPE_PROGRAM_MISTAKES_H
#define LANESCOPE_PROGRAM_MISTAKES_H
#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* A line of the source, as the debug information of the program has it. */
struct program_place {
    const char *file; /* the name alone; "": unknown */
    const char *path; /* NULL: unknown */
    int line, column;
};

enum mistake_kind {
#define MISTAKE(name, word, class, arguments) MISTAKE_##name,
#include "program/mistakes.def"
    MISTAKE_KINDS
};

/* An allocation, and the call that made it. */
struct mistake_allocation {
    const char *by; /* "cuMemAlloc" */
    const char *as; /* the runtime's call that does the same: "cudaMalloc" */
    struct program_place at;
    uint32_t number;
    uint64_t bytes;
    const char *freed_by; /* NULL: it was not freed */
    struct program_place freed_at;
};
struct mistake_memory {
    struct mistake_allocation allocation;
    uint64_t offset, bytes;     /* of the access, the copy or the bytes that were never written */
    uint64_t elements, element; /* where elements were given for bytes: their number, and the bytes of each */
    bool write;
};
/* A copy and the array that it leaves: bytes of a row, rows, layers. */
struct mistake_box {
    struct mistake_allocation allocation;
    uint64_t from[3], copied[3], array[3];
};
struct mistake_argument {
    const char *parameter;                /* "": a member of a structure, or unknown */
    struct mistake_allocation allocation; /* of a freed pointer */
    uint64_t address;
};
struct mistake_copy {
    int said, is; /* 0 host to host, 1 host to device, 2 device to host, 3 device to device */
};
struct mistake_launch {
    uint32_t grid[3], block[3];
    uint64_t shared_bytes; /* dynamic */
    bool like_swapped;     /* the launch would be allowed with grid and block exchanged */
};
struct mistake_coverage {
    struct mistake_allocation allocation;
    const char *parameter;
    uint64_t threads, elements; /* of the launch, and in the memory that was copied */
    uint64_t first, unwritten;  /* element: the first that no thread wrote, and their number */
    struct program_place copied_at;
};
struct mistake_output {
    uint64_t bytes;
};

struct mistake {
    enum mistake_kind kind;
    struct program_place at;
    const char *call; /* the function that the line calls; of a launch the kernel */
    uint32_t index;   /* in program_run.calls */
    uint32_t times;   /* it happened at this line */
    int error;        /* that the call returned */
    const char *error_name;
    bool unchecked; /* the program looked at no error, and this is the first */
    bool driver;    /* the call is the driver's, not the runtime's */
    union {
        struct mistake_memory memory;
        struct mistake_box box;
        struct mistake_argument argument;
        struct mistake_copy copy;
        struct mistake_launch launch;
        struct mistake_coverage coverage;
        struct mistake_output output;
    };
};

/* Why memory was not written that a kernel read: what the host did to it before. */
enum cause_kind {
    CAUSE_UNKNOWN,
    CAUSE_ELEMENTS, /* the only copy or fill was given elements for bytes */
    CAUSE_SHORT,    /* the only copy or fill wrote less than the kernel read */
    CAUSE_FAILED,   /* the copy or fill failed */
    CAUSE_NOTHING   /* there was none */
};
struct cause {
    enum cause_kind kind;
    const char *by; /* the copy or fill, if there was one */
    struct program_place at;
    uint64_t written; /* its bytes */
    struct mistake_allocation allocation;
};

struct program_run;
struct program_launch;
struct finding;
struct trace;
/* Fills run->mistakes, in the order of the program. */
void mistakes_find(struct program_run *run);
/* Returns whether the kind changes the exit status. */
bool mistake_is_fault(const struct mistake *mistake);
const char *mistake_word(enum mistake_kind kind);
/* The allocation next to the access of a launch's finding. False: the finding names none. */
bool mistakes_allocation_of(const struct program_run *run, const struct program_launch *launch,
                            const struct finding *finding, struct mistake_allocation *allocation);
/* Returns a cause for each finding of a launch's trace; unknown where the kernel itself may be at fault. */
struct cause *causes_find(struct arena *arena, const struct program_run *run, const struct program_launch *launch,
                          const struct trace *trace);
#endif
