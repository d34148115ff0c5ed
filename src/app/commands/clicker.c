/* Going through the lessons by the few keys of a clicker: PageDown and PageUp or, on some, the arrows. */
#include "app/commands/commands.h"
#include "app/state.h"

/* A clicker has no other key: it answers what the step asks, shows the mended kernel, and does a task, before it goes
 * on. Returns false when there is nothing of the kind left to do. */
static bool answer_first(struct app *app, const struct action *action)
{
    const struct document *document = &app->document;
    const struct lesson_beat *beat = document_beat(document);
    if (document_asks(document)) {
        if (document_can_commit(document))
            app_commit(app, action);
        else
            app_skip(app, &(struct action){.value = true});
        return true;
    }
    if (beat->kind == BEAT_TASK)
        return document->run && !document_task_done(document) && document_do_task(&app->document, &app->playhead);
    if (beat->kind != BEAT_BUG || beat->mended < 0 || document_guess(document)->mended)
        return false;
    app_choose_variant(app, &(struct action){.value = beat->mended});
    return true;
}

/* Opens what the card leads to. A lesson that was left on its last step begins anew when it is presented: another class
 * sees it, and a clicker has no key to go back to the beginning. */
static void open_card(struct app *app, size_t card)
{
    struct document *document = &app->document;
    app_open_card(app, &(struct action){.value = (int)card});
    bool const lesson = !app->at_list && document->kind == DOCUMENT_LESSON && document->lesson;
    if (!lesson || card >= app_cards(app)->count || !app_in_class(app))
        return;
    if (document->beat > 0 && document->beat == document->lesson->beat_count - 1) {
        notice_clear(&app->notice);
        document_restart(document, &app->playhead);
    }
}

/* On the first screen, PageDown opens the chosen card and PageUp chooses the lesson before. */
static void step_list(struct app *app, const struct action *action)
{
    struct cards *cards = app_cards(app);
    if (app->folder.open)
        app_step_access(app, action);
    else if (action->value > 0)
        open_card(app, cards->chosen);
    else if (cards->count)
        cards->chosen = (cards->chosen > cards->count || cards->chosen == 0 ? cards->count : cards->chosen) - 1;
}

/* Leaves the lesson at one of its ends: for the lesson after it at its first step, or the one before it at its last
 * step. Before the first lesson is the list; behind the last one the picture stays, and its button "All lessons" says
 * what is next. */
static void leave_lesson(struct app *app, int direction)
{
    struct document *document = &app->document;
    const struct cards *cards = app_cards(app);
    const struct lesson_card *card =
        direction > 0 ? cards_next(cards, document->lesson) : cards_previous(cards, document->lesson);
    if (direction > 0) {
        if (card)
            open_card(app, (size_t)(card - cards->items));
    } else if (!card) {
        app_go_home(app, NULL);
    } else {
        app_open_card(app, &(struct action){.value = (int)(card - cards->items)});
        notice_clear(&app->notice);
        if (document->lesson)
            document_go_beat(document, &app->playhead, document->lesson->beat_count - 1);
    }
}

void app_step_beat(struct app *app, const struct action *action)
{
    struct document *document = &app->document;
    bool const presenting = app_in_class(app);
    if (app->at_list) {
        step_list(app, action);
        return;
    }
    if (document->program) {
        document_step_launch(document, &app->playhead, action->value);
        return;
    }
    if (!document->lesson || (presenting && action->value > 0 && answer_first(app, action)))
        return;
    int const beat = document->beat + action->value;
    bool const over = beat >= document->lesson->beat_count;
    if (presenting && (over || beat < 0)) {
        leave_lesson(app, action->value);
        return;
    }
    if (beat < 0)
        notice_pass(&app->notice, "%s", _("this is the first step; Esc goes back to the lessons"));
    const struct lesson_card *next = over ? cards_next(app_cards(app), document->lesson) : NULL;
    if (next)
        notice_pass(&app->notice, _("this was the last step; the button at the bottom opens the next lesson: %s"),
                    next->title[app->preferences.language]);
    else if (over)
        notice_pass(&app->notice, "%s", _("this was the last step; Esc goes back to the lessons"));
    document_go_beat(document, &app->playhead, beat);
    if (presenting && action->value < 0 && document_beat(document)->kind == BEAT_TASK && document->run)
        document_do_task(document, &app->playhead); /* a class that goes back sees the solution again */
}

struct action clicker_action(struct app *app, struct action action)
{
    struct document *document = &app->document;
    struct action const step = {.kind = ACTION_STEP_BEAT, .value = action.value < 0 ? -1 : 1};
    if (!app_in_class(app) || app->at_list || !document->lesson || !document->playback)
        return action;
    if (action.kind == ACTION_POINT)
        return app_can_point(app, action.value) ? action : step;
    if (action.kind != ACTION_STEP_ACCESS)
        return action;
    return document_covered(document) || app_access_after(app, action.value) == app->playhead.position ? step : action;
}
