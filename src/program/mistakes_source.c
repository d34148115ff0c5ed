/* Reads the lines of the program's source that its calls stand on. */
#include "base/file.h"
#include "program/looking.h"
#include <ctype.h>
#include <string.h>

static const struct source *source_of(struct looking *looking, const struct program_place *at)
{
    enum { MOST = sizeof looking->sources / sizeof *looking->sources };
    if (!at->path || !at->line)
        return NULL;
    for (uint32_t i = 0; i < looking->source_count; i++)
        if (strcmp(looking->sources[i].path, at->path) == 0)
            return looking->sources[i].source;
    if (looking->source_count == MOST)
        return NULL;
    struct source_text *text = &looking->sources[looking->source_count++];
    *text = (struct source_text){.path = at->path};
    char *bytes;
    if (file_read(&looking->run->arena, at->path, &bytes, NULL, NULL))
        text->source = source_read(&looking->run->arena, bytes, NULL, 0, SOURCE_ALL);
    return text->source;
}

void source_close(struct looking *looking)
{
    looking->source_count = 0; /* the texts belong to the run's arena */
}

/* Returns the first token of a line, or the first behind it; the end where there is no source. */
static const struct source_token *line_at(const struct source *source, int line)
{
    static const struct source_token end = {.text = "", .kind = SOURCE_END};
    const struct source_token *at = source ? source->tokens : &end;
    while (at->kind != SOURCE_END && at->line < (uint32_t)line)
        at++;
    return at;
}

/* ---- is the result used? ---- */

/* Returns whether a statement begins at this token. */
static bool statement_begins(const struct source *source, const struct source_token *at)
{
    size_t const before = (size_t)(at - source->tokens);
    if (before == 0 || source_is(at - 1, "else"))
        return true;
    if (before > 2 && source_is(at - 3, "(") && source_is(at - 2, "void") && source_is(at - 1, ")"))
        return false;
    return at[-1].kind == SOURCE_MARK && strchr(";{})", *at[-1].text);
}

bool source_uses_result(struct looking *looking, uint32_t index)
{
    const struct program_call *call = &looking->run->calls[index];
    const struct source *source = source_of(looking, &call->at);
    const struct source_token *first = line_at(source, call->at.line), *at = first;
    if (call->at.column < 1 || first->line != (uint32_t)call->at.line)
        return true;
    const char *line = source->text + first->at;
    while (line > source->text && line[-1] != '\n')
        line--;
    uint32_t const place = (uint32_t)(line - source->text) + (uint32_t)call->at.column - 1;
    while (at->kind != SOURCE_END && at->line == first->line && at->at < place)
        at++;
    if (at->kind == SOURCE_END || at->line != first->line)
        return true;
    if (call->launch != PTX_NO_INDEX && (at->length < 10 || strncmp(at->text, "cudaLaunch", 10) != 0))
        return false; /* <<<>>> has no result */
    /* The column of a call inside of a macro is the macro's. */
    return at->at != place || !source_is(at, call->name) || !statement_begins(source, at);
}

/* ---- elements for bytes ---- */

/* Finds an argument of the call on a line. */
static bool argument_of(const struct source *source, const struct program_call *call, unsigned number,
                        const struct source_token **begin, const struct source_token **end)
{
    const struct source_token *last = source->tokens + source->count, *at = line_at(source, call->at.line);
    while (at < last && at->line == (uint32_t)call->at.line && !source_is(at, call->name))
        at++;
    if (at >= last || !source_is(at, call->name) || !source_is(at + 1, "("))
        return false;
    for (at += 2;; at = *end + 1) {
        *begin = at;
        *end = source_part_end(at, last);
        if (!number-- && *end < last)
            return true;
        if (!source_is(*end, ","))
            return false;
    }
}

/* Returns whether the tokens from here on are a number or an expression without a size of bytes. */
static bool is_count(const struct source_token *at, const struct source_token *end)
{
    for (; at < end; at++)
        if (source_is(at, "sizeof") || (at->kind == SOURCE_MARK && strchr("(*<", *at->text)))
            return false;
    return true;
}

/* Returns whether each definition of a name in the source is a count. */
static bool name_is_count(const struct source *source, const struct source_token *name)
{
    bool found = false;
    const struct source_token *last = source->tokens + source->count;
    for (uint32_t i = 0; i < source->macro_count; i++) {
        const struct source_macro *macro = &source->macros[i];
        if (!source_same(&macro->name, name))
            continue;
        if (macro->opaque || !is_count(macro->value, macro->value + macro->count))
            return false;
        found = true;
    }
    for (const struct source_token *at = source->tokens; at < last; at++) {
        if (!source_same(at, name) || !source_is(at + 1, "=") || source_is(at + 1, "=="))
            continue;
        if (!is_count(at + 2, source_part_end(at + 2, last)))
            return false;
        found = true;
    }
    return found;
}

bool source_counts_elements(struct looking *looking, uint32_t index, unsigned argument)
{
    const struct program_call *call = &looking->run->calls[index];
    const struct source *source = source_of(looking, &call->at);
    const struct source_token *begin, *end;
    if (!source || !argument_of(source, call, argument, &begin, &end))
        return false;
    for (const struct source_token *at = begin; at < end; at++) {
        if (at->kind == SOURCE_MARK && !strchr("+*-", *at->text)) /* a part, a member, a call: it may be meant */
            return false;
        if (at->kind == SOURCE_TEXT || (at->kind == SOURCE_NAME && !name_is_count(source, at)))
            return false;
    }
    return end > begin;
}

/* ---- grid and block ---- */

/* Returns the lone name of an argument in small letters; "": it is none. */
static const char *lone_name(struct arena *arena, const struct source_token *begin, const struct source_token *end)
{
    if (end - begin != 1 || begin->kind != SOURCE_NAME)
        return "";
    char *name = arena_text_n(arena, begin->text, begin->length);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return name;
}

bool source_names_block_first(struct looking *looking, uint32_t index)
{
    const struct program_call *call = &looking->run->calls[index];
    struct arena *arena = &looking->run->arena;
    const struct source *source = source_of(looking, &call->at);
    const struct source_token *at = line_at(source, call->at.line);
    while (at->kind != SOURCE_END && at->line == (uint32_t)call->at.line && !source_is(at, "<<<") &&
           !source_is(at, ";"))
        at++;
    if (at->kind == SOURCE_END || !source_is(at, "<<<") || at->line != (uint32_t)call->at.line)
        return false;
    const struct source_token *last = at + 3, *comma;
    while (last->kind != SOURCE_END && !source_is(last, ">>>"))
        last++;
    comma = source_part_end(at + 3, last);
    const char *first = lone_name(arena, at + 3, comma);
    const char *second = comma < last ? lone_name(arena, comma + 1, source_part_end(comma + 1, last)) : "";
    bool const block_first =
        !strstr(first, "grid") && !strstr(first, "blocks") && (strstr(first, "thread") || strstr(first, "block"));
    bool const grid_second = !strstr(second, "thread") && (strstr(second, "grid") || strstr(second, "blocks"));
    return block_first && grid_second;
}
