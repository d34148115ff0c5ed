#include "base/error.h"
#include "base/agree.h"
#include "base/words.h"
#include <stdarg.h>
#include <stdio.h>

/* Writes the message in the user's language. The English format is the key of the translation. */
static void fill_text(char *text, size_t size, const char *format, va_list arguments)
{
    const char *said = *format ? _(format) : "";
    vsnprintf(text, size, said, arguments);
    agree_format(text, said);
    words_clean(text);
}

static void fill_message(struct error *error, enum error_kind kind, const char *format, va_list arguments)
{
    *error = (struct error){.kind = kind};
    fill_text(error->message, sizeof error->message, format, arguments);
}

bool error_fill(struct error *error, enum error_kind kind, const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fill_message(error, kind, format, arguments);
    va_end(arguments);
    return false;
}

bool error_fill_at(struct error *error, enum error_kind kind, const char *file, int line, int column,
                   const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fill_message(error, kind, format, arguments);
    va_end(arguments);
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    words_clean(error->file);
    error->line = line;
    error->column = column;
    return false;
}

bool error_fill_field(struct error *error, const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->field, sizeof error->field, format, arguments);
    va_end(arguments);
    words_clean(error->field);
    return false;
}

bool error_fill_remedy(struct error *error, const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fill_text(error->remedy, sizeof error->remedy, format, arguments);
    va_end(arguments);
    return false;
}

const char *error_problem(const struct error *error, char *text, int size)
{
    if (error->field[0])
        snprintf(text, (size_t)size, _("field '%s': %s"), error->field, error->message);
    else
        snprintf(text, (size_t)size, "%s", error->message);
    return text;
}

const char *error_line(const struct error *error, char *text, int size)
{
    char place[320] = "", problem[sizeof error->field + sizeof error->message + 32];
    if (error->file[0] && error->line && error->column)
        snprintf(place, sizeof place, "%s:%d:%d: ", error->file, error->line, error->column);
    else if (error->file[0] && error->line)
        snprintf(place, sizeof place, "%s:%d: ", error->file, error->line);
    else if (error->file[0])
        snprintf(place, sizeof place, "%s: ", error->file);
    snprintf(text, (size_t)size, "%s%s%s%s", place, error_problem(error, problem, sizeof problem),
             error->remedy[0] ? "; " : "", error->remedy);
    return text;
}
