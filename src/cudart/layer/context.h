/* Contexts of the device, and which of them is current to a thread: the last on its stack. A call of the runtime makes
 * the primary context current where none is; which calls do was seen on an H200 (tests/driver/contexts.txt). */
#ifndef LANESCOPE_CUDART_CONTEXT_H
#define LANESCOPE_CUDART_CONTEXT_H
#include <stdbool.h>

struct context {
    unsigned long long number;
    unsigned flags, attached; /* attached: times since it was made */
    struct context *next;
};
/* Returns a context that is current now, or NULL without memory. */
struct context *context_new(unsigned flags);
/* Forgets one that context_new made; it must not be current to another thread. */
void context_delete(struct context *context);
/* Returns whether the handle is a context that was made and not destroyed. The primary one is while it is retained. */
bool context_is(const struct context *context);
bool context_any(void);
/* Returns the thread's context, or NULL. */
struct context *context_current(void);
/* Returns the last on its stack, which may have been destroyed, or NULL. */
struct context *context_last(void);
/* Returns false without room. */
bool context_push(struct context *context);
/* Returns what it took away, or NULL. */
struct context *context_pop(void);

struct context *context_primary(void);
void context_retain(void);
void context_release(void);
/* For a call of the runtime: the primary context is current, in place of a destroyed one, or with `over` in place of
 * any other. */
void context_of_runtime(bool over);
/* The runtime retains the primary context, current or not. */
void context_activate(void);
/* The device is reset: nothing retains the primary context. */
void context_reset(void);

/* Whether the driver is initialized: by cuInit, or by a call of the runtime. */
extern bool context_initialized;
#endif
