/* `bench`: figures measured now on this computer, each the median of several runs after a warm-up. docs/performance.md
 * quotes them with the command that produces each. */
#include "cli/cli.h"
#include "cuda/facts.h"
#include "emulator/emulator.h"
#include "ptx/parse.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BENCH_RUNS = 5, BENCH_BUFFERS = 3, BENCH_ARGUMENTS = 6 };

struct bench_argument {
    uint64_t floats; /* number of 4-byte elements of a buffer; 0: a scalar */
    uint64_t scalar;
};

struct bench_case {
    const char *name, *source, *kernel;
    unsigned where;
    uint32_t grid[3], block[3], shared_bytes;
    struct bench_argument arguments[BENCH_ARGUMENTS];
    int argument_count;
};

/* Where a case runs: on the emulator, or traced on a GPU, which needs launches that fill it. */
enum { ON_EMULATOR = 1, TRACED = 2 };
static const struct bench_case cases[] = {
    {"adjacent difference, 16 Mi floats",
     "adjdiff.cu",
     "adjdiff_global",
     ON_EMULATOR | TRACED,
     {65536, 1, 1},
     {256, 1, 1},
     0,
     {{.floats = 1 << 24}, {.floats = 1 << 24}, {.scalar = 1 << 24}},
     3},
    {"adjacent difference through shared memory",
     "adjdiff.cu",
     "adjdiff_shared",
     ON_EMULATOR | TRACED,
     {65536, 1, 1},
     {256, 1, 1},
     0,
     {{.floats = 1 << 24}, {.floats = 1 << 24}, {.scalar = 1 << 24}},
     3},
    {"naive matrix product, 512 x 512",
     "matmul.cu",
     "matmul_naive",
     ON_EMULATOR,
     {32, 32, 1},
     {16, 16, 1},
     0,
     {{.floats = 1 << 18}, {.floats = 1 << 18}, {.floats = 1 << 18}, {.scalar = 512}},
     4},
    {"tiled matrix product, 512 x 512, 16 x 16 tiles",
     "matmul.cu",
     "matmul_tiled",
     ON_EMULATOR,
     {32, 32, 1},
     {16, 16, 1},
     0,
     {{.floats = 1 << 18}, {.floats = 1 << 18}, {.floats = 1 << 18}, {.scalar = 512}},
     4},
    {"tiled matrix product, 1024 x 1024, 16 x 16 tiles",
     "matmul.cu",
     "matmul_tiled",
     TRACED,
     {64, 64, 1},
     {16, 16, 1},
     0,
     {{.floats = 1 << 20}, {.floats = 1 << 20}, {.floats = 1 << 20}, {.scalar = 1024}},
     4},
    {"32-way divergence, 1 Mi threads",
     "divergence.cu",
     "divergence",
     ON_EMULATOR,
     {4096, 1, 1},
     {256, 1, 1},
     0,
     {{.floats = 1 << 20}, {.scalar = 32}, {.scalar = 32}},
     3},
    {"reduction, 16 Mi floats",
     "reduction.cu",
     "reduction",
     ON_EMULATOR,
     {65536, 1, 1},
     {256, 1, 1},
     1024,
     {{.floats = 1 << 16}, {.floats = 1 << 24}, {.scalar = 1 << 24}},
     3},
};
enum { CASES = sizeof cases / sizeof cases[0] };

struct bench_launch { /* a case ready to run: its program and its memory */
    struct arena arena;
    struct ptx_module *module;
    struct launch launch;
    struct launch_buffer buffers[BENCH_BUFFERS];
    struct launch_argument arguments[BENCH_ARGUMENTS];
};

