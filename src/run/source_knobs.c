#include "run/source_knobs.h"
#include "run/source_names.h"
#include <ctype.h>
#include <string.h>

struct finder {
    struct source_names *names;
    const struct compile_define *defines;
    size_t define_count;
    struct source_knobs *knobs;
};

/* ---- knobs ---- */

static bool is_given(const struct finder *finder, const char *name)
{
    for (size_t i = 0; i < finder->define_count; i++)
        if (strcmp(finder->defines[i].name, name) == 0)
            return true;
    return false;
}

static void add_knob(struct finder *finder, struct source_knob knob)
{
    struct source_knobs *knobs = finder->knobs;
    knob.line = source_line_at(finder->names->source, knob.at);
    for (size_t i = 0; i < knobs->count; i++) {
        const struct source_knob *other = &knobs->items[i];
        if (other->at == knob.at)
            return;
        knob.nth += strcmp(other->name, knob.name) == 0 && other->dimension == knob.dimension &&
                    strcmp(other->kernel ? other->kernel : "", knob.kernel ? knob.kernel : "") == 0;
    }
    if (knobs->count < SOURCE_KNOBS_MAX)
        knobs->items[knobs->count++] = knob;
}

static void add_fixed(struct finder *finder, const char *name, size_t at, enum source_fixed_why why)
{
    struct source_knobs *knobs = finder->knobs;
    uint32_t const line = source_line_at(finder->names->source, at);
    for (size_t i = 0; i < knobs->fixed_count; i++)
        if (knobs->fixed[i].line == line)
            return;
    if (knobs->fixed_count < SOURCE_KNOBS_MAX)
        knobs->fixed[knobs->fixed_count++] = (struct source_fixed){name, line, why};
}

static const char *name_of(const struct finder *finder, const struct source_name *named)
{
    return arena_text_n(finder->names->arena, finder->names->source + named->name, named->name_length);
}

static void knob_of_name(struct finder *finder, struct source_name *named, enum source_knob_role role)
{
    named->taken = true;
    add_knob(finder, (struct source_knob){.role = role,
                                          .name = name_of(finder, named),
                                          .dimension = named->dimension,
                                          .in_main = named->depth > 0,
                                          .at = named->at,
                                          .length = named->length,
                                          .value = named->value});
}

/* Makes knobs of the name that a launch uses, if it has a constant value. Returns false if there is none like it. */
static bool take_name(struct finder *finder, size_t from, size_t to, enum source_knob_role role)
{
    bool found = false;
    for (size_t n = finder->names->count; n-- > 0;) { /* the last one before the launch, and its other sides */
        struct source_name *named = &finder->names->items[n];
        if (named->computed || named->name_length != to - from || (named->name > from && !named->defined) ||
            memcmp(finder->names->source + named->name, finder->names->source + from, to - from) != 0)
            continue;
        if (found && named->name != finder->names->items[n + 1].name)
            break;
        found = true;
        if (is_given(finder, name_of(finder, named)))
            add_fixed(finder, name_of(finder, named), from, SOURCE_FIXED_DEFINED);
        else if (source_is_changed(finder->names, named))
            add_fixed(finder, name_of(finder, named), from, SOURCE_FIXED_CHANGED);
        else
            knob_of_name(finder, named, role);
    }
    return found;
}

