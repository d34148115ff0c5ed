#include "base/words.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum words_language words_language(void)
{
    return strcmp(_("en"), "ko") == 0 ? WORDS_KOREAN : WORDS_ENGLISH; /* a catalogue translates "en" to its own code */
}

void words_print(const char *format, ...)
{
    struct arena arena = {0};
    va_list arguments;
    va_start(arguments, format);
    fputs(arena_format_v(&arena, format, arguments), stdout);
    va_end(arguments);
    arena_free(&arena);
}

const char *words_count(struct arena *arena, uint64_t value)
{
    char digits[32];
    int const length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *text = arena_alloc(arena, 48);
    char *out = text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = 0;
    return text;
}

const char *words_shell(struct arena *arena, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (*word && word[strspn(word, plain)] == '\0')
        return word;
    const char *quoted = "'";
    for (const char *end; (end = strchr(word, '\'')); word = end + 1)
        quoted = arena_format(arena, "%s%.*s'\\''", quoted, (int)(end - word), word);
    return arena_format(arena, "%s%s'", quoted, word);
}

static bool is_whole(const char *number)
{
    size_t const digits = strspn(number, "0123456789");
    return digits && digits < 19 && !number[digits];
}

const char *words_unit(struct arena *arena, const char *number, const char *unit)
{
    number = is_whole(number) ? words_count(arena, strtoull(number, NULL, 10)) : number;
    if (!*unit)
        return number;
    size_t length = strlen(unit);
    const char *pattern = arena_format(arena, "%%s %s", unit), *translated = _(pattern), *place;
    place = strstr(translated, "%s");
    if (translated != pattern && place)
        return arena_format(arena, "%.*s%s%s", (int)(place - translated), translated, number, place + 2);
    if (strcmp(number, "1") == 0 && length > 1 && unit[length - 1] == 's')
        length--;
    return arena_format(arena, "%s %.*s", number, (int)length, unit);
}
