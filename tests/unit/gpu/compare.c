/* The emulator's trace of a launch equals the GPU's, over every lesson at many settings and every test kernel; once
 * without values and once with the values that each lane read or wrote, which other probes record.
 * tests/compare/known.txt names the launches that differ and the kind of difference; docs/validation.md gives the
 * reasons. Prints a table for that document. */
#include "cuda/cuda.h"
#include "launches_helper.h"
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include "run/file.h"

enum { VALUES_MOST = 24 /* values of a knob, at most */ };

struct family {
    const char *name;
    bool values;
    unsigned launches, same, kinds[TRACE_POLLED + 1], wrong;
};

static const char *const kind_names[] = {
    [TRACE_DIFFERENT] = "different", [TRACE_GROUPED] = "grouped", [TRACE_OUTSIDE] = "outside",
    [TRACE_TIMED] = "timed",         [TRACE_VALUED] = "valued",   [TRACE_POLLED] = "polled"};

/* Returns "grouped" and so on for a launch that is known to differ; otherwise NULL. */
static const char *find_kind(struct arena *arena, const char *launch)
{
    char *text, *rest = NULL;
    struct error error;
    assert_true(file_read(arena, "compare/known.txt", &text, NULL, &error));
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *blank = strchr(line, ' ');
        if (line[0] != '#' && blank && strcmp(blank + 1, launch) == 0) {
            *blank = '\0';
            return line;
        }
    }
    return NULL;
}

/* With values there may be another difference than without, or none: "same". */
static const char *known_kind(struct arena *arena, const char *launch, bool values)
{
    const char *known = values ? find_kind(arena, arena_format(arena, "--values %s", launch)) : NULL;
    if (known && strcmp(known, "same") == 0)
        return NULL;
    return known ? known : find_kind(arena, launch);
}

/* Judges one comparison. Differences of timing need not appear in every run. The result of an atomic depends on the
 * order of the lanes, so differing values after one need not be known. */
static void judge(struct family *family, const char *launch, const struct trace *emulator, const struct trace *gpu)
{
    struct arena arena = {0};
    struct trace_difference difference;
    trace_compare(emulator, gpu, &difference);
    const char *known = known_kind(&arena, launch, family->values);
    const char *found = difference.differ ? kind_names[difference.kind] : NULL;
    bool const any_time = family->values && found && difference.kind == TRACE_TIMED;
    bool const stays_away = !found && (!known || strcmp(known, "timed") == 0 || strcmp(known, "polled") == 0);
    bool const polls = found && known && strcmp(known, "timed") == 0 && strcmp(found, "polled") == 0;
    bool const expected = any_time || stays_away || polls || (found && known && strcmp(known, found) == 0);
    family->launches++;
    family->same += !difference.differ;
    family->kinds[difference.kind] += difference.differ;
    if (!expected) {
        family->wrong++;
        print_message("%s%s: %s, known as %s: %s\n", family->values ? "--values " : "", launch, found ? found : "same",
                      known ? known : "same", difference.text);
    }
    arena_free(&arena);
}

static void print(const struct family *family)
{
    print_message("| %s%s | %u | %u | %u | %u | %u | %u | %u |\n", family->name, family->values ? ", with values" : "",
                  family->launches, family->same, family->kinds[TRACE_GROUPED], family->kinds[TRACE_TIMED],
                  family->kinds[TRACE_POLLED], family->kinds[TRACE_OUTSIDE], family->kinds[TRACE_VALUED]);
}

/* Compares without values, then with them. */
static void compare_family(const char *name, void (*compare)(struct family *family))
{
    unsigned wrong = 0;
    for (int values = 0; values < 2; values++) {
        struct family family = {.name = name, .values = values != 0};
        compare(&family);
        print(&family);
        assert_true(family.launches > 0);
        wrong += family.wrong;
    }
    assert_int_equal(wrong, 0);
}

static void compare_file(void *context, const char *launch, const struct run_file_request *given)
{
    struct family *family = context;
    static const enum executor executors[] = {EXECUTOR_EMULATOR, EXECUTOR_GPU};
    struct run *runs[2] = {NULL, NULL};
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        struct run_file_request request = *given;
        struct error error;
        char line[1024];
        request.options.executor = executors[i];
        request.options.recorded = LAUNCH_ALL_BLOCKS;
        request.options.checks.values = family->values;
        good = run_file(&request, &runs[i], &error);
        if (!good) {
            print_message("%s: %s\n", launch, error_line(&error, line, sizeof line));
            family->wrong++;
        }
    }
    if (good)
        judge(family, launch, runs[0]->trace, runs[1]->trace);
    for (int i = 0; i < 2; i++)
        if (runs[i])
            run_free(runs[i]);
}

static void compare_test_kernels(struct family *family)
{
    launches_of_tests(compare_file, family);
}

static void test_kernels_are_the_same_on_both(void **state)
{
    (void)state;
    compare_family("tests/kernels, tests/emulator", compare_test_kernels);
}

static void compare_silicon_kernels(struct family *family)
{
    launches_of_silicon(compare_file, family);
}

static void kernels_whose_counters_are_known_are_the_same_on_both(void **state)
{
    (void)state;
    compare_family("kernels, with the launches of tests/silicon", compare_silicon_kernels);
}

