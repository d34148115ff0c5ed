#include "cudart/driver/link.h"
#include "base/arena.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { FILES = 100000 }; /* of one text */

static void add(struct link_text *linked, const char *text, size_t size)
{
    linked->items = array_grow(linked->items, &linked->capacity, linked->count + size + 1, 1);
    memcpy(linked->items + linked->count, text, size);
    linked->count += size;
    linked->items[linked->count] = 0;
}

static size_t blanks(const char *text, size_t size)
{
    size_t count = 0;
    while (count < size && (text[count] == ' ' || text[count] == '\t'))
        count++;
    return count;
}

static bool begins(const char *text, size_t size, const char *word)
{
    size_t const length = strlen(word);
    return size > length && memcmp(text, word, length) == 0 && blanks(text + length, 1);
}

static bool goes_on(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* Adds a part of a line. Names that begin with $, or _$_ of clang, are labels and the strings of printf, which
 * compilers call the same in each text: those of later texts get another end. */
static void add_words(struct link_text *linked, const char *text, size_t size)
{
    bool quoted = false, inside = false; /* inside: a name that is not renamed, or a number */
    size_t added = 0;
    char end[16];
    int const length = snprintf(end, sizeof end, "$%u", linked->texts);
    for (size_t i = 0; linked->texts && i < size; i++) {
        bool const own = text[i] == '$' || (size - i > 3 && memcmp(text + i, "_$_", 3) == 0);
        quoted ^= text[i] == '"';
        if (own && !inside && !quoted) {
            while (i < size && goes_on(text[i]))
                i++;
            add(linked, text + added, i - added);
            add(linked, end, (size_t)length);
            added = i--;
        }
        inside = goes_on(text[i]);
    }
    add(linked, text + added, size - added);
}

/* Adds blanks and the number that stands here, of a file. Returns how many bytes it took. */
static size_t add_file_number(struct link_text *linked, const char *text, size_t size)
{
    char number[32];
    size_t const blank = blanks(text, size);
    size_t digits = 0;
    uint64_t own = 0;
    for (; digits < 10 && blank + digits < size && text[blank + digits] >= '0' && text[blank + digits] <= '9'; digits++)
        own = own * 10 + (uint64_t)(text[blank + digits] - '0');
    add(linked, text, blank);
    if (!digits || digits > 9)
        return blank;
    add(linked, number, (size_t)snprintf(number, sizeof number, "%" PRIu64, own + (uint64_t)linked->texts * FILES));
    return blank + digits;
}

/* Adds a line; of `.file 1 ...` and `.loc 1 2 3, ..., inlined_at 1 4 5` with other numbers of the files. */
static void add_line(struct link_text *linked, const char *line, size_t size)
{
    static const char inlined[] = "inlined_at";
    size_t const indent = blanks(line, size);
    const char *word = line + indent;
    size_t const rest = size - indent;
    bool const file = begins(word, rest, ".file"), location = begins(word, rest, ".loc");
    size_t at = 0;
    if (linked->texts &&
        (begins(word, rest, ".version") || begins(word, rest, ".target") || begins(word, rest, ".address_size"))) {
        add(linked, "\n", 1);
        return;
    }
    if (file || location) {
        at = indent + (file ? strlen(".file") : strlen(".loc"));
        add(linked, line, at);
        at += add_file_number(linked, line + at, size - at);
    }
    for (size_t i = at; location && i + sizeof inlined < size; i++)
        if (begins(line + i, size - i, inlined)) {
            i += sizeof inlined - 1;
            add_words(linked, line + at, i - at);
            at = i + add_file_number(linked, line + i, size - i);
        }
    add_words(linked, line + at, size - at);
}

void link_add(struct link_text *linked, const char *text, size_t size)
{
    for (const char *line = text, *end = text + size; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t const length = (size_t)((stop ? stop + 1 : end) - line);
        add_line(linked, line, length);
        line += length;
    }
    add(linked, "\n", 1);
    linked->texts++;
}
