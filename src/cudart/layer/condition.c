/* Conditions of graphs, on the emulator. */
#include "cudart/backend/backend.h"
#include "cudart/layer/graph_objects.h"
#include <stdlib.h>
#include <string.h>

struct condition {
    uint64_t handle;
    unsigned value; /* at each launch of the graph */
    bool begins;    /* with it */
    struct condition *next;
};
static struct condition *conditions;

static struct condition *condition_of(uint64_t handle)
{
    for (struct condition *c = conditions; c; c = c->next)
        if (c->handle == handle)
            return c;
    return NULL;
}

static struct allocation *memory_of(uint64_t handle)
{
    struct allocation *a = condition_of(handle) ? space_find(handle) : NULL;
    return a && !a->freed && a->address == handle ? a : NULL;
}

static void set(uint64_t handle, unsigned value)
{
    struct allocation *a = memory_of(handle);
    if (!a)
        return;
    memcpy(a->data, &value, sizeof value);
    space_mark_written(a, 0, sizeof value);
    space_changed(a);
}

enum status condition_create(uint64_t *handle, const struct graph *graph, unsigned value, unsigned flags)
{
    enum { BEGINS = 1 };
    void *pointer = NULL;
    if (runtime.backend->gpu) {
        fprintf(stderr, "lanescope: conditions of graphs are there on the emulator alone\n");
        return STATUS_NOT_SUPPORTED;
    }
    if (!handle || !graph_of(graph, false) || flags > BEGINS)
        return STATUS_INVALID_VALUE;
    struct condition *new = malloc(sizeof *new);
    enum status const status =
        new ? memory_allocate(&pointer, sizeof value, ALLOCATION_DEVICE) : STATUS_MEMORY_ALLOCATION;
    if (status) {
        free(new);
        return status;
    }
    *new = (struct condition){(uint64_t)(uintptr_t)pointer, value, flags == BEGINS, conditions};
    conditions = new;
    *handle = new->handle;
    struct allocation *a = memory_of(new->handle);
    a->captured = a->released = true; /* no memory of the program */
    set(new->handle, value);
    return STATUS_SUCCESS;
}

bool condition_is(uint64_t handle)
{
    return memory_of(handle) != NULL;
}

unsigned condition_value(uint64_t handle)
{
    const struct allocation *a = memory_of(handle);
    unsigned value = 0;
    if (a)
        memcpy(&value, a->data, sizeof value);
    return value;
}

void conditions_begin(const struct graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct graph_node *node = graph->nodes.items[i];
        const struct condition *c =
            node->work.kind == WORK_CONDITION ? condition_of(node->work.condition.handle) : NULL;
        if (c && c->begins)
            set(c->handle, c->value);
        for (unsigned k = 0; node->bodies && k < node->work.condition.bodies; k++)
            conditions_begin(node->bodies[k]);
        if (node->child)
            conditions_begin(node->child);
    }
}

void condition_left(uint64_t handle)
{
    struct allocation *a = memory_of(handle);
    for (const struct graph *g = runtime.graphs; a && g; g = g->next)
        for (size_t i = 0; i < g->nodes.count; i++)
            if (g->nodes.items[i]->work.kind == WORK_CONDITION && g->nodes.items[i]->work.condition.handle == handle)
                return;
    if (!a)
        return;
    space_free(a);
    for (struct condition **at = &conditions; *at; at = &(*at)->next)
        if ((*at)->handle == handle) {
            struct condition *const gone = *at;
            *at = gone->next;
            free(gone);
            return;
        }
}

void condition_define(struct arena *arena, const char **ptx, size_t *size)
{
    static const char definition[] =
        "\n.visible .func cudaGraphSetConditional(.param .b64 condition, .param .b32 value)\n{\n"
        ".reg .b64 %c; .reg .b32 %v;\nld.param.b64 %c, [condition]; ld.param.b32 %v, [value];\n"
        "st.global.b32 [%c], %v;\nret;\n}\n";
    static const char declared[] = ".extern .func cudaGraphSetConditional";
    if (!memmem(*ptx, *size, declared, strlen(declared)))
        return;
    *ptx = arena_format(arena, "%.*s%s", (int)*size, *ptx, definition);
    *size = strlen(*ptx);
}
