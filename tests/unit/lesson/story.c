/* Every beat of every lesson on the emulator: it opens at an access that happens, its numbers can be computed, its text
 * is complete in both languages, and the right answer is among the choices. */
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lessons_helper.h"

struct place {
    const struct lesson *lesson;
    const struct lesson_beat *beat;
    struct lesson_setting setting;
    struct run *run;
    struct arena arena;
};

static double number(const struct place *place, const char *expression)
{
    double value = 0;
    struct error error = {0};
    if (!run_evaluate(place->run, place->lesson, &place->setting, expression, &value, &error))
        fail_msg("%s, %s: %s", place->lesson->name, place->beat->id, error.message);
    return value;
}

static void text_comes_out_whole(struct place *place, const char *text)
{
    const char *filled = run_fill_text(place->run, place->lesson, &place->setting, &place->arena, text);
    if (strpbrk(filled, "{}"))
        fail_msg("%s, %s: \"%s\"", place->lesson->name, place->beat->id, filled);
}

/* Checks the paragraphs that this run does not show, too: their conditions and expressions must be valid. */
static void words_come_out_whole(struct place *place, const struct lesson_text *text)
{
    for (size_t i = 0; i < text->count; i++)
        for (size_t k = 0; k < text->paragraphs[i].span_count; k++) {
            const char *span = text->paragraphs[i].spans[k].text;
            const char *end = strchr(span, '}');
            text_comes_out_whole(place, span);
            if (strncmp(span, "{?", 2) == 0 && end)
                text_comes_out_whole(place, end + 1);
        }
    struct lesson_text const filled = run_fill_words(place->run, place->lesson, &place->setting, &place->arena, text);
    if (text->count > 0 && filled.count == 0)
        fail_msg("%s, %s: no paragraph of \"%s\" is shown at this setting", place->lesson->name, place->beat->id,
                 text->paragraphs[0].spans[0].text);
    for (size_t i = 0; i < filled.count; i++)
        for (size_t k = 0; k < filled.paragraphs[i].span_count; k++)
            assert_null(strpbrk(filled.paragraphs[i].spans[k].text, "{}"));
}

static void answer_is_among_the_choices(const struct place *place)
{
    const struct lesson_beat *beat = place->beat;
    double const answer = number(place, beat->answer);
    int right = 0;
    for (int i = 0; i < beat->choice_count; i++)
        right += beat->choices[i] == answer;
    if (right != 1)
        fail_msg("%s, %s: the run answers %g, which is among the choices %d times", place->lesson->name, beat->id,
                 answer, right);
}

static void beat_resolves(struct place *place)
{
    const struct lesson_beat *beat = place->beat;
    size_t event;
    if (beat->access >= 0) {
        if (!run_find_beat(place->run, place->lesson, &place->setting, beat, &event))
            fail_msg("%s, %s: \"%s\" never happens", place->lesson->name, beat->id, beat->at);
        assert_true(event < place->run->trace->events.count);
        assert_int_equal(place->run->trace->events.items[event].warp, beat->warp);
        assert_int_equal(place->run->trace->events.items[event].block, beat->block);
    }
    if (beat->choice_count)
        answer_is_among_the_choices(place);
    if (beat->kind == BEAT_TASK && number(place, beat->goal) != 0)
        fail_msg("%s, %s: the task is done before it begins", place->lesson->name, beat->id);
    if (beat->big)
        number(place, beat->big);
    if (beat->ladder)
        number(place, beat->ladder);
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        words_come_out_whole(place, &beat->words[language]);
        words_come_out_whole(place, &beat->after[language]);
        for (int i = 0; i <= beat->choice_count; i++)
            words_come_out_whole(place, &beat->wrong[language][i]);
        for (int i = 0; beat->choice_words[language] && i < beat->choice_count; i++)
            text_comes_out_whole(place, beat->choice_words[language][i]);
        if (beat->big_words[language])
            text_comes_out_whole(place, beat->big_words[language]);
        if (beat->tally[language])
            text_comes_out_whole(place, beat->tally[language]);
    }
}

static void run_of(struct place *place)
{
    struct error error = {0};
    char text[1200];
    if (!run_lesson(place->lesson, &place->setting, EXECUTOR_EMULATOR, NULL, &place->run, &error))
        fail_msg("%s, %s: %s", place->lesson->name, place->beat->id, error_line(&error, text, sizeof text));
    assert_int_equal(place->run->trace->lost, 0);
    if (place->lesson->variants[place->setting.variant].faulty)
        return;
    assert_int_equal(trace_faults(place->run->trace), 0);
    assert_int_equal(trace_hazards(place->run->trace), 0);
    if (place->run->check.checked && !place->run->check.right)
        fail_msg("%s, %s: %s[%llu] is %g, not %g", place->lesson->name, place->beat->id, place->run->check.name,
                 (unsigned long long)place->run->check.index, place->run->check.got, place->run->check.expected);
}

