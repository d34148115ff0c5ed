/* Fills the run's numbers into texts of a lesson: {expression}, {expression:format}, {expression|one|many}, {device},
 * {date}, {what}, {source} of this setting or `of` a number from elsewhere, {?condition} of a paragraph, and the Korean
 * particle that follows, {이/가}. */
#include "base/agree.h"
#include "lesson/elsewhere.h"
#include "lesson/facts.h"
#include "lesson/kept.h"
#include "lesson/plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool run_evaluate(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                  const char *expression, double *value, struct error *error)
{
    if (run)
        return elsewhere_find(run, lesson, setting, expression, error) &&
               expression_evaluate(expression, run->facts, run->fact_count, value, error);
    struct arena arena = {0};
    struct run_fact *names;
    size_t count;
    bool const evaluated = plan_names(lesson, setting, false, &arena, &names, &count, error) &&
                           expression_evaluate(expression, names, count, value, error);
    arena_free(&arena);
    return evaluated;
}

/* Returns a number with a comma after every three digits before the decimal point. */
static const char *with_commas(struct arena *arena, const char *number)
{
    size_t const sign = *number == '-', digits = strcspn(number + sign, ".");
    char *text = arena_alloc(arena, strlen(number) * 2 + 1), *to = text;
    for (size_t i = 0; number[i]; i++) {
        if (i > sign && i < sign + digits && (sign + digits - i) % 3 == 0)
            *to++ = ',';
        *to++ = number[i];
    }
    return text;
}

static const char *fixed(struct arena *arena, double value, int decimals)
{
    return with_commas(arena, arena_format(arena, "%.*f", decimals, value));
}

