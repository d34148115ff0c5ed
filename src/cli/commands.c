/* The table of commands: name, function, option groups, help and an example. */
#include "app/app.h"
#include "base/words.h"
#include "cli/cli.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The first row runs when the first word is not a command. */
const struct cli_command cli_commands[] = {
    {"window", command_window, "lcbvxrwk", "[LESSON] [--set NAME=VALUE]...",
     N_("open the window at the lesson list, a lesson, the folder of a lesson, or a file"),
     "lanescope banks --set stride=8"},
    {"view", command_view, "cbfumvxrwk", "FILE.trace|FILE.cu|FILE.ptx",
     N_("open a trace, or the run of a kernel, in the window"), "lanescope view run.trace"},
    {"list", command_list, "j", "[--json]", N_("list the lessons, their variants, and their knobs with ranges"),
     "lanescope list --json"},
    {"run", command_run, "lcbfumpdjwxr", "TARGET [options] [-- ARGUMENTS]",
     N_("run a lesson, a program (.cu with main), or a kernel of a .cu or .ptx file, without a window"),
     "lanescope run mine.cu --grid 4 --block 256 --arg f32[1024]=zero --arg f32[1024]=iota --arg i32=1024 --json"},
    {"inspect", command_inspect, "mj", "TARGET [--json]",
     N_("show what a file or a lesson contains, whether it can run, and what is wrong with a lesson"),
     "lanescope inspect mine.cu"},
    {"render", command_render, "lcbfumvxrko", "TARGET [options] -o OUT.png",
     N_("draw one frame without a window or a display: PNG, GIF, or SVG and PDF with text as text; the animation of an "
        "access: MP4 and WebM, through ffmpeg"),
     "lanescope render banks --set stride=8 --beat 3 -o banks.png"},
    {"export", command_export, "lcbfumvokhxr",
     "TARGET [options] -o OUT.pdf|OUT.html|OUT.csv|OUT.json|FOLDER|FILM [-- ARGUMENTS]",
     N_("put a lesson on paper, its steps and then the answers, or a file, its findings and then its accesses; save "
        "the film of an access: MP4, WebM, GIF; save the report of a run, with its pictures and its trace, as one "
        "HTML file; or save its accesses for other programs: a row for each lane as CSV, or its warps along the clock "
        "as JSON for Perfetto"),
     "lanescope export banks --lang ko -o banks.pdf"},
    {"build", command_build, "mor", "FILES... -o PROGRAM [-- FLAGS]",
     N_("build a CUDA program with clang and Lanescope's CUDA runtime"),
     "lanescope build -o homework main.cu helper.cpp -- -lm"},
    {"exec", command_exec, "cubdjwxr", "PROGRAM [options] [-- ARGUMENTS]",
     N_("run a built CUDA program on the emulator or the GPU and report every launch"),
     "lanescope exec ./homework -- 1024"},
    {"grade", command_grade, "qjoe", "RUBRIC.yaml SUBMISSIONS... [-o FOLDER]",
     N_("grade programs of students by results, findings, counters and source, each in a sandbox"),
     "lanescope grade transpose.yaml handed-in -o grades"},
    {"baseline", command_baseline, "yjoer", "[FILE.cu]... [--update] [-- OPTIONS]",
     N_("compare counters and findings with a file kept in a repository: status 1 if sectors, passes, launches or "
        "findings grew; -- gives the options of `run` to a new target"),
     "lanescope baseline kernels/scan.cu --update -- --grid 64 --block 256"},
    {"record", command_record, "onfum", "[LESSON...] -o DIR [--counters]",
     N_("record traces and times of every lesson on a GPU; with --counters, a profiler's counters, also of a file"),
     "lanescope record -o assets/recordings"},
    {"launch", command_launch, "fum", "TARGET [options]",
     N_("launch unmodified kernels on a GPU, once each, under a profiler"), "ncu lanescope launch banks"},
    {"compare", command_compare, "", "A.trace B.trace",
     N_("compare two traces access by access and show the first difference"),
     "lanescope compare emulator.trace gpu.trace"},
    {"doctor", command_doctor, "", "", N_("show what works on this machine and what to install"), "lanescope doctor"},
    {"bench", command_bench, "t", "[emulator|programs|trace|device|ui [LESSON...]]",
     N_("measure the figures of docs/performance.md on this machine"), "lanescope bench emulator"},
    {"complete", command_complete, "r", "bash|zsh|fish",
     N_("print the script with which a shell completes command lines of lanescope"),
     "source <(lanescope complete bash)"},
    {"manual", command_manual, "", "", N_("print the page of the manual, for man"), "lanescope manual | man -l -"},
    {"ship-ptx", command_ship_ptx, "", "", N_("regenerate assets/ptx from kernels/ with NVRTC"), "lanescope ship-ptx"},
};
const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

