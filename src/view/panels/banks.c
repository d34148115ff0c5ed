/* The passes of an access to shared memory: a column for each bank, a row for each pass. An access without bank
 * conflicts fills one row. A 32-way conflict fills one column. Up to 64 rows fit, because rows become lower. */
#include "view/stage.h"
#include <math.h>

static float axis_height(const struct view *view)
{
    const struct scene *scene = view->scene;
    bool marked = scene->kind == SCENE_SHARED && scene->banks.conflicts;
    return (marked ? 46 : 26) * view->ui->unit;
}

static uint32_t row_count(const struct scene *scene)
{
    return scene->kind == SCENE_SHARED && scene->banks.passes ? scene->banks.passes : 1;
}

static float row_height(const struct view *view, float room)
{
    return fminf(66 * view->ui->unit, room / (float)row_count(view->scene));
}

/* Returns the rows of the grid in which words are stacked: always one more than there are words. */
static uint32_t stack_rows(const struct marks *marks)
{
    uint32_t rows = marks->right ? 1 : 4;
    for (uint32_t bank = 0; bank < marks->count; bank++) {
        uint32_t const marked = marks->marked[bank], right = marks->right ? marks->right[bank] : marked + 1u;
        rows = marked > rows ? marked : rows;
        rows = right > rows ? right : rows;
    }
    return rows;
}

struct panel_size panel_banks_size(const struct view *view)
{
    if (view->stage->access != SCENE_SHARED)
        return NOT_SHOWN;
    const struct marks *marks = marks_of(view, CELLS_BANKS);
    if (marks) {
        float const best = 26 + 36 * (float)stack_rows(marks);
        return (struct panel_size){.least = fminf(best, 110), .best = best};
    }
    struct panel_size size =
        panel_access_size(view, axis_height(view) + 36 * view->ui->unit * (float)row_count(view->scene));
    size.low = view->stage->covered ? 0 : 104;
    return size;
}

static struct rect slot_box(const struct view *view, const struct columns *columns, float top, float height, int pass,
                            int bank)
{
    float gap = height > 20 * view->ui->unit ? 4 * view->ui->unit : height > 7 ? 1.5f : height > 3 ? 0.75f : 0;
    return column_cell(columns, bank, top + (float)pass * height, height - gap);
}

static const char *slot_label(struct view *view, const struct bank_slot *slot)
{
    return arena_format(view->arena, "%d", __builtin_ctz(slot->lanes));
}

static void slot_tip(struct view *view, struct rect box, int pass, int bank, const struct bank_slot *slot)
{
    int lanes = __builtin_popcount(slot->lanes);
    if (!lanes) {
        ui_tip(view->ui, box, _("bank %d, pass %d: idle"), bank, pass + 1);
        return;
    }
    const struct scene *scene = view->scene;
    uint64_t const address = slot->word * BANK_BYTES;
    int const first = __builtin_ctz(slot->lanes);
    const char *byte = scene_name_byte(scene, view->arena, address);
    bool const one_value =
        lanes == 1 || scene->site->operation == TRACE_LOAD; /* several lanes that write may write different values */
    const char *value = one_value ? scene_value_at(scene, view->arena, first, address) : NULL;
    const char *said = scene_name_value(scene, view->arena, byte, value);
    if (lanes == 1)
        ui_tip(view->ui, box, _("bank %d, pass %d: lane %d, %s"), bank, pass + 1, first, said);
    else
        ui_tip(view->ui, box, _("bank %d, pass %d: one word (%s) for %d lanes at once"), bank, pass + 1, said, lanes);
}

/* Marks a broadcast: a small fan, for one word that goes to several lanes. */
static void fan_mark(struct view *view, struct rect box)
{
    if (box.h < 16 * view->ui->unit)
        return;
    struct color color = view_text_on(view, COLOR_BROADCAST);
    struct point root = {box.x + box.w / 2, box.y + box.h - 3 * view->ui->unit};
    for (int ray = -1; ray <= 1; ray++)
        draw_line(&view->ui->draw, root, (struct point){root.x + (float)ray * box.w * 0.3f, box.y + 4 * view->ui->unit},
                  1.5f * view->ui->unit, color);
}

