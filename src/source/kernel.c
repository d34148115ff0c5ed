#include "source/kernel.h"
#include "base/mangled.h"
#include "source/types.h"
#include <string.h>

/* ---- heads ---- */

enum { TEMPLATE_MOST = 32 };
/* The tokens of a kernel's head, from the beginning of its statement to its brace or semicolon. */
struct head {
    uint32_t from, to;
    const struct source_token *tokens; /* with macros replaced */
    uint32_t count;
    const struct source_token *parameters[TEMPLATE_MOST]; /* names of the template's parameters */
    size_t parameter_count;
    const struct source_token *behind; /* the template's parameters */
};

/* Returns whether the token marks a kernel, also as a macro. */
static bool marks_kernel(const struct source *source, uint32_t index)
{
    const struct source_token *token = &source->tokens[index];
    const struct source_macro *macro =
        token->kind == SOURCE_NAME && !source_is(token, "__global__") ? source_macro_of(source, token, index) : NULL;
    for (uint32_t i = 0; macro && i < macro->count; i++)
        if (source_is(&macro->value[i], "__global__"))
            return true;
    return source_is(token, "__global__");
}

/* Returns the end of an angle bracket's content: the token behind it, or `end`. */
static const struct source_token *past_angles(const struct source_token *at, const struct source_token *end)
{
    for (int depth = 0; at < end; at++) {
        if (source_is(at, "(") || source_is(at, "[") || source_is(at, "{")) {
            at = source_closed(at, end) - 1;
            continue;
        }
        depth += source_is(at, "<") - source_is(at, ">");
        if (depth <= 0)
            return at + 1;
    }
    return end;
}

/* Returns the end of a parameter: a comma, or `end`. Commas in a template's arguments are no end, but in a default
 * value
 * `<` is an operator. */
static const struct source_token *parameter_end(const struct source_token *at, const struct source_token *end)
{
    while (at < end && !source_is(at, ",")) {
        if (source_is(at, "="))
            return source_part_end(at, end);
        if (source_is(at, "(") || source_is(at, "[") || source_is(at, "{"))
            at = source_closed(at, end);
        else
            at = source_is(at, "<") ? past_angles(at, end) : at + 1;
    }
    return at;
}

/* Reads the names in `template <typename T, int N = 4>`. */
static void read_template(struct head *head)
{
    const struct source_token *at = head->tokens, *end = at + head->count;
    while (at + 1 < end && source_is(at, "template") && source_is(at + 1, "<")) {
        const struct source_token *close = past_angles(at + 1, end);
        for (at += 2; at < close - 1; at++) {
            const struct source_token *next = parameter_end(at, close - 1), *name = NULL;
            bool pack = false;
            for (; at < next && !source_is(at, "="); at++) {
                name = at->kind == SOURCE_NAME ? at : name;
                pack = pack || source_is(at, "...");
            }
            if (!name || pack || head->parameter_count == TEMPLATE_MOST)
                return;
            head->parameters[head->parameter_count++] = name;
            at = next;
        }
        at = close;
    }
    head->behind = at;
}

/* Finds the head that the mark of a kernel at this token is in. */
static struct head head_at(const struct source *source, uint32_t mark)
{
    struct head head = {.from = mark, .to = mark};
    while (head.from > 0 &&
           !(source->tokens[head.from - 1].kind == SOURCE_MARK && strchr(";{}", *source->tokens[head.from - 1].text)))
        head.from--;
    for (int depth = 0; head.to < source->count; head.to++) {
        const struct source_token *token = &source->tokens[head.to];
        depth += source_is(token, "(") - source_is(token, ")");
        if (source_is(token, "}") || source_is(token, ";") || (depth <= 0 && source_is(token, "{")))
            break;
    }
    head.tokens = source_expanded(source, head.from, head.to, &head.count);
    head.behind = head.tokens;
    read_template(&head);
    return head;
}

/* Returns the bracket behind the kernel's name in its head, or NULL if it has another name. */
static const struct source_token *bracket_behind(const struct head *head, const char *name)
{
    const struct source_token *end = head->tokens + head->count;
    for (const struct source_token *at = head->behind; at < end; at++) {
        if (source_is(at, "(")) {
            at = source_closed(at, end) - 1;
        } else if (at->kind == SOURCE_NAME && source_is(at, name)) {
            const struct source_token *next = at + 1;
            if (next < end && source_is(next, "<"))
                next = past_angles(next, end);
            if (next < end && source_is(next, "("))
                return next;
        }
    }
    return NULL;
}

