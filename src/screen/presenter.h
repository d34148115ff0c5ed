/* The presenter's view: a teacher's notes on the step, the next step, a clock, and the votes of the class. It has a
 * window of its own, or stands in place of the lesson. */
#ifndef LANESCOPE_SCREEN_PRESENTER_H
#define LANESCOPE_SCREEN_PRESENTER_H
#include "ui/ui.h"

enum { VOTES_MOST = 999 }; /* for one choice */
enum presenter_place { PRESENTER_CLOSED, PRESENTER_HERE, PRESENTER_ASIDE };

struct presenter {
    enum presenter_place place;
    char lesson[96];    /* whose time it is */
    double seconds;     /* since the lesson was opened */
    int beat, choice;   /* of the step: whose votes the digits count */
    bool typing;        /* the next digit continues the number */
    struct ui ui;       /* of its own window, as the rest */
    struct arena frame; /* what it shows */
    int width, height;  /* pixels */
    float scale;        /* pixels a point */
    bool again;         /* one more frame is needed */
    uint64_t shown;     /* a hash of what it shows; 0: nothing */
};
#endif
