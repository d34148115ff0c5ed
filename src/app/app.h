/* The application: state, commands and screens, without a window. A platform (SDL2, headless, a test) feeds events,
 * asks whether anything moves, and draws the list that app_frame makes. */
#ifndef LANESCOPE_APP_APP_H
#define LANESCOPE_APP_APP_H
#include "base/error.h"
#include "base/worker.h"
#include "trace/executor.h"
#include "ui/draw.h"
#include "ui/keys.h"
#include <stdatomic.h>

/* Keys by position (USB usage ids, as SDL scancodes are), so that any keyboard layout works. */
enum app_event_kind {
    APP_KEY, /* pressed, or repeated while held */
    APP_MOUSE_MOVE,
    APP_MOUSE_DOWN, /* left button */
    APP_MOUSE_UP,
    APP_MOUSE_SECOND, /* the right button goes down */
    APP_MOUSE_LEAVE,
    APP_WHEEL,
    APP_RESIZE,        /* width, height in pixels; scale: pixels a point (HiDPI) */
    APP_DROP_FILE,     /* text: a path */
    APP_CLOSE,         /* the presenter's window is closed */
    APP_NO_CHOOSER,    /* the chooser that was opened could not ask */
    APP_FILES_CHANGED, /* a watched file may have */
    APP_EXPOSE         /* the window needs its picture again */
};
struct app_event {
    enum app_event_kind kind;
    int key, modifiers; /* key: a USB HID usage id, page 7 */
    bool repeat;
    float x, y; /* mouse, in pixels; wheel: y */
    int width, height;
    float scale;
    const char *text;
    unsigned dropped_before; /* files that were dropped together with this one */
    bool aside;              /* of the presenter's window */
};

/* The window outside full screen, in points; placed: x and y are known. */
struct window_place {
    int width, height, x, y;
    bool placed, maximized;
};

/* The services of the platform. A service that is NULL is missing, and the app says so when a user asks for it. */
struct app_host {
    void *context;
    void (*set_title)(void *context, const char *title);
    void (*set_fullscreen)(void *context, bool on);
    void (*show_pointer)(void *context, bool shown);
    /* Opens the desktop's own chooser; the file comes as APP_DROP_FILE. False: there is none. */
    bool (*choose_file)(void *context, const char *title);
    /* Sends APP_FILES_CHANGED when one of these files may have changed, instead of those before; no files: never. */
    bool (*watch_files)(void *context, const char *const *paths, size_t count);
    /* The presenter's window: shown or closed. False: it cannot be. Its events come with `aside`. */
    bool (*show_aside)(void *context, bool shown);
    int (*displays)(void *context);
    bool (*window_place)(void *context, struct window_place *place);
    bool (*copy_text)(void *context, const char *text);
    bool copies_link; /* whatever the text: it copies the address of the page */
    bool (*save_picture)(void *context, const struct draw_list *list, int width, int height, struct color background,
                         const char *path, struct error *error);
    /* Frames of an animation, one call a frame, then once with list NULL to finish the file. */
    bool (*save_frame)(void *context, const struct draw_list *list, int width, int height, struct color background,
                       int hundredths, const char *path, struct error *error);
    /* The next page of a PDF, on A4; list NULL: the file is finished. path NULL: it is dropped. */
    bool (*save_page)(void *context, const struct draw_list *list, int width, int height, struct color background,
                      const char *path, struct error *error);
    void (*quit)(void *context);
    struct app_worker worker;
    const atomic_bool *ended; /* compilers end when it becomes true; NULL: never */
    double patience;          /* seconds that the run of a file's kernel may take; 0: any number */
    bool untimed;             /* times cannot be measured here */
    bool attended; /* a user is watching: times are measured automatically, and a kernel's file runs in the frame after
                      the one that announces it */
};