/* ---- parameters ---- */

/* Returns the words of a parameter's type: its tokens but for the name, the value and what says nothing of the type. */
static const char *type_words(struct arena *arena, const struct source_token *at, const struct source_token *end,
                              const struct source_token *name)
{
    static const char *const kept[] = {"const", "volatile", "struct", "enum", "class", "union", "typename"};
    const char *all = "";
    const struct source_token *last = NULL;
    while (at < end && !source_is(at, "=")) {
        const struct source_token *past = SOURCE_IS_ONE_OF(at, kept) ? at : source_past_qualifiers(at, end);
        if (past > at || at == name) {
            at = at == name ? at + 1 : source_past_qualifiers(at, at + 1) > at ? at + 1 : past;
            continue;
        }
        bool const word = at->kind == SOURCE_NAME || at->kind == SOURCE_NUMBER;
        bool const after_word = last && (last->kind == SOURCE_NAME || last->kind == SOURCE_NUMBER);
        bool const after = last && (after_word || source_is(last, ">"));
        bool const apart =
            (word && after) || (last && source_is(last, ",")) || (!word && after && strchr("*&([", *at->text));
        all = arena_format(arena, "%s%s%.*s", all, apart ? " " : "", (int)at->length, at->text);
        last = at++;
    }
    return all;
}

/* Reads the words of a type, and what they declare. Returns false if they are not understood. */
static bool read_declared(struct source_types *types, const struct source_token *at, const struct source_token *end,
                          struct source_declared *declared)
{
    struct source_type base;
    const struct source_token *behind = source_type_read(types, at, end, &base);
    behind = behind > at ? source_declarator_read(types, behind, end, base, declared) : NULL;
    return behind == end && (!declared->function || declared->inner);
}

static bool is_pointer(const struct source_declared *declared)
{
    return declared->type.pointers || declared->reference || declared->inner || declared->dimensions;
}

static bool is_known(const struct source_type *type)
{
    return type->bytes || type->pointers;
}

/* Returns whether a declaration can be the parameter of this type in the symbol, which it takes where its own words are
 * not understood. */
static bool agrees(struct source_declared *declared, const struct source_declared *mangled)
{
    struct source_type *own = &declared->type;
    const struct source_type *other = &mangled->type;
    if (!is_known(own) && !is_pointer(declared)) { /* the name of a type that the text does not define */
        const struct source_token *name = declared->name;
        *declared = *mangled;
        declared->name = name;
        return true;
    }
    if (is_pointer(declared) != is_pointer(mangled))
        return false;
    if (!own->bytes && own->type == PTX_TYPE_NONE && other->bytes && !declared->function) {
        own->type = other->type;
        own->bytes = other->bytes;
        own->numbers = other->numbers;
    }
    bool const both = own->type != PTX_TYPE_NONE && other->type != PTX_TYPE_NONE;
    return !both || (own->type == other->type && own->numbers == other->numbers);
}

static struct source_parameter parameter_of(struct arena *arena, const struct source_declared *declared)
{
    const struct source_type *type = &declared->type;
    bool const pointer = is_pointer(declared), deep = type->pointers > 1 || declared->function;
    unsigned const levels = type->pointers + (declared->dimensions && !declared->inner);
    struct source_parameter parameter = {.pointer = pointer, .type = type->type, .bytes = type->bytes};
    if (deep || levels > 1)
        parameter.type = declared->function ? PTX_TYPE_NONE : PTX_U64;
    if (deep || levels > 1)
        parameter.bytes = declared->function ? 0 : 8;
    else if (type->field_count) {
        struct ptx_layout *layout = arena_new(arena, struct ptx_layout);
        *layout = (struct ptx_layout){
            .array = pointer, .element = type->bytes, .fields = type->fields, .field_count = type->field_count};
        parameter.layout = layout;
    }
    return parameter;
}

