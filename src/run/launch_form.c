#include "run/launch_form.h"
#include "run/launch_words.h"
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[FORM_KINDS] = {"grid", "rule", "block", "type", "size", "fill", "value"};

const char *form_kind_name(enum form_kind kind)
{
    return kind_names[kind];
}

enum form_kind form_kind_named(const char *name)
{
    enum form_kind kind = 0;
    while (kind < FORM_KINDS && strcmp(kind_names[kind], name) != 0)
        kind++;
    return kind;
}

/* An argument as on the command line: TYPE[SIZE]=FILL or TYPE=VALUE. */
struct parts {
    const char *type, *size, *fill; /* size NULL: a number, whose value is the fill */
    bool fixed;                     /* a structure */
};

static struct parts parts_of(struct arena *arena, const char *argument)
{
    const char *equals = strchr(argument, '='), *open = strchr(argument, '[');
    if (!equals || strncmp(argument, "struct{", 7) == 0 || strncmp(argument, "bytes=", 6) == 0)
        return (struct parts){.type = "", .fill = argument, .fixed = true};
    if (!open || open > equals)
        return (struct parts){arena_text_n(arena, argument, (size_t)(equals - argument)), NULL, equals + 1, false};
    const char *close = strchr(open, ']');
    if (!close || close[1] != '=')
        return (struct parts){.type = "", .fill = argument, .fixed = true};
    return (struct parts){arena_text_n(arena, argument, (size_t)(open - argument)),
                          arena_text_n(arena, open + 1, (size_t)(close - open - 1)), close + 2, false};
}

static bool is_count(const char *text)
{
    uint64_t value;
    return launch_number(text, 1, 1 << 28, &value);
}

static int dimensions_of(const uint32_t shape[3])
{
    return shape[2] > 1 ? 3 : shape[1] > 1 ? 2 : 1;
}

size_t form_fields(struct arena *arena, const struct run_file_request *launch, bool covers, struct form_field **fields)
{
    struct form_field *all = arena_array(arena, struct form_field, 7 + 3 * launch->argument_count);
    size_t count = 0;
    for (int i = 0; i < dimensions_of(launch->grid); i++)
        all[count++] = (struct form_field){FORM_GRID, i, arena_format(arena, "%u", launch->grid[i]), false};
    all[count++] = (struct form_field){FORM_RULE, 0, covers ? "covers" : "stays", false};
    for (int i = 0; i < dimensions_of(launch->block); i++)
        all[count++] = (struct form_field){FORM_BLOCK, i, arena_format(arena, "%u", launch->block[i]), false};
    for (size_t i = 0; i < launch->argument_count; i++) {
        struct parts const parts = parts_of(arena, launch->arguments[i]);
        if (parts.fixed) {
            all[count++] = (struct form_field){FORM_VALUE, (int)i, parts.fill, true};
            continue;
        }
        all[count++] = (struct form_field){FORM_TYPE, (int)i, parts.type, false};
        if (parts.size)
            all[count++] = (struct form_field){FORM_SIZE, (int)i, parts.size, !is_count(parts.size)};
        all[count++] = (struct form_field){parts.size ? FORM_FILL : FORM_VALUE, (int)i, parts.fill, false};
    }
    *fields = all;
    return count;
}

/* ---- choices ---- */

struct choices {
    struct arena *arena;
    const char **items;
    size_t count;
};

static void add(struct choices *choices, const char *value)
{
    for (size_t i = 0; i < choices->count; i++)
        if (strcmp(choices->items[i], value) == 0)
            return;
    if (choices->count < FORM_CHOICES_MAX)
        choices->items[choices->count++] = value;
}

/* Adds a value at its place among ascending ones. */
static void add_number(struct choices *choices, double value)
{
    size_t at = 0;
    add(choices, arena_format(choices->arena, "%.9g", value));
    for (at = choices->count; at > 1 && strtod(choices->items[at - 1], NULL) < strtod(choices->items[at - 2], NULL);
         at--) {
        const char *other = choices->items[at - 1];
        choices->items[at - 1] = choices->items[at - 2];
        choices->items[at - 2] = other;
    }
}

