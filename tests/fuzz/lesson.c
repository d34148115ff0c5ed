/* A lesson's three files, lesson.yaml, en.md and ko.md, in one input, separated by lines of `%%%%`. Lessons are read
 * from a folder, so the files are written to one in memory. A lesson that loads must survive the operations on every
 * lesson: settings, launches, expressions and texts. */
#include "fuzz.h"
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 3 };
static const char divider[] = "%%%%\n";
static const char *const names[FILES] = {"lesson.yaml", "en.md", "ko.md"};
static char folder[] = "/dev/shm/lanescope-fuzz-XXXXXX";
static char paths[FILES][64];
static int files[FILES];

static void remove_folder(void)
{
    for (int i = 0; i < FILES; i++)
        unlink(paths[i]);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argument_count, char ***arguments)
{
    (void)argument_count;
    (void)arguments;
    require(mkdtemp(folder));
    for (int i = 0; i < FILES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
        files[i] = open(paths[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        require(files[i] >= 0);
    }
    atexit(remove_folder);
    return 0;
}

static void write_files(const uint8_t *data, size_t size)
{
    for (int i = 0; i < FILES; i++) {
        const uint8_t *end = i < FILES - 1 && size ? memmem(data, size, divider, sizeof divider - 1) : NULL;
        size_t const length = end ? (size_t)(end - data) : size;
        require(ftruncate(files[i], 0) == 0 && pwrite(files[i], data, length, 0) == (ssize_t)length);
        size_t const passed = end ? length + sizeof divider - 1 : length;
        data += passed;
        size -= passed;
    }
}

static void check_text(struct lesson_text text)
{
    for (size_t i = 0; i < text.count; i++)
        for (size_t k = 0; k < text.paragraphs[i].span_count; k++)
            require(strlen(text.paragraphs[i].spans[k].text) < (size_t)1 << 20);
}

static void check_beat(const struct lesson *lesson, int beat, const struct run *run, struct arena *arena)
{
    const struct lesson_beat *here = &lesson->beats[beat];
    struct lesson_setting setting = lesson_defaults(lesson);
    lesson_apply_sets(&setting, here->sets, here->set_count);
    require(setting.variant >= 0 && setting.variant < lesson->variant_count);
    for (int k = 0; k < lesson->knob_count; k++)
        require(setting.value[k] >= 0 && setting.value[k] < lesson->knobs[k].value_count);
    struct run_fact *facts;
    struct compile_define *defines;
    struct error error = {0};
    size_t count;
    double value;
    size_t event;
    if (plan_names(lesson, &setting, beat % 2 == 1, arena, &facts, &count, &error)) {
        struct run with_names = *run;
        with_names.facts = facts;
        with_names.fact_count = count;
        for (int language = 0; language < LANGUAGE_COUNT; language++) {
            check_text(run_fill_words(&with_names, lesson, &setting, arena, &here->words[language]));
            check_text(run_fill_words(&with_names, lesson, &setting, arena, &here->after[language]));
            if (here->tally[language])
                require(run_fill_text(&with_names, lesson, &setting, arena, here->tally[language]));
        }
        if (here->answer)
            run_evaluate(&with_names, lesson, &setting, here->answer, &value, &error);
        if (here->goal)
            run_evaluate(&with_names, lesson, &setting, here->goal, &value, &error);
    }
    plan_key(lesson, &setting, beat % 2 == 1, arena, &error);
    plan_defines(lesson, &setting, arena, &defines);
    lesson_source_path(lesson, setting.variant, arena);
    run_find_beat(run, lesson, &setting, here, &event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lesson *lesson;
    struct error error = {0};
    write_files(data, size);
    if (!lesson_load_folder(folder, &lesson, &error)) {
        require(!lesson && error.kind == ERROR_INPUT && error.message[0]);
        return 0;
    }
    struct arena arena = {0};
    struct launch const launch = {.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}};
    static const struct ptx_function kernel = {.name = "k", .is_kernel = true, .has_body = true};
    static const struct ptx_module module = {.text = "", .functions = &kernel, .function_count = 1};
    struct run run = {.trace = trace_new(&module, &launch)};
    for (int beat = 0; beat < lesson->beat_count && beat < 8; beat++)
        check_beat(lesson, beat, &run, &arena);
    struct compile_request *requests;
    lesson_compilations(lesson, &arena, &requests);
    require(lesson->arena.bytes + arena.bytes < (size_t)256 << 20);
    trace_free(run.trace);
    arena_free(&arena);
    lesson_free(lesson);
    return 0;
}