/* Returns the parameters between brackets, or NULL if they are not those of the PTX. */
static const struct source_parameter *read_parameters(const struct source *source, uint32_t index,
                                                      const struct source_token *at, const struct source_token *close,
                                                      const struct ptx_function *kernel, const struct mangled *mangled)
{
    struct arena *arena = source->arena;
    struct source_types types = source_types_at(source, index);
    struct source_parameter *list = arena_array(arena, struct source_parameter, (size_t)kernel->parameter_count + 1);
    uint32_t count = 0;
    if (mangled->typed && mangled->parameter_count != kernel->parameter_count)
        return NULL;
    if (close - at == 1 && source_is(at, "void"))
        at = close;
    for (; at < close; at++, count++) {
        const struct source_token *next = parameter_end(at, close), *end = at;
        struct source_declared declared, symbol;
        while (end < next && !source_is(end, "="))
            end++;
        if (count == kernel->parameter_count || !read_declared(&types, at, end, &declared))
            return NULL;
        if (mangled->typed) {
            const struct source_token *words = source_line_tokens(arena, mangled->parameters[count]), *last = words;
            while (last->kind != SOURCE_END)
                last++;
            if (read_declared(&types, words, last, &symbol) && !agrees(&declared, &symbol))
                return NULL;
        }
        uint64_t const bytes = is_pointer(&declared) ? 8 : declared.type.bytes;
        if (bytes && kernel->parameters[count].size != bytes)
            return NULL;
        list[count] = parameter_of(arena, &declared);
        list[count].words = type_words(arena, at, end, declared.name);
        list[count].name =
            declared.name ? source_word(arena, declared.name) : arena_format(arena, "arg%u", (unsigned)count);
        at = next;
    }
    return count == kernel->parameter_count ? list : NULL;
}

static bool same_names(const struct source_parameter *a, const struct source_parameter *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(a[i].name, b[i].name) != 0 || strcmp(a[i].words, b[i].words) != 0)
            return false;
    return true;
}

/* Returns whether the arguments of a specialised template, <double, 4> between its name and the bracket, are those of
 * the symbol. */
static bool has_arguments(struct arena *arena, const struct source_token *open, const char *name,
                          const struct mangled *mangled)
{
    const struct source_token *at = open - 1;
    const char *all = "";
    while (!source_is(at, name) || !source_is(at + 1, "<"))
        at--;
    for (size_t i = 0; i < mangled->argument_count; i++)
        all = arena_format(arena, "%s%s%s", all, i ? ", " : "", mangled->arguments[i]);
    return strcmp(type_words(arena, at + 2, open - 1, NULL), all) == 0;
}

/* Reads one head. Returns false if it is another kernel's. */
static bool read_head(const struct source *source, uint32_t mark, const struct ptx_function *kernel,
                      const struct mangled *mangled, struct source_kernel *found, int *rank)
{
    struct head head = head_at(source, mark);
    const struct source_token *open = bracket_behind(&head, mangled->name);
    bool const special = open && head.behind > head.tokens && !head.parameter_count && source_is(open - 1, ">");
    if (!open || (special && !has_arguments(source->arena, open, mangled->name, mangled)))
        return false;
    for (size_t i = 0; i < head.parameter_count && i < mangled->argument_count; i++)
        source = source_with(source, head.parameters[i], mangled->arguments[i]);
    if (head.parameter_count)
        head = head_at(source, mark);
    open = bracket_behind(&head, mangled->name);
    const struct source_token *close = open ? source_closed(open, head.tokens + head.count) - 1 : NULL;
    *found = (struct source_kernel){.source = source};
    *rank = special;
    if (open && close > open && source_is(close, ")"))
        found->parameters = read_parameters(source, head.from, open + 1, close, kernel, mangled);
    if (source_is(&source->tokens[head.to], "{")) {
        const struct source_token *brace = &source->tokens[head.to], *last = source->tokens + source->count;
        found->body = head.to + 1;
        found->end = (uint32_t)(source_closed(brace, last) - source->tokens) - 1;
        found->end = found->end > found->body ? found->end : found->body;
    }
    return true;
}

