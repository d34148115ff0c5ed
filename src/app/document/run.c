/* Lessons, traces and runs: what is open, which run is on screen, and what happens when one fails. A failed run never
 * takes the last good picture away, nor the setting or the guess. */
#include "app/state.h"
#include "base/file.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct lesson_beat *app_beat(const struct app *app)
{
    const struct lesson *lesson = app->open.lesson;
    return lesson && app->open.beat < lesson->beat_count ? &lesson->beats[app->open.beat] : NULL;
}

struct guess *app_guess(struct app *app)
{
    return app_beat(app) ? &app->open.guesses[app->open.beat] : NULL;
}

bool app_covered(const struct app *app)
{
    const struct lesson_beat *beat = app_beat(app);
    if (app->screen != SCREEN_LESSON || !beat || beat->kind != BEAT_ASK)
        return false;
    const struct guess *guess = &app->open.guesses[app->open.beat];
    return !guess->committed && !guess->skipped && !guess->voted;
}

static struct kept_run *find_kept(struct app *app, const struct look *look)
{
    for (int i = 0; i < RUNS_KEPT; i++) {
        const struct look *kept = &app->kept[i].look;
        if (app->kept[i].run && memcmp(&kept->setting, &look->setting, sizeof kept->setting) == 0 &&
            (kept->executor == look->executor || app->kept[i].run->executor == look->executor))
            return &app->kept[i];
    }
    return NULL;
}

/* An empty place, or that of the run used longest ago. The run on screen is never given up. */
static struct kept_run *place_to_keep(struct app *app)
{
    struct kept_run *oldest = NULL;
    for (int i = 0; i < RUNS_KEPT; i++) {
        struct kept_run *kept = &app->kept[i];
        if (!kept->run)
            return kept;
        if (kept->run != app->run && (!oldest || kept->last_used < oldest->last_used))
            oldest = kept;
    }
    app->above.run = NULL; /* it may be that one */
    run_free(oldest->run);
    oldest->run = NULL;
    return oldest;
}

/* What went wrong in a run, if anything did, stands above it until another one is shown. */
static void describe_run(struct app *app, const struct run *run)
{
    struct report const report = app_report(app);
    app->finding = report_count(&report) ? 0 : -1;
    bool bad = true;
    if (app->finding == 0) {
        struct finding const finding = report_finding(&report, 0);
        app_say(app, "%s: %s", finding_title(&finding), finding_message(&app->frame, &finding));
    } else if (run->check.checked && !run->check.right) {
        app_say(
            app,
            _("wrong result: %s[%" PRIu64 "] should be %g but is %g (wrong elements: %" PRIu64 "); check the kernel"),
            run->check.name, run->check.index, run->check.expected, run->check.got, run->check.wrong_count);
    } else if (run->trace->lost) {
        app_say(app, _("the record is full (events lost: %" PRIu64 "); record fewer blocks"), run->trace->lost);
    } else {
        bad = false;
        if (app->notice_bad)
            app->notice[0] = 0;
        app_say_likeness(app);
    }
    app->notice_bad = bad;
}

void app_free_runs(struct app *app)
{
    app->above.run = NULL;
    for (int i = 0; i < RUNS_KEPT; i++)
        if (app->kept[i].run)
            run_free(app->kept[i].run);
    memset(app->kept, 0, sizeof app->kept);
    app_close_file(app);
    app->run = NULL;
    app->playback = NULL;
}

void app_build_playback(struct app *app, const struct trace *trace, uint64_t block)
{
    app->block_arena = !app->block_arena;
    struct arena *arena = &app->block_arenas[app->block_arena];
    arena_reset(arena);
    app->playback = playback_new(arena, trace, block);
    app->block = block;
    app->position = app->beat_position = 0;
    app->filter = 0;
    app_settle(app);
}

static uint32_t source_line(const char *source, const char *text)
{
    const char *found = source && text ? strstr(source, text) : NULL;
    uint32_t line = 1;
    for (const char *s = source; found && s < found; s++)
        line += *s == '\n';
    return found ? line : 0;
}

