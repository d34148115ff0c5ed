/* Layout, as nvcc 11 to 13 write it: a head of 16 bytes, then entries, each with its own head and its bytes. */
#include "cudart/layer/fatbin.h"
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

struct input {
    const uint8_t *at, *end;
};

/* Adds the bytes of a length that did not fit into its four bits. Returns false at the input's end. */
static bool read_length(struct input *from, size_t *length)
{
    enum { IN_TOKEN = 15, MORE = 255 };
    uint8_t byte = MORE;
    if (*length < IN_TOKEN)
        return true;
    while (byte == MORE) {
        if (from->at == from->end)
            return false;
        byte = *from->at++;
        *length += byte;
    }
    return true;
}

/* Unpacks a block of LZ4, as nvcc packs before 12.8: a token with the lengths of literals and of a match, the literals,
 * and how far back the match begins; the last one has no match. Returns the number of bytes, or SIZE_MAX if it is
 * damaged. */
static size_t unpack_lz4(struct input from, uint8_t *to, size_t most)
{
    enum { SHORTEST_MATCH = 4, OFFSET_BYTES = 2 };
    size_t size = 0;
    while (from.at < from.end) {
        uint8_t const token = *from.at++;
        size_t literals = token >> 4, match = token & 15;
        if (!read_length(&from, &literals) || literals > (size_t)(from.end - from.at) || literals > most - size)
            return SIZE_MAX;
        memcpy(to + size, from.at, literals);
        size += literals;
        from.at += literals;
        if (from.at == from.end)
            return size;
        if (from.end - from.at < OFFSET_BYTES)
            return SIZE_MAX;
        size_t const back = from.at[0] | (size_t)from.at[1] << 8;
        from.at += OFFSET_BYTES;
        if (!read_length(&from, &match) || !back || back > size || match > most - size ||
            SHORTEST_MATCH > most - size - match)
            return SIZE_MAX;
        for (match += SHORTEST_MATCH; match; match--, size++) /* it may go on into what it writes */
            to[size] = to[size - back];
    }
    return SIZE_MAX;
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
    struct input const packed = {(const uint8_t *)bytes, (const uint8_t *)bytes + entry->compressed_size};
    size_t const size = entry->flags & FLAG_LZ4
                            ? unpack_lz4(packed, (uint8_t *)text, entry->plain_size)
                            : ZSTD_decompress(text, entry->plain_size, bytes, entry->compressed_size);
    if (ZSTD_isError(size)) /* as SIZE_MAX is */
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
