/* The measured times of a lesson beside its counts. Where they disagree, the time card shows both and explains the
 * difference. */
#include "document/document.h"
#include <string.h>

enum { KNOB_BARS = 3 };                 /* values of a knob */
static const double disagreement = 1.5; /* the ratio of counts to times, or its inverse, from which they disagree */

int document_measurable(const struct document *document)
{
    const struct lesson *lesson = document->lesson;
    int now = document->look.setting.variant;
    if (lesson->variants[now].host || (document->run && document->run->executor == EXECUTOR_GPU))
        return now;
    for (int v = 0; v < lesson->variant_count; v++) {
        struct lesson_setting setting = document->look.setting;
        setting.variant = v;
        if (lesson->variants[v].host && run_lesson_time(lesson, &setting).source == TIME_NONE)
            return v;
    }
    return -1;
}

bool document_has_clock(const struct document *document)
{
    const struct lesson *lesson = document->lesson;
    for (int b = 0; b < lesson->beat_count; b++)
        if (lesson->beats[b].asks_time || lesson->beats[b].tells_time[LANGUAGE_EN] ||
            lesson->beats[b].tells_time[LANGUAGE_KO])
            return true;
    return false;
}

bool document_tells_time(const struct document *document, enum language language)
{
    const struct lesson_beat *beat = document_beat(document);
    return !document_time_is_asked(document) &&
           (beat->tells_time[language] || (beat->asks_time && !document_asks(document)));
}

int document_most_bars(const struct document *document)
{
    const struct lesson *lesson = document->lesson;
    int count = KNOB_BARS;
    for (int v = 0; v < lesson->variant_count; v++) {
        int here = 1; /* the variant on screen may be a faulty one */
        for (int k = 0; k < lesson->variant_count; k++)
            here += !lesson->variants[k].faulty && lesson_same_result(lesson, v, k);
        if (lesson->variant_count > 2 && here > count)
            count = here;
    }
    count += lesson_compared_label(lesson, LANGUAGE_EN) != NULL;
    return count < TIME_BARS_MAX ? count : TIME_BARS_MAX;
}

void document_start_measuring(struct document *document, const struct lesson_setting *setting)
{
    if (!measure_start(&document->measuring, document->worker, document->lesson, setting))
        notice_say(document->notice, "%s",
                   _("no thread could be started for the measurement; close other programs and try again"));
}

void document_measure(struct document *document)
{
    if (document->measuring.started || !document->lesson || document_measurable(document) < 0)
        return;
    struct lesson_setting setting = document->look.setting;
    setting.variant = document_measurable(document);
    document_start_measuring(document, &setting);
}

/* The bars of the time card while they are collected. */
struct bars {
    const struct document *document;
    struct arena *arena;
    enum language language;
    struct time_bar *items;
    struct lesson_setting *settings;
    int count;
    bool to_measure; /* also those without a time */
};

/* Returns whether a setting has a place among the bars: on the card only with a time. */
static bool has_place(const struct bars *bars, const struct lesson_setting *setting)
{
    return bars->to_measure || run_lesson_time(bars->document->lesson, setting).source != TIME_NONE;
}

static void add_bar(struct bars *bars, const char *label, bool current, const struct lesson_setting *setting)
{
    struct measured_time const time = run_lesson_time(bars->document->lesson, setting);
    const char *subject = arena_text(bars->arena, time_what(&time));
    bars->items[bars->count] = (struct time_bar){.label = label, .time = time, .subject = subject, .current = current};
    bars->settings[bars->count++] = *setting;
}

/* Adds the variant on screen and, in their order, others of the same result that are meant to be right and have a time.
 */
static void add_variants(struct bars *bars)
{
    const struct lesson *lesson = bars->document->lesson;
    struct lesson_setting const now = bars->document->look.setting;
    for (int v = 0; v < lesson->variant_count; v++) {
        struct lesson_setting setting = now;
        bool const room = bars->count + (v < now.variant) < TIME_BARS_MAX;
        if (v != now.variant && (lesson->variants[v].faulty || !lesson_same_result(lesson, v, now.variant) || !room))
            continue;
        setting.variant = v;
        if (v != now.variant && !has_place(bars, &setting))
            continue;
        add_bar(bars, document_variant_label(bars->document, bars->arena, bars->language, v), v == now.variant,
                &setting);
    }
}