/* Returns the setting at which the beat opens before any knob is turned. */
static struct lesson_setting setting_at(const struct lesson *lesson, int beat)
{
    struct lesson_setting setting = lesson_defaults(lesson);
    lesson_apply_sets(&setting, lesson->beats[beat].sets, lesson->beats[beat].set_count);
    return setting;
}

static void tell_lesson(const struct lesson *lesson)
{
    for (int i = 0; i < lesson->beat_count; i++) {
        struct place place = {.lesson = lesson, .beat = &lesson->beats[i]};
        place.setting = setting_at(lesson, i);
        run_of(&place);
        beat_resolves(&place);
        arena_free(&place.arena);
        run_free(place.run);
    }
}

static void tell_and_count(const struct lesson *lesson)
{
    assert_in_range(lesson->beat_count, 6, 12);
    tell_lesson(lesson);
}

static void every_beat_resolves(void **state)
{
    (void)state;
    for_every_lesson(tell_and_count);
}

static void the_guides_lesson_resolves(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lesson *lesson;
    struct error error = {0};
    assert_true(lesson_load_folder("lessons/shift", &lesson, &error));
    tell_lesson(lesson);
    lesson_free(lesson);
    arena_free(&arena);
}

static void texts_follow_the_knobs_of(const struct lesson *lesson)
{
    for (int b = 0; b < lesson->beat_count; b++)
        for (int k = 0; k < lesson->knob_count; k++)
            for (int end = 0; end < 2; end++) {
                struct place place = {.lesson = lesson, .beat = &lesson->beats[b]};
                place.setting = setting_at(lesson, b);
                place.setting.value[k] = end ? lesson->knobs[k].value_count - 1 : 0;
                run_of(&place);
                for (int language = 0; language < LANGUAGE_COUNT; language++) {
                    words_come_out_whole(&place, &place.beat->words[language]);
                    words_come_out_whole(&place, &place.beat->after[language]);
                }
                arena_free(&place.arena);
                run_free(place.run);
            }
}

/* At both ends of a knob, the step's text is complete and the result is right. */
static void texts_follow_every_knob(void **state)
{
    (void)state;
    for_every_lesson(texts_follow_the_knobs_of);
}

/* Up to CANDIDATES values of a knob, from the first to the last, and before them the one at which the step opens. */
enum { CANDIDATES = 12 };
static int candidate(const struct lesson_knob *knob, int here, int i)
{
    if (i == 0)
        return here;
    return knob->value_count <= CANDIDATES ? (i - 1) % knob->value_count
                                           : (int)((long)(knob->value_count - 1) * (i - 1) / (CANDIDATES - 1));
}

static int candidates(const struct lesson *lesson, int knob)
{
    if (knob >= lesson->knob_count)
        return 1;
    int const count = lesson->knobs[knob].value_count;
    return 1 + (count < CANDIDATES ? count : CANDIDATES);
}

/* Evaluates the goal of a task. A light run checks neither results nor races, which some goals are about. */
static bool reaches(const struct lesson *lesson, const struct lesson_setting *setting, const char *goal, bool light)
{
    double done = 0;
    if (light)
        return run_lesson_fact(lesson, setting, goal, &done, NULL) && done != 0;
    struct run *run;
    if (!run_lesson(lesson, setting, EXECUTOR_EMULATOR, NULL, &run, NULL))
        return false;
    bool const evaluated = run_evaluate(run, lesson, setting, goal, &done, NULL);
    run_free(run);
    return evaluated && done != 0;
}

static bool some_setting_reaches(const struct lesson *lesson, int task, bool light)
{
    const struct lesson_beat *beat = &lesson->beats[task];
    struct lesson_setting const here = setting_at(lesson, task);
    for (int variant = 0; variant < lesson->variant_count; variant++)
        for (int a = 0; a < candidates(lesson, 0); a++)
            for (int b = 0; b < candidates(lesson, 1); b++)
                for (int c = 0; c < candidates(lesson, 2); c++) {
                    int const at[3] = {a, b, c};
                    struct lesson_setting setting = {.variant = variant};
                    for (int k = 0; k < lesson->knob_count; k++)
                        setting.value[k] = candidate(&lesson->knobs[k], here.value[k], at[k]);
                    if (reaches(lesson, &setting, beat->goal, light))
                        return true;
                }
    return false;
}

