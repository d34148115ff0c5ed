/* What the window says beside the picture. A notice about the run stays above the stage until another one replaces it
 * or the user closes it. A passing notice, such as "saved", stands in place of the bar on top until the next key or
 * click, so that nothing else moves. */
#ifndef LANESCOPE_DOCUMENT_NOTICE_H
#define LANESCOPE_DOCUMENT_NOTICE_H
#include "base/error.h"
#include <stdbool.h>

struct notice {
    char text[1024];    /* "": no notice */
    bool bad;           /* an error: the next key does not clear it */
    bool from_start;    /* the lesson was left behind its first step: a button beside the text begins it anew */
    char passing[1024]; /* "": none */
};
void notice_say(struct notice *notice, const char *format, ...) __attribute__((format(printf, 2, 3)));
void notice_pass(struct notice *notice, const char *format, ...) __attribute__((format(printf, 2, 3)));
void notice_error(struct notice *notice, const struct error *error);
void notice_clear(struct notice *notice); /* both */
void notice_clear_passing(struct notice *notice);
#endif
