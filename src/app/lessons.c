/* The lessons of the list, and what is kept of the user's way through them. */
#include "app/state.h"
#include "base/file.h"
#include "lesson/brief.h"
#include "screen/home.h"
#include <string.h>

static void name_chapter(const struct app *app, struct lesson_card *card, const char *lesson)
{
    card->chapter = chapter_of(app->chapters, app->chapter_count, lesson);
    card->chapter_title = card->chapter < app->chapter_count ? app->chapters[card->chapter].title : NULL;
}

/* Adds a lesson that cannot be read: its folder is its name and its title. */
static void add_broken_card(struct app *app, const struct error *error)
{
    struct arena *session = &app->session;
    const char *file = path_name(error->file);
    size_t const length = (size_t)(file - error->file);
    const char *folder = arena_text_n(session, error->file, length ? length - 1 : 0), *name = path_name(folder);
    const char *place = error->line ? arena_format(session, "%s:%d", file, error->line) : file;
    char said[sizeof error->field + sizeof error->message + 32];
    struct lesson_card *card = &app->known_cards.items[app->known_cards.count++];
    *card = (struct lesson_card){.name = folder,
                                 .title = {name, name},
                                 .summary = {"", ""},
                                 .place = place,
                                 .problem =
                                     arena_format(session, "%s: %s", place, error_problem(error, said, sizeof said))};
    name_chapter(app, card, name);
}

/* Puts the cards into the order of the chapters; within a chapter they keep theirs. */
static void sort_cards(struct cards *cards)
{
    for (size_t i = 1; i < cards->count; i++) {
        struct lesson_card const card = cards->items[i];
        size_t at = i;
        for (; at > 0 && cards->items[at - 1].chapter > card.chapter; at--)
            cards->items[at] = cards->items[at - 1];
        cards->items[at] = card;
    }
}

void app_load_cards(struct app *app)
{
    struct lesson_brief *briefs;
    struct cards *cards = &app->known_cards;
    struct error *errors;
    size_t error_count;
    struct error none;
    app->chapter_count = chapters_load(&app->session, &app->chapters, &none);
    size_t const count = lesson_briefs(&app->session, &briefs, &errors, &error_count);
    cards->items = arena_array(&app->session, struct lesson_card, count + error_count);
    cards->count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct lesson_brief *brief = &briefs[i];
        struct lesson_card *card = &cards->items[cards->count++];
        *card = (struct lesson_card){.name = brief->name,
                                     .beats = brief->beats,
                                     .questions = brief->questions,
                                     .minutes = brief->minutes,
                                     .stage = brief->stage};
        name_chapter(app, card, card->name);
        for (int l = 0; l < LANGUAGE_COUNT; l++) {
            card->title[l] = brief->title[l];
            card->summary[l] = brief->summary[l];
        }
    }
    for (size_t i = 0; i < error_count; i++)
        add_broken_card(app, &errors[i]);
    sort_cards(cards);
}

/* Notes on each card how far the user has come in the lesson, and the files that were opened lately. */
static void note_progress_of(const struct app *app, struct cards *cards)
{
    for (size_t i = 0; i < cards->count; i++)
        cards->items[i].way = progress_of_lesson(app->progress, cards->items[i].name);
    cards->recent_count = 0;
    for (const char *path; (path = progress_recent(app->progress, cards->recent_count)); cards->recent_count++)
        cards->recent[cards->recent_count] = path;
}

struct cards *app_cards(struct app *app)
{
    struct cards *cards = &app->known_cards;
    if (!app->cards_known) {
        app->cards_known = true;
        app_load_cards(app);
        note_progress_of(app, cards);
        cards->chosen = home_go_on(cards);
    }
    note_progress_of(app, cards);
    return cards;
}

void app_note_progress(struct app *app)
{
    struct window_place place;
    computer_wait(app); /* another document may run next */
    if (!app->progress)
        return;
    progress_note_preferences(app->progress, &app->preferences, &app->playhead);
    progress_note_document(app->progress, &app->document, &app->playhead);
    if (app->host.window_place && app->host.window_place(app->host.context, &place))
        progress_note_window(app->progress, &place);
}
