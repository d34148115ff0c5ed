/* What is wrong with the fields of a lesson that loads, without a run of its beats: texts of source lines, choices,
 * numbers of other settings, recordings. */
#include "author/check.h"
#include "base/file.h"
#include "base/lines.h"
#include "lesson/expression.h"
#include "lesson/recording.h"
#include "ptx/module.h"
#include "recording/recordings.h"
#include "source/kernel.h"
#include <stdlib.h>
#include <string.h>

static bool has_kernel(const struct ptx_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i].is_kernel && strcmp(module->functions[i].name, name) == 0)
            return true;
    return false;
}

/* Variants without a kernel that compiles are not run. */
static void read_sources(struct check *check)
{
    const struct lesson *lesson = check->lesson;
    for (int i = 0; i < lesson->variant_count; i++) {
        const struct lesson_variant *variant = &lesson->variants[i];
        const char *path = lesson_source_path(lesson, i, &check->arena);
        struct lesson_setting setting = lesson_defaults(lesson);
        const struct ptx_module *module;
        struct error error;
        char *text;
        setting.variant = i;
        if (!file_exists(path))
            say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "variants.%d.source", i),
                "put the file beside lesson.yaml", "there is no file \"%s\", neither here nor in kernels/",
                variant->source);
        else if (!file_read(&check->arena, path, &text, NULL, &error) ||
                 !plan_find_module(lesson, &setting, &module, &error))
            problems_add_error(&check->report->problems, &error);
        else if (!has_kernel(module, variant->kernel))
            say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "variants.%d.kernel", i),
                "name a function that begins with extern \"C\" __global__ void", "%s has no kernel \"%s\"",
                variant->source, variant->kernel);
        else
            check->source[i] = text;
        if (!variant->faulty && (lesson->plan->check < 0 || (!variant->expect && !variant->reference)))
            say(check, PROBLEM_WARNING, ERROR_INPUT, FORMAT(check, "variants.%d", i),
                "give `check` and `expect`, or `faulty: true`", "nothing checks the results of variant %s",
                variant->name);
    }
}

/* Lists a text of a source line that no variant's source contains. */
static void check_lines(struct check *check)
{
    const struct lesson *lesson = check->lesson;
    const struct lesson_plan *plan = lesson->plan;
    for (size_t i = 0; i < plan->access_count; i++)
        for (size_t k = 0; k < plan->accesses[i].line_count; k++) {
            bool found = false;
            for (int v = 0; v < lesson->variant_count; v++)
                found = found || !check->source[v] || strstr(check->source[v], plan->accesses[i].lines[k]);
            if (!found)
                say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "accesses.%zu.lines.%zu", i, k),
                    "copy the line from the source, with its spaces", "no source has the text \"%s\"",
                    plan->accesses[i].lines[k]);
        }
}

static void check_choices(struct check *check)
{
    for (int b = 0; b < check->lesson->beat_count; b++) {
        const struct lesson_beat *beat = &check->lesson->beats[b];
        for (int i = 0; i < beat->choice_count; i++)
            for (int k = 0; k < i; k++)
                if (beat->choices[i] == beat->choices[k])
                    say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "beats.%d.choices.%d", b, i), "",
                        "the choice %g is given twice", beat->choices[i]);
    }
}

/* Lists numbers of other settings that no run gives, and lets the rest go on with 0. */
static void check_elsewhere(struct check *check)
{
    struct lesson_plan *plan = check->lesson->plan;
    for (size_t i = 0; i < plan->elsewhere_count; i++) {
        struct plan_elsewhere *from = &plan->elsewhere[i];
        struct lesson_setting setting = setting_of_beat(check->lesson, 0);
        struct error error;
        double value;
        lesson_apply_sets(&setting, from->sets, from->set_count);
        if (!check->source[setting.variant])
            continue;
        check->report->runs++;
        if (run_lesson_fact(check->lesson, &setting, from->value, &value, &error))
            continue;
        if (error.file[0])
            problems_add_error(&check->report->problems, &error);
        else
            say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "elsewhere.%zu.value", i), error.remedy,
                "no run gives this number: %s", error.message);
        from->value = "0";
    }
}

struct naming {
    const char *name;
    bool found;
};

static void note_name(void *context, const char *text, size_t length)
{
    struct naming *naming = context;
    naming->found = naming->found || (strlen(naming->name) == length && memcmp(naming->name, text, length) == 0);
}

/* Returns whether a text has {name}, alone or in an expression. */
static bool text_names(const char *text, const char *name)
{
    struct naming naming = {name, false};
    struct arena arena = {0};
    for (const char *at = text; at && (at = strchr(at, '{')); at++)
        expression_names(arena_text_n(&arena, at + 1, strcspn(at + 1, "|:}")), note_name, &naming);
    arena_free(&arena);
    return naming.found;
}

/* Returns the threads of the smallest block among the settings; 0 without any that is known. */
static double smallest_block(struct check *check, const struct lesson_setting *settings, size_t count)
{
    double fewest = 0;
    for (size_t i = 0; i < count; i++) {
        struct run_fact *names;
        size_t name_count;
        bool const known = !check->lesson->variants[settings[i].variant].host &&
                           plan_names(check->lesson, &settings[i], true, &check->arena, &names, &name_count, NULL);
        for (size_t k = 0; known && k < name_count; k++)
            if (strcmp(names[k].name, "threads") == 0 && (fewest == 0 || names[k].value < fewest))
                fewest = names[k].value;
    }
    return fewest;
}

