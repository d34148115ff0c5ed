/* `record --counters` runs `launch` under Nsight Compute: the profiler counts, and `launch` makes the launches. It
 * takes no times, because the profiler slows the launches down. */
#include "cli/cli.h"
#include "lesson/recording.h"
#include "recording/counting.h"
#include <stdio.h>
#include <unistd.h>

int command_launch(struct cli_options *options)
{
    struct error error;
    if (options->targets.count != 1)
        return cli_usage("launch needs one TARGET, a lesson, a .cu or a .ptx file: lanescope launch banks");
    const char *target = options->targets.items[0];
    if (target_is_file(target)) {
        struct run_file_request request;
        bool const launched = cli_launch_request(options, target, &request, &error) && file_launch(&request, &error);
        return launched ? CLI_FINE : cli_fail(&error);
    }
    struct lesson *lesson;
    if (!lesson_load(target, &lesson, &error))
        return cli_fail(&error);
    bool const fine = lesson_launch_all(lesson, &error);
    lesson_free(lesson);
    return fine ? CLI_FINE : cli_fail(&error);
}

/* Returns the command line of `launch` with the options of this command. */
static const char *const *launch_command(struct cli_options *options, const char *target)
{
    static const char *const compilers[] = {"any", "nvrtc", "clang", "shipped"};
    struct arena *arena = &options->arena;
    char self[4096];
    ssize_t const length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    const char **words =
        arena_array(arena, const char *, 16 + options->launch.define_count + options->launch.argument_count);
    size_t count = 0;
    words[count++] = arena_text(arena, self);
    words[count++] = "launch";
    words[count++] = target;
    const struct run_file_request *launch = &options->launch;
    if (launch->kernel)
        words[count++] = arena_format(arena, "--kernel=%s", launch->kernel);
    for (int i = 0; i < 2; i++) {
        const uint32_t *size = i ? launch->block : launch->grid;
        if (size[0])
            words[count++] = arena_format(arena, "--%s=%u,%u,%u", i ? "block" : "grid", size[0], size[1], size[2]);
    }
    if (launch->shared_said)
        words[count++] = arena_format(arena, "--shared=%u", launch->shared_bytes);
    words[count++] = arena_format(arena, "--compiler=%s", compilers[launch->compiler]);
    for (size_t i = 0; i < launch->define_count; i++)
        words[count++] = arena_format(arena, "--define=%s=%s", launch->defines[i].name, launch->defines[i].value);
    for (size_t i = 0; i < launch->argument_count; i++)
        words[count++] = arena_format(arena, "--arg=%s", launch->arguments[i]);
    if (!target_is_file(target))
        words[3] = NULL; /* a lesson takes none of these options */
    return words;
}

/* Prints the number of launches at the start. Counting takes minutes, and the profiler's output goes to a file. */
static void tell_beginning(const struct lesson *lesson, const struct profiler *profiler)
{
    size_t const count = lesson_counted_launches(lesson);
    printf("%s: %s counts %zu launches, some 0.2 seconds each\n", lesson->name, profiler->name, count);
    fflush(stdout);
}

static bool count_one(struct cli_options *options, const char *target, const struct profiler *profiler,
                      struct error *error)
{
    struct counting const how = {
        .profiler = profiler, .command = launch_command(options, target), .folder = options->output};
    struct counting_result result;
    struct lesson *lesson;
    bool fine;
    if (target_is_file(target)) {
        struct run_file_request request;
        fine = cli_launch_request(options, target, &request, error) && file_count(&request, &how, &result, error);
    } else if (!lesson_load(target, &lesson, error)) {
        return false;
    } else {
        tell_beginning(lesson, profiler);
        fine = lesson_count(lesson, &how, &result, error);
        lesson_free(lesson);
    }
    if (fine)
        printf("%s: %zu launches counted by %s, in %s\n", target, result.launches, profiler->name, result.path);
    return fine;
}

int cli_record_counters(struct cli_options *options)
{
    struct error error;
    struct profiler profiler;
    const char **names;
    size_t count;
    if (!profiler_find(&profiler, &error))
        return cli_fail(&error);
    int status = cli_lessons(options, &names, &count);
    for (size_t i = 0; i < count; i++)
        if (!count_one(options, names[i], &profiler, &error))
            status = cli_fail(&error);
    return status;
}
