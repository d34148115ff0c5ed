#include "program/knobs.h"
#include <ctype.h>
#include <string.h>

enum { NAMES_MAX = 256 };

/* An integer that the source gives a name and a constant value. */
struct named {
    size_t name, name_length;
    size_t at, length;
    long long value;
    int dimension; /* of a dim3 */
    bool constant; /* const, constexpr or #define: nothing can change it */
    bool defined;  /* by #define */
    int depth;     /* of braces around it */
    bool taken;    /* it is a knob already */
};

struct finder {
    struct arena *arena;
    const char *source;
    char *text; /* the source without comments and literals of text, of the same length */
    const struct compile_define *defines;
    size_t define_count;
    struct named names[NAMES_MAX];
    size_t name_count;
    struct program_knobs *knobs;
};

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static uint32_t line_at(const char *text, size_t at)
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

/* ---- names with a constant value ---- */

static void add_name(struct finder *finder, struct named named)
{
    if (finder->name_count < NAMES_MAX)
        finder->names[finder->name_count++] = named;
}

static size_t skip_space(const char *text, size_t at)
{
    while (text[at] && isspace((unsigned char)text[at]))
        at++;
    return at;
}

static size_t word_end(const char *text, size_t at)
{
    while (in_word(text[at]))
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
static void trim(const char *text, size_t *from, size_t *to)
{
    while (*from < *to && isspace((unsigned char)text[*from]))
        (*from)++;
    while (*to > *from && isspace((unsigned char)text[*to - 1]))
        (*to)--;
}

static bool add_constant(struct finder *finder, size_t from, size_t to, struct named named)
{
    trim(finder->text, &from, &to);
    named.at = from;
    named.length = to - from;
    if (!program_constant(finder->text + from, to - from, &named.value))
        return false;
    add_name(finder, named);
    return true;
}

/* Takes the #defines, and blanks all lines of the preprocessor. */
static void take_defines(struct finder *finder)
{
    char *text = finder->text;
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
            size_t const stop = word_end(text, at);
            if (whole && stop > at && text[stop] != '(')
                add_constant(
                    finder, stop, end,
                    (struct named){
                        .name = at, .name_length = stop - at, .dimension = -1, .constant = true, .defined = true});
        }
        while (text[end] && text[end - 1] == '\\')
            end += 1 + strcspn(text + end + 1, "\n");
        blank(text, line, end);
        line = end;
    }
}

/* Returns the end of a value: the comma, bracket or semicolon behind it, at the same depth. */
static size_t value_end(const char *text, size_t at)
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
static size_t take_dim3(struct finder *finder, size_t at, struct named named)
{
    for (int dimension = 0; dimension < 3; dimension++) {
        size_t const end = value_end(finder->text, at);
        named.dimension = dimension;
        add_constant(finder, at, end, named);
        at = end;
        if (finder->text[at] != ',')
            break;
        at++;
    }
    return value_end(finder->text, at);
}

/* Returns the place behind a character; at the end of the text, this one. */
static size_t behind(const char *text, size_t at)
{
    return at + (text[at] != '\0');
}

/* Reads the names that a declaration gives a value: `a = 1, b = 2;`. */
static void take_names(struct finder *finder, size_t at, size_t end, bool dim3, struct named named)
{
    const char *text = finder->text;
    for (;;) {
        size_t next = skip_space(text, end);
        bool const braces = text[next] == '{' || (dim3 && text[next] == '(');
        named.name = at;
        named.name_length = end - at;
        if (dim3 && text[next] == '=') {
            size_t const open = next + 1 + strcspn(text + next + 1, "({;");
            next = text[open] == '\0' || text[open] == ';' ? open : behind(text, take_dim3(finder, open + 1, named));
        } else if (dim3 && braces) {
            next = behind(text, take_dim3(finder, next + 1, named));
        } else if (braces || (text[next] == '=' && text[next + 1] != '=')) {
            size_t const stop = value_end(text, next + 1);
            add_constant(finder, next + 1, stop, named);
            next = stop + (braces && text[stop] == '}');
        }
        next = skip_space(text, next);
        if (text[next] != ',')
            return;
        at = skip_space(text, next + 1);
        end = word_end(text, at);
        if (end == at)
            return;
    }
}

