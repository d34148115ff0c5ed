#include "app/notice.h"
#include <stdarg.h>
#include <stdio.h>

void notice_say(struct notice *notice, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(notice->text, sizeof notice->text, format, arguments);
    va_end(arguments);
    notice->bad = false;
}

void notice_error(struct notice *notice, const struct error *error)
{
    error_line(error, notice->text, (int)sizeof notice->text);
    notice->bad = true;
}

void notice_clear(struct notice *notice)
{
    notice->text[0] = 0;
}
