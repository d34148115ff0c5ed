#include "source/variables.h"
#include "source/types.h"
#include <stdlib.h>
#include <string.h>

/* ---- automatic variables ---- */

struct variables {
    const struct source_kernel *kernel;
    const struct source_token *end;
    struct source_types types;
    struct source_variable *items;
    size_t count, capacity;
};

static void add(struct variables *variables, const struct source_declared *declared)
{
    const char *name = source_word(variables->kernel->source->arena, declared->name);
    for (size_t i = 0; i < variables->count; i++)
        if (strcmp(variables->items[i].name, name) == 0)
            return;
    uint64_t const bytes = declared->reference ? 8 : source_declared_bytes(declared);
    array_push(variables, ((struct source_variable){name, declared->dimensions > 0, bytes}));
}

/* Returns whether a declaration has its name, and an end or a value behind it. */
static bool is_declaration(const struct source_token *behind, const struct source_declared *declared)
{
    return behind && declared->name && !declared->function && behind->kind == SOURCE_MARK &&
           strchr("=;,{", *behind->text) && !source_is(behind, "==");
}

/* Reads a statement that may be a declaration. A type with arguments of a template is passed over: it may be a
 * comparison. */
static void read_statement(struct variables *variables, const struct source_token *at)
{
    static const char *const never[] = {"return",  "goto",   "else",   "case",       "delete",      "throw", "using",
                                        "typedef", "new",    "do",     "asm",        "if",          "for",   "while",
                                        "switch",  "extern", "static", "__shared__", "__constant__"};
    const struct source *source = variables->kernel->source;
    struct source_types *types = &variables->types;
    struct source_declared declared;
    struct source_type type;
    types->scope.index = (uint32_t)(at - source->tokens);
    for (const struct source_token *word = at; word < variables->end && word->kind == SOURCE_NAME; word++)
        if (SOURCE_IS_ONE_OF(word, never))
            return;
    const struct source_token *next = source_type_read(types, at, variables->end, &type);
    if (next == at || source_is(next - 1, ">"))
        return;
    for (; next < variables->end; next++) {
        next = source_declarator_read(types, next, variables->end, type, &declared);
        if (!is_declaration(next, &declared))
            return;
        add(variables, &declared);
        if (source_is(next, "{"))
            next = source_closed(next, variables->end);
        else if (source_is(next, "="))
            next = source_part_end(next, variables->end);
        if (!source_is(next, ","))
            return;
    }
}

struct source_variable *source_variables(const struct source_kernel *kernel, uint32_t *count)
{
    const struct source_token *tokens = kernel->source->tokens;
    struct variables variables = {
        .kernel = kernel, .end = tokens + kernel->end, .types = source_types_at(kernel->source, kernel->body)};
    bool begins = true;
    for (uint32_t i = kernel->body; i < kernel->end; i++) {
        if (begins && tokens[i].kind == SOURCE_NAME)
            read_statement(&variables, &tokens[i]);
        begins = tokens[i].kind == SOURCE_MARK && strchr("{};", *tokens[i].text);
    }
    struct source_variable *list = arena_list(kernel->source->arena, variables);
    *count = (uint32_t)variables.count;
    free(variables.items);
    return list;
}

/* ---- arrays ---- */

/* Finds the name in the declaration that the token is in. Returns false if it is none, or not understood. */
static bool find_declared(struct source_types *types, uint32_t index, const char *name,
                          struct source_declared *declared)
{
    const struct source *source = types->source;
    const struct source_token *last = source->tokens + source->count, *at = source->tokens + index, *named = at;
    while (named < last && !source_is(named, ";") && !source_is(named, name))
        named++;
    if (named == last || source_is(named, ";"))
        return false;
    while (at > source->tokens && !(at[-1].kind == SOURCE_MARK && strchr(";{}", *at[-1].text)))
        at--;
    struct source_type type;
    types->scope.index = index;
    for (at = source_type_read(types, at, last, &type); at && at < last; at++) {
        at = source_declarator_read(types, at, last, type, declared);
        if (!at || !declared->name || declared->function || declared->inner)
            return false;
        if (source_is(declared->name, name))
            return true;
        if (source_is(at, "="))
            at = source_part_end(at, last);
        if (!source_is(at, ","))
            return false;
    }
    return false;
}

static const struct ptx_layout *layout_of(struct arena *arena, const struct source_declared *declared, uint64_t bytes)
{
    const struct source_type *type = &declared->type;
    uint64_t const all = source_declared_bytes(declared), element = type->pointers ? 8 : type->bytes;
    if (!element || declared->dimensions > 2 || declared->unsized || (all && bytes && all != bytes))
        return NULL; /* of a size that was given another value, too */
    struct ptx_layout *layout = arena_new(arena, struct ptx_layout);
    *layout = (struct ptx_layout){.array = declared->dimensions > 0,
                                  .element = element,
                                  .columns = declared->dimensions == 2 ? declared->sizes[1] : 0,
                                  .fields = type->pointers ? NULL : type->fields,
                                  .field_count = type->pointers ? 0 : type->field_count};
    return layout;
}

const struct ptx_layout *source_shared_layout(const struct source_kernel *kernel, const char *name, uint64_t bytes)
{
    const struct source *source = kernel->source;
    struct source_types types = source_types_at(source, 0);
    struct source_declared declared;
    for (int own = 1; own >= 0; own--) /* the kernel's own first: other kernels may use the name, too */
        for (uint32_t i = own ? kernel->body : 0, end = own ? kernel->end : source->count; i < end; i++) {
            const struct ptx_layout *layout =
                source_is(&source->tokens[i], "__shared__") && find_declared(&types, i, name, &declared)
                    ? layout_of(source->arena, &declared, bytes)
                    : NULL;
            if (layout)
                return layout;
        }
    return NULL;
}

enum ptx_type source_array_type(const struct source *source, const char *name)
{
    static const char *const spaces[] = {"__constant__", "__device__", "__managed__"};
    struct source_types types = source_types_at(source, 0);
    struct source_declared declared;
    for (uint32_t i = 0; i < source->count; i++) {
        if (*source->tokens[i].text != '_' || !SOURCE_IS_ONE_OF(&source->tokens[i], spaces) ||
            !find_declared(&types, i, name, &declared))
            continue;
        bool const numbers = declared.dimensions && !declared.type.pointers && declared.type.numbers == 1;
        return numbers ? declared.type.type : PTX_TYPE_NONE;
    }
    return PTX_TYPE_NONE;
}
