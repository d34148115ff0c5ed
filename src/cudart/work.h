/* Pieces of work of a stream: what a call does at once, or what a graph keeps for later. */
#ifndef LANESCOPE_CUDART_WORK_H
#define LANESCOPE_CUDART_WORK_H
#include "cudart/state.h"

struct shape {
    struct dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const void *from; /* the line of <<<>>> */
};
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
    WORK_ALLOCATION = 10,
    WORK_FREE
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
        } kernel;
        struct work_copy {
            void *to;
            const void *source;
            struct rows rows;
            int direction;
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
    };
};
/* Each does the work in the stream, or has the stream's capture keep it, and ends the call. */
cudaError_t work_launch(const struct call *call, const struct work *work, struct stream *stream);
cudaError_t work_copy(const struct call *call, const struct work *work, struct stream *stream);
cudaError_t work_fill(const struct call *call, const struct work *work, struct stream *stream);
cudaError_t work_host(const struct call *call, const struct work *work, struct stream *stream);

/* The bytes that a copy's 3D parameters name, as rows. Returns false if they name an array. */
bool work_of_copy_3d(const struct copy_3d *parameters, struct work *work);
#endif
