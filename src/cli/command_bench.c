/* `bench`: figures measured here and now, each the median of several runs after a warm-up. docs/performance.md quotes
 * them with the command that produces them. */
#include "app/app.h"
#include "cli/cli.h"
#include "ptx/parse.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BENCH_RUNS = 5, BENCH_BUFFERS = 3, BENCH_ARGUMENTS = 6 };

struct bench_argument {
    uint64_t floats; /* a buffer of so many 4-byte elements; 0: a scalar */
    uint64_t scalar;
};

struct bench_case {
    const char *name, *source, *kernel;
    uint32_t grid[3], block[3], shared_bytes;
    struct bench_argument arguments[BENCH_ARGUMENTS];
    int argument_count;
};

static const struct bench_case cases[] = {
    {"adjacent difference, 16 Mi floats",
     "adjdiff.cu",
     "adjdiff_global",
     {65536, 1, 1},
     {256, 1, 1},
     0,
     {{.floats = 1 << 24}, {.floats = 1 << 24}, {.scalar = 1 << 24}},
     3},
    {"adjacent difference through shared memory",
     "adjdiff.cu",
     "adjdiff_shared",
     {65536, 1, 1},
     {256, 1, 1},
     0,
     {{.floats = 1 << 24}, {.floats = 1 << 24}, {.scalar = 1 << 24}},
     3},
    {"naive matrix product, 512 x 512",
     "matmul.cu",
     "matmul_naive",
     {32, 32, 1},
     {16, 16, 1},
     0,
     {{.floats = 1 << 18}, {.floats = 1 << 18}, {.floats = 1 << 18}, {.scalar = 512}},
     4},
    {"tiled matrix product, 512 x 512, 16 x 16 tiles",
     "matmul.cu",
     "matmul_tiled",
     {32, 32, 1},
     {16, 16, 1},
     0,
     {{.floats = 1 << 18}, {.floats = 1 << 18}, {.floats = 1 << 18}, {.scalar = 512}},
     4},
    {"32-way divergence, 1 Mi threads",
     "divergence.cu",
     "divergence",
     {4096, 1, 1},
     {256, 1, 1},
     0,
     {{.floats = 1 << 20}, {.scalar = 32}, {.scalar = 32}},
     3},
    {"reduction, 16 Mi floats",
     "reduction.cu",
     "reduction",
     {65536, 1, 1},
     {256, 1, 1},
     1024,
     {{.floats = 1 << 16}, {.floats = 1 << 24}, {.scalar = 1 << 24}},
     3},
};

struct bench_launch { /* a case made ready: its program and its memory */
    struct arena arena;
    struct ptx_program *program;
    struct launch launch;
    struct launch_buffer buffers[BENCH_BUFFERS];
    struct launch_argument arguments[BENCH_ARGUMENTS];
};

static void bench_free(struct bench_launch *ready)
{
    for (uint32_t i = 0; i < ready->launch.buffer_count; ++i)
        free(ready->buffers[i].data);
    arena_free(&ready->arena);
}

static bool bench_prepare(const struct bench_case *bench, struct bench_launch *ready, struct error *error)
{
    *ready = (struct bench_launch){0};
    struct launch *launch = &ready->launch;
    launch->kernel = bench->kernel;
    launch->shared_bytes = bench->shared_bytes;
    launch->buffers = ready->buffers;
    launch->arguments = ready->arguments;
    memcpy(launch->grid, bench->grid, sizeof launch->grid);
    memcpy(launch->block, bench->block, sizeof launch->block);
    for (int i = 0; i < bench->argument_count; ++i) {
        const struct bench_argument *argument = &bench->arguments[i];
        struct launch_argument *made = &ready->arguments[launch->argument_count++];
        *made = (struct launch_argument){.type = PTX_U32, .bits = argument->scalar};
        if (!argument->floats)
            continue;
        float *data = malloc(argument->floats * sizeof *data);
        if (!data)
            return error_set(error, ERROR_MISSING, "no memory for %llu floats", (unsigned long long)argument->floats);
        for (uint64_t k = 0; k < argument->floats; ++k)
            data[k] = (float)(k % 1000) / 8;
        *made = (struct launch_argument){.is_buffer = true, .buffer = launch->buffer_count};
        ready->buffers[launch->buffer_count++] =
            (struct launch_buffer){.name = "", .type = PTX_F32, .count = argument->floats, .data = data};
    }
    struct compile_request const request = {.path = data_path(&ready->arena, "kernels/%s", bench->source)};
    struct compile_result compiled;
    return compile_cuda(&ready->arena, &request, &compiled, error) &&
           ptx_parse(&ready->arena, bench->source, compiled.ptx, compiled.ptx_size, &ready->program, error);
}

