/* Reads a rubric. Each mistake in it is one error with file, line and field, found before anything runs. */
#include "grade/rubric.h"
#include "base/file.h"
#include "base/schema.h"
#include "base/words.h"
#include "grade/rubric_schema.h"
#include "lesson/expression.h"
#include "lesson/lesson.h"
#include "model/caches.h"
#include "model/counts.h"
#include "program/mistakes.h"
#include "run/launch_words.h"
#include "trace/finding.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MOST = 64, RULES_MOST = 200, SIZES_MOST = 64 };

const char *const rubric_figures[] = {"launches",
                                      "blocks",
                                      "threads",
                                      "dynamic_shared_bytes",
                                      "memory_l2_theoretical_sectors_global",
                                      "memory_l2_theoretical_sectors_global_ideal",
                                      "memory_l1_wavefronts_shared",
                                      "memory_l1_wavefronts_shared_ideal",
                                      NULL};

struct reading {
    struct arena *arena;
    struct rubric *rubric;
    const struct raw_rubric *raw;
    const char *path, *folder, *text;
    size_t size;
    struct error *error;
};

/* Fills the error about a field, "rules.3.holds", and returns false. */
__attribute__((format(printf, 3, 4))) static bool wrong(const struct reading *reading, const char *field,
                                                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *said = arena_format_v(reading->arena, _(format), arguments);
    va_end(arguments);
    error_at(reading->error, ERROR_INPUT, reading->path, schema_line(reading->text, reading->size, field), 0, "%s",
             said);
    return error_field(reading->error, "%s", field);
}

static const char *field_of(const struct reading *reading, const char *list, size_t index, const char *field)
{
    return arena_format(reading->arena, "%s.%zu%s%s", list, index, *field ? "." : "", field);
}

/* Fills the error of an expression with its place. */
static bool wrong_expression(const struct reading *reading, const char *field, const struct error *error)
{
    return wrong(reading, field, "%s", error->message);
}

static bool is_word(const char *text)
{
    if (!isalnum((unsigned char)*text))
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_' && *text != '-')
            return false;
    return true;
}

/* ---- expressions ---- */

const char *const *rubric_cache_counters(struct arena *arena, size_t *count)
{
    static struct caches const none;
    struct counter *counters;
    *count = caches_counters(&none, arena, &counters);
    const char **names = arena_array(arena, const char *, *count);
    for (size_t i = 0; i < *count; i++)
        names[i] = counters[i].name;
    return names;
}

const char *const *rubric_counters(struct arena *arena, size_t *count)
{
    static struct counts const none;
    struct counter *counters;
    size_t of_caches;
    const char *const *caches = rubric_cache_counters(arena, &of_caches);
    size_t const own = counts_counters(&none, NULL, arena, &counters);
    const char **names = arena_array(arena, const char *, own + of_caches);
    for (size_t i = 0; i < own; i++)
        names[i] = counters[i].name;
    for (size_t i = 0; i < of_caches; i++)
        names[own + i] = caches[i];
    *count = own + of_caches;
    return names;
}

/* Returns whether the expression, with plain names, has a counter of the caches. */
static bool asks_for_caches(struct arena *arena, const char *expression)
{
    size_t count;
    const char *const *names = rubric_cache_counters(arena, &count);
    for (size_t i = 0; i < count; i++)
        if (strstr(expression, rubric_plain(arena, names[i])))
            return true;
    return false;
}

const char *rubric_plain(struct arena *arena, const char *expression)
{
    char *plain = arena_text(arena, expression);
    for (char *at = plain; *at; at++) {
        if (!isalpha((unsigned char)*at) && *at != '_') {
            while (isdigit((unsigned char)*at) || (*at == '.' && at[1])) /* 1.5e3 stays as it is */
                at++;
            if (!*at)
                break;
            if (!isalpha((unsigned char)*at) && *at != '_')
                continue;
        }
        for (; isalnum((unsigned char)*at) || *at == '_' || (*at == '.' && isalpha((unsigned char)at[1])); at++)
            if (*at == '.')
                *at = '_';
        if (!*at)
            break;
    }
    return plain;
}

