/* The window itself: its screens, its looks, and saving pictures. */
#include "app/commands/reopen.h"
#include "app/language.h"
#include "app/state.h"
#include "document/program.h"
#include <string.h>

void app_blank(struct app *app, const struct action *action)
{
    (void)action;
    app->blank = !app->blank;
}

void app_spotlight(struct app *app, const struct action *action)
{
    (void)action;
    app->spotlight.on = !app->spotlight.on;
    if (app->spotlight.on && !app->ui.input.mouse_inside)
        notice_pass(&app->notice, "%s", _("the spotlight follows the mouse: move it into the window"));
}

void app_present(struct app *app, const struct action *action)
{
    (void)action;
    struct preferences *preferences = &app->preferences;
    bool const on = !preferences->presenting;
    preferences->presenting = on;
    if (on && !preferences->theme_chosen)
        preferences->dark = false;
    if (app->host.set_fullscreen)
        app->host.set_fullscreen(app->host.context, on);
    app_update_unit(app);
}

void app_go_home(struct app *app, const struct action *action)
{
    (void)action;
    folder_close(&app->folder);
    if (app->at_list)
        return;
    app->at_list = true;
    app->playhead.playing = false;
}

/* Closes the innermost open thing, but never the program. */
void app_leave(struct app *app, const struct action *action)
{
    if (app->help)
        app->help = false;
    else if (app->all_switches)
        app->all_switches = false;
    else if (app->spotlight.on)
        app->spotlight.on = false;
    else if (app->presenter.place == PRESENTER_HERE)
        presenter_close(app);
    else if (app->overview.open)
        app->overview.open = false;
    else if (app->at_list && app->folder.open)
        folder_close(&app->folder);
    else if (app->lookup.term)
        app->lookup.term = 0;
    else if (app->preferences.presenting)
        app_present(app, action);
    else if (app->playhead.filter)
        app->playhead.filter = 0;
    else if (app->document.above)
        app->document.above = false;
    else if (!app->at_list && app->document.program && app->document.program->work.started)
        program_cancel(app->document.program);
    else if (!app->at_list && app->document.program && app->document.program->shown) {
        document_leave_launch(&app->document, &app->playhead);
        notice_clear(&app->notice);
    } else if (!app->at_list) {
        app_go_home(app, action);
        notice_clear(&app->notice);
    }
}

void app_text_size(struct app *app, const struct action *action)
{
    int const step = action->value == 0 ? 0 : app->preferences.text_step + action->value;
    app->preferences.text_step = step < 0 ? 0 : step > TEXT_STEPS ? TEXT_STEPS : step;
    app_update_unit(app);
}

void app_theme(struct app *app, const struct action *action)
{
    (void)action;
    app->preferences.dark = !app->preferences.dark;
    app->preferences.theme_chosen = true;
}

void app_cells(struct app *app, const struct action *action)
{
    const struct playback *playback = app->document.playback;
    bool const values = playback && playback->trace->values.count;
    int *cells = &app->preferences.cells;
    *cells = (*cells + CELL_NUMBERS + action->value) % CELL_NUMBERS;
    if (*cells == CELL_VALUE && !values) /* they would be the lanes again */
        *cells = (*cells + CELL_NUMBERS + action->value) % CELL_NUMBERS;
}

void app_motion(struct app *app, const struct action *action)
{
    (void)action;
    bool const reduced = !app->playhead.reduced_motion;
    app->playhead.reduced_motion = reduced;
    playhead_settle(&app->playhead);
    notice_pass(&app->notice, "%s", reduced ? _("reduced motion: pictures change at once") : _("motion is on"));
}

void app_next_language(struct app *app, const struct action *action)
{
    (void)action;
    app->preferences.language = (app->preferences.language + 1) % LANGUAGE_COUNT;
    language_use(app->preferences.language);
    notice_clear(&app->notice);
}

void app_help(struct app *app, const struct action *action)
{
    (void)action;
    app->help = !app->help;
    app->help_page = 0;
}

void app_switches(struct app *app, const struct action *action)
{
    (void)action;
    app->all_switches = !app->all_switches;
}

void app_help_page(struct app *app, const struct action *action)
{
    app->help = true; /* the click was on the list, too */
    app->help_page = action->value;
}

void app_focus(struct app *app, const struct action *action)
{
    app->ui.input.focus_step = action->value;
}

void app_close_notice(struct app *app, const struct action *action)
{
    (void)action;
    notice_clear(&app->notice);
}

void app_save_picture(struct app *app, const struct action *action)
{
    app->save = action->value ? SAVE_SHAPES : SAVE_PICTURE;
}

void app_save_animation(struct app *app, const struct action *action)
{
    app->save = action->value ? SAVE_HANDOUT : SAVE_ANIMATION;
}

/* Returns the link to what is on screen, below the address that the user has set. NULL, with a notice: there is none.
 */
static const char *link_to_copy(struct app *app)
{
    const char *page = app->preferences.links;
    if (!*page)
        notice_pass(&app->notice, "%s",
                    _("to copy links, set LANESCOPE_LINKS to the address of the page that ./run web has built"));
    else if ((strncmp(page, "https://", 8) != 0 && strncmp(page, "http://", 7) != 0) || strpbrk(page, " #\"<>\n"))
        notice_pass(&app->notice, _("LANESCOPE_LINKS is no address of a page: %s"), page);
    else if (!app->at_list && app->document.kind != DOCUMENT_LESSON)
        notice_pass(&app->notice, "%s", _("a link leads to a lesson; send a file as a report: lanescope export"));
    else
        return arena_format(&app->frame, "%s#%s", page, app_link(app));
    return NULL;
}

void app_copy(struct app *app, const struct action *action)
{
    const char *line = action->value && !app->host.copies_link ? link_to_copy(app) : reopen_line(app);
    if (!line)
        return;
    if (app->host.copy_text && app->host.copy_text(app->host.context, line))
        notice_pass(&app->notice, _("copied: %s"), line);
    else
        notice_pass(&app->notice, "%s", line); /* without a clipboard the user can still read the line */
}
