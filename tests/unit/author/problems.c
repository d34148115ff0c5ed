/* The check of a lesson: a good lesson has no problem, and each kind of damage gives the lines that
 * tests/golden/lesson_problems.txt shows. LANESCOPE_WRITE_GOLDEN=1 writes them anew. */
#include "author/author.h"
#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const files[] = {"lesson.yaml", "en.md", "ko.md", "notes.en.md", "notes.ko.md", "whole.cu"};
enum { FILES = 6 };
static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/lanescope-author-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[128];
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* One edit of the good lesson: the first `from` in the file becomes `to`. from "": the file is removed. */
struct damage {
    const char *name, *file, *from, *to;
};
static const struct damage damages[] = {
    /* the fields */
    {"a field that does not exist", "lesson.yaml", "order: 92", "order: 92\ncolour: blue"},
    {"two fields that do not exist", "lesson.yaml", "check: out", "chek: out\ncolour: blue"},
    {"a text for a whole number", "lesson.yaml", "order: 92", "order: last"},
    {"one value for a list", "lesson.yaml", "choices: [1, 4, 5]", "choices: 5"},
    {"a word that is no kind", "lesson.yaml", "kind: observe", "kind: look"},
    {"a panel that does not exist", "lesson.yaml", "stage: [lanes, shared]", "stage: [lanes, tile]"},
    {"a field that is missing", "lesson.yaml", "kernel: turned,", ""},
    {"a field given twice", "lesson.yaml", "    goal: sectors > 4", "    goal: sectors > 4\n    goal: sectors > 5"},
    {"a knob out of range", "lesson.yaml", "set: [shift=8]", "set: [shift=9]"},
    {"no YAML", "lesson.yaml", "  - id: seen", " - id: seen"},
    {"a let with an unknown name", "lesson.yaml", "check: out", "check: out\nlet:\n  - {name: twice, value: 2 * shft}"},
    {"an expression with an unknown name", "lesson.yaml", "count: 72", "count: 64 + gap"},
    {"an expect with an unknown name", "lesson.yaml", "expect: in(63 - i + shift)", "expect: inn(63 - i)"},
    {"an expect beyond the buffer", "lesson.yaml", "expect: in(63 - i + shift)", "expect: in(163 - i)"},
    /* the texts */
    {"a language that is missing", "ko.md", "", ""},
    {"a section that is missing in one language", "ko.md",
     "## seen\n\n섹터가 몇 개 보이나요?\n\n### wrong 1\n\n"
     "섹터 하나에는 int가 여덟 개만 들어갑니다.\n\n### after\n\n"
     "{?sectors == 4}넷입니다.\n\n{?sectors != 4}넷이 아닙니다.\n\n",
     ""},
    {"a heading without a beat", "en.md", "## seen", "## saw"},
    {"a heading that means nothing", "en.md", "### tally", "### total"},
    {"no text after the answer", "en.md", "### after\n\nFive.\n\n", ""},
    {"a heading that stands twice", "en.md", "### tally", "### after"},
    {"a table", "en.md", "Which sectors?", "Which sectors?\n\n    code\n\n> a quotation"},
    {"choices in words in one language", "ko.md", "### choices\n\n- 하나\n- 넷\n- 다섯\n\n", ""},
    {"a tally in one language", "en.md", "### tally\n\nFetched {bytes_fetched} bytes.\n\n", ""},
    {"too few words for the choices", "en.md", "- five\n", ""},
    {"a reply to no choice", "en.md", "### wrong 1\n", "### wrong 2\n"},
    {"a wrong choice without a reply", "en.md", "### wrong 1\n\nA sector holds eight ints only.\n\n", ""},
    {"a bug without a reply", "en.md", "### wrong\n\nThat line uses what the thread has itself.\n\n", ""},
    {"a reply to the right choice", "en.md", "### wrong 1\n", "### wrong 4\n\nNo.\n\n### wrong 1\n"},
    {"an unknown figure", "en.md", "Now `shift` is {shift}.", "Now `shift` is {shft}."},
    {"an unknown figure behind a condition", "en.md", "Not four.", "Not four but {sector}."},
    {"an unknown condition", "ko.md", "{?sectors != 4}", "{?sector != 4}"},
    {"an expression that ends too early", "en.md", "{bytes_used}", "{bytes_used / }"},
    {"a figure that is no number", "en.md", "{bytes_used}", "{bytes_used / (sectors - sectors)}"},
    {"one word of two", "en.md", "{sectors|sector|sectors}", "{sectors|sectors}"},
    {"a plural after 1", "en.md", "Now `shift` is {shift}.", "Now it reads {shift} words further."},
    {"a brace without a partner", "en.md", "{sectors} sectors.", "{sectors sectors."},
    {"a step that hides all its text", "en.md", "Make the access", "{?shift > 0}Make the access"},
    {"a figure in the title", "ko.md", "# 온전한 수업", "# 온전한 수업 {shift}"},
    /* the teacher's notes */
    {"notes in one language", "notes.ko.md", "", ""},
    {"a title in one language only", "en.md", "## seen", "## seen: Sectors"},
    {"notes on no step", "notes.en.md", "## seen", "## saw"},
    {"notes that leave a step out", "notes.ko.md", "## bug\n\n누군가 줄을 짚을 때까지 기다립니다.\n\n", ""},
    {"notes with a heading that means nothing", "notes.en.md", "## mark\n", "## mark\n\n### after\n"},
    {"notes with an unknown figure", "notes.en.md", "{sectors} is", "{sector} is"},
    {"notes on the lesson with a figure", "notes.en.md", "a sheet", "{shift} sheets"},
    /* the questions */
    {"no right answer", "lesson.yaml", "choices: [1, 4, 5]", "choices: [1, 4, 8]"},
    {"a choice given twice", "lesson.yaml", "choices: [1, 4, 5]", "choices: [5, 4, 5]"},
    {"an answer that no run gives", "lesson.yaml", "answer: sectors", "answer: sector"},
    {"a picture that does not show the answer", "lesson.yaml", "kind: observe\n    stage: [lanes, chunks]",
     "kind: observe\n    stage: [lanes, shared]"},
    {"a picture that dims the answer", "lesson.yaml", "kind: observe\n    stage: [lanes, chunks]",
     "kind: observe\n    stage: [lanes, chunks]\n    focus: [lanes]"},
    {"nothing to mark", "lesson.yaml", "mark: sectors\n    stage: [lanes, chunks]\n    at: read",
     "mark: banks\n    stage: [lanes, banks]\n    at: read"},
    {"everything to mark", "lesson.yaml", "mark: sectors", "mark: lanes"},
    {"a task that is done", "lesson.yaml", "goal: sectors > 4", "goal: sectors > 3"},
    {"a task that cannot be done", "lesson.yaml", "goal: sectors > 4", "goal: sectors > 5"},
    {"a goal that no run gives", "lesson.yaml", "goal: sectors > 4", "goal: sectors >"},
    /* the kernels */
    {"a bug that does not show", "whole.cu", "    out[t] = tile[63 - t]; // is it there yet?",
     "    __syncthreads();\n    out[t] = tile[63 - t]; // is it there yet?"},
    {"a bug of a variant that is right", "lesson.yaml", "set: [variant=early, shift=0]",
     "set: [variant=right, shift=0]"},
    {"a bug whose line is not there", "lesson.yaml", "    line: \"out", "    line: \"result"},
    {"a bug whose line is another's", "lesson.yaml", " // is it there yet?\"", "\""},
    {"a bug whose mended kernel is faulty", "lesson.yaml", "mended: right", "mended: early"},
    {"a mended kernel that is wrong, too", "whole.cu", "tile[63 - t];", "tile[62 - t + (t == 63)];"},
    {"a kernel that writes beyond its buffer", "lesson.yaml", "count: 64", "count: 60"},
    {"an input that is too short", "lesson.yaml", "count: 72", "count: 65"},
    {"a kernel that races", "whole.cu", "    __syncthreads();\n", ""},
    {"a kernel that does not exist", "lesson.yaml", "kernel: turned,", "kernel: turn,"},
    {"a source that does not exist", "lesson.yaml", "source: whole.cu, kernel: turned,",
     "source: hole.cu, kernel: turned,"},
    {"a result that nothing checks", "lesson.yaml", ", expect: in(63 - i + shift)", ""},
    {"an access whose line does not exist", "lesson.yaml", "lines: [\"tile[t] = in[t + shift];\"], operation: store",
     "lines: [\"tile[t] = in[t];\"], operation: store"},
    {"an access that never happens", "lesson.yaml", "operation: load, space: global", "operation: load, space: shared"},
    {"an access of a warp that is not there", "lesson.yaml", "space: shared}", "space: shared, warp: 2}"},
    /* other settings, recordings */
    {"a number that no other run gives", "lesson.yaml", "value: sectors, set", "value: sektors, set"},
    {"another setting that does not exist", "lesson.yaml", "set: [shift=0]}", "set: [shift=3]}"},
    {"a timed launch with an unknown name", "lesson.yaml", "record:\n",
     "timed:\n  let:\n    - {name: shift, value: 2 * shft}\n  what: {en: long, ko: 길이}\nrecord:\n"},
    {"a timed launch that is too large", "lesson.yaml", "launch: {grid: 1, block: 64}",
     "let:\n  - {name: wide, value: 64}\nlaunch: {grid: 1, block: wide}\ntimed:\n  let:\n"
     "    - {name: wide, value: 4096}\n  what: {en: wide, ko: 너비}"},
    {"a timed launch that divides by nothing", "lesson.yaml", "launch: {grid: 1, block: 64}",
     "let:\n  - {name: wide, value: 64}\nlaunch: {grid: 1, block: wide}\ntimed:\n  let:\n"
     "    - {name: wide, value: 64 / (host - host)}\n  what: {en: wide, ko: 너비}"},
    {"a timed name that replaces nothing", "lesson.yaml", "record:\n",
     "timed:\n  let:\n    - {name: shft, value: 8}\n  what: {en: long, ko: 길이}\nrecord:\n"},
    {"a timed launch without words", "lesson.yaml", "record:\n", "timed: {beyond_cache: true}\nrecord:\n"},
    {"a timed launch in one language", "lesson.yaml", "record:\n", "timed: {what: {en: long}}\nrecord:\n"},
    {"a cache that is neither true nor false", "lesson.yaml", "record:\n",
     "timed: {what: {en: long, ko: 길이}, beyond_cache: cold}\nrecord:\n"},
    {"a compared program by an unknown name", "lesson.yaml", "record:\n",
     "compare: {label: {en: theirs, ko: 남의 것}, recording: cublas, variant: sgemm, by: size}\nrecord:\n"},
    {"a compared program without its recording", "lesson.yaml", "record:\n",
     "compare: {label: {en: theirs, ko: 남의 것}, variant: sgemm, by: shift}\nrecord:\n"},
    {"a compared program with an unknown count", "lesson.yaml", "record:\n",
     "compare: {label: {en: theirs, ko: 남의 것}, recording: cublas, variant: sgemm, by: shift, flop: 2 * "
     "n}\nrecord:\n"},
    {"a count of the timed launch that does not exist", "en.md", "Now `shift` is {shift}.",
     "Now `shift` is {shift}: {timed_flops}."},
    {"timed blocks that are too small", "lesson.yaml", "record:\n",
     "timed: {what: {en: small, ko: 작음}}\nrecord:\n  timings:\n    - {over: [shift]}\n"},
    {"timed blocks that are too small, said in one language", "lesson.yaml", "record:\n",
     "timed: {what: {en: \"blocks of {threads} threads\", ko: 작음}}\nrecord:\n  timings:\n    - {over: [shift]}\n"},
};

