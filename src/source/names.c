/* The integers that a source gives a name, read without a compiler. */
#include "source/names.h"
#include "source/constant.h"
#include <string.h>

enum { DEPTH_MOST = 12, LOOKS_MOST = 500 };

static void add(struct source_names *names, const struct source_token *from, const struct source_token *to,
                struct source_name named)
{
    named.from = from;
    named.to = to;
    named.computed = !source_evaluate(from, to, NULL, NULL, &named.value);
    if (to > from && names->count < SOURCE_NAMES_MAX)
        names->items[names->count++] = named;
}

/* Takes the sides of a dim3 that are constants, from behind its bracket on. Returns the token that closes it. */
static const struct source_token *take_dim3(struct source_names *names, const struct source_token *at,
                                            const struct source_token *last, struct source_name named)
{
    for (named.dimension = 0; named.dimension < 3; named.dimension++) {
        const struct source_token *end = source_part_end(at, last);
        add(names, at, end, named);
        at = end;
        if (!source_is(at, ","))
            break;
        at++;
    }
    return source_part_end(at, last);
}

/* Reads the names that a declaration gives a value: `a = 1, b = 2;`. */
static void take_names(struct source_names *names, const struct source_token *at, bool dim3, struct source_name named)
{
    const struct source_token *last = names->source->tokens + names->source->count;
    for (; at->kind == SOURCE_NAME; at++) {
        const struct source_token *next = at + 1;
        bool const braces = source_is(next, "{") || (dim3 && source_is(next, "("));
        named.name = at;
        named.index = (uint32_t)(at - names->source->tokens);
        if (dim3 && (braces || source_is(next, "="))) {
            while (next < last && !source_is(next, "(") && !source_is(next, "{") && !source_is(next, ";"))
                next++;
            if (next < last && !source_is(next, ";"))
                next = take_dim3(names, next + 1, last, named);
            next += next < last && !source_is(next, ";");
        } else if (braces || (source_is(next, "=") && !source_is(next, "=="))) {
            const struct source_token *stop = source_part_end(next + 1, last);
            add(names, next + 1, stop, named);
            next = stop + (braces && source_is(stop, "}"));
        }
        if (!source_is(next, ","))
            return;
        at = next;
    }
}

/* Reads the values of an enum behind its word. One without a value of its own is left out. */
static void take_enum(struct source_names *names, const struct source_token *at, struct source_name named)
{
    const struct source_token *last = names->source->tokens + names->source->count;
    while (at < last && !source_is(at, "{") && !source_is(at, ";") && !source_is(at, "("))
        at++;
    named.constant = named.enumerated = true;
    for (at++; at < last && at->kind == SOURCE_NAME; at++) {
        named.name = at;
        named.index = (uint32_t)(at - names->source->tokens);
        const struct source_token *end = source_part_end(at, last);
        if (source_is(at + 1, "="))
            add(names, at + 2, end, named);
        if (!source_is(end, ","))
            return;
        at = end;
    }
}

/* Reads a declaration of an integer or a dim3 that begins with this word. */
static void take_declaration(struct source_names *names, const struct source_token *at, int depth)
{
    static const char *const types[] = {"int",      "unsigned", "long",      "short", "size_t", "uint32_t",
                                        "uint64_t", "int32_t",  "int64_t",   "uint",  "auto",   "uint16_t",
                                        "int16_t",  "ssize_t",  "ptrdiff_t", "signed"};
    static const char *const constants[] = {"const", "constexpr"};
    static const char *const others[] = {"static", "inline", "std", "extern", "__device__", "__constant__"};
    struct source_name named = {.dimension = -1, .depth = depth};
    bool typed = false, dim3 = false;
    for (; at->kind == SOURCE_NAME; at += source_is(at + 1, "::") ? 3 : 1) {
        bool const constant = SOURCE_IS_ONE_OF(at, constants), dim = source_is(at, "dim3");
        if (source_is(at, "enum")) {
            take_enum(names, at, named);
            return;
        }
        bool const type = dim || SOURCE_IS_ONE_OF(at, types);
        if (!type && !constant && !SOURCE_IS_ONE_OF(at, others))
            break;
        typed = typed || type;
        dim3 = dim3 || dim;
        named.constant = named.constant || constant;
    }
    if (typed)
        take_names(names, at, dim3, named);
}