struct computer_facts;
struct panel_shown;
struct progress;
struct run_file_request;
struct program_start;
struct launch_blocks;
struct app_options {
    const char *lesson;                  /* NULL: the lesson list */
    const char *trace_path;              /* `lanescope view` */
    const char *trace_title;             /* what is shown as its name, and the path that opens it later; */
    const char *trace_later;             /* NULL: those of trace_path */
    const struct run_file_request *file; /* or a .cu or .ptx file; run/guess.c completes its launch */
    const struct program_start *program; /* or a whole program: app/document/program.h */
    const char *variant;
    const char *const *set; /* "NAME=VALUE" */
    int set_count;
    enum executor on;
    const char *dram;     /* of dram_presets() (`--dram`); NULL: the lesson's */
    bool caches;          /* sectors show where they came from (`--caches model`) */
    const char *gpu;      /* the GPU of the model clock and of the caches (`--gpu`); NULL: the default */
    const char *language; /* "en", "ko" or NULL: the environment's */
    const char *theme;    /* "light", "dark" or NULL */
    bool present, reduced_motion;
    int beat;   /* 1-based; 0: the first */
    int access; /* 1-based; numbers after the last access name the other events, in order; 0: the beat's opening
                   position */
    const struct launch_blocks
        *blocks;       /* the blocks that run and are recorded; NULL: all run, and the lesson's blocks are recorded */
    bool block_chosen; /* else the block that the beat opens in */
    uint64_t block;
    bool answered;        /* skip the question of this beat and show the run */
    const char *overview; /* "clock", "lines" or "warps": this page of the overview is open; NULL: none */
    bool ptx;             /* the PTX is open beside the source */
    int width, height;
    float scale;
    int text_percent; /* size of text, 100 to 200; 0: 100 */
    /* Looks at this computer until `cancel` becomes true (NULL: never). NULL: the first screen says nothing of it. */
    void (*computer)(struct computer_facts *facts, const atomic_bool *cancel);
    const char *links; /* address of a page of `./run web`, for links to copy; "": none; NULL: the one that is kept */
    const char *shows; /* a file that says after each frame what is on screen, see docs/architecture.md; NULL: none */
    bool bare;         /* without the bar on top */
    bool notes;        /* app_shows has the boxes of controls */
    bool dark;         /* the theme as long as nobody has chosen one */
    struct progress *progress; /* preferences and lessons as they were left; the other options win. NULL: none, and
                                  nothing is kept */
};

/* Sets the language of words and errors, "en" or "ko" (NULL: the environment's), and returns it. */
const char *app_use_language(const char *code);

struct app;
/* Returns false, with error set and *app NULL, only when nothing can be shown (no such lesson, an unreadable trace).
 * Later errors are shown inside the window. */
bool app_new(const struct app_options *options, const struct text_metrics *metrics, const struct app_host *host,
             struct app **app, struct error *error);
void app_free(struct app *app);
void app_event(struct app *app, const struct app_event *event);
/* Returns the seconds until the next frame is due: 0 while something moves, INFINITY if the picture is still until an
 * event. */
double app_wait(const struct app *app);
/* Advances all motion by `seconds` and returns the frame, which is valid until the next call. */
const struct draw_list *app_frame(struct app *app, double seconds);
/* Writes the animation of the access on screen, pass by pass, with the host's save_frame. */
bool app_film(struct app *app, const char *path, struct error *error);
/* Returns whether the last requested run failed, and sets the error to the reason. The frame shows it, too. */
bool app_failed(const struct app *app, struct error *error);
/* Returns whether only an event can change the picture: the time until it comes is no time of a motion. */
bool app_still(const struct app *app);
/* Counts time that has passed, also while nothing moves. */
void app_pass_time(struct app *app, double seconds);
/* Returns what the presenter's window shows, valid until the next call; NULL: nothing, or what it shows already. */
const struct draw_list *app_aside(struct app *app);
struct color app_background(const struct app *app);
float app_minimum_text(const struct app *app); /* the smallest text that the layout lint allows at this size */
/* Returns the command line that reopens this state: lesson, variant, knobs, beat and access. For tests. */
const char *app_state_line(struct app *app);
/* Returns what the last frame showed of each panel of the stage, in the order of ui/panels.def. For tests. */
const struct panel_shown *app_panels(const struct app *app);
/* Returns what the last frame shows, as JSON (docs/architecture.md), for a caller that frees it; NULL without memory.
 * The boxes of controls are there if the options ask for `shows` or `notes`. */
char *app_shows(struct app *app);
/* Returns where the window is, as the part of an address behind `#`: "banks/3?stride=8&lang=ko". Valid until the next
 * frame. */
const char *app_link(struct app *app);
/* Opens the place of such a text. What does not exist there is said, and the nearest is opened. */
void app_open_link(struct app *app, const char *link);
/* For measurements. app_knob returns the index of the knob that the keys turn. app_forget_runs frees the lesson's runs
 * except the one on screen, so that the next setting runs anew. */
int app_knob(const struct app *app);
void app_forget_runs(struct app *app);
#endif
