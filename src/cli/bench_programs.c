/* `bench programs`: the processor time of whole CUDA programs, counted and checked, beside that of the same loops in C.
 * assets/bench has each program twice: NAME.cu, and NAME.c for the processor, which runs the threads one after another.
 * All processes of a run count, from their start to their end. Then the elapsed time of each program's checked launch
 * in a larger size, on 1, 2, 4 processors and so on. */
#include "base/file.h"
#include "cli/cli.h"
#include "program/program.h"
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ROUNDS = 3, WORDS = 8 };
enum how { NATIVE, COUNTED, CHECKED, HOWS };
static const char *const names[] = {"adjacent_difference", "naive_product", "tiled_product",
                                    "reduction",           "stencil",       "histogram"};
static const char *const larger[] = {"33554432", "1024", "1024", "33554432", "4096", "33554432"};
enum { PROGRAMS = sizeof names / sizeof *names };

struct made { /* a program, built for both */
    const char *native, *cuda;
};

/* Runs a command to its end, with its output in a file. Returns the processor time of all its processes in *seconds. */
static bool spend(const char *const *words, const char *output, double *seconds, struct error *error)
{
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    pid_t child;
    int status = 0;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return error_set(error, ERROR_MISSING, "%s cannot be started", words[0]);
    bool started =
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0 &&
        posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    started = started && wait4(child, &status, 0, &usage) == child;
    if (!started || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(error, ERROR_MISSING, "%s did not run to a good end", words[0]);
    *seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    return true;
}

/* Builds the CUDA program, and with `native` its twin. */
static bool make(struct arena *arena, const char *folder, const char *name, bool native, struct made *made,
                 struct error *error)
{
    struct program_built built;
    double seconds;
    const char *source = data_path(arena, "assets/bench/%s.cu", name);
    made->cuda = arena_format(arena, "%s/%s", folder, name);
    made->native = arena_format(arena, "%s/%s_native", folder, name);
    struct program_build_request const request = {.files = &source, .file_count = 1, .output = made->cuda};
    const char *const compiler[WORDS] = {"cc", "-O2", "-o", made->native, data_path(arena, "assets/bench/%s.c", name),
                                         NULL};
    return program_build(arena, &request, &built, error) && (!native || spend(compiler, "/dev/null", &seconds, error));
}

static bool run_made(struct arena *arena, const char *folder, const struct made *made, enum how how, double *seconds,
                     struct error *error)
{
    const char *const native[WORDS] = {made->native, NULL};
    const char *const counted[WORDS] = {"/proc/self/exe", "exec", "--on",     "emulator",
                                        "--check",        "none", made->cuda, NULL};
    const char *const checked[WORDS] = {"/proc/self/exe", "exec", "--on", "emulator", made->cuda, NULL};
    const char *output = arena_format(arena, "%s/output_%d", folder, how);
    return spend(how == NATIVE ? native : how == COUNTED ? counted : checked, output, seconds, error);
}

/* Whether the runs on the emulator have printed first what the native one printed. */
static bool agree(struct arena *arena, const char *folder, const char *name, struct error *error)
{
    char *text[HOWS];
    size_t size[HOWS];
    for (int how = 0; how < HOWS; how++)
        if (!file_read(arena, arena_format(arena, "%s/output_%d", folder, how), &text[how], &size[how], error))
            return false;
    for (int how = COUNTED; how < HOWS; how++)
        if (size[how] < size[NATIVE] || memcmp(text[how], text[NATIVE], size[NATIVE]) != 0)
            return error_set(error, ERROR_INPUT, "%s prints something else than on the processor", name);
    return true;
}

static int by_value(const void *a, const void *b)
{
    double const x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The medians of all rounds, from `from` on. */
static bool run_rounds(struct arena *arena, const char *folder, const struct made *made, enum how from, double *middle,
                       struct error *error)
{
    double seconds[HOWS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (int how = (int)from; how < HOWS; how++)
            if (!run_made(arena, folder, made, (enum how)how, &seconds[how][round], error))
                return false;
    for (int how = (int)from; how < HOWS; how++) {
        qsort(seconds[how], ROUNDS, sizeof **seconds, by_value);
        middle[how] = seconds[how][ROUNDS / 2];
    }
    return true;
}

static bool measure(struct arena *arena, const char *folder, const char *name, const double *empty, double *log_sums,
                    struct error *error)
{
    struct made made;
    double middle[HOWS];
    if (!make(arena, folder, name, true, &made, error) || !run_rounds(arena, folder, &made, NATIVE, middle, error) ||
        !agree(arena, folder, name, error))
        return false;
    double const counted = middle[COUNTED] - empty[COUNTED], checked = middle[CHECKED] - empty[CHECKED];
    log_sums[COUNTED] += log(counted / middle[NATIVE]);
    log_sums[CHECKED] += log(checked / middle[NATIVE]);
    printf("%-22s %9.3f %9.3f %9.3f %10.1f %9.1f\n", name, middle[NATIVE], counted, checked, counted / middle[NATIVE],
           checked / middle[NATIVE]);
    fflush(stdout);
    return true;
}

/* The time of a program without a launch, which every run takes. The first runs fill the caches. */
static bool measure_empty(struct arena *arena, const char *folder, double *empty, struct error *error)
{
    struct made made;
    return make(arena, folder, "empty", false, &made, error) &&
           run_rounds(arena, folder, &made, COUNTED, empty, error) &&
           run_rounds(arena, folder, &made, COUNTED, empty, error);
}

/* Lets this process, and the programs that it starts, use the first `count` of some processors. */
static bool use_processors(const cpu_set_t *all, int count)
{
    cpu_set_t some;
    CPU_ZERO(&some);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&some) < count; i++)
        if (CPU_ISSET(i, all))
            CPU_SET(i, &some);
    return sched_setaffinity(0, sizeof some, &some) == 0;
}

/* The elapsed time of a program's launches, the least of all rounds. */
static bool time_launches(const char *path, const char *size, double *least, struct error *error)
{
    *least = 0;
    struct program_run_request const request = {.path = path,
                                                .arguments = &size,
                                                .argument_count = 1,
                                                .checks = {.memory = true, .races = true},
                                                .blocks = {1, 0}};
    for (int round = 0; round < ROUNDS; round++) {
        struct program_run *run;
        double seconds = 0;
        if (!program_run(&request, &run, error))
            return false;
        for (uint32_t i = 0; i < run->launch_count; i++) {
            const struct program_call *call = &run->calls[run->launches[i].call];
            seconds += call->end_s - call->begin_s;
        }
        bool const good = run->end == PROGRAM_EXITED && run->status == 0 && run->launch_count;
        program_run_free(run);
        if (!good)
            return error_set(error, ERROR_MISSING, "%s did not run to a good end", path);
        if (!round || seconds < *least)
            *least = seconds;
    }
    return true;
}

/* The programs are built already. */
static bool measure_processors(struct arena *arena, const char *folder, struct error *error)
{
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2)
        return true;
    printf("\nlaunches with all checks: elapsed milliseconds, least of %d, and speed a processor\n%-22s %-8s", ROUNDS,
           "on processors", "size");
    for (int count = 1; count <= CPU_COUNT(&all); count *= 2)
        printf(" %8d     ", count);
    bool fine = true;
    for (int i = 0; i < PROGRAMS && fine; i++) {
        const char *path = arena_format(arena, "%s/%s", folder, names[i]);
        double seconds = 0, one = 0;
        printf("\n%-22s %-8s", names[i], larger[i]);
        for (int count = 1; count <= CPU_COUNT(&all) && fine; count *= 2) {
            fine = use_processors(&all, count) && time_launches(path, larger[i], &seconds, error);
            one = count == 1 ? seconds : one;
            if (fine)
                printf(" %8.1f %4.2f", seconds * 1e3, one / seconds / count);
            fflush(stdout);
        }
    }
    putchar('\n');
    sched_setaffinity(0, sizeof all, &all);
    return fine;
}

