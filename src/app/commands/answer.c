/* Answers to what a step asks: a choice, a line of the source. */
#include "app/commands/commands.h"
#include "app/state.h"
#include "document/program.h"

static struct guess *guess_now(struct app *app)
{
    return &app->document.guesses[app->document.beat];
}

/* Goes to the finding that names the line of the bug. */
static void show_bug(struct document *document, struct playhead *playhead)
{
    struct report const report = document_report(document);
    uint32_t const wrong = document_wrong_line(document);
    for (uint32_t i = 0; i < report_count(&report); i++) {
        uint32_t lines[2];
        report_lines(report_finding(&report, i), lines);
        for (int side = 1; side >= 0; side--)
            if (wrong && lines[side] == wrong) {
                document_go_finding(document, playhead, (int)i, side);
                return;
            }
    }
    if (report_count(&report))
        document_go_finding(document, playhead, 0, 0);
}

/* The question is answered: its run is shown from here. */
static void uncover(struct app *app)
{
    struct document *document = &app->document;
    document->reading = (struct reading){0};
    document_want_ladder(document);
    if (document->run)
        document_describe_run(document, &app->playhead);
    if (document_beat(document)->kind == BEAT_BUG)
        show_bug(document, &app->playhead);
    playhead_seek(&app->playhead, document->playback, app->playhead.position, true);
}

/* The scene where the step opens; the playhead stays there while cells are marked. */
static uint32_t cells_now(struct app *app, struct scene *scene, uint32_t *across)
{
    document_scene(&app->document, &app->playhead, &app->frame, scene);
    uint32_t const count = marks_cells(scene, document_mark_cells(&app->document), across);
    return count <= MARKS_MAX ? count : 0;
}

/* Returns the cursor one cell further, 0 if there is no cell. -1, +1: to the left, right; -2, +2: up, down. */
static int cursor_after(struct app *app, int direction)
{
    struct scene scene;
    uint32_t across;
    int const count = (int)cells_now(app, &scene, &across), cursor = guess_now(app)->cursor;
    int const step = !cursor ? 1 : direction == 2 ? (int)across : direction == -2 ? -(int)across : direction;
    int at = cursor - 1;
    do
        at += step;
    while (at >= 0 && at < count && !marks_exist(&scene, document_mark_cells(&app->document), (uint32_t)at));
    return at >= 0 && at < count ? at + 1 : 0;
}

static void move_cursor(struct app *app, int direction)
{
    int const next = cursor_after(app, direction);
    if (next)
        guess_now(app)->cursor = next;
}

static void set_mark(struct app *app, uint32_t cell, int height)
{
    struct scene scene;
    uint32_t across;
    enum mark_cells const cells = document_mark_cells(&app->document);
    int const most = cells == CELLS_BANKS ? 2 * WARP_LANES : cells == CELLS_VARIABLES ? PLACE_COUNT - 1 : 1;
    if (cell < cells_now(app, &scene, &across))
        guess_now(app)->cells[cell] = (uint8_t)(height < 0 ? 0 : height > most ? most : height);
}

/* Marks the cells between two corners, and no others. */
static void set_frame(struct app *app, uint32_t from, uint32_t to)
{
    struct guess *guess = guess_now(app);
    struct scene scene;
    uint32_t across;
    uint32_t const count = cells_now(app, &scene, &across);
    if (from >= count || to >= count)
        return;
    uint32_t const rows[2] = {from / across < to / across ? from / across : to / across,
                              from / across < to / across ? to / across : from / across},
                   columns[2] = {from % across < to % across ? from % across : to % across,
                                 from % across < to % across ? to % across : from % across};
    for (uint32_t cell = 0; cell < count; cell++)
        guess->cells[cell] = cell / across >= rows[0] && cell / across <= rows[1] && cell % across >= columns[0] &&
                             cell % across <= columns[1];
    guess->cursor = (int)to + 1;
}

void app_mark_frame(struct app *app, const struct action *action)
{
    if (!app->at_list && document_asks_cells(&app->document) && marks_framed(document_mark_cells(&app->document)))
        set_frame(app, (uint32_t)action->value, (uint32_t)action->other);
}

/* The first cell that the keys mark is a corner, the next one the opposite corner; then another frame begins. */
static void mark_corner(struct app *app)
{
    const struct guess *guess = guess_now(app);
    uint32_t const at = (uint32_t)guess->cursor - 1;
    uint32_t marked = 0, corner = at;
    for (uint32_t cell = 0; cell < MARKS_MAX; cell++)
        if (guess->cells[cell]) {
            marked++;
            corner = cell;
        }
    set_frame(app, marked == 1 ? corner : at, at);
}

