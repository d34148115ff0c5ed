/* `bench ui`: the time from what a user does in a lesson to the picture of it. The frames are painted as in a window
 * without a graphics processor. The lessons run on the emulator, each setting anew. On a computer with a GPU, its
 * traces and measurements follow. */
#include "cli/bench_ui.h"
#include "cuda/cuda.h"
#include "platform/worker.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { OPENINGS = 5, WALKS = 3, SURVEY = 2, STEPS = 20, LEAST_TURNS = 30 };
enum { SLOWEST = 3, SETTLE_FRAMES = 8 };
static const double turning_seconds = 0.6; /* at each knob, after LEAST_TURNS */

/* What a user does, and its bound in seconds (0: none is set). */
static const struct {
    const char *name;
    double bound;
} kinds[KINDS] = {
    [OPENING] = {"the lesson opened", 0.3},
    [BEAT] = {"a step of the story", 0},
    [ANSWER] = {"a question answered", 0},
    [STEP] = {"one access forward", 0},
    [PLAY] = {"a frame while it plays", 1.0 / 60},
    [TURN] = {"a knob turned", 0.1},
    [WINDOW_START] = {"in a window: the first frame", 0.3},
    [WINDOW_PLAY] = {"in a window: a frame while it plays", 1.0 / 60},
    [WINDOW_TURN] = {"in a window: a knob turned", 0.1},
};

static int by_whole(const void *a, const void *b)
{
    double const x = ((const struct sample *)a)->whole, y = ((const struct sample *)b)->whole;
    return (x > y) - (x < y);
}

static int by_own(const void *a, const void *b)
{
    double const x = ((const struct sample *)a)->own, y = ((const struct sample *)b)->own;
    return (x > y) - (x < y);
}

/* Returns the sample below which the share lies (the nearest rank), after sorting. */
static struct sample percentile(struct samples *samples, double share, int (*order)(const void *, const void *))
{
    qsort(samples->items, samples->count, sizeof *samples->items, order);
    size_t const rank = (size_t)ceil(share * (double)samples->count);
    return samples->items[rank ? rank - 1 : 0];
}

static void print_line(const struct line *line)
{
    printf("%-14s %-44s %7.1f %7.1f  of %3zu %7.1f %7.1f %6.1f %6.1f\n", line->lesson, line->what,
           line->median.whole * 1e3, line->p99 * 1e3, line->count, line->own_p99 * 1e3, line->median.act * 1e3,
           line->median.draw * 1e3, line->median.paint * 1e3);
    fflush(stdout);
}

void bench_report(struct bench *bench, enum bench_kind kind, const char *detail, struct samples *samples)
{
    double sum = 0;
    if (!samples->count)
        return;
    for (size_t i = 0; i < samples->count; i++)
        sum += samples->items[i].whole;
    struct line line = {.kind = kind,
                        .median = percentile(samples, 0.5, by_whole),
                        .p99 = percentile(samples, 0.99, by_whole).whole,
                        .own_p99 = percentile(samples, 0.99, by_own).own,
                        .mean = sum / (double)samples->count,
                        .count = samples->count,
                        .beat = -1,
                        .knob = -1};
    snprintf(line.lesson, sizeof line.lesson, "%s", bench->lesson->name);
    snprintf(line.what, sizeof line.what, "%s%s%s", kinds[kind].name, *detail ? ": " : "", detail);
    array_push(&bench->lines, line);
    print_line(&line);
    samples->count = 0;
}

bool bench_open(struct bench *bench, int beat, bool answered, struct app **app)
{
    struct text_metrics const metrics = platform_metrics(bench->platform);
    struct app_options const options = {.lesson = bench->lesson->name,
                                        .on = EXECUTOR_EMULATOR,
                                        .beat = beat + 1,
                                        .answered = answered,
                                        .width = BENCH_WIDTH,
                                        .height = BENCH_HEIGHT,
                                        .scale = 1};
    return app_new(&options, &metrics, NULL, app, bench->error);
}

struct start {
    double time;
    clock_t processor;
};

static struct start started(void)
{
    return (struct start){clock_seconds(), clock()};
}

