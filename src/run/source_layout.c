#include "run/source_layout.h"
#include "run/signature.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 8, FOLLOWED_MOST = 300, FIELDS_MOST = 64, DIMENSIONS_MOST = 2 };
static const uint64_t size_most = UINT64_C(1) << 40; /* no array that fits a GPU is larger */

struct piece { /* a word, a number or a mark; length 0: the end */
    const char *text;
    size_t length;
};

/* The text that is read, how deep a type or a macro leads into others, and how many names were followed. */
struct reader {
    struct arena *arena;
    const char *source;
    int depth, followed;
};

struct type {
    uint64_t bytes, align; /* bytes 0: not understood */
    bool whole, real;      /* one number */
    const struct ptx_field *fields;
    uint32_t field_count;
};

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is(struct piece piece, const char *text)
{
    return piece.length && strlen(text) == piece.length && memcmp(piece.text, text, piece.length) == 0;
}

static bool is_word(struct piece piece)
{
    return piece.length && is_letter(*piece.text) && !isdigit((unsigned char)*piece.text);
}

/* Takes the next piece of code; comments and lines of the preprocessor are passed over. */
static struct piece take(const char **at)
{
    for (;;) {
        *at += strspn(*at, " \t\r\n");
        if (strncmp(*at, "//", 2) == 0 || **at == '#') {
            *at += strcspn(*at, "\n");
        } else if (strncmp(*at, "/*", 2) == 0) {
            const char *end = strstr(*at + 2, "*/");
            *at = end ? end + 2 : *at + strlen(*at);
        } else {
            break;
        }
    }
    const char *start = *at;
    if (is_letter(*start))
        while (is_letter(**at))
            (*at)++;
    else if (*start)
        (*at)++;
    return (struct piece){start, (size_t)(*at - start)};
}

/* Returns the text behind a word, from `from` on; NULL: it does not occur. */
static const char *behind(const char *from, struct piece word)
{
    for (const char *at = from; at && *at; at++) {
        bool const begins = at == from || !is_letter(at[-1]);
        if (begins && strncmp(at, word.text, word.length) == 0 && !is_letter(at[word.length]))
            return at + word.length;
    }
    return NULL;
}

/* ---- numbers ---- */

static int64_t read_sum(struct reader *reader, const char **at, bool *good);

/* Returns the value of a macro that the source defines as a number. */
static int64_t macro_value(struct reader *reader, struct piece name, bool *good)
{
    static const char word[] = "#define ";
    *good = false;
    if (reader->depth == DEPTH_MOST || reader->followed++ > FOLLOWED_MOST)
        return 0;
    for (const char *at = strstr(reader->source, word); at; at = strstr(at + 1, word)) {
        const char *after = at + strlen(word);
        if (strncmp(after, name.text, name.length) != 0 || !strchr(" \t", after[name.length]) || !after[name.length])
            continue;
        after += name.length;
        const char *text = arena_text_n(reader->arena, after, strcspn(after, "\r\n"));
        reader->depth++;
        *good = true;
        int64_t const value = read_sum(reader, &text, good);
        reader->depth--;
        return value;
    }
    return 0;
}

static int64_t read_factor(struct reader *reader, const char **at, bool *good)
{
    struct piece const piece = take(at);
    if (is(piece, "(")) {
        int64_t const value = read_sum(reader, at, good);
        *good = *good && is(take(at), ")");
        return value;
    }
    if (piece.length && isdigit((unsigned char)*piece.text))
        return strtoll(piece.text, NULL, 0);
    if (is_word(piece))
        return macro_value(reader, piece, good);
    *good = false;
    return 0;
}

static int64_t read_product(struct reader *reader, const char **at, bool *good)
{
    int64_t value = read_factor(reader, at, good);
    for (;;) {
        const char *before = *at;
        struct piece const mark = take(at);
        if (!is(mark, "*") && !is(mark, "/")) {
            *at = before;
            return value;
        }
        int64_t const by = read_factor(reader, at, good);
        *good = *good && by > 0 && llabs(value) < INT32_MAX && by < INT32_MAX;
        value = !*good ? 0 : is(mark, "*") ? value * by : value / by;
    }
}

