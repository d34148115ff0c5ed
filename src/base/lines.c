#include "base/lines.h"
#include <string.h>

uint32_t line_of(const char *text, const char *at)
{
    uint32_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

uint32_t line_with(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    return at ? line_of(text, at) : 0;
}

const char *line_start(const char *text, uint32_t line)
{
    for (uint32_t i = 1; i < line && *text; i++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

const char *line_words(struct arena *arena, const char *text, uint32_t line)
{
    const char *at = line ? line_start(text, line) : "";
    at += strspn(at, " \t");
    return arena_text_n(arena, at, strcspn(at, "\r\n"));
}
