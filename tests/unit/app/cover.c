/* A covered question does not show its own answer. The test changes the run behind the picture: where another run would
 * have another answer, the picture before the answer must be the same for both. */
#include "app/state.h"
#include "lesson/facts.h"
#include "lesson/plan.h"
#include "view/marks.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "app_helper.h"
#include "lessons_helper.h"

static struct trace *trace_of(struct app *app)
{
    return (struct trace *)(uintptr_t)app->document.run->trace;
}

/* Returns the event that the step asks about. */
static struct trace_event *asked_event(struct app *app)
{
    return (struct trace_event *)(uintptr_t)playback_event(app->document.playback, app->playhead.opening_position);
}

/* Returns whether the step shows the access and asks for what it shares with others of the block. */
static bool is_given(const struct lesson_beat *beat)
{
    return beat->kind == BEAT_MARK && (beat->mark == CELLS_FRESH || beat->mark == CELLS_SHARERS);
}

/* Returns whether a change is made to an access: all of them or, where elements or pixels are to be marked, those of
 * the instruction that is asked about. What other instructions did before may stand in the arrays beside it. Where the
 * access is given, others of the block decide, and it stays. */
static bool is_changed(struct app *app, const struct trace_event *event)
{
    const struct lesson_beat *beat = document_beat(&app->document);
    const struct trace_event *asked = asked_event(app);
    if (event->kind != TRACE_ACCESS || !event->mask)
        return false;
    if (is_given(beat))
        return event != asked && trace_of(app)->sites[event->site].operation == TRACE_LOAD;
    bool const one = beat->kind == BEAT_MARK && (beat->mark == CELLS_ELEMENTS || marks_framed(beat->mark));
    return !one || event->site == asked->site;
}

/* Moves all lanes of each access to the lowest address, except the lane with the highest one: the chunks from the first
 * to the last, which a step may offer for marking, stay the same. */
static void gather_lanes(struct app *app)
{
    struct trace *trace = trace_of(app);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (!is_changed(app, event))
            continue;
        uint64_t *addresses = &trace->addresses.items[event->lanes];
        uint64_t low = UINT64_MAX, high = 0;
        for (int lane = 0; lane < 32; lane++)
            if (event->mask >> lane & 1) {
                low = addresses[lane] < low ? addresses[lane] : low;
                high = addresses[lane] > high ? addresses[lane] : high;
            }
        for (int lane = 0; lane < 32; lane++)
            addresses[lane] = addresses[lane] == high ? high : low;
    }
}

/* Gives each lane of each access a sector and a word of its own, in the same bank. */
static void part_lanes(struct app *app)
{
    struct trace *trace = trace_of(app);
    for (size_t i = 0; i < trace->events.count; i++)
        for (uint64_t lane = 0; is_changed(app, &trace->events.items[i]) && lane < 32; lane++) {
            uint64_t *addresses = &trace->addresses.items[trace->events.items[i].lanes];
            addresses[lane] = addresses[0] + 128 * lane;
        }
}

/* Moves all lanes of each access two words on. */
static void shift_lanes(struct app *app)
{
    struct trace *trace = trace_of(app);
    for (size_t i = 0; i < trace->events.count; i++)
        for (int lane = 0; is_changed(app, &trace->events.items[i]) && lane < 32; lane++)
            trace->addresses.items[trace->events.items[i].lanes + (uint32_t)lane] += 8;
}

/* Takes most lanes out of the access that is asked about. */
static void leave_lanes(struct app *app)
{
    struct trace_event *event = asked_event(app);
    event->mask = event->mask == 4 ? 8 : 4;
}

/* Gives the lanes of the access that is asked about other values. */
static void change_values(struct app *app)
{
    const struct trace *trace = trace_of(app);
    uint64_t *values = (uint64_t *)(uintptr_t)trace_values(trace, asked_event(app));
    for (int lane = 0; values && lane < 32; lane++)
        values[lane] ^= 0x0080000000800000; /* a float twice or half as large; a number and what a shuffle brings */
}

/* Lets the run end without a finding. */
static void forget_findings(struct app *app)
{
    struct trace *trace = trace_of(app);
    trace->finding_count = 0;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].kind == TRACE_FAULT)
            trace->events.items[i].kind = TRACE_EXIT;
}

