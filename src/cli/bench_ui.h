/* For src/cli/bench_*.c only: what the measurements of the user interface share. */
#ifndef LANESCOPE_CLI_BENCH_UI_H
#define LANESCOPE_CLI_BENCH_UI_H
#include "app/app.h"
#include "cli/cli.h"
#include "platform/platform.h"

enum { BENCH_WIDTH = 1920, BENCH_HEIGHT = 1080, BENCH_PLAYED = 120, BENCH_TURNS = 100 };

/* What a user does. The last three happen in a real window. */
enum bench_kind { OPENING, BEAT, ANSWER, STEP, PLAY, TURN, WINDOW_START, WINDOW_PLAY, WINDOW_TURN, KINDS };

/* Seconds of one picture: the action (with the run), the draw list, its pixels; and the processor time of them all,
 * which does not grow when other programs run. */
struct sample {
    double whole, act, draw, paint, own;
};
struct samples {
    struct sample *items;
    size_t count, capacity;
};

struct line { /* one line of the report */
    enum bench_kind kind;
    char lesson[32], what[64];
    struct sample median; /* the sample in the middle */
    double p99, own_p99, mean;
    size_t count;
    int beat, knob; /* of the lesson, where it was measured; -1: none */
};

struct bench {
    struct platform *platform;
    const struct lesson *lesson;
    struct error *error;
    bool window; /* pictures are shown in the platform's window */
    struct {
        struct line *items;
        size_t count, capacity;
    } lines;
};
/* Prints the samples as a line, keeps the line for the table at the end, and empties the samples. */
void bench_report(struct bench *bench, enum bench_kind kind, const char *detail, struct samples *samples);
/* Opens the lesson at a step. */
bool bench_open(struct bench *bench, int beat, bool answered, struct app **app);
/* Lets motion end, and a chart of many runs grow for some frames, as a user does who looks at the picture. */
void bench_settle(struct app *app);
/* Plays a step, picture by picture. */
bool bench_play(struct bench *bench, int beat, int frames, struct samples *samples);
/* Turns a knob back and forth between its ends, from the value that the beat gives it, each time to a new run. Stops
 * after `turns`, or after some of them when the time is over. */
bool bench_turn(struct bench *bench, int beat, int knob, int turns, struct samples *samples);
/* bench_window.c. Measures the window, at the steps that took longest without one. */
bool bench_window(struct bench *bench);
#endif