/* Reads a declaration of an integer or a dim3 that begins with this word. */
static void take_declaration(struct finder *finder, size_t at, int depth)
{
    static const char *const types[] = {"int",      "unsigned", "long",      "short",  "size_t", "uint32_t",
                                        "uint64_t", "int32_t",  "int64_t",   "uint",   "auto",   "uint16_t",
                                        "int16_t",  "ssize_t",  "ptrdiff_t", "signed", NULL};
    static const char *const constants[] = {"const", "constexpr", NULL}, *const dims[] = {"dim3", NULL};
    static const char *const others[] = {"static", "inline", "std", "extern", "__device__", "__constant__", NULL};
    const char *text = finder->text;
    struct named named = {.dimension = -1, .depth = depth};
    bool typed = false, dim3 = false;
    size_t end = at;
    for (;;) {
        end = word_end(text, at);
        if (end == at)
            return;
        bool const type = is_word(text, at, end, types), constant = is_word(text, at, end, constants);
        bool const dim = is_word(text, at, end, dims);
        if (!type && !constant && !dim && !is_word(text, at, end, others))
            break;
        typed = typed || type || dim;
        dim3 = dim3 || dim;
        named.constant = named.constant || constant;
        at = skip_space(text, end);
        if (text[at] == ':' && text[at + 1] == ':')
            at = skip_space(text, at + 2);
    }
    if (typed)
        take_names(finder, at, end, dim3, named);
}

static void take_declarations(struct finder *finder)
{
    const char *text = finder->text;
    int depth = 0;
    bool begins = true; /* a statement */
    for (size_t i = 0; text[i];) {
        if (isspace((unsigned char)text[i])) {
            i++;
        } else if (in_word(text[i])) {
            if (begins)
                take_declaration(finder, i, depth);
            begins = false;
            i = word_end(text, i);
        } else {
            depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
            begins = strchr("{};", text[i]) != NULL;
            i++;
        }
    }
}

/* ---- knobs ---- */

static bool is_given(const struct finder *finder, const char *name)
{
    for (size_t i = 0; i < finder->define_count; i++)
        if (strcmp(finder->defines[i].name, name) == 0)
            return true;
    return false;
}

static void add_knob(struct finder *finder, struct program_knob knob)
{
    struct program_knobs *knobs = finder->knobs;
    knob.line = line_at(finder->source, knob.at);
    for (size_t i = 0; i < knobs->count; i++) {
        const struct program_knob *other = &knobs->items[i];
        if (other->at == knob.at)
            return;
        knob.nth += strcmp(other->name, knob.name) == 0 && other->dimension == knob.dimension &&
                    strcmp(other->kernel ? other->kernel : "", knob.kernel ? knob.kernel : "") == 0;
    }
    if (knobs->count < PROGRAM_KNOBS_MAX)
        knobs->items[knobs->count++] = knob;
}

static void add_fixed(struct finder *finder, const char *name, size_t at, enum program_fixed_why why)
{
    struct program_knobs *knobs = finder->knobs;
    uint32_t const line = line_at(finder->source, at);
    for (size_t i = 0; i < knobs->fixed_count; i++)
        if (knobs->fixed[i].line == line)
            return;
    if (knobs->fixed_count < PROGRAM_KNOBS_MAX)
        knobs->fixed[knobs->fixed_count++] = (struct program_fixed){name, line, why};
}

static const char *name_of(const struct finder *finder, const struct named *named)
{
    return arena_text_n(finder->arena, finder->source + named->name, named->name_length);
}

static void knob_of_name(struct finder *finder, struct named *named, enum program_knob_role role)
{
    named->taken = true;
    add_knob(finder, (struct program_knob){.role = role,
                                           .name = name_of(finder, named),
                                           .dimension = named->dimension,
                                           .in_main = named->depth > 0,
                                           .at = named->at,
                                           .length = named->length,
                                           .value = named->value});
}

