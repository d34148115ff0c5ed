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

void words_print(FILE *out, const char *format, ...)
{
    struct arena arena = {0};
    va_list arguments;
    va_start(arguments, format);
    fputs(arena_format_v(&arena, format, arguments), out);
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

/* Returns the length of the control character at `at`, in UTF-8, or 0: those below 32 but line end and tab, 127, and
 * 128 to 159, which are control characters, too. */
static size_t control_length(const unsigned char *at)
{
    if (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0)
        return 2;
    return (at[0] && at[0] < 0x20 && at[0] != '\n' && at[0] != '\t') || at[0] == 0x7F;
}

bool words_plain(const char *text)
{
    for (; *text; text++)
        if (control_length((const unsigned char *)text))
            return false;
    return true;
}

char *words_clean(char *text)
{
    for (char *at = text; *at; at++)
        for (size_t left = control_length((unsigned char *)at); left; left--)
            at[left - 1] = '?';
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
