/* For src/trace/format only: what the writer and the reader of trace files share (docs/trace-format.md). Tests and
 * fuzzers use it to check the reader behind the checksum. */
#ifndef LANESCOPE_TRACE_FORMAT_FORMAT_H
#define LANESCOPE_TRACE_FORMAT_FORMAT_H
#include "trace/trace.h"

#define TRACE_MAGIC "lanetrac"
/* The reader knows versions 1 (findings are sentences), 2 (no shuffles), 3 (no groups of copies), 4 (no products of
 * matrices), 5 (no waits for values) and 6; the writer writes 6. */
enum { TRACE_VERSION = 6, TRACE_VERSION_LEAST = 1, TRACE_HEADER_BYTES = 32 };
enum trace_compression { TRACE_PLAIN, TRACE_ZSTD };
/* The reader refuses larger bodies, so that a small hostile file cannot make it allocate all memory. */
#define TRACE_BODY_MAX (UINT64_C(256) << 20)

/* The memory that reading a file may take: so much for any file, and so much for each byte of the file as it lies on
 * the disk, compressed or not. An uncompressed file never takes more: its worst events, of 13 bytes, have one lane with
 * an address and a value. The writer leaves a body uncompressed that would take more when compressed. */
#define TRACE_ROOM_FREE (UINT64_C(24) << 20)
enum { TRACE_ROOM_FACTOR = 52 };
static inline uint64_t trace_room(uint64_t file_bytes)
{
    return TRACE_ROOM_FREE + TRACE_ROOM_FACTOR * file_bytes;
}
enum {
    TRACE_BUFFER_ROOM = sizeof(struct trace_buffer) + 4 * sizeof(uint64_t), /* with two ends in trace_places */
    TRACE_EVENT_ROOM = 128, /* the event, and what its check keeps of its warp */
    TRACE_LANES_ROOM = WARP_LANES * sizeof(uint64_t)
};
/* Returns the memory that a trace takes whose body has this size: what trace_decode counts, or a little more. */
uint64_t trace_takes(const struct trace *trace, uint64_t body_bytes);

struct trace_header {
    uint32_t version;
    enum trace_compression compression;
    uint64_t body_bytes; /* uncompressed */
    uint64_t checksum;   /* XXH3, 64 bits, of the uncompressed body */
};
void trace_header_write(uint8_t bytes[TRACE_HEADER_BYTES], const struct trace_header *header);
bool trace_header_read(const char *name, const uint8_t *bytes, size_t size, struct trace_header *header,
                       struct error *error);
uint64_t trace_checksum(const uint8_t *body, size_t size);

/* How an argument of a finding stands in the file. */
enum trace_argument { TRACE_NUMBER, TRACE_DIFFERENCE, TRACE_TEXT, TRACE_INDEX };
enum trace_argument trace_argument_of(enum finding_field_type type);

/* In the place of a site's operation: an atomic whose result no instruction reads. Since version 4. */
enum { TRACE_UNREAD = 7 };
/* Write and read the body alone, in a version that the reader knows. */
uint8_t *trace_encode(const struct trace *trace, struct arena *arena, size_t *size);
bool trace_decode(const char *name, uint32_t version, const uint8_t *body, size_t size, struct trace **trace,
                  struct error *error);
/* The same in so much memory. */
bool trace_decode_in(uint64_t room, const char *name, uint32_t version, const uint8_t *body, size_t size,
                     struct trace **trace, struct error *error);

static inline uint64_t trace_zigzag(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}
static inline uint64_t trace_unzigzag(uint64_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}
#endif
