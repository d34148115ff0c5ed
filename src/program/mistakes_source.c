/* Reads the lines of the program's source that its calls stand on. */
#include "base/file.h"
#include "program/looking.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *source_of(struct looking *looking, const struct program_place *at)
{
    enum { MOST = sizeof looking->sources / sizeof *looking->sources };
    if (!at->path || !at->line)
        return NULL;
    for (uint32_t i = 0; i < looking->source_count; i++)
        if (strcmp(looking->sources[i].path, at->path) == 0)
            return looking->sources[i].bytes;
    if (looking->source_count == MOST)
        return NULL;
    struct source_text *source = &looking->sources[looking->source_count++];
    *source = (struct source_text){.path = at->path};
    if (!file_read(&looking->run->arena, at->path, &source->bytes, NULL, NULL))
        source->bytes = NULL;
    return source->bytes;
}

void source_close(struct looking *looking)
{
    looking->source_count = 0; /* the texts belong to the run's arena */
}

/* Returns the line of a place, or NULL. */
static const char *line_at(const char *text, int line)
{
    for (int i = 1; text && i < line; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the first place from `text` to `end` that has a whole word. */
static const char *find_word(const char *text, const char *end, const char *word, size_t length)
{
    for (const char *at = text; at + length <= end; at++)
        if (memcmp(at, word, length) == 0 && (at == text || !is_word(at[-1])) && !is_word(at[length]))
            return at;
    return NULL;
}

/* ---- is the result used? ---- */

/* Returns the last character of code in a line before `end`, or 0. A comment and a directive have none. */
static char last_of_line(const char *begin, const char *end)
{
    const char *first = begin;
    while (first < end && isspace((unsigned char)*first))
        first++;
    if (first < end && (*first == '#' || *first == '*' || strncmp(first, "/*", 2) == 0))
        return 0;
    for (const char *at = first; at + 1 < end; at++)
        if (at[0] == '/' && at[1] == '/')
            end = at;
    while (end > first && isspace((unsigned char)end[-1]))
        end--;
    return end > first ? end[-1] : 0;
}

/* Returns whether a statement begins at `at`. */
static bool statement_begins(const char *text, const char *at)
{
    const char *line = at;
    while (line > text && line[-1] != '\n')
        line--;
    const char *end = at;
    while (end > line && isspace((unsigned char)end[-1]))
        end--;
    if (end - line >= 6 && strncmp(end - 6, "(void)", 6) == 0)
        return false;
    if (end - line >= 4 && strncmp(end - 4, "else", 4) == 0)
        return true;
    char last = last_of_line(line, at);
    while (!last && line > text) {
        end = line - 1;
        line = end;
        while (line > text && line[-1] != '\n')
            line--;
        last = last_of_line(line, end);
    }
    return strchr(";{})", last) != NULL; /* 0 too: nothing comes before it */
}

bool source_uses_result(struct looking *looking, uint32_t index)
{
    const struct program_call *call = &looking->run->calls[index];
    const char *text = source_of(looking, &call->at), *line = line_at(text, call->at.line);
    if (!line || call->at.column < 1 || strcspn(line, "\n") < (size_t)call->at.column)
        return true;
    const char *at = line + call->at.column - 1;
    if (call->launch != PTX_NO_INDEX && strncmp(at, "cudaLaunch", 10) != 0)
        return false; /* <<<>>> has no result */
    /* The column of a call inside of a macro is the macro's. */
    return strncmp(at, call->name, strlen(call->name)) != 0 || !statement_begins(text, at);
}

/* ---- elements for bytes ---- */

/* Finds an argument of the call on a line. */
static bool argument_of(const char *line, const char *name, unsigned number, const char **begin, const char **end)
{
    const char *at = find_word(line, line + strcspn(line, "\n"), name, strlen(name));
    if (!at)
        return false;
    at += strlen(name);
    while (isspace((unsigned char)*at))
        at++;
    if (*at++ != '(')
        return false;
    unsigned depth = 0, found = 0;
    *begin = at;
    for (; *at; at++) {
        bool const closes = *at == ')' || *at == ']' || *at == '}';
        if (!depth && (*at == ',' || closes)) {
            *end = at;
            if (found++ == number)
                return true;
            *begin = at + 1;
            if (closes)
                return false;
        } else if (*at == '(' || *at == '[' || *at == '{') {
            depth++;
        } else if (closes) {
            depth--;
        }
    }
    return false;
}

/* Returns whether each definition of a name in the text is a number or an expression without a size of bytes. */
static bool name_is_count(const char *text, const char *name, size_t length)
{
    bool found = false;
    const char *const end = text + strlen(text);
    for (const char *at = text; (at = find_word(at, end, name, length)); at += length) {
        const char *value = at + length;
        bool const define = at - text >= 8 && strncmp(at - 8, "#define ", 8) == 0;
        while (*value == ' ')
            value++;
        if (!define && (*value != '=' || value[1] == '='))
            continue;
        size_t const size = strcspn(value, define ? "\n" : ";,\n");
        const char *const stop = value + size;
        if (find_word(value, stop, "sizeof", 6) || memchr(value, '(', size) || memchr(value, '*', size) ||
            memchr(value, '<', size))
            return false;
        found = true;
    }
    return found;
}

bool source_counts_elements(struct looking *looking, uint32_t index, unsigned argument)
{
    const struct program_call *call = &looking->run->calls[index];
    const char *text = source_of(looking, &call->at), *line = line_at(text, call->at.line), *begin, *end;
    if (!line || !argument_of(line, call->name, argument, &begin, &end))
        return false;
    for (const char *at = begin; at < end;) {
        if (!is_word(*at)) {
            if (!strchr(" +*-\n", *at)) /* a part, a member, a call: it may be meant */
                return false;
            at++;
            continue;
        }
        size_t length = 0;
        while (at + length < end && is_word(at[length]))
            length++;
        if (!isdigit((unsigned char)*at) && !name_is_count(text, at, length))
            return false;
        at += length;
    }
    return end > begin;
}

/* ---- grid and block ---- */

enum { NAME_MOST = 64 };

/* Copies a lone name in small letters. */
static bool lone_name(const char *begin, const char *end, char name[NAME_MOST])
{
    size_t length = 0;
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    for (; begin < end; begin++) {
        if (!is_word(*begin) || length + 1 >= NAME_MOST)
            return false;
        name[length++] = (char)tolower((unsigned char)*begin);
    }
    name[length] = 0;
    return length > 0;
}

bool source_names_block_first(struct looking *looking, uint32_t index)
{
    const struct program_call *call = &looking->run->calls[index];
    const char *line = line_at(source_of(looking, &call->at), call->at.line);
    size_t const length = line ? strcspn(line, ";\n") : 0;
    char first[NAME_MOST], second[NAME_MOST];
    const char *at = NULL;
    for (size_t i = 0; i + 3 <= length && !at; i++)
        if (strncmp(line + i, "<<<", 3) == 0)
            at = line + i + 3;
    if (!at)
        return false;
    const char *comma = at + strcspn(at, ",\n");
    const char *end = comma + (*comma == ',') + strcspn(comma + (*comma == ','), ",>\n");
    if (*comma != ',' || !lone_name(at, comma, first) || !lone_name(comma + 1, end, second))
        return false;
    bool const block_first =
        !strstr(first, "grid") && !strstr(first, "blocks") && (strstr(first, "thread") || strstr(first, "block"));
    bool const grid_second = !strstr(second, "thread") && (strstr(second, "grid") || strstr(second, "blocks"));
    return block_first && grid_second;
}
