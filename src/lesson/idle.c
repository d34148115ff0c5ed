/* Finds knobs without an effect. A setting becomes a text that holds everything that the knobs decide: its launches,
 * and the numbers that the step shows of it. A knob whose values all give the same text is idle. */
#include "lesson/facts.h"
#include "lesson/kept.h"
#include "lesson/lesson_run.h"
#include <string.h>

enum { VALUES_MAX = 512 }; /* of a knob that is looked at: more would take longer than a frame */

struct decided {
    const struct run *run; /* of the setting on screen */
    const struct lesson *lesson;
    struct lesson_setting setting;
    int knob;   /* the one that is turned */
    bool timed; /* the names are those of the timed launch */
    bool elsewhere;
    const struct run_fact *names;
    size_t name_count;
    struct arena *arena;
    const char *text; /* NULL: the setting has no launch */
};

static void decide_launches(struct decided *decided)
{
    const char *launches = plan_launches(decided->lesson, &decided->setting, decided->arena);
    decided->text = decided->text && launches ? arena_format(decided->arena, "%s %s", decided->text, launches) : NULL;
}

static bool take_names(struct decided *decided)
{
    struct run_fact *names;
    if (!plan_names(decided->lesson, &decided->setting, decided->timed, decided->arena, &names, &decided->name_count,
                    NULL))
        decided->text = NULL;
    decided->names = names;
    return decided->text != NULL;
}

/* Appends the place of an access, unless the run on screen never makes it. */
static void decide_place(struct decided *decided, int access, const char *prefix, size_t length)
{
    int block, warp, occurrence;
    double requests = 1;
    const char *all = arena_format(decided->arena, "%.*srequests_all", (int)length, prefix);
    if (!decided->elsewhere)
        run_evaluate(decided->run, decided->lesson, &decided->setting, all, &requests, NULL);
    if (requests > 0 && plan_place(decided->lesson, &decided->setting, access, &block, &warp, &occurrence, NULL))
        decided->text = arena_format(decided->arena, "%s %d/%d/%d", decided->text, block, warp, occurrence);
}

static void decide_expression(struct decided *decided, const char *expression);

static void decide_elsewhere(struct decided *decided, const struct plan_elsewhere *from)
{
    struct decided there = *decided;
    for (int i = 0; i < from->set_count; i++)
        if (from->sets[i].knob == decided->knob)
            return; /* it is the same at every value */
    lesson_apply_sets(&there.setting, from->sets, from->set_count);
    there.elsewhere = true;
    there.timed = false;
    decide_launches(&there);
    if (there.text && take_names(&there))
        decide_expression(&there, from->value);
    decided->text = there.text;
}

/* Appends what a name stands for as far as knobs decide it. The other facts follow from the launches. */
static void decide_name(void *context, const char *name, size_t length)
{
    struct decided *decided = context;
    const struct lesson_plan *plan = decided->lesson->plan;
    if (!decided->text)
        return;
    for (size_t i = 0; i < decided->name_count; i++)
        if (strlen(decided->names[i].name) == length && memcmp(decided->names[i].name, name, length) == 0) {
            decided->text = arena_format(decided->arena, "%s %.17g", decided->text, decided->names[i].value);
            return;
        }
    for (size_t i = 0; i < plan->elsewhere_count && !decided->elsewhere; i++)
        if (strlen(plan->elsewhere[i].name) == length && memcmp(plan->elsewhere[i].name, name, length) == 0) {
            decide_elsewhere(decided, &plan->elsewhere[i]);
            return;
        }
    const struct fact *fact = fact_of_access(decided->lesson, name, length);
    if (!fact || fact->scope != SCOPE_ACCESS)
        return;
    size_t const prefix = length - strlen(fact->name);
    int access = 0;
    for (size_t i = 0; i < plan->access_count; i++)
        if (prefix && strlen(plan->accesses[i].name) == prefix - 1 &&
            memcmp(plan->accesses[i].name, name, prefix - 1) == 0)
            access = (int)i;
    decide_place(decided, access, name, prefix);
}

static void decide_expression(struct decided *decided, const char *expression)
{
    if (expression)
        expression_names(expression, decide_name, decided);
}

/* Appends the numbers of a text, up to a condition that does not hold whatever the run says. */
static bool decide_text(struct decided *decided, const char *text)
{
    for (const char *at = text ? strchr(text, '{') : NULL; at && decided->text; at = strchr(at + 1, '{')) {
        const char *inside = words_inside(decided->arena, at);
        double holds = 1;
        decide_expression(decided, inside);
        if (*inside == '?' && expression_evaluate(inside + 1, decided->names, decided->name_count, &holds, NULL) &&
            holds == 0)
            return false;
    }
    return true;
}

