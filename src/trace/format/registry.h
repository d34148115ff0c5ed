/* The formats of trace files: how each is recognised, read and written. A new format is one file in this folder and one
 * row in formats.def. */
#ifndef LANESCOPE_TRACE_FORMAT_REGISTRY_H
#define LANESCOPE_TRACE_FORMAT_REGISTRY_H
#include "trace/trace.h"

struct trace_format {
    const char *name;   /* in messages: "a Lanescope trace" */
    const char *ending; /* of the names of such files: ".trace" */
    /* Returns true when a file that begins with these bytes is in this format. NULL, as `read` is: files are only
     * written. */
    bool (*probe)(const uint8_t *bytes, size_t size);
    /* Makes the trace of a whole file; name is for messages. */
    bool (*read)(const char *name, const uint8_t *bytes, size_t size, struct trace **trace, struct error *error);
    uint64_t bytes_most; /* of a file to read; a file that is larger than every format allows is not opened */
    /* Makes the bytes of a whole file in the arena. NULL: files are only read. */
    bool (*write)(const struct trace *trace, struct arena *arena, uint8_t **bytes, size_t *size, struct error *error);
};

#define TRACE_FORMAT(name) extern const struct trace_format trace_format_##name;
#include "trace/format/formats.def"
#undef TRACE_FORMAT
#endif
