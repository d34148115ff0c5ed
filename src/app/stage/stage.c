/* The stage: panels under one another on the 32 columns. Each asks for a least and a best height; what there is too
 * little of is taken from those that can be drawn lower, and the last ones are left out before anything is cut. */
#include "app/stage/stage.h"
#include <math.h>
#include <string.h>

static const unsigned all_panels =
    STAGE_WARPS | STAGE_LANES | STAGE_BANKS | STAGE_SHARED | STAGE_CHUNKS | STAGE_DRAM | STAGE_TOUCHED | STAGE_TURNS;

/* The memory of the access before a position, or of the first one: what stays in view at a branch. */
static enum scene_kind memory_before(const struct scene *scene)
{
    const struct playback *playback = scene->playback;
    size_t at = playback_find(playback, scene->position, -1, MARK_ACCESS, 0);
    if (at == scene->position)
        at = playback_find(playback, scene->position, 1, MARK_ACCESS, 0);
    const struct trace_site *site = playback_site(playback, at);
    const struct trace_event *event = playback_event(playback, at);
    if (!site || !event || event->kind != TRACE_ACCESS)
        return SCENE_EMPTY; /* this block touches no memory */
    return trace_space(site, event) == PTX_SPACE_SHARED ? SCENE_SHARED : SCENE_GLOBAL;
}

/* Which memory the middle of the stage shows: that of the event when the step speaks of it, else the step's own. */
static void choose_memory(struct stage *stage)
{
    enum scene_kind kind = stage->view->scene->kind;
    bool banks = stage->shown & STAGE_BANKS, chunks = stage->shown & STAGE_CHUNKS;
    if (stage->fault || kind == SCENE_FAULT) {
        bool gate = stage->fault && strcmp(stage->fault->kind, "barrier error") == 0;
        bool picture = stage->fault && panel_fault_height(stage->view, stage->fault) > 0;
        stage->access = gate ? SCENE_BARRIER : picture ? SCENE_FAULT : SCENE_EMPTY;
        stage->second = SCENE_EMPTY;
        return;
    }
    if (kind == SCENE_BARRIER)
        stage->access = SCENE_BARRIER;
    else if (kind == SCENE_SHARED && banks)
        stage->access = SCENE_SHARED;
    else if (kind == SCENE_GLOBAL && chunks)
        stage->access = SCENE_GLOBAL;
    else if (banks && chunks)
        stage->access = memory_before(stage->view->scene);
    else
        stage->access = banks ? SCENE_SHARED : chunks ? SCENE_GLOBAL : SCENE_EMPTY;
    bool none = banks && chunks && stage->access == SCENE_EMPTY;
    bool words = (stage->shown & STAGE_SHARED) && !none;
    bool dram = (stage->shown & STAGE_DRAM) && stage->view->scene->dram.shelf_count;
    if (kind == SCENE_GLOBAL && dram)
        stage->second = SCENE_GLOBAL;
    else if (words && (kind == SCENE_SHARED || !dram))
        stage->second = SCENE_SHARED;
    else
        stage->second = dram ? SCENE_GLOBAL : SCENE_EMPTY;
    if (stage->race)
        stage->second = SCENE_EMPTY;
}

static void want(struct stage *stage, enum slot_kind kind, float least, float best)
{
    float u = stage->app->ui.unit;
    stage->slots[kind].least = least * u;
    stage->slots[kind].best = fmaxf(least, best) * u;
}

static float access_best(const struct stage *stage)
{
    const struct view *view = stage->view;
    switch (stage->access) {
    case SCENE_SHARED:
        return panel_banks_height(view, 1e6f);
    case SCENE_GLOBAL:
        return panel_chunks_height(view, 1e6f);
    case SCENE_BARRIER:
        return 126 * view->ui->unit;
    case SCENE_FAULT:
        return panel_fault_height(view, stage->fault);
    default:
        return 0;
    }
}

static float second_best(const struct stage *stage)
{
    if (stage->second == SCENE_SHARED)
        return panel_shared_height(stage->view);
    return stage->second == SCENE_GLOBAL ? panel_dram_height(stage->view, 1e6f) : 0;
}

