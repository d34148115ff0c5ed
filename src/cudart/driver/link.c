#include "cudart/driver/link.h"
#include "base/arena.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Adds blanks and the number that stands here, of a file. Returns how many bytes it took. */
static size_t add_file_number(struct link_text *linked, const char *text, size_t size)
{
    char number[32];
    size_t const blank = blanks(text, size);
    size_t digits = 0;
    while (blank + digits < size && text[blank + digits] >= '0' && text[blank + digits] <= '9')
        digits++;
    add(linked, text, blank);
    if (!digits || digits > 9)
        return blank;
    unsigned long const own = strtoul(text + blank, NULL, 10);
    add(linked, number, (size_t)snprintf(number, sizeof number, "%lu", own + (unsigned long)linked->texts * FILES));
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
            add(linked, line + at, i - at);
            at = i + add_file_number(linked, line + i, size - i);
        }
    add(linked, line + at, size - at);
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