static int64_t read_sum(struct reader *reader, const char **at, bool *good)
{
    int64_t value = read_product(reader, at, good);
    for (;;) {
        const char *before = *at;
        struct piece const mark = take(at);
        if (!is(mark, "+") && !is(mark, "-")) {
            *at = before;
            return value;
        }
        int64_t const by = read_product(reader, at, good);
        *good = *good && llabs(value) < INT32_MAX && llabs(by) < INT32_MAX;
        value = !*good ? 0 : is(mark, "+") ? value + by : value - by;
    }
}

/* Reads `[4][8 + 1]`. Returns the number of dimensions, 0 without any, -1 if they are not understood. A first one
 * without a number is 0. */
static int read_dimensions(struct reader *reader, const char **at, uint64_t sizes[DIMENSIONS_MOST])
{
    for (int count = 0;; count++) {
        const char *inside = *at;
        if (!is(take(&inside), "["))
            return count;
        if (count == DIMENSIONS_MOST)
            return -1;
        *at = inside;
        sizes[count] = 0;
        bool good = true;
        if (count > 0 || !is(take(&inside), "]")) {
            int64_t const value = read_sum(reader, at, &good);
            good = good && value > 0;
            sizes[count] = good ? (uint64_t)value : 0;
        }
        if (!good || !is(take(at), "]"))
            return -1;
    }
}

/* ---- types ---- */

static uint64_t bytes_of_word(struct piece word)
{
    static const struct {
        const char *word;
        uint64_t bytes;
    } words[] = {{"double", 8},   {"float", 4},   {"half", 2},     {"__half", 2},  {"int", 4},     {"unsigned", 4},
                 {"signed", 4},   {"uint", 4},    {"long", 8},     {"size_t", 8},  {"short", 2},   {"char", 1},
                 {"bool", 1},     {"uchar", 1},   {"ushort", 2},   {"int8_t", 1},  {"uint8_t", 1}, {"int16_t", 2},
                 {"uint16_t", 2}, {"int32_t", 4}, {"uint32_t", 4}, {"int64_t", 8}, {"uint64_t", 8}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(word, words[i].word))
            return words[i].bytes;
    return 0;
}

/* Returns the type of a built-in word, also of a vector such as float4. */
static struct type built_in(struct piece word)
{
    struct type type = {.bytes = bytes_of_word(word)};
    type.align = type.bytes;
    type.real = is(word, "double") || is(word, "float");
    type.whole = type.bytes && !type.real && !is(word, "half") && !is(word, "__half");
    char const last = word.length ? word.text[word.length - 1] : 0;
    if (type.bytes || last < '1' || last > '4')
        return type;
    uint64_t const one = bytes_of_word((struct piece){word.text, word.length - 1});
    uint64_t const count = (uint64_t)(last - '0');
    type.bytes = one * count;
    type.align = count == 3 || one * count > 16 ? (count == 3 ? one : 16) : one * count;
    return type;
}

static struct type read_structure(struct reader *reader, const char *at);

/* Returns the text behind the brace of `typedef struct { ... }`, whose closing brace is before `end`; NULL: there is
 * none. */
static const char *unnamed_structure(const char *source, const char *end)
{
    int depth = 0;
    const char *at = end;
    if (at == source || at[-1] != '}')
        return NULL;
    do {
        at--;
        depth += (*at == '}') - (*at == '{');
    } while (at > source && depth > 0);
    const char *start = at;
    while (start > source && !strchr(";}", start[-1]))
        start--;
    struct piece const first = take(&start), second = take(&start), third = take(&start);
    return depth == 0 && is(first, "typedef") && is(second, "struct") && third.text <= at ? at + 1 : NULL;
}

