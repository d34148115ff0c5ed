/* The kernel's body once more, from its first event on, as it was, for the blocks that nobody records: they run no
 * probe. Registers and variables are those of the first copy; labels get names of their own. */
#include "cuda/probe/probe.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static size_t name_length(const char *at)
{
    size_t length = 1;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '$')
        length++;
    return length;
}

/* The length of what is no token: blanks and comments. */
static size_t blank_length(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? (size_t)(end - at) + 2 : strlen(at);
    }
    return isspace((unsigned char)at[0]) != 0;
}

static size_t token_length(const char *at)
{
    if (at[0] == '"') {
        size_t const length = 1 + strcspn(at + 1, "\"");
        return length + (at[length] == '"');
    }
    if (at[0] == '.' && (isalpha((unsigned char)at[1]) || at[1] == '_'))
        return 1 + name_length(at + 1);
    return is_name_start(at[0]) ? name_length(at) : at[0] == ':' && at[1] == ':' ? 2 : at[0] != '\0';
}

static size_t step_length(const char *at)
{
    size_t const blank = blank_length(at);
    return blank ? blank : token_length(at);
}

size_t probe_body_end(const char *text, size_t start)
{
    size_t at = start;
    for (unsigned depth = 0; text[at]; at += step_length(text + at)) {
        depth += text[at] == '{';
        if (text[at] == '}' && depth-- == 0)
            break;
    }
    return at;
}

bool probe_is_straight(const char *text, size_t start, size_t end)
{
    for (size_t at = start; at < end; at += step_length(text + at))
        if (text[at] == '{' || text[at] == '}' || (text[at] == ':' && token_length(text + at) == 1))
            return false;
    return true;
}

unsigned probe_depth(const char *text, size_t start, size_t end, unsigned depth)
{
    for (size_t at = start; at < end; at += step_length(text + at)) {
        depth += text[at] == '{';
        depth -= text[at] == '}' && depth;
    }
    return depth;
}

struct label {
    const char *name;
    size_t length;
};
struct labels {
    struct label *items;
    size_t count, capacity;
};

static bool is_label(const struct labels *labels, const char *at, size_t length)
{
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].length == length && memcmp(labels->items[i].name, at, length) == 0)
            return true;
    return false;
}

/* A name with a single colon behind it. */
static void find_labels(const char *text, size_t start, size_t end, struct labels *labels)
{
    struct label last = {NULL, 0};
    for (size_t at = start; at < end;) {
        size_t const blank = blank_length(text + at), length = blank ? blank : token_length(text + at);
        if (!blank && text[at] == ':' && length == 1 && last.name)
            array_push(labels, last);
        if (!blank)
            last = is_name_start(text[at]) ? (struct label){text + at, length} : (struct label){NULL, 0};
        at += length;
    }
}

/* `.reg .b32 %r<9>;` and its like, which the first copy has. */
static bool is_declaration(const char *at, size_t length)
{
    static const char *const words[] = {".reg", ".shared", ".local", ".param", ".const", ".global", ".extern"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], at, length) == 0)
            return true;
    return false;
}

void probe_plain(struct probe_writer *writer, size_t start, size_t end)
{
    const char *text = writer->program->text;
    struct labels labels = {0};
    unsigned depth = 0;
    bool begins = true; /* a statement */
    find_labels(text, start, end, &labels);
    probe_write(writer, "~plain:\n", 0);
    for (size_t at = start; at < end;) {
        size_t const blank = blank_length(text + at), length = blank ? blank : token_length(text + at);
        if (!blank && begins && !depth && is_declaration(text + at, length)) {
            at += strcspn(text + at, ";") + 1;
            continue;
        }
        if (!blank && is_label(&labels, text + at, length))
            probe_write(writer, "~plain_", 0);
        fwrite(text + at, 1, length, writer->out);
        if (!blank) {
            depth += text[at] == '{';
            depth -= text[at] == '}' && depth;
            begins = strchr(";{}", text[at]) || (text[at] == ':' && length == 1);
        } else if (text[at] == '\n') {
            begins = true; /* behind .loc, which has no end of its own */
        }
        at += length;
    }
    free(labels.items);
}