/* Replaces each {expression} in a text by its value. */
static const char *fill_in(const struct reading *reading, const char *field, const char *text,
                           const struct run_fact *sizes, size_t size_count)
{
    const char *filled = "";
    for (const char *at = text; *at;) {
        size_t const plain = strcspn(at, "{");
        filled = arena_format(reading->arena, "%s%.*s", filled, (int)plain, at);
        at += plain;
        if (!*at)
            break;
        size_t const length = strcspn(at + 1, "}");
        double value;
        struct error error;
        if (at[1 + length] != '}') {
            wrong(reading, field, N_("\"%s\" has a { without a }"), text);
            return NULL;
        }
        if (!expression_evaluate(arena_text_n(reading->arena, at + 1, length), sizes, size_count, &value, &error)) {
            wrong_expression(reading, field, &error);
            return NULL;
        }
        filled = value == floor(value) && fabs(value) < 1e15 ? arena_format(reading->arena, "%s%.0f", filled, value)
                                                             : arena_format(reading->arena, "%s%.17g", filled, value);
        at += length + 2;
    }
    return filled;
}

/* ---- files ---- */

static bool read_file(const struct reading *reading, const char *field, const char *name, struct rubric_file *file)
{
    struct error error;
    char *bytes;
    const char *path = path_inside(reading->arena, reading->folder, name, &error);
    if (!path || !file_read(reading->arena, path, &bytes, &file->size, &error))
        return wrong(reading, field, "%s: %s", name, error.message);
    file->bytes = bytes;
    file->name = path_name(arena_text(reading->arena, name));
    if (strcmp(file->name, reading->rubric->file) == 0 && file != &reading->rubric->reference)
        return wrong(reading, field, N_("'%s' is the name of the file that is handed in"), file->name);
    return true;
}

static bool read_files(const struct reading *reading)
{
    const struct raw_rubric *raw = reading->raw;
    struct rubric *rubric = reading->rubric;
    if (!path_ends_with(raw->file, ".cu") || strchr(raw->file, '/') || *raw->file == '-')
        return wrong(reading, "file", N_("takes a name that ends in .cu, without a folder, not \"%s\""), raw->file);
    rubric->file = raw->file;
    rubric->title = raw->ko && words_language() == WORDS_KOREAN ? raw->ko : raw->title;
    if (raw->program && !path_ends_with(raw->program, ".cu"))
        return wrong(reading, "program", N_("takes a .cu file, not \"%s\""), raw->program);
    if (raw->program && raw->kernel)
        return wrong(reading, "kernel", N_("a kernel is launched alone, without a program: leave one of the two out"));
    if ((raw->program && !read_file(reading, "program", raw->program, &rubric->program)) ||
        (raw->reference && !read_file(reading, "reference", raw->reference, &rubric->reference)))
        return false;
    rubric->kernel = raw->kernel;
    rubric->files = arena_array(reading->arena, struct rubric_file, raw->files_count);
    rubric->file_count = raw->files_count;
    for (unsigned i = 0; i < raw->files_count; i++)
        if (!read_file(reading, field_of(reading, "files", i, ""), raw->files[i], &rubric->files[i]))
            return false;
    if (raw->kernel && raw->flags_count)
        return wrong(reading, "flags", N_("is for whole programs; this rubric launches a kernel"));
    rubric->flags = (const char *const *)raw->flags;
    rubric->flag_count = raw->flags_count;
    return true;
}

static bool read_limit(const struct reading *reading, const char *name, double given, double least, double most,
                       double *value)
{
    if (given < least || given > most || isnan(given))
        return wrong(reading, name, N_("takes %g to %g"), least, most);
    *value = given;
    return true;
}

static bool read_limits(const struct reading *reading)
{
    static const struct raw_limits none;
    const struct raw_limits *raw = reading->raw->limits ? reading->raw->limits : &none;
    double seconds = 60, memory = 2048, disk = 512, processes = 128, instructions = 10e6;
    if ((raw->seconds && !read_limit(reading, "limits.seconds", *raw->seconds, 1, 3600, &seconds)) ||
        (raw->memory && !read_limit(reading, "limits.memory", (double)*raw->memory, 256, 1 << 20, &memory)) ||
        (raw->disk && !read_limit(reading, "limits.disk", (double)*raw->disk, 64, 1 << 16, &disk)) ||
        (raw->processes && !read_limit(reading, "limits.processes", (double)*raw->processes, 32, 4096, &processes)) ||
        (raw->instructions &&
         !read_limit(reading, "limits.instructions", (double)*raw->instructions, 1000, 4e9, &instructions)))
        return false;
    reading->rubric->seconds = seconds;
    reading->rubric->memory = (uint64_t)memory << 20;
    reading->rubric->disk = (uint64_t)disk << 20;
    reading->rubric->processes = (unsigned)processes;
    reading->rubric->instructions = (uint64_t)instructions;
    return true;
}

