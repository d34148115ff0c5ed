/* A launch: one kernel, its shape and its arguments. Both executors take it. The data lies on the host. */
#ifndef LANESCOPE_TRACE_LAUNCH_H
#define LANESCOPE_TRACE_LAUNCH_H
#include "ptx/module.h"

/* The rows and columns of a buffer that is an array of two dimensions. */
struct launch_shape {
    uint64_t rows, columns; /* elements */
    uint64_t pitch;         /* bytes from one row to the next; 0: the buffer has no shape */
};
/* Returns why a shape does not fit a buffer of `count` elements of `size` bytes, or NULL. */
const char *launch_shape_problem(const struct launch_shape *shape, uint64_t count, uint64_t size);

struct launch_buffer {
    const char *name;   /* the parameter's name in the source when known, else "arg0" */
    enum ptx_type type; /* of an element */
    uint64_t count;     /* elements */
    struct launch_shape shape;
    void *data;       /* count elements on the host, owned by the caller; the run stores its results here */
    bool read_only;   /* the kernel's results are not copied back; with an address it must not write there */
    const char *fill; /* how it was filled, in words, where that depends on a setting; NULL: not said */
    bool unwritten;   /* never filled: the kernel must write a byte before it reads it */
    /* Of a whole program, on the emulator: the address that the kernel knows the buffer by (0: the executor chooses),
     * and a bit for each byte that was written, which the run extends (NULL: see `unwritten`). */
    uint64_t address;
    uint64_t *written;
    const void *memory; /* buffers with the same one, not NULL, begin at the same byte of memory that is mapped twice */
};

/* The place of a module variable that outlives the launch; data has the variable's size and 16 bytes more. */
struct launch_variable {
    uint64_t address;
    uint8_t *data; /* NULL: the variable lies in neither global nor constant memory */
};

/* The memory of the kernels' malloc, where it outlives the launch. The emulator changes all but the first four members;
 * launch_heap_free releases `given`. */
struct launch_heap {
    uint8_t *data;  /* zeros at first */
    uint8_t *state; /* of each byte, and one more, for the emulator's check; zeros at first */
    uint64_t bytes; /* of address space */
    uint64_t limit; /* of what is allocated at a time */
    uint64_t used;  /* offset of the next allocation */
    uint64_t live;  /* bytes allocated and not freed */
    struct {
        struct launch_given {
            uint64_t at, bytes;
            bool freed;
        } * items; /* in the order of their offsets */
        size_t count, capacity;
    } given;
};
void launch_heap_free(struct launch_heap *heap);

/* The kernels that a launched kernel launched, in that order. The emulator appends them; launch_children_free releases
 * them. */
enum { LAUNCH_DEPTH_MAX = 24 }; /* of launches by kernels: CUDA C++ Programming Guide, CUDA Dynamic Parallelism */
struct launch_children {
    uint32_t depth; /* of the launch that makes them: 0 of the host's */
    uint64_t most;  /* that wait at a time */
    struct {
        struct launch_child {
            uint32_t function; /* of the module */
            uint32_t grid[3], block[3], shared_bytes;
            uint64_t stream;
            uint32_t file, line; /* of the launch */
            size_t arguments;    /* where they begin in `bytes` */
        } * items;
        size_t count, capacity;
    } list;
    struct {
        uint8_t *items;
        size_t count, capacity;
    } bytes;
    struct {
        struct launch_refused {
            uint64_t block;
            uint32_t thread;
            int error;
        } * items;
        size_t count, capacity;
    } refused; /* launches whose error the kernel did not fetch */
};
void launch_children_free(struct launch_children *children);

/* An array of two dimensions that a kernel computed from another one of the same shape, as grey pictures. A picture is
 * rows x columns numbers, row after row; NULL: not known. */
struct launch_picture {
    uint64_t rows, columns;
    const char *input_name, *output_name;
    const double *input, *output, *expected;
    uint64_t window; /* a pixel is computed from the square of so many pixels a side around it; 0: unknown */
};

struct launch_argument {
    bool is_buffer;
    uint32_t buffer;      /* index in launch.buffers */
    enum ptx_type type;   /* of a scalar */
    uint64_t bits;        /* a scalar's value, in its low bytes */
    const uint8_t *bytes; /* a structure by value: `size` bytes that the launch's owner keeps; NULL: none */
    uint32_t size;
    /* The buffers in a structure: the executor puts the address of each in the place of 8 of the bytes. */
    const struct launch_inner {
        uint32_t offset, buffer; /* offset: in the bytes */
    } * inner;
    uint32_t inner_count;
};
/* Returns how many bytes the kernel receives for an argument. `bits` holds 8 at most: a wider type needs `bytes`. */
static inline size_t launch_argument_size(const struct launch_argument *argument)
{
    if (argument->is_buffer)
        return sizeof(uint64_t);
    size_t const wanted = ptx_type_size(argument->type);
    return argument->bytes ? argument->size : wanted < sizeof argument->bits ? wanted : sizeof argument->bits;
}

struct launch {
    const char *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;                   /* dynamic */
    const struct launch_argument *arguments; /* in the kernel's order */
    uint32_t argument_count;
    struct launch_buffer *buffers;
    uint32_t buffer_count;
    /* One for each variable of the module, for the emulator. NULL: the variables begin anew with each launch. */
    const struct launch_variable *variables;
    struct launch_heap *heap;         /* for the emulator; NULL: it begins anew with each launch */
    struct launch_children *children; /* for the emulator; NULL: the kernel cannot launch any */
    bool overlaps;                    /* for the emulator: buffers may have bytes in common */
};

/* What the threads of a launch may have done with a buffer or a variable: false is certain, true is not. */
struct launch_use {
    uint64_t address;
    bool read, written;
};

/* Sets x, y and z of the thread with this number in its block: x runs fastest. */
void launch_thread(const struct launch *launch, uint32_t number, uint32_t thread[3]);

/* What an executor looks for and keeps while it runs a launch. One set, passed whole from the command line on. */
struct launch_checks {
    bool memory; /* bounds, alignment, reads of bytes that were never written */
    bool races;  /* two accesses to one address without happens-before, at least one a write */
    bool values; /* the trace keeps what each lane read or wrote */
};

/* The recorded blocks, by linear number x + y * grid.x + z * grid.x * grid.y: first..last, both included. */
struct launch_blocks {
    uint64_t first, last;
};
#define LAUNCH_ALL_BLOCKS ((struct launch_blocks){0, UINT64_MAX})
#endif