/* What is drawn where there is room for it, and left out first where there is not. */
static void want_fillers(struct stage *stage)
{
    const struct view *view = stage->view;
    float u = stage->app->ui.unit;
    if ((stage->shown & STAGE_TOUCHED) && !stage->covered && !stage->fault && !stage->race &&
        stage->second == SCENE_EMPTY) {
        float best = panel_touched_height(view) / u;
        if (best > 0)
            want(stage, SLOT_TOUCHED, fminf(best, 94), best + 8);
    }
    if ((stage->shown & STAGE_TURNS) && view->scene->warp_count > 1) {
        float best = panel_turns_height(view) / u;
        want(stage, SLOT_TURNS, fminf(best, 130), best);
    }
}

/* Without a right column, a step about the clock has the measured time where others have their code. */
static bool shows_time(const struct stage *stage)
{
    return stage->compact && !stage->half && !stage->covered && stage->app->screen == SCREEN_LESSON &&
           app_speaks_of_time(stage->app);
}

static void want_all(struct stage *stage)
{
    float u = stage->app->ui.unit;
    want(stage, SLOT_BLOCK, 28, 30);
    if (stage->shown & STAGE_WARPS)
        want(stage, SLOT_WARPS, 42, 46);
    if (stage->shown & STAGE_LANES)
        want(stage, SLOT_LANES, 36, 44);
    if (stage->access != SCENE_EMPTY) {
        float best = stage->covered ? 320 : access_best(stage) / u; /* its height would give the answer away */
        want(stage, SLOT_CURVES, stage->access == SCENE_BARRIER ? 30 : 40,
             stage->access == SCENE_BARRIER ? 30
             : stage->shown & STAGE_LANES   ? 124
                                            : 40);
        want(stage, SLOT_ACCESS, fminf(best, 150), best);
    }
    want(stage, SLOT_TALLY, stage->compact ? 92 : 72, stage->compact ? 96 : 84);
    if (stage->second != SCENE_EMPTY && !stage->covered) {
        float best = second_best(stage) / u;
        want(stage, SLOT_SECOND_TITLE, 28, 30);
        want(stage, SLOT_SECOND, fminf(best, stage->second == SCENE_SHARED ? 60 : 190), best);
    }
    if ((stage->shown & STAGE_LADDER) && stage->app->open.ladder.wanted && !stage->covered)
        want(stage, SLOT_LADDER, 150, 330);
    if (stage->race)
        want(stage, SLOT_RACE, 148, 168);
    want_fillers(stage);
    if (shows_time(stage)) {
        struct time_bar bars[4];
        float const card = 78 + 34 * (float)app_time_bars(stage->app, bars);
        want(stage, SLOT_CODE, card, card);
    } else if (stage->compact && !stage->half)
        want(stage, SLOT_CODE, 104, 104);
}

/* Left out first when even the least heights do not fit. */
static const enum slot_kind give_up[] = {SLOT_TURNS, SLOT_TOUCHED, SLOT_SECOND, SLOT_LADDER,
                                         SLOT_RACE,  SLOT_WARPS,   SLOT_BLOCK,  SLOT_CODE};

static float sum_of(const struct stage *stage, bool best)
{
    float sum = 0;
    for (int i = 0; i < SLOT_COUNT; i++)
        sum += best ? stage->slots[i].best : stage->slots[i].least;
    return sum;
}

/* Room to spare goes to what is looked at first: the lines between lanes and memory, the rows, the lanes, the number;
 * then to what stands below. */
