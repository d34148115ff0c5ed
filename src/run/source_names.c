/* The integers that a source gives a name, read from its text without a compiler. */
#include "run/source_names.h"
#include "run/source_knobs.h"
#include <ctype.h>
#include <string.h>

bool source_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

uint32_t source_line_at(const char *text, size_t at)
{
    uint32_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

/* ---- comments and texts are blanked ---- */

static size_t literal_end(const char *text, size_t at)
{
    char const quote = text[at];
    size_t end = at + 1;
    while (text[end] && text[end] != quote && text[end] != '\n')
        end += text[end] == '\\' && text[end + 1] ? 2 : 1;
    return end + (text[end] == quote);
}

static void blank(char *text, size_t from, size_t to)
{
    for (; from < to; from++)
        if (text[from] != '\n')
            text[from] = ' ';
}

static void blank_words(char *text)
{
    for (size_t i = 0; text[i];) {
        size_t end = i;
        if (text[i] == '/' && text[i + 1] == '/') {
            end = i + strcspn(text + i, "\n");
        } else if (text[i] == '/' && text[i + 1] == '*') {
            const char *found = strstr(text + i + 2, "*/");
            end = found ? (size_t)(found + 2 - text) : strlen(text);
        } else if (text[i] == '"' || (text[i] == '\'' && (!i || !isxdigit((unsigned char)text[i - 1])))) {
            end = literal_end(text, i); /* else it parts the digits of a number */
        }
        blank(text, i, end);
        i = end > i ? end : i + 1;
    }
}

/* ---- names with a value ---- */

static void add_name(struct source_names *names, struct source_name named)
{
    if (names->count < SOURCE_NAMES_MAX)
        names->items[names->count++] = named;
}

size_t source_skip_space(const char *text, size_t at)
{
    while (text[at] && isspace((unsigned char)text[at]))
        at++;
    return at;
}

size_t source_word_end(const char *text, size_t at)
{
    while (source_in_word(text[at]))
        at++;
    return at;
}

static bool is_word(const char *text, size_t at, size_t end, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == end - at && memcmp(text + at, *words, end - at) == 0)
            return true;
    return false;
}

/* Returns the trimmed part of the text. */
void source_trim(const char *text, size_t *from, size_t *to)
{
    while (*from < *to && isspace((unsigned char)text[*from]))
        (*from)++;
    while (*to > *from && isspace((unsigned char)text[*to - 1]))
        (*to)--;
}

static void add_constant(struct source_names *names, size_t from, size_t to, struct source_name named)
{
    source_trim(names->text, &from, &to);
    named.at = from;
    named.length = to - from;
    named.computed = !source_constant(names->text + from, to - from, &named.value);
    if (to > from)
        add_name(names, named);
}

/* Takes the #defines, and blanks all lines of the preprocessor. */
static void take_defines(struct source_names *names)
{
    char *text = names->text;
    for (size_t line = 0; text[line]; line += text[line] == '\n') {
        size_t at = line, end = line + strcspn(text + line, "\n");
        while (text[at] == ' ' || text[at] == '\t')
            at++;
        if (text[at] != '#') {
            line = end;
            continue;
        }
        at++;
        while (text[at] == ' ' || text[at] == '\t')
            at++;
        bool const whole = end == line || text[end - 1] != '\\';
        if (strncmp(text + at, "define", 6) == 0 && (text[at + 6] == ' ' || text[at + 6] == '\t')) {
            at += 6 + strspn(text + at + 6, " \t");
            size_t const stop = source_word_end(text, at);
            if (whole && stop > at && text[stop] != '(')
                add_constant(
                    names, stop, end,
                    (struct source_name){
                        .name = at, .name_length = stop - at, .dimension = -1, .constant = true, .defined = true});
        }
        while (text[end] && text[end - 1] == '\\')
            end += 1 + strcspn(text + end + 1, "\n");
        blank(text, line, end);
        line = end;
    }
}

/* Returns the end of a value: the comma, bracket or semicolon behind it, at the same depth. */
size_t source_value_end(const char *text, size_t at)
{
    int depth = 0;
    for (; text[at]; at++) {
        if (strchr("([{", text[at]))
            depth++;
        else if (strchr(")]}", text[at]) && depth-- == 0)
            return at;
        else if (!depth && (text[at] == ',' || text[at] == ';'))
            return at;
    }
    return at;
}

/* Takes the sides of a dim3 that are constants: its text is between two brackets. */
static size_t take_dim3(struct source_names *names, size_t at, struct source_name named)
{
    for (int dimension = 0; dimension < 3; dimension++) {
        size_t const end = source_value_end(names->text, at);
        named.dimension = dimension;
        add_constant(names, at, end, named);
        at = end;
        if (names->text[at] != ',')
            break;
        at++;
    }
    return source_value_end(names->text, at);
}

/* Returns the place behind a character; at the end of the text, this one. */
static size_t behind(const char *text, size_t at)
{
    return at + (text[at] != '\0');
}