/* ---- runs ---- */

static bool read_sizes(const struct reading *reading, const struct raw_rubric_run *raw, size_t index,
                       struct rubric_run *run)
{
    struct run_fact *sizes = arena_array(reading->arena, struct run_fact, raw->sizes_count);
    struct error error;
    run->sizes = sizes;
    for (unsigned i = 0; i < raw->sizes_count; i++) {
        const char *field = field_of(reading, field_of(reading, "runs", index, "sizes"), i, "");
        const char *equals = strchr(raw->sizes[i], '=');
        size_t const length = equals ? (size_t)(equals - raw->sizes[i]) : 0;
        const char *name = arena_text_n(reading->arena, raw->sizes[i], length);
        if (!length || !is_word(name) || strchr(name, '-') || isdigit((unsigned char)*name))
            return wrong(reading, field, N_("takes NAME=VALUE, not \"%s\""), raw->sizes[i]);
        if (!expression_evaluate(equals + 1, sizes, i, &sizes[i].value, &error))
            return wrong_expression(reading, field, &error);
        sizes[i].name = name;
        run->size_count = i + 1;
    }
    return true;
}

struct words {
    const char **items;
    size_t count;
};

static bool add_word(const struct reading *reading, struct words *words, const char *option, const char *field,
                     const char *text, const struct rubric_run *run)
{
    if (!text)
        return true;
    const char *filled = fill_in(reading, field, text, run->sizes, run->size_count);
    if (option)
        words->items[words->count++] = option;
    words->items[words->count++] = filled;
    return filled != NULL;
}

/* Reads the options of a kernel's launch by the command line's own reader, so that a mistake is found now. */
static bool check_launch(const struct reading *reading, size_t index, const struct words *words)
{
    struct run_file_request request = {.path = reading->rubric->file};
    struct error error;
    for (size_t i = 0; i + 1 < words->count; i += 2)
        if (!launch_option(reading->arena, &request, words->items[i] + 2, words->items[i + 1], &error))
            return wrong(reading, field_of(reading, "runs", index, words->items[i] + 2), "%s", error.message);
    return true;
}

static bool read_words(const struct reading *reading, const struct raw_rubric_run *raw, size_t index,
                       struct rubric_run *run)
{
    bool const launch = raw->grid || raw->block || raw->shared || raw->arg_count, kernel = reading->rubric->kernel;
    struct words words = {arena_array(reading->arena, const char *, raw->arguments_count + 2 * raw->arg_count + 8), 0};
    if (launch && !kernel)
        return wrong(reading, field_of(reading, "runs", index, ""),
                     N_("grid, block, shared and arg belong to a kernel: name it by the field 'kernel'"));
    if (raw->arguments_count && kernel)
        return wrong(reading, field_of(reading, "runs", index, "arguments"),
                     N_("a kernel takes 'arg'; arguments are of a program"));
    for (unsigned i = 0; i < raw->arguments_count; i++)
        if (!add_word(reading, &words, NULL, field_of(reading, field_of(reading, "runs", index, "arguments"), i, ""),
                      raw->arguments[i], run))
            return false;
    if (kernel) {
        words.items[words.count++] = "--kernel";
        words.items[words.count++] = reading->rubric->kernel;
        if (!add_word(reading, &words, "--grid", field_of(reading, "runs", index, "grid"), raw->grid, run) ||
            !add_word(reading, &words, "--block", field_of(reading, "runs", index, "block"), raw->block, run) ||
            !add_word(reading, &words, "--shared", field_of(reading, "runs", index, "shared"), raw->shared, run))
            return false;
        for (unsigned i = 0; i < raw->arg_count; i++)
            if (!add_word(reading, &words, "--arg", field_of(reading, field_of(reading, "runs", index, "arg"), i, ""),
                          raw->arg[i], run))
                return false;
        if (!check_launch(reading, index, &words))
            return false;
    }
    run->words = words.items;
    run->word_count = words.count;
    return true;
}