static void spread(struct stage *stage, float spare)
{
    float u = stage->app->ui.unit;
    const struct slot *second = &stage->slots[SLOT_SECOND];
    float rows = stage->second == SCENE_SHARED && second->best > 0 ? panel_shared_most(stage->view) - second->best : 0;
    const struct {
        enum slot_kind slot;
        float most; /* units more, or, below 1, a part more */
    } shares[] = {{SLOT_CURVES, 40},   {SLOT_ACCESS, 0.4f},     {SLOT_LANES, 16},   {SLOT_TALLY, 60},
                  {SLOT_SECOND, 0.2f}, {SLOT_SECOND, rows / u}, {SLOT_CURVES, 40},  {SLOT_ACCESS, 0.4f},
                  {SLOT_TURNS, 0.6f},  {SLOT_TOUCHED, 0.4f},    {SLOT_LADDER, 160}, {SLOT_TALLY, 30},
                  {SLOT_CURVES, 60}};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        struct slot *slot = &stage->slots[shares[i].slot];
        float more = shares[i].most < 1 ? slot->best * shares[i].most : shares[i].most * u;
        bool fixed = slot->best <= 0 || more <= 0 ||
                     (shares[i].slot == SLOT_ACCESS && stage->access == SCENE_BARRIER) ||
                     (shares[i].slot == SLOT_CURVES && stage->slots[SLOT_LANES].best <= 0);
        if (fixed)
            continue;
        more = fminf(spare, more);
        slot->best += more;
        spare -= more;
    }
}

static void leave_out(struct stage *stage, enum slot_kind kind)
{
    stage->slots[kind] = (struct slot){0};
    if (kind == SLOT_SECOND)
        stage->slots[SLOT_SECOND_TITLE] = (struct slot){0};
}

/* Memory that is not spoken of goes before what is spoken of gets small. */
static bool second_in_the_way(const struct stage *stage, struct rect box)
{
    unsigned const panel = stage->second == SCENE_SHARED ? STAGE_SHARED : STAGE_DRAM;
    return stage->slots[SLOT_SECOND].best > 0 && stage_dimmed(stage, panel) && sum_of(stage, true) > box.h * 1.12f;
}

static void share_out(struct stage *stage, struct rect box)
{
    if (second_in_the_way(stage, box))
        leave_out(stage, SLOT_SECOND);
    for (size_t i = 0; i < sizeof give_up / sizeof *give_up && sum_of(stage, false) > box.h; i++) {
        if (stage->half && give_up[i] == SLOT_BLOCK)
            continue; /* it says which half this is */
        leave_out(stage, give_up[i]);
    }
    float least = sum_of(stage, false), best = sum_of(stage, true);
    float part = best > least ? fminf(1, fmaxf(0, (box.h - least) / (best - least))) : 0;
    float squeeze = least > box.h ? box.h / least : 1;
    if (box.h > best) {
        part = 1;
        spread(stage, box.h - best);
    }
    float y = box.y;
    for (int i = 0; i < SLOT_COUNT; i++) {
        struct slot *slot = &stage->slots[i];
        slot->given = (slot->least + (slot->best - slot->least) * part) * squeeze;
        slot->box = (struct rect){box.x, y, box.w, slot->given};
        y += slot->given;
    }
}

static const char *access_label(const struct stage *stage)
{
    if (stage->access == SCENE_BARRIER)
        return _("Barrier");
    return stage->access == SCENE_SHARED ? _("Banks") : _("Chunks");
}

/* The band between lanes and memory: lines, and at its foot in the gutter the name of what lies below. */
static void curves_band(struct stage *stage, struct rect box)
{
    struct view *view = stage->view;
    float u = view->ui->unit;
    bool marks = false;
    for (int lane = 0; lane < WARP_LANES; lane++)
        marks |= view->scene->lanes[lane] == LANE_ELSE;
    if (stage->access == SCENE_FAULT)
        return; /* its line comes with the panel */
    struct rect band = {box.x, box.y + (marks ? 24 * u : 2 * u), box.w, 0};
    band.h = box.y + box.h - 3 * u - band.y;
    if (!stage->covered) {
        view_gutter(view, &stage->columns, box.y + box.h - 32 * u, 26 * u, access_label(stage), true);
        enum scene_kind kind = view->scene->kind;
        if (kind == stage->access && stage->slots[SLOT_LANES].given > 0)
            panel_curves(view, &stage->columns, band);
        else if (kind != SCENE_BARRIER && kind != stage->access && !stage->fault) {
            struct rect note = stage_columns(stage, (struct rect){0, box.y + (box.h - 24 * u) / 2, 0, 24 * u});
            view_caption(view, note,
                         kind == SCENE_GLOBAL   ? _("this access goes to global memory: no bank is asked")
                         : kind == SCENE_SHARED ? _("this access goes to shared memory: nothing is fetched")
                         : kind == SCENE_BRANCH ? _("a branch: it accesses no memory")
                                                : _("no memory is accessed here"));
        }
    }
}

