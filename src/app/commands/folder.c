/* A path typed while the list of a folder is open. Its letters are keys by position, as everywhere: they choose the
 * entry whose name begins so, and a slash opens a folder. No other key's meaning is heard then. */
#include "app/commands/commands.h"
#include "app/state.h"
#include "ui/keys.h"
#include <string.h>
#include <strings.h>

/* Returns the character of a key, 0 if it has none. */
static char character_of(int key, int modifiers)
{
    bool const shift = modifiers & MODIFIER_SHIFT;
    if (key >= KEY_A && key <= KEY_Z)
        return (char)('a' + (key - KEY_A));
    if (key == KEY_MINUS)
        return shift ? '_' : '-';
    if (key_digit(key) >= 0 && !shift)
        return (char)('0' + key_digit(key));
    if (key == KEY_SLASH && !shift)
        return '/';
    if (key == KEY_PERIOD && !shift)
        return '.';
    return key == KEY_SPACE ? ' ' : '\0';
}

/* Returns the first entry whose name begins with the typed text, or the count of entries. */
static size_t entry_of(const struct folder *folder, bool only_folders)
{
    size_t const length = strlen(folder->typed);
    size_t i = 0;
    while (i < folder->count && ((only_folders && !folder->entries[i].folder) ||
                                 strncasecmp(folder->entries[i].name, folder->typed, length) != 0))
        i++;
    return i;
}

static void choose_typed(struct app *app)
{
    struct folder *folder = &app->folder;
    size_t const entry = entry_of(folder, false);
    if (entry < folder->count)
        folder->chosen = entry;
    else
        notice_pass(&app->notice, _("no entry begins with \"%s\""), folder->typed);
}

/* Opens the folder whose name was typed before the slash; a slash alone is the root. */
static void open_typed(struct app *app)
{
    struct folder *folder = &app->folder;
    size_t const entry = entry_of(folder, true);
    if (!folder->typed[0])
        folder_show(folder, "/");
    else if (entry < folder->count)
        folder_choose(folder, entry);
    else
        notice_pass(&app->notice, _("no folder begins with \"%s\""), folder->typed);
}

bool folder_takes_key(struct app *app, int key, int modifiers)
{
    struct folder *folder = &app->folder;
    size_t const length = strlen(folder->typed);
    if (!app->at_list || !folder->open || (modifiers & (MODIFIER_CONTROL | MODIFIER_ALT)))
        return false;
    notice_clear_passing(&app->notice);
    char const letter = character_of(key, modifiers);
    if (letter == '/') {
        open_typed(app);
    } else if (letter && (letter != ' ' || length)) {
        if (length + 1 < sizeof folder->typed) {
            folder->typed[length] = letter;
            folder->typed[length + 1] = '\0';
        }
        choose_typed(app);
    } else if (key == KEY_BACKSPACE && length) {
        folder->typed[length - 1] = '\0';
        choose_typed(app);
    } else if (key == KEY_BACKSPACE) {
        folder_choose(folder, 0); /* the folder above */
    } else if (key == KEY_ESCAPE && length) {
        folder->typed[0] = '\0';
    } else {
        return letter != '\0';
    }
    return true;
}