static void add_sizes(struct choices *choices, double own, double most)
{
    double const sizes[] = {own, own / 4, own / 2, own - 1, own + 1, own * 2, own * 4};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] >= 1 && sizes[i] <= most && (sizes[i] == own || sizes[i] - (double)(long long)sizes[i] == 0))
            add_number(choices, sizes[i]);
}

size_t form_choices(struct arena *arena, const struct form_field *field, const char *own,
                    const char *choices[FORM_CHOICES_MAX], size_t *at)
{
    static const char *const types[] = {"f32", "f64", "f16", "bf16", "i32",  "u32",
                                        "i64", "u64", "u8",  "u16",  "e4m3", "e5m2"};
    static const char *const fills[] = {"zero", "iota", "const:1", "mod:32", "random:1", "none"};
    static const int blocks[] = {32, 64, 128, 256, 512, 1024};
    struct choices all = {.arena = arena, .items = choices};
    double const value = strtod(own, NULL);
    switch (field->kind) {
    case FORM_GRID:
        add_sizes(&all, value, LAUNCH_GRID_YZ_MAX);
        break;
    case FORM_BLOCK:
        add_number(&all, value);
        for (size_t i = 0; i < 6; i++)
            add_number(&all, blocks[i]);
        for (int i = 1; i <= 16 && value <= 32; i *= 2)
            add_number(&all, i);
        break;
    case FORM_SIZE:
        add_sizes(&all, value, 1 << 26);
        break;
    case FORM_VALUE:
        add_number(&all, value);
        add_number(&all, 0);
        add_number(&all, 1);
        if (value > 2)
            add_sizes(&all, value, 1 << 30);
        else
            add_number(&all, 2);
        break;
    case FORM_TYPE:
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            add(&all, types[i]);
        break;
    case FORM_FILL:
        for (size_t i = 0; i < sizeof fills / sizeof *fills; i++)
            add(&all, fills[i]);
        break;
    case FORM_RULE:
        add(&all, "stays");
        add(&all, "covers");
        break;
    case FORM_KINDS:
        break;
    }
    bool const number =
        field->kind == FORM_GRID || field->kind == FORM_BLOCK || field->kind == FORM_SIZE || field->kind == FORM_VALUE;
    if (number)
        add_number(&all, strtod(field->value, NULL));
    else
        add(&all, field->value);
    const char *now = number ? arena_format(arena, "%.9g", strtod(field->value, NULL)) : field->value;
    for (*at = 0; *at + 1 < all.count && strcmp(choices[*at], now) != 0; (*at)++)
        ;
    return all.count;
}

/* ---- edits ---- */

bool form_accepts(const struct form_field *field, const char *text)
{
    uint64_t whole;
    char *end;
    switch (field->kind) {
    case FORM_GRID:
        return launch_number(text, 1, LAUNCH_GRID_YZ_MAX, &whole);
    case FORM_BLOCK:
        return launch_number(text, 1, LAUNCH_THREADS_MAX, &whole);
    case FORM_SIZE:
        return is_count(text) && !field->fixed;
    case FORM_VALUE:
        strtod(text, &end);
        return *text && !*end && !field->fixed && strlen(text) < FORM_VALUE_MAX &&
               strspn(text, "0123456789.-") == strlen(text);
    default:
        return false;
    }
}

void form_set(struct form_edits *edits, const struct form_field *field, const char *value, const char *own)
{
    size_t at = 0;
    while (at < edits->count && (edits->items[at].kind != field->kind || edits->items[at].index != field->index))
        at++;
    if (strcmp(value, own) == 0) {
        if (at < edits->count)
            edits->items[at] = edits->items[--edits->count];
        return;
    }
    if (at == FORM_EDITS_MAX || strlen(value) >= FORM_VALUE_MAX)
        return;
    edits->count += at == edits->count;
    edits->items[at] = (struct form_edit){.kind = field->kind, .index = field->index};
    memcpy(edits->items[at].value, value, strlen(value) + 1);
}

