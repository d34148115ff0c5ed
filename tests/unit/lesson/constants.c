/* Facts of constant memory and of the GPU, in a small lesson (tests/lessons/constant). */
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include "model/gpu.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static struct lesson *load(void)
{
    struct lesson *lesson;
    struct error error;
    char line[1024];
    if (!lesson_load_folder("lessons/constant", &lesson, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    return lesson;
}

static void evaluates_to(struct lesson *lesson, const char *knob, const char *expression, double wanted)
{
    struct lesson_setting setting = lesson_defaults(lesson);
    struct run *run;
    struct error error;
    double value;
    char line[1024];
    assert_true(lesson_set_text(lesson, &setting, knob, NULL));
    if (!run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error) ||
        !run_evaluate(run, lesson, &setting, expression, &value, &error))
        fail_msg("%s: %s", expression, error_line(&error, line, sizeof line));
    if (isnan(wanted) ? !isnan(value) : fabs(value - wanted) > 1e-9)
        fail_msg("with %s, %s is %g, not %g", knob, expression, value, wanted);
    run_free(run);
}

static void each_address_is_a_pass(void **state)
{
    (void)state;
    struct lesson *lesson = load();
    evaluates_to(lesson, "step=0", "passes", 1);
    evaluates_to(lesson, "step=0", "addresses", 1);
    evaluates_to(lesson, "step=1", "passes", 32);
    evaluates_to(lesson, "step=3", "conflicts", 31);
    evaluates_to(lesson, "step=1", "lanes_active", 32);
    evaluates_to(lesson, "step=1", "sectors + chunks + rows + slots", 0);
    evaluates_to(lesson, "step=1", "bytes_used", 128);
    /* two blocks, each with a warp of 32 lanes and one of 16 */
    evaluates_to(lesson, "step=1", "constant_requests", 4);
    evaluates_to(lesson, "step=1", "constant_passes", 2 * (32 + 16));
    evaluates_to(lesson, "step=1", "constant_conflicts", 2 * (31 + 15));
    evaluates_to(lesson, "step=0", "look_passes_all", 4);
    evaluates_to(lesson, "step=1", "conflicts_all", 2 * (31 + 15));
    evaluates_to(lesson, "step=1", "sectors_all", 0);
    lesson_free(lesson);
}

static double fact_of(const char *gpu_name, const char *fact)
{
    struct arena arena = {0};
    struct gpu gpu;
    assert_true(gpu_read(&arena, gpu_name, &gpu, NULL));
    const struct gpu_fact *found = gpu_find(&gpu, fact);
    double const value = found ? found->value : (double)NAN;
    arena_free(&arena);
    return value;
}

static void figures_of_the_gpu_are_facts(void **state)
{
    (void)state;
    static const char *const names[] = {"shared_latency",   "l1_latency",    "l2_latency",      "dram_latency",
                                        "constant_latency", "constant_step", "pitch_alignment", "multiprocessors"};
    struct lesson *lesson = load();
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(fact_of(GPU_DEFAULT, names[i]) > 0);
        evaluates_to(lesson, "step=0", arena_format(&arena, "gpu_%s", names[i]), fact_of(GPU_DEFAULT, names[i]));
    }
    arena_free(&arena);
    lesson_free(lesson);
}

static const char *first_words(struct lesson *lesson, struct arena *arena)
{
    struct lesson_setting const setting = lesson_defaults(lesson);
    struct run *run;
    assert_true(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, NULL));
    const char *text = lesson->beats[0].words[0].paragraphs[0].spans[0].text;
    const char *filled = run_fill_text(run, lesson, &setting, arena, text);
    run_free(run);
    return filled;
}

static void a_figure_that_the_chosen_gpu_lacks_is_shown_as_missing(void **state)
{
    (void)state;
    struct lesson *lesson = load();
    struct arena arena = {0};
    double const wait = fact_of(GPU_DEFAULT, "constant_latency") + 31 * fact_of(GPU_DEFAULT, "constant_step");
    const char *wanted = arena_format(&arena, "32 addresses take 32 passes: %.0f cycles on an NVIDIA H200.", wait);
    assert_string_equal(first_words(lesson, &arena), wanted);
    assert_true(lesson_use_gpu(lesson, "a100", NULL));
    evaluates_to(lesson, "step=0", "gpu_shared_latency", fact_of("a100", "shared_latency"));
    evaluates_to(lesson, "step=0", "gpu_constant_latency", (double)NAN);
    assert_non_null(strstr(first_words(lesson, &arena), "32 passes: — cycles on an NVIDIA A100"));
    arena_free(&arena);
    lesson_free(lesson);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_address_is_a_pass),
        cmocka_unit_test(figures_of_the_gpu_are_facts),
        cmocka_unit_test(a_figure_that_the_chosen_gpu_lacks_is_shown_as_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