void app_mark(struct app *app, const struct action *action)
{
    const struct guess *guess = guess_now(app);
    if (app->at_list || !document_asks_cells(&app->document))
        return;
    if (!guess->cursor) {
        notice_pass(&app->notice, "%s", _("choose a cell first: an arrow key, or a click"));
        return;
    }
    int const now = guess->cells[guess->cursor - 1];
    enum mark_cells const cells = document_mark_cells(&app->document);
    if (marks_framed(cells) && action->value > 0) {
        mark_corner(app);
        return;
    }
    int height = now + action->value;
    if (cells == CELLS_VARIABLES) /* from the last place back to none */
        height = (height + PLACE_COUNT) % PLACE_COUNT;
    else if (cells != CELLS_BANKS && action->value > 0)
        height = !now;
    set_mark(app, (uint32_t)guess->cursor - 1, height);
}

/* Gives the variable at the cursor its place, and goes to the next one without a place. */
static void place_variable(struct app *app, int place)
{
    struct guess *guess = guess_now(app);
    struct scene scene;
    uint32_t across;
    int const count = (int)cells_now(app, &scene, &across);
    if (!guess->cursor)
        move_cursor(app, 1);
    if (!guess->cursor)
        return;
    set_mark(app, (uint32_t)guess->cursor - 1, place);
    for (int step = 1; step < count; step++) {
        int const cell = (guess->cursor - 1 + step) % count;
        if (guess->cells[cell] == PLACE_NONE && marks_exist(&scene, CELLS_VARIABLES, (uint32_t)cell)) {
            guess->cursor = cell + 1;
            return;
        }
    }
}

void app_answer(struct app *app, const struct action *action)
{
    int const choice = action->value;
    if (app->at_list) {
        app_choose_card(app, action);
    } else if (document_asks_cells(&app->document)) {
        if (document_mark_cells(&app->document) == CELLS_VARIABLES)
            place_variable(app, choice + 1);
    } else if (document_asks(&app->document) && choice < document_beat(&app->document)->choice_count)
        guess_now(app)->chosen = choice;
}

void app_mark_cell(struct app *app, const struct action *action)
{
    if (app->at_list || !document_asks_cells(&app->document))
        return;
    guess_now(app)->cursor = action->value + 1;
    if (action->position) /* a drag begins */
        guess_now(app)->paint = action->other;
    set_mark(app, (uint32_t)action->value, action->other);
}

/* The line above or below the chosen one; at first, the one at which the kernel begins. */
void app_point(struct app *app, const struct action *action)
{
    struct document *document = &app->document;
    if (!app->at_list && document_asks_cells(document)) {
        document->reading.part = PART_PICTURE;
        move_cursor(app, action->value);
    }
    if (app->at_list || !document_asks_line(document) || (action->value != 2 && action->value != -2))
        return;
    document->reading.part = PART_CODE;
    document->reading.code = 0; /* the picked line comes into sight */
    uint32_t first, last, *line = &guess_now(app)->line;
    document_kernel_lines(document, &first, &last);
    if (!*line || !first)
        *line = first ? first : 1;
    else if (action->value > 0)
        *line += *line < last;
    else
        *line -= *line > first;
}

bool app_can_point(struct app *app, int direction)
{
    bool const across = direction == 1 || direction == -1;
    return document_asks_cells(&app->document) ? cursor_after(app, direction) || !across : !across;
}

void app_commit(struct app *app, const struct action *action)
{
    (void)action;
    if (app->at_list) {
        app_open_card(app,
                      &(struct action){.value = (int)(app->folder.open ? app->folder.chosen : app_cards(app)->chosen)});
        return;
    }
    if (app->document.program && !app->document.playback)
        document_go_call(&app->document, &app->playhead, app->document.program->chosen, true);
    if (!document_asks(&app->document))
        return;
    if (!document_can_commit(&app->document)) {
        if (document_asks_cells(&app->document) && document_mark_cells(&app->document) == CELLS_VARIABLES)
            notice_pass(&app->notice, "%s", _("place a variable first: drag it, or arrows and 1 to 6"));
        else if (document_asks_cells(&app->document))
            notice_pass(&app->notice, "%s", _("mark the cells first: a click, or arrows and Space"));
        else if (document_asks_line(&app->document))
            notice_pass(&app->notice, "%s", _("choose a line first: ↑ and ↓, or a click"));
        else
            notice_pass(&app->notice, _("choose an answer first: 1 to %d, or a click"),
                        document_beat(&app->document)->choice_count);
        return;
    }
    guess_now(app)->committed = true;
    guess_now(app)->setting = app->document.look.setting;
    bool right = false;
    if (document_beat(&app->document)->kind == BEAT_MARK) {
        struct scene scene;
        document_scene(&app->document, &app->playhead, &app->frame, &scene);
        document_check_marks(&app->document, &scene, guess_now(app));
    }
    guess_now(app)->right = document_guess_right(&app->document, &right) && right;
    uncover(app);
}

void app_skip(struct app *app, const struct action *action)
{
    if (app->at_list || !document_asks(&app->document))
        return;
    *(action->value ? &guess_now(app)->voted : &guess_now(app)->skipped) = true;
    uncover(app);
}