static void one_slot(struct view *view, struct rect box, int pass, const struct bank_slot *slot)
{
    const struct bank_passes *banks = &view->scene->banks;
    struct ui *ui = view->ui;
    bool pending = view->scene->pass >= 0 && pass > view->scene->pass;
    bool late = banks->conflicts && pass >= (int)banks->passes_ideal;
    bool broadcast = __builtin_popcount(slot->lanes) > 1 && view->scene->site->operation == TRACE_LOAD;
    enum color_role role = late ? COLOR_CONFLICT : broadcast ? COLOR_BROADCAST : COLOR_ACCESS;
    bool numbered = box.h >= 12 * ui->unit;
    if (pending) {
        draw_fill(&ui->draw, box, 3 * ui->unit, view_color(view, late ? COLOR_CONFLICT_SOFT : COLOR_ACCESS_SOFT));
        draw_outline_dashed(&ui->draw, box, 3 * ui->unit, hairline(ui), 3 * ui->unit, view_color(view, role));
        if (numbered)
            ui_chip_label(ui, rect_inset(box, 1, 0), FONT_BOLD, view_chip_text(ui, box), ui_color(ui, COLOR_TEXT),
                          slot_label(view, slot));
        return;
    }
    view_chip(view, box, role, NULL);
    if (late && box.h > 4)
        draw_hatch(&ui->draw, rect_inset(box, 1, 1), 7 * ui->unit, hairline(ui),
                   color_fade(view_text_on(view, role), 0.30f));
    if (broadcast && !late)
        fan_mark(view, box);
    else if (numbered)
        ui_chip_label(ui, rect_inset(box, 1, 0), FONT_BOLD, view_chip_text(ui, box), view_text_on(view, role),
                      slot_label(view, slot));
}

/* Returns the lanes whose words lie in a bank. */
static uint32_t bank_lanes(const struct scene *scene, int bank)
{
    uint32_t lanes = 0;
    for (uint32_t pass = 0; scene->kind == SCENE_SHARED && pass < scene->banks.passes; pass++)
        lanes |= scene->banks.slots[pass][bank].lanes;
    return lanes;
}

/* Draws the bank numbers below the grid, bold for banks in use, with "×n" at each bank that takes n passes instead of
 * the fewest that its width allows. */
static void axis(struct view *view, const struct columns *columns, float top)
{
    struct ui *ui = view->ui;
    const struct bank_passes *banks = &view->scene->banks;
    bool shared = view->scene->kind == SCENE_SHARED;
    int times[BANKS] = {0};
    for (int bank = 0; bank < BANKS && shared; bank++)
        for (uint32_t p = 0; p < banks->passes; p++)
            times[bank] += banks->slots[p][bank].lanes != 0;
    for (int bank = 0; bank < BANKS; bank++) {
        struct rect box = column_cell(columns, bank, top, 24 * ui->unit);
        view_heat(view, box, bank_lanes(view->scene, bank));
        ui_chip_label(ui, box, times[bank] ? FONT_BOLD : FONT_TEXT, fminf(text_caption(ui), 0.85f * box.w),
                      ui_color(ui, times[bank] ? COLOR_TEXT : COLOR_TEXT_DIM), arena_format(view->arena, "%d", bank));
        if (!shared || !banks->conflicts || times[bank] <= (int)banks->passes_ideal)
            continue;
        struct rect mark = {box.x, top + 22 * ui->unit, box.w, 22 * ui->unit};
        bool alone = times[bank ? bank - 1 : 1] <= (int)banks->passes_ideal &&
                     times[bank < BANKS - 1 ? bank + 1 : bank - 1] <= (int)banks->passes_ideal;
        if (alone)
            mark = rect_inset(mark, -box.w / 2, 0); /* room for three digits */
        ui_chip_label(ui, mark, FONT_BOLD, text_caption(ui), ui_color(ui, COLOR_CONFLICT),
                      arena_format(view->arena, "×%d", times[bank]));
        ui_tip(ui, mark, _("bank %d is used in %d passes, one word in each"), bank, times[bank]);
    }
}

static void pass_row(struct view *view, const struct columns *columns, float top, float height, int pass)
{
    const struct scene *scene = view->scene;
    for (int bank = 0; bank < BANKS; bank++) {
        struct rect box = slot_box(view, columns, top, height, pass, bank);
        const struct bank_slot *slot = &scene->banks.slots[pass][bank];
        slot_tip(view, box, pass, bank, slot);
        view_heat(view, box, bank_lanes(scene, bank));
        if (slot->lanes)
            one_slot(view, box, pass, slot);
        else if (height > 5)
            view_hollow(view, box, scene->pass >= 0 && pass > scene->pass);
    }
}

