/* The stage: panels under one another on the 32 columns. Each asks for a least and a best height; what there is too
 * little of is taken from those that can be drawn lower, and the last ones are left out before anything is cut. */
#include "app/state.h"
#include <math.h>
#include <string.h>

enum slot_kind {
    SLOT_BLOCK, /* one line: which block and warp */
    SLOT_WARPS,
    SLOT_LANES,
    SLOT_CURVES,
    SLOT_ACCESS, /* banks, chunks or the barrier's gate: what the event is about */
    SLOT_TALLY,
    SLOT_RACE,
    SLOT_SECOND_TITLE,
    SLOT_SECOND, /* words of shared memory, or DRAM */
    SLOT_LADDER,
    SLOT_TOUCHED,
    SLOT_TURNS,
    SLOT_CODE,
    SLOT_COUNT
};
struct slot {
    float least, best, given;
    struct rect box;
};

struct stage {
    struct app *app;
    struct view *view;
    struct columns columns;
    struct slot slots[SLOT_COUNT];
    unsigned shown; /* STAGE_ flags */
    unsigned focus;
    enum scene_kind access; /* SCENE_SHARED, SCENE_GLOBAL, SCENE_BARRIER or SCENE_FAULT; SCENE_EMPTY: none */
    enum scene_kind second;
    const struct trace_fault *fault;    /* what this very event is the fault of */
    const struct emulator_hazard *race; /* shown below */
    bool covered, compact;
    const char *half; /* of a comparison: its name; NULL: the whole stage */
};

static const unsigned all_panels =
    STAGE_WARPS | STAGE_LANES | STAGE_BANKS | STAGE_SHARED | STAGE_CHUNKS | STAGE_DRAM | STAGE_TOUCHED | STAGE_TURNS;

static bool dimmed(const struct stage *stage, unsigned panel)
{
    return stage->focus && !(stage->focus & panel);
}

/* The memory of the access before a position, or of the first one: what stays in view at a branch. */
static enum scene_kind memory_before(const struct scene *scene)
{
    const struct playback *playback = scene->playback;
    size_t at = playback_find(playback, scene->position, -1, MARK_ACCESS, 0);
    if (at == scene->position)
        at = playback_find(playback, scene->position, 1, MARK_ACCESS, 0);
    const struct trace_site *site = playback_site(playback, at);
    const struct trace_event *event = playback_event(playback, at);
    return site && event && event->kind == TRACE_ACCESS && trace_space(site, event) == PTX_SPACE_SHARED ? SCENE_SHARED
                                                                                                        : SCENE_GLOBAL;
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
    bool words = stage->shown & STAGE_SHARED, dram = stage->shown & STAGE_DRAM;
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
        return panel_shared_height(stage->view, 1e6f);
    return stage->second == SCENE_GLOBAL ? panel_dram_height(stage->view, 1e6f) : 0;
}

/* What is drawn where there is room for it, and left out first where there is not. */
static void want_fillers(struct stage *stage)
{
    const struct view *view = stage->view;
    float u = stage->app->ui.unit;
    if ((stage->shown & STAGE_TOUCHED) && !stage->covered && !stage->fault && !stage->race) {
        float best = panel_touched_height(view) / u;
        if (best > 0)
            want(stage, SLOT_TOUCHED, fminf(best, 94), best + 8);
    }
    if ((stage->shown & STAGE_TURNS) && view->scene->warp_count > 1) {
        float best = panel_turns_height(view) / u;
        want(stage, SLOT_TURNS, fminf(best, 130), best);
    }
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
    if (stage->compact && !stage->half)
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

/* Room to spare goes to what is looked at first: the lines between lanes and memory, the rows, the lanes, the number.
 */
static void spread(struct stage *stage, float spare)
{
    float u = stage->app->ui.unit;
    const struct {
        enum slot_kind slot;
        float most; /* units more, or, below 1, a part more */
    } shares[] = {{SLOT_CURVES, 40},   {SLOT_ACCESS, 0.4f}, {SLOT_LANES, 16},   {SLOT_TALLY, 76},
                  {SLOT_SECOND, 0.5f}, {SLOT_CURVES, 60},   {SLOT_ACCESS, 0.4f}};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        struct slot *slot = &stage->slots[shares[i].slot];
        float more = fminf(spare, shares[i].most < 1 ? slot->best * shares[i].most : shares[i].most * u);
        bool fixed = slot->best <= 0 || (shares[i].slot == SLOT_ACCESS && stage->access == SCENE_BARRIER) ||
                     (shares[i].slot == SLOT_CURVES && stage->slots[SLOT_LANES].best <= 0);
        if (fixed)
            continue;
        slot->best += more;
        spare -= more;
    }
}

