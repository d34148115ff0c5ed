/* Inside src/app: the application's state, and what its files do for one another. Only app.h is for others. */
#ifndef LANESCOPE_APP_STATE_H
#define LANESCOPE_APP_STATE_H
#include "app/app.h"
#include "lesson/lesson_run.h"
#include "run/file.h"
#include "view/stage.h"
#include <pthread.h>
#include <stdatomic.h>

enum screen { SCREEN_LIST, SCREEN_LESSON, SCREEN_TRACE };

/* What is looked at: a setting, and who is asked to run it. */
struct look {
    struct lesson_setting setting;
    enum executor executor;
};

/* Whether the emulator's run makes the same accesses as a GPU's, as trace_compare finds. */
struct likeness {
    enum { LIKE_UNKNOWN, LIKE_SAME, LIKE_DIFFERENT } verdict; /* unknown: there is no trace of a GPU at this setting */
    const char *device;
    enum trace_difference_kind kind;
    char difference[512];
};

/* A run and the block of it that is looked at. The last few are kept, so that turning back is free. */
enum { RUNS_KEPT = 8 };
struct kept_run {
    struct look look;
    struct likeness likeness;
    struct run *run; /* NULL: an empty place */
    uint64_t last_used;
};

struct guess {  /* what was answered at a beat; kept until the lesson is closed */
    int chosen; /* index of a choice, -1 none */
    bool committed, skipped, voted;
    struct lesson_setting setting; /* what was asked about */
};

struct ladder_points { /* the sweep of one knob with everything else as it is */
    bool wanted;
    struct lesson_setting setting; /* the swept knob at 0 */
    int knob, beat;
    struct ladder_point *points;
    int count, known;
    struct arena arena;
};

struct counted_pair { /* one count at two settings */
    bool known;
    int beat;
    struct lesson_setting here, there;
    double ratio;
};

struct open_lesson {
    struct lesson *lesson;
    struct lesson_setting setting;
    struct look other; /* before the last turn of a knob, or flip: what Tab shows */
    bool has_other, showing_other;
    bool above;     /* the other is drawn above this one, on one scrubber */
    int beat, knob; /* knob: the one [ and ] turn */
    int paragraph;  /* first one shown, when the words do not fit at once */
    struct guess *guesses;
    bool *task_done;
    struct ladder_points ladder;
    struct counted_pair pair;
};

/* What was opened by hand: a trace, a kernel's run, or a kernel that could not run at all. */
struct open_file {
    struct arena arena;
    const char *path, *name;
    struct trace *trace; /* the run's, when there is one */
    struct run *run;
    struct counts counts;
    bool refused; /* there is no trace: error says why, source what was to run */
    struct error error;
    const char *source;
    const char *launch;              /* as options of the command line; NULL for a trace */
    bool assumed;                    /* nobody said how to launch it */
    struct run_file_request request; /* as it was asked for; of a run */
    struct likeness likeness;        /* of a run that the other executor's was held against */
};

/* Where to open: as in app_options. */
struct place_wanted {
    int access;
    bool block_chosen;
    uint64_t block;
};

/* A kernel's file that is about to run. */
struct awaited {
    struct arena arena;
    struct run_file_request request;
    struct place_wanted place;
    bool here, told; /* told: a frame has said so */
};

struct measuring { /* a time being measured, beside the window */
    pthread_t thread;
    bool started;
    atomic_bool finished;
    struct lesson *lesson;
    struct lesson_setting setting;
    struct measured_time time;
    struct error error;
    bool good;
    bool resting;                /* something will be measured unless the setting is changed again */
    bool gave_up;                /* it failed: only the button tries again */
    struct lesson_setting rests; /* the setting that has stood still for `rested` seconds */
    double rested;
};

/* What a stage is drawn from. */
struct looked_at {
    struct run *run;
    struct playback *playback;
    size_t position, beat_position;
    uint64_t block;
    struct lesson_setting setting;
};

struct above { /* the other's block, kept between frames */
    struct arena arena;
    const struct run *run; /* NULL: nothing is kept */
    uint64_t block;
    struct playback *playback;
};

struct lesson_card { /* of the list */
    const char *name, *title[LANGUAGE_COUNT], *summary[LANGUAGE_COUNT];
    int beats;
    unsigned stage; /* panels of its first step: what its emblem is of */
};

struct app {
    struct app_host host;
    struct ui ui;
    struct arena frame, session; /* session: strings that live as long as the app */
    int width, height;
    float scale;

