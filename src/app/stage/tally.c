/* The stage's one number: the step's own where it opens, what this access comes to anywhere else, or what went wrong.
 */
#include "app/stage/stage.h"
#include <math.h>

/* One path or two; of two, what the masked steps of this warp come to. */
static const char *branch_words(const struct scene *scene, struct arena *arena, struct tally *tally)
{
    int const taken = __builtin_popcount(scene->event->other & scene->event->mask);
    int const reached = __builtin_popcount(scene->event->mask);
    if (scene->event->kind == TRACE_RECONVERGE) {
        tally->number = "";
        return arena_format(arena, _("The paths meet again: %d lanes go on together."), reached);
    }
    if (taken == 0 || taken == reached) {
        tally->number = "1";
        tally->words = _("path");
        return arena_format(arena, _("A branch: all %d lanes go the same way."), reached);
    }
    tally->bad = true;
    if (trace_by_table(scene->site)) {
        tally->number = "";
        return arena_format(arena,
                            _("A branch by a table: %d lanes go to one place, %d elsewhere, one after the other."),
                            taken, reached - taken);
    }
    struct divergence cost;
    model_divergence(scene->trace, scene->block, scene->warp, &cost);
    tally->number = "2";
    tally->words = _("paths");
    return arena_format(arena,
                        _("%d of %d lanes jump, %d go on: one path after the other. In the whole run %.0f %% of this "
                          "warp's lane steps stand idle."),
                        taken, reached, reached - taken,
                        100.0 * (double)cost.idle_steps / (double)(cost.idle_steps + cost.lane_steps));
}

static const char *general_words(struct stage *stage, struct tally *tally)
{
    const struct scene *scene = stage->view->scene;
    struct arena *arena = &stage->app->frame;
    switch (scene->kind) {
    case SCENE_SHARED:
        tally->number = arena_format(arena, "%u", scene->banks.passes);
        tally->words = scene->banks.passes == 1 ? _("pass") : _("passes");
        tally->bad = scene->banks.conflicts > 0;
        return arena_format(arena,
                            __builtin_popcount(scene->event->mask) == 1
                                ? _("%u of %s slots used; %u lane asks for %u bytes.")
                                : _("%u of %s slots used; %u lanes ask for %u bytes each."),
                            scene->banks.slots_used, view_count(arena, (uint64_t)scene->banks.passes * BANKS),
                            (unsigned)__builtin_popcount(scene->event->mask), scene->site->bytes);
    case SCENE_GLOBAL:
        tally->number = arena_format(arena, "%u", scene->chunks.sectors);
        tally->words = scene->chunks.sectors == 1 ? _("sector") : _("sectors");
        tally->bad = scene->chunks.sectors > scene->chunks.sectors_ideal;
        return arena_format(arena,
                            scene->site->operation == TRACE_LOAD ? _("fetched %s bytes, used %s; chunks touched: %u.")
                                                                 : _("sent %s bytes, wrote %s; chunks touched: %u."),
                            view_count(arena, scene->chunks.bytes_fetched), view_count(arena, scene->chunks.bytes_used),
                            scene->chunks.chunk_count);
    case SCENE_BARRIER: {
        unsigned waiting = 0;
        for (uint32_t w = 0; w < scene->warp_count; w++)
            waiting += scene->warps[w] == TIMELINE_BARRIER;
        tally->number = arena_format(arena, "%u", waiting);
        tally->words = _("waiting");
        return scene->event->kind == TRACE_BARRIER_RELEASE
                   ? _("The barrier opens: every warp of the block has arrived.")
                   : arena_format(arena, _("Warp %u arrives at the barrier."), scene->warp);
    }
    case SCENE_BRANCH:
        return branch_words(scene, arena, tally);
    case SCENE_FAULT:
        tally->number = "";
        return _("The run stopped here.");
    case SCENE_EMPTY:
    case SCENE_OTHER:
        break;
    }
    tally->number = "";
    return scene->event && scene->event->kind == TRACE_EXIT
               ? arena_format(arena, _("%d lanes end."), __builtin_popcount(scene->event->mask))
               : "";
}

/* What went wrong at this very event. */
static void draw_finding_words(struct stage *stage, struct rect box)
{
    struct app *app = stage->app;
    float u = app->ui.unit;
    struct report const report = app_report(app);
    struct finding const finding = {.fault = stage->fault, .hazard = stage->fault ? NULL : stage->race};
    const char *advice = finding_advice(&app->frame, &report, &finding);
    const char *sentence =
        stage->fault ? finding_sentence(&app->frame, &report, stage->fault) : finding_message(&app->frame, &finding);
    struct tally const tally = {.number = finding_title(&finding),
                                .sentence =
                                    arena_format(&app->frame, "%s%s%s", sentence, advice && stage->compact ? "\n" : "",
                                                 advice && stage->compact ? advice : ""),
                                .bad = true};
    struct rect area = rect_inset(stage_columns(stage, box), 0, 4 * u);
    float size = 60 * u;
    while (size > 26 * u && ui_text_width(&app->ui, FONT_BOLD, size, tally.number) > area.w * 0.45f)
        size *= 0.92f;
    panel_tally(stage->view, area, &tally, size);
}

/* The step's own number where it opens; anywhere else what this access itself comes to. */
void stage_tally(struct stage *stage, struct rect box)
{
    struct app *app = stage->app;
    const struct lesson_beat *beat = app->screen == SCREEN_LESSON ? app_beat(app) : NULL;
    struct tally tally = {.number = ""};
    bool known = false;
    if (stage->fault || (stage->race && app_finding_lanes(app))) {
        draw_finding_words(stage, box);
        return;
    }
    if (beat && beat->big && app->block == app->opening_block && app->position == app->beat_position) {
        tally.number = app_fact_number(app, beat->big, &known);
        tally.words = app_fill(app, beat->big_words[app->language]);
        tally.sentence = app_fill(app, beat->tally[app->language]);
        const char *said = stage->compact ? beat_verdict(app) : NULL;
        if (stage->compact && beat->kind == BEAT_TASK && !app_task_done(app))
            tally.sentence = beat_last_words(app); /* what there is to do */
        else if (said)
            tally.sentence = arena_format(&app->frame, "%s %s", said, tally.sentence ? tally.sentence : "");
        const struct scene *scene = stage->view->scene;
        tally.bad = (scene->kind == SCENE_SHARED && scene->banks.conflicts) ||
                    (scene->kind == SCENE_GLOBAL && scene->chunks.sectors > scene->chunks.sectors_ideal);
    }
    if (!known)
        tally.sentence = general_words(stage, &tally);
    panel_tally(stage->view, rect_inset(stage_columns(stage, box), 0, 4 * app->ui.unit), &tally,
                fmaxf((stage->compact ? 62 : 52) * app->ui.unit, fminf(96 * app->ui.unit, box.h * 0.62f)));
}
