/* The line above the picture: one sentence that stays until another one replaces it or the user closes it. */
#ifndef LANESCOPE_APP_NOTICE_H
#define LANESCOPE_APP_NOTICE_H
#include "base/error.h"
#include <stdbool.h>

struct notice {
    char text[1024]; /* "": no notice */
    bool bad;        /* an error: the next key does not clear it */
};
void notice_say(struct notice *notice, const char *format, ...) __attribute__((format(printf, 2, 3)));
void notice_error(struct notice *notice, const struct error *error);
void notice_clear(struct notice *notice);
#endif
