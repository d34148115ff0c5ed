/* The layer under the interfaces of CUDA: the state of a running program, with one device, its memory, modules, streams
 * and errors. All of it belongs to `runtime`, which call_begin locks and call_finish unlocks; other files of this room
 * use it only between the two. */
#ifndef LANESCOPE_CUDART_STATE_H
#define LANESCOPE_CUDART_STATE_H
#include "cudart/layer/status.h"
#include "trace/launch.h"
#include <stdbool.h>
#include <stdio.h>

enum allocation_kind {
    ALLOCATION_DEVICE,
    ALLOCATION_MANAGED,
    ALLOCATION_HOST,
    ALLOCATION_REGISTERED,
    ALLOCATION_VARIABLE,
    ALLOCATION_ARRAY
};

/* What a CUDA array consists of (array.h). */
struct array {
    uint32_t width, height, depth; /* in elements; height or depth 0: it has no such dimension */
    int format;
    unsigned channels, flags, element; /* element: its bytes */
};

/* Memory that the device can reach. On the emulator its addresses lie between EMULATOR_PLACED_BASE and
 * EMULATOR_PLACED_END, except for host memory that the program registered. */
struct allocation {
    uint64_t address, size, slot; /* slot: bytes of address space up to the next one */
    uint8_t *data;                /* the bytes in this process; of managed and host memory the address itself */
    size_t mapped;     /* bytes of this process behind `data`; 0: they belong to the driver or to the host's program */
    uint64_t *written; /* a bit for each byte; NULL: not kept */
    enum allocation_kind kind;
    uint32_t number; /* in the order of allocation, from 1; 0 of a variable */
    bool freed;
    bool is_mapping;   /* of virtual memory: its bytes belong to virtual.c, and may go on in the next one */
    bool read_only;    /* to kernels and copies */
    bool captured;     /* a node of a graph allocates it: it is there as long as the graph */
    bool released;     /* then: the program freed it, until the graph is launched again */
    bool of_graph;     /* a captured call frees it, so that it lives as long as the graph */
    struct pool *pool; /* that counts its bytes; NULL: none */
    bool closed;       /* the device may still use it: the host must synchronise first */
    bool closed_reads; /* also to reads; otherwise to writes alone */
    uint64_t closed_from, closed_to;
    const char *name;                        /* of a variable */
    struct array array;                      /* of ALLOCATION_ARRAY */
    uint64_t made_at;                        /* by runtime.changes: its memory was zeros then; 0: not known */
    uint64_t changed_at, hashed_at, hash[2]; /* by runtime.changes; for launches that repeat: backend/repeat.h */
};

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
    bool memory, races, values, rows, caches;
    bool record_all;           /* every launch is recorded */
    uint64_t record_launch;    /* the launch to record, from 1; 0: none */
    const char *record_kernel; /* or the launches of this kernel */
    struct launch_blocks blocks;
    uint64_t budget, device_bytes;
    unsigned trace_limit; /* the most traces that are written */
};

struct runtime {
    struct options options;
    const struct backend *backend; /* chosen at the first call */
    struct {
        struct allocation *items;
        size_t count, capacity;
    } allocations;                    /* by address; freed ones stay, to be named in messages */
    uint64_t changes, all_changed_at; /* of the bytes of allocations: a clock, and when any may have changed */
    uint64_t next_address, bytes_in_use;
    uint32_t allocation_count;
    bool range_reserved;
    struct module *modules;
    struct stream default_stream, *streams;
    struct event *events;
    struct graph *graphs;
    uint32_t stream_count, event_count;
    double host_time;    /* model microseconds up to which the host has waited */
    enum status pending; /* of a launch, to be delivered by the next call that synchronises */
    enum status sticky;  /* the context is lost: every call returns it */
    uint64_t launches, traces_written;
    struct {
        char *items;
        size_t count, capacity;
    } output;                /* by kernels since the last synchronisation */
    bool any_closed;         /* some memory */
    struct launch_heap heap; /* of the kernels' malloc; data NULL: none was needed yet */
    struct {
        void (*function)(void *);
        void *data;
    } host_work; /* what a stream asks of the host; call_finish does it. function NULL: nothing */
};
extern struct runtime runtime;

