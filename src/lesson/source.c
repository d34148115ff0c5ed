/* Places in the source of a kernel. */
#include "lesson/lesson.h"
#include <string.h>

/* Returns the line that `at` stands on, counted from 1. */
static uint32_t line_at(const char *source, const char *at)
{
    uint32_t line = 1;
    for (const char *s = source; s < at; s++)
        line += *s == '\n';
    return line;
}

uint32_t source_line_of(const char *source, const char *text)
{
    const char *at = strstr(source, text);
    return at ? line_at(source, at) : 0;
}

void source_kernel_lines(const char *source, const char *kernel, uint32_t *first, uint32_t *last)
{
    *first = *last = 0;
    size_t const length = strlen(kernel);
    for (const char *at = source; length && (at = strstr(at, kernel)); at++) {
        if (at[length] != '(')
            continue;
        const char *end = strstr(at, "\n}");
        if (!end)
            return;
        *first = line_at(source, at);
        *last = line_at(source, end + 1);
        return;
    }
}
