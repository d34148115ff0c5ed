/* Opening lessons from the list of their cards. */
#include "app/commands/commands.h"
#include "app/open.h"
#include "app/state.h"

void app_open_card(struct app *app, const struct action *action)
{
    struct error error;
    if ((size_t)action->value >= app->cards.count)
        return;
    app->cards.chosen = (size_t)action->value;
    app_note_progress(app);
    notice_clear(&app->notice);
    bool const broken = app->cards.items[action->value].problem != NULL;
    if (!document_open_lesson(&app->document, &app->playhead, app->cards.items[action->value].name, &error)) {
        if (!error.file[0]) {
            notice_error(&app->notice, &error);
            return;
        }
        document_refuse_lesson(&app->document, &app->playhead, &error);
        app->at_list = false;
        return;
    }
    app->at_list = false;
    if (broken)
        app_load_cards(app); /* its author has mended it */
    if (!app->document.run)
        open_lesson_as_left(app);
}

void app_choose_card(struct app *app, const struct action *action)
{
    if (action->value >= 0 && (size_t)action->value < app->cards.count)
        app->cards.chosen = (size_t)action->value;
}

void app_next_lesson(struct app *app, const struct action *action)
{
    (void)action;
    const struct lesson_card *next = cards_next(&app->cards, app->document.lesson);
    if (next)
        app_open_card(app, &(struct action){.value = (int)(next - app->cards.items)});
}