/* Copies the good lesson with one edit. */
static void write_lesson(struct arena *arena, const struct damage *damage)
{
    for (int i = 0; i < FILES; i++) {
        char *text;
        const char *path = arena_format(arena, "%s/%s", folder, files[i]);
        assert_true(file_read(arena, data_path(arena, "tests/lessons/whole/%s", files[i]), &text, NULL, NULL));
        const char *written = text;
        if (damage && strcmp(damage->file, files[i]) == 0) {
            const char *at = strstr(text, damage->from);
            if (!at)
                fail_msg("%s: %s holds no \"%s\"", damage->name, files[i], damage->from);
            unlink(path);
            if (!*damage->from)
                continue;
            written = arena_format(arena, "%.*s%s%s", (int)(at - text), text, damage->to, at + strlen(damage->from));
        }
        assert_true(file_write(path, written, strlen(written), NULL));
    }
}

/* Returns the text without the folder of this run. */
static const char *without_folder(struct arena *arena, const char *text)
{
    size_t const length = strlen(folder);
    for (const char *at; (at = strstr(text, folder));)
        text = arena_format(arena, "%.*s%s%s", (int)(at - text), text, at[length] == '/' ? "" : "FOLDER",
                            at + length + (at[length] == '/'));
    return text;
}

/* Returns a line with the list of all panels cut to the first one: a new panel changes no golden text. */
static const char *without_panels(struct arena *arena, const char *text)
{
    static const char list[] = "is none of warps, ";
    const char *at = strstr(text, list);
    return at ? arena_format(arena, "%.*s...", (int)(at - text + (long)sizeof list - 1), text) : text;
}

