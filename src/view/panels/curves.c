/* Lines from the lanes to the banks or words that they access. A line goes from the bottom of a lane's cell to the top
 * of a column in the panel below. The band holds nothing else, so that no line crosses a word or a number. */
#include "view/stage.h"
#include <cglm/cglm.h>
#include <math.h>

struct link {
    int lane, column;
};

/* Draws the first part of a cubic curve, up to t, by de Casteljau's algorithm. */
static void draw_part(struct view *view, const struct point whole[4], float t, float width, struct color color)
{
    struct ui *ui = view->ui;
    struct point a[4];
    for (int i = 0; i < 4; i++)
        a[i] = whole[i];
    struct point part[4] = {a[0]};
    for (int level = 1; level < 4; level++) {
        for (int i = 0; i < 4 - level; i++) {
            a[i].x = glm_lerp(a[i].x, a[i + 1].x, t);
            a[i].y = glm_lerp(a[i].y, a[i + 1].y, t);
        }
        part[level] = a[0];
    }
    draw_curve(&ui->draw, part, width, color);
}

static void arrow_head(struct view *view, struct point tip, bool up, struct color color)
{
    float const s = 5 * view->ui->unit, back = tip.y + (up ? s : -s) * 1.4f;
    struct point head[3] = {{tip.x - s * 0.7f, back}, {tip.x + s * 0.7f, back}, tip};
    draw_polygon(&view->ui->draw, head, 3, color);
}

/* The value of a load rises from memory to its lane, that of a store falls. An atomic's goes both ways. */
static void one_link(struct view *view, const struct columns *columns, struct rect box, struct link link, float width,
                     struct color color)
{
    enum trace_operation const operation = view->scene->site->operation;
    bool const rises = operation != TRACE_STORE;
    float const lane = column_middle(columns, link.lane), word = column_middle(columns, link.column);
    float const low = box.y + box.h;
    struct point const falling[4] = {
        {lane, box.y}, {lane, box.y + box.h * 0.52f}, {word, box.y + box.h * 0.42f}, {word, low}};
    struct point const rising[4] = {falling[3], falling[2], falling[1], falling[0]};
    float const t = glm_clamp(view->scene->fan, 0, 1);
    if (t <= 0)
        return;
    draw_part(view, rises ? rising : falling, t, width, color);
    if (!view->still_arrows && t < 1)
        return;
    if (rises)
        arrow_head(view, falling[0], true, color);
    if (operation != TRACE_LOAD)
        arrow_head(view, falling[3], false, color);
}

static int column_of(uint64_t address)
{
    return (int)(address / BANK_BYTES % BANKS); /* the bank of a word is also its position in a 128-byte chunk */
}

/* Returns the lanes on the bank that takes the most passes. They are emphasised while nothing moves. */
static uint32_t crowded_lanes(const struct scene *scene)
{
    if (scene->kind != SCENE_SHARED || !scene->banks.conflicts)
        return 0;
    uint32_t best = 0;
    int most = 0;
    for (int bank = 0; bank < BANKS; bank++) {
        int passes = 0;
        uint32_t lanes = 0;
        for (uint32_t p = 0; p < scene->banks.passes; p++)
            if (scene->banks.slots[p][bank].lanes) {
                passes++;
                lanes |= scene->banks.slots[p][bank].lanes;
            }
        if (passes > most) {
            most = passes;
            best = lanes;
        }
    }
    return best;
}

static uint32_t told_lanes(const struct view *view, bool *conflict)
{
    const struct scene *scene = view->scene;
    *conflict = false;
    if (scene->kind == SCENE_SHARED && scene->pass >= 0 && scene->pass < (int)scene->banks.passes) {
        *conflict = scene->banks.conflicts && scene->pass >= (int)scene->banks.passes_ideal;
        return scene_pass_lanes(scene);
    }
    if (view->hot)
        return view->hot;
    *conflict = true;
    return view->fault ? view->fault : crowded_lanes(scene);
}

static bool is_broadcast(const struct scene *scene, int lane)
{
    for (int other = 0; other < WARP_LANES; other++)
        if (other != lane && (scene->event->mask >> other & 1) &&
            scene->addresses[other] / BANK_BYTES == scene->addresses[lane] / BANK_BYTES)
            return true;
    return false;
}

