/* The order of a check: the files, the settings at which beats open, both ends of every knob, every variant along every
 * knob, the tasks. A setting that several of them need is run once. */
#include "author/check.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/schema.h"
#include <stdlib.h>
#include <string.h>

void say(struct check *check, enum problem_level level, enum error_kind kind, const char *field, const char *remedy,
         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *said = arena_format_v(&check->arena, format, arguments);
    va_end(arguments);
    problems_add(&check->report->problems,
                 &(struct lesson_problem){.level = level,
                                          .kind = kind,
                                          .file = check->yaml_path,
                                          .line = schema_line(check->yaml, strlen(check->yaml), field),
                                          .field = field,
                                          .said = said,
                                          .remedy = remedy});
}

/* Returns the heading of a beat in a file of words, or NULL. */
static const char *find_heading(struct check *check, const char *text, const char *id)
{
    const char *heading = FORMAT(check, "## %s", id);
    size_t const length = strlen(heading);
    for (const char *at = strstr(text, heading); at; at = strstr(at + 1, heading))
        if ((at == text || at[-1] == '\n') &&
            (at[length] == ':' || strspn(at + length, " \t\r") == strcspn(at + length, "\n")))
            return at;
    return NULL;
}

void say_words(struct check *check, enum problem_level level, int file, int beat, const char *near, const char *format,
               ...)
{
    const char *id = check->lesson->beats[beat].id, *text = check->words[file];
    const char *at = find_heading(check, text, id);
    const char *end = at ? strstr(at + 1, "\n## ") : NULL;
    const char *inside = at && near ? strstr(at, near) : NULL;
    if (inside && (!end || inside < end))
        at = inside;
    va_list arguments;
    va_start(arguments, format);
    const char *said = arena_format_v(&check->arena, format, arguments);
    va_end(arguments);
    problems_add(&check->report->problems, &(struct lesson_problem){.level = level,
                                                                    .file = check->words_path[file],
                                                                    .line = at ? (int)line_of(text, at) : 0,
                                                                    .heading = FORMAT(check, "## %s", id),
                                                                    .said = said});
}

struct lesson_setting setting_of_beat(const struct lesson *lesson, int beat)
{
    struct lesson_setting setting = lesson_defaults(lesson);
    lesson_apply_sets(&setting, lesson->beats[beat].sets, lesson->beats[beat].set_count);
    return setting;
}

const char *setting_words(struct check *check, const struct lesson_setting *setting)
{
    return FORMAT(check, "at %s", lesson_setting_name(check->lesson, setting, false, &check->arena));
}

bool check_stopped(struct check *check)
{
    if (check->options->cancel && atomic_load(check->options->cancel))
        check->report->stopped = true;
    return check->report->stopped;
}

/* A setting to run, and the beats that are checked on it. */
struct visit {
    struct lesson_setting setting;
    uint64_t opening; /* bit per beat that opens at it */
    bool turned;      /* the words of every beat are looked at */
    struct run *run;  /* of an opening, kept to compare other settings with */
};
struct visits {
    struct visit *items;
    size_t count, capacity;
};

static struct visit *visit(const struct check *check, struct visits *visits, const struct lesson_setting *setting)
{
    for (size_t i = 0; i < visits->count; i++)
        if (lesson_setting_same(check->lesson, &visits->items[i].setting, setting))
            return &visits->items[i];
    struct visit const fresh = {.setting = *setting};
    array_push(visits, fresh);
    return &visits->items[visits->count - 1];
}

static int beats_of(const struct lesson *lesson)
{
    return lesson->beat_count < BEATS_MAX ? lesson->beat_count : BEATS_MAX;
}

/* Every value of a knob with up to 100 values; of a longer one every 61st and the last. */
static void visit_knob(const struct check *check, struct visits *visits, int variant, int knob)
{
    int const count = check->lesson->knobs[knob].value_count, step = count > 100 ? 61 : 1;
    struct lesson_setting setting = lesson_defaults(check->lesson);
    setting.variant = variant;
    for (int value = 0; value < count; value += step) {
        setting.value[knob] = value;
        visit(check, visits, &setting);
    }
    setting.value[knob] = count - 1;
    visit(check, visits, &setting);
}

