/* A value typed for the chosen field of a kernel's launch. */
#include "app/commands/commands.h"
#include "app/state.h"
#include "ui/keys.h"

bool field_takes_key(struct app *app, int key, int modifiers)
{
    int const digit = modifiers ? -1 : key_digit(key);
    char letter = digit >= 0 ? (char)('0' + digit) : '\0';
    if (app->at_list || modifiers || !document_is_kernel(&app->document) || app->lookup.open || app->overview.open)
        return false;
    if (key == KEY_PERIOD)
        letter = '.';
    else if (key == KEY_MINUS || key == KEY_PAD_MINUS)
        letter = '-';
    else if (key == KEY_BACKSPACE)
        letter = '\b';
    else if (key == KEY_ENTER || key == KEY_PAD_ENTER)
        letter = '\n';
    else if (key == KEY_ESCAPE)
        letter = '\033';
    bool const begins = digit >= 0 || (letter && document_is_typing(&app->document));
    return begins && document_type_field(&app->document, letter);
}
