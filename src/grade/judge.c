/* Rules. Each that does not hold gets one sentence with the cause, and where it is known the line, a remedy and the
 * lesson that teaches it, all in the user's language. */
#include "grade/judge.h"
#include "base/base64.h"
#include "base/words.h"
#include "lesson/expression.h"
#include "run/fill.h"
#include "run/reference.h"
#include "source/tokens.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct trial {
    struct arena *arena;
    const struct rubric *rubric;
    const char *text;
    const json_t *build;
    json_t *const *runs, *const *reference;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static int number_of(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static bool is_ending(const json_t *outcome, const char *word)
{
    return strcmp(text_of(outcome, "ending"), word) == 0;
}

static const char *first_line(struct arena *arena, const char *text)
{
    static const char own[] = "lanescope: ";
    if (strncmp(text, own, sizeof own - 1) == 0)
        text += sizeof own - 1;
    return arena_text_n(arena, text, strcspn(text, "\n"));
}

/* Returns why a step did not end by itself, or NULL. */
static const char *why_not_ended(const struct trial *trial, const json_t *outcome)
{
    struct arena *arena = trial->arena;
    if (is_ending(outcome, "exited"))
        return NULL;
    if (is_ending(outcome, "signal"))
        return arena_format(arena, _("the program was ended by signal %d (%s)"), number_of(outcome, "signal"),
                            strsignal(number_of(outcome, "signal")));
    if (is_ending(outcome, "seconds"))
        return arena_format(arena, _("the program used more than %.0f seconds of processor time"),
                            trial->rubric->seconds);
    if (is_ending(outcome, "idle") || is_ending(outcome, "wall"))
        return _("the program waited and did not end");
    if (is_ending(outcome, "memory"))
        return arena_format(arena, _("the program used more than %llu MiB of memory"),
                            (unsigned long long)(trial->rubric->memory >> 20));
    if (is_ending(outcome, "processes"))
        return arena_format(arena, _("the program started %u processes and went on"), trial->rubric->processes);
    if (is_ending(outcome, "output"))
        return _("the program printed or wrote more than the limit");
    if (is_ending(outcome, "wrong"))
        return arena_format(arena, _("it does not compile: %s"), first_line(arena, text_of(outcome, "errors")));
    const char *why = text_of(outcome, "why"), *errors = text_of(outcome, "errors");
    return arena_format(arena, _("it could not be run: %s"), *errors ? first_line(arena, errors) : why);
}

static void set_place(struct trial const *trial, const json_t *from, struct grade_verdict *verdict)
{
    verdict->file = arena_text(trial->arena, text_of(from, "file"));
    verdict->line = number_of(from, "line");
    verdict->remedy = arena_text(trial->arena, text_of(from, "remedy"));
    if (!*verdict->lesson)
        verdict->lesson = arena_text(trial->arena, text_of(from, "lesson"));
}

/* Reads the line of a compiler's message, "transpose.cu:12:5: ...". */
static void set_compiler_place(struct trial const *trial, const json_t *outcome, struct grade_verdict *verdict)
{
    const char *line = first_line(trial->arena, text_of(outcome, "errors")), *colon = strchr(line, ':');
    int const number = colon ? (int)strtol(colon + 1, NULL, 10) : 0;
    if (number > 0) {
        verdict->file = arena_text_n(trial->arena, line, (size_t)(colon - line));
        verdict->line = number;
    }
}

/* A crash or a wrong result is explained by the first finding that is a fault. */
static void explain_by_fault(const struct trial *trial, const json_t *outcome, struct grade_verdict *verdict)
{
    json_t *finding;
    size_t i;
    json_array_foreach(json_object_get(outcome, "findings"), i, finding)
    {
        if (!json_is_true(json_object_get(finding, "fault")))
            continue;
        verdict->cause = arena_format(trial->arena, "%s. %s", verdict->cause, text_of(finding, "message"));
        if (*text_of(finding, "lesson"))
            verdict->lesson = "";
        set_place(trial, finding, verdict);
        return;
    }
}

/* ---- texts and numbers ---- */

static const char *skip_space(const char *at)
{
    while (*at && isspace((unsigned char)*at))
        at++;
    return at;
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (at[length] && !isspace((unsigned char)at[length]))
        length++;
    return length;
}

static bool read_number(const char *word, size_t length, double *value)
{
    char text[64], *end;
    if (!length || length >= sizeof text)
        return false;
    memcpy(text, word, length);
    text[length] = '\0';
    *value = strtod(text, &end);
    return *end == '\0';
}

static bool close_enough(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (a == b) /* infinities, too */
        return true;
    return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

/* Returns whether two outputs agree word by word, numbers within the tolerance. Otherwise gives both words, and the
 * line of the first output. */
static bool words_agree(const char *a, const char *b, double tolerance, const char **of_a, const char **of_b,
                        unsigned *line)
{
    *line = 1;
    for (;;) {
        for (; *a && isspace((unsigned char)*a); a++)
            *line += *a == '\n';
        b = skip_space(b);
        size_t const n = word_length(a), m = word_length(b);
        double x, y;
        *of_a = a;
        *of_b = b;
        if (!n && !m)
            return true;
        bool const numbers = tolerance >= 0 && read_number(a, n, &x) && read_number(b, m, &y);
        if (numbers ? !close_enough(x, y, tolerance) : n != m || memcmp(a, b, n) != 0)
            return false;
        a += n;
        b += m;
    }
}

static const char *quoted(struct arena *arena, const char *word)
{
    enum { SHOWN = 40 };
    size_t length = word_length(word);
    if (!length)
        return _("the end");
    bool const cut = length > SHOWN;
    for (length = cut ? SHOWN : length; cut && length && ((unsigned char)word[length] & 0xC0) == 0x80;)
        length--;
    return arena_format(arena, "\"%.*s%s\"", (int)length, word, cut ? "..." : "");
}

/* White space is not compared: neither a blank at the end of a line nor another line end changes a result. */
static bool judge_text(const struct trial *trial, const struct rubric_rule *rule, const char *got, const char *expected,
                       struct grade_verdict *verdict)
{
    const char *of_got, *of_expected;
    unsigned line;
    if (words_agree(got, expected, rule->tolerance, &of_got, &of_expected, &line))
        return true;
    verdict->cause = arena_format(trial->arena, _("line %u of the output has %s where %s is due"), line,
                                  quoted(trial->arena, of_got), quoted(trial->arena, of_expected));
    return false;
}

static uint8_t *bytes_of(const struct trial *trial, const json_t *outcome, int argument, size_t *size)
{
    char name[16];
    snprintf(name, sizeof name, "%d", argument);
    const char *letters = text_of(json_object_get(outcome, "buffers"), name);
    size_t const length = strlen(letters);
    uint8_t *bytes = arena_alloc(trial->arena, length + 1);
    *size = 0;
    base64_read(letters, length, bytes, size);
    return bytes;
}

static size_t element_size(const char *type)
{
    int const bits = atoi(type + strcspn(type, "0123456789"));
    return bits >= 8 ? (size_t)bits / 8 : 1;
}

/* The element of a buffer whose type has this name, as its value. */
static double element_of(const uint8_t *bytes, const char *type, size_t index)
{
    uint64_t element = 0; /* aligned */
    enum ptx_type const found = fill_type(type, strlen(type));
    size_t const width = element_size(type);
    memcpy(&element, bytes + index * width, width);
    return found ? reference_element(found, &element, 0) : (double)NAN;
}

/* Returns the type of a run's buffer: the word of its option before the bracket. */
static const char *buffer_type(const struct trial *trial, const struct rubric_run *run, int argument)
{
    for (size_t i = 0; i + 1 < run->word_count; i++)
        if (strcmp(run->words[i], "--arg") == 0 && argument-- == 0)
            return arena_text_n(trial->arena, run->words[i + 1], strcspn(run->words[i + 1], "["));
    return "u8";
}

static bool judge_buffer(const struct trial *trial, const struct rubric_rule *rule, size_t run,
                         struct grade_verdict *verdict)
{
    size_t size, due_size;
    const uint8_t *got = bytes_of(trial, trial->runs[run], rule->buffer, &size);
    const uint8_t *due = bytes_of(trial, trial->reference[run], rule->buffer, &due_size);
    const char *type = buffer_type(trial, &trial->rubric->runs[run], rule->buffer);
    size_t const width = element_size(type);
    if (size != due_size || !size) {
        verdict->cause = arena_format(trial->arena, _("argument %d was not written back"), rule->buffer);
        return false;
    }
    for (size_t i = 0; i < size / width; i++) {
        double const a = element_of(got, type, i), b = element_of(due, type, i);
        bool const same = memcmp(got + i * width, due + i * width, width) == 0;
        if (same || (rule->tolerance >= 0 && close_enough(a, b, rule->tolerance)))
            continue;
        verdict->cause = arena_format(trial->arena, _("element %zu of argument %d is %.9g where %.9g is due"), i,
                                      rule->buffer, a, b);
        return false;
    }
    return true;
}

/* ---- findings ---- */

static bool forbids(const struct rubric_rule *rule, const json_t *finding)
{
    for (size_t i = 0; i < rule->kind_count; i++)
        if (strcmp(rule->kinds[i], text_of(finding, "kind")) == 0 ||
            (strcmp(rule->kinds[i], "any") == 0 && json_is_true(json_object_get(finding, "fault"))))
            return true;
    return false;
}

static bool judge_findings(const struct trial *trial, const struct rubric_rule *rule, const json_t *outcome,
                           struct grade_verdict *verdict)
{
    json_t *finding;
    size_t i;
    json_array_foreach(json_object_get(outcome, "findings"), i, finding)
    {
        if (!forbids(rule, finding))
            continue;
        verdict->cause = arena_text(trial->arena, text_of(finding, "message"));
        set_place(trial, finding, verdict);
        return false;
    }
    return true;
}

/* ---- expressions ---- */

struct facts {
    struct run_fact *items;
    size_t count;
    struct arena *arena;
    const char *listed; /* the names of the expression with their values */
    const char *reason; /* why something of the caches may not be known */
    bool unknown;       /* a name of the expression has no value */
};

static bool counts_launch(const struct rubric_rule *rule, const json_t *launch)
{
    const char *kernel = text_of(launch, "kernel");
    size_t const length = rule->kernel ? strlen(rule->kernel) : 0;
    /* "tile" means all of a template, "tile<32>", too */
    return !rule->kernel || (strncmp(kernel, rule->kernel, length) == 0 && strchr("<(", kernel[length]) != NULL);
}

static void add_to(struct facts *facts, const char *name, double value, bool largest)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->items[i].name, name) == 0) {
            facts->items[i].value = largest ? fmax(facts->items[i].value, value) : facts->items[i].value + value;
            return;
        }
    facts->items[facts->count++] = (struct run_fact){name, value, FACT_KNOWN};
}

