/* The line above the picture: one sentence that stays until another one is said or it is closed. */
#ifndef LANESCOPE_APP_NOTICE_H
#define LANESCOPE_APP_NOTICE_H
#include "base/error.h"
#include <stdbool.h>

struct notice {
    char text[1024]; /* "" while there is nothing to say */
    bool bad;        /* something went wrong: the next key does not take it away */
};
void notice_say(struct notice *notice, const char *format, ...) __attribute__((format(printf, 2, 3)));
void notice_error(struct notice *notice, const struct error *error);
void notice_clear(struct notice *notice);
#endif
