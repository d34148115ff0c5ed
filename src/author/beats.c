/* A beat as it opens: its access happens, its question has a right answer among the choices, there is something to
 * mark, its bug shows. */
#include "author/check.h"
#include "lesson/facts.h"
#include "model/dram.h"
#include "report/report.h"
#include "view/marks.h"
#include <math.h>
#include <string.h>

static const char *field_of(struct check *check, int beat, const char *name)
{
    return FORMAT(check, "beats.%d.%s", beat, name);
}

/* Returns how to see the run. */
static const char *command_of(struct check *check, const struct lesson_setting *setting)
{
    const struct lesson *lesson = check->lesson;
    const char *line =
        FORMAT(check, "see lanescope run %s --variant %s", lesson->folder, lesson->variants[setting->variant].name);
    for (int i = 0; i < lesson->knob_count; i++)
        line = FORMAT(check, "%s --set %s", line,
                      lesson_knob_assignment(&lesson->knobs[i], setting->value[i], &check->arena));
    return line;
}

/* Returns what is wrong with a run, or NULL. */
static const char *wrong_run(struct check *check, const struct run *run)
{
    const struct report report = {.trace = run->trace};
    if (trace_faults(run->trace) || trace_hazards(run->trace)) {
        const struct finding *finding = report_finding(&report, 0);
        return FORMAT(check, "%s, in line %u: %s", report_title(finding), finding->at.line,
                      report_message(&check->arena, REPORT_ENGLISH, finding));
    }
    if (run->check.checked && !run->check.right)
        return FORMAT(check, "%s[%llu] is %g, not %g", run->check.name, (unsigned long long)run->check.index,
                      run->check.got, run->check.expected);
    return NULL;
}

void check_result(struct check *check, const struct lesson_setting *setting, const struct run *run)
{
    int const variant = setting->variant;
    const char *wrong = wrong_run(check, run);
    if (run->trace->lost)
        say(check, PROBLEM_ERROR, ERROR_INPUT, "launch", "record fewer blocks with `first` and `last`",
            "the run %s has more accesses than it can keep", setting_words(check, setting));
    if (!wrong || check->lesson->variants[variant].faulty || check->told[variant])
        return;
    check->told[variant] = true;
    say(check, PROBLEM_ERROR, ERROR_RUN, FORMAT(check, "variants.%d", variant), command_of(check, setting),
        "the kernel goes wrong %s, and is not `faulty`: %s", setting_words(check, setting), wrong);
}

static bool evaluate(struct check *check, int beat, const char *name, const char *expression,
                     const struct lesson_setting *setting, const struct run *run, double *value)
{
    struct error error;
    if (run_evaluate(run, check->lesson, setting, expression, value, &error))
        return true;
    say(check, PROBLEM_ERROR, ERROR_INPUT, field_of(check, beat, name), error.remedy, "no run gives this number: %s",
        error.message);
    return false;
}

struct facts_used {
    const struct lesson *lesson;
    unsigned panels;
};

/* Adds the panels that show a fact, with the prefix of its access or without. */
static void add_panels(void *context, const char *text, size_t length)
{
    struct facts_used *used = context;
    const struct fact *fact = fact_of_access(used->lesson, text, length);
    used->panels |= fact ? fact->panels : 0;
}

/* The student reads the answer off the picture, so the panel that shows it must be there, and not dimmed. */
static void check_picture(struct check *check, int index)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    struct facts_used used = {check->lesson, 0};
    expression_names(beat->answer, add_panels, &used);
    unsigned const bright = beat->focus ? beat->focus & beat->stage : beat->stage;
    if (used.panels && !(used.panels & beat->stage))
        say(check, PROBLEM_ERROR, ERROR_INPUT, field_of(check, index, "stage"), "add the panel that shows it",
            "the picture does not show what the step asks to observe: %s", beat->answer);
    else if (used.panels && !(used.panels & bright))
        say(check, PROBLEM_ERROR, ERROR_INPUT, field_of(check, index, "focus"), "add the panel that shows it",
            "the panel that answers the question is dimmed: %s", beat->answer);
}

static void check_question(struct check *check, int index, const struct lesson_setting *setting, const struct run *run)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    double answer;
    if (beat->kind == BEAT_OBSERVE)
        check_picture(check, index);
    if (!evaluate(check, index, "answer", beat->answer, setting, run, &answer))
        return;
    bool among = false;
    for (int i = 0; i < beat->choice_count; i++)
        among = among || fabs(beat->choices[i] - answer) < 1e-9;
    if (!among)
        say(check, PROBLEM_ERROR, ERROR_INPUT, field_of(check, index, "choices"), "add it, or change `set`",
            "the right answer is missing: %s is %g %s", beat->answer, answer, setting_words(check, setting));
    else
        check_replies(check, index, &answer);
}