static void remove_folder(const char *folder)
{
    struct arena arena = {0};
    for (int i = 0; i < PROGRAMS; i++) {
        unlink(arena_format(&arena, "%s/%s", folder, names[i]));
        unlink(arena_format(&arena, "%s/%s_native", folder, names[i]));
    }
    unlink(arena_format(&arena, "%s/empty", folder));
    for (int how = 0; how < HOWS; how++)
        unlink(arena_format(&arena, "%s/output_%d", folder, how));
    rmdir(folder);
    arena_free(&arena);
}

int cli_bench_programs(struct cli_options *options)
{
    struct arena *arena = &options->arena;
    struct error error;
    double empty[HOWS] = {0}, log_sums[HOWS] = {0};
    char folder[] = "/tmp/lanescope-bench-XXXXXX";
    if (!mkdtemp(folder)) {
        error_set(&error, ERROR_MISSING, "no folder can be made in /tmp");
        return cli_fail(&error);
    }
    printf(
        "processor time in seconds, medians of %d; native: cc -O2, one processor; the others less an empty program's\n"
        "%-22s %9s %9s %9s %10s %9s\n",
        ROUNDS, "", "native", "counted", "checked", "counted/n", "checked/n");
    bool fine = measure_empty(arena, folder, empty, &error);
    for (int i = 0; i < PROGRAMS && fine; i++)
        fine = measure(arena, folder, names[i], empty, log_sums, &error);
    if (fine)
        printf("%-22s %9s %9s %9s %10.1f %9.1f\n", "geometric mean", "", "", "", exp(log_sums[COUNTED] / PROGRAMS),
               exp(log_sums[CHECKED] / PROGRAMS));
    fine = fine && measure_processors(arena, folder, &error);
    remove_folder(folder);
    return fine ? CLI_FINE : cli_fail(&error);
}
