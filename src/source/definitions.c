#include "source/definitions.h"
#include "source/types.h"
#include <string.h>

/* No source that a person wrote has more: types and macros, tokens of one declaration. */
enum { KNOWN_MOST = 300, DECLARATION_MOST = 300 };

/* A source while it is read. All lists lie in the arena and have room for whatever the text holds. */
struct reader {
    const struct source *source;
    struct code_names types; /* names that begin a declaration */
    struct code_names names; /* all definitions; the macros first */
    size_t macro_count, names_most;
};

static void add_name(struct code_names *to, const struct source_token *token)
{
    to->items[to->count++] = (struct code_name){token->text, token->length, token->line};
}

static bool is_mark(const struct source_token *token, char mark)
{
    return token->kind == SOURCE_MARK && *token->text == mark;
}

/* Returns whether the token names a type that every source has. */
static bool is_built_in(const struct source_token *token)
{
    static const char *const words[] = {"void", "auto"};
    return SOURCE_IS_ONE_OF(token, words) || source_is_built_in(token) ||
           (token->kind == SOURCE_NAME && token->length > 2 && strncmp(token->text + token->length - 2, "_t", 2) == 0);
}

static bool has(const struct code_name *names, size_t count, const struct source_token *token)
{
    for (size_t i = 0; i < count && i < KNOWN_MOST; i++)
        if (names[i].length == token->length && memcmp(names[i].start, token->text, token->length) == 0)
            return true;
    return false;
}

/* Finds the types that the source defines: structures, enumerations, aliases, parameters of templates. */
static void find_types(struct reader *reader)
{
    static const char *const heads[] = {"struct", "class", "union", "enum"}, *const in_template[] = {"typename",
                                                                                                     "class"};
    bool alias = false; /* in a typedef */
    for (size_t i = 0; i < reader->source->count; i++) {
        const struct source_token *token = &reader->source->tokens[i], *next = token + 1;
        alias = (alias && !is_mark(token, ';')) || source_is(token, "typedef");
        if (token->kind != SOURCE_NAME || i + 1 >= reader->source->count)
            continue;
        const struct source_token *before = i ? token - 1 : token;
        bool const headed = i && SOURCE_IS_ONE_OF(before, heads) && (is_mark(next, '{') || is_mark(next, ':'));
        bool const parameter = i && SOURCE_IS_ONE_OF(before, in_template) &&
                               (is_mark(next, ',') || is_mark(next, '>') || is_mark(next, '='));
        bool const named = (alias && is_mark(next, ';')) || (i && source_is(before, "using") && is_mark(next, '='));
        if (!headed && !parameter && !named)
            continue;
        add_name(&reader->types, token);
        add_name(&reader->names, token);
    }
}

/* Returns whether the token may stand between a type and a name, such as a star. */
static bool is_between(const struct source_token *token)
{
    static const char *const words[] = {"const", "volatile", "restrict", "__restrict__", "__restrict"};
    return is_mark(token, '*') || is_mark(token, '&') || SOURCE_IS_ONE_OF(token, words);
}

static bool ends_declarator(const struct source_token *token)
{
    return token->kind == SOURCE_MARK && strchr("=;,[(){:", *token->text);
}

/* Adds the further names of a declaration, "int a = 1, b = 2;". */
static void take_further(struct reader *reader, size_t from)
{
    int depth = 0;
    size_t const end =
        reader->source->count - from > DECLARATION_MOST ? from + DECLARATION_MOST : reader->source->count;
    for (size_t i = from; i + 2 < end && depth >= 0 && !(depth == 0 && is_mark(&reader->source->tokens[i], ';')); i++) {
        const struct source_token *token = &reader->source->tokens[i];
        if (token->kind == SOURCE_MARK && strchr("([{", *token->text))
            depth++;
        if (token->kind == SOURCE_MARK && strchr(")]}", *token->text))
            depth--;
        if (depth != 0 || !is_mark(token, ','))
            continue;
        size_t at = i + 1;
        while (at + 1 < reader->source->count && is_between(&reader->source->tokens[at]))
            at++;
        const struct source_token *name = &reader->source->tokens[at];
        if (name->kind != SOURCE_NAME || at + 1 >= reader->source->count || !ends_declarator(name + 1) ||
            is_mark(name + 1, '('))
            return;
        if (reader->names.count < reader->names_most)
            add_name(&reader->names, name);
    }
}

static void find_declarations(struct reader *reader)
{
    for (size_t i = 1; i + 1 < reader->source->count; i++) {
        const struct source_token *token = &reader->source->tokens[i];
        if (token->kind != SOURCE_NAME || !ends_declarator(token + 1) || is_built_in(token))
            continue;
        size_t type = i - 1;
        while (type > 0 && is_between(&reader->source->tokens[type]))
            type--;
        const struct source_token *before = &reader->source->tokens[type];
        bool const macro =
            type == i - 1 && before->kind == SOURCE_NAME && has(reader->names.items, reader->macro_count, before);
        if (!is_built_in(before) &&
            !(before->kind == SOURCE_NAME && has(reader->types.items, reader->types.count, before)) && !macro)
            continue;
        if (reader->names.count < reader->names_most)
            add_name(&reader->names, token);
        if (!is_mark(token + 1, '('))
            take_further(reader, i + 1);
    }
}

struct code_names code_names_of(struct arena *arena, const char *text)
{
    struct reader reader = {.macro_count = 0};
    if (strlen(text) > CODE_NAMES_BYTES)
        return reader.names;
    const struct source *source = source_read(arena, text, NULL, 0, SOURCE_ALL);
    reader.source = source;
    reader.macro_count = source->macro_count;
    reader.names_most = 2 * (size_t)source->count + source->macro_count;
    reader.types.items = arena_array(arena, struct code_name, (size_t)source->count + 1);
    reader.names.items = arena_array(arena, struct code_name, reader.names_most + 1);
    for (uint32_t i = 0; i < source->macro_count; i++)
        add_name(&reader.names, &source->macros[i].name);
    find_types(&reader);
    find_declarations(&reader);
    return reader.names;
}

uint32_t code_names_line(const struct code_names *names, const char *name, size_t length, uint32_t from)
{
    uint32_t line = 0;
    for (size_t i = 0; i < names->count; i++) {
        const struct code_name *item = &names->items[i];
        if (item->length == length && strncmp(item->start, name, length) == 0 && item->line <= from &&
            item->line > line)
            line = item->line;
    }
    return line;
}

const char *code_name_at(struct arena *arena, const char *line, size_t byte, size_t *length)
{
    const struct source_token *token = source_line_tokens(arena, line);
    while (token->kind != SOURCE_END && token->end <= byte)
        token++;
    if (token->kind != SOURCE_NAME || token->at > byte)
        return NULL;
    *length = token->end - token->at;
    return line + token->at;
}