/* Reads the names that a declaration gives a value: `a = 1, b = 2;`. */
static void take_names(struct source_names *names, size_t at, size_t end, bool dim3, struct source_name named)
{
    const char *text = names->text;
    for (;;) {
        size_t next = source_skip_space(text, end);
        bool const braces = text[next] == '{' || (dim3 && text[next] == '(');
        named.name = at;
        named.name_length = end - at;
        if (dim3 && text[next] == '=') {
            size_t const open = next + 1 + strcspn(text + next + 1, "({;");
            next = text[open] == '\0' || text[open] == ';' ? open : behind(text, take_dim3(names, open + 1, named));
        } else if (dim3 && braces) {
            next = behind(text, take_dim3(names, next + 1, named));
        } else if (braces || (text[next] == '=' && text[next + 1] != '=')) {
            size_t const stop = source_value_end(text, next + 1);
            add_constant(names, next + 1, stop, named);
            next = stop + (braces && text[stop] == '}');
        }
        next = source_skip_space(text, next);
        if (text[next] != ',')
            return;
        at = source_skip_space(text, next + 1);
        end = source_word_end(text, at);
        if (end == at)
            return;
    }
}

/* Reads a declaration of an integer or a dim3 that begins with this word. */
static void take_declaration(struct source_names *names, size_t at, int depth)
{
    static const char *const types[] = {"int",      "unsigned", "long",      "short",  "size_t", "uint32_t",
                                        "uint64_t", "int32_t",  "int64_t",   "uint",   "auto",   "uint16_t",
                                        "int16_t",  "ssize_t",  "ptrdiff_t", "signed", NULL};
    static const char *const constants[] = {"const", "constexpr", NULL}, *const dims[] = {"dim3", NULL};
    static const char *const others[] = {"static", "inline", "std", "extern", "__device__", "__constant__", NULL};
    const char *text = names->text;
    struct source_name named = {.dimension = -1, .depth = depth};
    bool typed = false, dim3 = false;
    size_t end = at;
    for (;;) {
        end = source_word_end(text, at);
        if (end == at)
            return;
        bool const type = is_word(text, at, end, types), constant = is_word(text, at, end, constants);
        bool const dim = is_word(text, at, end, dims);
        if (!type && !constant && !dim && !is_word(text, at, end, others))
            break;
        typed = typed || type || dim;
        dim3 = dim3 || dim;
        named.constant = named.constant || constant;
        at = source_skip_space(text, end);
        if (text[at] == ':' && text[at + 1] == ':')
            at = source_skip_space(text, at + 2);
    }
    if (typed)
        take_names(names, at, end, dim3, named);
}

static void take_declarations(struct source_names *names)
{
    const char *text = names->text;
    int depth = 0;
    bool begins = true; /* a statement */
    for (size_t i = 0; text[i];) {
        if (isspace((unsigned char)text[i])) {
            i++;
        } else if (source_in_word(text[i])) {
            if (begins)
                take_declaration(names, i, depth);
            begins = false;
            i = source_word_end(text, i);
        } else {
            depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
            begins = strchr("{};", text[i]) != NULL;
            i++;
        }
    }
}

/* Returns whether the program may change the variable after its declaration. */
bool source_is_changed(const struct source_names *names, const struct source_name *named)
{
    const char *text = names->text, *name = names->source + named->name;
    if (named->constant)
        return false;
    for (size_t i = 0; text[i]; i++) {
        if ((i && source_in_word(text[i - 1])) || i == named->name ||
            strncmp(text + i, name, named->name_length) != 0 || source_in_word(text[i + named->name_length]))
            continue;
        size_t before = i;
        while (before && isspace((unsigned char)text[before - 1]))
            before--;
        size_t next = source_skip_space(text, i + named->name_length);
        if (text[next] == '.' && named->dimension >= 0) /* block.x = */
            next = source_skip_space(text, source_word_end(text, next + 1));
        bool const assigned =
            (text[next] == '=' && text[next + 1] != '=') ||
            (text[next] && strchr("+-*/%&|^", text[next]) && text[next + 1] == '=') ||
            (strchr("+-", text[next]) && text[next] && text[next + 1] == text[next]) ||
            (strchr("<>", text[next]) && text[next] && text[next + 1] == text[next] && text[next + 2] == '=');
        bool const handed = before && (text[before - 1] == '&' && (before < 2 || text[before - 2] != '&'));
        bool const counted = before > 1 && strchr("+-", text[before - 1]) && text[before - 2] == text[before - 1];
        if (assigned || handed || counted)
            return true;
    }
    return false;
}

/* Returns the name of the kernel before <<<. */
const char *source_kernel_before(const struct source_names *names, size_t at)
{
    const char *text = names->text;
    int depth = 0;
    while (at && (isspace((unsigned char)text[at - 1]) || text[at - 1] == '>' || depth)) {
        at--;
        depth += text[at] == '>' ? 1 : text[at] == '<' ? -1 : 0;
    }
    while (at && isspace((unsigned char)text[at - 1]))
        at--;
    size_t from = at;
    while (from && source_in_word(text[from - 1]))
        from--;
    return arena_text_n(names->arena, names->source + from, at - from);
}

struct source_names *source_names_read(struct arena *arena, const char *source)
{
    struct source_names *names = arena_new(arena, struct source_names);
    names->arena = arena;
    names->source = source;
    names->text = arena_text(arena, source);
    blank_words(names->text);
    take_defines(names);
    take_declarations(names);
    return names;
}
