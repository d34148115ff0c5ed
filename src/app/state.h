/* For src/app only: the app as a whole. */
#ifndef LANESCOPE_APP_STATE_H
#define LANESCOPE_APP_STATE_H
#include "app/app.h"
#include "app/lookup.h"
#include "app/overview.h"
#include "app/presenter.h"
#include "app/progress/progress.h"
#include "document/document.h"
#include "document/notice.h"
#include "document/playhead.h"
#include "lesson/chapters.h"
#include "screen/cards.h"
#include "screen/computer_facts.h"
#include "screen/folder.h"
#include "screen/preferences.h"

/* The position to open at: see app_options. */
struct place_wanted {
    int access;
    bool block_chosen;
    uint64_t block;
};

/* A kernel's file that is about to run. */
struct pending_file {
    struct arena arena;
    struct run_file_request request;
    struct place_wanted place;
    bool here, said; /* said: a frame has announced it */
};

/* Files that were dropped together: one is opened. */
struct drop {
    bool opened;
    unsigned left_out;
};

/* The look at this computer, in the background. */
struct computer_seen {
    struct computer_facts facts;
    void (*look)(struct computer_facts *facts, const atomic_bool *cancel); /* NULL: nobody can look */
    const atomic_bool *cancel;
    bool started, known;
    void *task;
};

/* The number of a step that is being typed. */
struct jump {
    bool open;
    int number; /* 0: no digit yet */
};

/* The watched files of the document. */
struct saves {
    struct arena arena;
    unsigned opened; /* the document's, for which they were listed */
    bool look;       /* they may have changed */
};

/* The mouse pointer of a presentation, which hides while it rests. */
struct pointer {
    bool moved, hidden; /* moved: since the last frame */
    bool keyed;         /* a key was pressed since it moved */
    double left;        /* seconds until it hides */
};

/* All but a circle around the mouse is dark. */
struct spotlight {
    bool on;
    int size; /* steps of the wheel from the usual size */
};

struct app {
    struct app_host host;
    struct ui ui;
    struct arena frame, session; /* session: for strings that live as long as the app */
    int width, height;
    float scale;

    bool at_list; /* the list of lessons is on screen, else the document */
    bool help, blank;
    bool all_switches; /* the bar shows all of its switches in place of the step */
    int help_page;
    struct preferences preferences;
    struct progress *progress; /* NULL: nothing is kept */
    struct notice notice;
    struct cards known_cards; /* none until app_cards reads them */
    bool cards_known;
    bool drawn;                     /* a frame was drawn */
    const struct chapter *chapters; /* of the list */
    size_t chapter_count;
    struct glossary glossary; /* empty: it could not be read */
    struct lookup lookup;
    struct overview overview;
    struct document document;
    struct playhead playhead;
    struct pending_file pending;
    struct drop drop;
    struct folder folder; /* shown instead of the first screen while it is open */
    struct computer_seen computer;

    struct saves saves;
    struct jump jump;
    struct pointer pointer;
    struct spotlight spotlight;
    struct presenter presenter;

    struct panel_shown shown[STAGE_PANELS]; /* by the last frame's stage */
    int turns;                              /* of the knob by a held key, since the last frame */
    uint32_t hot;                           /* lanes under the mouse */
    bool changed;                           /* actions of this frame were applied after it was drawn */
    bool again;                             /* one more frame is needed to show this frame's changes */
    enum {
        SAVE_NOTHING,
        SAVE_PICTURE,
        SAVE_SHAPES,
        SAVE_ANIMATION,
        SAVE_HANDOUT
    } save; /* after the action is applied */
    char title[256];
    const char *shows; /* see app_options */
    unsigned frames;   /* that were drawn */
};

/* Returns whether a class is taught: in a presentation, or with the notes open. A clicker then leads through questions,
 * too. */
bool app_in_class(const struct app *app);
/* Begins a class's run of the open lesson, or ends it, if that has changed. The user's own way is kept before. */
void app_follow_class(struct app *app);
/* Turns the knob as far as a held key asked for. */
void app_apply_turns(struct app *app);
/* Keeps what has changed of the preferences, the window and the document. Called before another document is opened. */
void app_note_progress(struct app *app);
/* Looks at this computer while the first screen is shown. computer_wait waits for the end, so that nothing else uses
 * the GPU or a compiler meanwhile. */
void computer_look(struct app *app);
void computer_wait(struct app *app);
/* Returns the lessons of the list. The first call reads them all, which takes longer than to open one of them: only
 * what shows or opens the next lesson calls it. */
struct cards *app_cards(struct app *app);
/* Recomputes the unit after a change of the window, the size of text, or presenting. */
void app_update_unit(struct app *app);
/* Reads the lessons of the list again. */
void app_load_cards(struct app *app);
#endif
