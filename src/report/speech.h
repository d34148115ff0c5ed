/* For src/report only: the words of a sentence in the language that was asked for. */
#ifndef LANESCOPE_REPORT_SPEECH_H
#define LANESCOPE_REPORT_SPEECH_H
#include "base/words.h"
#include "report/report.h"

struct speech {
    struct arena *arena;
    enum report_language language;
};

__attribute__((format_arg(2))) static inline const char *say(const struct speech *s, const char *text)
{
    return s->language == REPORT_ENGLISH || !*text ? text : _(text);
}

const char *bytes_text(const struct speech *s, uint64_t bytes); /* "1 byte", "4 bytes" */
#endif