/* One call of an interface, from its begin to its end. */
struct call {
    const char *name;
    const void *from; /* the address it returns to */
    double begin;     /* host seconds since the start */
};
/* Returns whether this thread is the driver's, in a host function of a stream. The thread that waits for it may have
 * the lock, so that its calls have neither lock nor line. */
bool call_is_aside(void);
struct call call_begin(const char *name, const void *from);
/* Writes the record's line, in which an error has its name, and unlocks. Then does the host's work of a stream. */
void call_finish(const struct call *call, enum status status, const char *status_name);

/* Takes the lock of a call outside of one: for the program's end, and for a signal's handler. wait: until another
 * thread gives it up. Returns whether it took the lock: not if this thread has it already. */
bool runtime_lock(bool wait);
void runtime_unlock(void);

/* The context is lost, or a launch failed since the last synchronisation: returns that error and makes it sticky. */
enum status runtime_synchronize(void);
/* Frees all memory and forgets a lost context. Variables have their initial values again. */
enum status runtime_reset(void);
void runtime_print_flush(void);

/* space.c: addresses of the device. */
enum status space_allocate(enum allocation_kind kind, uint64_t size, const char *name, struct allocation **allocation);
void space_free(struct allocation *allocation);
void space_free_all(void);
/* Notes memory that the back end placed. */
struct allocation *space_place(struct allocation allocation);
/* Takes the address range of a freed allocation that has `slot` bytes or more. Returns 0 if there is none. */
uint64_t space_reuse(uint64_t slot, uint64_t *slot_taken);
/* Forgets freed memory in a range that the driver gives anew. */
void space_forget_freed(uint64_t address, uint64_t size);
void space_forget_variables(void);
/* Returns the allocation that an address lies in, live or freed, or NULL. */
struct allocation *space_find(uint64_t address);
/* Likewise, but NULL of freed memory and of an array, into which no pointer leads. */
struct allocation *space_pointed(uint64_t address);
bool space_is_device_range(uint64_t address);
/* The bytes from an offset on to the end of the allocation, or of the mappings that go on behind it. writes: up to the
 * first one that is read-only. */
uint64_t space_reach(const struct allocation *allocation, uint64_t offset, bool writes);
enum status space_register(void *pointer, uint64_t size, struct allocation **allocation);
/* Notes that the bytes of a live allocation are others now. NULL: none are. A launch may change any. */
void space_changed(struct allocation *allocation);
void space_mark_written(struct allocation *allocation, uint64_t offset, uint64_t size);
/* Closes managed or pinned memory to the host until the next synchronisation: to writes, or to reads as well. An access
 * outside of the given bytes is allowed all the same. */
void space_close(struct allocation *allocation, uint64_t offset, uint64_t size, bool reads);
void space_open(struct allocation *allocation);
void space_open_all(void);
/* Opens closed memory to the runtime while it does the device's work, and closes it again. */
void space_pause(void);
void space_resume(void);

/* memory.c: what the allocating and freeing calls share. */
enum status memory_allocate(void **pointer, uint64_t size, enum allocation_kind kind);
/* Frees what an allocating call for this kind of memory returned; managed memory is freed as the device's is. A pointer
 * into an allocation, to freed memory or to the host's is refused. */
enum status memory_release(void *pointer, enum allocation_kind kind);
/* Checks a request to attach managed memory to a stream. Work of any stream may use the memory all the same. */
enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2, ATTACH_SINGLE = 4 };
enum status memory_attach(struct stream *stream, const void *pointer, uint64_t size, unsigned flags);

/* stream.c: streams and events. A handle that is none gives NULL, or an invalid resource handle. */
struct stream *stream_of(struct stream *handle);
enum status stream_create(struct stream **stream, unsigned flags, int priority);
enum status stream_destroy(struct stream *handle);
/* Has the host call a function in the stream's order. stream_host_runs: such a function runs in this thread. */
enum status stream_host(const struct stream *stream, void (*function)(void *), void *data);
bool stream_host_runs(void);
/* EVENT_EXTERNAL: in a capture it is a node of the graph, for work outside of it. */
enum { EVENT_EXTERNAL = 1 };
enum status stream_wait_event(struct stream *handle, struct event *event, unsigned flags, const void *from);
struct event *event_of(struct event *handle);
enum status event_create(struct event **event, unsigned flags);
enum status event_destroy(struct event *handle);
enum status event_record(struct event *handle, struct stream *stream, unsigned flags, const void *from);

void options_read(struct options *options);
#endif