/* Where the beat opens: its own access when lesson.yaml names one, else the line it quotes, else the first access. */
static void find_opening(struct app *app)
{
    const struct lesson_beat *beat = app_beat(app);
    const struct trace *trace = app->run->trace;
    uint64_t block = beat && beat->block > 0 ? (uint64_t)beat->block : trace->recorded.first;
    size_t event = 0;
    bool named = beat && run_find_beat(app->run, app->open.lesson, &app->open.setting, beat, &event);
    if (named)
        block = trace->events.items[event].block;
    if (trace->events.count && block > trace->events.items[trace->events.count - 1].block && !named)
        block = trace->events.items[0].block;
    app_build_playback(app, trace, block);
    app->opening_block = block;
    size_t position = app->playback->count ? playback_access(app->playback, 1) : 0;
    if (named) {
        for (size_t i = 0; i < app->playback->count; i++)
            if (app->playback->timeline->events[i] == event)
                position = i;
    } else if (beat && beat->at) {
        uint32_t line = source_line(app->run->source, beat->at);
        if (line)
            playback_line_access(app->playback, line, (uint32_t)beat->warp, beat->occurrence, &position);
    }
    app->position = app->beat_position = app->opening_position = position;
}

struct kept_run *app_kept_run(struct app *app, const struct look *look, struct error *error)
{
    struct kept_run *kept = find_kept(app, look);
    if (!kept) {
        struct run *run = NULL;
        if (!run_lesson(app->open.lesson, &look->setting, look->executor, app->blocks_chosen ? &app->blocks : NULL,
                        &run, error))
            return NULL;
        kept = place_to_keep(app);
        *kept = (struct kept_run){.look = *look, .run = run};
        app_compare_runs(app, kept);
    }
    kept->last_used = ++app->clock;
    return kept;
}

/* Not every setting was recorded: the emulator runs those that were not, and the badge and a line say so. */
static struct kept_run *run_now(struct app *app, struct error *error)
{
    struct look look = {app->open.setting, app->executor};
    struct kept_run *kept = app_kept_run(app, &look, error);
    app->failed = kept ? (struct error){0} : *error;
    if (kept || app->executor != EXECUTOR_RECORDING || error->kind != ERROR_MISSING)
        return kept;
    look.executor = EXECUTOR_EMULATOR;
    kept = app_kept_run(app, &look, error);
    if (kept)
        app_say(app, "%s", _("this setting was not recorded on a GPU: this is the emulator's run"));
    return kept;
}

/* keep_place: stay at the same step of the story's line when the new run has it, so that a knob changes one thing. */
bool app_show_setting(struct app *app, bool keep_place)
{
    struct error error = {0};
    struct kept_run *kept = run_now(app, &error);
    if (!kept) {
        app_say_error(app, &error);
        return false;
    }
    bool at_opening = !app->playback || app->position == app->beat_position;
    bool elsewhere = app->playback && app->block != app->opening_block;
    uint64_t block = app->block;
    struct playback_place place = {0};
    if (app->playback && app->playback->count)
        place = playback_place(app->playback, app->position);
    app->run = kept->run;
    find_opening(app);
    if (keep_place && elsewhere)
        app_show_block(app, block);
    if (keep_place && (elsewhere || !at_opening) && app->playback->count)
        app->position = playback_find_place(app->playback, &place);
    describe_run(app, app->run);
    return true;
}

void app_show_block(struct app *app, uint64_t block)
{
    const struct trace *trace = app->playback ? app->playback->trace : NULL;
    if (!trace)
        return;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].block == block) {
            app_build_playback(app, trace, block);
            app->position = app->beat_position =
                block == app->opening_block ? app->opening_position : playback_access(app->playback, 1);
            return;
        }
}

void app_go_beat(struct app *app, int beat)
{
    struct open_lesson *open = &app->open;
    if (!open->lesson || beat < 0 || beat >= open->lesson->beat_count)
        return;
    open->beat = beat;
    open->paragraph = 0;
    open->has_other = open->showing_other = open->above = false;
    app->playing = false;
    struct lesson_setting before = open->setting;
    lesson_apply_sets(&open->setting, open->lesson->beats[beat].sets, open->lesson->beats[beat].set_count);
    for (int i = 0; i < open->lesson->beats[beat].set_count; i++)
        if (open->lesson->beats[beat].sets[i].knob >= 0 &&
            before.value[open->lesson->beats[beat].sets[i].knob] !=
                open->setting.value[open->lesson->beats[beat].sets[i].knob])
            open->knob = open->lesson->beats[beat].sets[i].knob;
    if (open->lesson->beats[beat].stage & STAGE_LADDER)
        open->knob = open->lesson->beats[beat].ladder_knob;
    app_show_setting(app, false);
    app_ladder_want(app);
}

/* A setting was changed by hand: run it, and remember the one before for Tab. */
void app_changed_setting(struct app *app, const struct lesson_setting *before)
{
    struct open_lesson *open = &app->open;
    open->other = (struct look){*before, app->executor};
    open->has_other = true;
    open->showing_other = false;
    app->playing = false;
    app_show_setting(app, true);
    app_ladder_want(app);
}