/* Returns the type that a word names in the source: a structure, or another name of a type. */
static struct type named_type(struct reader *reader, struct piece word)
{
    struct type type = built_in(word);
    if (type.bytes || reader->depth == DEPTH_MOST || reader->followed++ > FOLLOWED_MOST)
        return type;
    reader->depth++;
    bool defined = false;
    for (const char *at = reader->source; !defined && (at = behind(at, word));) {
        const char *after = at, *head = at - word.length;
        struct piece const mark = take(&after);
        const char *start = head;
        while (start > reader->source && !strchr(";}\n", start[-1]))
            start--;
        const char *line = start;
        struct piece const first = take(&line), second = take(&line);
        bool const structure = is(mark, "{") && (is(first, "struct") || (is(first, "typedef") && is(second, "struct")));
        bool const alias = is(first, "typedef") && is(mark, ";") && line <= head;
        bool const used = is(first, "using") && is(mark, "=");
        const char *fields = is(mark, ";") ? unnamed_structure(reader->source, start) : NULL;
        defined = structure || alias || used || fields;
        if (structure || fields)
            type = read_structure(reader, structure ? after : fields);
        else if (defined)
            type = named_type(reader, alias ? second : take(&after));
    }
    if (!type.bytes) { /* #define ELEMENT float */
        const char *define = arena_format(reader->arena, "#define %.*s ", (int)word.length, word.text);
        const char *found = strstr(reader->source, define);
        const char *value = found ? found + strlen(define) : "";
        struct piece const meant = found ? take(&value) : (struct piece){0};
        if (is_word(meant))
            type = named_type(reader, meant);
    }
    reader->depth--;
    return type;
}

/* Reads the words of a type, such as `const unsigned int`. Returns bytes 0 if it is not understood. */
static struct type read_type(struct reader *reader, const char **at)
{
    static const char *const passed[] = {"const", "volatile", "struct", "__shared__", "extern", "static"};
    struct type type = {0};
    bool basic = false;
    for (;;) {
        const char *before = *at;
        struct piece const word = take(at);
        bool qualifier = false;
        for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
            qualifier = qualifier || is(word, passed[i]);
        if (qualifier)
            continue;
        uint64_t const bytes = is_word(word) ? bytes_of_word(word) : 0;
        if (basic && bytes) { /* `long int` has 8 bytes, `unsigned char` one */
            type.bytes = type.align = is(word, "int") ? type.bytes : bytes;
            continue;
        }
        if (type.bytes || !is_word(word)) {
            *at = before;
            return type;
        }
        type = named_type(reader, word);
        basic = bytes != 0;
        if (!type.bytes)
            return type;
    }
}

/* Reads the fields of a structure behind its brace. */
static struct type read_structure(struct reader *reader, const char *at)
{
    struct type const nothing = {0};
    struct type whole = {.align = 1};
    struct ptx_field *fields = arena_array(reader->arena, struct ptx_field, FIELDS_MOST);
    for (;;) {
        const char *before = at;
        if (is(take(&at), "}"))
            break;
        at = before;
        struct type const type = read_type(reader, &at);
        if (!type.bytes)
            return nothing;
        struct piece mark;
        do {
            struct type field = type;
            uint64_t sizes[DIMENSIONS_MOST];
            struct piece name = take(&at);
            for (; is(name, "*"); name = take(&at))
                field = (struct type){.bytes = 8, .align = 8};
            int const dimensions = is_word(name) ? read_dimensions(reader, &at, sizes) : -1;
            if (dimensions < 0 || dimensions > 1 || whole.field_count == FIELDS_MOST)
                return nothing;
            uint64_t const count = dimensions ? sizes[0] : 1;
            uint64_t const offset = (whole.bytes + field.align - 1) / field.align * field.align;
            if (!count || field.bytes * count > size_most)
                return nothing;
            fields[whole.field_count++] = (struct ptx_field){arena_text_n(reader->arena, name.text, name.length),
                                                             offset,
                                                             field.bytes,
                                                             dimensions ? count : 0,
                                                             field.whole,
                                                             field.real};
            whole.bytes = offset + field.bytes * count;
            whole.align = field.align > whole.align ? field.align : whole.align;
            mark = take(&at);
        } while (is(mark, ","));
        if (!is(mark, ";"))
            return nothing;
    }
    whole.bytes = (whole.bytes + whole.align - 1) / whole.align * whole.align;
    whole.fields = fields;
    return whole;
}