static bool read_runs(const struct reading *reading)
{
    const struct raw_rubric *raw = reading->raw;
    struct rubric *rubric = reading->rubric;
    if (!raw->runs_count || raw->runs_count > RUNS_MOST)
        return wrong(reading, "runs", N_("takes at least one run, and at most %d"), RUNS_MOST);
    rubric->runs = arena_array(reading->arena, struct rubric_run, raw->runs_count);
    rubric->run_count = raw->runs_count;
    for (size_t i = 0; i < raw->runs_count; i++) {
        struct rubric_run *run = &rubric->runs[i];
        run->name = raw->runs[i].run;
        run->line = schema_line(reading->text, reading->size, field_of(reading, "runs", i, ""));
        if (!is_word(run->name))
            return wrong(reading, field_of(reading, "runs", i, "run"),
                         N_("takes a word of letters, digits, - and _, not \"%s\""), run->name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(rubric->runs[k].name, run->name) == 0)
                return wrong(reading, field_of(reading, "runs", i, "run"), N_("\"%s\" is the name of two runs"),
                             run->name);
        if (raw->runs[i].sizes_count > SIZES_MOST)
            return wrong(reading, field_of(reading, "runs", i, "sizes"), N_("takes at most %d sizes"), SIZES_MOST);
        if (!read_sizes(reading, &raw->runs[i], i, run) || !read_words(reading, &raw->runs[i], i, run))
            return false;
    }
    return true;
}

/* ---- rules ---- */

static bool is_kind(const char *word)
{
    static const char *const kinds[] = {
        "any",
#define FINDING_KIND(name, text) text,
#include "trace/findings.def"
#define MISTAKE(name, text, class, arguments) text,
#include "program/mistakes.def"
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], word) == 0)
            return true;
    return false;
}

/* Evaluates the expression with a made-up value for each counter, for a mistake in it. */
static bool check_expression(const struct reading *reading, const char *field, const struct rubric_rule *rule)
{
    size_t counter_count, figures = 0;
    const char *const *counters = rubric_counters(reading->arena, &counter_count);
    while (rubric_figures[figures])
        figures++;
    for (size_t i = 0; i < reading->rubric->run_count; i++) {
        const struct rubric_run *run = &reading->rubric->runs[i];
        struct run_fact *facts =
            arena_array(reading->arena, struct run_fact, run->size_count + counter_count + figures);
        size_t count = 0;
        double value;
        struct error error;
        for (size_t k = 0; k < run->size_count; k++)
            facts[count++] = run->sizes[k];
        for (size_t k = 0; k < counter_count; k++)
            facts[count++] = (struct run_fact){rubric_plain(reading->arena, counters[k]), 1, FACT_KNOWN};
        for (size_t k = 0; k < figures; k++)
            facts[count++] = (struct run_fact){rubric_figures[k], 1, FACT_KNOWN};
        if (rule->in_run[i] && !expression_evaluate(rule->expression, facts, count, &value, &error)) {
            wrong_expression(reading, field, &error);
            return error_remedy(
                reading->error,
                "names are the sizes of run '%s', launches, blocks, threads, and the counters that run --json prints",
                run->name);
        }
    }
    return true;
}

static bool read_kinds(const struct reading *reading, const char *field, char **kinds, unsigned count,
                       struct rubric_rule *rule)
{
    rule->kinds = (const char *const *)kinds;
    rule->kind_count = count;
    if (!count)
        return wrong(reading, field, N_("takes at least one word"));
    for (unsigned i = 0; i < count; i++) {
        if (rule->check == RUBRIC_WITHOUT && !is_kind(kinds[i])) {
            wrong(reading, field_of(reading, field, i, ""), N_("\"%s\" is no kind of finding"), kinds[i]);
            return error_remedy(reading->error, "write 'any', or the kind of a finding as run --json names it");
        }
        if (rule->check != RUBRIC_WITHOUT && !*kinds[i])
            return wrong(reading, field_of(reading, field, i, ""), N_("takes words of the source"));
    }
    return true;
}

