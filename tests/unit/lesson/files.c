/* Lesson files: valid ones load, and errors name the file, the field and the line. */
#include "base/file.h"
#include "lesson/plan.h"
#include "lesson/problems.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/lanescope-lesson-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"lesson.yaml", "en.md", "ko.md"};
    char path[128];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* Copies one file of the lesson banks, with the first `from` replaced by `to`. Returns the line of the change. */
static int copy_file(struct arena *arena, const char *name, const char *from, const char *to)
{
    char *text;
    assert_true(file_read(arena, data_path(arena, "lessons/banks/%s", name), &text, NULL, NULL));
    const char *at = from ? strstr(text, from) : NULL;
    if (from && !at)
        fail_msg("%s holds no \"%s\" to replace", name, from);
    int line = 1;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    const char *changed = at ? arena_format(arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) : text;
    assert_true(file_write(arena_format(arena, "%s/%s", folder, name), changed, strlen(changed), NULL));
    return line;
}

struct damage {
    const char *file, *from, *to;
    const char *field; /* text that the message must contain */
    int offset;        /* lines from the change to the error's line */
};

static void damage_is_named(const struct damage *damage)
{
    static const char *const names[] = {"lesson.yaml", "en.md", "ko.md"};
    struct arena arena = {0};
    struct lesson *lesson;
    struct error error = {0};
    int line = 0;
    char text[1200];
    for (int i = 0; i < 3; i++) {
        bool const here = strcmp(names[i], damage->file) == 0;
        int const changed = copy_file(&arena, names[i], here ? damage->from : NULL, damage->to);
        line = here ? changed : line;
    }
    if (lesson_load_folder(folder, &lesson, &error))
        fail_msg("\"%s\" in place of \"%s\" is accepted", damage->to, damage->from);
    error_line(&error, text, sizeof text);
    if (!strstr(text, damage->field) || !strstr(error.file, damage->file) || error.line != line + damage->offset)
        fail_msg("\"%s\" in line %d gives: %s", damage->to, line, text);
    arena_free(&arena);
}

