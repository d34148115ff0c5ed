/* The presenter's view: a teacher's notes on the step, the next step, a clock, and the votes of the class. It has a
 * window of its own, or stands in place of the lesson. */
#ifndef LANESCOPE_APP_PRESENTER_H
#define LANESCOPE_APP_PRESENTER_H
#include "app/app.h"
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

/* Closes the view, and its window. */
void presenter_close(struct app *app);
/* Takes a key of the view. Returns false if it has none of its own for it. aside: it came from the view's window. */
bool presenter_key(struct app *app, int key, bool aside);
/* Takes the mouse and the size of its window. */
void presenter_event(struct app *app, const struct app_event *event);
/* Returns the seconds until its clock shows another minute. */
double presenter_wait(const struct app *app);
/* Notes the step on screen, and the lesson. */
void presenter_follow(struct app *app);
void presenter_free(struct presenter *presenter);
#endif
