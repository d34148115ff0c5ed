/* What a graph keeps beside its nodes: references to objects of the program, and memory that its captures allocated. */
#ifndef LANESCOPE_CUDART_GRAPH_OBJECTS_H
#define LANESCOPE_CUDART_GRAPH_OBJECTS_H
#include "cudart/layer/graph.h"

struct user_object;
/* An object of the program with a number of references; at the last one's end its function is called with `data`. */
enum status object_create(struct user_object **object, void *data, void (*destroy)(void *), unsigned references,
                          unsigned flags);
enum status object_retain(struct user_object *object, unsigned count);
enum status object_release(struct user_object *object, unsigned count);
/* A graph takes references or gives them up. What is copied or instantiated of it has as many of its own. */
enum status graph_retain_object(struct graph *graph, struct user_object *object, unsigned count, unsigned flags);
enum status graph_release_object(struct graph *graph, struct user_object *object, unsigned count);
void graph_share_objects(struct graph *to, const struct graph *from);
void graph_drop_objects(struct graph *graph);
/* Returns the objects whose last reference has ended since the last call. objects_destroy calls their functions, which
 * are the program's: without the lock. */
struct user_object *objects_take_destroyed(void);
void objects_destroy(struct user_object *list);

/* Notes memory that a captured call allocated. */
void graph_memory_allocated(struct allocation *allocation);
/* The launch of a node that allocates it. And the end of a graph with such a node: without another one the memory is
 * freed, if the program or the graph did so, or is like any other from then on. */
void graph_memory_launched(const void *pointer);
void graph_memory_left(const void *pointer);
/* Reads or sets an attribute of all such memory by its number. */
enum status graph_memory_attribute(int number, uint64_t *value, bool set);
/* cudaMemAllocNodeParams and CUDA_MEM_ALLOC_NODE_PARAMS. */
struct allocation_node {
    int type, shared_with; /* processes */
    struct {
        int type, number;
    } location;
    uint64_t pool[9];
    const void *accesses;
    size_t access_count, bytes;
    void *pointer;
};
_Static_assert(sizeof(struct allocation_node) == 120, "the size of cudaMemAllocNodeParams");
/* Adds a node that allocates memory, which is there from now on, or that frees it, which has no effect: it lives as
 * long as the graph's other memory. */
enum status graph_add_allocation(struct graph_node **node, struct graph *graph, struct graph_needs needs,
                                 struct allocation_node *parameters, const void *from);
enum status graph_add_free(struct graph_node **node, struct graph *graph, struct graph_needs needs, void *pointer,
                           const void *from);
enum status graph_memory_parameters(const struct graph_node *node, struct allocation_node *parameters);
/* Returns the memory of a node that allocates or frees. */
enum status graph_memory_of_node(const struct graph_node *node, enum work_kind kind, void **pointer, uint64_t *size);

/* condition.c: a value in the device's memory, at the address that is its handle, by which a node chooses among graphs.
 * Kernels set it by cudaGraphSetConditional. */
enum status condition_create(uint64_t *handle, const struct graph *graph, unsigned value, unsigned flags);
bool condition_is(uint64_t handle);
unsigned condition_value(uint64_t handle);
/* Gives all conditions of an instance that is launched the values that they begin with. */
void conditions_begin(const struct graph *instance);
/* The end of a graph with a node of the condition. */
void condition_left(uint64_t handle);
/* Adds the function that sets a condition to a PTX that declares it. */
void condition_define(struct arena *arena, const char **ptx, size_t *size);

/* graph_text.c: writes the graph to a file in the language DOT. */
enum status graph_write(const struct graph *graph, const char *path);
#endif