/* Makes the picture of an action that ran from `start` to now, and adds the sample. */
static bool picture(struct bench *bench, struct app *app, struct start start, struct samples *samples)
{
    double const acted = clock_seconds();
    const struct draw_list *list = app_frame(app, 1.0 / 60);
    double const drawn = clock_seconds();
    if (bench->window
            ? !platform_show(bench->platform, list, app_background(app), bench->error)
            : !platform_paint(bench->platform, list, BENCH_WIDTH, BENCH_HEIGHT, app_background(app), bench->error))
        return false;
    double const end = clock_seconds();
    array_push(samples, ((struct sample){end - start.time, acted - start.time, drawn - acted, end - drawn,
                                         (double)(clock() - start.processor) / CLOCKS_PER_SEC}));
    return true;
}

static void press(struct app *app, int key, int modifiers)
{
    app_event(app, &(struct app_event){.kind = APP_KEY, .key = key, .modifiers = modifiers});
}

static bool timed_press(struct bench *bench, struct app *app, int key, struct samples *samples)
{
    struct start const start = started();
    press(app, key, 0);
    return picture(bench, app, start, samples);
}

void bench_settle(struct app *app)
{
    app_frame(app, 0.5); /* at the latest in its second frame, the window reads the list of lessons */
    for (int i = 0; i < SETTLE_FRAMES && app_wait(app) == 0; i++)
        app_frame(app, 0.5);
}

/* Measures opening with fonts and state made anew: all but the start of the process. */
static bool measure_opening(struct bench *bench, struct samples *samples)
{
    bool fine = true;
    for (int i = 0; i < OPENINGS && fine; i++) {
        struct app *app = NULL;
        platform_close(bench->platform);
        bench->platform = NULL;
        struct start const start = started();
        fine = platform_open_headless(&bench->platform, bench->error) && bench_open(bench, 0, false, &app) &&
               picture(bench, app, start, samples);
        app_free(app);
    }
    bench_report(bench, OPENING, "", samples);
    return fine;
}

/* Goes through the story once, with an answer to each question that has choices. */
static bool walk(struct bench *bench, struct samples *beats, struct samples *answers)
{
    struct app *app;
    if (!bench_open(bench, 0, false, &app))
        return false;
    bool fine = true;
    for (int i = 0; i < bench->lesson->beat_count && fine; i++) {
        const struct lesson_beat *beat = &bench->lesson->beats[i];
        app_forget_runs(app);
        if (i == 0) /* this step was opened, and opening is measured by itself */
            app_frame(app, 0.5);
        else
            fine = timed_press(bench, app, KEY_PAGE_DOWN, &beats[i]);
        bench_settle(app);
        if (fine && (beat->kind == BEAT_ASK || beat->kind == BEAT_OBSERVE)) {
            press(app, KEY_1, 0);
            app_frame(app, 0.5);
            fine = timed_press(bench, app, KEY_ENTER, &answers[i]);
            bench_settle(app);
        }
    }
    app_free(app);
    return fine;
}

/* Reports the samples of every step together, then those of the slowest step. Returns this step, or -1. */
static int report_steps(struct bench *bench, enum bench_kind kind, struct samples *each, struct samples *all)
{
    int slowest = -1;
    double longest = 0;
    for (int i = 0; i < bench->lesson->beat_count; i++) {
        for (size_t k = 0; k < each[i].count; k++)
            array_push(all, each[i].items[k]);
        double const middle = each[i].count ? percentile(&each[i], 0.5, by_own).own : 0;
        if (middle > longest) {
            longest = middle;
            slowest = i;
        }
    }
    bench_report(bench, kind, "", all);
    if (slowest >= 0) {
        char detail[40];
        snprintf(detail, sizeof detail, "%s", bench->lesson->beats[slowest].id);
        bench_report(bench, kind, detail, &each[slowest]);
    }
    return slowest;
}

static bool measure_story(struct bench *bench, struct samples *samples, int *heaviest)
{
    size_t const count = (size_t)bench->lesson->beat_count;
    struct samples *beats = calloc(count, sizeof *beats), *answers = calloc(count, sizeof *answers);
    bool fine = true;
    for (int i = 0; i < WALKS && fine; i++)
        fine = walk(bench, beats, answers);
    if (fine) {
        int const slowest = report_steps(bench, BEAT, beats, samples);
        report_steps(bench, ANSWER, answers, samples);
        *heaviest = slowest < 0 ? 0 : slowest;
    }
    for (size_t i = 0; i < count; i++) {
        free(beats[i].items);
        free(answers[i].items);
    }
    free(beats);
    free(answers);
    return fine;
}

