#include "base/mangled.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* No name that a person wrote comes near these. A substitution may double the text, so that its length is bounded. */
enum { DEPTH_MOST = 48, STEPS_MOST = 4096, TEXT_MOST = 2048, LIST_MOST = 64 };

/* A type as text on the left and on the right of what it declares: "void (*" and ")(int)". */
struct type {
    const char *left, *right;
};
struct list {
    struct type items[LIST_MOST];
    size_t count;
};
struct reader {
    struct arena *arena;
    const char *at;
    int depth, steps;
    bool bad;              /* something that is not understood */
    struct list known;     /* what S_, S0_ ... repeat */
    struct list arguments; /* of the function's template, what T_, T0_ ... mean */
    bool arguments_known;
};

static struct type read_type(struct reader *reader);
static const char *read_encoding(struct reader *reader, const char **name, struct list *parameters);

static bool take(struct reader *reader, const char *word)
{
    size_t const length = strlen(word);
    bool const found = strncmp(reader->at, word, length) == 0;
    reader->at += found ? length : 0;
    return found;
}

static struct type fail(struct reader *reader)
{
    reader->bad = true;
    return (struct type){"", ""};
}

/* Returns a + b + c. */
static const char *join(struct reader *reader, const char *a, const char *b, const char *c)
{
    if (strlen(a) + strlen(b) + strlen(c) < TEXT_MOST)
        return arena_format(reader->arena, "%s%s%s", a, b, c);
    reader->bad = true;
    return "";
}

static void add(struct reader *reader, struct list *list, struct type type)
{
    if (list->count == LIST_MOST)
        reader->bad = true;
    else
        list->items[list->count++] = type;
}

/* Returns the types of a list with commas between them. */
static const char *listed(struct reader *reader, const struct list *list)
{
    const char *all = "";
    for (size_t i = 0; i < list->count; i++)
        all = join(reader, all, i ? ", " : "", join(reader, list->items[i].left, list->items[i].right, ""));
    return all;
}

/* Reads a name behind its length, or returns NULL. */
static const char *source_name(struct reader *reader)
{
    char *begin;
    unsigned long const length = isdigit((unsigned char)*reader->at) ? strtoul(reader->at, &begin, 10) : 0;
    if (length == 0 || length > strlen(begin))
        return NULL;
    reader->at = begin + length;
    return strncmp(begin, "_GLOBAL__N", 10) == 0 ? "(anonymous namespace)" : arena_text_n(reader->arena, begin, length);
}

/* Reads the number of S_, S0_, S10_ in base 36, or of T_, T0_ in base 10, and returns what it stands for. */
static struct type repeated(struct reader *reader, const struct list *list, int base)
{
    char *end = (char *)reader->at;
    unsigned long const number = *end == '_' ? 0 : strtoul(reader->at, &end, base) + 1;
    if (*end != '_' || number >= list->count || (*reader->at != '_' && !isalnum((unsigned char)*reader->at)))
        return fail(reader);
    reader->at = end + 1;
    return list->items[number];
}

/* Reads the value of a template's argument behind its L. */
static struct type read_literal(struct reader *reader)
{
    const char *name = "";
    if (take(reader, "_Z")) {
        read_encoding(reader, &name, NULL);
        take(reader, "E");
        return (struct type){name, ""};
    }
    bool const flag = *reader->at == 'b', plain = strchr("acdfhijlmnostwxy", *reader->at) && *reader->at;
    struct type const type = read_type(reader);
    size_t const length = strcspn(reader->at, "E");
    const char *value = arena_text_n(reader->arena, reader->at, length);
    if (*value == 'n')
        value = join(reader, "-", value + 1, "");
    reader->at += length;
    if (!take(reader, "E"))
        return fail(reader);
    if (flag)
        value = strcmp(value, "0") == 0 ? "false" : "true";
    return (struct type){plain || flag ? value : join(reader, "(", join(reader, type.left, type.right, ")"), value),
                         ""};
}

