#include "source/launch.h"
#include "source/constant.h"
#include "source/names.h"
#include <stdlib.h>
#include <string.h>

/* Reads a size between 1 and 2^31 - 1. */
static bool read_size(struct source_scope *scope, const struct source_token *from, const struct source_token *to,
                      uint32_t *size)
{
    int64_t value;
    if (!source_evaluate(from, to, source_scope_value, scope, &value) || value < 1 || value > INT32_MAX)
        return false;
    *size = (uint32_t)value;
    return true;
}

/* Reads the sides between the brackets of dim3(...). */
static bool read_sides(struct source_scope *scope, const struct source_token *at, const struct source_token *to,
                       uint32_t shape[3])
{
    for (int i = 0; i < 3 && at < to; i++) {
        const struct source_token *end = source_part_end(at, to);
        if (!read_size(scope, at, end, &shape[i]))
            return false;
        at = end + 1;
    }
    return true;
}

/* Reads a grid or a block: a number, dim3(...), {...}, or the name of a dim3. Leaves shape[0] 0 where it is not
 * constant. */
static void read_shape(struct source_scope *scope, const struct source_token *from, const struct source_token *to,
                       uint32_t shape[3])
{
    uint32_t found[3] = {1, 1, 1};
    const struct source_token *open = from + source_is(from, "dim3");
    bool known = false;
    if (open < to && (source_is(open, "{") || (open > from && source_is(open, "("))))
        known = read_sides(scope, open + 1, to - 1, found);
    else if (to == from + 1 && source_declared(scope, from, 0))
        for (int i = 0; i < 3; i++) {
            int64_t side;
            known = source_named_value(scope, from, i, &side) && side > 0 && side <= INT32_MAX;
            if (!known)
                break;
            found[i] = (uint32_t)side;
        }
    else
        known = read_size(scope, from, to, &found[0]);
    if (known)
        memcpy(shape, found, sizeof found);
}

/* Returns the words of an argument that is a number, or NULL. */
static const char *read_argument(struct source_scope *scope, const struct source_token *from,
                                 const struct source_token *to)
{
    struct arena *arena = scope->names->source->arena;
    int64_t value;
    if (source_evaluate(from, to, source_scope_value, scope, &value))
        return arena_format(arena, "%lld", (long long)value);
    bool const negative = from < to && source_is(from, "-");
    from += negative;
    if (to - from != 1 || from->kind != SOURCE_NUMBER)
        return NULL;
    const char *words = source_word(arena, from);
    char *end;
    strtod(words, &end);
    bool const number = end > words && (!*end || strcmp(end, "f") == 0 || strcmp(end, "F") == 0);
    return number ? arena_format(arena, "%s%.*s", negative ? "-" : "", (int)(end - words), words) : NULL;
}

static void read_arguments(struct source_scope *scope, const struct source_token *at, struct source_launch *launch)
{
    const struct source_token *last = scope->names->source->tokens + scope->names->source->count;
    if (!source_is(at, "("))
        return;
    for (at++; at < last && !source_is(at, ")") && launch->argument_count < SOURCE_ARGUMENTS_MAX; at++) {
        const struct source_token *end = source_part_end(at, last);
        launch->arguments[launch->argument_count++] = read_argument(scope, at, end);
        at = end;
        if (!source_is(at, ","))
            return;
    }
}

/* Reads a launch. Returns false if it is of no form that is known. */
static bool read_launch(struct source_scope *scope, const struct source_call *call, struct source_launch *launch)
{
    const struct source_token *first = call->open + 3, *comma = source_part_end(first, call->close);
    if (comma >= call->close)
        return false;
    const struct source_token *second = source_part_end(comma + 1, call->close);
    *launch = (struct source_launch){.line = call->open->line};
    scope->index = (uint32_t)(call->open - scope->names->source->tokens);
    scope->looks = 0;
    read_shape(scope, first, comma, launch->grid);
    read_shape(scope, comma + 1, second, launch->block);
    if (second < call->close)
        read_size(scope, second + 1, source_part_end(second + 1, call->close), &launch->shared_bytes);
    read_arguments(scope, call->close + 3, launch);
    return true;
}

bool source_launch_find(const struct source *source, const char *kernel, struct source_launch *launch)
{
    struct source_scope scope = {.names = source_names_read(source)};
    struct source_call call;
    bool found = false;
    for (uint32_t at = 0; source_next_call(source, at, &call); at = (uint32_t)(call.open - source->tokens) + 3) {
        struct source_launch other;
        if (!source_is(call.kernel, kernel) || !read_launch(&scope, &call, &other))
            continue;
        if (!found || (!launch->block[0] && other.block[0]))
            *launch = other;
        found = true;
    }
    return found;
}

uint32_t source_size_named(const struct source *source, const char *name)
{
    struct source_scope scope = {.names = source_names_read(source), .index = source->count};
    struct source_token const token = {.text = name, .length = (uint32_t)strlen(name), .kind = SOURCE_NAME};
    const struct source_macro *macro = source_macro_of(source, &token, source->count);
    const struct source_name *named = source_declared(&scope, &token, -1);
    int64_t value;
    bool const known = (macro && macro->given) || (named && named->constant && !named->depth);
    return known && source_named_value(&scope, &token, -1, &value) && value > 0 && value <= INT32_MAX ? (uint32_t)value
                                                                                                      : 0;
}
