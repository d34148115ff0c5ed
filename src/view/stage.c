/* Shares out the room of the stage. Each panel asks for a least and a best height. If room is short, panels shrink
 * towards their least heights, and then some are left out, so that nothing is cut. */
#include "view/stage.h"
#include <math.h>

struct slot {
    float least, best, given; /* pixels */
    struct rect box;
};
struct layout {
    const struct view *view;
    struct panel_size sizes[STAGE_PANELS];
    struct slot titles[STAGE_PANELS], slots[STAGE_PANELS];
};

/* Returns whether the step's focus is on other panels. */
static bool is_dimmed(const struct stage_view *stage, const struct panel *panel)
{
    return stage->focus && (panel->traits & PANEL_DIMS) && !(stage->focus & panel->flag);
}

static struct slot slot_of(const struct view *view, float least, float best)
{
    return (struct slot){.least = least * view->ui->unit, .best = fmaxf(least, best) * view->ui->unit};
}

/* The panel of each kind of cells. */
#define PANEL(name, FLAG, ...)
#define FIXTURE(name, ...)
#define CELLS(word, KIND, panel, FLAG) [CELLS_##KIND] = &stage_panels[STAGE_AT_##panel],
static const struct panel *const panels_of_cells[] = {
#include "ui/panels.def"
};
#undef FIXTURE
#undef PANEL

/* Returns whether the lanes' lines end at the marked cells, below a label of their own. */
static bool leads_to_cells(const struct stage_view *stage)
{
    return stage->marks && (panels_of_cells[stage->marks->cells]->traits & PANEL_ACCESS);
}

/* Returns whether a panel stays empty until the question is answered: it would give the answer away. */
static bool is_covered(const struct stage_view *stage, int panel)
{
    bool const marked = stage->marks && panels_of_cells[stage->marks->cells] == &stage_panels[panel];
    return stage->covered && (stage_panels[panel].traits & PANEL_COVERED) && !marked;
}

static void leave_out(struct layout *layout, int i)
{
    layout->slots[i] = layout->titles[i] = (struct slot){0};
}

/* Returns whether the sheet over a question covers the panel. The large number lies below other panels, so it gives its
 * room to the sheet unless the sheet would have none. */
static bool lies_under_sheet(const struct layout *layout, int panel)
{
    bool other = false;
    for (int i = 0; i < STAGE_AT_tally; i++)
        other |= (stage_panels[i].traits & PANEL_COVERED) && layout->slots[i].best > 0;
    return (stage_panels[panel].traits & PANEL_COVERED) && !(panel == STAGE_AT_tally && other);
}

enum { UNDER_SHEET = 80 }; /* units: the same in every run, because the height could give the answer away */

static void ask_all(struct layout *layout)
{
    const struct view *view = layout->view;
    for (int i = 0; i < STAGE_PANELS; i++) {
        const struct panel *panel = &stage_panels[i];
        if (panel->flag && !(view->stage->shown & panel->flag))
            continue;
        if (is_covered(view->stage, i) && !stage_sheet(view->stage) &&
            !((panel->traits & PANEL_LINES) && leads_to_cells(view->stage)))
            continue; /* its room is for the cells */
        struct panel_size size = layout->sizes[i] = panel->size(view);
        if (size.best <= 0)
            continue;
        if (is_covered(view->stage, i) && !(panel->traits & (PANEL_ACCESS | PANEL_SHEET)))
            size.least = size.best = UNDER_SHEET;
        layout->slots[i] = slot_of(view, size.least, size.best);
        if (panel->title)
            layout->titles[i] = slot_of(view, 28, 30);
    }
    if (stage_sheet(view->stage) && !lies_under_sheet(layout, STAGE_AT_tally))
        leave_out(layout, STAGE_AT_tally);
}

/* Returns the height below which the panel is left out. */
static float low_of(const struct layout *layout, int i)
{
    float const low = layout->sizes[i].low * layout->view->ui->unit, least = layout->slots[i].least;
    return low > 0 && low < least ? low : least;
}

