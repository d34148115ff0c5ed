/* The application: state, commands and screens, without a window. A platform (SDL2, headless, a test) feeds events,
 * asks whether anything moves, and draws the list that app_frame makes. */
#ifndef LANESCOPE_APP_APP_H
#define LANESCOPE_APP_APP_H
#include "app/worker.h"
#include "base/error.h"
#include "trace/executor.h"
#include "ui/draw.h"

/* Keys by position (USB usage ids, as SDL scancodes are), so that any keyboard layout works. */
enum app_event_kind {
    APP_KEY, /* pressed, or repeated while held */
    APP_MOUSE_MOVE,
    APP_MOUSE_DOWN, /* left button */
    APP_MOUSE_UP,
    APP_MOUSE_LEAVE,
    APP_WHEEL,
    APP_RESIZE,    /* width, height in pixels; scale: pixels a point (HiDPI) */
    APP_DROP_FILE, /* text: a path */
    APP_EXPOSE     /* the window needs its picture again */
};
enum { APP_SHIFT = 1, APP_CONTROL = 2, APP_ALT = 4 };
struct app_event {
    enum app_event_kind kind;
    int key, modifiers; /* key: a USB HID usage id, page 7 */
    bool repeat;
    float x, y; /* mouse, in pixels; wheel: y */
    int width, height;
    float scale;
    const char *text;
};

/* What the app asks of its platform. Any may be NULL: then it cannot be done, and the app says so. */
struct app_host {
    void *context;
    void (*set_title)(void *context, const char *title);
    void (*set_fullscreen)(void *context, bool on);
    bool (*copy_text)(void *context, const char *text);
    bool (*save_picture)(void *context, const struct draw_list *list, int width, int height, struct color background,
                         const char *path, struct error *error);
    /* Frames of an animation, one call a frame, then once with list NULL to finish the file. */
    bool (*save_frame)(void *context, const struct draw_list *list, int width, int height, struct color background,
                       int hundredths, const char *path, struct error *error);
    void (*quit)(void *context);
    struct app_worker worker;
    bool attended; /* someone is there to wait: times are measured unasked, and a kernel's file runs in the frame after
                      the one that says so */
};

struct run_file_request;
struct launch_blocks;
struct app_options {
    const char *lesson;     /* NULL: the lesson list */
    const char *trace_path; /* `lanescope view` */
    const struct run_file_request
        *file; /* or a .cu or .ptx file; what is not said of its launch: app/document/kernel.c */
    const char *variant;
    const char *const *set; /* "NAME=VALUE" */
    int set_count;
    enum executor on;
    const char *dram;     /* of dram_presets() (`--dram`); NULL: the lesson's */
    const char *gpu;      /* whose latencies the model clock has (`--gpu`); NULL: the default's */
    const char *language; /* "en", "ko" or NULL: the environment's */
    const char *theme;    /* "light", "dark" or NULL */
    bool present, reduced_motion;
    int beat;   /* 1-based; 0: the first */
    int access; /* 1-based; past the last access: the other events, in order; 0: where the beat opens */
    const struct launch_blocks
        *blocks;       /* that run and are recorded; NULL: all run, as many as the lesson says are kept */
    bool block_chosen; /* else the block that the beat opens in */
    uint64_t block;
    bool answered; /* the question of this beat is skipped: show the run */
    int width, height;
    float scale;
};

/* Words and errors are in this language from now on, "en" or "ko"; NULL: the environment's. Returns which it is. */
const char *app_use_language(const char *code);

struct app;
/* False, with error set, only when nothing can be shown (no such lesson, a trace that cannot be read); *app is then
 * NULL. What goes wrong later is said inside the window. */
bool app_new(const struct app_options *options, const struct text_metrics *metrics, const struct app_host *host,
             struct app **app, struct error *error);
void app_free(struct app *app);
void app_event(struct app *app, const struct app_event *event);
/* Seconds until the next frame is wanted: 0 now (something moves), INFINITY: nothing until an event. */
double app_wait(const struct app *app);
/* Advances what moves by `seconds` and returns the frame, valid until the next call. */
const struct draw_list *app_frame(struct app *app, double seconds);
/* Whether the run that was asked for last could not be made, and why. The frame says it, too. */
bool app_failed(const struct app *app, struct error *error);
struct color app_background(const struct app *app);
float app_minimum_text(const struct app *app); /* what the lint holds us to at this size */
/* For tests and `render`: one line that names lesson, variant, knobs, beat, access, and what is shown. */
const char *app_state_line(struct app *app);
#endif
