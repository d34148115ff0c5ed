#include "trace/by_place.h"

struct by_place by_place_new(struct arena *arena, uint32_t most, bool columns)
{
    uint32_t size = 16;
    while (size < most && size < UINT32_C(1) << 30)
        size *= 2;
    return (struct by_place){.first = arena_array(arena, uint32_t, size),
                             .next = arena_array(arena, uint32_t, (size_t)most + 1),
                             .mask = size - 1,
                             .columns = columns};
}

static uint32_t hash_of(const struct by_place *rows, const struct trace_site *site)
{
    uint32_t hash = (uint32_t)site->line * UINT32_C(2654435761);
    hash = (hash ^ (uint32_t)site->file) * UINT32_C(2246822519);
    hash = (hash ^ (rows->columns ? (uint32_t)site->column : 0)) * UINT32_C(3266489917);
    return (hash ^ hash >> 15) & rows->mask;
}

uint32_t by_place_first(const struct by_place *rows, const struct trace_site *site)
{
    return site->line ? rows->first[hash_of(rows, site)] : 0;
}

uint32_t by_place_next(const struct by_place *rows, uint32_t row_plus_1)
{
    return rows->next[row_plus_1 - 1];
}

void by_place_add(struct by_place *rows, const struct trace_site *site, uint32_t row)
{
    if (!site->line)
        return;
    uint32_t *first = &rows->first[hash_of(rows, site)];
    rows->next[row] = *first;
    *first = row + 1;
}
