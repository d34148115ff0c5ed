#include "run/source_launch.h"
#include "run/source_names.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 12, LOOKS_MOST = 500 };

struct reading {
    const struct source_names *names;
    const struct compile_define *defines;
    size_t define_count;
    size_t before; /* only names declared before this place count */
    int depth, looks;
};

/* Returns the declaration that a name means here, or NULL. dimension: the side of a dim3, -1: a plain number. */
static const struct source_name *declared(const struct reading *reading, const char *name, size_t length, int dimension)
{
    const struct source_names *names = reading->names;
    const struct source_name *last = NULL;
    for (size_t n = names->count; n-- > 0;) {
        const struct source_name *named = &names->items[n];
        if (named->name_length != length || memcmp(names->source + named->name, name, length) != 0 ||
            (named->name > reading->before && !named->defined))
            continue;
        if (last && named->name != last->name)
            break;
        last = named;
        if (named->dimension == dimension)
            return named;
    }
    return NULL;
}

static bool given(const struct reading *reading, const char *name, size_t length, const char **value)
{
    for (size_t i = 0; i < reading->define_count; i++)
        if (strlen(reading->defines[i].name) == length && strncmp(reading->defines[i].name, name, length) == 0) {
            *value = reading->defines[i].value ? reading->defines[i].value : "1";
            return true;
        }
    return false;
}

static bool resolve(void *context, const char *name, size_t length, int dimension, long long *value)
{
    struct reading *reading = context;
    const char *words;
    bool known;
    if (reading->depth == DEPTH_MOST || reading->looks++ > LOOKS_MOST)
        return false;
    reading->depth++;
    if (given(reading, name, length, &words)) {
        known = source_computed(words, strlen(words), resolve, reading, value);
    } else {
        const struct source_name *named = declared(reading, name, length, dimension);
        known = named && !source_is_changed(reading->names, named) &&
                source_computed(reading->names->source + named->at, named->length, resolve, reading, value);
        if (!named && dimension > 0 && declared(reading, name, length, 0)) { /* dim3 block(32): y and z are 1 */
            *value = 1;
            known = true;
        }
    }
    reading->depth--;
    return known;
}

/* Reads a size between 1 and 2^31 - 1. */
static bool read_size(struct reading *reading, size_t from, size_t to, uint32_t *size)
{
    long long value;
    source_trim(reading->names->text, &from, &to);
    if (!source_computed(reading->names->text + from, to - from, resolve, reading, &value) || value < 1 ||
        value > INT32_MAX)
        return false;
    *size = (uint32_t)value;
    return true;
}

/* Reads the sides between the brackets of dim3(...). */
static bool read_sides(struct reading *reading, size_t at, size_t to, uint32_t shape[3])
{
    for (int i = 0; i < 3 && at < to; i++) {
        size_t const end = source_value_end(reading->names->text, at);
        if (!read_size(reading, at, end < to ? end : to, &shape[i]))
            return false;
        at = end + 1;
    }
    return true;
}

/* Reads a grid or a block: a number, dim3(...), {...}, or the name of a dim3. Leaves shape[0] 0 where it is not
 * constant. */
static void read_shape(struct reading *reading, size_t from, size_t to, uint32_t shape[3])
{
    const char *text = reading->names->text;
    uint32_t found[3] = {1, 1, 1};
    long long side;
    source_trim(text, &from, &to);
    size_t const word = source_word_end(text, from);
    size_t const open = word < to ? source_skip_space(text, word) : to;
    bool const sides = open < to && (text[open] == '(' || text[open] == '{') &&
                       (word == from ? text[open] == '{' : word - from == 4 && strncmp(text + from, "dim3", 4) == 0);
    bool known = false;
    if (sides)
        known = read_sides(reading, open + 1, to - 1, found);
    else if (word == to && declared(reading, text + from, to - from, 0))
        for (int i = 0; i < 3; i++) {
            known = resolve(reading, text + from, to - from, i, &side) && side > 0 && side <= INT32_MAX;
            if (!known)
                break;
            found[i] = (uint32_t)side;
        }
    else
        known = read_size(reading, from, to, &found[0]);
    if (known)
        memcpy(shape, found, sizeof found);
}

