/* A kernel's head is usually simple: `__global__`, a name, parameters in brackets. Other forms, such as a macro, give
 * no names, and nothing depends on the names. */
#include "run/signature.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

const char *signature_name(struct arena *arena, const char *kernel)
{
    const char *found = kernel;
    if (strncmp(kernel, "_Z", 2) != 0)
        return kernel;
    bool const nested = kernel[2] == 'N'; /* in namespaces; the last name counts */
    const char *at = kernel + 2 + (nested || kernel[2] == 'L');
    while (isdigit((unsigned char)*at)) {
        char *name;
        unsigned long const length = strtoul(at, &name, 10);
        if (length == 0 || length > strlen(name))
            return kernel;
        found = arena_text_n(arena, name, length);
        if (!nested)
            break;
        at = name + length;
    }
    return found;
}

static const struct builtin {
    char code; /* in a symbol of the Itanium ABI */
    const char *words;
    enum ptx_type type;
} builtins[] = {{'b', "bool", PTX_U8},           {'c', "char", PTX_U8},          {'a', "signed char", PTX_S8},
                {'h', "unsigned char", PTX_U8},  {'s', "short", PTX_S16},        {'t', "unsigned short", PTX_U16},
                {'i', "int", PTX_S32},           {'j', "unsigned int", PTX_U32}, {'l', "long", PTX_S64},
                {'m', "unsigned long", PTX_U64}, {'x', "long long", PTX_S64},    {'y', "unsigned long long", PTX_U64},
                {'f', "float", PTX_F32},         {'d', "double", PTX_F64}};

static const struct builtin *builtin_of(char code)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (builtins[i].code == code)
            return &builtins[i];
    return NULL;
}

/* Returns the text behind the kernel's own name and the I of its template arguments, or NULL. */
static const char *template_arguments(const char *kernel)
{
    if (strncmp(kernel, "_Z", 2) != 0)
        return NULL;
    const char *at = kernel + 2 + (kernel[2] == 'N' || kernel[2] == 'L');
    while (isdigit((unsigned char)*at)) {
        char *name;
        unsigned long const length = strtoul(at, &name, 10);
        if (length == 0 || length > strlen(name))
            return NULL;
        at = name + length;
    }
    return *at == 'I' ? at + 1 : NULL;
}

enum ptx_type signature_template_type(const char *kernel)
{
    const char *at = template_arguments(kernel);
    const struct builtin *builtin = at ? builtin_of(*at) : NULL;
    return builtin ? builtin->type : PTX_TYPE_NONE;
}

const char *signature_template(struct arena *arena, const char *kernel)
{
    const char *at = template_arguments(kernel), *all = "";
    while (at && *at && *at != 'E') {
        const struct builtin *builtin = builtin_of(*at == 'L' ? at[1] : *at);
        const char *word = builtin ? builtin->words : NULL;
        if (!builtin)
            return "";
        at++;
        if (at[-1] == 'L') { /* a number: Li16E, Lin1E */
            size_t const length = strcspn(++at, "E");
            bool const flag = builtin->code == 'b';
            word = arena_format(arena, "%s%.*s", *at == 'n' ? "-" : "", (int)length - (*at == 'n'), at + (*at == 'n'));
            word = flag ? (strcmp(word, "1") == 0 ? "true" : "false") : word;
            at += length + (at[length] == 'E');
        }
        all = arena_format(arena, "%s%s%s", all, *all ? ", " : "", word);
    }
    return all;
}

/* Returns whether the text between the last statement and this name marks it as a kernel. */
static bool is_kernel_head(const char *source, const char *name)
{
    const char *start = name;
    while (start > source && start[-1] != ';' && start[-1] != '}')
        start--;
    const char *mark = strstr(start, "__global__");
    return mark && mark < name;
}

/* Returns the text after the kernel's opening bracket, or NULL. */
static const char *find_head(const char *source, const char *name)
{
    size_t const length = strlen(name);
    for (const char *at = strstr(source, name); at && length; at = strstr(at + length, name)) {
        const char *after = at + length;
        if ((at > source && is_letter(at[-1])) || is_letter(*after))
            continue;
        after += strspn(after, " \t\r\n");
        if (*after == '(' && is_kernel_head(source, at))
            return after + 1;
    }
    return NULL;
}