/* Reads the arguments of a template behind their I, or those of a pack behind its J. */
static void read_arguments(struct reader *reader, struct list *list)
{
    reader->depth++;
    while (!reader->bad && !take(reader, "E")) {
        if (reader->depth > DEPTH_MOST || ++reader->steps > STEPS_MOST || *reader->at == 'X') {
            reader->bad = true;
        } else if (take(reader, "J")) {
            struct list pack = {.count = 0};
            read_arguments(reader, &pack);
            add(reader, list, (struct type){listed(reader, &pack), ""});
        } else {
            add(reader, list, take(reader, "L") ? read_literal(reader) : read_type(reader));
        }
    }
    reader->depth--;
}

/* Reads one part of a name: a name, an operator, a constructor or a type without a name. */
static const char *read_part(struct reader *reader)
{
    take(reader, "L"); /* of one file alone */
    const char *name = source_name(reader);
    if (!name && (*reader->at == 'C' || *reader->at == 'D') && isdigit((unsigned char)reader->at[1])) {
        reader->at += 2;
        name = "(constructor)";
    } else if (!name && (take(reader, "Ut") || take(reader, "Ul"))) {
        bool const lambda = reader->at[-1] == 'l';
        while (lambda && !reader->bad && !take(reader, "E"))
            read_type(reader);
        size_t const digits = strspn(reader->at, "0123456789");
        int const number = digits ? atoi(reader->at) + 2 : 1; /* in its function */
        reader->at += digits;
        if (!take(reader, "_"))
            reader->bad = true;
        name = lambda ? arena_format(reader->arena, "{lambda#%d}", number) : "(unnamed)";
    } else if (!name && islower((unsigned char)reader->at[0]) && islower((unsigned char)reader->at[1])) {
        bool const converts = take(reader, "cv");
        if (converts)
            read_type(reader);
        reader->at += converts ? 0 : 2;
        name = "operator";
    }
    while (name && take(reader, "B") && source_name(reader))
        continue;
    if (!name)
        reader->bad = true;
    return name ? name : "";
}

/* Reads a name, also one in namespaces or in a function. Sets the last part, and the arguments if it has some. Returns
 * all of it. */
static struct type read_name(struct reader *reader, const char **last, struct list *arguments)
{
    struct type whole = {"", ""};
    arguments->count = 0;
    *last = "";
    if (take(reader, "Z")) {
        const char *name = "";
        read_encoding(reader, &name, NULL);
        if (!take(reader, "E") || *reader->at == 's' || *reader->at == 'd')
            return fail(reader);
        whole = read_name(reader, last, arguments);
        whole.left = join(reader, name, "::", whole.left);
        if (take(reader, "_")) /* the second of this name in the function, and so on */
            reader->at += strspn(reader->at, "_0123456789");
        return whole;
    }
    bool const nested = take(reader, "N");
    if (nested)
        reader->at += strspn(reader->at, "rVKRO");
    do {
        struct list given = {.count = 0};
        bool fresh = true;
        if (take(reader, "St")) {
            whole.left = join(reader, "std::", *last = read_part(reader), "");
        } else if (!*whole.left && (take(reader, "S") || take(reader, "T"))) {
            bool const parameter = reader->at[-1] == 'T';
            whole = parameter ? repeated(reader, &reader->arguments, 10) : repeated(reader, &reader->known, 36);
            fresh = parameter;
        } else if (!take(reader, "I")) {
            *last = read_part(reader);
            whole.left = join(reader, whole.left, *whole.left ? "::" : "", *last);
            arguments->count = 0;
        } else {
            read_arguments(reader, &given);
            whole.left = join(reader, whole.left, "<", join(reader, listed(reader, &given), ">", ""));
            arguments->count = 0;
            if (!reader->bad)
                *arguments = given;
        }
        if (reader->bad || ++reader->steps > STEPS_MOST) {
            *last = nested ? "" : *last;
            return fail(reader);
        }
        bool const ends = nested ? *reader->at == 'E' : *reader->at != 'I';
        if (fresh && !ends)
            add(reader, &reader->known, whole);
        if (ends)
            break;
    } while (true);
    if (nested)
        reader->at++;
    return whole;
}