static void draw_access(struct stage *stage, struct rect box)
{
    struct view *view = stage->view;
    view->dim = stage->access != SCENE_BARRIER &&
                stage_dimmed(stage, stage->access == SCENE_SHARED ? STAGE_BANKS : STAGE_CHUNKS);
    if (stage->access == SCENE_SHARED)
        panel_banks(view, &stage->columns, box);
    else if (stage->access == SCENE_GLOBAL)
        panel_chunks(view, &stage->columns, box);
    else if (stage->access == SCENE_BARRIER)
        panel_gate(view, &stage->columns, box);
    else if (stage->access == SCENE_FAULT) {
        struct rect lines = stage->slots[SLOT_CURVES].box;
        panel_fault(view, &stage->columns, (struct rect){box.x, lines.y, box.w, box.y + box.h - lines.y}, stage->fault);
    }
    view->dim = false;
}

static const char *fact_words(const char *fact)
{
    if (strcmp(fact, "passes") == 0)
        return _("number of passes");
    return strcmp(fact, "sectors") == 0 ? _("number of sectors") : fact;
}

static void draw_ladder(struct stage *stage)
{
    struct app *app = stage->app;
    struct slot *slot = &stage->slots[SLOT_LADDER];
    if (slot->given <= 0)
        return;
    struct ladder_points *points = &app->open.ladder;
    const struct lesson_beat *beat = app_beat(app);
    struct ladder ladder = {.points = points->points,
                            .count = points->count,
                            .known = points->known,
                            .current = app->open.setting.value[points->knob],
                            .x_name = app->open.lesson->knobs[points->knob].label[app->language],
                            .y_name = fact_words(beat->ladder)};
    view_gutter(stage->view, &stage->columns, slot->box.y, 28 * app->ui.unit, _("Ladder"), true);
    int clicked = panel_ladder(stage->view, stage_columns(stage, slot->box), &ladder);
    if (clicked >= 0)
        app_turn_knob(app, points->knob, clicked);
}

/* "How many passes?": of the words, the last sentence. */
static const char *question_words(struct app *app)
{
    const char *words = beat_last_words(app), *end;
    while ((end = strstr(words, ". ")))
        words = end + 2;
    return words;
}

/* Until there is an answer, what would give it away stays under a sheet. */
static void draw_cover(struct stage *stage)
{
    struct app *app = stage->app;
    float u = app->ui.unit;
    struct rect box = stage_columns(stage, stage->slots[SLOT_CURVES].box);
    box.h = stage->slots[SLOT_TALLY].box.y + stage->slots[SLOT_TALLY].box.h - box.y;
    box = rect_inset(box, 0, 8 * u);
    if (!stage->compact) {
        panel_cover(stage->view, box, question_words(app),
                    arena_format(&app->frame, _("Predict first: 1 to %d, then Enter. The run is covered until then."),
                                 app_beat(app)->choice_count));
        return;
    }
    panel_cover(stage->view, box, NULL, NULL);
    draw_question_sheet(app, stage->view, rect_inset(box, 30 * u, 16 * u));
}

static void draw_race(struct stage *stage, struct rect box)
{
    struct view *view = stage->view;
    float u = view->ui->unit;
    struct report const report = app_report(stage->app);
    struct finding const finding = {.hazard = stage->race};
    view_gutter(view, &stage->columns, box.y, 30 * u, _("Race"), true);
    struct rect area = stage_columns(stage, box);
    view_caption(view, rect_cut_top(&area, 30 * u),
                 app_finding_lanes(stage->app) /* the words stand above */
                     ? _("two accesses to one place; a click goes to the other")
                     : finding_message(&stage->app->frame, &finding));
    area.w -= 3 * u;
    int side = panel_race(view, rect_inset(area, 0, 4 * u), &report, stage->race);
    if (side >= 0)
        app_go_finding(stage->app, stage->app->finding, side);
}

