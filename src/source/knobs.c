#include "source/knobs.h"
#include "source/constant.h"
#include "source/kernel.h"
#include "source/names.h"
#include <ctype.h>
#include <string.h>

struct finder {
    struct source_names *names;
    struct source_knobs *knobs;
};

/* ---- knobs ---- */

static bool is_given(const struct finder *finder, const struct source_token *name)
{
    const struct source *source = finder->names->source;
    for (uint32_t i = 0; i < source->macro_count; i++)
        if (source->macros[i].given && source_same(&source->macros[i].name, name))
            return true;
    return false;
}

static const char *word_of(const struct finder *finder, const struct source_token *name)
{
    return source_word(finder->names->source->arena, name);
}

/* Adds the knob whose value these tokens are. */
static void add_knob(struct finder *finder, struct source_knob knob, const struct source_token *from,
                     const struct source_token *to)
{
    struct source_knobs *knobs = finder->knobs;
    knob.line = from->line;
    knob.at = from->at;
    knob.length = to[-1].end - from->at;
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

/* How many names in values of names are followed. */
enum { NAMES_IN_NAMES = 4 };

static void add_fixed(struct finder *finder, const char *name, uint32_t line, enum source_fixed_why why)
{
    struct source_knobs *knobs = finder->knobs;
    for (size_t i = 0; i < knobs->fixed_count; i++)
        if (knobs->fixed[i].line == line)
            return;
    if (knobs->fixed_count < SOURCE_KNOBS_MAX)
        knobs->fixed[knobs->fixed_count++] = (struct source_fixed){name, line, why};
}

static void knob_of_name(struct finder *finder, struct source_name *named, enum source_knob_role role)
{
    named->taken = true;
    add_knob(finder,
             (struct source_knob){.role = role,
                                  .name = word_of(finder, named->name),
                                  .dimension = named->dimension,
                                  .in_main = named->depth > 0,
                                  .value = named->value},
             named->from, named->to);
}

/* Makes knobs of the name that a launch uses, if it has a constant value. Returns false if there is none like it. */
static bool take_name(struct finder *finder, const struct source_token *name, enum source_knob_role role)
{
    bool found = false;
    for (size_t n = finder->names->count; n-- > 0;) { /* the last one before the launch, and its other sides */
        struct source_name *named = &finder->names->items[n];
        if (named->computed || named->enumerated || !source_same(named->name, name) ||
            (named->name->at > name->at && !named->defined))
            continue;
        if (found && named->name != finder->names->items[n + 1].name)
            break;
        found = true;
        if (is_given(finder, name))
            add_fixed(finder, word_of(finder, name), name->line, SOURCE_FIXED_DEFINED);
        else if (source_is_changed(finder->names, named))
            add_fixed(finder, word_of(finder, name), name->line, SOURCE_FIXED_CHANGED);
        else
            knob_of_name(finder, named, role);
    }
    return found;
}

/* Returns whether a value has a knob in it, also through names: then it can be turned by that. */
static bool rests_on_knob(struct finder *finder, const struct source_token *from, const struct source_token *to,
                          int looks)
{
    for (const struct source_token *token = from; token < to && looks; token++) {
        if (token->kind != SOURCE_NAME || is_given(finder, token))
            continue;
        for (size_t n = 0; n < finder->names->count; n++) {
            const struct source_name *named = &finder->names->items[n];
            if (!source_same(named->name, token) || named->name == token)
                continue;
            if (named->computed ? rests_on_knob(finder, named->from, named->to, looks - 1)
                                : named->constant && !named->enumerated)
                return true;
        }
    }
    return false;
}

/* Takes one of the words between <<< and >>>. */
static void take_argument(struct finder *finder, const struct source_token *kernel, const struct source_token *from,
                          const struct source_token *to, enum source_knob_role role)
{
    int64_t value;
    struct source_knob knob = {.role = role,
                               .name = role == SOURCE_KNOB_BLOCK ? "block" : "grid",
                               .kernel = word_of(finder, kernel),
                               .dimension = -1,
                               .in_main = true};
    if (source_evaluate(from, to, NULL, NULL, &value)) {
        knob.value = value;
        add_knob(finder, knob, from, to);
        return;
    }
    if (to - from > 2 && source_is(from, "dim3")) {
        const struct source_token *at = from + 1;
        while (at < to && !source_is(at, "(") && !source_is(at, "{"))
            at++;
        at++;
        for (knob.dimension = 0; knob.dimension < 3 && at < to; knob.dimension++) {
            const struct source_token *end = source_part_end(at, to);
            if (source_evaluate(at, end, NULL, NULL, &value)) {
                knob.value = value;
                add_knob(finder, knob, at, end);
            } else if (end == at + 1) {
                take_name(finder, at, role);
            }
            at = end + 1;
        }
        return;
    }
    if ((to == from + 1 && take_name(finder, from, role)) || role != SOURCE_KNOB_BLOCK || to == from ||
        rests_on_knob(finder, from, to, NAMES_IN_NAMES))
        return;
    add_fixed(finder,
              arena_text_n(finder->names->source->arena, finder->names->source->text + from->at, to[-1].end - from->at),
              from->line, SOURCE_FIXED_COMPUTED);
}

/* ---- x and y ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns where the x or y of threadIdx or its like stands that begins at `at`; 0: none begins there. `plain`: only
 * that of threadIdx. */
static size_t side_at(const char *text, size_t at, bool plain)
{
    static const char *const words[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    if (at > 0 && is_word(text[at - 1]))
        return 0;
    for (size_t i = 0; i < (plain ? 1 : sizeof words / sizeof *words); i++) {
        size_t const length = strlen(words[i]);
        if (strncmp(text + at, words[i], length) != 0)
            continue;
        const char *dot = text + at + length + strspn(text + at + length, " ");
        const char *side = *dot == '.' ? dot + 1 + strspn(dot + 1, " ") : "";
        return (*side == 'x' || *side == 'y') && !is_word(side[1]) ? (size_t)(side - text) : 0;
    }
    return 0;
}

/* Returns where a line of a text begins, counted from 1; its end if it has fewer. */
static size_t line_begin(const char *text, uint32_t line)
{
    const char *at = text;
    for (uint32_t i = 1; i < line && *at; i++)
        at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
    return (size_t)(at - text);
}

static void take_exchange(struct finder *finder, const struct source_token *kernel)
{
    struct source_knobs *knobs = finder->knobs;
    const struct source *source = finder->names->source;
    struct source_knob knob = {.role = SOURCE_KNOB_EXCHANGE,
                               .name = "x, y",
                               .kernel = word_of(finder, kernel),
                               .dimension = -1,
                               .in_main = true};
    uint32_t last;
    source_kernel_lines(source->text, knob.kernel, &knob.line, &last);
    for (size_t i = 0; i < knobs->count; i++)
        if (knobs->items[i].role == SOURCE_KNOB_EXCHANGE && strcmp(knobs->items[i].kernel, knob.kernel) == 0)
            return;
    if (!knob.line || knobs->count == SOURCE_KNOBS_MAX)
        return;
    knob.at = line_begin(source->text, knob.line);
    knob.length = line_begin(source->text, last + 1) - knob.at;
    bool used[2] = {false, false};
    for (size_t at = knob.at; at < knob.at + knob.length; at++) {
        size_t const side = side_at(source->text, at, true);
        if (side)
            used[source->text[side] == 'y'] = true;
    }
    if (used[0] && used[1])
        knobs->items[knobs->count++] = knob;
}

static void take_launches(struct finder *finder)
{
    const struct source *source = finder->names->source;
    struct source_call call;
    for (uint32_t at = 0; source_next_call(source, at, &call); at = (uint32_t)(call.open - source->tokens) + 3) {
        const struct source_token *comma = source_part_end(call.open + 3, call.close);
        if (call.kernel->kind != SOURCE_NAME || comma >= call.close)
            continue;
        take_argument(finder, call.kernel, comma + 1, source_part_end(comma + 1, call.close), SOURCE_KNOB_BLOCK);
        take_argument(finder, call.kernel, call.open + 3, comma, SOURCE_KNOB_GRID);
        take_exchange(finder, call.kernel);
    }
}

/* Orders knobs: block sizes, then the file's own constants, then the rest, x and y last; within each by line. */
static int rank_of(const struct source_knob *knob)
{
    if (knob->role == SOURCE_KNOB_EXCHANGE)
        return 3;
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
    finder->names = source_names_read(source_read(arena, source, defines, define_count, SOURCE_ALL));
    finder->knobs = knobs;
    take_launches(finder);
    for (size_t i = 0; i < finder->names->count; i++) {
        struct source_name *named = &finder->names->items[i];
        if (named->constant && !named->enumerated && !named->taken && !named->computed &&
            !is_given(finder, named->name))
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

static void exchange(char *text, const struct source_knob *knob)
{
    for (size_t at = knob->at; at < knob->at + knob->length; at++) {
        size_t const side = side_at(text, at, false);
        if (side)
            text[side] = text[side] == 'x' ? 'y' : 'x';
    }
}

const char *source_knobs_apply(struct arena *arena, const char *source, const struct source_knobs *knobs,
                               const struct source_turn *turns, size_t turn_count)
{
    char *exchanged = arena_text(arena, source);
    for (size_t i = 0; i < knobs->count; i++)
        for (size_t k = 0; k < turn_count && knobs->items[i].role == SOURCE_KNOB_EXCHANGE; k++)
            if (source_turn_fits(&turns[k], &knobs->items[i]) && turns[k].value)
                exchange(exchanged, &knobs->items[i]);
    const char *text = exchanged;
    long long shift = 0;
    for (size_t done = 0, after = 0; done < knobs->count; done++) {
        const struct source_knob *knob = NULL; /* the next one in the text */
        for (size_t i = 0; i < knobs->count; i++)
            if (knobs->items[i].at >= after && (!knob || knobs->items[i].at < knob->at))
                knob = &knobs->items[i];
        if (!knob)
            break;
        after = knob->at + 1;
        for (size_t i = 0; i < turn_count && knob->role != SOURCE_KNOB_EXCHANGE; i++) {
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