/* Returns a number with three significant digits. */
static const char *three_figures(struct arena *arena, double value)
{
    double const size = fabs(value);
    return fixed(arena, value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

static const char *duration(struct arena *arena, double microseconds)
{
    if (microseconds < 999.5)
        return arena_format(arena, "%s µs", three_figures(arena, microseconds));
    if (microseconds < 999.5e3)
        return arena_format(arena, "%s ms", three_figures(arena, microseconds * 1e-3));
    return arena_format(arena, "%s s", three_figures(arena, microseconds * 1e-6));
}

/* Returns a whole percentage. A half is kept: 1 / 8 is 12.5 %. */
static const char *percentage(struct arena *arena, double value)
{
    bool const half = fabs(value) < 10 && fabs(value * 200 - round(value * 200)) < 1e-9;
    bool const whole = fabs(value * 100 - round(value * 100)) < 1e-9;
    return arena_format(arena, "%.*f %%", half && !whole, value * 100);
}

static const char *format_number(struct arena *arena, double value, const char *format)
{
    if (!isfinite(value))
        return "—";
    if (strcmp(format, "us") == 0)
        return duration(arena, value);
    if (strcmp(format, "%") == 0)
        return percentage(arena, value);
    if (strcmp(format, "plain") == 0)
        return arena_format(arena, "%.15g", value);
    if (*format)
        return fixed(arena, value, *format - '0');
    bool const whole = fabs(value - round(value)) < 1e-9 * fmax(1, fabs(value));
    return whole ? fixed(arena, round(value), 0) : three_figures(arena, value);
}

/* Cuts off the format after the last colon and returns it. Other colons belong to ?:. */
static const char *split_format(char *expression)
{
    char *colon = strrchr(expression, ':');
    if (!colon)
        return "";
    const char *format = colon + 1;
    bool const digit = format[0] >= '0' && format[0] <= '9' && format[1] == '\0';
    int open = 0;
    for (const char *c = expression; *c; c++)
        open += (*c == '?') - (*c == ':');
    bool const word = strcmp(format, "us") == 0 || strcmp(format, "%") == 0 || strcmp(format, "plain") == 0;
    if (!word && !(digit && open < 0))
        return "";
    *colon = '\0';
    return format;
}

/* Returns the first single bar. A double bar is an `or`. */
static char *find_bar(char *text)
{
    for (char *c = text; *c; c++)
        if (*c == '|' && c[1] == '|')
            c++;
        else if (*c == '|')
            return c;
    return NULL;
}

char *words_inside(struct arena *arena, const char *braces)
{
    char *inside = arena_text_n(arena, braces + 1, strcspn(braces + 1, "}"));
    char *words = *inside == '?' ? NULL : find_bar(inside);
    if (words)
        *words = '\0';
    else if (*inside != '?')
        split_format(inside);
    return inside;
}

struct time_search {
    const struct lesson *lesson;
    bool found;
};

static void note_time_fact(void *context, const char *name, size_t length)
{
    bool *found = context;
    *found = *found || fact_has_scope(name, length, SCOPE_TIME);
}

/* A number from elsewhere is a time if its value is made of one. */
static void note_time(void *context, const char *name, size_t length)
{
    struct time_search *search = context;
    const struct lesson_plan *plan = search->lesson->plan;
    search->found = search->found || fact_has_scope(name, length, SCOPE_TIME);
    for (size_t i = 0; i < plan->elsewhere_count && !search->found; i++)
        if (strlen(plan->elsewhere[i].name) == length && memcmp(plan->elsewhere[i].name, name, length) == 0)
            expression_names(plan->elsewhere[i].value, note_time_fact, &search->found);
}

static bool tells_time(const struct lesson *lesson, const char *text)
{
    struct time_search search = {lesson, false};
    struct arena arena = {0};
    for (const char *at = strchr(text, '{'); at && !search.found; at = strchr(at + 1, '{')) {
        const char *inside = words_inside(&arena, at);
        if (*inside != '?') /* a condition is not shown */
            expression_names(inside, note_time, &search);
    }
    arena_free(&arena);
    return search.found;
}

bool expression_tells_time(const struct lesson *lesson, const char *expression)
{
    struct time_search search = {lesson, false};
    if (expression)
        expression_names(expression, note_time, &search);
    return search.found;
}

bool words_tell_time(const struct lesson *lesson, const struct lesson_text *text)
{
    for (size_t i = 0; i < text->count; i++)
        for (size_t k = 0; k < text->paragraphs[i].span_count; k++)
            if (tells_time(lesson, text->paragraphs[i].spans[k].text))
                return true;
    return false;
}

/* Returns the words for {device} and the like, which describe a measured time, or NULL for other texts. */
static const char *time_words(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                              struct arena *arena, const char *text)
{
    static const char *const words[] = {"device", "driver", "date", "what"};
    size_t const length = strcspn(text, " ");
    unsigned word = 0;
    while (word < 4 && !(strlen(words[word]) == length && memcmp(words[word], text, length) == 0))
        word++;
    if (word == 4)
        return NULL;
    struct measured_time time = run ? run->time : run_lesson_time(lesson, setting);
    if (strncmp(text + length, " of ", 4) == 0) {
        size_t i = 0;
        while (i < lesson->plan->elsewhere_count && strcmp(lesson->plan->elsewhere[i].name, text + length + 4) != 0)
            i++;
        if (i == lesson->plan->elsewhere_count)
            return NULL;
        struct lesson_setting there = *setting;
        lesson_apply_sets(&there, lesson->plan->elsewhere[i].sets, lesson->plan->elsewhere[i].set_count);
        time = run_lesson_time(lesson, &there);
    } else if (text[length]) {
        return NULL;
    }
    const char *const values[] = {time.device, time.driver, time.date, time_what(&time)};
    return values[word][0] ? arena_text(arena, values[word]) : "—";
}

/* Returns the name of the chosen GPU for {gpu}, or NULL for other texts. */
static const char *gpu_words(const struct lesson *lesson, const char *text)
{
    struct clock_figures figures;
    return strcmp(text, "gpu") == 0 && kept_clock(lesson, &figures, NULL) ? figures.gpu : NULL;
}

/* Returns the text for the contents of a pair of braces, or NULL when they have no value. */
static const char *fill_one(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                            struct arena *arena, char *inside, struct error *error)
{
    double value;
    const char *words = lesson ? time_words(run, lesson, setting, arena, inside) : NULL;
    if (!words && lesson)
        words = gpu_words(lesson, inside);
    if (words)
        return words;
    char *one = find_bar(inside), *many = one ? find_bar(one + 1) : NULL;
    if (one && !many) {
        error_set(error, ERROR_INPUT, "two words are needed: {n|one|many}");
        return NULL;
    }
    if (one)
        *one = *many = '\0';
    const char *format = one ? "" : split_format(inside);
    if (!run_evaluate(run, lesson, setting, inside, &value, error))
        return NULL;
    return !one ? format_number(arena, value, format) : value == 1 ? one + 1 : many + 1;
}

/* Returns whether a condition holds. A condition without a value counts as true and stays visible. */
static bool holds(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                  const char *condition, bool *known)
{
    double value = 1;
    *known = run_evaluate(run, lesson, setting, condition, &value, NULL);
    return !*known || value != 0;
}

/* Returns whether braces hold the forms of a Korean particle, {이/가}, which follows a number's last sound. */
static bool is_particle(const char *braces)
{
    return (unsigned char)braces[1] >= 0x80 && agree_marked(braces);
}

bool run_text_known(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                    const char *braces, struct error *error)
{
    struct arena arena = {0};
    char *inside = arena_text_n(&arena, braces + 1, strlen(braces) - 2);
    double value;
    bool const known =
        is_particle(braces) || (*inside == '?' ? run_evaluate(run, lesson, setting, inside + 1, &value, error)
                                               : fill_one(run, lesson, setting, &arena, inside, error) != NULL);
    arena_free(&arena);
    return known;
}

const char *words_expression(struct arena *arena, const char *braces)
{
    static const char *const words[] = {"device", "driver", "date", "what", "gpu"};
    char *inside = arena_text_n(arena, braces + 1, strlen(braces) - 2);
    size_t const length = strcspn(inside, " ");
    for (int i = 0; i < 5; i++)
        if (strlen(words[i]) == length && memcmp(words[i], inside, length) == 0)
            return NULL;
    if (*inside == '?' || is_particle(braces) || find_bar(inside))
        return NULL;
    split_format(inside);
    return inside;
}

struct text {
    char *items;
    size_t count, capacity;
};

static void append(struct text *text, const char *words, size_t length)
{
    text->items = array_grow(text->items, &text->capacity, text->count + length + 1, 1);
    memcpy(text->items + text->count, words, length);
    text->count += length;
}

/* Appends the value of a pair of braces, or the braces themselves when they have none. Returns false for a condition
 * that does not hold. */
static bool append_filled(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                          struct arena *arena, struct text *text, const char *braces, size_t length)
{
    char *inside = arena_text_n(arena, braces + 1, length - 2);
    const char *value;
    if (is_particle(braces)) { /* chosen when the text before it is complete */
        value = NULL;
    } else if (*inside == '?') {
        bool known;
        if (!holds(run, lesson, setting, inside + 1, &known))
            return false;
        value = known ? "" : NULL;
    } else {
        value = fill_one(run, lesson, setting, arena, inside, NULL);
    }
    append(text, value ? value : braces, value ? strlen(value) : length);
    return true;
}

/* Fills a text up to the first condition that does not hold. *cut tells whether there was one. `before` is the text
 * that stands before it in its paragraph. */
static const char *fill(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                        struct arena *arena, const char *before, const char *text, bool *cut)
{
    struct text filled = {0};
    *cut = false;
    for (const char *at = text; *at && !*cut;) {
        size_t const plain = strcspn(at, "{");
        const char *end = at[plain] ? strchr(at + plain, '}') : NULL;
        size_t const length = end ? (size_t)(end - at) + 1 - plain : 0;
        append(&filled, at, end ? plain : strlen(at));
        if (!end)
            break;
        *cut = !append_filled(run, lesson, setting, arena, &filled, at + plain, length);
        at += plain + length;
    }
    char *kept = arena_text_n(arena, filled.items, filled.count);
    free(filled.items);
    return strchr(text, '{') ? agree(kept, before) : kept;
}

struct absence {
    const struct run *run;
    const struct lesson *lesson;
    bool missing;
};

static bool is_number_from_elsewhere(const struct lesson *lesson, const char *name, size_t length)
{
    for (size_t i = 0; i < lesson->plan->elsewhere_count; i++)
        if (strlen(lesson->plan->elsewhere[i].name) == length &&
            memcmp(lesson->plan->elsewhere[i].name, name, length) == 0)
            return true;
    return false;
}

static double fact_of(const struct run *run, const char *prefix, size_t prefix_length, const char *name)
{
    for (size_t i = 0; i < run->own_fact_count; i++)
        if (strncmp(run->facts[i].name, prefix, prefix_length) == 0 &&
            strcmp(run->facts[i].name + prefix_length, name) == 0)
            return run->facts[i].value;
    return 1;
}

/* Notes whether a name is a figure of an access, and whether this run makes that access. */
static void note_access(void *context, const char *name, size_t length)
{
    struct absence *absence = context;
    const struct fact *fact = fact_of_access(absence->lesson, name, length);
    if (!fact || fact->scope != SCOPE_ACCESS || fact == &fact_table[FACT_found] ||
        is_number_from_elsewhere(absence->lesson, name, length))
        return;
    size_t const prefix = length - strlen(fact->name), fact_length = strlen(fact->name);
    bool const sum = fact_length > 4 && strcmp(fact->name + fact_length - 4, "_all") == 0;
    bool const made = fact_of(absence->run, name, prefix, sum ? "requests_all" : "found") != 0;
    absence->missing = absence->missing || !made;
}

bool run_lacks_figure(const struct run *run, const struct lesson *lesson, const char *expression)
{
    struct absence absence = {run, lesson, false};
    expression_names(expression, note_access, &absence);
    return absence.missing;
}

/* Returns whether a text, up to a condition that does not hold, shows a figure of an access that this run does not
 * make. *cut: a condition did not hold. */
static bool shows_absent(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                         struct arena *arena, const char *text, bool *cut)
{
    for (const char *at = strchr(text, '{'); at && !*cut; at = strchr(at + 1, '{')) {
        const char *inside = words_inside(arena, at);
        bool known;
        if (*inside == '?')
            *cut = !holds(run, lesson, setting, inside + 1, &known);
        else if (run_lacks_figure(run, lesson, inside))
            return true;
    }
    return false;
}

bool run_lacks_access(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                      struct arena *arena, const struct text_paragraph *paragraph)
{
    bool cut = false, absent = false;
    for (size_t k = 0; run && lesson && k < paragraph->span_count && !cut && !absent; k++)
        absent = shows_absent(run, lesson, setting, arena, paragraph->spans[k].text, &cut);
    return absent;
}

bool run_lacks_accesses(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                        struct arena *arena, const struct lesson_text *text)
{
    for (size_t i = 0; i < text->count; i++)
        if (run_lacks_access(run, lesson, setting, arena, &text->paragraphs[i]))
            return true;
    return false;
}

const char *run_fill_text(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                          struct arena *arena, const char *text)
{
    bool cut;
    struct text_span const span = {.style = TEXT_PLAIN, .text = text};
    struct text_paragraph const all = {.spans = &span, .span_count = 1};
    if (run_lacks_access(run, lesson, setting, arena, &all))
        return "";
    return fill(run, lesson, setting, arena, "", text, &cut);
}

struct lesson_text run_fill_words(const struct run *run, const struct lesson *lesson,
                                  const struct lesson_setting *setting, struct arena *arena,
                                  const struct lesson_text *text)
{
    struct text_paragraph *paragraphs = arena_array(arena, struct text_paragraph, text->count);
    struct lesson_text filled = {paragraphs, 0};
    for (size_t i = 0; i < text->count; i++) {
        const struct text_paragraph *from = &text->paragraphs[i];
        struct text_span *spans = arena_array(arena, struct text_span, from->span_count);
        size_t count = 0;
        bool cut = false;
        const char *before = "";
        if (run_lacks_access(run, lesson, setting, arena, from))
            continue;
        for (size_t k = 0; k < from->span_count && !cut; k++) {
            const char *words = fill(run, lesson, setting, arena, before, from->spans[k].text, &cut);
            if (*words) {
                spans[count++] = (struct text_span){.style = from->spans[k].style, .text = words};
                before = words;
            }
        }
        if (count)
            paragraphs[filled.count++] = (struct text_paragraph){from->item, spans, count};
    }
    return filled;
}