static bool measure_stepping(struct bench *bench, int beat, struct samples *samples)
{
    struct app *app;
    if (!bench_open(bench, beat, true, &app))
        return false;
    bool fine = true;
    app_frame(app, 0.5);
    bench_settle(app);
    for (int i = 0; i < STEPS && fine; i++) {
        fine = timed_press(bench, app, KEY_RIGHT, samples);
        bench_settle(app);
    }
    bench_report(bench, STEP, bench->lesson->beats[beat].id, samples);
    app_free(app);
    return fine;
}

bool bench_play(struct bench *bench, int beat, int frames, struct samples *samples)
{
    struct app *app;
    if (!bench_open(bench, beat, true, &app))
        return false;
    bool fine = true;
    app_frame(app, 0.5);
    bench_settle(app);
    for (int i = 0; i < frames && fine; i++) {
        if (app_wait(app) == INFINITY) /* it begins, or begins again at the end */
            press(app, KEY_SPACE, 0);
        fine = picture(bench, app, started(), samples);
    }
    app_free(app);
    return fine;
}

/* Finds the step whose frames take longest, by a few frames of each, and plays it. */
static bool measure_playing(struct bench *bench, struct samples *samples)
{
    int heaviest = 0;
    double longest = 0;
    for (int beat = 0; beat < bench->lesson->beat_count; beat++) {
        if (!bench_play(bench, beat, SURVEY * 4, samples))
            return false;
        double const middle = percentile(samples, 0.5, by_own).own;
        if (middle > longest) {
            longest = middle;
            heaviest = beat;
        }
        samples->count = 0;
    }
    bool const fine = bench_play(bench, heaviest, BENCH_PLAYED, samples);
    bench_report(bench, PLAY, bench->lesson->beats[heaviest].id, samples);
    bench->lines.items[bench->lines.count - 1].beat = heaviest;
    return fine;
}

static void choose_knob(const struct bench *bench, struct app *app, int knob)
{
    for (int i = 0; i < bench->lesson->knob_count && app_knob(app) != knob; i++)
        press(app, KEY_RIGHT_BRACKET, MODIFIER_SHIFT);
}

bool bench_turn(struct bench *bench, int beat, int knob, int turns, struct samples *samples)
{
    struct lesson_setting setting = lesson_defaults(bench->lesson);
    lesson_apply_sets(&setting, bench->lesson->beats[beat].sets, bench->lesson->beats[beat].set_count);
    int value = setting.value[knob], step = 1;
    int const last = bench->lesson->knobs[knob].value_count - 1;
    struct app *app;
    if (!bench_open(bench, beat, true, &app))
        return false;
    app_frame(app, 0.5);
    bench_settle(app);
    choose_knob(bench, app, knob);
    bool fine = true;
    double const start = clock_seconds();
    for (int i = 0; i < turns && fine && (i < LEAST_TURNS || clock_seconds() - start < turning_seconds); i++) {
        step = value == last ? -1 : value == 0 ? 1 : step;
        value += step;
        app_forget_runs(app);
        fine = timed_press(bench, app, step > 0 ? KEY_RIGHT_BRACKET : KEY_LEFT_BRACKET, samples);
        bench_settle(app);
    }
    app_free(app);
    return fine;
}

/* Finds the step at which the turn of the knob takes longest, by a few turns at each, and measures it there. */
static bool measure_knob(struct bench *bench, int knob, struct samples *samples)
{
    const struct lesson *lesson = bench->lesson;
    int heaviest = 0;
    double longest = 0;
    if (lesson->knobs[knob].value_count < 2)
        return true;
    for (int beat = 0; beat < lesson->beat_count; beat++) {
        if (!bench_turn(bench, beat, knob, SURVEY, samples))
            return false;
        double const middle = percentile(samples, 0.5, by_own).own;
        if (middle > longest) {
            longest = middle;
            heaviest = beat;
        }
        samples->count = 0;
    }
    char detail[40];
    snprintf(detail, sizeof detail, "%s, %s", lesson->knobs[knob].name, lesson->beats[heaviest].id);
    bool const fine = bench_turn(bench, heaviest, knob, BENCH_TURNS, samples);
    bench_report(bench, TURN, detail, samples);
    bench->lines.items[bench->lines.count - 1].beat = heaviest;
    bench->lines.items[bench->lines.count - 1].knob = knob;
    return fine;
}