static void share_out(struct stage *stage, struct rect box)
{
    for (size_t i = 0; i < sizeof give_up / sizeof *give_up && sum_of(stage, false) > box.h; i++) {
        if (stage->half && give_up[i] == SLOT_BLOCK)
            continue; /* it says which half this is */
        stage->slots[give_up[i]] = (struct slot){0};
        if (give_up[i] == SLOT_SECOND)
            stage->slots[SLOT_SECOND_TITLE] = (struct slot){0};
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

static struct rect column_area(const struct stage *stage, struct rect box)
{
    return (struct rect){stage->columns.x, box.y, stage->columns.pitch * WARP_LANES, box.h};
}

/* Without a right column the knobs stand in the first line: "‹ stride 8 ›". */
static void knob_steppers(struct stage *stage, struct rect *line)
{
    struct app *app = stage->app;
    struct ui *ui = &app->ui;
    const struct lesson *lesson = app->open.lesson;
    float u = ui->unit;
    for (int k = lesson->knob_count - 1; k >= 0; k--) {
        const struct lesson_knob *knob = &lesson->knobs[k];
        const char *text = arena_format(&app->frame, "%s %lld", knob->label[app->language],
                                        (long long)knob->values[app->open.setting.value[k]]);
        enum font_role role = k == app->open.knob ? FONT_BOLD : FONT_TEXT;
        float width = ui_text_width(ui, role, text_caption(ui), text) + 4 * u;
        if (width + 76 * u > line->w)
            return;
        struct rect up = rect_cut_right(line, 26 * u), name = rect_cut_right(line, width);
        struct rect down = rect_cut_right(line, 26 * u);
        rect_cut_right(line, 12 * u);
        ui_label(ui, down, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "‹");
        ui_label(ui, up, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "›");
        ui_label(ui, name, role, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT), text);
        ui_id id = ui_id_child(ui_id_text("stepper"), (uint32_t)k);
        if (ui_area(ui, ui_id_child(id, 1), down))
            app_turn_knob(app, k, app->open.setting.value[k] - 1);
        if (ui_area(ui, ui_id_child(id, 2), up))
            app_turn_knob(app, k, app->open.setting.value[k] + 1);
        if (ui_area(ui, id, name))
            app->open.knob = k;
    }
}

/* "Block 3 of 0–3": a click on the arrows changes it. */
static void block_line(struct stage *stage, struct rect box)
{
    struct app *app = stage->app;
    struct ui *ui = &app->ui;
    const struct scene *scene = stage->view->scene;
    const struct trace *trace = scene->trace;
    float u = ui->unit;
    view_gutter(stage->view, &stage->columns, box.y, box.h,
                arena_format(&app->frame, _("Block %llu"), (unsigned long long)scene->block), true);
    struct rect line = column_area(stage, box);
    if (stage->half) {
        float width = ui_text_width(ui, FONT_BOLD, text_body(ui), stage->half) + 24 * u;
        ui_label(ui, rect_cut_left(&line, fminf(width, line.w)), FONT_BOLD, text_body(ui), UI_LEFT,
                 ui_color(ui, COLOR_ACCESS), stage->half);
    }
    uint64_t last = trace->events.count ? trace->recorded.last : 0, blocks = 1;
    for (int d = 0; d < 3; d++)
        blocks *= trace->grid[d];
    last = last >= blocks ? blocks - 1 : last;
    if (trace->recorded.first < last && !stage->half) {
        struct rect back = rect_cut_left(&line, 30 * u), on = rect_cut_left(&line, 30 * u);
        rect_cut_left(&line, 8 * u);
        ui_label(ui, back, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "‹");
        ui_label(ui, on, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "›");
        ui_tip(ui, back, _("the block before"));
        ui_tip(ui, on, _("the next block"));
        if (ui_area(ui, ui_id_text("block back"), back) && scene->block > trace->recorded.first)
            app_show_block(app, scene->block - 1);
        if (ui_area(ui, ui_id_text("block on"), on) && scene->block < last)
            app_show_block(app, scene->block + 1);
    }
    const char *what = _("nothing was recorded");
    if (scene->event)
        what = arena_format(&app->frame, _("warp %u of %u is in focus; grid %u × block %u"), scene->warp,
                            scene->warp_count, (unsigned)blocks, trace->block[0] * trace->block[1] * trace->block[2]);
    if (!app->knobs_aside && app->screen == SCREEN_LESSON && !stage->covered && !stage->half)
        knob_steppers(stage, &line);
    if (app->open.has_other && !stage->half) {
        const char *side = app->open.showing_other ? _("A: what was before (Tab)") : _("B: what is now (Tab)");
        float width = ui_text_width(ui, FONT_BOLD, text_caption(ui), side) + 4 * u;
        if (width < line.w * 0.5f)
            ui_label(ui, rect_cut_right(&line, width), FONT_BOLD, text_caption(ui), UI_RIGHT,
                     ui_color(ui, COLOR_ACCESS), side);
        rect_cut_right(&line, 12 * u);
    }
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), what) > line.w && scene->event)
        what = arena_format(&app->frame, _("warp %u of %u"), scene->warp, scene->warp_count);
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), what) <= line.w)
        view_caption(stage->view, line, what);
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
            struct rect note = column_area(stage, (struct rect){0, box.y + (box.h - 24 * u) / 2, 0, 24 * u});
            view_caption(view, note,
                         kind == SCENE_GLOBAL   ? _("this access goes to global memory: no bank is asked")
                         : kind == SCENE_SHARED ? _("this access goes to shared memory: nothing is fetched")
                         : kind == SCENE_BRANCH ? _("a branch: no memory is touched")
                                                : _("no memory is touched here"));
        }
    }
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
        return arena_format(arena, _("%u of %u slots used; %u lanes ask for %u bytes each."), scene->banks.slots_used,
                            scene->banks.passes * BANKS, (unsigned)__builtin_popcount(scene->event->mask),
                            scene->site->bytes);
    case SCENE_GLOBAL:
        tally->number = arena_format(arena, "%u", scene->chunks.sectors);
        tally->words = scene->chunks.sectors == 1 ? _("sector") : _("sectors");
        tally->bad = scene->chunks.sectors > scene->chunks.sectors_ideal;
        return arena_format(arena,
                            scene->site->operation == TRACE_LOAD ? _("fetched %u bytes, used %u; chunks touched: %u.")
                                                                 : _("sent %u bytes, wrote %u; chunks touched: %u."),
                            scene->chunks.bytes_fetched, scene->chunks.bytes_used, scene->chunks.chunk_count);
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
    case SCENE_BRANCH: {
        int taken = __builtin_popcount(scene->event->other & scene->event->mask);
        int reached = __builtin_popcount(scene->event->mask);
        tally->number = "";
        if (scene->event->kind == TRACE_RECONVERGE)
            return arena_format(arena, _("The paths meet again: %d lanes go on together."), reached);
        return arena_format(arena, _("A branch: %d of %d lanes jump, %d go on."), taken, reached, reached - taken);
    }
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
static void draw_fault_words(struct stage *stage, struct rect box)
{
    struct app *app = stage->app;
    float u = app->ui.unit;
    struct report const report = app_report(app);
    struct finding const finding = {.fault = stage->fault};
    const char *advice = finding_advice(&app->frame, &report, &finding);
    struct tally const tally = {
        .number = finding_title(&finding),
        .sentence = arena_format(&app->frame, "%s%s%s", finding_sentence(&app->frame, &report, stage->fault),
                                 advice && stage->compact ? "\n" : "", advice && stage->compact ? advice : ""),
        .bad = true};
    struct rect area = rect_inset(column_area(stage, box), 0, 4 * u);
    float size = 60 * u;
    while (size > 26 * u && ui_text_width(&app->ui, FONT_BOLD, size, tally.number) > area.w * 0.45f)
        size *= 0.92f;
    panel_tally(stage->view, area, &tally, size);
}