static double product_of(const json_t *sizes)
{
    double product = 1;
    json_t *size;
    size_t i;
    json_array_foreach(sizes, i, size) product *= json_number_value(size);
    return product;
}

/* Adds what the model of the caches counted of a launch. What it does not know is no number. */
static void add_caches(struct facts *facts, const json_t *caches)
{
    size_t count;
    const char *const *names = rubric_cache_counters(facts->arena, &count);
    const json_t *counters = json_object_get(caches, "counters");
    const char *reason = json_string_value(json_object_get(caches, "reason"));
    if (reason)
        facts->reason = _(reason);
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(counters, names[i]);
        add_to(facts, rubric_plain(facts->arena, names[i]),
               json_is_integer(value) ? json_number_value(value) : (double)NAN, false);
    }
}

static void add_launch(struct facts *facts, const json_t *launch)
{
    const char *key;
    json_t *value;
    double const blocks = product_of(json_object_get(launch, "grid"));
    json_t *counters = json_object_get(launch, "counters"), *figures = json_object_get(launch, "figures");
    json_object_foreach(counters, key, value)
        add_to(facts, rubric_plain(facts->arena, key), json_number_value(value), false);
    json_object_foreach(figures, key, value) add_to(facts, key, json_number_value(value), false);
    add_to(facts, "launches", 1, false);
    add_to(facts, "blocks", blocks, false);
    add_to(facts, "threads", blocks * product_of(json_object_get(launch, "block")), false);
    add_to(facts, "dynamic_shared_bytes", json_number_value(json_object_get(launch, "shared_bytes")), true);
}