static void draw_fillers(struct stage *stage)
{
    struct view *view = stage->view;
    float u = view->ui->unit;
    const struct slot *touched = &stage->slots[SLOT_TOUCHED], *turns = &stage->slots[SLOT_TURNS];
    if (touched->given > 0) {
        view_gutter(view, &stage->columns, touched->box.y, 30 * u, _("So far"), true);
        panel_touched(view, &stage->columns, touched->box);
    }
    if (turns->given > 0) {
        view_gutter(view, &stage->columns, turns->box.y, 30 * u, _("Turns"), true);
        size_t const position = panel_turns(view, &stage->columns, turns->box, stage->covered);
        if (position != SIZE_MAX)
            app_seek(stage->app, position, true);
    }
}

static void draw_slots(struct stage *stage)
{
    struct view *view = stage->view;
    float u = view->ui->unit;
    struct slot *slots = stage->slots;
    if (slots[SLOT_BLOCK].given > 0)
        stage_block_line(stage, slots[SLOT_BLOCK].box);
    if (slots[SLOT_WARPS].given > 0) {
        struct rect box = slots[SLOT_WARPS].box;
        view_gutter(view, &stage->columns, box.y, box.h - 10 * u, _("Warps"), true);
        int warp = panel_warps(view, &stage->columns, (struct rect){box.x, box.y, box.w, box.h - 10 * u});
        size_t position = 0;
        if (warp >= 0 && playback_line_access(stage->app->playback, 0, (uint32_t)warp, 0, &position))
            app_seek(stage->app, position, true);
    }
    if (slots[SLOT_LANES].given > 0) {
        view_gutter(view, &stage->columns, slots[SLOT_LANES].box.y, slots[SLOT_LANES].box.h, _("Lanes"), true);
        panel_lanes(view, &stage->columns, slots[SLOT_LANES].box);
    }
    if (stage->covered) {
        draw_cover(stage);
    } else {
        if (slots[SLOT_CURVES].given > 0)
            curves_band(stage, slots[SLOT_CURVES].box);
        draw_access(stage, slots[SLOT_ACCESS].box);
        stage_tally(stage, slots[SLOT_TALLY].box);
        stage_second(stage);
        draw_ladder(stage);
    }
    draw_fillers(stage);
    if (slots[SLOT_RACE].given > 0 && !stage->covered)
        draw_race(stage, slots[SLOT_RACE].box);
    if (slots[SLOT_CODE].given > 0) {
        struct rect code = stage_columns(stage, slots[SLOT_CODE].box);
        rect_cut_top(&code, 8 * u);
        if (shows_time(stage))
            draw_time(stage->app, view, code);
        else
            draw_code(stage->app, view, code, 3);
    }
}

void draw_stage(struct app *app, struct view *view, struct rect box, bool compact, const char *half)
{
    struct stage stage = {.app = app,
                          .view = view,
                          .columns = columns_in(&app->ui, box),
                          .fault = app_fault_here(app),
                          .race = app_race_shown(app),
                          .half = half,
                          .compact = compact};
    const struct lesson_beat *beat = app->screen == SCREEN_LESSON ? app_beat(app) : NULL;
    stage.shown = beat ? beat->stage : all_panels;
    stage.focus = beat ? beat->focus : 0;
    stage.covered = app_covered(app);
    if (app->screen == SCREEN_TRACE || view->scene->warp_count > 1)
        stage.shown |= stage.access == SCENE_BARRIER ? STAGE_WARPS : 0;
    if (half) /* room for what is compared, and no more */
        stage.shown &= ~(unsigned)(STAGE_SHARED | STAGE_DRAM | STAGE_LADDER | STAGE_TOUCHED);
    choose_memory(&stage);
    if (half && stage.access == SCENE_BARRIER)
        stage.shown &= ~(unsigned)STAGE_LANES;
    if (stage.access == SCENE_BARRIER && view->scene->warp_count > 1)
        stage.shown |= STAGE_WARPS;
    want_all(&stage);
    share_out(&stage, box);
    draw_slots(&stage);
}
