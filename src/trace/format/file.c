/* Adds the header of 32 bytes, which says what follows and holds a checksum of it. */
#include "trace/check.h"
#include "trace/format/format.h"
#include "trace/format/registry.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { ZSTD_LEVEL = 9 };

static void put_little(uint8_t *bytes, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get_little(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static bool damaged(const char *name, struct error *error, const char *what)
{
    error_at(error, ERROR_INPUT, name, 0, 0, "the trace is damaged: %s", what);
    return error_remedy(error, "record it again");
}

uint64_t trace_checksum(const uint8_t *body, size_t size)
{
    return XXH3_64bits(body, size);
}

void trace_header_write(uint8_t bytes[TRACE_HEADER_BYTES], const struct trace_header *header)
{
    memcpy(bytes, TRACE_MAGIC, 8);
    put_little(bytes + 8, header->version, 4);
    put_little(bytes + 12, header->compression, 4);
    put_little(bytes + 16, header->body_bytes, 8);
    put_little(bytes + 24, header->checksum, 8);
}

bool trace_header_read(const char *name, const uint8_t *bytes, size_t size, struct trace_header *header,
                       struct error *error)
{
    if (size < TRACE_HEADER_BYTES || memcmp(bytes, TRACE_MAGIC, 8) != 0)
        return error_at(error, ERROR_INPUT, name, 0, 0, "is not a Lanescope trace: header.magic is missing");
    header->version = (uint32_t)get_little(bytes + 8, 4);
    if (header->version < TRACE_VERSION_LEAST || header->version > TRACE_VERSION) {
        error_at(error, ERROR_INPUT, name, 0, 0, "header.version is %u, and this program reads %d to %d",
                 header->version, TRACE_VERSION_LEAST, TRACE_VERSION);
        return error_remedy(error, "record it again with this program, or open it with the one that made it");
    }
    uint64_t const compression = get_little(bytes + 12, 4);
    if (compression > TRACE_ZSTD)
        return damaged(name, error, "header.compression is neither 0 (none) nor 1 (zstd)");
    header->compression = (enum trace_compression)compression;
    header->body_bytes = get_little(bytes + 16, 8);
    header->checksum = get_little(bytes + 24, 8);
    if (header->body_bytes > TRACE_BODY_MAX)
        return damaged(name, error, "header.body_bytes is more than 256 MiB");
    return true;
}

/* Decompresses into memory for body_size bytes, which the caller has bounded. */
static bool decompress(const char *name, const uint8_t *packed, size_t packed_size, size_t body_size, uint8_t **body,
                       struct error *error)
{
    size_t const frame = ZSTD_findFrameCompressedSize(packed, packed_size);
    uint8_t *unpacked = malloc(body_size + 1);
    size_t const got = unpacked ? ZSTD_decompress(unpacked, body_size, packed, packed_size) : 0;
    const char *wrong = !unpacked              ? "no memory to unpack it"
                        : ZSTD_isError(frame)  ? "the compressed body is cut off"
                        : frame != packed_size ? "the file goes on after the compressed body"
                        : ZSTD_getErrorCode(got) == ZSTD_error_dstSize_tooSmall
                            ? "the body is longer than header.body_bytes says"
                        : ZSTD_isError(got) ? "the compressed body cannot be unpacked"
                        : got != body_size  ? "the body is not as long as header.body_bytes says"
                                            : NULL;
    if (wrong) {
        free(unpacked);
        return damaged(name, error, wrong);
    }
    *body = unpacked;
    return true;
}

bool trace_unpack(const char *name, const uint8_t *bytes, size_t size, struct trace **trace, struct error *error)
{
    struct trace_header header;
    if (!trace_header_read(name, bytes, size, &header, error))
        return false;
    const uint8_t *body = bytes + TRACE_HEADER_BYTES;
    uint8_t *unpacked = NULL;
    uint64_t room = trace_room(size);
    if (header.compression == TRACE_ZSTD) {
        if (header.body_bytes > room)
            return damaged(name, error, "header.body_bytes is more than a compressed file of this size may unpack to");
        if (!decompress(name, body, size - TRACE_HEADER_BYTES, header.body_bytes, &unpacked, error))
            return false;
        body = unpacked;
        room -= header.body_bytes;
    } else if (size - TRACE_HEADER_BYTES != header.body_bytes) {
        return damaged(name, error, "the body is not as long as header.body_bytes says");
    }
    bool const whole = trace_checksum(body, header.body_bytes) == header.checksum;
    bool const done = whole ? trace_decode_in(room, name, header.version, body, header.body_bytes, trace, error)
                            : damaged(name, error, "the body does not match header.checksum");
    free(unpacked);
    return done;
}

static bool check(const struct trace *trace, struct error *error)
{
    struct trace_problem problem;
    if (trace_check(trace, &problem))
        return true;
    if (problem.indexed)
        return error_set(error, ERROR_INPUT, "the trace cannot be written: %s[%zu] %s", problem.field, problem.index,
                         problem.what);
    return error_set(error, ERROR_INPUT, "the trace cannot be written: %s %s", problem.field, problem.what);
}

bool trace_pack(const struct trace *trace, struct arena *arena, uint8_t **bytes, size_t *size, struct error *error)
{
    if (!check(trace, error))
        return false;
    size_t body_size;
    struct arena scratch = {0};
    const uint8_t *body = trace_encode(trace, &scratch, &body_size);
    bool const fits = body_size <= TRACE_BODY_MAX;
    if (fits) {
        struct trace_header const header = {TRACE_VERSION, TRACE_PLAIN, body_size, trace_checksum(body, body_size)};
        *size = TRACE_HEADER_BYTES + body_size;
        *bytes = arena_alloc(arena, *size);
        trace_header_write(*bytes, &header);
        memcpy(*bytes + TRACE_HEADER_BYTES, body, body_size);
    }
    arena_free(&scratch);
    if (fits)
        return true;
    error_set(error, ERROR_INPUT, "the trace takes %zu bytes, but a trace file holds at most 256 MiB", body_size);
    return error_remedy(error, "record fewer blocks");
}

static bool write_native(const struct trace *trace, struct arena *arena, uint8_t **bytes, size_t *size,
                         struct error *error)
{
    struct arena scratch = {0};
    uint8_t *plain;
    size_t plain_size;
    bool done = trace_pack(trace, &scratch, &plain, &plain_size, error);
    if (done) {
        size_t const body_size = plain_size - TRACE_HEADER_BYTES, room = ZSTD_compressBound(body_size);
        uint8_t *packed = arena_alloc(arena, TRACE_HEADER_BYTES + room);
        size_t const packed_size =
            ZSTD_compress(packed + TRACE_HEADER_BYTES, room, plain + TRACE_HEADER_BYTES, body_size, ZSTD_LEVEL);
        memcpy(packed, plain, TRACE_HEADER_BYTES);
        put_little(packed + 12, TRACE_ZSTD, 4);
        *bytes = packed;
        *size = TRACE_HEADER_BYTES + packed_size;
        if (trace_takes(trace, body_size) > trace_room(*size)) {
            *bytes = arena_alloc(arena, plain_size);
            memcpy(*bytes, plain, plain_size);
            *size = plain_size;
        }
        done = !ZSTD_isError(packed_size) ||
               error_set(error, ERROR_INPUT, "the trace cannot be compressed: %s", ZSTD_getErrorName(packed_size));
    }
    arena_free(&scratch);
    return done;
}

static bool probe_native(const uint8_t *bytes, size_t size)
{
    return size >= 8 && memcmp(bytes, TRACE_MAGIC, 8) == 0;
}

const struct trace_format trace_format_native = {.name = "a Lanescope trace",
                                                 .ending = ".trace",
                                                 .probe = probe_native,
                                                 .read = trace_unpack,
                                                 .bytes_most = ZSTD_COMPRESSBOUND(TRACE_BODY_MAX) + TRACE_HEADER_BYTES,
                                                 .write = write_native};