/* Lists the first timed launch with an expression that has no value, where the launch itself is good. Returns false if
 * there is one. */
static bool check_timed_launches(struct check *check, const struct lesson_setting *settings, size_t count)
{
    const struct lesson *lesson = check->lesson;
    for (size_t i = 0; i < count; i++) {
        struct error error;
        if (lesson->variants[settings[i].variant].host || !plan_key(lesson, &settings[i], false, &check->arena, NULL) ||
            plan_key(lesson, &settings[i], true, &check->arena, &error))
            continue;
        say(check, PROBLEM_ERROR, error.kind, *error.field ? error.field : "timed", error.remedy,
            "of the timed launch %s: %s", setting_words(check, &settings[i]), error.message);
        return false;
    }
    return true;
}

/* Lists a number of the compared program that no timed launch gives. */
static void check_compared(struct check *check, const struct lesson_setting *setting)
{
    const char *flop = check->lesson->plan->compare.flop;
    struct run_fact *names;
    size_t count;
    double value;
    struct error error;
    if (flop && plan_names(check->lesson, setting, true, &check->arena, &names, &count, NULL) &&
        !expression_evaluate(flop, names, count, &value, &error))
        say(check, PROBLEM_ERROR, error.kind, "compare.flop", error.remedy, "%s", error.message);
}

/* Small blocks leave much of a GPU idle, so their times are about the block, too. The reader must learn it. */
static void check_timed(struct check *check)
{
    const struct lesson *lesson = check->lesson;
    struct lesson_setting const usual = lesson_defaults(lesson);
    struct lesson_setting *settings;
    size_t const count = lesson_timed_settings(lesson, &settings);
    bool const good = check_timed_launches(check, &usual, 1) && check_timed_launches(check, settings, count);
    double const fewest = good ? smallest_block(check, settings, count) : 0;
    free(settings);
    if (good)
        check_compared(check, &usual);
    if (fewest == 0 || fewest >= TIMED_THREADS_MIN)
        return;
    for (int language = 0; language < WORDS_LANGUAGES; language++)
        if (!text_names(lesson->plan->timed.what[language], "threads")) {
            say(check, PROBLEM_WARNING, ERROR_INPUT, "timed",
                "time larger blocks with `let`, or say the size in `what`, with {threads} in both languages",
                "a timed launch has blocks of %g threads, fewer than %d, and `what` does not say it", fewest,
                TIMED_THREADS_MIN);
            return;
        }
}

static void check_recordings(struct check *check)
{
    size_t const most = check->options->recording_bytes_max ? check->options->recording_bytes_max : RECORDING_BYTES_MAX;
    size_t const bytes = lesson_is_installed(check->lesson) ? recordings_bytes(check->lesson->name) : 0;
    if (bytes > most)
        say(check, PROBLEM_WARNING, ERROR_INPUT, "record", "record fewer values of a knob",
            "the recordings of this lesson have %zu bytes; a lesson may add %zu to the installed program", bytes, most);
}

static void check_bugs(struct check *check)
{
    const struct lesson *lesson = check->lesson;
    for (int b = 0; b < lesson->beat_count; b++) {
        const struct lesson_beat *beat = &lesson->beats[b];
        int const variant = setting_of_beat(lesson, b).variant;
        const char *source = check->source[variant];
        if (beat->kind != BEAT_BUG || !source)
            continue;
        uint32_t first, last, line = line_with(source, beat->line);
        source_kernel_lines(source, lesson->variants[variant].kernel, &first, &last);
        if (!line)
            say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "beats.%d.line", b), "copy the line from the source",
                "%s has no line \"%s\"", lesson->variants[variant].source, beat->line);
        else if (first && (line < first || line > last))
            say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "beats.%d.line", b),
                "add the rest of the line, or a comment to it",
                "the text stands first in line %u of %s, outside the faulty kernel", line,
                lesson->variants[variant].source);
        if (!lesson->variants[variant].faulty)
            say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "beats.%d", b), "`set` a variant with `faulty: true`",
                "the variant %s of this bug is not faulty", lesson->variants[variant].name);
        if (beat->mended >= 0 && lesson->variants[beat->mended].faulty)
            say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "beats.%d.mended", b), "",
                "the variant %s is faulty itself", lesson->variants[beat->mended].name);
    }
}

/* Lists an expression of the launch that has no value, and lets nothing run then. */
static void check_launch(struct check *check)
{
    struct lesson_setting const setting = lesson_defaults(check->lesson);
    struct error error;
    if (plan_key(check->lesson, &setting, false, &check->arena, &error))
        return;
    say(check, PROBLEM_ERROR, error.kind, *error.field ? error.field : "launch", error.remedy, "%s", error.message);
    memset(check->source, 0, sizeof check->source);
}

void check_fields(struct check *check)
{
    read_sources(check);
    check_launch(check);
    check_lines(check);
    check_choices(check);
    check_bugs(check);
    check_elsewhere(check);
    check_timed(check);
    check_recordings(check);
}