static bool read_reference(const struct reading *reading, const char *field, const char *word, struct rubric_rule *rule)
{
    char *end;
    long const number = strtol(word, &end, 10);
    if (!reading->rubric->reference.name)
        return wrong(reading, field, N_("needs a right solution: name it by the field 'reference' of the rubric"));
    rule->buffer = RUBRIC_NO_BUFFER;
    if (strcmp(word, "output") == 0 && !reading->rubric->kernel)
        return true;
    if (!reading->rubric->kernel || *end || end == word || number < 0)
        return wrong(reading, field, N_("takes %s, not \"%s\""),
                     reading->rubric->kernel ? _("the number of a buffer among the arguments, from 0") : "output",
                     word);
    for (size_t i = 0; i < reading->rubric->run_count; i++) {
        long left = number;
        bool found = false;
        const struct raw_rubric_run *run = &reading->raw->runs[i];
        for (unsigned k = 0; k < run->arg_count; k++, left--)
            found = found || (left == 0 && strchr(run->arg[k], '['));
        if (!found)
            return wrong(reading, field, N_("argument %ld of run '%s' is no buffer"), number,
                         reading->rubric->runs[i].name);
    }
    rule->buffer = (int)number;
    return true;
}

/* Reads what must hold: exactly one field says it. */
static bool read_check(const struct reading *reading, const struct raw_rule *raw, size_t index,
                       struct rubric_rule *rule)
{
    const struct {
        enum rubric_check check;
        const char *field, *text;
    } checks[] = {{RUBRIC_PRINTS, "prints", raw->prints},
                  {RUBRIC_OUTPUT, "output", raw->output},
                  {RUBRIC_REFERENCE, "reference", raw->reference},
                  {RUBRIC_STATUS, "status", raw->status ? "" : NULL},
                  {RUBRIC_WITHOUT, "without", raw->without_count ? "" : NULL},
                  {RUBRIC_HOLDS, "holds", raw->holds},
                  {RUBRIC_USES, "uses", raw->uses_count ? "" : NULL},
                  {RUBRIC_LACKS, "lacks", raw->lacks_count ? "" : NULL}};
    size_t found = 0;
    const char *field = "";
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].text && ++found) {
            rule->check = checks[i].check;
            rule->words = checks[i].text;
            field = field_of(reading, "rules", index, checks[i].field);
        }
    if (found != 1)
        return wrong(reading, field_of(reading, "rules", index, ""),
                     N_("a rule has one of prints, output, reference, status, without, holds, uses and lacks"));
    bool const compares = rule->check == RUBRIC_OUTPUT || rule->check == RUBRIC_REFERENCE;
    rule->tolerance = raw->tolerance ? *raw->tolerance : RUBRIC_NO_TOLERANCE;
    if (raw->tolerance && (!compares || !(*raw->tolerance >= 0)))
        return wrong(reading, field_of(reading, "rules", index, "tolerance"),
                     N_("is a number from 0, of a rule with output or reference"));
    if (raw->kernel && rule->check != RUBRIC_HOLDS)
        return wrong(reading, field_of(reading, "rules", index, "kernel"), N_("belongs to a rule with holds"));
    bool const prints = rule->check == RUBRIC_PRINTS || rule->check == RUBRIC_OUTPUT || rule->check == RUBRIC_STATUS;
    if (prints && reading->rubric->kernel)
        return wrong(reading, field, N_("is of a program; this rubric launches a kernel"));
    rule->kernel = raw->kernel;
    switch (rule->check) {
    case RUBRIC_STATUS:
        rule->status = (int)*raw->status;
        return true;
    case RUBRIC_WITHOUT:
        return read_kinds(reading, field, raw->without, raw->without_count, rule);
    case RUBRIC_USES:
        return read_kinds(reading, field, raw->uses, raw->uses_count, rule);
    case RUBRIC_LACKS:
        return read_kinds(reading, field, raw->lacks, raw->lacks_count, rule);
    case RUBRIC_REFERENCE:
        return read_reference(reading, field, raw->reference, rule);
    case RUBRIC_HOLDS:
        rule->expression = rubric_plain(reading->arena, raw->holds);
        reading->rubric->caches = reading->rubric->caches || asks_for_caches(reading->arena, rule->expression);
        return check_expression(reading, field, rule);
    default:
        return *rule->words || wrong(reading, field, N_("takes words of the output"));
    }
}