static const char *problems_of(struct arena *arena, struct author_report *report)
{
    static const struct author_options options = {.settings_max = 0};
    const char *all = "";
    author_check(folder, &options, report);
    for (size_t i = 0; i < report->problems.count; i++) {
        struct error error;
        char line[1200];
        problem_error(&report->problems.items[i], &error);
        all = arena_format(arena, "%s  %s%s\n", all,
                           report->problems.items[i].level == PROBLEM_WARNING ? "warning: " : "",
                           without_panels(arena, without_folder(arena, error_line(&error, line, sizeof line))));
    }
    return all;
}

static void a_good_lesson_has_no_problem(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct author_report report;
    write_lesson(&arena, NULL);
    assert_string_equal(problems_of(&arena, &report), "");
    assert_int_equal(report.beats, 6);
    assert_true(report.read && report.settings > 4 && report.runs > report.settings && !report.settings_left);
    author_report_free(&report);
    arena_free(&arena);
}

static void every_damage_is_named_with_its_place(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *path = data_path(&arena, "tests/golden/lesson_problems.txt"), *all = "";
    char *golden;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct author_report report;
        write_lesson(&arena, &damages[i]);
        const char *said = problems_of(&arena, &report);
        if (!*said)
            fail_msg("%s: the check finds nothing", damages[i].name);
        all = arena_format(&arena, "%s%s\n%s\n", all, damages[i].name, said);
        author_report_free(&report);
    }
    if (getenv("LANESCOPE_WRITE_GOLDEN"))
        assert_true(file_write(path, all, strlen(all), NULL));
    assert_true(file_read(&arena, path, &golden, NULL, NULL));
    assert_string_equal(all, golden);
    arena_free(&arena);
}

