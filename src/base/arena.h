/* Memory by lifetime. One call frees everything in an arena; a lesson, a run and a frame have one arena each.
 * Allocation never returns NULL. If the computer lacks memory for a few megabytes of bookkeeping, the program prints
 * one line on standard error and aborts. Modules allocate device memory and other large blocks themselves and report
 * failure. */
#ifndef LANESCOPE_BASE_ARENA_H
#define LANESCOPE_BASE_ARENA_H
#include <stdarg.h>
#include <stddef.h>

struct arena_chunk;
/* A zeroed struct is an empty arena. Two threads must not use one arena at the same time. */
struct arena {
    struct arena_chunk *newest;
    size_t bytes; /* bytes handed out since the last reset, padding included */
};

/* Returns zeroed memory of `size` bytes, aligned for any type. The pointer is valid for size 0 too. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((returns_nonnull));
#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_alloc_array((arena), sizeof(type), (count)))
void *arena_alloc_array(struct arena *arena, size_t element, size_t count) __attribute__((returns_nonnull));
/* These four return NUL-terminated text in the arena: a copy of `text`, a copy of its first `length` bytes, or the
 * formatted text, with the forms of words chosen (base/agree.h). */
char *arena_text(struct arena *arena, const char *text);
char *arena_text_n(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_format_v(struct arena *arena, const char *format, va_list arguments);
/* Returns a copy of `count` elements in the arena. items may be NULL if count is 0. */
void *arena_copy(struct arena *arena, const void *items, size_t count, size_t element) __attribute__((returns_nonnull));
/* The same for a list outside an arena, `struct { T *items; size_t count, capacity; }`. */
#define arena_list(arena, list) arena_copy((arena), (list).items, (list).count, sizeof *(list).items)
/* Returns an array in the arena with room for one more element: `items`, or a copy of twice the capacity. */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t element)
    __attribute__((returns_nonnull));
/* Frees everything but keeps the newest chunk for reuse. A frame does this. */
void arena_reset(struct arena *arena);
/* Frees all memory of the arena and leaves it empty. */
void arena_free(struct arena *arena);

/* Grows an array outside an arena, `struct { T *items; size_t count, capacity; }`, and returns its items. The caller
 * frees them. array_push appends one value. */
void *array_grow(void *items, size_t *capacity, size_t needed, size_t element) __attribute__((returns_nonnull));
#define array_push(array, value)                                                                                       \
    ((array)->count < (array)->capacity                                                                                \
         ? (void)0                                                                                                     \
         : (void)((array)->items =                                                                                     \
                      array_grow((array)->items, &(array)->capacity, (array)->count + 1, sizeof *(array)->items)),     \
     (array)->items[(array)->count++] = (value))
#endif