    enum screen screen;
    bool help, blank, presenting, dark, theme_chosen, reduced_motion;
    int text_step; /* size of text: 1 + text_step / 10 */
    enum language language;
    enum executor executor;
    const char *gpu, *dram; /* app_options' */
    bool runs_stale;        /* they are forgotten before the next frame is drawn */
    struct error failed;    /* of the run asked for last; kind ERROR_NONE: it was made */
    bool blocks_chosen;
    struct launch_blocks blocks; /* app_options.blocks, if chosen */

    struct lesson_card *cards;
    size_t card_count, card;
    struct error *card_errors;
    size_t card_error_count;

    struct open_lesson open;
    struct kept_run kept[RUNS_KEPT];
    uint64_t clock;  /* counts uses of kept runs */
    struct run *run; /* the one on screen, one of kept; NULL when a file is */
    struct above above;
    struct open_file file;
    struct awaited awaited;
    int finding;                  /* of the report: the one shown; -1 none */
    struct arena block_arenas[2]; /* of playback; the one before lives on until the frame that drew it is over */
    int block_arena;
    struct playback *playback;
    size_t position, beat_position;
    uint64_t block, opening_block; /* the beat speaks of its opening block, at its opening position */
    size_t opening_position;
    uint32_t filter; /* a source line, 0 none */

    bool playing;
    float speed;
    double moved; /* seconds since the move to this position began */
    bool moving;  /* the picture is on its way to its rest */
    uint32_t hot; /* lanes under the mouse */

    bool knobs_aside; /* the right column shows the knobs; else the stage does */
    bool acted;       /* something was asked of a panel in this frame */
    bool again;       /* this frame's input changed something: one more frame shows it */
    char title[256];

    char notice[1024];
    bool notice_bad;
    struct measuring measuring;
    const char *state_line;
};

/* run.c: runs and what is looked at */
bool app_open_lesson(struct app *app, const char *name, struct error *error);
void app_close_lesson(struct app *app);
void app_go_beat(struct app *app, int beat);
/* Runs the setting and shows it; on failure the last good picture stays and the notice says why. */
bool app_show_setting(struct app *app, bool keep_place);
void app_show_block(struct app *app, uint64_t block);
void app_turn_knob(struct app *app, int knob, int value);
void app_changed_setting(struct app *app, const struct lesson_setting *before);
void app_free_runs(struct app *app);
const struct lesson_beat *app_beat(const struct app *app);
struct guess *app_guess(struct app *app);
bool app_covered(const struct app *app);
bool app_task_done(struct app *app);
const char *app_fill(struct app *app, const char *text);
struct lesson_text app_fill_words(struct app *app, const struct lesson_text *text);
void app_forget_runs(struct app *app); /* all but their pictures: the setting is run again */

void app_build_playback(struct app *app, const struct trace *trace, uint64_t block);

/* file.c: a trace, or a kernel with its launch (kernel.c says which when nobody does) */
bool app_open_trace(struct app *app, const char *path, struct error *error);
/* Where someone waits, a frame says so first: app_open_awaited, before each frame, runs it in the next one. */
void app_open_kernel(struct app *app, const struct run_file_request *request, const struct place_wanted *place);
void app_open_awaited(struct app *app);
void app_seek_wanted(struct app *app, const struct place_wanted *place);
void app_close_file(struct app *app);
/* What the request does not say of a launch: from a comment `// lanescope: --grid 4 ...` of the source; where nobody
 * says anything, assumed. Strings are in the arena. */
bool app_guess_launch(struct arena *arena, struct run_file_request *request, bool *assumed, struct error *error);

/* look.c: who runs it */
void app_flip(struct app *app); /* the same place in the next executor's run: GPU, emulator, recording */
void app_flip_file(struct app *app);
/* The traces of an emulator and of a GPU; the GPU's name lies in the arena. */
struct likeness app_compare_traces(struct arena *arena, const struct trace *emulator, const struct trace *gpu);
void app_say_likeness(struct app *app); /* when what is shown is not as a GPU's, why */
/* Why they differ, or where first. */
const char *app_likeness_words(const struct likeness *likeness);
const struct likeness *app_likeness(const struct app *app); /* of the emulator's run on screen; NULL: not compared */
void app_compare_runs(struct app *app, struct kept_run *kept);
struct kept_run *app_kept_run(struct app *app, const struct look *look, struct error *error); /* run now if need be */