/* The step's own number where it opens; anywhere else what this access itself comes to. */
static void draw_tally(struct stage *stage, struct rect box)
{
    struct app *app = stage->app;
    const struct lesson_beat *beat = app->screen == SCREEN_LESSON ? app_beat(app) : NULL;
    struct tally tally = {.number = ""};
    bool known = false;
    if (stage->fault) {
        draw_fault_words(stage, box);
        return;
    }
    if (beat && beat->big && app->position == app->beat_position) {
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
    panel_tally(stage->view, rect_inset(column_area(stage, box), 0, 4 * app->ui.unit), &tally,
                fmaxf((stage->compact ? 62 : 52) * app->ui.unit, fminf(96 * app->ui.unit, box.h * 0.62f)));
}

static void draw_access(struct stage *stage, struct rect box)
{
    struct view *view = stage->view;
    view->dim =
        stage->access != SCENE_BARRIER && dimmed(stage, stage->access == SCENE_SHARED ? STAGE_BANKS : STAGE_CHUNKS);
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

static void draw_second(struct stage *stage)
{
    struct view *view = stage->view;
    struct slot *title = &stage->slots[SLOT_SECOND_TITLE], *slot = &stage->slots[SLOT_SECOND];
    if (slot->given <= 0)
        return;
    bool shared = stage->second == SCENE_SHARED;
    view_gutter(view, &stage->columns, title->box.y, title->box.h, shared ? _("Memory") : _("DRAM"), true);
    view_caption(view, column_area(stage, title->box),
                 shared ? _("shared memory, 128 bytes a row: the words these lanes want")
                        : _("model: the real address mapping is not published"));
    view->dim = dimmed(stage, shared ? STAGE_SHARED : STAGE_DRAM);
    if (shared)
        panel_shared(view, &stage->columns, slot->box);
    else
        panel_dram(view, &stage->columns, slot->box);
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
    int clicked = panel_ladder(stage->view, column_area(stage, slot->box), &ladder);
    if (clicked >= 0)
        app_turn_knob(app, points->knob, clicked);
}

/* Until there is an answer, what would give it away stays under a sheet. */
static void draw_cover(struct stage *stage)
{
    struct app *app = stage->app;
    float u = app->ui.unit;
    struct rect box = column_area(stage, stage->slots[SLOT_CURVES].box);
    box.h = stage->slots[SLOT_TALLY].box.y + stage->slots[SLOT_TALLY].box.h - box.y;
    box = rect_inset(box, 0, 8 * u);
    if (!stage->compact) {
        panel_cover(stage->view, box,
                    arena_format(&app->frame, _("The run is covered. Predict first: 1 to %d, then Enter."),
                                 app_beat(app)->choice_count));
        return;
    }
    panel_cover(stage->view, box, NULL);
    draw_question_sheet(app, stage->view, rect_inset(box, 30 * u, 16 * u));
}

static void draw_race(struct stage *stage, struct rect box)
{
    struct view *view = stage->view;
    float u = view->ui->unit;
    struct report const report = app_report(stage->app);
    struct finding const finding = {.hazard = stage->race};
    view_gutter(view, &stage->columns, box.y, 30 * u, _("Race"), true);
    struct rect area = column_area(stage, box);
    view_caption(view, rect_cut_top(&area, 30 * u),
                 stage->compact ? finding_advice(&stage->app->frame, &report, &finding) : finding_message(&finding));
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
        block_line(stage, slots[SLOT_BLOCK].box);
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
        draw_tally(stage, slots[SLOT_TALLY].box);
        draw_second(stage);
        draw_ladder(stage);
    }
    draw_fillers(stage);
    if (slots[SLOT_RACE].given > 0 && !stage->covered)
        draw_race(stage, slots[SLOT_RACE].box);
    if (slots[SLOT_CODE].given > 0) {
        struct rect code = column_area(stage, slots[SLOT_CODE].box);
        rect_cut_top(&code, 8 * u);
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