/* Opens streams that were closed before the start, so that a file opened later does not take their place. */
static void open_streams(void)
{
    int stream;
    do
        stream = open("/dev/null", O_RDWR);
    while (stream >= 0 && stream <= STDERR_FILENO);
    if (stream >= 0)
        close(stream);
}

/* Returns how many letters to leave out, add, change or swap with their neighbour to turn a into b. */
static int distance(const char *a, const char *b)
{
    enum { LETTERS = 32 };
    int rows[LETTERS + 1][LETTERS + 1];
    int const n = (int)strlen(a), m = (int)strlen(b);
    if (n > LETTERS || m > LETTERS)
        return LETTERS;
    for (int i = 0; i <= n; i++)
        for (int k = 0; k <= m; k++) {
            int least = i == 0 ? k : k == 0 ? i : rows[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
            if (i && k && rows[i - 1][k] + 1 < least)
                least = rows[i - 1][k] + 1;
            if (i && k && rows[i][k - 1] + 1 < least)
                least = rows[i][k - 1] + 1;
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] && rows[i - 2][k - 2] + 1 < least)
                least = rows[i - 2][k - 2] + 1;
            rows[i][k] = least;
        }
    return rows[n][m];
}

/* Returns whether the first word, which is not a command, may be a lesson. Otherwise prints whether it is a misspelt
 * command or unknown. */
static bool can_be_lesson(int argc, char **argv)
{
    const char *word = argv[1];
    if (lesson_exists(word))
        return true;
    for (size_t i = 1; i < cli_command_count; i++) {
        const char *name = cli_commands[i].name;
        if (distance(word, name) <= (strlen(name) > 4 ? 2 : 1))
            return cli_usage("no command '%s'; did you mean '%s'?", word, name), false;
    }
    bool const more = argc > 2 && argv[2][0] != '-';
    if (more)
        cli_usage("no command '%s', and no lesson of that name; lanescope --help lists the commands", word);
    return !more;
}

/* Returns the language option early, so that errors before the option is read use it, too. */
static const char *language_of(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strncmp(argv[i], "--lang", 6) == 0 && (argv[i][6] == '=' || (argv[i][6] == '\0' && i + 1 < argc)))
            return argv[i][6] ? argv[i] + 7 : argv[i + 1];
    return NULL;
}

const struct cli_command *cli_command_named(const char *name)
{
    for (size_t i = 1; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

/* Returns the command of a command line, and in *first the place of its first word. A file alone is viewed. */
static const struct cli_command *command_of(int argc, char **argv, int *first)
{
    const struct cli_command *named = argc > 1 ? cli_command_named(argv[1]) : NULL;
    *first = named ? 2 : 1;
    if (named)
        return named;
    bool const file = argc > 1 && (target_is_file(argv[1]) || trace_is_named(argv[1]));
    return file ? cli_command_named("view") : &cli_commands[0];
}

static int run_command(int argc, char **argv)
{
    const char *const language = app_use_language(language_of(argc, argv));
    int first;
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        cli_version();
        return CLI_FINE;
    }
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        cli_help(NULL);
        return CLI_FINE;
    }
    const struct cli_command *command = command_of(argc, argv, &first);
    if (command == &cli_commands[0] && argc > 1 && argv[1][0] != '-' && !can_be_lesson(argc, argv))
        return CLI_WRONG;
    for (int i = first; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            cli_help(command);
            return CLI_FINE;
        }
    struct cli_options options = {.language = language, .scale = 1, .width = 1920, .height = 1080};
    struct error error;
    int status = CLI_WRONG;
    if (cli_parse(command, argc, argv, first, &options))
        status = cli_outputs_apart(&options, &error) ? command->run(&options) : cli_fail(&error);
    arena_free(&options.arena);
    return status;
}

int cli_main(int argc, char **argv)
{
    open_streams();
    terminal_guard();
    int const status = run_command(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    return cli_usage("standard output cannot be written: %s", strerror(errno));
}