static int by_value(const void *a, const void *b)
{
    double const x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One run on the emulator with all counters on: its seconds and its totals. */
static bool bench_once(const struct bench_launch *ready, unsigned threads, double *seconds, struct trace_totals *totals,
                       struct error *error)
{
    struct arena arena = {0};
    uint32_t site_count;
    const struct trace_site *sites = trace_sites(&arena, ready->program, &site_count);
    struct counts_tally *tally = counts_tally_new(sites, site_count);
    struct emulator_options const options = {
        .recorded = {1, 0}, .threads = threads, .listener = counts_listener(tally)};
    struct emulator_result result;
    double const start = clock_seconds();
    bool const fine = emulator_run(ready->program, &ready->launch, &options, &result, error);
    struct counts counts = {0};
    if (fine)
        counts_tally_sum(tally, &arena, &counts);
    *seconds = clock_seconds() - start;
    if (fine) {
        *totals = result.trace->totals;
        trace_free(result.trace);
    }
    counts_tally_free(tally);
    arena_free(&arena);
    return fine;
}

static bool bench_emulated(const struct bench_case *bench, unsigned threads, struct error *error)
{
    struct bench_launch ready;
    bool fine = bench_prepare(bench, &ready, error);
    double seconds[BENCH_RUNS + 1] = {0};
    struct trace_totals totals = {0};
    for (int i = 0; i <= BENCH_RUNS && fine; ++i)
        fine = bench_once(&ready, threads, &seconds[i], &totals, error);
    if (fine) {
        qsort(seconds + 1, BENCH_RUNS, sizeof *seconds, by_value); /* the first was the warm-up */
        double const median = seconds[1 + BENCH_RUNS / 2];
        printf("%-48s %8.1f ms  %6.2f G thread instructions/s  (%.1f to %.1f ms)\n", bench->name, median * 1e3,
               (double)totals.thread_instructions / median / 1e9, seconds[1] * 1e3, seconds[BENCH_RUNS] * 1e3);
        fflush(stdout);
    }
    bench_free(&ready);
    return fine;
}

static int bench_emulator(const struct cli_options *options)
{
    unsigned const threads = options->threads ? options->threads : 1;
    struct error error;
    printf("emulator, %u thread%s, counters on, median of %d runs after one\n", threads, threads == 1 ? "" : "s",
           BENCH_RUNS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        if (!bench_emulated(&cases[i], threads, &error))
            return cli_fail(&error);
    return CLI_FINE;
}

/* What recording costs on this machine's GPU: the kernel's own time, and one recorded run as the user waits for it. */
static int bench_trace(void)
{
    struct error error;
    puts("GPU: the kernel alone (median between two events), and a run with every access recorded (wall clock)");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct bench_launch ready;
        struct cuda_time time;
        struct trace *trace = NULL;
        bool const fine = bench_prepare(&cases[i], &ready, &error) &&
                          cuda_time_kernel(ready.program, &ready.launch, 30, &time, &error);
        double const start = clock_seconds();
        if (!fine || !cuda_trace(ready.program, &ready.launch, LAUNCH_ALL_BLOCKS, NULL, &trace, &error)) {
            bench_free(&ready);
            return cli_fail(&error);
        }
        printf("%-48s %10.1f us  %10.1f ms recorded, %zu events, %llu lost\n", cases[i].name, time.median,
               (clock_seconds() - start) * 1e3, trace->events.count, (unsigned long long)trace->lost);
        trace_free(trace);
        bench_free(&ready);
    }
    return CLI_FINE;
}

static float fixed_width(void *context, enum font_role role, float size, const char *text, size_t length)
{
    (void)context, (void)role, (void)text;
    return 0.6F * size * (float)length;
}

static float fixed_ascent(void *context, enum font_role role, float size)
{
    (void)context, (void)role;
    return 0.8F * size;
}

static float fixed_descent(void *context, enum font_role role, float size)
{
    (void)context, (void)role;
    return 0.2F * size;
}

/* From a key to the new picture's draw list: a knob turned (a whole new run) and a step on the timeline. */
static int bench_ui(void)
{
    enum { TURNS = 60, KEY_RIGHT_BRACKET = 48, KEY_RIGHT = 79 };
    struct text_metrics const metrics = {NULL, fixed_width, fixed_ascent, fixed_descent};
    struct app_options const app_options = {
        .lesson = "banks", .on = "emulator", .answered = true, .width = 1920, .height = 1080, .scale = 1};
    static const struct {
        const char *name;
        int key;
    } keys[] = {{"a knob turned, compiled, run, drawn", KEY_RIGHT_BRACKET}, {"one access forward, drawn", KEY_RIGHT}};
    struct error error;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k) {
        struct app *app;
        if (!app_new(&app_options, &metrics, NULL, &app, &error))
            return cli_fail(&error);
        double seconds[TURNS];
        app_frame(app, 1e6);
        for (int i = 0; i < TURNS; ++i) {
            double const start = clock_seconds();
            app_event(app, &(struct app_event){.kind = APP_KEY, .key = keys[k].key});
            app_frame(app, 1e6);
            seconds[i] = clock_seconds() - start;
        }
        qsort(seconds, TURNS, sizeof *seconds, by_value);
        printf("%-48s median %7.2f ms, slowest of %d %7.2f ms\n", keys[k].name, seconds[TURNS / 2] * 1e3, TURNS,
               seconds[TURNS - 1] * 1e3);
        app_free(app);
    }
    return CLI_FINE;
}

int command_bench(struct cli_options *options)
{
    if (options->targets.count > 1)
        return cli_usage("bench takes one word: emulator, trace or ui");
    const char *what = options->targets.count ? options->targets.items[0] : "emulator";
    if (strcmp(what, "emulator") == 0)
        return bench_emulator(options);
    if (strcmp(what, "trace") == 0)
        return bench_trace();
    if (strcmp(what, "ui") == 0)
        return bench_ui();
    return cli_usage("bench knows emulator, trace and ui, not '%s'", what);
}