/* Returns the end of the parameter, a comma or the closing bracket at its depth, or NULL when the text ends before. */
static const char *parameter_end(const char *text)
{
    for (int depth = 0; *text; text++) {
        if (depth == 0 && (*text == ',' || *text == ')'))
            return text;
        depth += (*text == '(' || *text == '<' || *text == '[') - (*text == ')' || *text == '>' || *text == ']');
    }
    return NULL;
}

const char *signature_body(struct arena *arena, const char *source, const char *kernel)
{
    const char *at = find_head(source, signature_name(arena, kernel));
    while (at && (at = parameter_end(at)) && *at == ',')
        at++;
    return at && at[1 + strspn(at + 1, " \t\r\n")] == '{' ? strchr(at, '{') + 1 : NULL;
}

static bool has_word(const char *text, const char *word)
{
    size_t const length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + length, word))
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
            return true;
    return false;
}

static enum ptx_type type_of(const char *text)
{
    static const struct {
        const char *word;
        enum ptx_type type;
    } words[] = {/* the longer spelling comes before the one that it contains */
                 {"double", PTX_F64}, {"double2", PTX_F64},  {"float", PTX_F32},    {"float2", PTX_F32},
                 {"float4", PTX_F32}, {"size_t", PTX_U64},   {"uint64_t", PTX_U64}, {"int64_t", PTX_S64},
                 {"long", PTX_S64},   {"uint32_t", PTX_U32}, {"uint", PTX_U32},     {"int32_t", PTX_S32},
                 {"uint8_t", PTX_U8}, {"uchar", PTX_U8},     {"uint16_t", PTX_U16}, {"short", PTX_U16},
                 {"char", PTX_U8},    {"bool", PTX_U8},      {"unsigned", PTX_U32}, {"int", PTX_S32}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(text, words[i].word))
            return words[i].type;
    return PTX_TYPE_NONE;
}

/* Returns whether the text names a type of vectors, such as float4. */
static bool has_vector(const char *text)
{
    static const char *const scalars[] = {"char", "short", "int", "long", "longlong", "float", "double"};
    char word[16];
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        for (int count = 1; count <= 4; count++)
            for (int sign = 0; sign < 2; sign++) {
                snprintf(word, sizeof word, "%s%s%d", sign ? "u" : "", scalars[i], count);
                if (has_word(text, word))
                    return true;
            }
    return false;
}

enum ptx_type signature_array(struct arena *arena, const char *source, const char *name)
{
    size_t const length = strlen(name);
    for (const char *at = strstr(source, name); at && length; at = strstr(at + length, name)) {
        const char *after = at + length + strspn(at + length, " \t");
        if (at == source || is_letter(at[-1]) || *after != '[')
            continue;
        const char *start = at;
        while (start > source && start[-1] != ';' && start[-1] != '}' && start[-1] != ')')
            start--;
        const char *head = arena_text_n(arena, start, (size_t)(at - start));
        bool const variable = has_word(head, "__constant__") || has_word(head, "__device__");
        if (variable && !strchr(head, '*') && !has_word(head, "struct") && !has_vector(head))
            return type_of(head);
    }
    return PTX_TYPE_NONE;
}

static struct signature_parameter read_parameter(struct arena *arena, const char *start, const char *end)
{
    char *text = arena_text_n(arena, start, (size_t)(end - start));
    struct signature_parameter parameter = {
        .pointer = strpbrk(text, "*[") != NULL, .words = text, .type = type_of(text)};
    size_t last = strcspn(text, "[=");
    while (last > 0 && !is_letter(text[last - 1]))
        last--;
    size_t first = last;
    while (first > 0 && is_letter(text[first - 1]))
        first--;
    parameter.name = arena_text_n(arena, text + first, last - first);
    return parameter;
}

size_t signature_parameters(struct arena *arena, const char *source, const char *kernel,
                            struct signature_parameter **parameters)
{
    const char *at = find_head(source, signature_name(arena, kernel)), *end;
    size_t count = 0, most = 1;
    for (const char *c = at; c && *c; c++)
        most += *c == ',';
    *parameters = arena_array(arena, struct signature_parameter, most);
    while (at && (end = parameter_end(at)) && end > at) {
        struct signature_parameter const parameter = read_parameter(arena, at, end);
        if (!*parameter.name)
            break;
        (*parameters)[count++] = parameter;
        if (*end == ')')
            return count;
        at = end + 1;
    }
    return 0; /* no parameters, or an unknown form of head */
}
