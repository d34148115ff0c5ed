#include "lesson/elsewhere.h"
#include "lesson/facts.h"
#include "lesson/facts_list.h"
#include "lesson/kept.h"
#include "lesson/plan.h"
#include <stdlib.h>
#include <string.h>

enum { SETTINGS_KEPT = 64 };

/* The facts of a light run of one setting. */
struct kept_facts {
    struct kept_facts *next; /* used longer ago */
    struct lesson_setting setting;
    const char *dram_preset;
    unsigned changes; /* of what the facts depend on besides: kept_answers.changes */
    bool whole;       /* all blocks ran, not only the recorded ones */
    const struct run_fact *items;
    size_t count;
    struct arena arena;
};

/* What an expression needs. */
struct uses {
    bool sass;  /* a count of the profiler */
    bool timed; /* one of the timed launch */
    bool run;   /* a fact of a run */
    bool whole; /* a fact of all its blocks */
};

static void note_use(void *context, const char *text, size_t length)
{
    struct uses *uses = context;
    bool const sass = fact_has_scope(text, length, SCOPE_MACHINE), timed = fact_has_scope(text, length, SCOPE_TIMED);
    uses->sass |= sass;
    uses->timed |= timed;
    uses->run |= !sass && !timed && !fact_has_scope(text, length, SCOPE_TIME);
    uses->whole |= fact_has_scope(text, length, SCOPE_GRID);
}

static struct sass_counts stored_counts(const struct lesson *lesson, const struct lesson_setting *setting, bool timed,
                                        struct arena *arena)
{
    const char *source;
    return plan_find_source(lesson, setting, &source) ? kept_counters(lesson, setting, timed, source, arena)
                                                      : (struct sass_counts){.counted = false};
}

/* Evaluates an expression of times and profiler's counts alone. */
static bool evaluate_stored(const struct lesson *lesson, const struct lesson_setting *setting, const char *expression,
                            const struct uses *uses, double *value, struct error *error)
{
    struct arena arena = {0};
    struct facts stored = {.arena = &arena};
    struct measured_time const measured = run_lesson_time(lesson, setting);
    facts_add_time(&stored, &measured);
    if (uses->sass) {
        struct sass_counts const counts = stored_counts(lesson, setting, false, &arena);
        facts_add_sass(&stored, &counts);
    }
    if (uses->timed) {
        struct sass_counts const counts = stored_counts(lesson, setting, true, &arena);
        facts_add_timed_sass(&stored, &counts);
    }
    bool const evaluated = expression_evaluate(expression, stored.list.items, stored.list.count, value, error);
    free(stored.list.items);
    arena_free(&arena);
    return evaluated;
}

static void drop(struct kept_facts *facts)
{
    arena_free(&facts->arena);
    free(facts);
}

void elsewhere_forget(struct kept *kept)
{
    while (kept->facts) {
        struct kept_facts *facts = kept->facts;
        kept->facts = facts->next;
        drop(facts);
    }
}

void lesson_forget_facts(const struct lesson *lesson)
{
    struct kept *kept = lesson->plan->kept;
    lock_take(kept->lock);
    elsewhere_forget(kept);
    lock_release(kept->lock);
}

/* Returns the facts of the setting, now the first of the list, or NULL. The caller holds the lock. */
static const struct kept_facts *find(const struct lesson *lesson, const struct lesson_setting *setting, bool whole)
{
    struct kept *kept = lesson->plan->kept;
    for (struct kept_facts **at = &kept->facts; *at; at = &(*at)->next) {
        struct kept_facts *facts = *at;
        if (!lesson_setting_same(lesson, &facts->setting, setting) || facts->changes != kept->answers.changes ||
            facts->dram_preset != lesson->dram_preset || (whole && !facts->whole))
            continue;
        *at = facts->next;
        facts->next = kept->facts;
        kept->facts = facts;
        return facts;
    }
    return NULL;
}

/* Keeps the facts of a run in place of those that were used longest ago. */
static void keep(const struct lesson *lesson, const struct lesson_setting *setting, const struct run *run, bool whole,
                 unsigned changes)
{
    struct kept *kept = lesson->plan->kept;
    struct kept_facts *facts = calloc(1, sizeof *facts);
    if (!facts)
        return;
    struct run_fact *items = arena_array(&facts->arena, struct run_fact, run->fact_count);
    for (size_t i = 0; i < run->fact_count; i++)
        items[i] =
            (struct run_fact){.name = arena_text(&facts->arena, run->facts[i].name), .value = run->facts[i].value};
    facts->setting = *setting;
    facts->dram_preset = lesson->dram_preset;
    facts->changes = changes;
    facts->whole = whole;
    facts->items = items;
    facts->count = run->fact_count;
    lock_take(kept->lock);
    facts->next = kept->facts;
    kept->facts = facts;
    struct kept_facts **last = &kept->facts;
    for (int i = 0; i < SETTINGS_KEPT && *last; i++)
        last = &(*last)->next;
    if (*last) {
        drop(*last);
        *last = NULL;
    }
    lock_release(kept->lock);
}