static void compare_correct_cases(struct family *family)
{
    launches_of_cases(compare_file, family);
}

static void correct_cases_are_the_same_on_both(void **state)
{
    (void)state;
    compare_family("tests/faults, the correct ones", compare_correct_cases);
}

/* Returns how many of several runs on the GPU differ from the first one there. */
static unsigned differing_runs(const struct run_file_request *request, unsigned runs)
{
    struct run *first = NULL;
    unsigned differing = 0;
    for (unsigned i = 0; i < runs; i++) {
        struct run *run;
        struct error error = {0};
        struct trace_difference difference;
        if (!run_file(request, &run, &error))
            fail_msg("%s: %s", request->path, error.message);
        if (!first) {
            first = run;
            continue;
        }
        trace_compare(first->trace, run->trace, &difference);
        assert_true(!difference.differ || difference.kind == TRACE_TIMED);
        differing += difference.differ;
        run_free(run);
    }
    run_free(first);
    return differing;
}

/* Results that depend on timing do so on the GPU alone, too: two runs there may differ. Prints how many do. */
static void time_dependent_results_differ_between_runs_on_the_gpu(void **state)
{
    (void)state;
    enum { RUNS = 40 };
    struct arena arena = {0};
    char *text, *rest = NULL;
    struct error error;
    unsigned differing = 0;
    assert_true(file_read(&arena, "compare/known.txt", &text, NULL, &error));
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "timed ", 6) != 0 || strchr(line + 6, ' '))
            continue;
        struct run_file_request request = launch_of_case(&arena, line + 6);
        request.options.executor = EXECUTOR_GPU;
        request.options.recorded = LAUNCH_ALL_BLOCKS;
        unsigned const here = differing_runs(&request, RUNS);
        print_message("%s: %u of %d runs on the GPU differ from the first\n", line + 6, here, RUNS - 1);
        differing += here;
    }
    assert_true(differing > 0);
    arena_free(&arena);
}

static void compare_setting(struct family *family, const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct arena arena = {0};
    struct run *runs[2] = {NULL, NULL};
    struct error error;
    char line[1024];
    const char *name = arena_format(&arena, "%s %s", lesson->name, lesson->variants[setting->variant].name);
    for (int k = 0; k < lesson->knob_count; k++)
        name = arena_format(&arena, "%s %s=%g", name, lesson->knobs[k].name,
                            (double)lesson_knob_number(&lesson->knobs[k], setting->value[k]));
    if (!run_lesson(lesson, setting, EXECUTOR_EMULATOR, NULL, &runs[0], &error) ||
        !run_lesson(lesson, setting, EXECUTOR_GPU, NULL, &runs[1], &error)) {
        print_message("%s: %s\n", name, error_line(&error, line, sizeof line));
        family->wrong++;
    } else {
        judge(family, name, runs[0]->trace, runs[1]->trace);
        if (runs[1]->check.checked && !runs[1]->check.right) {
            print_message("%s: the GPU's result is wrong\n", name);
            family->wrong++;
        }
    }
    run_free(runs[0]);
    run_free(runs[1]);
    arena_free(&arena);
}

/* Compares each variant at its start, and with each knob turned by itself through its values, at most VALUES_MOST. A
 * faulty variant is left out: the emulator stops at the fault, and a GPU may go on. */
static void compare_lesson(struct family *family, const struct lesson *lesson)
{
    for (int variant = 0; variant < lesson->variant_count; variant++) {
        if (lesson->variants[variant].faulty)
            continue;
        struct lesson_setting const start = lesson_defaults(lesson);
        struct lesson_setting setting = start;
        setting.variant = variant;
        compare_setting(family, lesson, &setting);
        for (int k = 0; k < lesson->knob_count; k++) {
            int const count = lesson->knobs[k].value_count, step = (count + VALUES_MOST - 1) / VALUES_MOST;
            for (int i = 0; i < count; i += step) {
                setting.value[k] = i;
                if (i != start.value[k])
                    compare_setting(family, lesson, &setting);
            }
            setting.value[k] = start.value[k];
        }
    }
}

/* Compares all lessons as one family. */
static void compare_lessons(struct family *family)
{
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count = 0;
    size_t const count = lesson_names(&arena, &names, &errors, &error_count);
    assert_true(count > 0 && error_count == 0);
    for (size_t i = 0; i < count; i++) {
        struct lesson *lesson;
        assert_true(lesson_load(names[i], &lesson, NULL));
        lesson->values = family->values;
        compare_lesson(family, lesson);
        lesson_free(lesson);
    }
    arena_free(&arena);
}

static void lessons_are_the_same_on_both(void **state)
{
    (void)state;
    compare_family("lessons", compare_lessons);
}

int main(int argc, char **argv)
{
    if (cuda_serve(argc, argv)) /* a kernel that faults ends only the child */
        return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lessons_are_the_same_on_both),
        cmocka_unit_test(kernels_whose_counters_are_known_are_the_same_on_both),
        cmocka_unit_test(test_kernels_are_the_same_on_both),
        cmocka_unit_test(correct_cases_are_the_same_on_both),
        cmocka_unit_test(time_dependent_results_differ_between_runs_on_the_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