static void list_name(void *context, const char *text, size_t length)
{
    struct facts *facts = context;
    for (size_t i = 0; i < facts->count; i++) {
        const struct run_fact *fact = &facts->items[i];
        if (strncmp(fact->name, text, length) != 0 || fact->name[length])
            continue;
        facts->unknown = facts->unknown || isnan(fact->value);
        const char *entry = arena_format(facts->arena, "%s = %.9g", fact->name, fact->value);
        if (!strstr(facts->listed, entry))
            facts->listed = arena_format(facts->arena, "%s%s%s", facts->listed, *facts->listed ? ", " : "", entry);
    }
}

/* Returns what wastes most of what the expression counts, or NULL. */
static const json_t *blame(const struct rubric_rule *rule, const json_t *outcome)
{
    bool const shared = strstr(rule->words, "shared"),
               global = strstr(rule->words, "global") || strstr(rule->words, "lts__") || strstr(rule->words, "dram__");
    const json_t *worst = NULL;
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(outcome, "explain"), i, row)
    {
        const char *space = text_of(row, "space"), *operation = text_of(row, "operation");
        bool const fits = (shared && strcmp(space, "shared") == 0) || (global && strcmp(space, "global") == 0) ||
                          (strstr(rule->words, "branch") && strcmp(operation, "branch") == 0);
        if (fits && counts_launch(rule, row) &&
            (!worst || number_of(row, "wasted_bytes") > number_of(worst, "wasted_bytes")))
            worst = row;
    }
    return worst;
}