/* Builds the picture at which the beat opens. */
static bool scene_of(struct check *check, const struct lesson_beat *beat, const struct run *run, size_t event,
                     struct scene *scene)
{
    const struct trace_event *opening = &run->trace->events.items[event];
    const struct playback *playback = playback_new(&check->arena, run->trace, opening->block);
    size_t position = 0;
    while (position < playback->count && playback_event(playback, position) != opening)
        position++;
    if (position == playback->count)
        return false;
    const struct dram_preset *preset = beat->stage & STAGE_DRAM ? dram_preset(check->lesson->dram_preset) : NULL;
    scene_build(scene, playback, position, preset, &check->arena);
    scene->lane = beat->lane;
    scene->arrays = &check->lesson->arrays;
    scene->picture = run->picture;
    scene->variables = run->variables;
    scene->variable_count = run->variable_count;
    return true;
}

static void check_cells(struct check *check, int index, const struct run *run, size_t event)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    enum mark_cells const cells = beat->mark;
    const char *field = field_of(check, index, "mark");
    uint8_t right[MARKS_MAX];
    uint32_t across;
    struct scene *scene = arena_new(&check->arena, struct scene);
    if (!scene_of(check, beat, run, event, scene))
        return;
    uint32_t const count = marks_cells(scene, cells, &across);
    if (!count || count > MARKS_MAX) {
        say(check, PROBLEM_ERROR, ERROR_INPUT, field, "mark other cells, or give the beat another access with `at`",
            "this access has no such cells, or more than %d", MARKS_MAX);
        return;
    }
    marks_right(scene, cells, right);
    bool none = true, all = true;
    for (uint32_t i = 0; i < count; i++) {
        none = none && (right[i] == 0 || !marks_exist(scene, cells, i));
        all = all && (right[i] == 1 || !marks_exist(scene, cells, i));
    }
    if (none || all)
        say(check, PROBLEM_ERROR, ERROR_INPUT, field, "choose a setting or an access where it is some of them",
            none ? "no cell is right: there is nothing to mark" : "every cell is right: nobody can go wrong");
}

/* The faulty kernel must show a symptom, and the mended one must be right at the same setting. */
static void check_bug(struct check *check, int index, const struct lesson_setting *setting, const struct run *run)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    if (!wrong_run(check, run))
        say(check, PROBLEM_ERROR, ERROR_INPUT, FORMAT(check, "beats.%d", index),
            "give the variant an `expect`, or choose a setting where the mistake shows",
            "the bug does not show: the run %s has no finding and no wrong result", setting_words(check, setting));
    struct lesson_setting mended = *setting;
    struct run *other;
    if (beat->mended < 0 || !check->source[beat->mended])
        return;
    mended.variant = beat->mended;
    if (!check_run(check, field_of(check, index, "mended"), &mended, &other))
        return;
    const char *wrong = wrong_run(check, other);
    if (wrong)
        say(check, PROBLEM_ERROR, ERROR_RUN, field_of(check, index, "mended"), command_of(check, &mended),
            "the mended kernel is still wrong %s: %s", setting_words(check, &mended), wrong);
    else if (!other->check.checked)
        say(check, PROBLEM_WARNING, ERROR_INPUT, field_of(check, index, "mended"), "give it an `expect`",
            "nothing checks the result of the mended variant");
    run_free(other);
}

void check_beat(struct check *check, int index, const struct lesson_setting *setting, const struct run *run)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    size_t event = 0;
    double value;
    bool const found = beat->access >= 0 && run_find_beat(run, check->lesson, setting, beat, &event);
    if (beat->access >= 0 && !found)
        say(check, PROBLEM_ERROR, ERROR_INPUT, field_of(check, index, "at"),
            "compare `lines`, `operation`, `space`, `block`, `warp` and `occurrence` of the access with the run",
            "the access \"%s\" does not happen %s", check->lesson->plan->accesses[beat->access].name,
            setting_words(check, setting));
    if (beat->access >= 0 && !found)
        return; /* its facts are all 0 */
    if (beat->big)
        evaluate(check, index, "big", beat->big, setting, run, &value);
    if (beat->ladder)
        evaluate(check, index, "ladder", beat->ladder, setting, run, &value);
    switch (beat->kind) {
    case BEAT_ASK:
    case BEAT_OBSERVE:
        check_question(check, index, setting, run);
        break;
    case BEAT_MARK:
        check_replies(check, index, NULL);
        if (found)
            check_cells(check, index, run, event);
        break;
    case BEAT_BUG:
        check_replies(check, index, NULL);
        check_bug(check, index, setting, run);
        break;
    case BEAT_TASK:
        if (evaluate(check, index, "goal", beat->goal, setting, run, &value) && value != 0)
            say(check, PROBLEM_ERROR, ERROR_INPUT, field_of(check, index, "goal"), "`set` a setting that is not yet it",
                "the task is done before it begins: the goal holds %s", setting_words(check, setting));
        break;
    case BEAT_TELL:
    case BEAT_REMEMBER:
        break;
    }
}