/* Adds the program that is not ours, if there is room for its bar. */
static void add_compared(struct bars *bars)
{
    const struct lesson *lesson = bars->document->lesson;
    const char *label = lesson_compared_label(lesson, bars->language);
    double flop;
    if (!label || bars->count == TIME_BARS_MAX)
        return;
    bars->items[bars->count] = (struct time_bar){
        .label = label, .time = lesson_compared_time(lesson, &bars->document->look.setting, &flop), .foreign = true};
    bars->settings[bars->count] = bars->document->look.setting;
    bars->count += bars->items[bars->count].time.source != TIME_NONE;
}

/* Returns the nearest value of a knob on one side of a value that has a time, or -1. */
static int nearest_value(const struct bars *bars, int which, int from, int step)
{
    struct lesson_setting setting = bars->document->look.setting;
    for (int value = from + step; value >= 0 && value < bars->document->lesson->knobs[which].value_count;
         value += step) {
        setting.value[which] = value;
        if (has_place(bars, &setting))
            return value;
    }
    return -1;
}

/* Returns the knob in focus or, if no other value of it has a time, the first knob with one. */
static int knob_with_times(const struct bars *bars)
{
    const struct document *document = bars->document;
    const int *now = document->look.setting.value;
    for (int i = -1; i < document->lesson->knob_count; i++) {
        int const knob = i < 0 ? document->knob : i;
        if (knob < document->lesson->knob_count &&
            (nearest_value(bars, knob, now[knob], 1) >= 0 || nearest_value(bars, knob, now[knob], -1) >= 0))
            return knob;
    }
    return document->knob;
}

/* Adds the knob's default, its current value and the next one that has a time. */
static void add_values(struct bars *bars)
{
    const struct lesson *lesson = bars->document->lesson;
    struct lesson_setting setting = bars->document->look.setting;
    int const which = knob_with_times(bars);
    if (which >= lesson->knob_count)
        return;
    const struct lesson_knob *knob = &lesson->knobs[which];
    int const now = setting.value[which];
    int const above = nearest_value(bars, which, now, 1);
    int picked[KNOB_BARS] = {knob->default_index, now, above >= 0 ? above : nearest_value(bars, which, now, -1)};
    setting.value[which] = picked[0];
    if (!has_place(bars, &setting))
        picked[0] = nearest_value(bars, which, now, -1);
    for (int i = 0; i < KNOB_BARS; i++)
        for (int j = i + 1; j < KNOB_BARS; j++)
            if (picked[j] < picked[i]) {
                int swap = picked[i];
                picked[i] = picked[j];
                picked[j] = swap;
            }
    for (int i = 0; i < KNOB_BARS; i++) {
        if (picked[i] < 0 || (i && picked[i] == picked[i - 1]))
            continue;
        setting.value[which] = picked[i];
        add_bar(bars, lesson_knob_label(knob, picked[i], bars->language, bars->arena), picked[i] == now, &setting);
    }
}

/* Returns whether no other variant of the result of the one on screen has a time at this setting of the knobs. */
static bool no_other_has_time(const struct bars *bars)
{
    const struct document *document = bars->document;
    struct lesson_setting setting = document->look.setting;
    int const now = setting.variant;
    bool none = true;
    for (int v = 0; v < document->lesson->variant_count && none; v++) {
        setting.variant = v;
        none = v == now || !lesson_same_result(document->lesson, v, now) || !has_place(bars, &setting);
    }
    return none;
}

static int collect(struct bars *bars)
{
    const struct lesson *lesson = bars->document->lesson;
    memset(bars->items, 0, TIME_BARS_MAX * sizeof *bars->items);
    bool const values = lesson->variant_count <= 2 || no_other_has_time(bars);
    if (values && lesson->knob_count)
        add_values(bars);
    else
        add_variants(bars);
    add_compared(bars);
    return bars->count;
}

int document_time_bars(const struct document *document, struct arena *arena, enum language language,
                       struct time_bar items[TIME_BARS_MAX], struct lesson_setting settings[TIME_BARS_MAX])
{
    struct bars bars = {document, arena, language, items, settings, 0, false};
    return collect(&bars);
}

/* On a GPU all bars are timed automatically, the current one first. The host's loop is timed if it is on screen, or if
 * the step's words contain times. */