struct answer {
    double number;
    uint8_t cells[MARKS_MAX];
};

/* Returns what the run answers to the step, with the facts of the trace as it is now. */
static struct answer answer_now(struct app *app)
{
    struct document *document = &app->document;
    const struct lesson_beat *beat = document_beat(document);
    struct answer answer = {0};
    struct arena arena = {0};
    if (beat->kind == BEAT_MARK) {
        struct scene scene;
        document_scene(document, &app->playhead, &arena, &scene);
        marks_right(&scene, document_mark_cells(document), answer.cells);
        arena_free(&arena);
        return answer;
    }
    struct run *run = (struct run *)(uintptr_t)document->run;
    struct run const before = *run;
    struct error error = {0};
    if (!facts_build(run, document->lesson, &document->look.setting, true, &error) ||
        !run_evaluate(run, document->lesson, &document->look.setting, beat->answer, &answer.number, &error))
        fail_msg("%s, %s: %s", document->lesson->name, beat->id, error.message);
    run->facts = before.facts; /* the words on screen keep their numbers */
    run->fact_count = before.fact_count;
    run->own_fact_count = before.own_fact_count;
    run->time = before.time;
    arena_free(&arena);
    return answer;
}

/* Makes everything that the app derives from the trace anew, at the same position. */
static void look_again(struct app *app)
{
    struct playhead const before = app->playhead;
    document_use_block(&app->document, &app->playhead, trace_of(app), app->document.block);
    app->playhead = before;
}

/* Returns whether the change gives the step another answer. The picture must not tell the two runs apart if it does. */
static bool answers_apart(const struct lesson *lesson, int beat, void (*change)(struct app *app), const char *what,
                          bool compare)
{
    struct app_options const options = app_options_of(lesson->name, beat + 1);
    struct app *app = app_opened(&options, NULL);
    assert_true(document_covered(&app->document));
    char *before = picture(app);
    struct answer const one = answer_now(app);
    change(app);
    look_again(app);
    struct answer const other = answer_now(app);
    bool const apart = memcmp(&one, &other, sizeof one) != 0;
    char *after = picture(app);
    if (apart && compare && strcmp(before, after) != 0) {
        size_t at = 0;
        while (before[at] && before[at] == after[at])
            at++;
        while (at > 0 && before[at - 1] != '\n')
            at--;
        fail_msg("%s, %s: the covered picture shows %s:\n%.*s\nwith another answer:\n%.*s", lesson->name,
                 lesson->beats[beat].id, what, (int)strcspn(before + at, "\n"), before + at,
                 (int)strcspn(after + at, "\n"), after + at);
    }
    free(before);
    free(after);
    app_free(app);
    return apart;
}

static int compared;

static void covers_its_answers(const struct lesson *lesson)
{
    for (int i = 0; i < lesson->beat_count; i++) {
        const struct lesson_beat *beat = &lesson->beats[i];
        if (beat->kind != BEAT_ASK && beat->kind != BEAT_MARK)
            continue;
        if (beat->kind == BEAT_MARK && beat->mark == CELLS_ROWS)
            continue; /* the rows that are offered are those of the accesses */
        bool const offered = beat->kind == BEAT_MARK && beat->mark == CELLS_SECTORS;
        bool const framed = beat->kind == BEAT_MARK && marks_framed(beat->mark);
        bool const places = (framed && answers_apart(lesson, i, shift_lanes, "where the lanes access", true)) ||
                            answers_apart(lesson, i, gather_lanes, "where the lanes access", true) ||
                            (!offered && answers_apart(lesson, i, part_lanes, "where the lanes access", true));
        /* Where the addresses decide, the lanes that take part are known to the student. */
        bool const lanes = answers_apart(lesson, i, leave_lanes, "which lanes take part", !places && !is_given(beat));
        bool const findings = answers_apart(lesson, i, forget_findings, "what the checks found", true);
        bool const values = answers_apart(lesson, i, change_values, "what the lanes read or write", true);
        compared += places || lanes || findings || values;
    }
}

static void a_covered_question_does_not_show_its_answer(void **state)
{
    (void)state;
    for_sampled_lessons(0, covers_its_answers);
    assert_true(compared > (SANITIZED ? 5 : 20));
}

