#include "view/code/names.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* No source that a person wrote has more: types and macros, tokens of one declaration. */
enum { KNOWN_MOST = 300, DECLARATION_MOST = 300 };

struct token { /* a name, or one other character: the length of a number does not matter here */
    const char *start;
    size_t length;
    uint32_t line;
    bool name, text; /* text: in quotation marks */
};

/* A source while it is read. All lists lie in the arena and have room for whatever the text holds. */
struct reader {
    const char *at;
    uint32_t line;
    struct token *tokens;
    size_t count;
    struct code_names macros, types; /* types: names that begin a declaration */
    struct code_names names;         /* all definitions */
    size_t names_most;
};

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void add_name(struct code_names *to, const char *start, size_t length, uint32_t line)
{
    to->items[to->count++] = (struct code_name){start, length, line};
}

static bool is_word(const struct token *token, const char *word)
{
    return token->name && token->length == strlen(word) && strncmp(token->start, word, token->length) == 0;
}

static bool is_one_of(const struct token *token, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_word(token, words[i]))
            return true;
    return false;
}
#define IS_ONE_OF(token, words) is_one_of(token, words, sizeof(words) / sizeof *(words))

static bool is_mark(const struct token *token, char mark)
{
    return !token->name && !token->text && *token->start == mark;
}

/* ---- from text to tokens ---- */

static void step(struct reader *reader)
{
    reader->line += *reader->at == '\n';
    reader->at++;
}

/* Skips a comment at the reader's place, if there is one. */
static bool skip_comment(struct reader *reader)
{
    if (strncmp(reader->at, "//", 2) == 0) {
        while (*reader->at && *reader->at != '\n')
            step(reader);
        return true;
    }
    if (strncmp(reader->at, "/*", 2) != 0)
        return false;
    reader->at += 2;
    while (*reader->at && strncmp(reader->at, "*/", 2) != 0)
        step(reader);
    reader->at += *reader->at ? 2 : 0;
    return true;
}

static void skip_quoted(struct reader *reader)
{
    char const quote = *reader->at;
    step(reader);
    while (*reader->at && *reader->at != quote && *reader->at != '\n') {
        if (*reader->at == '\\' && reader->at[1])
            step(reader);
        step(reader);
    }
    if (*reader->at == quote)
        step(reader);
}

/* Takes the name of a macro, and skips the rest of the line of the preprocessor. */
static void take_directive(struct reader *reader)
{
    reader->at++;
    reader->at += strspn(reader->at, " \t");
    bool const defines = strncmp(reader->at, "define", 6) == 0 && strchr(" \t", reader->at[6]) && reader->at[6];
    if (defines) {
        reader->at += 6;
        reader->at += strspn(reader->at, " \t");
        size_t length = 0;
        while (is_letter(reader->at[length]))
            length++;
        if (length)
            add_name(&reader->macros, reader->at, length, reader->line);
    }
    while (*reader->at && *reader->at != '\n') {
        if (skip_comment(reader))
            continue;
        if (*reader->at == '\\' && reader->at[1])
            step(reader);
        step(reader);
    }
}

static void take_token(struct reader *reader)
{
    struct token *token = &reader->tokens[reader->count++];
    *token = (struct token){reader->at, 1, reader->line, false, false};
    if (isdigit((unsigned char)*reader->at)) {
        while (is_letter(*reader->at) || *reader->at == '.')
            reader->at++;
    } else if (is_letter(*reader->at)) {
        while (is_letter(*reader->at))
            reader->at++;
        token->name = true;
        token->length = (size_t)(reader->at - token->start);
    } else if (*reader->at == '"' || *reader->at == '\'') {
        token->text = true;
        skip_quoted(reader);
    } else {
        step(reader);
    }
}

static void read_tokens(struct reader *reader)
{
    bool fresh = true; /* nothing but spaces stands before on this line */
    while (*reader->at) {
        if (*reader->at == '#' && fresh) {
            take_directive(reader);
        } else if (strchr(" \t\r\n\\", *reader->at)) {
            fresh = *reader->at == '\n' || (fresh && *reader->at != '\\');
            step(reader);
        } else if (!skip_comment(reader)) {
            take_token(reader);
            fresh = false;
        }
    }
}

/* ---- from tokens to definitions ---- */

static bool is_built_in(const struct token *token)
{
    static const char *const words[] = {"void",   "bool",   "char",     "short", "int",    "long",   "float",
                                        "double", "signed", "unsigned", "auto",  "uint",   "uchar",  "ushort",
                                        "ulong",  "half",   "half2",    "dim3",  "__half", "__half2"};
    static const char *const vectors[] = {"char",   "short", "int",    "long", "longlong", "float",
                                          "double", "uchar", "ushort", "uint", "ulong",    "ulonglong"};
    if (!token->name)
        return false;
    if (IS_ONE_OF(token, words) || (token->length > 2 && strncmp(token->start + token->length - 2, "_t", 2) == 0))
        return true;
    char const last = token->start[token->length - 1];
    for (size_t i = 0; last >= '1' && last <= '4' && i < sizeof vectors / sizeof *vectors; i++)
        if (strlen(vectors[i]) + 1 == token->length && strncmp(token->start, vectors[i], token->length - 1) == 0)
            return true;
    return false;
}