static bool read_rule_runs(const struct reading *reading, const struct raw_rule *raw, size_t index,
                           struct rubric_rule *rule)
{
    bool *in_run = arena_array(reading->arena, bool, reading->rubric->run_count);
    for (size_t i = 0; i < reading->rubric->run_count; i++)
        in_run[i] = !raw->runs_count;
    for (unsigned k = 0; k < raw->runs_count; k++) {
        bool found = false;
        for (size_t i = 0; i < reading->rubric->run_count; i++)
            if (strcmp(reading->rubric->runs[i].name, raw->runs[k]) == 0)
                in_run[i] = found = true;
        if (!found)
            return wrong(reading, field_of(reading, field_of(reading, "rules", index, "runs"), k, ""),
                         N_("no run is called \"%s\""), raw->runs[k]);
    }
    rule->in_run = in_run;
    return true;
}

static bool read_needs(const struct reading *reading, size_t index)
{
    const struct raw_rule *raw = &reading->raw->rules[index];
    struct rubric_rule *rule = &reading->rubric->rules[index];
    rule->needs = -1;
    for (size_t i = 0; raw->needs && i < index; i++)
        if (strcmp(reading->rubric->rules[i].name, raw->needs) == 0 && *raw->needs)
            rule->needs = (int)i;
    return !raw->needs || rule->needs >= 0 ||
           wrong(reading, field_of(reading, "rules", index, "needs"), N_("no rule before this one has the name \"%s\""),
                 raw->needs);
}

static bool read_rule(const struct reading *reading, size_t index)
{
    const struct raw_rule *raw = &reading->raw->rules[index];
    struct rubric_rule *rule = &reading->rubric->rules[index];
    bool const korean = words_language() == WORDS_KOREAN;
    rule->name = raw->name ? raw->name : "";
    rule->text = korean && raw->ko ? raw->ko : raw->rule;
    rule->feedback = korean && raw->feedback_ko ? raw->feedback_ko : raw->feedback ? raw->feedback : "";
    rule->lesson = raw->lesson ? raw->lesson : "";
    rule->points = raw->points;
    rule->hidden = raw->hidden;
    rule->line = schema_line(reading->text, reading->size, field_of(reading, "rules", index, ""));
    if (!(raw->points >= 0 && raw->points <= 1e6))
        return wrong(reading, field_of(reading, "rules", index, "points"), N_("takes 0 to 1,000,000"));
    if (*rule->lesson && !lesson_exists(rule->lesson))
        return wrong(reading, field_of(reading, "rules", index, "lesson"), N_("no lesson is called \"%s\""),
                     rule->lesson);
    if (strchr(rule->text, '\n'))
        return wrong(reading, field_of(reading, "rules", index, "rule"), N_("takes one line"));
    return read_rule_runs(reading, raw, index, rule) && read_needs(reading, index) &&
           read_check(reading, raw, index, rule);
}

static bool read_rules(const struct reading *reading)
{
    const struct raw_rubric *raw = reading->raw;
    struct rubric *rubric = reading->rubric;
    if (!raw->rules_count || raw->rules_count > RULES_MOST)
        return wrong(reading, "rules", N_("takes at least one rule, and at most %d"), RULES_MOST);
    rubric->rules = arena_array(reading->arena, struct rubric_rule, raw->rules_count);
    rubric->rule_count = raw->rules_count;
    for (size_t i = 0; i < raw->rules_count; i++) {
        if (!read_rule(reading, i))
            return false;
        rubric->points += rubric->rules[i].points;
    }
    return rubric->points > 0 || wrong(reading, "rules", N_("the rules have no points"));
}

bool rubric_load(struct arena *arena, const char *path, struct rubric *rubric, struct error *error)
{
    struct reading reading = {.arena = arena, .rubric = rubric, .path = path, .error = error};
    char *text;
    void *raw;
    *rubric = (struct rubric){.path = path};
    if (!file_read(arena, path, &text, &reading.size, error) ||
        !schema_load(arena, path, text, reading.size, &rubric_schema, &raw, error))
        return false;
    const char *slash = strrchr(path, '/');
    reading.text = text;
    reading.raw = raw;
    reading.folder = !slash ? "." : slash == path ? "/" : arena_text_n(arena, path, (size_t)(slash - path));
    return read_files(&reading) && read_limits(&reading) && read_runs(&reading) && read_rules(&reading);
}
