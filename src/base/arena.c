/* An arena is a list of chunks, newest first. Each chunk is at least twice as large as the one before it, so that a
 * long run needs few of them. */
#include "base/arena.h"
#include "base/agree.h"
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* AddressSanitizer takes a chunk for one block. The arena therefore marks the bytes that it hands out as usable and
 * leaves a poisoned gap behind each piece. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define ARENA_WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ARENA_WATCHED
#endif
#ifdef ARENA_WATCHED
#include <sanitizer/asan_interface.h>
enum { ARENA_GAP = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)0)
enum { ARENA_GAP = 0 };
#endif

enum { ARENA_FIRST_CHUNK = 64 * 1024, ARENA_ALIGN = 64 };

struct arena_chunk {
    struct arena_chunk *older;
    size_t used, size;
    alignas(ARENA_ALIGN) unsigned char bytes[];
};

static void out_of_memory(size_t size)
{
    fprintf(stderr, "lanescope: no memory left for %zu bytes; close other programs or choose a smaller run\n", size);
    abort();
}

void *arena_alloc_array(struct arena *arena, size_t element, size_t count)
{
    if (count != 0 && element > SIZE_MAX / 4 / count)
        out_of_memory(SIZE_MAX);
    return arena_alloc(arena, element * count);
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 4)
        out_of_memory(size);
    size_t const align = alignof(max_align_t);
    struct arena_chunk *chunk = arena->newest;
    size_t const rounded = (size + align - 1) / align * align + ARENA_GAP;
    if (!chunk || chunk->size - chunk->used < rounded) {
        size_t capacity = chunk ? chunk->size * 2 : ARENA_FIRST_CHUNK;
        while (capacity < rounded)
            capacity *= 2;
        struct arena_chunk *fresh =
            aligned_alloc(ARENA_ALIGN, (sizeof *fresh + capacity + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN);
        if (!fresh)
            out_of_memory(capacity);
        *fresh = (struct arena_chunk){.older = chunk, .size = capacity};
        ASAN_POISON_MEMORY_REGION(fresh->bytes, capacity);
        arena->newest = chunk = fresh;
    }
    void *memory = chunk->bytes + chunk->used;
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
    chunk->used += rounded;
    arena->bytes += rounded;
    return memset(memory, 0, size);
}

char *arena_text_n(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
    return arena_text_n(arena, text, strlen(text));
}

char *arena_format_v(struct arena *arena, const char *format, va_list arguments)
{
    char first[256]; /* most texts are shorter, and so are written once */
    va_list again;
    va_copy(again, arguments);
    int const length = vsnprintf(first, sizeof first, format, arguments);
    char *text = arena_alloc(arena, length > 0 ? (size_t)length + 1 : 1);
    if (length >= (int)sizeof first)
        vsnprintf(text, (size_t)length + 1, format, again);
    else if (length > 0)
        memcpy(text, first, (size_t)length);
    va_end(again);
    return agree_format(text, format);
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_format_v(arena, format, arguments);
    va_end(arguments);
    return text;
}

void *arena_copy(struct arena *arena, const void *items, size_t count, size_t element)
{
    void *copy = arena_alloc_array(arena, element, count);
    return count ? memcpy(copy, items, count * element) : copy;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : 16;
    void *grown = arena_alloc_array(arena, element, *capacity);
    return count ? memcpy(grown, items, count * element) : grown;
}

static void free_chunks(struct arena_chunk *chunk)
{
    while (chunk) {
        struct arena_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
}

void arena_reset(struct arena *arena)
{
    arena->bytes = 0;
    if (!arena->newest)
        return;
    free_chunks(arena->newest->older);
    arena->newest->older = NULL;
    arena->newest->used = 0;
    ASAN_POISON_MEMORY_REGION(arena->newest->bytes, arena->newest->size);
}

void arena_free(struct arena *arena)
{
    free_chunks(arena->newest);
    *arena = (struct arena){0};
}

void *array_grow(void *items, size_t *capacity, size_t needed, size_t element)
{
    if (items && needed <= *capacity)
        return items;
    size_t grown = *capacity ? *capacity : 16;
    while (grown < needed)
        grown *= 2;
    void *moved = grown > SIZE_MAX / element ? NULL : realloc(items, grown * element);
    if (!moved)
        out_of_memory(grown * element);
    *capacity = grown;
    return moved;
}
