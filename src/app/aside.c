/* The picture in the window of the presenter's view. */
#include "app/commands/commands.h"
#include "app/frame.h"
#include "app/presenter.h"
#include "app/state.h"
#include "screen/screen.h"
#include <math.h>
#include <string.h>

static void mix(uint64_t *hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* Returns a hash of what the list draws, so that an unchanged view is not painted again. */
static uint64_t hash_of(const struct draw_list *list, bool dark)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    mix(&hash, &dark, sizeof dark);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        mix(&hash, &command->kind, sizeof command->kind);
        mix(&hash, &command->rect, sizeof command->rect);
        mix(&hash, &command->color, sizeof command->color);
        if (command->points)
            mix(&hash, command->points, command->point_count * sizeof *command->points);
        if (command->text) {
            mix(&hash, command->text, strlen(command->text));
            mix(&hash, &command->at, sizeof command->at);
            mix(&hash, &command->size, sizeof command->size);
        }
    }
    return hash ? hash : 1;
}

const struct draw_list *app_aside(struct app *app)
{
    struct presenter *presenter = &app->presenter;
    struct ui *ui = &presenter->ui;
    if (presenter->place != PRESENTER_ASIDE || presenter->width < 1 || presenter->height < 1)
        return NULL;
    bool const touched = ui->input.pressed || ui->input.released;
    presenter_follow(app);
    arena_reset(&presenter->frame);
    ui->metrics = app->ui.metrics;
    ui->theme = app->preferences.dark ? &theme_dark : &theme_light;
    ui->unit = fmaxf(presenter->scale, fminf((float)presenter->width / 1280, (float)presenter->height / 800));
    ui->unit *= 1 + 0.1f * (float)app->preferences.text_step;
    ui->minimum_text = 16 * presenter->scale;
    ui_begin(ui, &presenter->frame, (struct rect){0, 0, (float)presenter->width, (float)presenter->height});
    struct actions actions = {.count = 0};
    struct drawing drawing = app_drawing(app, ui, &presenter->frame, &actions);
    drawing.pointer_hidden = false;
    screen_presenter(&drawing, presenter);
    ui_end(ui);
    presenter->again = touched || actions.count;
    for (int i = 0; i < actions.count; i++)
        action_apply(app, &actions.items[i]);
    uint64_t const now = hash_of(&ui->draw, app->preferences.dark);
    bool const changed = now != presenter->shown;
    presenter->shown = now;
    return changed ? &ui->draw : NULL;
}