/* Counters in an expression have underscores; the profiler's names have points. */
static const char *with_points(const struct trial *trial, const char *text)
{
    size_t count;
    const char *const *names = rubric_counters(trial->arena, &count);
    char *shown = arena_text(trial->arena, text);
    for (size_t i = 0; i < count; i++) {
        const char *plain = rubric_plain(trial->arena, names[i]);
        for (char *at = shown; strcmp(plain, names[i]) != 0 && (at = strstr(at, plain)); at += strlen(plain))
            memcpy(at, names[i], strlen(plain));
    }
    return shown;
}

static bool judge_expression(const struct trial *trial, const struct rubric_rule *rule, size_t run,
                             struct grade_verdict *verdict)
{
    enum { FIGURES = 64 };
    const json_t *outcome = trial->runs[run];
    const struct rubric_run *how = &trial->rubric->runs[run];
    struct facts facts = {arena_array(trial->arena, struct run_fact, how->size_count + FIGURES),
                          0,
                          trial->arena,
                          "",
                          _("it is a matter of cycles"),
                          false};
    json_t *launch;
    size_t i;
    bool any = false;
    double value;
    struct error error;
    for (size_t k = 0; k < how->size_count; k++)
        facts.items[facts.count++] = how->sizes[k];
    json_array_foreach(json_object_get(outcome, "launches"), i, launch)
    {
        if (!counts_launch(rule, launch) || !json_is_object(json_object_get(launch, "counters")))
            continue;
        any = true;
        add_launch(&facts, launch);
        if (trial->rubric->caches)
            add_caches(&facts, json_object_get(launch, "caches"));
    }
    if (!any) {
        verdict->cause = rule->kernel ? arena_format(trial->arena, _("no kernel '%s' was launched"), rule->kernel)
                                      : _("no kernel was launched");
        return false;
    }
    expression_names(rule->expression, list_name, &facts);
    if (facts.unknown) {
        verdict->cause =
            arena_format(trial->arena, _("%s: the model of the caches cannot tell: %s"), rule->words, facts.reason);
        return false;
    }
    if (!expression_evaluate(rule->expression, facts.items, facts.count, &value, &error)) {
        verdict->cause = arena_text(trial->arena, error.message);
        return false;
    }
    if (value != 0 && !isnan(value))
        return true;
    verdict->cause =
        arena_format(trial->arena, _("%s does not hold: %s"), rule->words, with_points(trial, facts.listed));
    const json_t *worst = blame(rule, outcome);
    if (worst) {
        verdict->cause = arena_format(trial->arena, "%s. %s", verdict->cause, text_of(worst, "message"));
        set_place(trial, worst, verdict);
    }
    return false;
}

/* ---- the source ---- */

/* Returns the line where the words stand in the source one after another, outside of comments and texts; 0: nowhere. */
static int line_of(const struct source *source, const struct source *words)
{
    for (uint32_t i = 0; words->count && i + words->count <= source->count + 1; i++) {
        uint32_t k = 0;
        while (k < words->count && source->tokens[i + k].kind != SOURCE_END &&
               source_same(&source->tokens[i + k], &words->tokens[k]))
            k++;
        if (k == words->count)
            return (int)source->tokens[i].line;
    }
    return 0;
}

static bool judge_source(const struct trial *trial, const struct rubric_rule *rule, struct grade_verdict *verdict)
{
    bool const wanted = rule->check == RUBRIC_USES;
    const struct source *source = source_read(trial->arena, trial->text, NULL, 0, SOURCE_ALL);
    for (size_t i = 0; i < rule->kind_count; i++) {
        const struct source *words = source_read(trial->arena, rule->kinds[i], NULL, 0, SOURCE_ALL);
        int const line = line_of(source, words);
        if ((line > 0) == wanted)
            continue;
        verdict->cause = arena_format(
            trial->arena, wanted ? _("the source does not use '%s'") : _("the source uses '%s'"), rule->kinds[i]);
        if (line) {
            verdict->file = trial->rubric->file;
            verdict->line = line;
        }
        return false;
    }
    return true;
}

/* ---- a rule ---- */

