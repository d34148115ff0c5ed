#include "app/pointer.h"
#include <math.h>

static const double rest_seconds = 2;

static void show(struct app *app, bool shown)
{
    app->pointer.hidden = !shown;
    if (app->host.show_pointer)
        app->host.show_pointer(app->host.context, shown);
}

void pointer_moved(struct app *app)
{
    app->pointer.moved = true;
    app->pointer.keyed = false;
    if (app->pointer.hidden)
        show(app, true);
}

void pointer_rest(struct app *app, double seconds)
{
    struct pointer *pointer = &app->pointer;
    if (pointer->moved)
        pointer->left = rest_seconds;
    else if (!pointer->hidden)
        pointer->left -= seconds;
    bool const hides = app->preferences.presenting && !pointer->moved && pointer->left <= 0;
    pointer->moved = false;
    if (hides != pointer->hidden)
        show(app, !hides);
}

void pointer_key(struct app *app)
{
    app->pointer.keyed = true;
    if (app->preferences.presenting && !app->spotlight.on)
        app->pointer.left = 0;
}

double pointer_wait(const struct app *app)
{
    const struct pointer *pointer = &app->pointer;
    return app->preferences.presenting && !pointer->hidden ? fmax(pointer->left, 0) : INFINITY;
}

enum { SPOT_LEAST = -4, SPOT_MOST = 6 };

void spotlight_resize(struct spotlight *spotlight, int steps)
{
    int const size = spotlight->size + steps;
    spotlight->size = size < SPOT_LEAST ? SPOT_LEAST : size > SPOT_MOST ? SPOT_MOST : size;
}

void spotlight_draw(struct app *app)
{
    struct ui *ui = &app->ui;
    if (!app->spotlight.on || !ui->input.mouse_inside)
        return;
    float const inner = ui->screen.h * 0.14f * powf(1.2f, (float)app->spotlight.size);
    float const width = ui->screen.w + ui->screen.h, outer = inner + width; /* reaches over every corner */
    struct point const at = ui->input.mouse;
    struct rect const all = {at.x - outer, at.y - outer, 2 * outer, 2 * outer};
    draw_outline(&ui->draw, all, outer, width, (struct color){0, 0, 0, 190});
}