/* report.c: what went wrong in the run on screen */
struct report app_report(const struct app *app);
void app_go_finding(struct app *app, int finding, int side);
/* The fault at this very position, or NULL. */
const struct trace_fault *app_fault_here(const struct app *app);
uint32_t app_finding_lanes(const struct app *app); /* of the event on screen, the lane that the finding is about */
const struct emulator_hazard *app_race_shown(const struct app *app);
struct code_mark *app_marks(struct app *app, uint32_t *count);

/* dram.c: which DRAM the model has */
const struct dram_preset *app_dram(const struct app *app); /* as the lesson says, or as it was turned */
void app_turn_dram(struct app *app, int direction);
void app_turn_dram_mapping(struct app *app);

/* machine.c: what the machine made of it */
const char *app_machine_words(struct app *app, bool *same); /* NULL: nobody counted this launch on a GPU */

/* motion.c: stepping and playing */
void app_seek(struct app *app, size_t position, bool animate);
void app_settle(struct app *app); /* completes an animation */
bool app_advance(struct app *app, double seconds);
double app_motion_length(const struct app *app, const struct scene *scene);
void app_motion(const struct app *app, struct scene *scene);
void app_scene(struct app *app, struct scene *scene);

/* ladder.c, measure.c, share.c, language.c */
void app_ladder_want(struct app *app);
bool app_ladder_advance(struct app *app, double budget);
int app_measurable(const struct app *app);
void app_measure(struct app *app);
bool app_measure_poll(struct app *app);
void app_measure_stop(struct app *app);
void app_measure_rest(struct app *app, double seconds); /* measures by itself what has stood still for a moment */
double app_measure_wait(const struct app *app);
bool app_speaks_of_time(const struct app *app);
/* Why the times disagree with the counts, NULL when they do not (why.c). settings: what the bars are the times of. */
const char *app_time_why(struct app *app, const struct time_bar *bars, const struct lesson_setting *settings,
                         int count);
int app_time_bars(struct app *app, struct time_bar bars[4], struct lesson_setting settings[4]);
const char *app_reopen_line(struct app *app);
void app_screenshot(struct app *app);
void app_save_gif(struct app *app);
void app_copy(struct app *app);
void language_use(enum language language);
enum language language_of_environment(void);

/* commands.c */
void app_key(struct app *app, int key, int modifiers, bool repeat);
struct help_row {
    const char *keys, *text;
};
size_t app_help(struct arena *arena, struct help_row **rows);
void app_answer(struct app *app, int choice);
void app_commit(struct app *app);
void app_play(struct app *app); /* or stop */
void app_skip(struct app *app, bool voted);
void app_compare(struct app *app);
void app_step_beat(struct app *app, int direction);
void app_step_block(struct app *app, int direction); /* the same place in the block after, or before */
void app_present(struct app *app, bool on);

/* Screens. */
struct layout {
    struct rect top, notice, stage, side, strip, timeline;
    bool compact; /* no right column */
};
struct layout app_layout(const struct app *app, bool with_notice);
void app_update_unit(struct app *app);
void screen_list(struct app *app);
void screen_lesson(struct app *app);
void screen_help(struct app *app);
void draw_top_bar(struct app *app, struct rect box);
void draw_notice(struct app *app, struct rect box);
/* What is drawn returns what the user asked for; app_act does it once the frame is drawn (act.c).
 * half: one of two under one another, with a line that names it in place of the block's. */
struct panel_action draw_stage(struct app *app, struct view *view, struct rect box, bool compact, const char *half);
struct panel_action draw_both(struct app *app, struct view *view, struct rect box, bool compact); /* above.c */
void app_act(struct app *app, const struct panel_action *action);
void app_toggle_above(struct app *app);
struct panel_action draw_side(struct app *app, struct view *view, struct rect box);
/* What cards show now, for the right column and for a stage without one. */
struct code_view code_now(struct app *app, const struct view *view, int strip);
struct time_view time_now(struct app *app);
struct words_view words_now(struct app *app);
struct question_view question_now(struct app *app);
struct knobs_view knobs_now(struct app *app);
const char *beat_verdict(struct app *app); /* what the run says to a guess or a task; NULL nothing */
const char *beat_last_words(struct app *app);
const char *app_fact_number(struct app *app, const char *expression, bool *known);

void app_say(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
void app_say_error(struct app *app, const struct error *error);
#endif
