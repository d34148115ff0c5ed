/* The state of the runtime in a running program: one device, its memory, the program's modules, streams and errors.
 * All of it belongs to `runtime`, which call_begin locks and call_end unlocks; other files of this room use it only
 * between the two. */
#ifndef LANESCOPE_CUDART_STATE_H
#define LANESCOPE_CUDART_STATE_H
#include "cudart/api.h"
#include "trace/launch.h"
#include <stdbool.h>
#include <stdio.h>

struct module;

enum allocation_kind {
    ALLOCATION_DEVICE,
    ALLOCATION_MANAGED,
    ALLOCATION_HOST,
    ALLOCATION_REGISTERED,
    ALLOCATION_VARIABLE
};

/* Memory that the device can reach. Its addresses lie between EMULATOR_PLACED_BASE and EMULATOR_PLACED_END, except for
 * host memory that the program registered. */
struct pool;
struct allocation {
    uint64_t address, size, slot; /* slot: bytes of address space up to the next one */
    uint8_t *data;                /* the bytes in this process; of managed and host memory the address itself */
    size_t mapped;
    uint64_t *written; /* a bit for each byte; NULL: not kept */
    enum allocation_kind kind;
    uint32_t number; /* in the order of allocation, from 1; 0 of a variable */
    bool freed;
    bool of_graph;     /* a captured call frees it, so that it lives as long as the graph */
    struct pool *pool; /* of cudaMallocAsync, which counts its bytes; NULL: none */
    bool closed;       /* the device may still use it: the host must synchronise first */
    bool closed_reads; /* also to reads; otherwise to writes alone */
    uint64_t closed_from, closed_to;
    const char *name; /* of a variable */
};

struct graph;
struct graph_node;
struct node_set {
    struct graph_node **items;
    size_t count, capacity;
};

enum { STREAM_ATTRIBUTES = 16 };
struct stream {
    uint32_t number; /* 0: the default stream */
    bool nonblocking;
    int priority;
    uint8_t attributes[STREAM_ATTRIBUTES][64]; /* as the program set them; they change nothing */
    double time;                               /* model microseconds at which its work is done */
    void *driver;                              /* on a GPU: the driver's stream */
    struct graph *capture;                     /* its work is kept there and not done; NULL: it is done */
    struct node_set last;                      /* what the next work that is captured must wait for */
    struct stream *next;
};
struct event {
    uint32_t number;
    bool recorded, timed;
    double time;
    void *driver;          /* on a GPU: the driver's event */
    struct graph *capture; /* it was recorded in a stream that captured */
    struct node_set last;
    struct event *next;
};

struct options {        /* from the environment: see options.c */
    bool gpu;           /* the program runs on the GPU */
    const char *folder; /* of the record; NULL: none is kept */
    bool memory, races, values;
    bool record_all;           /* every launch is recorded */
    uint64_t record_launch;    /* the launch to record, from 1; 0: none */
    const char *record_kernel; /* or the launches of this kernel */
    struct launch_blocks blocks;
    uint64_t budget, device_bytes;
    unsigned trace_limit; /* the most traces that are written */
};

struct runtime {
    struct options options;
    struct {
        struct allocation *items;
        size_t count, capacity;
    } allocations; /* by address; freed ones stay, to be named in messages */
    uint64_t next_address, bytes_in_use;
    uint32_t allocation_count;
    bool range_reserved;
    struct module *modules;
    struct stream default_stream, *streams;
    struct event *events;
    struct graph *graphs;
    uint32_t stream_count, event_count;
    double host_time;    /* model microseconds up to which the host has waited */
    cudaError_t pending; /* of a launch, to be delivered by the next call that synchronises */
    cudaError_t sticky;  /* the context is lost: every call returns it */
    uint64_t launches, traces_written;
    struct {
        char *items;
        size_t count, capacity;
    } printed;               /* by kernels since the last synchronisation */
    bool any_closed;         /* some memory */
    struct launch_heap heap; /* of the kernels' malloc; data NULL: none was needed yet */
};
extern struct runtime runtime;

/* One call of the API, from its begin to its end. */
struct call {
    const char *name;
    const void *from; /* the address it returns to */
    double began;     /* host seconds since the start */
};
struct call call_begin(const char *name, const void *from);
/* Writes the record's line, keeps the error and unlocks. Returns the error. */
cudaError_t call_end(const struct call *call, cudaError_t error);
#define CALL_BEGIN(name) struct call const call = call_begin(#name, __builtin_return_address(0))

/* The context is lost, or a launch failed since the last synchronisation: returns that error and makes it sticky. */
cudaError_t runtime_synchronize(void);
cudaError_t runtime_last_error(bool reset);
void runtime_print_flush(void);

/* space.c: addresses of the device. */
cudaError_t space_allocate(enum allocation_kind kind, uint64_t size, const char *name, struct allocation **allocation);
void space_free(struct allocation *allocation);
void space_free_all(void);
/* Notes memory that the driver placed. */
struct allocation *space_place(enum allocation_kind kind, uint64_t address, uint64_t size, const char *name);
void space_forget_variables(void);
/* Makes the heap, once, and releases it. */
bool space_make_heap(uint64_t limit);
void space_free_heap(void);
/* Returns the allocation that an address lies in, live or freed, or NULL. */
struct allocation *space_find(uint64_t address);
bool space_is_device_range(uint64_t address);
struct allocation *space_register(void *pointer, uint64_t size);
void space_mark_written(struct allocation *allocation, uint64_t offset, uint64_t size);
/* Closes managed or pinned memory to the host until the next synchronisation: to writes, or to reads as well. An access
 * outside of the given bytes is allowed all the same. */
void space_close(struct allocation *allocation, uint64_t offset, uint64_t size, bool reads);
void space_open(struct allocation *allocation);
void space_open_all(void);
/* Opens closed memory to the runtime while it does the device's work, and closes it again. */
void space_pause(void);
void space_resume(void);

/* memory.c, pool.c: what the allocating and freeing calls share. */
cudaError_t memory_allocate(void **pointer, uint64_t size, enum allocation_kind kind);
/* Frees what an allocating call returned. A pointer into an allocation, to freed memory or to the host's is refused. */
cudaError_t memory_release(void *pointer, bool host);
void pool_freed(const struct allocation *allocation);

/* model_time.c: how long work takes, in model microseconds. Nothing of it is measured. */
/* pinned: the host's memory is that of cudaMallocHost or registered, not of malloc */
double model_copy_us(uint64_t bytes, int kind, bool pinned);
double model_fill_us(uint64_t bytes);
struct run;
double model_launch_us(const struct run *run);
/* Returns the stream of a handle, or NULL when it is none. */
struct stream *stream_of(cudaStream_t stream);
/* Adds work to a stream after all that the legacy default stream orders before it. */
void stream_add(struct stream *stream, double microseconds);
double stream_all_done(void);

/* module.c */
const struct allocation *module_variable(const void *symbol);
void options_read(struct options *options);
#endif
