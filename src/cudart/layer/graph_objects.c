/* What a graph keeps beside its nodes: references to objects of the program, and memory that its captures allocated. */
#include "cudart/layer/graph_objects.h"
#include "base/arena.h"
#include "cudart/layer/pool.h"
#include <stdlib.h>
#include <string.h>

/* An object of the program, which is destroyed by a function of its own when nobody has a reference to it any more. */
struct user_object {
    void (*destroy)(void *);
    void *data;
    uint64_t references;
    struct user_object *next;
};
static struct user_object *objects, *destroyed; /* the latter: their functions are still to be called */

static struct user_object *object_of(const struct user_object *handle)
{
    for (struct user_object *o = objects; o; o = o->next)
        if (o == handle)
            return o;
    return NULL;
}

static void drop(struct user_object *object, uint64_t count)
{
    object->references -= count;
    if (object->references)
        return;
    for (struct user_object **at = &objects; *at; at = &(*at)->next)
        if (*at == object) {
            *at = object->next;
            break;
        }
    object->next = destroyed;
    destroyed = object;
}

enum status object_create(struct user_object **object, void *data, void (*destroy)(void *), unsigned references,
                          unsigned flags)
{
    enum { NOT_SYNCHRONIZED = 1, REFERENCES_MAX = INT32_MAX };
    if (!object || !destroy || !references || references > REFERENCES_MAX || flags != NOT_SYNCHRONIZED)
        return STATUS_INVALID_VALUE;
    struct user_object *new = malloc(sizeof *new);
    if (!new)
        return STATUS_MEMORY_ALLOCATION;
    *new = (struct user_object){destroy, data, references, objects};
    *object = objects = new;
    return STATUS_SUCCESS;
}

enum status object_retain(struct user_object *handle, unsigned count)
{
    struct user_object *object = object_of(handle);
    if (!object || !count)
        return STATUS_INVALID_VALUE;
    object->references += count;
    return STATUS_SUCCESS;
}

enum status object_release(struct user_object *handle, unsigned count)
{
    struct user_object *object = object_of(handle);
    if (!object || !count || count > object->references)
        return STATUS_INVALID_VALUE;
    drop(object, count);
    return STATUS_SUCCESS;
}

static struct graph_object *object_in(const struct graph *graph, const struct user_object *object)
{
    for (size_t i = 0; i < graph->objects.count; i++)
        if (graph->objects.items[i].object == object)
            return &graph->objects.items[i];
    return NULL;
}

static void hold(struct graph *graph, struct user_object *object, uint64_t count)
{
    struct graph_object *held = object_in(graph, object);
    struct graph_object const new = {object, count};
    if (held)
        held->count += count;
    else
        array_push(&graph->objects, new);
}

enum status graph_retain_object(struct graph *handle, struct user_object *object_handle, unsigned count, unsigned flags)
{
    enum { MOVE = 1 };
    struct graph *graph = graph_of(handle, false);
    struct user_object *object = object_of(object_handle);
    if (!graph || !object || !count || flags > MOVE || (flags == MOVE && count > object->references))
        return STATUS_INVALID_VALUE;
    object->references += flags == MOVE ? 0 : count;
    hold(graph, object, count);
    return STATUS_SUCCESS;
}

enum status graph_release_object(struct graph *handle, struct user_object *object, unsigned count)
{
    const struct graph *graph = graph_of(handle, false);
    struct graph_object *held = graph ? object_in(graph, object) : NULL;
    if (!held || !held->object || !count || count > held->count)
        return STATUS_INVALID_VALUE;
    held->count -= count;
    drop(object, count);
    if (!held->count)
        held->object = NULL;
    return STATUS_SUCCESS;
}

void graph_share_objects(struct graph *to, const struct graph *from)
{
    for (size_t i = 0; i < from->objects.count; i++) {
        struct graph_object const *held = &from->objects.items[i];
        if (!held->object)
            continue;
        held->object->references += held->count;
        hold(to, held->object, held->count);
    }
}

void graph_drop_objects(struct graph *graph)
{
    for (size_t i = 0; i < graph->objects.count; i++)
        if (graph->objects.items[i].object)
            drop(graph->objects.items[i].object, graph->objects.items[i].count);
    free(graph->objects.items);
    memset(&graph->objects, 0, sizeof graph->objects);
}

struct user_object *objects_take_destroyed(void)
{
    struct user_object *const list = destroyed;
    destroyed = NULL;
    return list;
}

void objects_destroy(struct user_object *list)
{
    while (list) {
        struct user_object *const next = list->next;
        list->destroy(list->data);
        free(list);
        list = next;
    }
}

