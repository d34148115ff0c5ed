/* Reads the declarations of a kernel's body from its text. It knows the usual forms: a type of one or several words,
 * then names with `*`, `[N]` and initialisers. A declaration of another form, such as one of a template's type, is
 * passed over. */
#include "run/signature.h"
#include "run/variables.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct token {
    const char *text; /* NULL: the end */
    size_t length;
    bool word;
};

struct reader {
    struct arena *arena;
    const char *at;
    struct token token;
    int depth; /* of braces */
    struct {
        struct source_variable *items;
        size_t count, capacity;
    } list;
};

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the text behind blanks, comments and lines of the preprocessor. */
static const char *skip_blanks(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else if (*at == '#')
            at += strcspn(at, "\n");
        else
            return at;
    }
}

static void next(struct reader *reader)
{
    const char *at = skip_blanks(reader->at);
    size_t length = *at != '\0';
    bool const word = is_letter(*at);
    if (word)
        while (is_letter(at[length]))
            length++;
    else if (*at == '"' || *at == '\'') {
        while (at[length] && at[length] != *at)
            length += at[length] == '\\' && at[length + 1] ? 2 : 1;
        length += at[length] != '\0';
    }
    reader->token = (struct token){*at ? at : NULL, length, word};
    reader->at = at + length;
}

static bool is(const struct token *token, const char *text)
{
    return token->text && strlen(text) == token->length && memcmp(token->text, text, token->length) == 0;
}

/* Passes over tokens to the end of a statement, or to a comma that separates two declared names. */
static void skip_initialiser(struct reader *reader)
{
    int depth = 0;
    while (reader->token.text) {
        if (depth == 0 && (is(&reader->token, ";") || is(&reader->token, ",")))
            return;
        char const c = *reader->token.text;
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (depth < 0)
            return;
        next(reader);
    }
}

static uint64_t bytes_of_word(const struct token *token)
{
    static const struct {
        const char *word;
        uint64_t bytes;
    } words[] = {{"double", 8},  {"float", 4},    {"half", 2},    {"__half", 2},  {"int", 4},     {"unsigned", 4},
                 {"uint", 4},    {"long", 8},     {"size_t", 8},  {"short", 2},   {"ushort", 2},  {"char", 1},
                 {"uchar", 1},   {"bool", 1},     {"int8_t", 1},  {"uint8_t", 1}, {"int16_t", 2}, {"uint16_t", 2},
                 {"int32_t", 4}, {"uint32_t", 4}, {"int64_t", 8}, {"uint64_t", 8}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t const length = strlen(words[i].word);
        if (is(token, words[i].word))
            return words[i].bytes;
        bool const vector = token->length == length + 1 && memcmp(token->text, words[i].word, length) == 0;
        if (vector && token->text[length] >= '1' && token->text[length] <= '4') /* float4 */
            return words[i].bytes * (uint64_t)(token->text[length] - '0');
    }
    return 0;
}

static bool is_one_of(const struct token *token, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is(token, words[i]))
            return true;
    return false;
}

/* Returns the number of elements that `[4][8]` declares, 0 if it is not a number. */
static uint64_t read_dimensions(struct reader *reader)
{
    uint64_t all = 1;
    while (is(&reader->token, "[")) {
        next(reader);
        char *end = NULL;
        uint64_t const size = reader->token.text && isdigit((unsigned char)*reader->token.text)
                                  ? strtoull(reader->token.text, &end, 10)
                                  : 0;
        bool const whole = end && *skip_blanks(end) == ']' && size < UINT32_MAX && all < UINT32_MAX;
        all = whole ? all * size : 0;
        while (reader->token.text && !is(&reader->token, "]"))
            next(reader);
        next(reader);
    }
    return all;
}

static void add(struct reader *reader, struct source_variable const variable)
{
    for (size_t i = 0; i < reader->list.count; i++)
        if (strcmp(reader->list.items[i].name, variable.name) == 0)
            return;
    array_push(&reader->list, variable);
}

/* Reads the names behind a type: `a, *b = 0, c[4];`. The token is what follows the first name. */
static void read_names(struct reader *reader, struct token name, uint64_t bytes, bool pointer, bool automatic)
{
    for (;;) {
        bool const array = is(&reader->token, "[");
        uint64_t const elements = read_dimensions(reader);
        if (automatic)
            add(reader, (struct source_variable){arena_text_n(reader->arena, name.text, name.length), array,
                                                 elements * (pointer ? sizeof(uint64_t) : bytes)});
        skip_initialiser(reader);
        if (!is(&reader->token, ","))
            return;
        next(reader);
        pointer = is(&reader->token, "*");
        while (is(&reader->token, "*") || is(&reader->token, "&"))
            next(reader);
        if (!reader->token.word)
            return;
        name = reader->token;
        next(reader);
    }
}

/* Reads one statement up to its end, or to a brace. */
static void read_statement(struct reader *reader)
{
    static const char *const qualifiers[] = {"const", "volatile", "signed", "register", "struct", "__restrict__"};
    static const char *const elsewhere[] = {"__shared__", "extern", "static", "__constant__"};
    static const char *const never[] = {"return", "goto", "else", "case", "delete", "throw", "using",  "typedef",
                                        "new",    "do",   "asm",  "if",   "for",    "while", "switch", "__syncthreads"};
    struct token name = {0};
    uint64_t bytes = 0;
    bool automatic = true, typed = false, pointer = false;
    while (reader->token.word && !isdigit((unsigned char)*reader->token.text) &&
           !is_one_of(&reader->token, never, sizeof never / sizeof *never)) {
        struct token const token = reader->token;
        next(reader);
        if (is_one_of(&token, qualifiers, sizeof qualifiers / sizeof *qualifiers))
            continue;
        if (is_one_of(&token, elsewhere, sizeof elsewhere / sizeof *elsewhere)) {
            automatic = false;
            continue;
        }
        typed = typed || name.text;
        uint64_t const size = bytes_of_word(&token);
        bytes = size && !(bytes == 8 && is(&token, "int")) ? size : bytes; /* `long int` has 8 bytes */
        name = token;
        while (is(&reader->token, "*") || is(&reader->token, "&")) {
            pointer = true;
            next(reader);
        }
    }
    bool const ends = is(&reader->token, "=") || is(&reader->token, ";") || is(&reader->token, "[") ||
                      is(&reader->token, ",") || is(&reader->token, "{");
    if (typed && ends)
        read_names(reader, name, bytes, pointer, automatic);
    while (reader->token.text && !is(&reader->token, ";") && !is(&reader->token, "{") && !is(&reader->token, "}"))
        next(reader);
}

struct source_variable *source_variables(struct arena *arena, const char *source, const char *kernel, uint32_t *count)
{
    struct reader reader = {.arena = arena, .at = source ? signature_body(arena, source, kernel) : NULL, .depth = 1};
    if (reader.at)
        next(&reader);
    while (reader.at && reader.token.text && reader.depth > 0) {
        read_statement(&reader);
        reader.depth += is(&reader.token, "{") - is(&reader.token, "}");
        next(&reader);
    }
    struct source_variable *list = arena_array(arena, struct source_variable, reader.list.count + 1);
    if (reader.list.count)
        memcpy(list, reader.list.items, reader.list.count * sizeof *list);
    *count = (uint32_t)reader.list.count;
    free(reader.list.items);
    return list;
}