struct source_kernel source_kernel_find(const struct source *source, const struct ptx_function *kernel)
{
    struct source_kernel best = {.source = source};
    struct mangled mangled;
    bool doubtful = false;
    int best_rank = -1;
    if (!mangled_read(source->arena, kernel->name, &mangled))
        mangled = (struct mangled){.name = kernel->name};
    for (uint32_t i = 0; i < source->count; i++) {
        struct source_kernel found;
        int rank;
        if (!marks_kernel(source, i) || !read_head(source, i, kernel, &mangled, &found, &rank))
            continue;
        rank += 4 * (found.parameters != NULL) + 2 * (found.end > 0);
        bool const same = found.parameters && best.parameters &&
                          same_names(best.parameters, found.parameters, kernel->parameter_count);
        if (rank >= best_rank) /* two may have this name, such as in two namespaces */
            doubtful = rank == best_rank && (doubtful || !same);
        if (rank > best_rank)
            best = found;
        best_rank = rank > best_rank ? rank : best_rank;
    }
    return doubtful ? (struct source_kernel){.source = source} : best;
}

const struct source_parameter *source_parameters(struct arena *arena, const char *text,
                                                 const struct ptx_function *kernel)
{
    return text && kernel && kernel->parameter_count
               ? source_kernel_find(source_read(arena, text, NULL, 0, SOURCE_TAKEN), kernel).parameters
               : NULL;
}

/* ---- questions to the text ---- */

/* Finds the lines from a kernel's name to the brace behind its body. Returns false if the source does not define it. */
static bool find_lines(const struct source *source, const char *kernel, uint32_t *first, uint32_t *last)
{
    for (uint32_t i = 0; i < source->count; i++) {
        if (!marks_kernel(source, i))
            continue;
        struct head const head = head_at(source, i);
        const struct source_token *open = bracket_behind(&head, kernel), *brace = &source->tokens[head.to];
        if (!open || !source_is(brace, "{"))
            continue;
        while (!source_is(open, kernel))
            open--;
        *first = open->line;
        *last = source_closed(brace, source->tokens + source->count)[-1].line;
        return true;
    }
    return false;
}

void source_kernel_lines(const char *text, const char *kernel, uint32_t *first, uint32_t *last)
{
    struct arena arena = {0};
    *first = *last = 0;
    if (!find_lines(source_read(&arena, text, NULL, 0, SOURCE_TAKEN), kernel, first, last))
        find_lines(source_read(&arena, text, NULL, 0, SOURCE_ALL), kernel, first, last);
    arena_free(&arena);
}

const char *source_template(struct arena *arena, const char *text)
{
    const struct source *source = source_read(arena, text, NULL, 0, SOURCE_TAKEN);
    for (uint32_t i = 0; i < source->count; i++) {
        if (!marks_kernel(source, i))
            continue;
        struct head const head = head_at(source, i);
        for (const struct source_token *at = head.behind; head.parameter_count && at + 1 < head.tokens + head.count;
             at++)
            if (at->kind == SOURCE_NAME && source_is(at + 1, "(") && source_past_qualifiers(at, at + 2) == at)
                return source_word(arena, at);
    }
    return NULL;
}

bool source_has_main(const char *text)
{
    struct arena arena = {0};
    const struct source *source = source_read(&arena, text, NULL, 0, SOURCE_ALL);
    bool found = false;
    int depth = 0;
    for (uint32_t i = 0; i < source->count && !found; i++) {
        const struct source_token *token = &source->tokens[i];
        depth += source_is(token, "{") - source_is(token, "}");
        found = depth <= 0 && source_is(token, "main") && source_is(token + 1, "(");
    }
    arena_free(&arena);
    return found;
}

bool source_multiplies(const struct source *source, const char *name)
{
    for (uint32_t i = 0; i < source->count; i++)
        if (source_is(&source->tokens[i], name) &&
            (source_is(&source->tokens[i + 1], "*") || (i > 0 && source_is(&source->tokens[i - 1], "*"))))
            return true;
    return false;
}

bool source_compares(const struct source *source, const char *name)
{
    for (uint32_t i = 0; i < source->count; i++) {
        const struct source_token *at = &source->tokens[i];
        if (!source_is(at, name))
            continue;
        bool const shifted = source_is(at + 1, "<<") || source_is(at + 1, ">>");
        bool const shifts = i > 1 && (source_is(at - 2, "<<") || source_is(at - 2, ">>"));
        bool const least = i > 1 && (source_is(at - 2, "<=") || source_is(at - 2, ">="));
        bool const after = source_is(at + 1, "<") || source_is(at + 1, ">");
        bool const before = i > 0 && (source_is(at - 1, "<") || source_is(at - 1, ">"));
        if ((after && !shifted) || least || (before && !shifts))
            return true;
    }
    return false;
}