/* ---- memory ---- */

enum { USED_CURRENT, USED_HIGH, RESERVED_CURRENT, RESERVED_HIGH, ATTRIBUTES }; /* cudaGraphMemAttributeType */

static uint64_t bytes_high;

static uint64_t bytes_in_use(void)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        bytes += a->captured && !a->freed && !a->released ? a->size : 0;
    }
    return bytes;
}

void graph_memory_allocated(struct allocation *allocation)
{
    allocation->captured = true;
    uint64_t const bytes = bytes_in_use();
    bytes_high = bytes > bytes_high ? bytes : bytes_high;
}

static struct allocation *of_graph(const void *pointer)
{
    struct allocation *a = space_find((uint64_t)(uintptr_t)pointer);
    return a && a->captured && !a->freed ? a : NULL;
}

void graph_memory_launched(const void *pointer)
{
    struct allocation *a = of_graph(pointer);
    if (a)
        a->released = false;
}

void graph_memory_left(const void *pointer)
{
    struct allocation *a = of_graph(pointer);
    for (const struct graph *g = runtime.graphs; a && g; g = g->next)
        for (size_t i = 0; i < g->nodes.count; i++)
            if (g->nodes.items[i]->work.kind == WORK_ALLOCATION && g->nodes.items[i]->work.pointer == pointer)
                return;
    if (!a)
        return;
    a->captured = false;
    if (!a->released && !a->of_graph)
        return;
    pool_freed(a);
    space_free(a);
}

enum status graph_memory_attribute(int number, uint64_t *value, bool set)
{
    bool const high = number == USED_HIGH || number == RESERVED_HIGH;
    if (!value || number < USED_CURRENT || number >= ATTRIBUTES || (set && (!high || *value)))
        return STATUS_INVALID_VALUE; /* the highest so far can only be forgotten */
    if (set)
        bytes_high = bytes_in_use();
    else
        *value = high ? bytes_high : bytes_in_use();
    return STATUS_SUCCESS;
}

enum status graph_memory_of_node(const struct graph_node *handle, enum work_kind kind, void **pointer, uint64_t *size)
{
    const struct graph_node *node = graph_node_of(handle);
    if (!node || node->work.kind != kind)
        return STATUS_INVALID_VALUE;
    const struct allocation *a = space_find((uint64_t)(uintptr_t)node->work.pointer);
    *pointer = node->work.pointer;
    *size = a ? a->size : 0;
    return STATUS_SUCCESS;
}

enum status graph_memory_parameters(const struct graph_node *node, struct allocation_node *parameters)
{
    enum { PINNED = 1, ON_DEVICE = 1 };
    void *pointer;
    uint64_t bytes;
    enum status const status =
        parameters ? graph_memory_of_node(node, WORK_ALLOCATION, &pointer, &bytes) : STATUS_INVALID_VALUE;
    if (!status)
        *parameters = (struct allocation_node){
            .type = PINNED, .location = {ON_DEVICE, 0}, .bytes = (size_t)bytes, .pointer = pointer};
    return status;
}

enum status graph_add_allocation(struct graph_node **node, struct graph *graph, struct graph_needs needs,
                                 struct allocation_node *p, const void *from)
{
    enum { PINNED = 1, ON_DEVICE = 1 };
    void *pointer = NULL;
    if (!p || p->type != PINNED || p->shared_with || p->location.type != ON_DEVICE || !p->bytes)
        return STATUS_INVALID_VALUE;
    if (p->location.number)
        return STATUS_INVALID_DEVICE;
    enum status status = memory_allocate(&pointer, p->bytes, ALLOCATION_DEVICE);
    if (status)
        return status;
    struct work const work = {WORK_ALLOCATION, from, .pointer = pointer};
    status = graph_add_node(node, graph, needs, &work, NULL);
    if (status) {
        memory_release(pointer, ALLOCATION_DEVICE);
        return status;
    }
    graph_memory_allocated(space_find((uint64_t)(uintptr_t)pointer));
    p->pointer = pointer;
    return STATUS_SUCCESS;
}

enum status graph_add_free(struct graph_node **node, struct graph *graph, struct graph_needs needs, void *pointer,
                           const void *from)
{
    struct allocation *a = space_pointed((uint64_t)(uintptr_t)pointer);
    struct work const work = {WORK_FREE, from, .pointer = pointer};
    if (!a || a->address != (uint64_t)(uintptr_t)pointer || a->kind != ALLOCATION_DEVICE)
        return STATUS_INVALID_VALUE;
    enum status const status = graph_add_node(node, graph, needs, &work, NULL);
    if (!status)
        a->of_graph = true;
    return status;
}