static float sum_of_low(const struct layout *layout)
{
    float sum = 0;
    for (int i = 0; i < STAGE_PANELS; i++)
        sum += layout->titles[i].least + low_of(layout, i);
    return sum;
}

static float sum_of(const struct layout *layout, bool best)
{
    float sum = 0;
    for (int i = 0; i < STAGE_PANELS; i++) {
        sum += best ? layout->titles[i].best : layout->titles[i].least;
        sum += best ? layout->slots[i].best : layout->slots[i].least;
    }
    return sum;
}

static bool has_trait(const struct panel *panel, int trait)
{
    return panel->traits & (unsigned)trait;
}

static bool goes_for_step(const struct panel *panel, int last)
{
    return panel->step_out && panel->step_out <= last;
}

/* Leaves out the panels that go if the others do not fit with them and do without. */
static void leave_out_if_enough(struct layout *layout, float height, bool (*goes)(const struct panel *panel, int which),
                                int which)
{
    struct layout const before = *layout;
    if (sum_of(layout, false) <= height)
        return;
    for (int i = 0; i < STAGE_PANELS; i++)
        if (goes(&stage_panels[i], which))
            leave_out(layout, i);
    if (sum_of(layout, false) > height)
        *layout = before;
}

/* Leaves out what goes before a panel of the step does: as little as makes room for all others or, if nothing does, for
 * these with their low heights. The times have a page of their own beside the words, which a class does not see. */
static void leave_out_for_step(struct layout *layout, float height)
{
    int const turns = layout->view->stage->compact ? STEP_TURNS - 1 : STEP_TURNS;
    for (int last = 1; last < STEP_TURNS; last++)
        leave_out_if_enough(layout, height, goes_for_step, last);
    if (sum_of(layout, false) <= height)
        return;
    struct layout const before = *layout;
    for (int last = 1; last < STEP_TURNS || (last <= turns && sum_of_low(layout) > height); last++)
        for (int i = 0; i < STAGE_PANELS; i++)
            if (goes_for_step(&stage_panels[i], last))
                leave_out(layout, i);
    if (sum_of_low(layout) > height)
        *layout = before;
}

/* Returns whether a panel with the trait has room. */
static bool has_room(const struct layout *layout, int trait)
{
    bool room = false;
    for (int i = 0; i < STAGE_PANELS; i++)
        room |= has_trait(&stage_panels[i], trait) && layout->slots[i].best > 0;
    return room;
}

/* Leaves out one panel after the other, in the order of their turns, until the rest fits; those in the step's focus
 * last, after the access if the focus is elsewhere. */
static void leave_out_in_turn(struct layout *layout, float height)
{
    unsigned const focus = layout->view->stage->focus;
    bool const elsewhere = focus && !(focus & stage_with(PANEL_ACCESS));
    for (int round = focus ? 0 : 1; round < 2; round++) {
        if (round == 1 && elsewhere)
            leave_out_if_enough(layout, height, has_trait, PANEL_ACCESS);
        for (int turn = 1; turn <= STAGE_PANELS && sum_of(layout, false) > height; turn++)
            for (int i = 0; i < STAGE_PANELS; i++)
                if (stage_panels[i].left_out == turn && !layout->sizes[i].stays &&
                    (round || !(stage_panels[i].flag & focus)))
                    leave_out(layout, i);
    }
}

/* Returns whether a panel in the step's focus, or the race that it shows, would be left out. */
static bool loses_focus(const struct layout *layout, float height)
{
    struct layout then = *layout;
    leave_out_in_turn(&then, height);
    for (int i = 0; i < STAGE_PANELS; i++)
        if (layout->slots[i].best > 0 && then.slots[i].best <= 0 &&
            ((stage_panels[i].traits & PANEL_RACE) || (layout->view->stage->focus & stage_panels[i].flag)))
            return true;
    return false;
}

/* Returns whether the stage of a lesson would lose more than what is beside the point. */
static bool step_loses(const struct layout *layout, float height)
{
    struct layout then = *layout;
    leave_out_in_turn(&then, height);
    for (int i = 0; i < STAGE_PANELS && layout->view->stage->of_lesson; i++)
        if (layout->slots[i].best > 0 && then.slots[i].best <= 0 && !(stage_panels[i].traits & PANEL_EXTRA))
            return true;
    return false;
}

