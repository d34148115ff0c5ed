#include "cudart/layer/context.h"
#include "cudart/layer/state.h"
#include <stdlib.h>

enum { STACK = 64 };

static struct context primary = {.number = 1};
static struct context *contexts; /* that the program created */
static unsigned retained;        /* times that the primary one is in use */
static bool held;                /* one of them is the runtime's */
static unsigned long long numbers = 1;
static __thread struct context **stack; /* of this thread, like the configurations of launches in calls/launch.c */
static __thread int depth;
bool context_initialized;

bool context_is(const struct context *context)
{
    bool found = context == &primary && retained;
    for (const struct context *c = contexts; c && !found; c = c->next)
        found = c == context;
    return found;
}

bool context_any(void)
{
    return contexts || retained;
}

struct context *context_last(void)
{
    return depth ? stack[depth - 1] : NULL;
}

struct context *context_current(void)
{
    return context_is(context_last()) ? context_last() : NULL;
}

bool context_push(struct context *context)
{
    if (!stack)
        stack = calloc(STACK, sizeof *stack);
    if (!stack || depth == STACK)
        return false;
    stack[depth++] = context;
    return true;
}

struct context *context_pop(void)
{
    return depth ? stack[--depth] : NULL;
}

struct context *context_new(unsigned flags)
{
    struct context *new = malloc(sizeof *new);
    if (!new || !context_push(new)) {
        free(new);
        return NULL;
    }
    *new = (struct context){.number = ++numbers, .flags = flags, .next = contexts};
    contexts = new;
    return new;
}

void context_delete(struct context *context)
{
    struct context **at = &contexts;
    while (*at && *at != context)
        at = &(*at)->next;
    if (!*at)
        return;
    if (context_last() == context)
        depth--;
    *at = context->next;
    free(context);
}

/* ---- the primary context ---- */

struct context *context_primary(void)
{
    return &primary;
}

void context_retain(void)
{
    retained++;
}

void context_release(void)
{
    retained -= retained > 0;
    held = held && retained;
}

void context_activate(void)
{
    if (!held)
        context_retain();
    held = true;
}

void context_of_runtime(bool over)
{
    const struct context *current = context_current();
    if (runtime.sticky == STATUS_NO_DEVICE || runtime.sticky == STATUS_INITIALIZATION_ERROR ||
        (current && (!over || current == &primary)))
        return;
    context_activate();
    if (context_last() != &primary) {
        context_pop();
        context_push(&primary);
    }
}

void context_reset(void)
{
    retained = 0;
    held = false;
}