/* Takes one of the words between <<< and >>>. */
static void take_argument(struct finder *finder, const char *kernel, size_t from, size_t to, enum source_knob_role role)
{
    const char *text = finder->names->text;
    long long value;
    source_trim(text, &from, &to);
    struct source_knob knob = {.role = role,
                               .name = role == SOURCE_KNOB_BLOCK ? "block" : "grid",
                               .kernel = kernel,
                               .dimension = -1,
                               .in_main = true};
    if (source_constant(text + from, to - from, &value)) {
        knob.at = from;
        knob.length = to - from;
        knob.value = value;
        add_knob(finder, knob);
        return;
    }
    if (to - from > 5 && strncmp(text + from, "dim3", 4) == 0 && !source_in_word(text[from + 4])) {
        size_t at = from + 4 + strcspn(text + from + 4, "({") + 1;
        for (knob.dimension = 0; knob.dimension < 3 && at < to; knob.dimension++) {
            size_t first = at, end = source_value_end(text, at);
            at = end + 1;
            source_trim(text, &first, &end);
            knob.at = first;
            knob.length = end - first;
            if (source_constant(text + first, end - first, &knob.value))
                add_knob(finder, knob);
            else if (source_word_end(text, first) == end)
                take_name(finder, first, end, role);
        }
        return;
    }
    if ((source_word_end(text, from) == to && take_name(finder, from, to, role)) || role != SOURCE_KNOB_BLOCK)
        return;
    add_fixed(finder, arena_text_n(finder->names->arena, finder->names->source + from, to - from), from,
              SOURCE_FIXED_COMPUTED);
}

static void take_launches(struct finder *finder)
{
    const char *text = finder->names->text;
    for (const char *found = text; (found = strstr(found, "<<<")); found += 3) {
        size_t const open = (size_t)(found - text);
        const char *close = strstr(found + 3, ">>>");
        if (!close)
            return;
        const char *kernel = source_kernel_before(finder->names, open);
        size_t const end = (size_t)(close - text), comma = source_value_end(text, open + 3);
        if (!*kernel || comma >= end)
            continue;
        size_t const second = source_value_end(text, comma + 1);
        take_argument(finder, kernel, comma + 1, second < end ? second : end, SOURCE_KNOB_BLOCK);
        take_argument(finder, kernel, open + 3, comma, SOURCE_KNOB_GRID);
    }
}

/* Orders knobs: block sizes, then the file's own constants, then the rest; within each by line. */
static int rank_of(const struct source_knob *knob)
{
    return knob->role == SOURCE_KNOB_BLOCK ? 0 : !knob->in_main ? 1 : 2;
}

static void sort_knobs(struct source_knobs *knobs)
{
    for (size_t i = 1; i < knobs->count; i++) {
        struct source_knob const knob = knobs->items[i];
        size_t at = i;
        for (; at > 0; at--) {
            const struct source_knob *before = &knobs->items[at - 1];
            int const a = rank_of(before), b = rank_of(&knob);
            if (a < b || (a == b && before->at <= knob.at))
                break;
            knobs->items[at] = *before;
        }
        knobs->items[at] = knob;
    }
}

void source_knobs_find(struct arena *arena, const char *source, const struct compile_define *defines,
                       size_t define_count, struct source_knobs *knobs)
{
    struct finder *finder = arena_new(arena, struct finder);
    *knobs = (struct source_knobs){.count = 0};
    finder->names = source_names_read(arena, source);
    finder->defines = defines;
    finder->define_count = define_count;
    finder->knobs = knobs;
    take_launches(finder);
    for (size_t i = 0; i < finder->names->count; i++) {
        struct source_name *named = &finder->names->items[i];
        if (named->constant && !named->taken && !named->computed && !is_given(finder, name_of(finder, named)))
            knob_of_name(finder, named, SOURCE_KNOB_VALUE);
    }
    sort_knobs(knobs);
}

/* ---- turned ---- */

bool source_turn_fits(const struct source_turn *turn, const struct source_knob *knob)
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

const char *source_knobs_apply(struct arena *arena, const char *source, const struct source_knobs *knobs,
                               const struct source_turn *turns, size_t turn_count)
{
    const char *text = source;
    long long shift = 0;
    for (size_t done = 0, after = 0; done < knobs->count; done++) {
        const struct source_knob *knob = NULL; /* the next one in the text */
        for (size_t i = 0; i < knobs->count; i++)
            if (knobs->items[i].at >= after && (!knob || knobs->items[i].at < knob->at))
                knob = &knobs->items[i];
        if (!knob)
            break;
        after = knob->at + 1;
        for (size_t i = 0; i < turn_count; i++) {
            if (!source_turn_fits(&turns[i], knob) || turns[i].value == knob->value)
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