/* Returns the last line of an output that is not empty, cut where it is long. */
static const char *last_line(struct arena *arena, const char *output)
{
    enum { SHOWN = 200 };
    size_t end = strlen(output), begin;
    while (end && isspace((unsigned char)output[end - 1]))
        end--;
    for (begin = end; begin && output[begin - 1] != '\n';)
        begin--;
    for (end = end - begin > SHOWN ? begin + SHOWN : end; end > begin && ((unsigned char)output[end] & 0xC0) == 0x80;)
        end--;
    return arena_text_n(arena, output + begin, end - begin);
}

static bool judge_run(const struct trial *trial, const struct rubric_rule *rule, size_t run,
                      struct grade_verdict *verdict)
{
    const json_t *outcome = trial->runs[run];
    const char *output = text_of(outcome, "output");
    verdict->cause = why_not_ended(trial, outcome);
    if (verdict->cause) {
        if (is_ending(outcome, "wrong"))
            set_compiler_place(trial, outcome, verdict);
        else
            explain_by_fault(trial, outcome, verdict);
        return false;
    }
    switch (rule->check) {
    case RUBRIC_PRINTS:
        verdict->cause = *last_line(trial->arena, output)
                             ? arena_format(trial->arena, _("the output has no \"%s\"; its last line is \"%s\""),
                                            rule->words, last_line(trial->arena, output))
                             : arena_format(trial->arena, _("the output has no \"%s\"; it is empty"), rule->words);
        return strstr(output, rule->words) != NULL;
    case RUBRIC_OUTPUT:
        return judge_text(trial, rule, output, rule->words, verdict);
    case RUBRIC_REFERENCE:
        return !trial->reference ||
               (rule->buffer == RUBRIC_NO_BUFFER
                    ? judge_text(trial, rule, output, text_of(trial->reference[run], "output"), verdict)
                    : judge_buffer(trial, rule, run, verdict));
    case RUBRIC_STATUS:
        verdict->cause =
            arena_format(trial->arena, _("the exit status is %d, not %d"), number_of(outcome, "status"), rule->status);
        return number_of(outcome, "status") == rule->status;
    case RUBRIC_WITHOUT:
        if (json_array_size(json_object_get(outcome, "launches")) ||
            json_array_size(json_object_get(outcome, "findings")))
            return judge_findings(trial, rule, outcome, verdict);
        verdict->cause = _("no kernel was launched"); /* nothing was looked at */
        return false;
    default:
        return judge_expression(trial, rule, run, verdict);
    }
}

/* Returns whether a rule looks at what a program computes, which a mistake found elsewhere may explain. */
static bool shows_a_result(enum rubric_check check)
{
    return check == RUBRIC_PRINTS || check == RUBRIC_OUTPUT || check == RUBRIC_REFERENCE || check == RUBRIC_STATUS;
}

static void judge_rule(const struct trial *trial, size_t index, struct grade_verdict *verdicts)
{
    const struct rubric_rule *rule = &trial->rubric->rules[index];
    struct grade_verdict *verdict = &verdicts[index];
    *verdict = (struct grade_verdict){.run = "", .file = "", .remedy = "", .lesson = rule->lesson, .cause = ""};
    bool const text = rule->check == RUBRIC_USES || rule->check == RUBRIC_LACKS;
    verdict->holds = text ? judge_source(trial, rule, verdict) : true;
    if (!text && trial->build && !is_ending(trial->build, "exited")) {
        verdict->holds = false;
        verdict->cause = why_not_ended(trial, trial->build);
        verdict->lesson = ""; /* it teaches nothing about that */
        set_compiler_place(trial, trial->build, verdict);
    } else if (!text) {
        for (size_t i = 0; i < trial->rubric->run_count && verdict->holds; i++) {
            if (!rule->in_run[i])
                continue;
            verdict->holds = judge_run(trial, rule, i, verdict);
            if (!verdict->holds && shows_a_result(rule->check) && is_ending(trial->runs[i], "exited"))
                explain_by_fault(trial, trial->runs[i], verdict);
            verdict->run = verdict->holds ? "" : trial->rubric->runs[i].name;
        }
    }
    if (verdict->holds && rule->needs >= 0 && !verdicts[rule->needs].holds) {
        verdict->holds = false;
        verdict->cause =
            arena_format(trial->arena, _("it counts only with \"%s\""), trial->rubric->rules[rule->needs].text);
    }
    if (verdict->holds)
        verdict->cause = "";
    verdict->points = verdict->holds ? rule->points : 0;
}

void judge(struct arena *arena, const struct rubric *rubric, const char *text, const json_t *build, json_t *const *runs,
           json_t *const *reference, struct grade_verdict *verdicts)
{
    struct trial const trial = {arena, rubric, text, build, runs, reference};
    for (size_t i = 0; i < rubric->rule_count; i++)
        judge_rule(&trial, i, verdicts);
}
