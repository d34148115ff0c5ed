/* Pieces of work of a stream: what a call does at once, or what a graph keeps for later. */
#ifndef LANESCOPE_CUDART_WORK_H
#define LANESCOPE_CUDART_WORK_H
#include "cudart/layer/state.h"

struct dim3 {
    uint32_t x, y, z;
};
struct shape {
    struct dim3 grid, block;
    size_t shared;
};
/* The numbers are those of cudaMemcpyKind. */
enum copy_kind { COPY_HOST_TO_HOST, COPY_HOST_TO_DEVICE, COPY_DEVICE_TO_HOST, COPY_DEVICE_TO_DEVICE, COPY_DEFAULT };
struct rows { /* of a copy or a fill */
    size_t width, height, depth;
    size_t to_pitch, to_slice, from_pitch, from_slice;
};

/* The numbers are those of cudaGraphNodeType. */
enum work_kind {
    WORK_KERNEL,
    WORK_COPY,
    WORK_FILL,
    WORK_HOST,
    WORK_GRAPH,
    WORK_EMPTY,
    WORK_WAIT,   /* for an event, each time */
    WORK_RECORD, /* an event, each time */
    WORK_ALLOCATION = 10,
    WORK_FREE,
    WORK_CONDITION = 13
};
struct work {
    enum work_kind kind;
    const void *from; /* the address in the program that asked for it */
    union {
        struct work_kernel {
            const void *function;
            struct shape shape;
            void **arguments;
            bool cooperative;
            uint64_t launcher;         /* the launch whose kernel asked for it; 0: the host */
            const char *launcher_file; /* then: its line */
            uint32_t launcher_line;
        } kernel;
        struct work_copy {
            void *to;
            const void *source;
            struct rows rows;
            int kind;
            bool to_array, from_array; /* the side is in a CUDA array: array.h */
        } copy;
        struct work_fill {
            void *pointer;
            unsigned value, element; /* of 1, 2 or 4 bytes */
            struct rows rows;
        } fill;
        struct work_host {
            void (*function)(void *);
            void *data;
        } host;
        void *pointer; /* allocated or freed */
        struct event *event;
        struct work_condition { /* CUDA_CONDITIONAL_NODE_PARAMS begins so */
            uint64_t handle;
            int type;
            unsigned bodies;
        } condition;
    };
};
/* What a launched kernel launched. The caller of work_launch does it behind the end of the call. */
struct work_children {
    struct launch_children list; /* its depth is that of the launch */
    struct module *module;
    uint64_t launcher; /* number of the launch */
};
/* Each does the work in the stream, or has the stream's capture keep it. */
enum status work_launch(const struct work *work, struct stream *stream, struct work_children *children);
/* Makes a launch of a kernel's own work, with its arguments in the arena. */
struct work work_of_child(struct arena *arena, const struct work_children *children, const struct launch_child *child);
/* waits: the copy is done when the function returns. */
enum status work_copy(const struct work *work, struct stream *stream, bool waits);
enum status work_fill(const struct work *work, struct stream *stream);
enum status work_host(const struct work *work, struct stream *stream);
#endif