static void bench_free(struct bench_launch *ready)
{
    for (uint32_t i = 0; i < ready->launch.buffer_count; i++)
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
    for (int i = 0; i < bench->argument_count; i++) {
        const struct bench_argument *argument = &bench->arguments[i];
        struct launch_argument *made = &ready->arguments[launch->argument_count++];
        *made = (struct launch_argument){.type = PTX_U32, .bits = argument->scalar};
        if (!argument->floats)
            continue;
        float *data = malloc(argument->floats * sizeof *data);
        if (!data)
            return error_set(error, ERROR_MISSING, "no memory for %llu floats", (unsigned long long)argument->floats);
        for (uint64_t k = 0; k < argument->floats; k++)
            data[k] = (float)(k % 1000) / 8;
        *made = (struct launch_argument){.is_buffer = true, .buffer = launch->buffer_count};
        ready->buffers[launch->buffer_count++] =
            (struct launch_buffer){.name = "", .type = PTX_F32, .count = argument->floats, .data = data};
    }
    struct compile_request const request = {.path = data_path(&ready->arena, "kernels/%s", bench->source)};
    struct compile_result compiled;
    return compile_cuda(&ready->arena, &request, &compiled, error) &&
           ptx_parse(&ready->arena, bench->source, compiled.ptx, compiled.ptx_size, &ready->module, error);
}