/* Returns the words of an argument that is a number, or NULL. */
static const char *read_argument(struct reading *reading, size_t from, size_t to)
{
    struct arena *arena = reading->names->arena;
    const char *text = reading->names->text;
    long long value;
    source_trim(text, &from, &to);
    if (source_computed(text + from, to - from, resolve, reading, &value))
        return arena_format(arena, "%lld", value);
    const char *words = arena_text_n(arena, text + from, to - from);
    char *end;
    strtod(words, &end);
    bool const number = end > words && !isalpha((unsigned char)words[*words == '-']);
    size_t const length = (size_t)(end - words);
    return number && (strcmp(end, "") == 0 || strcmp(end, "f") == 0 || strcmp(end, "F") == 0)
               ? arena_text_n(arena, words, length)
               : NULL;
}

static void read_arguments(struct reading *reading, size_t at, struct source_launch *launch)
{
    const char *text = reading->names->text;
    at = source_skip_space(text, at);
    if (text[at] != '(')
        return;
    for (at = source_skip_space(text, at + 1); text[at] && text[at] != ')'; at++) {
        size_t const end = source_value_end(text, at);
        if (launch->argument_count == SOURCE_ARGUMENTS_MAX)
            return;
        launch->arguments[launch->argument_count++] = read_argument(reading, at, end);
        at = end;
        if (text[at] != ',')
            return;
    }
}

/* Reads the launch whose <<< stands here. Returns false if it is of no form that is known. */
static bool read_launch(struct reading *reading, size_t open, size_t close, struct source_launch *launch)
{
    const char *text = reading->names->text;
    size_t const comma = source_value_end(text, open + 3);
    if (comma >= close)
        return false;
    size_t second = source_value_end(text, comma + 1);
    second = second < close ? second : close;
    *launch = (struct source_launch){.line = source_line_at(reading->names->source, open)};
    reading->before = open;
    read_shape(reading, open + 3, comma, launch->grid);
    read_shape(reading, comma + 1, second, launch->block);
    if (second < close) {
        size_t const third = source_value_end(text, second + 1);
        read_size(reading, second + 1, third < close ? third : close, &launch->shared_bytes);
    }
    read_arguments(reading, close + 3, launch);
    return true;
}

bool source_launch_find(struct arena *arena, const char *source, const char *kernel,
                        const struct compile_define *defines, size_t define_count, struct source_launch *launch)
{
    struct reading reading = {
        .names = source_names_read(arena, source), .defines = defines, .define_count = define_count};
    const char *text = reading.names->text;
    bool found = false;
    for (const char *at = text; (at = strstr(at, "<<<")); at += 3) {
        const char *close = strstr(at + 3, ">>>");
        struct source_launch other;
        size_t const open = (size_t)(at - text);
        if (!close)
            break;
        if (strcmp(source_kernel_before(reading.names, open), kernel) != 0 ||
            !read_launch(&reading, open, (size_t)(close - text), &other))
            continue;
        if (!found || (!launch->block[0] && other.block[0]))
            *launch = other;
        found = true;
    }
    return found;
}

uint32_t source_size_named(struct arena *arena, const char *source, const char *name,
                           const struct compile_define *defines, size_t define_count)
{
    struct reading reading = {.names = source_names_read(arena, source),
                              .defines = defines,
                              .define_count = define_count,
                              .before = strlen(source)};
    const struct source_name *named = declared(&reading, name, strlen(name), -1);
    long long value;
    const char *given_words;
    bool const known = given(&reading, name, strlen(name), &given_words) || (named && named->constant && !named->depth);
    return known && resolve(&reading, name, strlen(name), -1, &value) && value > 0 && value <= INT32_MAX
               ? (uint32_t)value
               : 0;
}