/* What the step is about stays, if something else can go: the code has a page of its own, and a question about
 * a race is answered by the race, not by the banks. Before a lesson loses a panel of the step, the code and the rows of
 * the warps and of the block go. */
static void leave_out_others(struct layout *layout, float height)
{
    bool const step = step_loses(layout, height);
    if (!step && !loses_focus(layout, height))
        return;
    leave_out_if_enough(layout, height, has_trait, PANEL_ELSEWHERE);
    if (step)
        leave_out_for_step(layout, height);
    if (has_room(layout, PANEL_RACE) && has_room(layout, PANEL_QUESTION))
        leave_out_if_enough(layout, height, has_trait, PANEL_ACCESS);
}

/* Lets panels that can show a part of what they have become low, those in the step's focus last, until all fit. */
static void make_low(struct layout *layout, float height)
{
    for (int round = layout->view->stage->focus ? 0 : 1; round < 2; round++)
        for (int i = 0; i < STAGE_PANELS; i++) {
            float const over = sum_of(layout, false) - height;
            if (over > 0 && (round || !(stage_panels[i].flag & layout->view->stage->focus)))
                layout->slots[i].least = fmaxf(low_of(layout, i), layout->slots[i].least - over - 1);
        }
}

/* Before a chart in the step's focus becomes low, the bars of its times go to their page beside the words. A class,
 * which does not see that page, does without the panels outside the focus, the warps and the code. */
static void spare_chart(struct layout *layout, float height)
{
    const struct stage_view *stage = layout->view->stage;
    if (!(stage->focus & STAGE_LADDER) || layout->slots[STAGE_AT_ladder].best <= 0)
        return;
    if (!stage->compact && stage->ladder->times && sum_of(layout, false) > height)
        leave_out(layout, STAGE_AT_time_strip);
    for (int last = 0; stage->compact && last < 3; last++)
        for (int i = 0; i < STAGE_PANELS; i++)
            if (sum_of(layout, false) > height && stage_panels[i].left_out &&
                (is_dimmed(stage, &stage_panels[i]) || goes_for_step(&stage_panels[i], last)))
                leave_out(layout, i);
}

/* Leaves out panels outside the step's focus before those in it become small. Then, if even the least heights do not
 * fit, leaves out one after the other. */
static void leave_out_some(struct layout *layout, float height)
{
    for (int i = 0; i < STAGE_PANELS; i++)
        if ((stage_panels[i].traits & PANEL_ASIDE) && layout->slots[i].best > 0 &&
            is_dimmed(layout->view->stage, &stage_panels[i]) && sum_of(layout, true) > height * 1.12f)
            leave_out(layout, i);
    spare_chart(layout, height);
    leave_out_others(layout, height);
    make_low(layout, height);
    leave_out_in_turn(layout, height);
}

/* Gives spare room to the panels, turn by turn. Returns what is left. */
static float spread(struct layout *layout, float spare)
{
    float const u = layout->view->ui->unit;
    for (int turn = 1; turn <= GROWTH_TURNS; turn++)
        for (int i = 0; i < STAGE_PANELS; i++)
            for (int k = 0; k < GROWTHS; k++) {
                struct panel_growth const grows = stage_panels[i].grows[k];
                struct slot *slot = &layout->slots[i];
                if (grows.turn != turn || slot->best <= 0 || layout->sizes[i].steady)
                    continue;
                float const more = grows.most < 0   ? layout->sizes[i].more * u
                                   : grows.most < 1 ? slot->best * grows.most
                                                    : grows.most * u;
                float const taken = fminf(spare, fmaxf(0, more));
                slot->best += taken;
                spare -= taken;
            }
    return spare;
}

/* Gives room to the sheet over the covered panels: it has the question, and its choices where there is no right
 * column. */