const struct ptx_layout *source_value_layout(struct arena *arena, const char *source, const char *words)
{
    struct reader reader = {.arena = arena, .source = source};
    struct type const type = read_type(&reader, &words);
    struct ptx_layout *layout = arena_new(arena, struct ptx_layout);
    *layout = (struct ptx_layout){.element = type.bytes, .fields = type.fields, .field_count = type.field_count};
    return type.field_count ? layout : NULL;
}

/* ---- arrays ---- */

const struct ptx_layout *source_pointed_layout(struct arena *arena, const char *source, const char *kernel,
                                               const char *parameter)
{
    struct signature_parameter *named;
    size_t const count = signature_parameters(arena, source, kernel, &named);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(named[i].name, parameter) != 0 || !named[i].pointer)
            continue;
        struct reader reader = {.arena = arena, .source = source};
        const char *at = named[i].words;
        struct type const type = read_type(&reader, &at);
        if (!type.field_count || !is(take(&at), "*"))
            return NULL;
        struct ptx_layout *layout = arena_new(arena, struct ptx_layout);
        *layout = (struct ptx_layout){
            .array = true, .element = type.bytes, .fields = type.fields, .field_count = type.field_count};
        return layout;
    }
    return NULL;
}

/* Returns the layout of the declaration behind a `__shared__`, if it declares the name. */
static const struct ptx_layout *declared(struct reader *reader, const char *at, const char *name, uint64_t bytes)
{
    struct type const type = read_type(reader, &at);
    struct piece mark = {0};
    if (!type.bytes)
        return NULL;
    do {
        uint64_t sizes[DIMENSIONS_MOST] = {0};
        struct piece const word = take(&at);
        int const dimensions = is_word(word) ? read_dimensions(reader, &at, sizes) : -1;
        if (dimensions < 0)
            return NULL;
        mark = take(&at);
        if (!is(word, name))
            continue;
        uint64_t const columns = dimensions == 2 ? sizes[1] : 0, row = type.bytes * (columns ? columns : 1);
        uint64_t const all = dimensions ? sizes[0] * row : type.bytes;
        if (row > size_most || (all && bytes && all != bytes))
            return NULL; /* a macro was given another value */
        struct ptx_layout *layout = arena_new(reader->arena, struct ptx_layout);
        *layout = (struct ptx_layout){.array = dimensions > 0,
                                      .element = type.bytes,
                                      .columns = columns,
                                      .fields = type.fields,
                                      .field_count = type.field_count};
        return layout;
    } while (is(mark, ","));
    return NULL;
}

const struct ptx_layout *source_shared_layout(struct arena *arena, const char *source, const char *kernel,
                                              const char *name, uint64_t bytes)
{
    static const char word[] = "__shared__";
    struct reader reader = {.arena = arena, .source = source};
    const char *body = signature_body(arena, source, kernel);
    const struct ptx_layout *layout = NULL;
    const char *end = body;
    for (int depth = 1; end && *end && depth > 0; end++)
        depth += (*end == '{') - (*end == '}');
    for (int own = 1; own >= 0 && !layout; own--) /* the kernel's own first: other kernels may use the name, too */
        for (const char *at = strstr(own && body ? body : source, word); at && !layout; at = strstr(at + 1, word)) {
            if (own && (!body || at > end))
                break;
            layout = declared(&reader, at + strlen(word), name, bytes);
        }
    return layout;
}