static void decide_words(struct decided *decided, const struct lesson_text *words)
{
    for (size_t i = 0; i < words->count; i++)
        for (size_t k = 0; k < words->paragraphs[i].span_count; k++)
            if (!decide_text(decided, words->paragraphs[i].spans[k].text))
                break;
}

/* Appends the launches of the variants that a picture of the step puts beside this one. Along its own knob, a chart has
 * them whatever its value is. */
static void decide_others(struct decided *decided, const struct lesson_beat *beat)
{
    const struct lesson *lesson = decided->lesson;
    struct lesson_setting const here = decided->setting;
    bool const lines =
        (beat->stage & STAGE_LADDER) && beat->ladder_counts == COUNTS_TIME && beat->ladder_knob != decided->knob;
    for (int v = 0; v < lesson->variant_count && decided->text; v++) {
        bool const shown = (lines && lesson_same_result(lesson, v, here.variant)) || (beat->stage & STAGE_ROOFLINE);
        decided->setting.variant = v;
        if (shown && v != here.variant && !lesson->variants[v].faulty && !lesson->variants[v].host)
            decide_launches(decided);
    }
    decided->setting = here;
}

/* Appends the numbers of the step that knobs decide. */
static void decide_numbers(struct decided *decided, const struct lesson_beat *beat)
{
    const struct lesson_plan *plan = decided->lesson->plan;
    const char *const expressions[] = {decided->lesson->variants[decided->setting.variant].expect,
                                       beat->stage & STAGE_PICTURE ? plan->picture_window : NULL,
                                       beat->stage & STAGE_LADDER ? beat->ladder : NULL,
                                       beat->answer,
                                       beat->goal,
                                       beat->big};
    if (!take_names(decided))
        return;
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
        decide_expression(decided, expressions[i]);
    if (beat->access >= 0) {
        const char *prefix = beat->access ? arena_format(decided->arena, "%s_", plan->accesses[beat->access].name) : "";
        decide_place(decided, beat->access, prefix, strlen(prefix));
    }
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        decide_words(decided, &beat->words[language]);
        decide_words(decided, &beat->after[language]);
        decide_text(decided, beat->big_words[language]);
        decide_text(decided, beat->tally[language]);
    }
    decide_others(decided, beat);
    decided->timed = true;
    if (decided->text && take_names(decided))
        for (int language = 0; language < WORDS_LANGUAGES; language++)
            decide_text(decided, plan->timed.what[language]);
}

/* Returns what a setting decides, of the launches alone or of the step's numbers, or NULL if it has no launch. */
static const char *decided_text(struct decided decided, const struct lesson_beat *beat, int value, bool numbers)
{
    decided.setting.value[decided.knob] = value;
    decided.text = "";
    if (numbers)
        decide_numbers(&decided, beat);
    else
        decide_launches(&decided);
    return decided.text;
}

static bool is_idle(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                    const struct lesson_beat *beat, int knob)
{
    struct arena arena = {0};
    struct decided const decided = {.run = run, .lesson = lesson, .setting = *setting, .knob = knob, .arena = &arena};
    int const count = lesson->knobs[knob].value_count;
    bool same = count <= VALUES_MAX;
    for (int numbers = 0; numbers < 2 && same; numbers++) { /* the launches first: they differ most often */
        const char *first = decided_text(decided, beat, 0, numbers);
        same = first != NULL;
        for (int value = 1; value < count && same; value++) {
            const char *other = decided_text(decided, beat, value, numbers);
            same = other && strcmp(first, other) == 0;
        }
    }
    arena_free(&arena);
    return same;
}

unsigned lesson_idle_knobs(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                           const struct lesson_beat *beat)
{
    struct kept *kept = lesson->plan->kept;
    struct kept_idle idle = {.beat = beat, .setting = *setting};
    if (!run)
        return 0;
    lock_take(kept->lock);
    bool const known = kept->idle.beat == beat && lesson_setting_same(lesson, &kept->idle.setting, setting);
    if (known)
        idle = kept->idle;
    lock_release(kept->lock);
    for (int k = 0; k < lesson->knob_count && !known; k++)
        idle.knobs |= (unsigned)is_idle(run, lesson, setting, beat, k) << k;
    lock_take(kept->lock);
    kept->idle = idle;
    lock_release(kept->lock);
    return idle.knobs;
}
