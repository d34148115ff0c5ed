#include "app/lookup.h"
#include "app/state.h"
#include "base/words.h"
#include "ui/keys.h"
#include <string.h>

/* Returns the place of the chosen term in the list; 0 if it is not there. */
static uint32_t place_of(const struct lookup *lookup, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == lookup->chosen)
            return i;
    return 0;
}

/* Chooses the term so many places further on, as far as the list goes. */
static void choose_by(struct app *app, int places)
{
    struct lookup *lookup = &app->lookup;
    uint32_t *list;
    uint32_t const count = lookup_list(&app->glossary, lookup, app->preferences.language, &app->frame, &list);
    if (!count)
        return;
    int64_t const at = (int64_t)place_of(lookup, list, count) + places, last = (int64_t)count - 1;
    lookup->chosen = list[at < 0 ? 0 : at > last ? last : at];
}

static void type(struct app *app, char letter)
{
    char *typed = app->lookup.typed;
    size_t const length = strlen(typed);
    if (letter && length + 1 < LOOKUP_TYPED) {
        typed[length] = letter;
        typed[length + 1] = 0;
    } else if (!letter && length) {
        typed[length - 1] = 0;
    }
    choose_by(app, 0);
}

bool lookup_key(struct app *app, int key, int modifiers)
{
    enum { PAGE = 10 };
    if (modifiers & (MODIFIER_CONTROL | MODIFIER_ALT))
        return false;
    if (key >= KEY_A && key <= KEY_Z)
        type(app, (char)('a' + (key - KEY_A)));
    else if (key == KEY_SPACE && app->lookup.typed[0])
        type(app, ' ');
    else if (key == KEY_BACKSPACE)
        type(app, 0);
    else if (key == KEY_DOWN || key == KEY_UP || key == KEY_RIGHT || key == KEY_LEFT)
        choose_by(app, key == KEY_DOWN || key == KEY_RIGHT ? 1 : -1);
    else if (key == KEY_PAGE_DOWN || key == KEY_PAGE_UP)
        choose_by(app, key == KEY_PAGE_DOWN ? PAGE : -PAGE);
    else if (key == KEY_HOME || key == KEY_END)
        choose_by(app, key == KEY_END ? GLOSSARY_TERMS : -GLOSSARY_TERMS);
    else if (key == KEY_ESCAPE && app->lookup.typed[0])
        app->lookup.typed[0] = 0;
    else if (key == KEY_ESCAPE)
        app->lookup.open = false;
    else /* the looks of the window can change here, too; no other key has an effect behind this screen */
        return key != KEY_F11 && key != KEY_F5 && key != KEY_F6 && key != KEY_ENTER && key != KEY_PAD_ENTER;
    return true;
}

/* Opens the card of the marked word after or before the one whose card is open. A word is walked to once, however many
 * lines it stands on. After the last one no card is open. */
static void walk(struct app *app, int direction)
{
    const struct ui *ui = &app->ui;
    struct lookup *lookup = &app->lookup;
    int64_t const count = (int64_t)ui->mark_count;
    int64_t at = direction > 0 ? -1 : count;
    for (int64_t i = 0; lookup->term && i < count; i++)
        if (ui->marks[i].mark == lookup->term) {
            at = i;
            if (direction < 0)
                break;
        }
    at += direction;
    lookup->term = at >= 0 && at < count ? ui->marks[at].mark : 0;
    lookup->fresh = lookup->term != 0;
}

bool lookup_walk_on(struct app *app)
{
    int const direction = app->lookup.walk;
    app->lookup.walk = 0;
    if (!direction)
        return false;
    if (app->ui.mark_count)
        walk(app, direction);
    else
        notice_say(&app->notice, "%s", _("no word of this step is in the glossary; I opens it"));
    return true;
}

void app_next_term(struct app *app, const struct action *action)
{
    if (app->at_list || app->lookup.open)
        return;
    if (app->ui.mark_count) {
        walk(app, action->value);
        return;
    }
    if (app->document.kind == DOCUMENT_LESSON)
        app->document.reading.part = PART_WORDS; /* the words may be on another page */
    app->lookup.walk = action->value;
}

void app_glossary(struct app *app, const struct action *action)
{
    (void)action;
    struct lookup *lookup = &app->lookup;
    if (!app->glossary.count) {
        notice_say(&app->notice, "%s", _("there is no glossary: assets/glossary/terms.md was not found or is wrong"));
        return;
    }
    lookup->open = !lookup->open;
    lookup->typed[0] = 0;
    app->help = false;
    if (lookup->open && lookup->term)
        lookup->chosen = lookup->term - 1;
}

void app_glossary_term(struct app *app, const struct action *action)
{
    if (action->value < 0 || (uint32_t)action->value >= app->glossary.count)
        return;
    app->lookup.open = true;
    app->help = false;
    app->lookup.chosen = (uint32_t)action->value;
    uint32_t *list;
    uint32_t const count = lookup_list(&app->glossary, &app->lookup, app->preferences.language, &app->frame, &list);
    if (!count || list[place_of(&app->lookup, list, count)] != app->lookup.chosen)
        app->lookup.typed[0] = 0; /* a word of an explanation leads out of the list */
}