static const char *builtin(char code)
{
    static const char *const words[] = {['v'] = "void",        ['w'] = "wchar_t",
                                        ['b'] = "bool",        ['c'] = "char",
                                        ['a'] = "signed char", ['h'] = "unsigned char",
                                        ['s'] = "short",       ['t'] = "unsigned short",
                                        ['i'] = "int",         ['j'] = "unsigned int",
                                        ['l'] = "long",        ['m'] = "unsigned long",
                                        ['x'] = "long long",   ['y'] = "unsigned long long",
                                        ['n'] = "__int128",    ['o'] = "unsigned __int128",
                                        ['f'] = "float",       ['d'] = "double",
                                        ['e'] = "long double", ['g'] = "__float128",
                                        ['z'] = "..."};
    return (unsigned char)code < sizeof words / sizeof *words ? words[(unsigned char)code] : NULL;
}

/* Reads the types behind a function's name, up to what ends them. */
static void read_types(struct reader *reader, struct list *list)
{
    if (*reader->at == 'v' && (!reader->at[1] || strchr("E._$", reader->at[1]))) {
        reader->at++;
        return;
    }
    while (!reader->bad && *reader->at && !strchr("E._$", *reader->at))
        add(reader, list, read_type(reader));
}

/* Returns the type behind a pointer or a reference, with the mark. */
static struct type pointed(struct reader *reader, struct type type, const char *mark)
{
    bool const wraps = *type.right == '[' || *type.right == '(';
    char const end = *type.left ? type.left[strlen(type.left) - 1] : ' ';
    type.left = join(reader, type.left, wraps ? " (" : strchr("*& ", end) ? "" : " ", mark);
    type.right = wraps ? join(reader, ")", type.right, "") : type.right;
    return type;
}

static struct type read_array(struct reader *reader)
{
    size_t const length = strspn(reader->at, "0123456789");
    const char *count = arena_text_n(reader->arena, reader->at, length);
    reader->at += length;
    if (!take(reader, "_"))
        return fail(reader);
    struct type type = read_type(reader);
    type.right = join(reader, "[", count, join(reader, "]", type.right, ""));
    return type;
}

static struct type read_function(struct reader *reader)
{
    struct list parameters = {.count = 0};
    take(reader, "Y");
    struct type type = read_type(reader);
    read_types(reader, &parameters);
    if (!take(reader, "E"))
        return fail(reader);
    type.left = join(reader, type.left, type.right, "");
    type.right = join(reader, "(", listed(reader, &parameters), ")");
    return type;
}

static struct type read_qualified(struct reader *reader)
{
    size_t const length = strspn(reader->at, "rVK");
    bool const constant = memchr(reader->at, 'K', length) != NULL;
    reader->at += length;
    struct type type = read_type(reader);
    char const end = *type.left ? type.left[strlen(type.left) - 1] : ' ';
    if (constant && end == '*')
        type.left = join(reader, type.left, "const", "");
    else if (constant)
        type.left = join(reader, "const ", type.left, "");
    return type;
}