/* Returns the list "a, b, c" without one of its words. */
static const char *without(struct arena *arena, const char *list, const char *word)
{
    const char *left = "";
    while (*list) {
        size_t const length = strcspn(list, ",");
        if (length != strlen(word) || strncmp(list, word, length) != 0)
            left = arena_format(arena, "%s%s%.*s", left, *left ? ", " : "", (int)length, list);
        list += length;
        list += strspn(list, ", ");
    }
    return left;
}

static void apply_argument(struct arena *arena, const struct form_edit *edit, const char **argument)
{
    struct parts parts = parts_of(arena, *argument);
    if (parts.fixed || (edit->kind == FORM_SIZE && !parts.size) || (edit->kind == FORM_FILL && !parts.size) ||
        (edit->kind == FORM_VALUE && parts.size))
        return;
    if (edit->kind == FORM_TYPE)
        parts.type = edit->value;
    else if (edit->kind == FORM_SIZE)
        parts.size = edit->value;
    else
        parts.fill = edit->value;
    *argument = parts.size ? arena_format(arena, "%s[%s]=%s", parts.type, parts.size, parts.fill)
                           : arena_format(arena, "%s=%s", parts.type, parts.fill);
}

static void apply_arguments(struct arena *arena, const struct form_edits *edits, struct run_file_request *launch,
                            struct launch_guess *guess)
{
    const char **arguments = arena_copy(arena, launch->arguments, launch->argument_count, sizeof *arguments);
    for (size_t i = 0; i < edits->count; i++) {
        const struct form_edit *edit = &edits->items[i];
        if (edit->kind < FORM_TYPE || edit->index < 0 || (size_t)edit->index >= launch->argument_count)
            continue;
        apply_argument(arena, edit, &arguments[edit->index]);
        if (guess->names) {
            guess->guessed = without(arena, guess->guessed, guess->names[edit->index]);
            guess->taken = without(arena, guess->taken, guess->names[edit->index]);
        }
    }
    launch->arguments = arguments;
}

bool form_apply(struct arena *arena, const struct form_edits *edits, struct run_file_request *launch,
                struct launch_guess *guess)
{
    uint32_t const grid[3] = {launch->grid[0], launch->grid[1], launch->grid[2]};
    uint32_t const block[3] = {launch->block[0], launch->block[1], launch->block[2]};
    bool covers = guess->grid == LAUNCH_GUESSED;
    for (size_t i = 0; i < edits->count; i++) {
        const struct form_edit *edit = &edits->items[i];
        uint32_t const number = (uint32_t)strtoul(edit->value, NULL, 10);
        if (edit->kind == FORM_RULE)
            covers = strcmp(edit->value, "covers") == 0;
        if ((edit->kind != FORM_GRID && edit->kind != FORM_BLOCK) || edit->index < 0 || edit->index > 2 || !number)
            continue;
        (edit->kind == FORM_GRID ? launch->grid : launch->block)[edit->index] = number;
        if (edit->kind == FORM_GRID)
            guess->grid = LAUNCH_SAID;
        else
            guess->block = LAUNCH_SAID;
    }
    for (int d = 0; d < 3 && covers; d++) {
        uint64_t const threads = (uint64_t)grid[d] * block[d];
        bool own = false; /* this side of the grid was set by hand */
        for (size_t i = 0; i < edits->count; i++)
            own = own || (edits->items[i].kind == FORM_GRID && edits->items[i].index == d);
        if (!own && launch->block[d])
            launch->grid[d] = (uint32_t)((threads + launch->block[d] - 1) / launch->block[d]);
    }
    apply_arguments(arena, edits, launch, guess);
    guess->any = guess->any &&
                 (guess->grid == LAUNCH_GUESSED || guess->block == LAUNCH_GUESSED || *guess->guessed || guess->shared);
    if (!*guess->guessed)
        guess->elements = 0;
    return covers;
}
