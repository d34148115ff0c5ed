#include "document/notice.h"
#include "base/agree.h"
#include <stdarg.h>
#include <stdio.h>

void notice_say(struct notice *notice, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(notice->text, sizeof notice->text, format, arguments);
    agree_format(notice->text, format);
    va_end(arguments);
    notice->bad = false;
}

void notice_pass(struct notice *notice, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(notice->passing, sizeof notice->passing, format, arguments);
    agree_format(notice->passing, format);
    va_end(arguments);
}

void notice_error(struct notice *notice, const struct error *error)
{
    error_line(error, notice->text, (int)sizeof notice->text);
    notice->bad = true;
}

void notice_clear(struct notice *notice)
{
    notice->text[0] = notice->passing[0] = 0;
    notice->from_start = false;
}

void notice_clear_passing(struct notice *notice)
{
    notice->passing[0] = 0;
}
