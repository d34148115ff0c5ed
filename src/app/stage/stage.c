/* What the stage is drawn from: of the document what it offers, of the playhead where it stands. */
#include "app/state.h"
#include <string.h>

static const char *fact_words(const char *fact)
{
    if (strcmp(fact, "passes") == 0)
        return _("number of passes");
    return strcmp(fact, "sectors") == 0 ? _("number of sectors") : fact;
}

static struct ladder *ladder_now(struct app *app)
{
    const struct ladder_points *points = &app->open.ladder;
    if (!points->wanted)
        return NULL;
    struct ladder *ladder = arena_array(&app->frame, struct ladder, 1);
    *ladder = (struct ladder){.points = points->points,
                              .count = points->count,
                              .known = points->known,
                              .knob = points->knob,
                              .current = app->open.setting.value[points->knob],
                              .x_name = app->open.lesson->knobs[points->knob].label[app->language],
                              .y_name = fact_words(app_beat(app)->ladder)};
    return ladder;
}

/* "How many passes?": of the words, the last sentence. */
static const char *question_words(struct app *app)
{
    const char *words = beat_last_words(app), *end;
    while ((end = strstr(words, ". ")))
        words = end + 2;
    return words;
}

/* The step's own number, where the step opens; NULL anywhere else. */
static struct tally *tally_now(struct app *app, bool compact)
{
    const struct lesson_beat *beat = app_beat(app);
    bool known = false;
    if (!beat->big || app->block != app->opening_block || app->position != app->beat_position)
        return NULL;
    struct tally *tally = arena_array(&app->frame, struct tally, 1);
    *tally = (struct tally){.number = app_fact_number(app, beat->big, &known),
                            .words = app_fill(app, beat->big_words[app->language]),
                            .sentence = app_fill(app, beat->tally[app->language])};
    const char *said = compact ? beat_verdict(app) : NULL;
    if (compact && beat->kind == BEAT_TASK && !app_task_done(app))
        tally->sentence = beat_last_words(app); /* what there is to do */
    else if (said)
        tally->sentence = arena_format(&app->frame, "%s %s", said, tally->sentence ? tally->sentence : "");
    return known ? tally : NULL;
}

static struct stage_view lesson_stage(struct app *app, bool compact)
{
    const struct lesson_beat *beat = app_beat(app);
    bool const covered = app_covered(app);
    return (struct stage_view){.shown = beat->stage,
                               .focus = beat->focus,
                               .covered = covered,
                               .ladder = ladder_now(app),
                               .tally = tally_now(app, compact),
                               .asked = covered ? question_words(app) : NULL};
}

struct panel_action draw_stage(struct app *app, struct view *view, struct rect box, bool compact, const char *half)
{
    bool const lesson = app->screen == SCREEN_LESSON;
    struct stage_view stage = lesson ? lesson_stage(app, compact) : (struct stage_view){.shown = STAGE_ALL};
    struct report const report = app_report(app);
    struct code_view const code = code_now(app, view, 3);
    struct time_view time = {0};
    struct knobs_view knobs = {0};
    struct words_view words = {0};
    struct question_view question = {0};
    if (stage.covered) {
        words = words_now(app);
        question = question_now(app);
    }
    stage.compact = compact;
    stage.half = half;
    stage.report = &report;
    stage.fault = app_fault_here(app);
    stage.race = app_race_shown(app);
    stage.race_here = app_finding_lanes(app);
    stage.words = &words;
    stage.question = &question;
    if (app->open.has_other && !half)
        stage.beside = app->open.showing_other ? _("A: what was before (Tab)") : _("B: what is now (Tab)");
    if (lesson && !app->knobs_aside && !stage.covered && !half) {
        knobs = knobs_now(app);
        stage.knobs = &knobs;
    }
    if (compact && !half && lesson && !stage.covered && app_speaks_of_time(app)) {
        time = time_now(app); /* without a right column, in place of the code */
        stage.time = &time;
    } else if (compact && !half)
        stage.code = &code;
    return stage_draw(view, box, &stage);
}
