/* Graphs: work that the program describes once and launches often, and the capture of a stream's work as a graph. */
#ifndef LANESCOPE_CUDART_GRAPH_H
#define LANESCOPE_CUDART_GRAPH_H
#include "cudart/layer/work.h"

struct graph_node {
    struct work work;
    struct graph *child;   /* of WORK_GRAPH; the node's own */
    struct graph **bodies; /* likewise of WORK_CONDITION */
    struct node_set needs;
    const struct graph_node *original; /* of a node in an instance */
    struct graph *graph;
};

enum capture_mode { CAPTURE_GLOBAL, CAPTURE_OF_THREAD, CAPTURE_RELAXED };
struct graph {
    struct node_set nodes; /* in an instance in an order that satisfies their needs */
    bool instance;
    bool of_node;                /* which owns it */
    const struct stream *origin; /* while it is captured */
    bool is_programs;            /* it was there before it was captured */
    size_t known;                /* then: its first nodes, which were there, too */
    enum capture_mode capture_mode;
    uint64_t capture_number; /* of the captures, from 1; the same for all streams that join it */
    bool invalid;            /* a call that a capture forbids came meanwhile */
    struct graph_objects {
        struct graph_object { /* references to it; object NULL: given up */
            struct user_object *object;
            uint64_t count;
        } * items;
        size_t count, capacity;
    } objects;
    struct graph *next; /* of all graphs that exist */
};

struct graph *graph_new(void);
/* Returns the graph or the instance of a handle, or NULL if it is none; and likewise the node. */
struct graph *graph_of(const struct graph *handle, bool instance);
struct graph_node *graph_node_of(const struct graph_node *handle);
void graph_destroy(struct graph *graph);
/* Adds a copy of the work, which needs the nodes of a set first. Returns NULL if its kernel is not known. */
struct graph_node *graph_add(struct graph *graph, const struct work *work, const struct graph *child,
                             const struct node_set *needs);
/* Gives a kernel node other parameters. Returns false if the kernel is not known. */
bool graph_set_kernel(struct graph_node *node, const struct work *work);
void node_set_add(struct node_set *set, struct graph_node *node);
/* Returns a graph with copies of the nodes, or NULL if there is not enough memory. */
struct graph *graph_clone(const struct graph *graph);
struct graph_node *graph_clone_of(const struct graph *graph, const struct graph_node *original);
/* Orders the nodes so that each comes after what it needs. Returns false if there is a circle. */
bool graph_order(struct graph *graph);

/* What the calls of both interfaces do; handles come from the program and may be wrong. */
enum status graph_create(struct graph **graph, unsigned flags);
enum status graph_copy(struct graph **copy, const struct graph *graph);
enum status graph_drop(const struct graph *handle, bool instance);
struct graph_needs { /* where the nodes that a new node needs are given */
    struct graph_node *const *items;
    size_t count;
};
enum status graph_add_node(struct graph_node **node, struct graph *graph, struct graph_needs needs,
                           const struct work *work, const struct graph *child);
enum status graph_add_child(struct graph_node **node, struct graph *graph, struct graph_needs needs,
                            const struct graph *child, const void *from);
enum status graph_add_needs(const struct graph *graph, struct graph_node *const *from, struct graph_node *const *to,
                            size_t count);
enum status graph_instantiate(struct graph **instance, const struct graph *graph);
/* The instance takes the parameters of a graph that has the same nodes; *same: whether it has. */
enum status graph_update(struct graph *instance, const struct graph *graph, bool *same);
/* Returns the node of an instance that was made from a node, if it is of the kind, else NULL. */
struct graph_node *graph_instance_node(const struct graph *instance, const struct graph_node *node,
                                       enum work_kind kind);
/* Writes up to *count nodes or edges, and how many there are. */
enum status graph_nodes(const struct graph *graph, bool roots, struct graph_node **nodes, size_t *count);
enum status graph_needs_of(const struct graph_node *node, struct graph_node **nodes, size_t *count);
enum status graph_needed_by(const struct graph_node *node, struct graph_node **nodes, size_t *count);
enum status graph_edges(const struct graph *graph, struct graph_node **from, struct graph_node **to, size_t *count);
/* Returns the graph of a node that is one, which is the node's own. */
enum status graph_of_node(const struct graph_node *node, struct graph **graph);
/* Makes the launch of an instance a part of the graph that a stream captures. */
enum status graph_capture(const struct graph *instance, struct stream *stream, const void *from);

enum capture_state { CAPTURE_NONE, CAPTURE_ACTIVE, CAPTURE_INVALIDATED }; /* cudaStreamCaptureStatus */
enum capture_state capture_state(const struct stream *stream);
/* Gives this thread another mode and *mode the one before. Calls of all threads are treated alike, so that the mode of
 * a thread changes nothing. */
enum status capture_exchange_mode(int *mode);
/* Makes a new graph of what the stream is asked to do from now on. */
enum status capture_begin(struct stream *stream, enum capture_mode mode);
/* Likewise, but adds it to a graph of the program, behind nodes of it. */
enum status capture_begin_in(struct stream *stream, struct graph *graph, struct graph_needs needs,
                             enum capture_mode mode);
enum status capture_end(struct stream *stream, struct graph **graph);
/* Replaces the nodes that the next work of a stream needs, or adds to them, by the flags of
 * cudaStreamUpdateCaptureDependencies. */
enum status capture_set_needs(struct stream *stream, struct graph_needs needs, unsigned flags);
/* Keeps the work in the graph that the stream captures; child: the graph of WORK_GRAPH. */
enum status capture_work(const struct work *work, const struct graph *child, struct stream *stream);
/* Returns the error of a call that is not allowed while a stream captures, which ends that capture: work in the default
 * stream, which waits for all streams (stream), or a call that waits for a stream or, if NULL, for all work. */
enum status capture_refuses_work(const struct stream *stream);
enum status capture_refuses_waiting(const struct stream *stream);
/* Likewise of a call that may wait inside, which only a capture of the mode "global" forbids. */
enum status capture_refuses_unsafe(void);
#endif