/* Evaluates an expression on kept facts. Returns false if there are none, or not those that it names. */
static bool evaluate_kept(const struct lesson *lesson, const struct lesson_setting *setting, bool whole,
                          const char *expression, double *value)
{
    struct lock *lock = lesson->plan->kept->lock;
    struct error unknown;
    lock_take(lock);
    const struct kept_facts *facts = find(lesson, setting, whole);
    bool const evaluated = facts && expression_evaluate(expression, facts->items, facts->count, value, &unknown);
    lock_release(lock);
    return evaluated;
}

/* Runs the setting and evaluates an expression on it. *whole: whether all blocks ran, although fewer were asked for. */
static bool evaluate_run(const struct lesson *lesson, const struct lesson_setting *setting, bool *whole,
                         const char *expression, double *value, struct error *error)
{
    struct kept *kept = lesson->plan->kept;
    struct run *run;
    lock_take(kept->lock);
    unsigned const changes = kept->answers.changes;
    lock_release(kept->lock);
    if (!run_lesson_lightly(lesson, setting, *whole ? LIGHT_GRID : LIGHT_RECORDED, &run, error)) {
        *whole = true;
        return false;
    }
    *whole = *whole || !run->partial;
    keep(lesson, setting, run, *whole, changes);
    bool const evaluated = expression_evaluate(expression, run->facts, run->fact_count, value, error);
    run_free(run);
    return evaluated;
}

bool run_lesson_fact(const struct lesson *lesson, const struct lesson_setting *setting, const char *expression,
                     double *value, struct error *error)
{
    struct uses uses = {.run = false};
    expression_names(expression, note_use, &uses);
    if (!uses.run)
        return evaluate_stored(lesson, setting, expression, &uses, value, error);
    if (evaluate_kept(lesson, setting, uses.whole, expression, value))
        return true;
    bool whole = uses.whole;
    if (evaluate_run(lesson, setting, &whole, expression, value, error))
        return true;
    if (whole)
        return false;
    whole = true; /* it names a fact that the recorded blocks alone do not give */
    return evaluate_run(lesson, setting, &whole, expression, value, error);
}

struct finding_numbers {
    const struct run *run;
    const struct lesson *lesson;
    const struct lesson_setting *setting;
    struct error *error;
    bool found;
};

static bool find_number(const struct finding_numbers *finding, size_t index)
{
    const struct run *run = finding->run;
    const struct plan_elsewhere *from = &finding->lesson->plan->elsewhere[index];
    struct lesson_setting there = *finding->setting;
    struct uses uses = {.run = false};
    double *value = &run->facts[run->own_fact_count + index].value;
    lesson_apply_sets(&there, from->sets, from->set_count);
    expression_names(from->value, note_use, &uses);
    if (uses.run && lesson_setting_same(finding->lesson, finding->setting, &there))
        return expression_evaluate(from->value, run->facts, run->own_fact_count, value, finding->error);
    return run_lesson_fact(finding->lesson, &there, from->value, value, finding->error);
}

static void find_name(void *context, const char *text, size_t length)
{
    struct finding_numbers *finding = context;
    const struct run *run = finding->run;
    for (size_t i = run->own_fact_count; i < run->fact_count; i++) {
        struct run_fact *fact = &run->facts[i];
        if (strncmp(fact->name, text, length) != 0 || fact->name[length])
            continue;
        if (fact->state == FACT_UNASKED)
            fact->state = find_number(finding, i - run->own_fact_count) ? FACT_KNOWN : FACT_FAILED;
        else if (fact->state == FACT_FAILED)
            error_set(finding->error, ERROR_INPUT, "no run gives the number %s", fact->name);
        finding->found = finding->found && fact->state == FACT_KNOWN;
        return;
    }
}

bool elsewhere_find(const struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                    const char *expression, struct error *error)
{
    struct finding_numbers finding = {run, lesson, setting, error, true};
    if (run->own_fact_count < run->fact_count)
        expression_names(expression, find_name, &finding);
    return finding.found;
}
