/* Opening lessons from the list of their cards. */
#include "app/commands/commands.h"
#include "app/open.h"
#include "app/state.h"
#include "base/file.h"
#include "base/words.h"
#include "screen/home.h"

/* Opens what is the user's own. */
static void open_own(struct app *app, struct home_item item)
{
    struct arena arena = {0};
    const char *path = item.kind == HOME_RECENT ? progress_recent(app->progress, item.index) : NULL;
    if (item.kind == HOME_SAMPLE) {
        const struct home_sample *sample = &home_samples[item.index];
        open_kernel_at(app, data_path(&arena, "assets/samples/%s", sample->file), sample->access);
    } else if (path)
        open_dropped(app, arena_text(&arena, path), 0); /* the list of files changes meanwhile */
    else
        app_open_file(app, &(struct action){0});
    arena_free(&arena);
}

void app_open_file(struct app *app, const struct action *action)
{
    (void)action;
    if (!app->host.choose_file || !app->host.choose_file(app->host.context, _("Open a kernel or a trace")))
        open_folder(app);
}

static void open_entry(struct app *app, int entry)
{
    const char *path = entry < 0 ? NULL : folder_choose(&app->folder, (size_t)entry);
    if (!path)
        return;
    struct arena arena = {0};
    path = arena_text(&arena, path);
    folder_close(&app->folder);
    open_dropped(app, path, 0);
    arena_free(&arena);
}

void app_open_card(struct app *app, const struct action *action)
{
    struct error error;
    if (app->folder.open) {
        open_entry(app, action->value);
        return;
    }
    struct cards *cards = app_cards(app);
    if (action->value < 0 || (size_t)action->value >= home_count(cards))
        return;
    if ((size_t)action->value >= cards->count) {
        cards->chosen = (size_t)action->value;
        open_own(app, home_item(cards, (size_t)action->value));
        return;
    }
    cards->chosen = (size_t)action->value;
    app_note_progress(app);
    notice_clear(&app->notice);
    bool const broken = cards->items[action->value].problem != NULL;
    if (!document_open_lesson(&app->document, &app->playhead, cards->items[action->value].name, &error)) {
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
    if (app->folder.open) {
        if (action->value >= 0 && (size_t)action->value < app->folder.count)
            app->folder.chosen = (size_t)action->value;
        return;
    }
    struct cards *cards = app_cards(app);
    if (action->value >= 0 && (size_t)action->value < home_count(cards))
        cards->chosen = (size_t)action->value;
}

void app_next_lesson(struct app *app, const struct action *action)
{
    (void)action;
    const struct cards *cards = app_cards(app);
    const struct lesson_card *next = cards_next(cards, app->document.lesson);
    if (next)
        app_open_card(app, &(struct action){.value = (int)(next - cards->items)});
}
