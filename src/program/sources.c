#include "program/sources.h"
#include "base/lines.h"
#include "source/tokens.h"
#include <string.h>

static void add(struct program_sources *sources, const char *path)
{
    for (size_t i = 0; i < sources->count; i++)
        if (strcmp(sources->paths[i], path) == 0)
            return;
    if (sources->count < PROGRAM_SOURCES_MAX)
        sources->paths[sources->count++] = path;
}

void program_sources_find(struct arena *arena, const char *path, struct program_sources *sources)
{
    const char *all = "";
    *sources = (struct program_sources){.paths = {arena_text(arena, path)}, .count = 1};
    for (size_t i = 0; i < sources->count; i++) {
        const char *own = sources->paths[i];
        char *text;
        size_t size;
        if (!file_read(arena, own, &text, &size, NULL)) {
            all = arena_format(arena, "%s-", all);
            continue;
        }
        all = arena_format(arena, "%s%s", all, digest_of(text, size).text);
        const struct source *source = source_read(arena, text, NULL, 0, SOURCE_ALL);
        for (uint32_t k = 0; k < source->include_count; k++) {
            const char *name = source->includes[k] + 1;
            size_t const folder = *name == '/' ? 0 : (size_t)(path_name(own) - own);
            if (*source->includes[k] == '"')
                add(sources, arena_format(arena, "%.*s%s", (int)folder, own, name));
        }
    }
    sources->digest = digest_of(all, strlen(all));
}

/* Returns how many whole lines both texts begin with. */
static size_t same_at_begin(const char *a, const char *b)
{
    size_t count = 0;
    for (; *a && *a == *b; a++, b++)
        count += *a == '\n';
    return count;
}

/* Returns how many whole lines both texts end with, of the parts that are left. */
static size_t same_at_end(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t count = 0;
    while (a_size && b_size && a[a_size - 1] == b[b_size - 1]) {
        a_size--;
        b_size--;
        count += a[a_size] == '\n';
    }
    return count;
}

uint32_t program_line_after(const char *before, const char *after, uint32_t line, bool *exact)
{
    size_t const old_count = line_of(before, before + strlen(before)),
                 new_count = line_of(after, after + strlen(after)), head = same_at_begin(before, after);
    size_t const least = old_count < new_count ? old_count : new_count;
    size_t tail = same_at_end(before, strlen(before), after, strlen(after));
    bool const same = strcmp(before, after) == 0;
    tail = tail < least - head ? tail : least - head;
    *exact = true;
    if (same || line <= head)
        return line;
    if (line + tail > old_count)
        return (uint32_t)(line + new_count - old_count);
    *exact = false;
    size_t const next = head + 1, last = new_count - tail > next ? new_count - tail : next;
    return line < last ? line : (uint32_t)last;
}