static int by_value(const void *a, const void *b)
{
    double const x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Runs once on the emulator with all counters on. Returns the seconds and the totals. */
static bool bench_once(const struct bench_launch *ready, unsigned threads, double *seconds, struct trace_totals *totals,
                       struct error *error)
{
    struct arena arena = {0};
    uint32_t site_count;
    const struct trace_site *sites = trace_sites(&arena, ready->module, &site_count);
    struct counts_tally *tally = counts_tally_new(sites, site_count);
    struct emulator_options const options = {
        .recorded = {1, 0}, .threads = threads, .listener = counts_listener(tally)};
    struct emulator_result result;
    double const start = clock_seconds();
    bool const fine = emulator_run(ready->module, &ready->launch, &options, &result, error);
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

struct figure { /* over several runs, in seconds */
    double median, least, most;
};

static struct figure figure_of(double *seconds, size_t count)
{
    qsort(seconds, count, sizeof *seconds, by_value);
    return (struct figure){seconds[count / 2], seconds[0], seconds[count - 1]};
}

static bool bench_timed(const struct bench_launch *ready, unsigned threads, struct figure *figure,
                        struct trace_totals *totals, struct error *error)
{
    double seconds[BENCH_RUNS + 1];
    for (int i = 0; i <= BENCH_RUNS; i++)
        if (!bench_once(ready, threads, &seconds[i], totals, error))
            return false;
    *figure = figure_of(seconds + 1, BENCH_RUNS); /* the first was the warm-up */
    return true;
}

static bool bench_emulated(const struct bench_case *bench, unsigned threads, struct error *error)
{
    struct bench_launch ready;
    struct figure one, all;
    struct trace_totals totals = {0};
    bool const fine = bench_prepare(bench, &ready, error) && bench_timed(&ready, 1, &one, &totals, error) &&
                      bench_timed(&ready, threads, &all, &totals, error);
    if (fine)
        printf("%-48s %7.1f ms (%.1f to %.1f) %6.2f G/s %8.1f ms (%.1f to %.1f) %5.2f times\n", bench->name,
               one.median * 1e3, one.least * 1e3, one.most * 1e3, (double)totals.thread_instructions / one.median / 1e9,
               all.median * 1e3, all.least * 1e3, all.most * 1e3, one.median / all.median);
    fflush(stdout);
    bench_free(&ready);
    return fine;
}

/* Measures the run behind a turn of a lesson's knob: its launch on one thread with some blocks recorded, all checks,
 * the counts and the facts. */
static bool bench_lesson(const char *name, struct error *error)
{
    enum { LESSON_RUNS = 21 };
    struct lesson *lesson;
    if (!lesson_load(name, &lesson, error))
        return false;
    struct lesson_setting setting = lesson_defaults(lesson);
    bool fine = true;
    for (setting.variant = 0; setting.variant < lesson->variant_count && fine; setting.variant++) {
        double seconds[LESSON_RUNS + 1];
        struct run *run = NULL;
        for (int i = 0; i <= LESSON_RUNS && fine; i++) {
            if (run)
                run_free(run);
            run = NULL;
            fine = run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, error);
            seconds[i] = fine ? run->seconds : 0;
        }
        if (fine) {
            struct figure const figure = figure_of(seconds + 1, LESSON_RUNS);
            printf("lesson %s, %s: %zu events recorded%*s %7.2f ms (%.2f to %.2f)\n", name,
                   lesson->variants[setting.variant].name, run->trace->events.count,
                   (int)(22 - strlen(name) - strlen(lesson->variants[setting.variant].name)), "", figure.median * 1e3,
                   figure.least * 1e3, figure.most * 1e3);
            run_free(run);
        }
    }
    lesson_free(lesson);
    return fine;
}

static int bench_emulator(const struct cli_options *options)
{
    long const processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned const threads = options->launch.options.threads ? options->launch.options.threads
                             : processors > 0                ? (unsigned)processors
                                                             : 1;
    struct arena arena = {0};
    struct error error, *errors;
    const char **names;
    size_t error_count;
    printf("emulator (%s), counters on, medians of %d runs after one: one core, then %u; G thread instructions a "
           "second\n",
           emulator_lanes(), BENCH_RUNS, threads);
    bool fine = true;
    for (size_t i = 0; i < CASES && fine; i++)
        fine = !(cases[i].where & ON_EMULATOR) || bench_emulated(&cases[i], threads, &error);
    size_t const count = lesson_names_installed(&arena, &names, &errors, &error_count);
    for (size_t i = 0; i < count && fine; i++)
        fine = bench_lesson(names[i], &error);
    arena_free(&arena);
    return fine ? CLI_FINE : cli_fail(&error);
}

/* ---- the cost of recording on a GPU: every access of every lane ---- */

enum { HEARD_WORKERS = 64 };
struct heard { /* events of one worker, on a cache line of its own */
    _Alignas(64) uint64_t events;
};

static void hear_event(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses)
{
    (void)event, (void)addresses;
    ((struct heard *)context)[worker % HEARD_WORKERS].events++;
}

static bool load_facts(struct arena *arena, struct ptx_module **module, struct error *error)
{
    struct compile_request const request = {.path = data_path(arena, "assets/gpus/facts.cu")};
    struct compile_result compiled;
    return compile_cuda(arena, &request, &compiled, error) &&
           ptx_parse(arena, "facts.cu", compiled.ptx, compiled.ptx_size, module, error);
}

enum { TRACED_RUNS = 21, FEW_BLOCKS = 4 };

struct traced {
    struct cuda_cost all, few; /* with every block recorded, and with FEW_BLOCKS of them */
    uint64_t events, lost;
    double seconds; /* as the user waits for it */
};

/* Records all blocks, of which the trace keeps the first few and the listener hears all. */
static bool trace_all(const struct bench_launch *ready, struct traced *traced, struct error *error)
{
    struct heard heard[HEARD_WORKERS] = {0};
    struct trace_listener const listener = {.context = heard, .event = hear_event};
    struct launch_blocks const kept = {0, FEW_BLOCKS - 1};
    struct trace *trace;
    struct cuda_cost once = {0};
    double const start = clock_seconds();
    if (!cuda_trace_cost(ready->module, &ready->launch, kept, &listener, &trace, &once, error))
        return false;
    traced->seconds = clock_seconds() - start;
    traced->lost = trace->lost;
    for (int i = 0; i < HEARD_WORKERS; i++)
        traced->events += heard[i].events;
    trace_free(trace);
    traced->all.repeats = TRACED_RUNS;
    if (!cuda_trace_cost(ready->module, &ready->launch, kept, &listener, &trace, &traced->all, error))
        return false;
    trace_free(trace);
    traced->few.repeats = TRACED_RUNS;
    if (!cuda_trace_cost(ready->module, &ready->launch, kept, NULL, &trace, &traced->few, error))
        return false;
    trace_free(trace);
    return true;
}

/* Compares the kernel with all blocks recorded, and with few, with the unmodified kernel in the same rounds of
 * launches. The lower bound of recording is the kernel's own time plus the time to write the records at this GPU's
 * write rate. A cost over several launches states their number and is their sum. */
static bool bench_traced(const struct bench_case *bench, double write_rate, struct error *error)
{
    struct bench_launch ready;
    struct traced traced = {0};
    bool const fine = bench_prepare(bench, &ready, error) && trace_all(&ready, &traced, error);
    bench_free(&ready);
    if (!fine)
        return false;
    const struct cuda_cost *all = &traced.all, *few = &traced.few;
    double const megabytes = (double)all->record_bytes / 1e6, least = all->alone + megabytes / write_rate * 1e12;
    printf("%s\n  kernel alone %.1f us, probed %.1f us (%.1f to %.1f, %llu launch%s): %.2f times\n", bench->name,
           all->alone, all->microseconds, all->fastest, all->slowest, (unsigned long long)all->launches,
           all->launches == 1 ? "" : "es", all->microseconds / all->alone);
    printf("  %.1f MB of records; the least would be %.1f us, %.2f times the kernel; %.2f times that was taken\n",
           megabytes, least, least / all->alone, all->microseconds / least);
    printf("  %d blocks recorded of %u: kernel alone %.1f us, probed %.1f us (%.1f to %.1f): %.3f times\n", FEW_BLOCKS,
           ready.launch.grid[0] * ready.launch.grid[1] * ready.launch.grid[2], few->alone, few->microseconds,
           few->fastest, few->slowest, few->microseconds / few->alone);
    printf("  %llu events heard, %llu lost; %.0f ms with everything around it\n", (unsigned long long)traced.events,
           (unsigned long long)traced.lost, traced.seconds * 1e3);
    fflush(stdout);
    return true;
}

/* Measures the cost of recording on this computer's GPU. */
static int bench_trace(void)
{
    struct arena arena = {0};
    struct ptx_module *facts;
    double write_rate;
    struct error error;
    bool fine = load_facts(&arena, &facts, &error) && cuda_write_rate(facts, &write_rate, &error);
    if (fine)
        printf(
            "GPU: a kernel alone and with every access of every lane recorded, launched in turn from the same inputs "
            "(medians of %d after one); this GPU writes %.0f GB/s\n",
            TRACED_RUNS, write_rate / 1e9);
    for (size_t i = 0; i < CASES && fine; i++)
        fine = !(cases[i].where & TRACED) || bench_traced(&cases[i], write_rate, &error);
    arena_free(&arena);
    return fine ? CLI_FINE : cli_fail(&error);
}

/* Prints this computer's GPU and the speed of its memories in the form of assets/gpus. */
static int bench_device(void)
{
    struct arena arena = {0};
    struct ptx_module *module;
    struct cuda_device device;
    const struct cuda_fact *facts;
    size_t count;
    struct error error;
    char date[11];
    clock_date(date);
    bool const fine = cuda_device(&device, &error) && load_facts(&arena, &module, &error) &&
                      cuda_facts(&arena, module, &facts, &count, &error);
    if (fine) {
        printf("# Made by `lanescope bench device`, with the kernels of assets/gpus/facts.cu.\n"
               "name: %s\nsource: measured\ndate: %s\ndriver: \"%s\"\nmultiprocessors: %d\nclock_mhz: %d\n"
               "memory_clock_mhz: %d\nmemory_bus_bits: %d\nl2_bytes: %d\nmemory_bytes: %zu\nfacts:\n",
               device.name, date, device.driver, device.multiprocessors, device.clock_khz / 1000,
               device.memory_clock_khz / 1000, device.memory_bus_bits, device.l2_bytes, device.memory_bytes);
        for (size_t i = 0; i < count; i++)
            printf("  - name: %s\n    value: %.4g\n    unit: %s\n    method: %s\n", facts[i].name, facts[i].value,
                   facts[i].unit, facts[i].method);
    }
    arena_free(&arena);
    return fine ? CLI_FINE : cli_fail(&error);
}

int command_bench(struct cli_options *options)
{
    const char *what = options->targets.count ? options->targets.items[0] : "emulator";
    if (strcmp(what, "ui") == 0)
        return cli_bench_ui(options);
    if (strcmp(what, "start") == 0 && options->targets.count == 2)
        return cli_bench_start(options);
    if (options->targets.count > 1)
        return cli_usage("bench takes one word, and lessons only after ui: lanescope bench ui banks");
    if (strcmp(what, "emulator") == 0)
        return bench_emulator(options);
    if (strcmp(what, "trace") == 0)
        return bench_trace();
    if (strcmp(what, "device") == 0)
        return bench_device();
    if (strcmp(what, "programs") == 0)
        return cli_bench_programs(options);
    return cli_usage("bench measures emulator, programs, trace, device or ui, not '%s'", what);
}