struct source_names *source_names_read(const struct source *source)
{
    struct source_names *names = arena_new(source->arena, struct source_names);
    names->source = source;
    for (uint32_t i = 0; i < source->macro_count; i++) {
        const struct source_macro *macro = &source->macros[i];
        bool const whole = macro->count && macro->value[macro->count - 1].line == macro->name.line;
        if (!macro->opaque && !macro->given && whole)
            add(names, macro->value, macro->value + macro->count,
                (struct source_name){.name = &macro->name, .dimension = -1, .constant = true, .defined = true});
    }
    int depth = 0;
    bool begins = true; /* a statement */
    for (uint32_t i = 0; i < source->count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (begins && token->kind == SOURCE_NAME)
            take_declaration(names, token, depth);
        depth += source_is(token, "{") - source_is(token, "}");
        begins = token->kind == SOURCE_MARK && strchr("{};", *token->text);
    }
    return names;
}

bool source_is_changed(const struct source_names *names, const struct source_name *named)
{
    const struct source_token *tokens = names->source->tokens;
    if (named->constant)
        return false;
    for (uint32_t i = 0; i < names->source->count; i++) {
        if (&tokens[i] == named->name || !source_same(&tokens[i], named->name))
            continue;
        const struct source_token *next = &tokens[i + 1];
        if (named->dimension >= 0 && source_is(next, ".") && next[1].kind == SOURCE_NAME) /* block.x = */
            next += 2;
        static const char *const operators[] = {
            "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
        bool const assigned = (source_is(next, "=") && !source_is(next, "==")) || SOURCE_IS_ONE_OF(next, operators);
        bool const handed = i > 0 && source_is(&tokens[i - 1], "&") && !(i > 1 && source_is(&tokens[i - 2], "&&"));
        if (assigned || handed || (i > 1 && (source_is(&tokens[i - 2], "++") || source_is(&tokens[i - 2], "--"))))
            return true;
    }
    return false;
}

const struct source_name *source_declared(const struct source_scope *scope, const struct source_token *name,
                                          int dimension)
{
    const struct source_names *names = scope->names;
    const struct source_name *last = NULL;
    for (size_t n = names->count; n-- > 0;) {
        const struct source_name *named = &names->items[n];
        if (!source_same(named->name, name) || (named->index > scope->index && !named->defined))
            continue;
        if (last && named->name != last->name)
            break;
        last = named;
        if (named->dimension == dimension)
            return named;
    }
    return NULL;
}

bool source_named_value(struct source_scope *scope, const struct source_token *name, int side, int64_t *value)
{
    if (scope->depth == DEPTH_MOST || scope->looks++ > LOOKS_MOST)
        return false;
    scope->depth++;
    const struct source_macro *macro = source_macro_of(scope->names->source, name, scope->index);
    const struct source_name *named = macro ? NULL : source_declared(scope, name, side);
    bool known = false;
    if (macro)
        known = !macro->opaque &&
                source_evaluate(macro->value, macro->value + macro->count, source_scope_value, scope, value);
    else if (named)
        known = !source_is_changed(scope->names, named) &&
                source_evaluate(named->from, named->to, source_scope_value, scope, value);
    else if (side > 0 && source_declared(scope, name, 0)) /* dim3 block(32): y and z are 1 */
        known = (*value = 1) == 1;
    scope->depth--;
    return known;
}

const struct source_token *source_scope_value(void *context, const struct source_token *name,
                                              const struct source_token *end, int64_t *value)
{
    struct source_scope *scope = context;
    const struct source_token *behind = name + 1;
    int side = -1;
    if (end - name > 2 && source_is(behind, ".") && behind[1].kind == SOURCE_NAME && behind[1].length == 1 &&
        strchr("xyz", *behind[1].text)) {
        side = *behind[1].text - 'x';
        behind += 2;
    }
    bool const follows = behind < end && (behind->kind == SOURCE_NAME || strchr(".([", *behind->text));
    return !follows && source_named_value(scope, name, side, value) ? behind : NULL;
}

/* Returns the name of the kernel before the <<< at this place, behind which a template's arguments may stand. */
static const struct source_token *kernel_before(const struct source *source, uint32_t at)
{
    int depth = 0;
    while (at > 0 && (depth || source_is(&source->tokens[at - 1], ">"))) {
        at--;
        depth += source_is(&source->tokens[at], ">") - source_is(&source->tokens[at], "<");
    }
    return at > 0 && source->tokens[at - 1].kind == SOURCE_NAME ? &source->tokens[at - 1]
                                                                : &source->tokens[source->count];
}

bool source_next_call(const struct source *source, uint32_t from, struct source_call *call)
{
    for (; from < source->count; from++) {
        if (!source_opens_launch(&source->tokens[from]))
            continue;
        *call = (struct source_call){kernel_before(source, from), &source->tokens[from], &source->tokens[from + 3]};
        while (call->close->kind != SOURCE_END && !source_closes_launch(call->close))
            call->close++;
        return call->close->kind != SOURCE_END;
    }
    return false;
}