bool document_next_time(const struct document *document, struct arena *arena, enum language language,
                        struct lesson_setting *setting)
{
    const struct lesson *lesson = document->lesson;
    if (!document->run || document_covered(document) || document->measuring.gave_up)
        return false;
    struct time_bar bars[TIME_BARS_MAX];
    struct lesson_setting settings[TIME_BARS_MAX];
    struct bars all = {document, arena, language, bars, settings, 0, true};
    int count = collect(&all);
    bool const gpu = document->run->executor == EXECUTOR_GPU, spoken = document_beat(document)->tells_time[language];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < count; i++) {
            const struct lesson_variant *variant = &lesson->variants[settings[i].variant];
            bool wanted = variant->host ? bars[i].current || spoken : gpu;
            if (bars[i].foreign || bars[i].current != (round == 0) || !wanted || bars[i].time.source == TIME_LIVE)
                continue;
            *setting = settings[i];
            return true;
        }
    return false;
}

/* Returns the bar to compare with: one measured on the same device by the same clock as the current bar. */
static const struct time_bar *other_bar(const struct time_bar *bars, int count, const struct time_bar *current)
{
    for (int i = 0; i < count; i++)
        if (&bars[i] != current && !bars[i].foreign && bars[i].time.source == current->time.source &&
            bars[i].time.median > 0 && strcmp(bars[i].time.device, current->time.device) == 0)
            return &bars[i];
    return NULL;
}

static const char *count_expression(const struct lesson_beat *beat)
{
    return beat->ladder && beat->ladder_counts != COUNTS_TIME ? beat->ladder : beat->big;
}

/* Sets the two bars that the step compares, the current one and another. Returns false if it compares none. */
static bool compared_bars(const struct document *document, enum language language, const struct time_bar *bars,
                          int count, const struct time_bar **current, const struct time_bar **other)
{
    *current = *other = NULL;
    for (int i = 0; i < count; i++)
        if (bars[i].current && bars[i].time.source != TIME_NONE)
            *current = &bars[i];
    if (!*current || !document->run || document_covered(document) || !document_beat(document)->tells_time[language] ||
        !count_expression(document_beat(document)))
        return false;
    *other = other_bar(bars, count, *current);
    return *other;
}

static bool pair_is_of(const struct document *document, const struct lesson_setting *there)
{
    const struct counted_pair *pair = &document->pair;
    return pair->known && pair->beat == document->beat &&
           memcmp(&pair->here, &document->look.setting, sizeof pair->here) == 0 &&
           memcmp(&pair->there, there, sizeof pair->there) == 0;
}

void document_find_counts(struct document *document, struct arena *arena, enum language language)
{
    struct time_bar bars[TIME_BARS_MAX];
    struct lesson_setting settings[TIME_BARS_MAX];
    const struct time_bar *current, *other;
    const struct lesson_setting *here = &document->look.setting;
    if (!document->lesson)
        return;
    int const count = document_time_bars(document, arena, language, bars, settings);
    if (!compared_bars(document, language, bars, count, &current, &other))
        return;
    const struct lesson_setting *there = &settings[other - bars];
    if (pair_is_of(document, there))
        return;
    double counted = 0, against = 0;
    const char *expression = count_expression(document_beat(document));
    bool const ours = document->run->executor == EXECUTOR_EMULATOR;
    bool const known = (ours ? document_evaluate(document, expression, &counted)
                             : run_lesson_fact(document->lesson, here, expression, &counted, NULL)) &&
                       run_lesson_fact(document->lesson, there, expression, &against, NULL) && counted > 0 &&
                       against > 0;
    document->pair = (struct counted_pair){
        .known = true, .beat = document->beat, .here = *here, .there = *there, .ratio = known ? counted / against : 0};
}

const char *document_time_why(const struct document *document, struct arena *arena, enum language language,
                              const struct time_bar *bars, const struct lesson_setting *settings, int count)
{
    const struct time_bar *current, *other;
    if (!compared_bars(document, language, bars, count, &current, &other) ||
        !pair_is_of(document, &settings[other - bars]))
        return NULL;
    double const clock = current->time.median / other->time.median, counts = document->pair.ratio;
    if (counts <= 0 || (counts < clock * disagreement && clock < counts * disagreement))
        return NULL;
    return arena_format(
        arena,
        _("Compared with %s, the count is %.2f times as large and the time %.2f times as long. The time also contains "
          "costs that this count leaves out: cache hits, arithmetic, waiting and the launch."),
        other->label, counts, clock);
}
