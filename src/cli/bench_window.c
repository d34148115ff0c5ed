/* `bench ui` in a real window, where there is a display: the first frame of a fresh process, the heaviest step played,
 * the slowest knob turned, and what a window costs that nobody touches. */
#include "base/file.h"
#include "cli/bench_ui.h"
#include "compile/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { STARTS = 7 };

static struct window_place const place = {.width = BENCH_WIDTH, .height = BENCH_HEIGHT};

/* Returns the most memory that this process has taken, in MB. */
static double memory_peak(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss * 1024 / 1e6 : 0;
}

static double processor_time(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int cli_bench_start(const struct cli_options *options)
{
    struct error error;
    struct bench bench = {.error = &error, .window = true};
    struct lesson *lesson = NULL;
    struct app *app = NULL;
    bool fine = lesson_load(options->targets.items[1], &lesson, &error);
    bench.lesson = lesson;
    fine = fine && platform_open_window("Lanescope", &place, &bench.platform, &error) &&
           bench_open(&bench, 0, false, &app) &&
           platform_show(bench.platform, app_frame(app, 0), app_background(app), &error);
    if (fine)
        printf("%.6f %.6f %.3f\n", clock_seconds(), processor_time(), memory_peak());
    app_free(app);
    platform_close(bench.platform);
    lesson_free(lesson);
    return fine ? CLI_FINE : cli_fail(&error);
}

/* Starts this program at the lesson, in a window, and reads when its first frame was shown. */
static bool start_once(struct bench *bench, const char *output, struct samples *samples, double *memory)
{
    const char *const words[] = {"/proc/self/exe", "bench", "start", bench->lesson->name, NULL};
    double const start = clock_seconds();
    double shown = 0, own = 0, megabytes = 0;
    int const status = process_run(words, ".", output, 60, NULL);
    FILE *file = status == 0 ? fopen(output, "r") : NULL;
    bool const read = file && fscanf(file, "%lf %lf %lf", &shown, &own, &megabytes) == 3;
    if (file)
        fclose(file);
    if (!read)
        return error_set(bench->error, ERROR_MISSING, "the program cannot be started from itself to measure its start");
    array_push(samples, ((struct sample){.whole = shown - start, .own = own}));
    *memory = megabytes > *memory ? megabytes : *memory;
    return true;
}

static bool measure_starts(struct bench *bench, struct samples *samples)
{
    struct arena arena = {0};
    struct workplace workplace;
    double memory = 0;
    if (!workplace_open(&workplace))
        return error_set(bench->error, ERROR_MISSING, "no temporary folder can be made");
    const char *output = arena_format(&arena, "%s/start", workplace.folder);
    bool fine = true;
    for (int i = 0; i < STARTS && fine; i++)
        fine = start_once(bench, output, samples, &memory);
    workplace_close(&workplace);
    arena_free(&arena);
    bench_report(bench, WINDOW_START, "of a new process", samples);
    if (fine)
        printf("%-14s memory at the first frame: %.0f MB\n", bench->lesson->name, memory);
    return fine;
}

/* Returns the line of the kind that took longest, or NULL. */
static const struct line *slowest_of(const struct bench *bench, enum bench_kind kind)
{
    const struct line *slowest = NULL;
    for (size_t i = 0; i < bench->lines.count; i++) {
        const struct line *line = &bench->lines.items[i];
        if (line->kind == kind && line->beat >= 0 && (!slowest || line->own_p99 > slowest->own_p99))
            slowest = line;
    }
    return slowest;
}

/* Leaves the window alone for a second. */
static bool measure_rest(struct bench *bench, int beat)
{
    static const double rest = 1;
    struct app *app;
    size_t frames = 0;
    if (!bench_open(bench, beat, true, &app))
        return false;
    bool fine = platform_rest(bench->platform, app, rest, &frames, bench->error);
    bench_settle(app);
    double const before = processor_time();
    fine = fine && platform_rest(bench->platform, app, rest, &frames, bench->error);
    if (fine)
        printf("%-14s nobody touches it for %.0f s: %zu frames, %.1f ms of processor time\n", bench->lesson->name, rest,
               frames, (processor_time() - before) * 1e3);
    app_free(app);
    return fine;
}

/* Prints what the last frames of a played step made the window do. */
static void print_work(const struct bench *bench)
{
    struct platform_work work;
    platform_last_work(bench->platform, &work);
    printf("%-14s the last of these frames: parts %zu, vertices %zu, glyphs drawn so far %zu, overdraw %.2f, %s %.1f "
           "%% of the window\n",
           bench->lesson->name, work.parts, work.vertices, work.glyphs, work.overdraw,
           work.on_processor ? "painted anew" : "drawn by the graphics processor", work.painted * 100);
}

static bool measure_slowest(struct bench *bench, const struct line *line, struct samples *samples)
{
    struct lesson *lesson;
    struct line const at = *line; /* a new line may move the others */
    if (!lesson_load(at.lesson, &lesson, bench->error))
        return false;
    bench->lesson = lesson;
    bool fine;
    if (at.kind == PLAY) {
        fine = bench_play(bench, at.beat, BENCH_PLAYED, samples);
        bench_report(bench, WINDOW_PLAY, lesson->beats[at.beat].id, samples);
        print_work(bench);
        fine = fine && measure_rest(bench, at.beat);
    } else {
        fine = bench_turn(bench, at.beat, at.knob, BENCH_TURNS, samples);
        bench_report(bench, WINDOW_TURN, lesson->knobs[at.knob].name, samples);
    }
    lesson_free(lesson);
    return fine;
}

bool bench_window(struct bench *bench)
{
    const struct line *played = slowest_of(bench, PLAY), *turned = slowest_of(bench, TURN);
    struct platform *const before = bench->platform;
    struct samples samples = {0};
    struct error why;
    bench->platform = NULL;
    if (!platform_open_window("Lanescope", &place, &bench->platform, &why)) {
        printf("no window: %s; what happens in a window was not measured\n", why.message);
        bench->platform = before;
        return true;
    }
    char status[256];
    printf("\nin a window: %s; act, draw, paint and show\n", platform_renderer(bench->platform, status, sizeof status));
    bench->window = true;
    struct line const turn = turned ? *turned : (struct line){.beat = -1};
    bool fine = !played || measure_slowest(bench, played, &samples);
    fine = fine && (!turned || measure_slowest(bench, &turn, &samples));
    platform_close(bench->platform);
    bench->platform = before;
    bench->window = false;
    struct lesson *lesson = NULL;
    if (fine && bench->lines.count && lesson_load(bench->lines.items[0].lesson, &lesson, bench->error)) {
        bench->lesson = lesson;
        fine = measure_starts(bench, &samples);
    }
    lesson_free(lesson);
    free(samples.items);
    return fine;
}