void view_links(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    const struct scene *scene = view->scene;
    if (!scene->addresses || scene->kind == SCENE_CONSTANT || box.h <= 0) /* constants have neither banks nor chunks */
        return;
    struct ui *ui = view->ui;
    bool conflict = false;
    uint32_t told = told_lanes(view, &conflict);
    for (int strong = 0; strong < 2; strong++)
        for (int lane = 0; lane < WARP_LANES; lane++) {
            if (!(scene->event->mask >> lane & 1) || (int)(told >> lane & 1) != strong)
                continue;
            struct link link = {lane, column_of(scene->addresses[lane])};
            bool shared_word =
                scene->kind == SCENE_SHARED && scene->site->operation == TRACE_LOAD && is_broadcast(scene, lane);
            enum color_role role = strong && conflict ? COLOR_CONFLICT : shared_word ? COLOR_BROADCAST : COLOR_ACCESS;
            struct color color = view_color(view, role);
            if (!strong)
                color = color_mix(color, ui_color(ui, COLOR_BACKGROUND), told ? 0.72f : 0.45f);
            one_link(view, columns, box, link, strong ? 2.2f * ui->unit : 1.3f * ui->unit, color);
        }
}

struct panel_size panel_curves_size(const struct view *view)
{
    const struct stage_view *stage = view->stage;
    bool const lanes = stage->shown & STAGE_LANES;
    if (stage->access == SCENE_EMPTY)
        return NOT_SHOWN;
    if (stage->covered && stage->marks) /* the lines would give the cells away; the label of the cells has the room */
        return (struct panel_size){.least = 40, .best = 40, .steady = true};
    if (stage->access == SCENE_BARRIER)
        return (struct panel_size){.least = 30, .best = 30, .steady = !lanes};
    return (struct panel_size){
        .least = 40, .best = lanes ? 124 : 40, .low = stage->of_lesson ? 0 : 28, .steady = !lanes};
}

/* Returns a note on the event for the case that the panel below shows another kind of memory. */
static const char *event_words(const struct scene *scene)
{
    if (scene->kind == SCENE_OTHER && scene->event->kind == TRACE_ACCESS &&
        trace_space(scene->site, scene->event) == PTX_SPACE_LOCAL)
        return _("this access goes to local memory: its sectors are not shown");
    switch (scene->kind) {
    case SCENE_GLOBAL:
        return _("this access goes to global memory: it uses no bank");
    case SCENE_SHARED:
        return _("this access goes to shared memory: it fetches no sector");
    case SCENE_CONSTANT:
        return _("this access goes to constant memory: it uses no bank and fetches no sector");
    case SCENE_BRANCH:
        return _("a branch: it accesses no memory");
    default:
        return _("no memory is accessed here");
    }
}

/* Draws the band between lanes and memory: the lines, and the name of the panel below in the gutter. */
struct action panel_curves(struct view *view, struct rect box)
{
    const struct stage_view *stage = view->stage;
    enum scene_kind const kind = view->scene->kind;
    float const u = view->ui->unit;
    bool marks = false;
    for (int lane = 0; lane < WARP_LANES; lane++)
        marks |= lanes_letter(view->scene, lane);
    if (stage->access == SCENE_FAULT)
        return NO_ACTION; /* the fault's panel draws its own line */
    struct rect band = {box.x, box.y + (marks ? 24 * u : 2 * u), box.w, 0};
    band.h = box.y + box.h - 3 * u - band.y;
    float const label = fmaxf(box.y, box.y + box.h - 32 * u); /* in a low band not up to the name of the lanes */
    if (box.h >= (stage->half ? 40 : 24) * u)                 /* less only where two runs share a low window */
        view_gutter(view, label, fminf(26 * u, box.h),
                    stage->access == SCENE_BARRIER  ? _("Barrier")
                    : stage->access == SCENE_SHARED ? _("Banks")
                    : stage->plain                  ? _("Memory")
                                                    : _("Chunks"),
                    true);
    if (kind == stage->access && (stage->shown & STAGE_LANES) && !stage->marks && !stage->plain)
        ui_tip(view->ui, view_columns(view, band), "%s",
               kind == SCENE_SHARED
                   ? _("A line between each lane and the bank of its word: up for a load, down for a store. Strong "
                       "and red: the lanes of the busiest bank, or of the pass on screen. Green: one word for "
                       "several lanes.")
                   : _("A line between each lane and the place of its word in the chunk: up for a load, down for a "
                       "store."));
    if (kind == stage->access && (stage->shown & STAGE_LANES))
        view_links(view, band);
    else if (stage->access != SCENE_BARRIER && kind != SCENE_BARRIER && kind != stage->access && !stage->fault)
        view_caption(view, view_columns(view, (struct rect){0, box.y + (box.h - 24 * u) / 2, 0, 24 * u}),
                     event_words(view->scene));
    return NO_ACTION;
}