static bool measure_lesson(struct bench *bench, const char *name)
{
    struct lesson *lesson;
    struct samples samples = {0};
    int heaviest = 0;
    if (!lesson_load(name, &lesson, bench->error))
        return false;
    bench->lesson = lesson;
    bool fine = measure_opening(bench, &samples) && measure_story(bench, &samples, &heaviest) &&
                measure_stepping(bench, heaviest, &samples) && measure_playing(bench, &samples);
    for (int knob = 0; knob < lesson->knob_count && fine; knob++)
        fine = measure_knob(bench, knob, &samples);
    free(samples.items);
    lesson_free(lesson);
    return fine;
}

static int by_p99(const void *a, const void *b)
{
    double const x = ((const struct line *)a)->p99, y = ((const struct line *)b)->p99;
    return (x < y) - (x > y);
}

static void print_slowest(struct bench *bench)
{
    qsort(bench->lines.items, bench->lines.count, sizeof *bench->lines.items, by_p99);
    printf("\nthe slowest of each kind, by p99\n");
    for (int kind = 0; kind < KINDS; kind++) {
        int printed = 0, over = 0;
        for (size_t i = 0; i < bench->lines.count; i++) {
            const struct line *line = &bench->lines.items[i];
            if ((int)line->kind != kind)
                continue;
            if (printed++ < SLOWEST)
                print_line(line);
            over += kinds[kind].bound > 0 && line->p99 > kinds[kind].bound;
        }
        if (kinds[kind].bound > 0 && printed)
            printf("%s: bound %.0f ms, beyond it %d of %d\n", kinds[kind].name, kinds[kind].bound * 1e3, over, printed);
    }
}

/* Prints how many pictures a second the slowest knobs give while their key is held. */
static void print_pictures(const struct bench *bench)
{
    static const double wanted = 30;
    int slow = 0, all = 0;
    const struct line *slowest = NULL;
    for (size_t i = 0; i < bench->lines.count; i++) {
        const struct line *line = &bench->lines.items[i];
        if (line->kind != TURN || line->knob < 0)
            continue;
        all++;
        slow += line->mean > 1 / wanted;
        slowest = slowest && slowest->mean >= line->mean ? slowest : line;
    }
    if (slowest)
        printf("new pictures a second while a knob's key is held: at least %.0f (%s: %s); fewer than %.0f: %d of %d "
               "knobs\n",
               1 / slowest->mean, slowest->lesson, slowest->what, wanted, slow, all);
}

static bool measure_lessons(struct bench *bench, const char *const *names, size_t count)
{
    double const start = clock_seconds();
    printf("%dx%d, painted by the processor; ms; own: processor time; act, draw, paint: of the median\n", BENCH_WIDTH,
           BENCH_HEIGHT);
    printf("%-14s %-44s %7s %7s  %6s %7s %7s %6s %6s\n", "lesson", "until the picture", "p50", "p99", "", "own p99",
           "act", "draw", "paint");
    for (size_t i = 0; i < count; i++)
        if (!measure_lesson(bench, names[i]))
            return false;
    print_slowest(bench);
    print_pictures(bench);
    printf("lessons: %zu, measured in %.0f s, of which this program ran %.0f s\n", count, clock_seconds() - start,
           (double)clock() / CLOCKS_PER_SEC);
    return true;
}

static void pause_for(double seconds)
{
    struct timespec const time = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&time, NULL);
}

static bool open_on_gpu(struct bench *bench, const char *lesson, bool attended, struct app **app)
{
    struct text_metrics const metrics = platform_metrics(bench->platform);
    struct app_host const host = {.attended = attended, .worker = worker_of_threads()};
    struct app_options const options = {.lesson = lesson,
                                        .on = EXECUTOR_GPU,
                                        .answered = true,
                                        .width = BENCH_WIDTH,
                                        .height = BENCH_HEIGHT,
                                        .scale = 1};
    if (!app_new(&options, &metrics, &host, app, bench->error))
        return false;
    app_frame(*app, 0);
    return true;
}

