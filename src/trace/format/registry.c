/* Chooses the format of a trace file: to read by its first bytes, to write by the ending of its name. */
#include "trace/format/registry.h"
#include "base/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct trace_format *const formats[] = {
#define TRACE_FORMAT(name) &trace_format_##name,
#include "trace/format/formats.def"
#undef TRACE_FORMAT
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const struct trace_format *format_of_name(const char *path)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (path_ends_with(path, formats[i]->ending))
            return formats[i];
    return NULL;
}

/* Returns whether a text of any kind, such as what a program printed, begins as a format does. */
static bool text_begins_as_trace(const char *path)
{
    enum { BEGINNING = 1 << 16 };
    static const char *const endings[] = {".txt", ".log", ".out", ".xz"};
    bool may_be = false, is = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        may_be = may_be || path_ends_with(path, endings[i]);
    FILE *file = may_be ? fopen(path, "rbe") : NULL;
    if (!file)
        return false;
    uint8_t *bytes = malloc(BEGINNING);
    size_t const size = bytes ? fread(bytes, 1, BEGINNING, file) : 0;
    for (size_t i = 0; i < FORMATS && !is; i++)
        is = formats[i]->probe && formats[i]->probe(bytes, size);
    free(bytes);
    fclose(file);
    return is;
}

bool trace_is_named(const char *path)
{
    const struct trace_format *format = format_of_name(path);
    return (format && format->read) || text_begins_as_trace(path);
}

/* Returns the format of a file. A file that no format recognises goes to the first format, whose error names the
 * missing part. */
static const struct trace_format *format_of_bytes(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i]->probe && formats[i]->probe(bytes, size))
            return formats[i];
    return formats[0];
}

/* Returns false for a file that is larger than every format allows, before it is read into memory. */
static bool small_enough(const char *path, struct error *error)
{
    struct stat status;
    uint64_t most = 0;
    for (size_t i = 0; i < FORMATS; i++)
        most = formats[i]->bytes_most > most ? formats[i]->bytes_most : most;
    return stat(path, &status) != 0 || !S_ISREG(status.st_mode) || (uint64_t)status.st_size <= most ||
           error_at(error, ERROR_INPUT, path, 0, 0, "is too large for a Lanescope trace");
}

bool trace_read(const char *path, struct trace **trace, struct error *error)
{
    struct arena scratch = {0};
    char *bytes;
    size_t size;
    bool done = small_enough(path, error) && file_read(&scratch, path, &bytes, &size, error);
    if (done)
        done = format_of_bytes((const uint8_t *)bytes, size)->read(path, (const uint8_t *)bytes, size, trace, error);
    arena_free(&scratch);
    return done;
}

bool trace_bytes(const struct trace *trace, struct arena *arena, uint8_t **bytes, size_t *size, struct error *error)
{
    return trace_format_native.write(trace, arena, bytes, size, error);
}

bool trace_write(const struct trace *trace, const char *path, struct error *error)
{
    const struct trace_format *const named = format_of_name(path);
    if (named && !named->write)
        return error_at(error, ERROR_INPUT, path, 0, 0, "cannot be written: %s can only be read", named->name);
    struct arena scratch = {0};
    uint8_t *bytes;
    size_t size;
    bool const made = named ? named->write(trace, &scratch, &bytes, &size, error)
                            : trace_bytes(trace, &scratch, &bytes, &size, error);
    bool const done = made && file_write(path, bytes, size, error);
    arena_free(&scratch);
    return done;
}