static void damaged_fields_are_named(void **state)
{
    (void)state;
    static const struct damage cases[] = {
        {"lesson.yaml", "order: 9", "order: first", "order", 0},
        {"lesson.yaml", "minutes: {alone: 14, class: 20}", "minutes: {alone: 15}", "field 'minutes.class': is missing",
         0},
        {"lesson.yaml", "minutes: {alone: 14, class: 20}", "minutes: {alone: 0, class: 6}", "field 'minutes'", 0},
        {"lesson.yaml", "minutes: {alone: 14, class: 20}", "minutes: {alone: long, class: 6}", "field 'minutes.alone'",
         0},
        {"lesson.yaml", "dram: classroom", "colour: blue", "field 'colour': there is no such field", 0},
        {"lesson.yaml", "label: {en: stride, ko: 스트라이드}", "labl: {en: stride}", "field 'knobs.0.labl'", 0},
        {"lesson.yaml", "launch: {grid: copies, block: 32}", "launch: {grid: copies}",
         "field 'launch.block': is missing", 0},
        {"lesson.yaml", "check: out\n", "check: out\narrays: {pair: [in, nothing]}\n",
         "field 'arrays.pair': no argument \"in\" is a buffer with a `shape`", 1},
        {"lesson.yaml", "check: out\n", "check: out\narrays: {product: [out, in]}\n",
         "field 'arrays.product': `pair` takes the names of 2 arguments, or `product` those of 3", 1},
        {"lesson.yaml", "check: out\n", "check: out\narrays: {pair: [out, in], product: [out, in, in]}\n",
         "field 'arrays.product'", 1},
        {"lesson.yaml", "check: out\n", "check: out\narrays: {pears: [out, in]}\n",
         "field 'arrays.pears': there is no such field", 1},
        {"lesson.yaml", "check: out\n", "check: out\narrays: {pair: out}\n", "field 'arrays.pair'", 1},
        {"lesson.yaml", "  - id: two\n    kind", "  - kind", "field 'beats.1.id': is missing", 0},
        {"lesson.yaml", "dram: classroom", "dram: ddr1", "field 'dram': there is no preset \"ddr1\"", 0},
        {"lesson.yaml", "values: true", "values: maybe", "field 'values'", 0},
        {"lesson.yaml", "start: 1}", "start: 65}", "field 'knobs.0.start': 65", 0},
        {"lesson.yaml", "values: [4, 8, 16]", "values: [4, 16, 8]", "field 'knobs.1.values'", 0},
        {"lesson.yaml", "from: 0, to: 64", "from: 64, to: 0", "knobs.0", 0},
        {"lesson.yaml", "from: 0, to: 64", "from: 0, to: 4096", "the knob has more than 4096 values", 0},
        {"lesson.yaml", "from: 0, to: 64",
         "from: -9223372036854775807, to: 9223372036854775807, step: 4611686018427387905", "field 'knobs.0.start'", 0},
        {"lesson.yaml", "from: 0, to: 4, ", "from: 0, to: 4095, ",
         "field 'knobs': the variants and the knobs' values have 1597440 combinations; at most 1048576 can be", -2},
        {"lesson.yaml", "reference: banks_load", "reference: bank", "field 'variants.0.reference'", 0},
        {"lesson.yaml", "by: element, values", "by: elements, values", "field 'defines.0.by'", 0},
        {"lesson.yaml", "[float, double, double2]", "[float, double]", "field 'defines.0.values'", 0},
        {"lesson.yaml", "types: [f32, f64, f64]", "types: [f32, f64, f8]", "\"f8\"", 0},
        {"lesson.yaml", "fill: \"iota:0.5\"", "fill: ones", "field 'arguments.1.fill'", 0},
        {"lesson.yaml", "fill: \"iota:0.5\"", "fills: [iota]", "field 'arguments.1.fills'", 0},
        {"lesson.yaml", "fill: \"iota:0.5\"", "fills: [iota, zero, ones]", "field 'arguments.1.fills.2'", 0},
        {"lesson.yaml", "fill: \"iota:0.5\"", "fill: iota, fills: [iota, zero, iota]", "field 'arguments.1.fills'", 0},
        {"lesson.yaml", "fill: \"iota:0.5\"", "fill: iota, shape: [4]", "field 'arguments.1.shape'", 0},
        {"lesson.yaml", "fill: \"iota:0.5\"", "fill: iota, pitch: 64", "field 'arguments.1.pitch'", 0},
        {"lesson.yaml", "check: out", "check: result", "field 'check'", 0},
        {"lesson.yaml", "operation: any", "operation: read", "accesses.0.operation", 0},
        {"lesson.yaml", "operation: any", "operation: any, lane: 32", "accesses.0.lane", 0},
        {"lesson.yaml", "set: [stride=1, padding=0]", "set: [stride=1, gap=0]", "field 'elsewhere.0.set.1'", 0},
        {"lesson.yaml", "over: [stride, element", "over: [strides, element", "record.timings.0.over.0", 0},
        {"lesson.yaml", "id: two", "id: banks", "two beats are called \"banks\"", 0},
        {"lesson.yaml", "kind: ask", "kind: asks", "beats.1.kind", 0},
        {"lesson.yaml", "stage: [lanes, banks, shared]", "stage: [lanes, bank]", "beats.0.stage", 0},
        {"lesson.yaml", "at: touch", "at: tuch", "field 'beats.0.at': no access is called \"tuch\"", 0},
        {"lesson.yaml", "set: [stride=2]", "set: [stride=65]", "field 'beats.1.set.0': knob stride", 0},
        {"lesson.yaml", "choices: [1, 2, 16, 32]", "choices: [1]", "`choices`", -7},
        {"lesson.yaml", "    goal: stride == 32 && passes == passes_ideal\n", "", "needs a `goal`", -6},
        {"lesson.yaml", "ladder_knob: stride", "ladder_knob: length", "field 'beats.5.ladder_knob'", 0},
        {"lesson.yaml", "  - id: two", " - id: two", "is not YAML here", 0},
        {"en.md", "# Bank conflicts", "## Bank conflicts", "lesson.yaml has no beat \"Bank conflicts\"", 0},
        {"en.md", "## eight", "## nine", "no beat \"nine\"", 0},
        {"en.md", "### tally", "### sum", "heading \"sum\"", 0},
        {"en.md", "## eight: Stride 8\n", "## eight\n\n{1 + gpu_shared_latncy}\n",
         "gpu_shared_latncy: assets/gpus/nvidia-h200.yaml has no fact 'shared_latncy'", 2},
        {"en.md", "## two: Stride 2\n", "## two\n\n### wrong 3\n\nNo.\n", "the beat \"two\" has no choice \"3\"", 2},
        {"ko.md", "## eight: 스트라이드 8\n", "### choices\n\n- a\n- b\n\n## eight\n", "names 2, but the beat has 4",
         0},
        {"ko.md", "## eight: 스트라이드 8\n", "### choices\n\nwords\n\n## eight\n", "holds a list", 0},
        {"lesson.yaml", "  - id: column\n", "  - id: column\n    kind: observe\n", "`choices`", 0},
        {"lesson.yaml", "  - id: column\n", "  - id: column\n    kind: mark\n", "needs `mark` and `at`", 0},
        {"lesson.yaml", "  - id: column\n", "  - id: column\n    kind: mark\n    mark: rows\n", "must be on the stage",
         3},
        {"lesson.yaml", "  - id: column\n", "  - id: column\n    kind: bug\n    line: x\n", "`mended` variant", 0},
        {"lesson.yaml", "  - id: column\n", "  - id: column\n    kind: bug\n    line: x\n    mended: lod\n",
         "field 'beats.4.mended': there is no variant \"lod\"", 3},
        {"ko.md", "### after", "### wrong", "under '## two': there is no `### after`", -6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        damage_is_named(&cases[i]);
}

/* An author sees all of them at once, in the order of the files. */
static void every_problem_of_a_lesson_is_listed(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lesson *lesson;
    struct lesson_problems problems = {0};
    int lines[3];
    static const char *const names[] = {"lesson.yaml", "en.md", "ko.md"};
    lines[0] = copy_file(&arena, names[0], "dram: classroom", "colour: blue");
    lines[1] = copy_file(&arena, names[1], "### tally", "### sum");
    lines[2] = copy_file(&arena, names[2], "## eight", "## nine");
    lesson_load_listing(folder, &lesson, &problems);
    assert_null(lesson);
    assert_int_equal(problems.count, 4);
    assert_string_equal(problems.items[0].field, "colour");
    assert_string_equal(problems.items[1].heading, "### sum");
    assert_string_equal(problems.items[2].heading, "## nine");
    assert_string_equal(problems.items[3].heading, "## eight"); /* has no text now */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(problems.items[i].line, lines[i]);
        assert_non_null(strstr(problems.items[i].file, names[i]));
    }
    problems_free(&problems);
    arena_free(&arena);
}

static void a_beat_without_words_is_named(void **state)
{
    (void)state;
    static const struct damage missing = {"ko.md", "## clock: 패스와 시간", "## clock\n\n### after",
                                          "under '## clock': there is no text", 0};
    damage_is_named(&missing);
}

static void every_lesson_loads_and_the_order_is_that_of_the_path(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count;
    size_t const count = lesson_names(&arena, &names, &errors, &error_count);
    for (size_t i = 0; i < error_count; i++)
        fail_msg("%s:%d: %s", errors[i].file, errors[i].line, errors[i].message);
    static const char *const path[] = {"warps",   "coalescing", "dram-rows", "pitch",     "memory-spaces",
                                       "adjdiff", "barrier",    "banks",     "transpose", "stencil"};
    size_t const stations = sizeof path / sizeof *path;
    assert_string_equal(count ? names[0] : "", "start");
    size_t met = 0;
    for (size_t i = 0; i < count && met < stations; i++)
        met += strcmp(names[i], path[met]) == 0;
    if (met < stations)
        fail_msg("%s is missing from the path, or stands too early", path[met]);
    arena_free(&arena);
}

/* Markdown alone would show the asterisks of bold words between punctuation and Hangul, and take the underlines of a
 * name for emphasis. */
static void bold_words_and_names_are_read_as_they_are_meant(void **state)
{
    (void)state;
    static const struct {
        const char *written, *bold, *after;
    } cases[] = {
        {"**{passes}ms**로 줄고", "{passes}ms", "로 줄고"},
        {"**(1, 1)**입니다", "(1, 1)", "입니다"},
        {"**{passes}**{이/가} 됩니다", "{passes}", "{이/가} 됩니다"},
        {"**{passes}**번입니다", "{passes}", "번입니다"},
        {"**\"안\"**은 **`x`**을", "\"안\"", "은 "},
        {"**(a)** 다음의 __x__", "(a)", " 다음의 __x__"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena = {0};
        struct lesson *lesson;
        copy_file(&arena, "lesson.yaml", NULL, NULL);
        copy_file(&arena, "en.md", NULL, NULL);
        copy_file(&arena, "ko.md", "\n### after\n", arena_format(&arena, "\n값은%s\n\n### after\n", cases[i].written));
        assert_true(lesson_load_folder(folder, &lesson, NULL));
        const struct lesson_text *words = &lesson->beats[1].words[LANGUAGE_KO];
        const struct text_paragraph *paragraph = &words->paragraphs[words->count - 1];
        assert_string_equal(paragraph->spans[0].text, "값은");
        assert_int_equal(paragraph->spans[1].style, TEXT_BOLD);
        assert_string_equal(paragraph->spans[1].text, cases[i].bold);
        assert_string_equal(paragraph->spans[2].text, cases[i].after);
        lesson_free(lesson);
        arena_free(&arena);
    }
}

/* A large number's words without {} stand behind it, and their second line stays one. */
static void the_words_of_a_large_number_have_its_place(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lesson *lesson;
    copy_file(&arena, "lesson.yaml", NULL, NULL);
    copy_file(&arena, "en.md", "{} {passes|pass|passes}", "passes");
    copy_file(&arena, "ko.md", "패스 {}번", "패스 {}번\n(처음)");
    assert_true(lesson_load_folder(folder, &lesson, NULL));
    const char *const *words = lesson->beats[0].big_words;
    assert_string_equal(words[LANGUAGE_EN], "{} passes");
    assert_string_equal(words[LANGUAGE_KO], "패스 {}번\n(처음)");
    lesson_free(lesson);
    arena_free(&arena);
}

static void an_unknown_lesson_lists_the_known_ones(void **state)
{
    (void)state;
    struct lesson *lesson;
    struct error error;
    static const char *const bad[] = {"bank", "", "../lessons/bank", ".", ".."};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(lesson_load(bad[i], &lesson, &error));
        assert_null(lesson);
        assert_non_null(strstr(error.remedy, "banks"));
    }
}

static void a_folder_is_found_with_its_name(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lesson *lesson;
    assert_true(lesson_load(data_path(&arena, "tests/../lessons/banks/"), &lesson, NULL));
    assert_string_equal(lesson->name, "banks");
    assert_true(lesson_is_installed(lesson));
    lesson_free(lesson);
    assert_true(lesson_load(data_path(&arena, "tests/lessons/shift"), &lesson, NULL));
    assert_string_equal(lesson->name, "shift");
    assert_false(lesson_is_installed(lesson));
    lesson_free(lesson);
    arena_free(&arena);
}

static void knobs_take_their_values_and_no_others(void **state)
{
    (void)state;
    struct lesson *lesson;
    struct error error = {0};
    assert_true(lesson_load("banks", &lesson, &error));
    struct lesson_setting setting = lesson_defaults(lesson);
    assert_true(lesson_set_text(lesson, &setting, "stride=64", &error));
    assert_true(lesson_set_text(lesson, &setting, "element=16", &error));
    assert_true(lesson_set_text(lesson, &setting, "variant=store", &error));
    assert_int_equal(lesson->knobs[0].values[setting.value[0]], 64);
    assert_int_equal(lesson->knobs[1].values[setting.value[1]], 16);
    assert_string_equal(lesson->variants[setting.variant].name, "store");
    static const struct {
        const char *text, *says;
    } bad[] = {{"stride=65", "a whole number from 0 to 64"},
               {"stride=-1", "0 to 64"},
               {"stride=", "0 to 64"},
               {"stride=8x", "0 to 64"},
               {"stride=99999999999999999999", "0 to 64"},
               {"element=5", "4, 8, 16"},
               {"width=3", "variant, stride, element, padding"},
               {"variant=copy", "load, store"},
               {"stride", "NAME=VALUE"}};
    struct lesson_setting const before = setting;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[1200];
        error = (struct error){0};
        assert_false(lesson_set_text(lesson, &setting, bad[i].text, &error));
        if (!strstr(error_line(&error, text, sizeof text), bad[i].says))
            fail_msg("%s gives: %s", bad[i].text, text);
    }
    assert_memory_equal(&before, &setting, sizeof before);
    lesson_free(lesson);
}