static void widen_cover(struct layout *layout, float spare)
{
    const struct stage_view *stage = layout->view->stage;
    if (!stage->covered || !stage_sheet(stage))
        return;
    for (int i = STAGE_PANELS; i-- > 0;)
        if (lies_under_sheet(layout, i) && layout->slots[i].best > 0) {
            layout->slots[i].best += spare;
            return;
        }
}

/* Returns whether the slot has one line of text, which keeps its height. */
static bool is_line(const struct layout *layout, const struct slot *slot)
{
    return slot->least <= 30 * layout->view->ui->unit;
}

/* Returns the factor that makes the least heights fit: 1 if they do. */
static float squeeze_of(const struct layout *layout, float height)
{
    float lines = 0, rest = 0;
    for (int i = 0; i < STAGE_PANELS; i++) {
        const struct slot *both[] = {&layout->titles[i], &layout->slots[i]};
        for (int k = 0; k < 2; k++)
            *(is_line(layout, both[k]) ? &lines : &rest) += both[k]->least;
    }
    return lines + rest > height && rest > 0 ? fmaxf(0.1f, (height - lines) / rest) : 1;
}

static void place(const struct layout *layout, struct slot *slot, struct rect box, float *y, float part, float squeeze)
{
    slot->given = (slot->least + (slot->best - slot->least) * part) * (is_line(layout, slot) ? 1 : squeeze);
    slot->box = (struct rect){box.x, *y, box.w, slot->given};
    *y += slot->given;
}

static void share_out(struct layout *layout, struct rect box)
{
    leave_out_some(layout, box.h);
    float const least = sum_of(layout, false), best = sum_of(layout, true);
    float part = best > least ? fminf(1, fmaxf(0, (box.h - least) / (best - least))) : 0;
    float const squeeze = squeeze_of(layout, box.h);
    if (box.h > best) {
        part = 1;
        widen_cover(layout, spread(layout, box.h - best));
    }
    float y = box.y;
    for (int i = 0; i < STAGE_PANELS; i++) {
        place(layout, &layout->titles[i], box, &y, part, squeeze);
        place(layout, &layout->slots[i], box, &y, part, squeeze);
    }
    struct rect *foot = &layout->slots[STAGE_AT_tally].box;
    foot->y = fmaxf(foot->y, box.y + box.h - foot->h);
}

/* Keeps the first action of a frame, because the mouse can do only one thing. */
static void take(struct action *action, struct action next)
{
    if (action->kind == ACTION_NONE)
        *action = next;
}

/* Notes for `view->shown` what a panel has, before it draws itself. */
static void note_panel(struct view *view, int i, const struct slot *title, const struct slot *slot)
{
    if (!view->shown)
        return;
    struct rect box = slot->box;
    box.y -= title->given; /* the title is above it */
    box.h += title->given;
    view->noted = &view->shown[i];
    *view->noted = (struct panel_shown){.box = box, .squeezed = slot->given < slot->least - 1};
}

static void draw_one(struct layout *layout, struct view *view, int i, struct action *action)
{
    const struct panel *panel = &stage_panels[i];
    const struct slot *title = &layout->titles[i], *slot = &layout->slots[i];
    float const u = view->ui->unit;
    const struct rect *label = panel->title ? &title->box : &slot->box;
    float const height = panel->label_height > 0 ? panel->label_height * u : label->h + panel->label_height * u;
    if (panel->label && label->h >= 22 * u) /* less only where two runs share a low window */
        view_gutter(view, label->y, height, _(panel->label), true);
    if (panel->title)
        take(action, panel->title(view, view_columns(view, title->box)));
    view->dim = is_dimmed(view->stage, panel);
    note_panel(view, i, title, slot);
    take(action, panel->draw(view, slot->box));
    view->noted = NULL;
    view->dim = false;
}

/* Draws the sheet over all panels that would give the answer away and have room: none of the others lies under it. */
static struct action draw_cover(const struct layout *layout, struct view *view)
{
    struct rect box = {0};
    for (int i = 0; i < STAGE_PANELS; i++)
        if (lies_under_sheet(layout, i) && layout->slots[i].given > 0) {
            box = box.w > 0 ? box : layout->slots[i].box;
            box.h = layout->slots[i].box.y + layout->slots[i].box.h - box.y;
        }
    return question_cover(view, rect_inset(view_columns(view, box), 0, 8 * view->ui->unit));
}