/* Up to TURNED_VALUES of a knob, from the first to the last. */
enum { TURNED_VALUES = 12 };
static int turned_count(const struct lesson *lesson, int knob)
{
    int const count = knob < lesson->knob_count ? lesson->knobs[knob].value_count : 1;
    return count < TURNED_VALUES ? count : TURNED_VALUES;
}

static int turned_value(const struct lesson *lesson, int knob, size_t i)
{
    int const count = lesson->knobs[knob].value_count;
    return count <= TURNED_VALUES ? (int)i : (int)((size_t)(count - 1) * i / (TURNED_VALUES - 1));
}

/* Adds the settings that a student reaches from a beat with one turn. */
static void visit_turns(const struct check *check, struct visits *visits, int beat)
{
    const struct lesson *lesson = check->lesson;
    struct lesson_setting const own = setting_of_beat(lesson, beat);
    struct lesson_setting setting = own;
    for (setting.variant = 0; setting.variant < lesson->variant_count; setting.variant++)
        visit(check, visits, &setting)->turned = true;
    for (int k = 0; k < lesson->knob_count; k++) {
        setting = own;
        for (int i = 0; i < turned_count(lesson, k); i++) {
            setting.value[k] = turned_value(lesson, k, (size_t)i);
            visit(check, visits, &setting)->turned = true;
        }
    }
}

/* Adds all combinations of variants and values or, of many, a sample: every n-th, n without a common divisor. */
static void visit_all(const struct check *check, struct visits *visits)
{
    const struct lesson *lesson = check->lesson;
    size_t const most = check->options->turned_max ? check->options->turned_max : AUTHOR_TURNED_MAX;
    size_t const variants = (size_t)lesson->variant_count;
    size_t all = variants;
    for (int k = 0; k < lesson->knob_count; k++)
        all *= (size_t)turned_count(lesson, k);
    size_t const step = all > most ? (size_t)7919 : 1; /* a prime */
    for (size_t n = 0; n < all && n < most; n++) {
        size_t const at = n * step % all;
        struct lesson_setting setting = {.variant = (int)(at % variants)};
        size_t rest = at / variants;
        for (int k = 0; k < lesson->knob_count; k++) {
            size_t const count = (size_t)turned_count(lesson, k);
            setting.value[k] = turned_value(lesson, k, rest % count);
            rest /= count;
        }
        visit(check, visits, &setting)->turned = true;
    }
}

static void plan_visits(const struct check *check, struct visits *visits)
{
    const struct lesson *lesson = check->lesson;
    int const beats = beats_of(lesson);
    for (int b = 0; b < beats; b++) {
        struct lesson_setting const setting = setting_of_beat(lesson, b);
        visit(check, visits, &setting)->opening |= UINT64_C(1) << b;
    }
    for (int b = 0; b < beats; b++)
        visit_turns(check, visits, b);
    visit_all(check, visits);
    for (int variant = 0; variant < lesson->variant_count; variant++) {
        struct lesson_setting setting = lesson_defaults(lesson);
        setting.variant = variant;
        visit(check, visits, &setting);
        for (int k = 0; k < lesson->knob_count && !lesson->variants[variant].faulty; k++)
            visit_knob(check, visits, variant, k);
    }
}

bool check_run(struct check *check, const char *field, const struct lesson_setting *setting, struct run **run)
{
    struct error error;
    check->report->runs++;
    if (run_lesson(check->lesson, setting, EXECUTOR_EMULATOR, NULL, run, &error))
        return true;
    if (error.file[0])
        problems_add_error(&check->report->problems, &error);
    else if (!check->failed[setting->variant])
        say(check, PROBLEM_ERROR, error.kind, field, error.remedy, "cannot run %s: %s", setting_words(check, setting),
            error.message);
    check->failed[setting->variant] = true;
    return false;
}

/* Runs a visit unless it was run. Returns false when the variant cannot run. */
static bool run_visit(struct check *check, struct visit *visit)
{
    struct lesson_plan *plan = check->lesson->plan;
    size_t const elsewhere = plan->elsewhere_count;
    int const variant = visit->setting.variant;
    if (visit->run || !check->source[variant])
        return visit->run != NULL;
    if (!visit->opening && !visit->turned)
        plan->elsewhere_count = 0; /* no text is looked at: its numbers would be runs for nothing */
    bool const ran = check_run(check, FORMAT(check, "variants.%d", variant), &visit->setting, &visit->run);
    plan->elsewhere_count = elsewhere;
    if (ran)
        check_result(check, &visit->setting, visit->run);
    return ran;
}

