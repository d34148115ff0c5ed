/* For src/trace/format only: what the writer and the reader of trace files share (docs/trace-format.md). Tests and
 * fuzzers use it to check the reader behind the checksum. */
#ifndef LANESCOPE_TRACE_FORMAT_FORMAT_H
#define LANESCOPE_TRACE_FORMAT_FORMAT_H
#include "trace/trace.h"

#define TRACE_MAGIC "lanetrac"
/* The reader knows versions 1 (findings are sentences), 2 (no shuffles), 3 (no groups of copies), 4 (no products of
 * matrices) and 5; the writer writes 5. */
enum { TRACE_VERSION = 5, TRACE_VERSION_LEAST = 1, TRACE_HEADER_BYTES = 32 };
enum trace_compression { TRACE_PLAIN, TRACE_ZSTD };
/* The reader refuses larger bodies, so that a small hostile file cannot make it allocate all memory. */
#define TRACE_BODY_MAX (UINT64_C(256) << 20)

/* A compressed body unpacks to TRACE_UNPACKED_FREE bytes, or to TRACE_RATIO_MAX times its file if that is more. Runs of
 * an endless loop compress 15,000 times, but they are short; the writer leaves the few longer ones uncompressed. */
#define TRACE_UNPACKED_FREE (UINT64_C(64) << 20)
#define TRACE_RATIO_MAX UINT64_C(1024)
static inline bool trace_packs_too_well(uint64_t body_bytes, uint64_t packed_bytes)
{
    return body_bytes > TRACE_UNPACKED_FREE && body_bytes / TRACE_RATIO_MAX > packed_bytes;
}

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

static inline uint64_t trace_zigzag(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}
static inline uint64_t trace_unzigzag(uint64_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}
#endif