static void tasks_of_a_lesson_can_be_done(const struct lesson *lesson)
{
    for (int i = 0; i < lesson->beat_count; i++)
        if (lesson->beats[i].kind == BEAT_TASK && !some_setting_reaches(lesson, i, true) &&
            !some_setting_reaches(lesson, i, false))
            fail_msg("%s, %s: no setting that was tried does the task", lesson->name, lesson->beats[i].id);
}

static void every_task_can_be_done(void **state)
{
    (void)state;
    for_every_lesson(tasks_of_a_lesson_can_be_done);
}

static void the_task_of_banks_can_be_done(void **state)
{
    (void)state;
    struct lesson *lesson;
    assert_true(lesson_load("banks", &lesson, NULL));
    int task = 0;
    while (lesson->beats[task].kind != BEAT_TASK)
        task++;
    struct lesson_setting setting = setting_at(lesson, task);
    static const double expected[] = {0, 1, 0, 1, 0}; /* an odd padding moves each row to another bank */
    for (int padding = 0; padding <= 4; padding++) {
        double done = -1;
        setting.value[lesson_knob_index(lesson, "padding")] = padding;
        assert_true(run_lesson_fact(lesson, &setting, lesson->beats[task].goal, &done, NULL));
        assert_true(done == expected[padding]);
    }
    lesson_free(lesson);
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
    return b ? divisor(b, a % b) : a;
}

/* The claim of the step about odd strides. */
static void passes_are_the_common_divisor_with_32(void **state)
{
    (void)state;
    struct lesson *lesson;
    assert_true(lesson_load("banks", &lesson, NULL));
    struct lesson_setting setting = lesson_defaults(lesson);
    for (int variant = 0; variant < 2; variant++)
        for (int stride = 0; stride <= 64; stride++) {
            double passes = 0;
            setting.variant = variant;
            setting.value[0] = stride;
            assert_true(run_lesson_fact(lesson, &setting, "passes", &passes, NULL));
            assert_true(passes == (stride ? divisor((uint32_t)stride, 32) : 1));
        }
    lesson_free(lesson);
}

/* In the classroom DRAM a row holds 1,024 bytes, and neighbouring rows lie in different banks. */
static void rows_of_dram_follow_the_width(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *width;
        double rows;
    } cases[] = {{"rows", "width=256", 1},     {"columns", "width=64", 8},   {"columns", "width=128", 16},
                 {"columns", "width=256", 32}, {"columns", "width=512", 32}, {"strips", "width=256", 4},
                 {"strips", "width=64", 1}};
    struct lesson *lesson;
    assert_true(lesson_load("dram-rows", &lesson, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lesson_setting setting = lesson_defaults(lesson);
        double rows = 0;
        setting.variant = lesson_variant_index(lesson, cases[i].variant);
        assert_true(lesson_set_text(lesson, &setting, cases[i].width, NULL));
        assert_true(run_lesson_fact(lesson, &setting, "first_rows", &rows, NULL));
        assert_true(rows == cases[i].rows);
    }
    lesson_free(lesson);
}

static void numbers_are_written_as_people_read_them(void **state)
{
    (void)state;
    static const struct run_fact facts[] = {{"n", 16777216},   {"one", 1},    {"ratio", 1.2734},
                                            {"none", 0.0 / 1}, {"us", 31810}, {"k", -1024}};
    struct run const run = {.facts = facts, .fact_count = sizeof facts / sizeof facts[0]};
    static const struct {
        const char *text, *filled;
    } cases[] = {{"{n} floats", "16,777,216 floats"},
                 {"{n:plain}", "16777216"},
                 {"{k}", "-1,024"},
                 {"{ratio}", "1.27"},
                 {"{ratio:3}", "1.273"},
                 {"{ratio:%}", "127 %"},
                 {"{us:us}", "31.8 ms"},
                 {"{65.53:us} {473:us}", "65.5 µs 473 µs"},
                 {"{one|pass|passes} {n|pass|passes}", "pass passes"},
                 {"{one == 1 || n == 1}", "1"},
                 {"{one > 0 ? 5 : 7}", "5"},
                 {"{1 / none}", "—"},
                 {"{nonsense} and {open", "{nonsense} and {open"},
                 {"a {?one == 1}b {?one == 2}c", "a b "}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(run_fill_text(&run, NULL, NULL, &arena, cases[i].text), cases[i].filled);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_beat_resolves),           cmocka_unit_test(the_guides_lesson_resolves),
        cmocka_unit_test(every_task_can_be_done),        cmocka_unit_test(texts_follow_every_knob),
        cmocka_unit_test(the_task_of_banks_can_be_done), cmocka_unit_test(passes_are_the_common_divisor_with_32),
        cmocka_unit_test(rows_of_dram_follow_the_width), cmocka_unit_test(numbers_are_written_as_people_read_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