/* Draws the numbers of the banks alone: bold ones would give the answer away. */
static void plain_axis(struct view *view, float top)
{
    for (int bank = 0; bank < BANKS; bank++)
        ui_chip_label(view->ui, column_cell(&view->columns, bank, top, 24 * view->ui->unit), FONT_TEXT,
                      text_caption(view->ui), ui_color(view->ui, COLOR_TEXT_DIM),
                      arena_format(view->arena, "%d", bank));
}

/* Draws the words that the student stacks on the banks, with the run's own once they are checked. */
static struct action marked_banks(struct view *view, struct rect box)
{
    const struct marks *marks = marks_of(view, CELLS_BANKS);
    struct action action = NO_ACTION;
    float const u = view->ui->unit;
    uint32_t const rows = stack_rows(marks);
    float const height = fminf(66 * u, (box.h - 26 * u) / (float)rows);
    uint32_t const every = (uint32_t)ceilf(22 * u / height);
    if (!marks->right)
        view_gutter(view, box.y - 32 * u, 26 * u, _("Banks"), true);
    for (uint32_t bank = 0; bank < marks->count; bank++) {
        struct rect const column = column_cell(&view->columns, (int)bank, box.y, height * (float)rows);
        struct action const touch = marks_touch(view, column, marks, bank);
        for (uint32_t row = 0; row < rows; row++) {
            struct rect const slot = slot_box(view, &view->columns, box.y, height, (int)row, (int)bank);
            enum mark_state const state = marks_state(marks, bank, (int)row);
            marks_draw(view, slot, state, state == MARK_RIGHT ? "✓" : state == MARK_EXTRA ? "×" : NULL, false);
        }
        if (marks->cursor == (int)bank)
            view_cursor_ring(view, column);
        ui_tip(view->ui, column, _("bank %d: words stacked: %d"), (int)bank, (int)marks->marked[bank]);
        if (touch.kind != ACTION_NONE)
            action = touch;
    }
    for (uint32_t row = 0; row < rows; row += every)
        ui_label(view->ui,
                 (struct rect){view->columns.label_x, box.y + (float)row * height - 2 * u, view->columns.label_w,
                               fmaxf(height, 20 * u)},
                 FONT_TEXT, text_caption(view->ui), UI_RIGHT, ui_color(view->ui, COLOR_TEXT_DIM),
                 arena_format(view->arena, _("pass %u"), row + 1));
    plain_axis(view, box.y + height * (float)rows);
    return action;
}

struct action panel_banks(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    if (marks_of(view, CELLS_BANKS))
        return marked_banks(view, box);
    uint32_t rows = row_count(scene);
    float axis_h = axis_height(view);
    float height = row_height(view, box.h - axis_h);
    int every = (int)ceilf(22 * ui->unit / height);
    if (scene->kind != SCENE_SHARED) {
        for (int bank = 0; bank < BANKS; bank++)
            view_hollow(view, slot_box(view, columns, box.y, height, 0, bank), false);
        axis(view, columns, box.y + height);
        return NO_ACTION;
    }
    if (height <= 5) { /* rows are too low for outlines of idle slots: one pale sheet stands for all of them */
        struct rect sheet = {columns->x, box.y, columns->pitch * BANKS, height * (float)rows};
        draw_outline(&ui->draw, sheet, 0, hairline(ui), ui_color(ui, COLOR_EDGE));
    }
    for (uint32_t pass = 0; pass < rows; pass++) {
        pass_row(view, columns, box.y, height, (int)pass);
        bool label = (int)pass % every == 0 && (pass == 0 || box.y + (float)pass * height + 20 * ui->unit <=
                                                                 box.y + box.h - axis_h + 22 * ui->unit);
        if (!label)
            continue;
        float label_h = fmaxf(height, 20 * ui->unit);
        struct rect text = {columns->label_x, box.y + (float)pass * height - 2 * ui->unit, columns->label_w, label_h};
        bool now = (int)pass == scene->pass;
        ui_label(ui, text, now ? FONT_BOLD : FONT_TEXT, text_caption(ui), UI_RIGHT,
                 ui_color(ui, now ? COLOR_TEXT : COLOR_TEXT_DIM), arena_format(view->arena, _("pass %u"), pass + 1));
    }
    axis(view, columns, box.y + height * (float)rows);
    if (scene->pass >= 0 && scene->pass < (int)rows) {
        struct rect ring = slot_box(view, columns, box.y, height, scene->pass, 0);
        ring.w = columns->pitch * BANKS - (columns->pitch - ring.w);
        view_cursor_ring(view, ring);
    }
    return NO_ACTION;
}