void app_turn_knob(struct app *app, int knob, int value)
{
    struct open_lesson *open = &app->open;
    if (!open->lesson || knob < 0 || knob >= open->lesson->knob_count)
        return;
    int last = open->lesson->knobs[knob].value_count - 1;
    value = value < 0 ? 0 : value > last ? last : value;
    struct lesson_setting before = open->setting;
    if (open->setting.value[knob] == value)
        return;
    open->setting.value[knob] = value;
    open->knob = knob;
    app_changed_setting(app, &before);
}

void app_close_lesson(struct app *app)
{
    app_measure_stop(app);
    app_free_runs(app);
    arena_free(&app->open.ladder.arena);
    free(app->open.guesses);
    free(app->open.task_done);
    if (app->open.lesson)
        lesson_free(app->open.lesson);
    app->open = (struct open_lesson){0};
    app->measuring.gave_up = false;
    app->playing = false;
    app_settle(app);
}

bool app_open_lesson(struct app *app, const char *name, struct error *error)
{
    if (app->open.lesson && strcmp(app->open.lesson->name, name) == 0 && app->run) {
        app->screen = SCREEN_LESSON; /* as it was left */
        return true;
    }
    struct lesson *lesson = NULL;
    if (!lesson_load(name, &lesson, error))
        return false;
    if ((app->gpu && !lesson_use_gpu(lesson, app->gpu, error)) ||
        (app->dram && !lesson_use_dram(lesson, app->dram, error))) {
        lesson_free(lesson);
        return false;
    }
    app_close_lesson(app);
    struct open_lesson *open = &app->open;
    open->lesson = lesson;
    open->setting = lesson_defaults(lesson);
    open->guesses = calloc((size_t)lesson->beat_count + 1, sizeof *open->guesses);
    open->task_done = calloc((size_t)lesson->beat_count + 1, sizeof *open->task_done);
    for (int i = 0; i < lesson->beat_count; i++)
        open->guesses[i].chosen = -1;
    app->screen = SCREEN_LESSON;
    return true;
}

const char *app_fill(struct app *app, const char *text)
{
    if (!text || !app->run)
        return text;
    return run_fill_text(app->run, app->open.lesson, &app->open.setting, &app->frame, text);
}

struct lesson_text app_fill_words(struct app *app, const struct lesson_text *text)
{
    if (!app->run)
        return *text;
    return run_fill_words(app->run, app->open.lesson, &app->open.setting, &app->frame, text);
}

/* A new measurement changes what runs say: the kept ones are made again when they are wanted. */
void app_forget_runs(struct app *app)
{
    app->runs_stale = false;
    app->above.run = NULL;
    for (int i = 0; i < RUNS_KEPT; i++)
        if (app->kept[i].run && app->kept[i].run != app->run) {
            run_free(app->kept[i].run);
            app->kept[i].run = NULL;
        }
    struct look const look = {app->open.setting, app->executor};
    struct kept_run *shown = find_kept(app, &look);
    if (!shown || shown->run != app->run)
        return;
    struct run *old = shown->run;
    size_t position = app->position;
    uint64_t block = app->block;
    uint32_t filter = app->filter;
    bool moving = app->moving;
    double moved = app->moved;
    shown->run = NULL;
    app->run = NULL;
    if (!app_show_setting(app, true)) { /* the old picture is better than none */
        shown->run = old;
        app->run = old;
        return;
    }
    run_free(old);
    if (app->block != block) /* nobody asked to go anywhere */
        app_show_block(app, block);
    if (position < app->playback->count)
        app->position = position;
    app->filter = filter;
    app->moving = moving;
    app->moved = moved;
}

const char *app_fact_number(struct app *app, const char *expression, bool *known)
{
    double value = 0;
    *known = expression && app->run &&
             run_evaluate(app->run, app->open.lesson, &app->open.setting, expression, &value, NULL) && isfinite(value);
    if (!*known)
        return "";
    if (fabs(value - round(value)) < 1e-9 && fabs(value) < 1e15)
        return value < 0 ? arena_format(&app->frame, "%.0f", value) : view_count(&app->frame, (uint64_t)value);
    return arena_format(&app->frame, fabs(value) >= 100 ? "%.0f" : "%.1f", value);
}

bool app_task_done(struct app *app)
{
    const struct lesson_beat *beat = app_beat(app);
    double value = 0;
    if (!beat || beat->kind != BEAT_TASK || !beat->goal || !app->run)
        return false;
    bool done = run_evaluate(app->run, app->open.lesson, &app->open.setting, beat->goal, &value, NULL) && value != 0;
    if (done)
        app->open.task_done[app->open.beat] = true;
    return done;
}