/* Returns whether the program may change the variable after its declaration. */
static bool is_changed(const struct finder *finder, const struct named *named)
{
    const char *text = finder->text, *name = finder->source + named->name;
    if (named->constant)
        return false;
    for (size_t i = 0; text[i]; i++) {
        if ((i && in_word(text[i - 1])) || i == named->name || strncmp(text + i, name, named->name_length) != 0 ||
            in_word(text[i + named->name_length]))
            continue;
        size_t before = i;
        while (before && isspace((unsigned char)text[before - 1]))
            before--;
        size_t next = skip_space(text, i + named->name_length);
        if (text[next] == '.' && named->dimension >= 0) /* block.x = */
            next = skip_space(text, word_end(text, next + 1));
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

/* Makes knobs of the name that a launch uses, if it has a constant value. Returns false if there is none like it. */
static bool take_name(struct finder *finder, size_t from, size_t to, enum program_knob_role role)
{
    bool found = false;
    for (size_t n = finder->name_count; n-- > 0;) { /* the last one before the launch, and its other sides */
        struct named *named = &finder->names[n];
        if (named->name_length != to - from || (named->name > from && !named->defined) ||
            memcmp(finder->source + named->name, finder->source + from, to - from) != 0)
            continue;
        if (found && named->name != finder->names[n + 1].name)
            break;
        found = true;
        if (is_given(finder, name_of(finder, named)))
            add_fixed(finder, name_of(finder, named), from, PROGRAM_FIXED_DEFINED);
        else if (is_changed(finder, named))
            add_fixed(finder, name_of(finder, named), from, PROGRAM_FIXED_CHANGED);
        else
            knob_of_name(finder, named, role);
    }
    return found;
}

/* Takes one of the words between <<< and >>>. */
static void take_argument(struct finder *finder, const char *kernel, size_t from, size_t to,
                          enum program_knob_role role)
{
    const char *text = finder->text;
    long long value;
    trim(text, &from, &to);
    struct program_knob knob = {.role = role,
                                .name = role == PROGRAM_KNOB_BLOCK ? "block" : "grid",
                                .kernel = kernel,
                                .dimension = -1,
                                .in_main = true};
    if (program_constant(text + from, to - from, &value)) {
        knob.at = from;
        knob.length = to - from;
        knob.value = value;
        add_knob(finder, knob);
        return;
    }
    if (to - from > 5 && strncmp(text + from, "dim3", 4) == 0 && !in_word(text[from + 4])) {
        size_t at = from + 4 + strcspn(text + from + 4, "({") + 1;
        for (knob.dimension = 0; knob.dimension < 3 && at < to; knob.dimension++) {
            size_t first = at, end = value_end(text, at);
            at = end + 1;
            trim(text, &first, &end);
            knob.at = first;
            knob.length = end - first;
            if (program_constant(text + first, end - first, &knob.value))
                add_knob(finder, knob);
            else if (word_end(text, first) == end)
                take_name(finder, first, end, role);
        }
        return;
    }
    if ((word_end(text, from) == to && take_name(finder, from, to, role)) || role != PROGRAM_KNOB_BLOCK)
        return;
    add_fixed(finder, arena_text_n(finder->arena, finder->source + from, to - from), from, PROGRAM_FIXED_COMPUTED);
}

/* Returns the name of the kernel before <<<. */
static const char *kernel_before(const struct finder *finder, size_t at)
{
    const char *text = finder->text;
    int depth = 0;
    while (at && (isspace((unsigned char)text[at - 1]) || text[at - 1] == '>' || depth)) {
        at--;
        depth += text[at] == '>' ? 1 : text[at] == '<' ? -1 : 0;
    }
    while (at && isspace((unsigned char)text[at - 1]))
        at--;
    size_t from = at;
    while (from && in_word(text[from - 1]))
        from--;
    return arena_text_n(finder->arena, finder->source + from, at - from);
}

static void take_launches(struct finder *finder)
{
    const char *text = finder->text;
    for (const char *found = text; (found = strstr(found, "<<<")); found += 3) {
        size_t const open = (size_t)(found - text);
        const char *close = strstr(found + 3, ">>>");
        if (!close)
            return;
        const char *kernel = kernel_before(finder, open);
        size_t const end = (size_t)(close - text), comma = value_end(text, open + 3);
        if (!*kernel || comma >= end)
            continue;
        size_t const second = value_end(text, comma + 1);
        take_argument(finder, kernel, comma + 1, second < end ? second : end, PROGRAM_KNOB_BLOCK);
        take_argument(finder, kernel, open + 3, comma, PROGRAM_KNOB_GRID);
    }
}

/* Orders knobs: block sizes, then the file's own constants, then the rest; within each by line. */
static int rank_of(const struct program_knob *knob)
{
    return knob->role == PROGRAM_KNOB_BLOCK ? 0 : !knob->in_main ? 1 : 2;
}

static void sort_knobs(struct program_knobs *knobs)
{
    for (size_t i = 1; i < knobs->count; i++) {
        struct program_knob const knob = knobs->items[i];
        size_t at = i;
        for (; at > 0; at--) {
            const struct program_knob *before = &knobs->items[at - 1];
            int const a = rank_of(before), b = rank_of(&knob);
            if (a < b || (a == b && before->at <= knob.at))
                break;
            knobs->items[at] = *before;
        }
        knobs->items[at] = knob;
    }
}

void program_knobs_find(struct arena *arena, const char *source, const struct compile_define *defines,
                        size_t define_count, struct program_knobs *knobs)
{
    struct finder *finder = arena_new(arena, struct finder);
    *knobs = (struct program_knobs){.count = 0};
    finder->arena = arena;
    finder->source = source;
    finder->text = arena_text(arena, source);
    finder->defines = defines;
    finder->define_count = define_count;
    finder->knobs = knobs;
    blank_words(finder->text);
    take_defines(finder);
    take_declarations(finder);
    take_launches(finder);
    for (size_t i = 0; i < finder->name_count; i++) {
        struct named *named = &finder->names[i];
        if (named->constant && !named->taken && !is_given(finder, name_of(finder, named)))
            knob_of_name(finder, named, PROGRAM_KNOB_VALUE);
    }
    sort_knobs(knobs);
}

/* ---- turned ---- */

bool program_turn_fits(const struct program_turn *turn, const struct program_knob *knob)
{
    return turn->nth == knob->nth && turn->dimension == knob->dimension && strcmp(turn->name, knob->name) == 0 &&
           strcmp(turn->kernel ? turn->kernel : "", knob->kernel ? knob->kernel : "") == 0;
}

/* Returns the suffix of a literal, "u" of 256u, that keeps its type; "" of a computation. */
static const char *suffix_of(struct arena *arena, const char *text, size_t length)
{
    size_t digits = length;
    while (digits && strchr("uUlLzZ", text[digits - 1]))
        digits--;
    for (size_t i = 0; i < digits; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '\'')
            return "";
    return arena_text_n(arena, text + digits, length - digits);
}

const char *program_knobs_apply(struct arena *arena, const char *source, const struct program_knobs *knobs,
                                const struct program_turn *turns, size_t turn_count)
{
    const char *text = source;
    long long shift = 0;
    for (size_t done = 0, after = 0; done < knobs->count; done++) {
        const struct program_knob *knob = NULL; /* the next one in the text */
        for (size_t i = 0; i < knobs->count; i++)
            if (knobs->items[i].at >= after && (!knob || knobs->items[i].at < knob->at))
                knob = &knobs->items[i];
        if (!knob)
            break;
        after = knob->at + 1;
        for (size_t i = 0; i < turn_count; i++) {
            if (!program_turn_fits(&turns[i], knob) || turns[i].value == knob->value)
                continue;
            const char *value = arena_format(arena, turns[i].value < 0 ? "(%lld%s)" : "%lld%s", turns[i].value,
                                             suffix_of(arena, source + knob->at, knob->length));
            size_t const at = (size_t)((long long)knob->at + shift), room = strlen(value);
            size_t const pad = room < knob->length ? knob->length - room : 0;
            text = arena_format(arena, "%.*s%s%*s%s", (int)at, text, value, (int)pad, "", text + at + knob->length);
            shift += (long long)(room + pad) - (long long)knob->length;
            break;
        }
    }
    return text;
}