/* Turns the knob back and forth: each setting is traced on the GPU, and its picture painted. */
static bool measure_traced_turns(struct bench *bench, struct samples *samples)
{
    struct app *app;
    if (!open_on_gpu(bench, "banks", false, &app))
        return false;
    bool fine = true;
    for (int i = 0; i < BENCH_TURNS && fine; i++) {
        app_forget_runs(app);
        fine = timed_press(bench, app, i % 2 ? KEY_LEFT_BRACKET : KEY_RIGHT_BRACKET, samples);
    }
    bench_report(bench, TURN, "traced on the GPU", samples);
    app_free(app);
    return fine;
}

/* Runs the window's loop without a window until the app has measured everything. Returns the longest frame in
 * seconds. */
static double frames_until_measured(struct app *app, size_t *frames)
{
    double longest = 0, last = clock_seconds(), wait;
    while ((wait = app_wait(app)) < 1e6) {
        pause_for(fmax(1.0 / 60, fmin(wait, 0.1)));
        double const now = clock_seconds();
        app_frame(app, now - last);
        longest = fmax(longest, clock_seconds() - now);
        last = now;
        (*frames)++;
    }
    return longest;
}

/* Measures the effect of the GPU's measurements, which run beside the window, on its frames and keys. */
static bool measure_beside(struct bench *bench, const char *lesson, struct samples *samples)
{
    enum { BESIDE_TURNS = 12 };
    struct app *app;
    size_t frames = 0;
    if (!open_on_gpu(bench, lesson, true, &app))
        return false;
    double const longest = frames_until_measured(app, &frames);
    printf("%-14s the longest frame while the GPU measures: %.1f ms, of %zu\n", lesson, longest * 1e3, frames);
    bool fine = true;
    for (int i = 0; i < BESIDE_TURNS && fine; i++) {
        press(app, KEY_RIGHT_BRACKET, 0);
        app_frame(app, 0);
        app_frame(app, 1); /* the setting has rested long enough, so the measurement begins */
        pause_for(0.005 * i);
        fine = timed_press(bench, app, KEY_RIGHT_BRACKET, samples);
    }
    bench_report(bench, TURN, "while the GPU measures", samples);
    app_free(app);
    return fine;
}

static bool measure_gpu(struct bench *bench)
{
    static const char *const lessons[] = {"banks", "adjdiff"};
    struct cuda_device device;
    struct samples samples = {0};
    if (!cuda_device(&device, NULL)) {
        printf("no GPU: the wait for a GPU after a turned knob was not measured\n");
        return true;
    }
    printf("\n%s\n", device.name);
    bool fine = true;
    for (size_t i = 0; i < sizeof lessons / sizeof lessons[0] && fine; i++) {
        struct lesson *lesson;
        fine = lesson_load(lessons[i], &lesson, bench->error);
        if (!fine)
            break;
        bench->lesson = lesson;
        fine = (i || measure_traced_turns(bench, &samples)) && measure_beside(bench, lessons[i], &samples);
        lesson_free(lesson);
    }
    free(samples.items);
    return fine;
}

/* Returns whether all lessons can be loaded, so that a wrong name is refused before anything is measured. */
static bool lessons_load(const char *const *names, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        struct lesson *lesson;
        if (!lesson_load(names[i], &lesson, error))
            return false;
        lesson_free(lesson);
    }
    return true;
}

int cli_bench_ui(const struct cli_options *options)
{
    struct arena arena = {0};
    struct error error, *errors;
    struct bench bench = {.error = &error};
    const char **installed;
    size_t error_count;
    size_t const installed_count = lesson_names_installed(&arena, &installed, &errors, &error_count);
    bool const chosen = options->targets.count > 1;
    const char *const *names = chosen ? options->targets.items + 1 : installed;
    size_t const count = chosen ? (size_t)options->targets.count - 1 : installed_count;
    for (size_t i = 0; i < error_count && !chosen; i++)
        cli_fail(&errors[i]); /* the others are measured */
    bool const fine = lessons_load(names, count, &error) && platform_open_headless(&bench.platform, &error) &&
                      measure_lessons(&bench, names, count) && bench_window(&bench) && (chosen || measure_gpu(&bench));
    platform_close(bench.platform);
    free(bench.lines.items);
    arena_free(&arena);
    return fine ? CLI_FINE : cli_fail(&error);
}
