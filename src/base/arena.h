/* Memory by lifetime: everything in an arena is freed at once. One arena for a lesson, one for a run, one for a frame.
 * Allocation never returns NULL: a machine without memory for a few megabytes of bookkeeping ends the program with one
 * line on standard error. Device memory and other large blocks are allocated by their modules, which report failure. */
#ifndef LANESCOPE_BASE_ARENA_H
#define LANESCOPE_BASE_ARENA_H
#include <stdarg.h>
#include <stddef.h>

struct arena_chunk;
/* All zero is an empty arena. Not safe for use from two threads at once. */
struct arena {
    struct arena_chunk *newest;
    size_t bytes; /* handed out since the last reset */
};

/* Zeroed memory, aligned for any type. size 0 gives a valid pointer. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((returns_nonnull));
#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_alloc_array((arena), sizeof(type), (count)))
void *arena_alloc_array(struct arena *arena, size_t element, size_t count) __attribute__((returns_nonnull));
/* Copies of text, NUL-terminated, in the arena. */
char *arena_text(struct arena *arena, const char *text);
char *arena_text_n(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_format_v(struct arena *arena, const char *format, va_list arguments);
/* Forgets everything but keeps the newest chunk for reuse: what a frame does. */
void arena_reset(struct arena *arena);
/* Gives all memory back. */
void arena_free(struct arena *arena);

/* A growing array outside an arena: `struct { T *items; size_t count, capacity; }`. */
void *array_grow(void *items, size_t *capacity, size_t needed, size_t element);
#define array_push(array, value)                                                                                       \
    ((array)->items = array_grow((array)->items, &(array)->capacity, (array)->count + 1, sizeof *(array)->items),      \
     (array)->items[(array)->count++] = (value))
#endif
