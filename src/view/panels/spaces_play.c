/* The game of places: the variables wait above the machine, and the student moves each into its place. Once they are
 * checked, each shows whether it is right, and where it belongs. */
#include "view/panels/spaces.h"

struct game {
    const struct marks *marks;
    struct action action;
    const char *sentence; /* about the variable under the mouse, else about the first wrong one */
    bool hovered;
    struct rect chips[64]; /* those that take the mouse */
    uint32_t chip_count;
};

static ui_id id_of(uint32_t cell)
{
    return ui_id_child(ui_id_text("variable"), cell);
}

/* Says what the run says about a variable. */
static void say(struct view *view, struct game *game, struct rect chip, uint32_t cell)
{
    const struct ptx_placed *variable = &view->scene->variables[cell];
    enum place const mine = (enum place)game->marks->marked[cell], run = marks_place(variable->space);
    bool const over = ui_hovered(view->ui, chip);
    if (!over && (mine == run || game->sentence))
        return;
    if (game->hovered)
        return;
    game->hovered = over;
    const char *name = spaces_name(view, variable);
    game->sentence =
        mine == run
            ? arena_format(view->arena, _("%s: right. %s, %s."), name, spaces_place(run), spaces_size(view, variable))
        : mine == 0 ? arena_format(view->arena, _("%s: not placed. The compiler's place: %s."), name, spaces_place(run))
                    : arena_format(view->arena, _("%s: your place: %s. The compiler's place: %s."), name,
                                   spaces_place(mine), spaces_place(run));
}

/* Takes the mouse on a chip: a press picks the variable up. */
static void touch_chip(struct view *view, struct game *game, struct rect chip, uint32_t cell)
{
    if (game->chip_count < sizeof game->chips / sizeof *game->chips)
        game->chips[game->chip_count++] = chip;
    if (ui_pressed(view->ui, id_of(cell), chip))
        game->action =
            (struct action){.kind = ACTION_MARK_CELL, .value = (int)cell, .other = game->marks->marked[cell]};
}

/* Returns the label of a variable at a place: put there or, once checked, belonging there. NULL: neither. */
static const char *label_at(const struct view *view, const struct marks *marks, uint32_t cell, enum place place,
                            enum mark_state *state)
{
    const struct ptx_placed *variable = &view->scene->variables[cell];
    bool const put = marks->marked[cell] == place;
    bool const belongs = marks->right && marks_place(variable->space) == place;
    if (!put && !belongs)
        return NULL;
    *state = !marks->right    ? (place == PLACE_NONE ? MARK_EMPTY : MARK_SET)
             : put && belongs ? MARK_RIGHT
             : put            ? MARK_EXTRA
                              : MARK_MISSING;
    const char *sign = *state == MARK_RIGHT ? "✓ " : *state == MARK_EXTRA ? "× " : *state == MARK_MISSING ? "! " : "";
    return arena_format(view->arena, "%s%s", sign, spaces_name(view, variable));
}

/* Returns by which part of their widths the chips of a place must shrink so that all find room: none may get lost. */
static float narrower_chips(const struct view *view, const struct plan *plan, const struct game *game, struct rect room,
                            enum place place)
{
    for (float part = 0; part < 0.9f; part += 0.1f) {
        struct flow flow = {.box = room, .narrower = part};
        bool all = true;
        for (uint32_t i = 0; i < view->scene->variable_count && all; i++) {
            enum mark_state state;
            const char *label =
                marks_exist(view->scene, CELLS_VARIABLES, i) ? label_at(view, game->marks, i, place, &state) : NULL;
            all = !label || spaces_chip(view, &flow, plan->chip, label).w > 0;
        }
        if (all)
            return part;
    }
    return 0.9f;
}

/* Draws the variables that a place shows: those put there, and once checked those that belong there. */
static void play_place(struct view *view, const struct plan *plan, struct game *game, struct rect room,
                       enum place place)
{
    const struct scene *scene = view->scene;
    struct flow flow = {.box = room, .narrower = narrower_chips(view, plan, game, room, place)};
    for (uint32_t i = 0; i < scene->variable_count; i++) {
        if (!marks_exist(scene, CELLS_VARIABLES, i))
            continue;
        enum mark_state state;
        const char *label = label_at(view, game->marks, i, place, &state);
        if (!label)
            continue;
        struct rect const chip = spaces_chip(view, &flow, plan->chip, label);
        if (chip.w <= 0)
            continue;
        marks_draw(view, chip, state, label, game->marks->cursor == (int)i);
        if (game->marks->right)
            say(view, game, chip, i);
        else
            touch_chip(view, game, chip, i);
    }
}

/* Puts a variable where the mouse lets it go, or the picked one where the mouse clicks. */
static void drop(struct view *view, const struct plan *plan, struct game *game)
{
    struct ui *ui = view->ui;
    const struct marks *marks = game->marks;
    bool on_chip = false;
    for (uint32_t i = 0; i < game->chip_count; i++)
        on_chip = on_chip || rect_holds(game->chips[i], ui->input.from);
    for (enum place place = PLACE_NONE; place < PLACE_COUNT; place++) {
        if (!ui_hovered(ui, plan->parts[place]))
            continue;
        for (uint32_t i = 0; i < marks->count && ui->input.released; i++)
            if (ui->active == id_of(i) && marks->marked[i] != place)
                game->action = (struct action){.kind = ACTION_MARK_CELL, .value = (int)i, .other = (int)place};
        if (ui->input.pressed && !on_chip && marks->cursor >= 0)
            game->action = (struct action){.kind = ACTION_MARK_CELL, .value = marks->cursor, .other = (int)place};
    }
}

/* Draws the variable that the mouse carries. */
static void draw_carried(struct view *view, const struct plan *plan, const struct marks *marks)
{
    struct ui *ui = view->ui;
    for (uint32_t i = 0; i < marks->count && ui->input.down; i++)
        if (ui->active == id_of(i)) {
            const char *name = spaces_name(view, &view->scene->variables[i]);
            float const width = ui_text_width(ui, FONT_CODE, text_caption(ui), name) + 18 * ui->unit;
            struct rect const chip = {ui->input.mouse.x - width / 2, ui->input.mouse.y - plan->chip / 2, width,
                                      plan->chip};
            marks_draw(view, chip, MARK_SET, name, true);
        }
}

struct action spaces_play(struct view *view, const struct plan *plan, const struct rect rooms[PLACE_COUNT])
{
    struct game game = {.marks = marks_of(view, CELLS_VARIABLES), .action = NO_ACTION};
    struct ui *ui = view->ui;
    float const u = ui->unit;
    if (!game.marks->right) {
        struct rect const tray = plan->parts[PLACE_NONE];
        draw_outline_dashed(&ui->draw, tray, 5 * u, hairline(ui), 5 * u, ui_color(ui, COLOR_IDLE));
        play_place(view, plan, &game, rect_inset(tray, CHIP_GAP * u, CHIP_GAP * u), PLACE_NONE);
    }
    for (enum place place = PLACE_REGISTERS; place < PLACE_COUNT; place++)
        play_place(view, plan, &game, rooms[place], place);
    if (!game.marks->right) {
        drop(view, plan, &game);
        draw_carried(view, plan, game.marks);
    }
    view_caption(view, plan->caption, game.sentence ? game.sentence : spaces_caption(view));
    return game.action;
}
