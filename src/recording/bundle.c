#include "recording/bundle.h"
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static const char bundle_magic[8] = "LSTRACE1";

static void put(uint8_t **to, const void *bytes, size_t size)
{
    memcpy(*to, bytes, size);
    *to += size;
}

bool bundle_pack(const struct bundle_entry *entries, size_t count, struct arena *arena, uint8_t **bytes, size_t *size,
                 struct error *error)
{
    size_t plain = sizeof bundle_magic + 4;
    for (size_t i = 0; i < count; i++)
        plain += 4 + strlen(entries[i].name) + 8 + entries[i].size;
    uint8_t *text = malloc(plain), *to = text;
    if (!text)
        return error_set(error, ERROR_MISSING, "no memory for a bundle of %zu bytes", plain);
    uint32_t const entry_count = (uint32_t)count;
    put(&to, bundle_magic, sizeof bundle_magic);
    put(&to, &entry_count, sizeof entry_count);
    for (size_t i = 0; i < count; i++) {
        uint32_t const length = (uint32_t)strlen(entries[i].name);
        uint64_t const entry_size = entries[i].size;
        put(&to, &length, sizeof length);
        put(&to, entries[i].name, length);
        put(&to, &entry_size, sizeof entry_size);
        put(&to, entries[i].bytes, entries[i].size);
    }
    size_t const room = ZSTD_compressBound(plain);
    *bytes = arena_alloc(arena, room);
    *size = ZSTD_compress(*bytes, room, text, plain, 19);
    free(text);
    return !ZSTD_isError(*size) || error_set(error, ERROR_MISSING, "zstd: %s", ZSTD_getErrorName(*size));
}

struct cursor {
    const uint8_t *at, *end;
};

static bool take(struct cursor *from, void *to, size_t size)
{
    if ((size_t)(from->end - from->at) < size)
        return false;
    memcpy(to, from->at, size);
    from->at += size;
    return true;
}

static bool unpack_entries(struct cursor *from, struct arena *arena, struct bundle_entry **entries, size_t *count)
{
    char magic[sizeof bundle_magic];
    uint32_t entry_count, length;
    uint64_t size;
    if (!take(from, magic, sizeof magic) || memcmp(magic, bundle_magic, sizeof magic) != 0 ||
        !take(from, &entry_count, sizeof entry_count) || entry_count > (size_t)(from->end - from->at) / 12)
        return false;
    *entries = arena_array(arena, struct bundle_entry, entry_count);
    for (*count = 0; *count < entry_count; (*count)++) {
        struct bundle_entry *entry = &(*entries)[*count];
        if (!take(from, &length, sizeof length) || length > (size_t)(from->end - from->at))
            return false;
        entry->name = arena_text_n(arena, (const char *)from->at, length);
        from->at += length;
        if (!take(from, &size, sizeof size) || size > (size_t)(from->end - from->at))
            return false;
        entry->bytes = from->at;
        entry->size = size;
        from->at += size;
    }
    return from->at == from->end;
}

bool bundle_unpack(const char *path, const uint8_t *bytes, size_t size, struct arena *arena,
                   struct bundle_entry **entries, size_t *count, struct error *error)
{
    enum { LARGEST = 1 << 30 };
    unsigned long long const plain = ZSTD_getFrameContentSize(bytes, size);
    *count = 0;
    if (plain == ZSTD_CONTENTSIZE_ERROR || plain == ZSTD_CONTENTSIZE_UNKNOWN || plain > LARGEST)
        return error_at(error, ERROR_INPUT, path, 0, 0, "is not a bundle of recorded traces");
    uint8_t *text = arena_alloc(arena, plain);
    size_t const got = ZSTD_decompress(text, plain, bytes, size);
    struct cursor from = {text, text + plain};
    if (ZSTD_isError(got) || got != plain || !unpack_entries(&from, arena, entries, count))
        return error_at(error, ERROR_INPUT, path, 0, 0, "is a damaged bundle of recorded traces");
    return true;
}
