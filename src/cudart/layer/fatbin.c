/* Layout, as nvcc 11 to 13 write it: a head of 16 bytes, then entries, each with its own head and its bytes. */
#include "cudart/layer/fatbin.h"
#include <lz4.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>

enum { MAGIC = (int)0xba55ed50, KIND_PTX = 1, FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, PTX_MAX = 256 << 20 };

struct head {
    uint32_t magic;
    uint16_t version, size;
    uint64_t bytes; /* of the entries */
};
struct entry {
    uint16_t kind, version;
    uint32_t head_size;
    uint64_t size;
    uint32_t compressed_size, options;
    uint16_t minor, major;
    uint32_t target, name, name_size;
    uint64_t flags, zero, plain_size;
};

/* Returns the number of unpacked bytes, or -1 if they are damaged: nvcc packs with LZ4 before 12.8. */
static int64_t unpack_bytes(const struct entry *entry, const char *bytes, char *text)
{
    if (entry->flags & FLAG_LZ4)
        return LZ4_decompress_safe(bytes, text, (int)entry->compressed_size, (int)entry->plain_size);
    size_t const size = ZSTD_decompress(text, entry->plain_size, bytes, entry->compressed_size);
    return ZSTD_isError(size) ? -1 : (int64_t)size;
}

static bool unpack(struct arena *arena, const struct entry *entry, const char *bytes, const char **ptx,
                   struct error *error)
{
    if (!(entry->flags & (FLAG_ZSTD | FLAG_LZ4))) {
        *ptx = arena_text_n(arena, bytes, strnlen(bytes, entry->size));
        return true;
    }
    if (entry->plain_size > PTX_MAX || entry->compressed_size > entry->size)
        return error_set(error, ERROR_INPUT, "the program's PTX is damaged");
    char *text = arena_alloc(arena, entry->plain_size + 1);
    int64_t const size = unpack_bytes(entry, bytes, text);
    if (size < 0)
        return error_set(error, ERROR_INPUT, "the program's PTX is damaged");
    text[size] = '\0';
    *ptx = text;
    return true;
}

bool fatbin_ptx(struct arena *arena, const void *fatbin, const char **ptx, struct error *error)
{
    const char *bytes = fatbin;
    struct head head;
    uint32_t best = 0;
    bool code = false;
    *ptx = NULL;
    memcpy(&head, bytes, sizeof head);
    if (head.magic != (uint32_t)MAGIC)
        return error_set(error, ERROR_INPUT, "the program holds no PTX that Lanescope can read");
    for (uint64_t at = head.size, end = head.size + head.bytes; at + sizeof(struct entry) <= end;) {
        struct entry entry;
        memcpy(&entry, bytes + at, sizeof entry);
        if (!entry.head_size)
            break;
        if (entry.head_size > end - at || entry.size > end - at - entry.head_size)
            return error_set(error, ERROR_INPUT, "the program's PTX is damaged");
        code = true;
        if (entry.kind == KIND_PTX && entry.target >= best) {
            best = entry.target;
            if (!unpack(arena, &entry, bytes + at + entry.head_size, ptx, error))
                return false;
        }
        at += entry.head_size + entry.size;
    }
    if (*ptx || !code)
        return true;
    error_set(error, ERROR_INPUT, "the program holds machine code alone, without PTX");
    return error_remedy(error, "build it with nvcc -arch=sm_80, or another option that keeps the PTX");
}