/* Returns whether the frame at rest has text as large as the number of a step. */
static bool has_large_text(struct app *app)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && list->items[i].size > 45)
            return true;
    return false;
}

static void hides_its_number(const struct lesson *lesson)
{
    for (int i = 0; i < lesson->beat_count; i++) {
        const struct lesson_beat *beat = &lesson->beats[i];
        if ((beat->kind != BEAT_BUG && beat->kind != BEAT_OBSERVE) || !beat->big)
            continue;
        struct app_options options = app_options_of(lesson->name, i + 1);
        struct app *app = app_opened(&options, NULL);
        if (has_large_text(app))
            fail_msg("%s, %s: a number is on screen before the answer", lesson->name, beat->id);
        app_free(app);
        options.answered = true;
        app = app_opened(&options, NULL);
        if (!has_large_text(app))
            fail_msg("%s, %s: no number is on screen after the answer", lesson->name, beat->id);
        app_free(app);
    }
}

static void the_large_number_waits_for_the_answer(void **state)
{
    (void)state;
    for_sampled_lessons(1, hides_its_number);
}

static void a_question_about_the_number_of_warps_hides_them(void **state)
{
    (void)state;
    struct lesson *lesson;
    int asked = 0;
    assert_true(lesson_load("warps", &lesson, NULL));
    for (int i = 0; i < lesson->beat_count; i++)
        if (lesson->beats[i].kind == BEAT_ASK && strcmp(lesson->beats[i].answer, "warps") == 0) {
            struct app_options options = app_options_of("warps", i + 1);
            struct app *app = app_opened(&options, NULL);
            assert_false(shows(app, "warp 0 of"));
            app_free(app);
            options.answered = true;
            app = app_opened(&options, NULL);
            assert_true(shows(app, "warp 0 of"));
            app_free(app);
            asked++;
        }
    lesson_free(lesson);
    assert_true(asked > 0);
}

static void the_bars_of_atomics_name_no_passes_before_the_answer(void **state)
{
    (void)state;
    struct lesson *lesson;
    int asked = 0;
    assert_true(lesson_load("histogram", &lesson, NULL));
    for (int i = 0; i < lesson->beat_count; i++)
        if (lesson->beats[i].kind == BEAT_OBSERVE && strcmp(lesson->beats[i].answer, "add_passes") == 0) {
            struct app_options options = app_options_of("histogram", i + 1);
            struct app *app = app_opened(&options, NULL);
            assert_true(shows(app, "most lanes on one address"));
            assert_false(shows(app, "Passes: "));
            app_free(app);
            options.answered = true;
            app = app_opened(&options, NULL);
            assert_true(shows(app, "Passes: "));
            app_free(app);
            asked++;
        }
    lesson_free(lesson);
    assert_true(asked > 0);
}

static int timed_questions;

/* A step that asks for a time, and the steps before it, show no time card, unless their own words have times. */
static void keeps_its_times(const struct lesson *lesson)
{
    int last = -1;
    for (int i = 0; i < lesson->beat_count; i++)
        last = lesson->beats[i].asks_time ? i : last;
    timed_questions += last >= 0;
    for (int i = 0; i <= last; i++) {
        if (lesson->beats[i].tells_time[LANGUAGE_EN] && !lesson->beats[i].asks_time)
            continue;
        struct app_options const options = app_options_of(lesson->name, i + 1);
        struct app *app = app_opened(&options, NULL);
        if (shows(app, "TIME ·"))
            fail_msg("%s, %s: a time is on screen that step %s asks for", lesson->name, lesson->beats[i].id,
                     lesson->beats[last].id);
        app_free(app);
    }
}

static void times_wait_for_the_question_about_them(void **state)
{
    (void)state;
    for_sampled_lessons(2, keeps_its_times);
    assert_true(timed_questions > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_covered_question_does_not_show_its_answer),
                                       cmocka_unit_test(the_large_number_waits_for_the_answer),
                                       cmocka_unit_test(a_question_about_the_number_of_warps_hides_them),
                                       cmocka_unit_test(the_bars_of_atomics_name_no_passes_before_the_answer),
                                       cmocka_unit_test(times_wait_for_the_question_about_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