/* tests/lessons/turned has one step for each thing that becomes false when a knob is turned, in the form of a sentence
 * that once stood in a lesson, and next to it the form in which it stays true. Only the former are named. */
static void what_a_turned_knob_makes_false_is_named(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct author_report report;
    char *golden;
    const char *path = data_path(&arena, "tests/golden/lesson_turned.txt"), *all = "";
    static const struct author_options options = {.settings_max = 0};
    const char *lesson = data_path(&arena, "tests/lessons/turned");
    author_check(lesson, &options, &report);
    for (size_t i = 0; i < report.problems.count; i++) {
        const struct lesson_problem *problem = &report.problems.items[i];
        assert_true(strlen(problem->file) > strlen(lesson));
        all = arena_format(&arena, "%s%s:%d: %s: %s\n", all, problem->file + strlen(lesson) + 1, problem->line,
                           problem->heading ? problem->heading : problem->field, problem->said);
    }
    if (getenv("LANESCOPE_WRITE_GOLDEN"))
        assert_true(file_write(path, all, strlen(all), NULL));
    assert_true(file_read(&arena, path, &golden, NULL, NULL));
    assert_string_equal(all, golden);
    author_report_free(&report);
    arena_free(&arena);
}

/* The words are the compiler's, so they are no golden text. */
static void a_kernel_that_does_not_compile_is_named_with_its_line(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct author_report report;
    static const struct damage damage = {"", "whole.cu", "int t = threadIdx.x;", "int t = threadIdx.y.z;"};
    write_lesson(&arena, &damage);
    problems_of(&arena, &report);
    assert_true(report.problems.count > 0);
    assert_non_null(strstr(report.problems.items[0].file, "whole.cu"));
    assert_int_equal(report.problems.items[0].line, 5);
    author_report_free(&report);
    arena_free(&arena);
}

/* A check of too many settings says how many it leaves out. */
static void a_check_that_is_cut_says_so(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct author_report report;
    static const struct author_options few = {.settings_max = 2};
    write_lesson(&arena, NULL);
    author_check(folder, &few, &report);
    assert_int_equal(report.settings, 2);
    assert_true(report.settings_left > 0);
    author_report_free(&report);
    arena_free(&arena);
}

/* Nobody wants to download what one lesson has recorded too much. */
static void recordings_that_are_too_large_are_named(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct author_report report;
    static const struct author_options small = {.settings_max = 1, .recording_bytes_max = 1000};
    bool named = false;
    author_check(data_path(&arena, "lessons/pitch"), &small, &report);
    for (size_t i = 0; i < report.problems.count; i++)
        named = named || (report.problems.items[i].level == PROBLEM_WARNING &&
                          strstr(report.problems.items[i].said, "may add 1000 to the installed program"));
    assert_true(named);
    author_report_free(&report);
    arena_free(&arena);
}

static void a_check_stops_when_it_is_asked_to(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct author_report report;
    atomic_bool const now = true;
    struct author_options const options = {.cancel = &now};
    write_lesson(&arena, NULL);
    author_check(folder, &options, &report);
    assert_true(report.stopped);
    assert_int_equal(report.settings, 0);
    author_report_free(&report);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_good_lesson_has_no_problem, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(every_damage_is_named_with_its_place, make_folder, remove_folder),
        cmocka_unit_test(what_a_turned_knob_makes_false_is_named),
        cmocka_unit_test_setup_teardown(a_kernel_that_does_not_compile_is_named_with_its_line, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_check_that_is_cut_says_so, make_folder, remove_folder),
        cmocka_unit_test(recordings_that_are_too_large_are_named),
        cmocka_unit_test_setup_teardown(a_check_stops_when_it_is_asked_to, make_folder, remove_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