/* The example in the guide is a real lesson: its files equal those in tests/lessons/shift word for word. */
static void the_guide_shows_a_lesson_that_exists(void **state)
{
    (void)state;
    static const char *const names[] = {"lesson.yaml", "en.md", "ko.md", "shift.cu"};
    struct arena arena = {0};
    char *guide, *text;
    assert_true(file_read(&arena, data_path(&arena, "docs/lessons.md"), &guide, NULL, NULL));
    for (int i = 0; i < 4; i++) {
        assert_true(file_read(&arena, data_path(&arena, "tests/lessons/shift/%s", names[i]), &text, NULL, NULL));
        if (!strstr(guide, text))
            fail_msg("docs/lessons.md does not hold tests/lessons/shift/%s", names[i]);
    }
    struct lesson *lesson;
    struct error error;
    assert_true(lesson_load_folder(data_path(&arena, "tests/lessons/shift"), &lesson, &error));
    assert_int_equal(lesson->beat_count, 2);
    lesson_free(lesson);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(damaged_fields_are_named, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(every_problem_of_a_lesson_is_listed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_beat_without_words_is_named, make_folder, remove_folder),
        cmocka_unit_test(every_lesson_loads_and_the_order_is_that_of_the_path),
        cmocka_unit_test_setup_teardown(bold_words_and_names_are_read_as_they_are_meant, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_words_of_a_large_number_have_its_place, make_folder, remove_folder),
        cmocka_unit_test(an_unknown_lesson_lists_the_known_ones),
        cmocka_unit_test(a_folder_is_found_with_its_name),
        cmocka_unit_test(knobs_take_their_values_and_no_others),
        cmocka_unit_test(the_guide_shows_a_lesson_that_exists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
