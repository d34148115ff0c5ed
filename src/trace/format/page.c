/* A report page: HTML that holds a trace file in base64. It is only read here; report/page.c writes it. */
#include "base/base64.h"
#include "trace/format/registry.h"
#include <stdlib.h>
#include <string.h>

/* A page begins as HTML does; nothing else that is read as a trace does. */
static bool probe_page(const uint8_t *bytes, size_t size)
{
    static const char begin[] = "<!DOCTYPE html>";
    return size >= sizeof begin - 1 && memcmp(bytes, begin, sizeof begin - 1) == 0;
}

/* Returns the first place of a text in bytes, or NULL. */
static const char *find(const char *bytes, size_t size, const char *text)
{
    size_t const length = strlen(text);
    for (const char *at = bytes; size - (size_t)(at - bytes) >= length; at++) {
        at = memchr(at, text[0], size - (size_t)(at - bytes));
        if (!at || size - (size_t)(at - bytes) < length)
            return NULL;
        if (memcmp(at, text, length) == 0)
            return at;
    }
    return NULL;
}

static bool read_page(const char *name, const uint8_t *bytes, size_t size, struct trace **trace, struct error *error)
{
    const char *text = (const char *)bytes, *begin = find(text, size, TRACE_PAGE_BEGIN);
    if (begin)
        begin += strlen(TRACE_PAGE_BEGIN);
    const char *end = begin ? find(begin, size - (size_t)(begin - text), TRACE_PAGE_END) : NULL;
    if (!end)
        return error_at(error, ERROR_INPUT, name, 0, 0, "holds no trace: it is no report of Lanescope");
    size_t const letters = (size_t)(end - begin);
    uint8_t *unpacked = malloc(letters / 4 * 3 + 3);
    size_t count = 0;
    bool const whole = unpacked && base64_read(begin, letters, unpacked, &count);
    bool const done = whole ? trace_unpack(name, unpacked, count, trace, error)
                            : error_at(error, ERROR_INPUT, name, 0, 0, "its trace is damaged: the base64 is not whole");
    free(unpacked);
    return done;
}

const struct trace_format trace_format_page = {.name = "a report of Lanescope",
                                               .ending = ".html",
                                               .probe = probe_page,
                                               .read = read_page,
                                               .bytes_most = UINT64_C(400) << 20};