/* Reads a type of two letters that begins with D, or of a compiler's own. Returns whether it is one. */
static bool read_special(struct reader *reader, struct type *type)
{
    static const struct {
        const char *code, *words;
    } words[] = {{"DF16_", "_Float16"}, {"DF16b", "__bf16"},      {"Dh", "__fp16"}, {"Di", "char32_t"},
                 {"Ds", "char16_t"},    {"Dn", "std::nullptr_t"}, {"Da", "auto"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (take(reader, words[i].code)) {
            *type = (struct type){words[i].words, ""};
            return true;
        }
    const char *vendor = take(reader, "u") ? source_name(reader) : NULL;
    *type = (struct type){vendor ? vendor : "", ""};
    return vendor != NULL;
}

/* Reads a type that can be repeated by S_. */
static struct type read_composed(struct reader *reader)
{
    char const c = *reader->at;
    const char *last;
    if (c == 'r' || c == 'V' || c == 'K')
        return read_qualified(reader);
    if (c == 'T') {
        reader->at++;
        return repeated(reader, &reader->arguments, 10);
    }
    if (c == 'N' || c == 'Z' || c == 'S' || isdigit((unsigned char)c)) {
        struct list arguments;
        return read_name(reader, &last, &arguments);
    }
    reader->at += c != '\0';
    if (c == 'P')
        return pointed(reader, read_type(reader), "*");
    if (c == 'R' || c == 'O')
        return pointed(reader, read_type(reader), c == 'R' ? "&" : "&&");
    return c == 'A' ? read_array(reader) : c == 'F' ? read_function(reader) : fail(reader);
}

static struct type read_type(struct reader *reader)
{
    struct type type = {"", ""};
    if (reader->bad || reader->depth >= DEPTH_MOST || ++reader->steps > STEPS_MOST)
        return fail(reader);
    const char *words = builtin(*reader->at);
    if (words) {
        reader->at++;
        return (struct type){words, ""};
    }
    if (read_special(reader, &type))
        return type;
    reader->depth++;
    if (*reader->at == 'S' && reader->at[1] != 't') { /* repeated, or a template that is */
        reader->at++;
        type = repeated(reader, &reader->known, 36);
        if (take(reader, "I")) {
            struct list arguments = {.count = 0};
            read_arguments(reader, &arguments);
            type.left = join(reader, type.left, "<", join(reader, listed(reader, &arguments), ">", ""));
            add(reader, &reader->known, type);
        }
    } else {
        type = read_composed(reader);
        add(reader, &reader->known, type);
    }
    reader->depth--;
    return type;
}

/* Reads a function or a variable: its last name, the template's arguments and, if parameters is not NULL, the types.
 * Returns all of its name. */
static const char *read_encoding(struct reader *reader, const char **name, struct list *parameters)
{
    struct list arguments = {.count = 0}, inner = {.count = 0};
    if (reader->depth >= DEPTH_MOST || ++reader->steps > STEPS_MOST) {
        reader->bad = true;
        return "";
    }
    reader->depth++;
    const char *whole = read_name(reader, name, &arguments).left;
    if (!reader->bad && *reader->at && !strchr("E._$", *reader->at)) {
        reader->arguments = arguments;
        if (arguments.count) /* an instance of a template gives the type that it returns first */
            read_type(reader);
        read_types(reader, parameters ? parameters : &inner);
    } else if (parameters) {
        reader->arguments = arguments;
    }
    reader->depth--;
    return whole;
}

static const char *const *texts(struct arena *arena, struct reader *reader, const struct list *list)
{
    const char **all = arena_array(arena, const char *, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        all[i] = join(reader, list->items[i].left, list->items[i].right, "");
    return all;
}

/* Returns the name that ends the symbol of a variable in a function which is not understood, or NULL. */
static const char *last_name(struct reader *reader, const char *symbol)
{
    for (const char *at = strchr(symbol, 'E'); at; at = strchr(at + 1, 'E')) {
        reader->at = at + 1;
        const char *name = source_name(reader);
        if (name && (!*reader->at || *reader->at == '_' || *reader->at == 'E'))
            return name;
    }
    return NULL;
}

bool mangled_read(struct arena *arena, const char *symbol, struct mangled *mangled)
{
    struct list parameters = {.count = 0};
    *mangled = (struct mangled){.name = NULL};
    if (strncmp(symbol, "_Z", 2) != 0)
        return false;
    struct reader *reader = arena_new(arena, struct reader);
    reader->arena = arena;
    reader->at = symbol + 2;
    const char *name = "", *whole = read_encoding(reader, &name, &parameters);
    if (!*name && (name = last_name(reader, symbol)) == NULL)
        return false;
    mangled->name = name;
    mangled->whole = *whole ? whole : name;
    mangled->arguments = texts(arena, reader, &reader->arguments);
    mangled->argument_count = reader->arguments.count;
    mangled->parameters = texts(arena, reader, &parameters);
    mangled->typed = !reader->bad && (!*reader->at || strchr("._$", *reader->at));
    mangled->parameter_count = mangled->typed ? parameters.count : 0;
    return true;
}

const char *mangled_name(struct arena *arena, const char *symbol)
{
    struct mangled mangled;
    return mangled_read(arena, symbol, &mangled) ? mangled.name : symbol;
}

const char *mangled_whole_name(struct arena *arena, const char *symbol)
{
    struct mangled mangled;
    return mangled_read(arena, symbol, &mangled) ? mangled.whole : symbol;
}