static void open_beats(struct check *check, const struct visit *visit)
{
    for (int b = 0; b < beats_of(check->lesson); b++) {
        if (!(visit->opening >> b & 1))
            continue;
        check->opened[b] = visit->run;
        check_beat(check, b, &visit->setting, visit->run);
        check_texts(check, b, &visit->setting, visit->run, true);
        check_notes(check, b, &visit->setting, visit->run);
        check_plurals(check, b, &visit->setting, visit->run, true);
    }
}

static void turn_beats(struct check *check, const struct visit *visit)
{
    for (int b = 0; b < beats_of(check->lesson); b++) {
        if (!(visit->opening >> b & 1)) {
            check_texts(check, b, &visit->setting, visit->run, false);
            check_plurals(check, b, &visit->setting, visit->run, false);
        }
        if (check->opened[b])
            check_turned(check, b, &visit->setting, visit->run);
    }
}

/* The runs at which beats open come first, and are kept: other settings are compared with them. */
static void make_visits(struct check *check)
{
    struct visits visits = {0};
    size_t const most = check->options->settings_max ? check->options->settings_max : AUTHOR_SETTINGS_MAX;
    plan_visits(check, &visits);
    size_t const count = visits.count < most ? visits.count : most;
    for (size_t i = 0; i < count && visits.items[i].opening && !check_stopped(check); i++)
        if (run_visit(check, &visits.items[i]))
            open_beats(check, &visits.items[i]);
    for (size_t i = 0; i < count && !check_stopped(check); i++) {
        struct visit *visit = &visits.items[i];
        if (check->options->progress)
            check->options->progress(check->options->progress_context, i, count);
        bool const ran = run_visit(check, visit);
        check->report->settings += ran;
        if (ran && visit->turned)
            turn_beats(check, visit);
        if (ran && !visit->opening)
            run_free(visit->run);
    }
    for (size_t i = 0; i < count && visits.items[i].opening; i++)
        if (visits.items[i].run)
            run_free(visits.items[i].run);
    check->report->settings_left = visits.count - count;
    free(visits.items);
}

static bool read_files(struct check *check)
{
    static const char *const names[LANGUAGE_COUNT] = {"en.md", "ko.md"};
    const char *folder = check->lesson->folder;
    char *text;
    struct error error;
    check->yaml_path = FORMAT(check, "%s/lesson.yaml", folder);
    if (!file_read(&check->arena, check->yaml_path, &text, NULL, &error)) {
        problems_add_error(&check->report->problems, &error);
        return false;
    }
    check->yaml = text;
    for (int i = 0; i < LANGUAGE_COUNT; i++) {
        check->words_path[i] = FORMAT(check, "%s/%s", folder, names[i]);
        if (!file_read(&check->arena, check->words_path[i], &text, NULL, &error)) {
            problems_add_error(&check->report->problems, &error);
            return false;
        }
        check->words[i] = text;
    }
    for (int i = NOTES; i < FILES_OF_WORDS; i++) {
        check->words_path[i] = FORMAT(check, "%s/notes.%s", folder, names[i - NOTES]);
        bool const there =
            file_exists(check->words_path[i]) && file_read(&check->arena, check->words_path[i], &text, NULL, &error);
        check->words[i] = there ? text : NULL;
    }
    return true;
}

void author_check(const char *folder, const struct author_options *options, struct author_report *report)
{
    struct check check = {.options = options, .report = report};
    *report = (struct author_report){0};
    lesson_load_listing(folder, &check.lesson, &report->problems);
    if (!check.lesson)
        return;
    lesson_cancel_with(check.lesson, options->cancel);
    report->read = read_files(&check);
    if (report->read) {
        report->beats = (size_t)beats_of(check.lesson);
        check_fields(&check);
        make_visits(&check);
        check_tasks(&check);
    }
    free(check.turned_told.items);
    arena_free(&check.arena);
    lesson_free(check.lesson);
}

void author_report_free(struct author_report *report)
{
    problems_free(&report->problems);
}