/* Draws the gate in the room of the lanes' lines and of the memory below them. */
static void draw_gate(const struct layout *layout, struct view *view)
{
    struct rect box = view->stage->band;
    float const u = view->ui->unit;
    float bottom = box.y + box.h;
    for (int i = 0; i < STAGE_PANELS; i++)
        if (stage_panels[i].traits & PANEL_ACCESS)
            bottom = fmaxf(bottom, layout->slots[i].box.y + layout->slots[i].box.h);
    box.y += 12 * u;
    box.h = fminf(bottom - box.y, 220 * u);
    view_gutter(view, box.y, 30 * u, _("Barrier"), true);
    panel_gate(view, box);
}

float stage_least(struct view *view, struct rect box, const struct stage_view *offered, bool low)
{
    struct stage_view stage = stage_chosen(view, offered);
    struct layout layout = {.view = view};
    view->columns = columns_in(view->ui, box);
    view->stage = &stage;
    ask_all(&layout);
    for (int i = 0; i < STAGE_PANELS; i++)
        if (goes_for_step(&stage_panels[i], STEP_TURNS) || has_trait(&stage_panels[i], PANEL_EXTRA))
            leave_out(&layout, i);
    view->stage = NULL;
    return low ? sum_of_low(&layout) : sum_of(&layout, false);
}

float stage_spare(struct view *view, struct rect box, const struct stage_view *offered)
{
    struct stage_view stage = stage_chosen(view, offered);
    struct layout layout = {.view = view};
    view->columns = columns_in(view->ui, box);
    view->stage = &stage;
    ask_all(&layout);
    share_out(&layout, box);
    float spare = box.h;
    for (int i = 0; i < STAGE_PANELS; i++)
        spare -= layout.titles[i].given + layout.slots[i].given;
    view->stage = NULL;
    return spare;
}

uint64_t stage_kept(struct view *view, struct rect box, const struct stage_view *offered)
{
    struct stage_view stage = stage_chosen(view, offered);
    struct layout layout = {.view = view};
    uint64_t kept = 0;
    view->columns = columns_in(view->ui, box);
    view->stage = &stage;
    ask_all(&layout);
    leave_out_some(&layout, box.h);
    for (int i = 0; i < STAGE_PANELS; i++)
        kept |= layout.slots[i].best > 0 ? UINT64_C(1) << i : 0;
    view->stage = NULL;
    return sum_of(&layout, false) > box.h ? 0 : kept;
}

struct action stage_draw(struct view *view, struct rect box, const struct stage_view *offered)
{
    struct stage_view stage = stage_chosen(view, offered);
    struct layout layout = {.view = view};
    struct action action = NO_ACTION;
    for (int i = 0; view->shown && i < STAGE_PANELS; i++)
        view->shown[i] = (struct panel_shown){0};
    view->columns = columns_in(view->ui, box);
    view->stage = &stage;
    ask_all(&layout);
    share_out(&layout, box);
    stage.crowded = true;
    for (int i = 0; i < STAGE_PANELS; i++) {
        stage.band = stage_panels[i].traits & PANEL_LINES ? layout.slots[i].box : stage.band;
        stage.crowded &= !(stage_panels[i].traits & PANEL_LETTERS) || layout.slots[i].given <= 0;
    }
    bool covered = false;
    for (int i = 0; i < STAGE_PANELS; i++) {
        if (is_covered(&stage, i)) {
            if (!covered && stage_sheet(&stage))
                take(&action, draw_cover(&layout, view));
            covered = true;
        } else if (stage.gate && (stage_panels[i].traits & PANEL_ACCESS)) {
            if (stage_panels[i].traits & PANEL_LINES)
                draw_gate(&layout, view);
        } else if (layout.slots[i].given > 0)
            draw_one(&layout, view, i, &action);
    }
    view->stage = NULL;
    return action;
}