static bool has(const struct code_names *names, const struct token *token)
{
    for (size_t i = 0; i < names->count && i < KNOWN_MOST; i++)
        if (names->items[i].length == token->length && strncmp(names->items[i].start, token->start, token->length) == 0)
            return true;
    return false;
}

/* Finds the types that the source defines: structures, enumerations, aliases, parameters of templates. */
static void find_types(struct reader *reader)
{
    static const char *const heads[] = {"struct", "class", "union", "enum"}, *const in_template[] = {"typename",
                                                                                                     "class"};
    bool alias = false; /* in a typedef */
    for (size_t i = 0; i < reader->count; i++) {
        const struct token *token = &reader->tokens[i], *next = token + 1;
        alias = (alias && !is_mark(token, ';')) || is_word(token, "typedef");
        if (!token->name || i + 1 >= reader->count)
            continue;
        const struct token *before = i ? token - 1 : token;
        bool const headed = i && IS_ONE_OF(before, heads) && (is_mark(next, '{') || is_mark(next, ':'));
        bool const parameter =
            i && IS_ONE_OF(before, in_template) && (is_mark(next, ',') || is_mark(next, '>') || is_mark(next, '='));
        bool const named = (alias && is_mark(next, ';')) || (i && is_word(before, "using") && is_mark(next, '='));
        if (!headed && !parameter && !named)
            continue;
        add_name(&reader->types, token->start, token->length, token->line);
        add_name(&reader->names, token->start, token->length, token->line);
    }
}

/* Returns whether the token may stand between a type and a name, such as a star. */
static bool is_between(const struct token *token)
{
    static const char *const words[] = {"const", "volatile", "restrict", "__restrict__", "__restrict"};
    return is_mark(token, '*') || is_mark(token, '&') || IS_ONE_OF(token, words);
}

static bool ends_declarator(const struct token *token)
{
    return !token->name && !token->text && *token->start && strchr("=;,[(){:", *token->start);
}

/* Adds the further names of a declaration, "int a = 1, b = 2;". */
static void take_further(struct reader *reader, size_t from)
{
    int depth = 0;
    size_t const end = reader->count - from > DECLARATION_MOST ? from + DECLARATION_MOST : reader->count;
    for (size_t i = from; i + 2 < end && depth >= 0 && !(depth == 0 && is_mark(&reader->tokens[i], ';')); i++) {
        const struct token *token = &reader->tokens[i];
        if (!token->name && !token->text && strchr("([{", *token->start))
            depth++;
        if (!token->name && !token->text && strchr(")]}", *token->start))
            depth--;
        if (depth != 0 || !is_mark(token, ','))
            continue;
        size_t at = i + 1;
        while (at + 1 < reader->count && is_between(&reader->tokens[at]))
            at++;
        const struct token *name = &reader->tokens[at];
        if (!name->name || at + 1 >= reader->count || !ends_declarator(name + 1) || is_mark(name + 1, '('))
            return;
        if (reader->names.count < reader->names_most)
            add_name(&reader->names, name->start, name->length, name->line);
    }
}

static void find_declarations(struct reader *reader)
{
    for (size_t i = 1; i + 1 < reader->count; i++) {
        const struct token *token = &reader->tokens[i];
        if (!token->name || !ends_declarator(token + 1) || is_built_in(token))
            continue;
        size_t type = i - 1;
        while (type > 0 && is_between(&reader->tokens[type]))
            type--;
        const struct token *before = &reader->tokens[type];
        bool const macro = type == i - 1 && before->name && has(&reader->macros, before);
        if (!is_built_in(before) && !(before->name && has(&reader->types, before)) && !macro)
            continue;
        if (reader->names.count < reader->names_most)
            add_name(&reader->names, token->start, token->length, token->line);
        if (!is_mark(token + 1, '('))
            take_further(reader, i + 1);
    }
}

struct code_names code_names_of(struct arena *arena, const char *source)
{
    size_t const size = strlen(source);
    struct reader reader = {.at = source, .line = 1};
    if (size > CODE_NAMES_BYTES)
        return reader.names;
    reader.tokens = arena_array(arena, struct token, size + 1);
    reader.macros.items =
        arena_array(arena, struct code_name, size / 8 + 1); /* "#define x" has at least as many bytes */
    read_tokens(&reader);
    reader.types.items = arena_array(arena, struct code_name, reader.count + 1);
    reader.names_most = 2 * reader.count + reader.macros.count;
    reader.names.items = arena_array(arena, struct code_name, reader.names_most + 1);
    memcpy(reader.names.items, reader.macros.items, reader.macros.count * sizeof *reader.macros.items);
    reader.names.count = reader.macros.count;
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

const char *code_name_at(const char *line, size_t byte, size_t *length)
{
    struct reader reader = {.at = line, .line = 1};
    while (*reader.at && (size_t)(reader.at - line) <= byte) {
        const char *start = reader.at;
        if (skip_comment(&reader))
            continue;
        if (*start == '"' || *start == '\'') {
            skip_quoted(&reader);
            continue;
        }
        bool const number = isdigit((unsigned char)*start);
        if (!is_letter(*start)) {
            step(&reader);
            continue;
        }
        while (is_letter(*reader.at) || (number && *reader.at == '.'))
            reader.at++;
        *length = (size_t)(reader.at - start);
        if (!number && byte < (size_t)(reader.at - line))
            return start;
    }
    return NULL;
}
