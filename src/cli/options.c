/* The table of options: long name, group, form of the argument, reader, help. getopt_long splits the words. A command
 * sees only the groups in its row, so that any other option is an error. */
#include "app/app.h"
#include "base/words.h"
#include "cli/cli.h"
#include "grade/grade.h"
#include "run/launch_words.h"
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool read_option(struct cli_options *options, const char *value);

struct option_row {
    const char *name;
    char group, letter;
    const char *value; /* form of the argument in the help; NULL: none */
    read_option *read; /* NULL: an option that only sets a member, or one of a launch, read by run/launch_words.h */
    size_t member;     /* offset in struct cli_options of a bool, or of the argument; 0: none */
    const char *help;
};

static bool complain(const char *format, const char *value) /* format: English; cli_usage translates it */
{
    cli_usage(format, value);
    return false;
}

static bool list_add(struct cli_list *list, const char *value)
{
    if (list->count == CLI_LIST_MAX)
        return complain("too many of the same option, the last one '%s'; give at most 4096", value);
    list->items[list->count++] = value;
    return true;
}

static bool read_set(struct cli_options *options, const char *value)
{
    return strchr(value, '=') ? list_add(&options->set, value) : complain("--set takes NAME=VALUE, not '%s'", value);
}
static bool read_dump(struct cli_options *options, const char *value)
{
    return strchr(value, '=') ? list_add(&options->dumps, value) : complain("--dump takes K=PATH, not '%s'", value);
}
static bool read_on(struct cli_options *options, const char *value)
{
    bool const known = executor_from_word(value, &options->launch.options.executor) &&
                       options->launch.options.executor != EXECUTOR_BEST;
    return known || complain("--on takes gpu, emulator or recording, not '%s'", value);
}
static bool read_caches(struct cli_options *options, const char *value)
{
    options->caches_given = true;
    options->launch.options.caches_warm = strcmp(value, "warm") == 0;
    options->launch.options.caches = options->launch.options.caches_warm || strcmp(value, "model") == 0;
    return options->launch.options.caches || strcmp(value, "none") == 0 ||
           complain("--caches takes none, model or warm, not '%s'", value);
}
static bool read_blocks(struct cli_options *options, const char *value)
{
    options->blocks_given = true;
    if (strcmp(value, "all") == 0) {
        options->launch.options.recorded = LAUNCH_ALL_BLOCKS;
        return true;
    }
    char first[32];
    const char *dash = strchr(value, '-');
    snprintf(first, sizeof first, "%.*s", dash ? (int)(dash - value) : 31, value);
    bool const fine = launch_number(first, 0, UINT64_MAX, &options->launch.options.recorded.first) &&
                      (dash ? launch_number(dash + 1, 0, UINT64_MAX, &options->launch.options.recorded.last)
                            : (options->launch.options.recorded.last = options->launch.options.recorded.first, true)) &&
                      options->launch.options.recorded.first <= options->launch.options.recorded.last;
    return fine || complain("--blocks takes A, A-B with A <= B, or all, not '%s'", value);
}
static bool read_language(struct cli_options *options, const char *value)
{
    options->language = app_use_language(value);
    options->language_given = true;
    return strcmp(value, options->language) == 0 || complain("--lang takes en or ko, not '%s'", value);
}
static bool read_check(struct cli_options *options, const char *value)
{
    struct launch_checks *checks = &options->launch.options.checks;
    char copy[64], *rest = copy;
    checks->memory = checks->races = false;
    options->checks_given = true;
    snprintf(copy, sizeof copy, "%s", value);
    for (const char *word; (word = strsep(&rest, ","));)
        if (strcmp(word, "memory") == 0)
            checks->memory = true;
        else if (strcmp(word, "race") == 0)
            checks->races = true;
        else if (strcmp(value, "none") != 0)
            return complain("--check takes memory, race, memory,race or none, not '%s'", value);
    return true;
}
static bool read_launch(struct cli_options *options, const char *value)
{
    return launch_number(value, 1, UINT32_MAX, &options->launch_number) ||
           complain("--launch takes the number of a launch, from 1, not '%s'", value);
}
static bool read_seconds(struct cli_options *options, const char *value)
{
    return launch_number(value, 1, 1000000, &options->seconds) ||
           complain("--seconds takes a number from 1 to 1000000, not '%s'", value);
}
static bool read_theme(struct cli_options *options, const char *value)
{
    options->theme = value;
    return strcmp(value, "light") == 0 || strcmp(value, "dark") == 0 ||
           complain("--theme takes light or dark, not '%s'", value);
}
static bool read_paper(struct cli_options *options, const char *value)
{
    options->paper = value;
    return strcmp(value, "a4") == 0 || strcmp(value, "letter") == 0 ||
           complain("--paper takes a4 or letter, not '%s'", value);
}
static bool read_sheet(struct cli_options *options, const char *value)
{
    options->sheet = value;
    return strcmp(value, "student") == 0 || strcmp(value, "teacher") == 0 ||
           complain("--sheet takes student or teacher, not '%s'", value);
}
static bool read_show_block(struct cli_options *options, const char *value)
{
    if (!launch_number(value, 0, UINT64_MAX, &options->show_block))
        return complain("--show-block takes a block's number, from 0, not '%s'", value);
    return options->show_block_given = true;
}
static bool read_print(struct cli_options *options, const char *value)
{
    uint64_t mib;
    if (!launch_number(value, 1, 4096, &mib))
        return complain("--print takes MiB from 1 to 4096, not '%s'", value);
    options->printed = mib << 20;
    return true;
}
static bool read_jobs(struct cli_options *options, const char *value)
{
    uint64_t jobs;
    if (!launch_number(value, 1, 256, &jobs))
        return complain("--jobs takes 1 to 256, not '%s'", value);
    options->jobs = (unsigned)jobs;
    return true;
}
static bool read_grade_on(struct cli_options *options, const char *value)
{
    options->grade_on = value;
    return grade_on_known(value) || complain("--on takes slurm, ssh:HOST,HOST or ssh:@FILE, not '%s'", value);
}
static bool read_overview(struct cli_options *options, const char *value)
{
    options->overview = value;
    return strcmp(value, "clock") == 0 || strcmp(value, "lines") == 0 || strcmp(value, "warps") == 0 ||
           strcmp(value, "why") == 0 || complain("--overview takes clock, lines, warps or why, not '%s'", value);
}
static bool read_beat(struct cli_options *options, const char *value)
{
    uint64_t beat;
    if (!launch_number(value, 1, 1000, &beat))
        return complain("--beat takes a number from 1, not '%s'", value);
    options->beat = (int)beat;
    return true;
}
static bool read_access(struct cli_options *options, const char *value)
{
    uint64_t access;
    if (!launch_number(value, 1, INT32_MAX, &access))
        return complain("--access takes a number from 1, not '%s'", value);
    options->access = (int)access;
    return true;
}
static bool read_size(struct cli_options *options, const char *value)
{
    char width[16];
    const char *by = strchr(value, 'x');
    uint64_t across, down;
    snprintf(width, sizeof width, "%.*s", by ? (int)(by - value) : 0, value);
    if (!by || !launch_number(width, 640, 16384, &across) || !launch_number(by + 1, 360, 16384, &down))
        return complain("--size takes WIDTHxHEIGHT from 640x360 to 16384x16384, not '%s'", value);
    options->size_given = true;
    options->width = (int)across;
    options->height = (int)down;
    return true;
}
static bool read_scale(struct cli_options *options, const char *value)
{
    char *end;
    options->scale = strtod(value, &end);
    return (*end == '\0' && options->scale >= 1 && options->scale <= 4) ||
           complain("--scale takes 1 to 4, not '%s'", value);
}
static bool read_text(struct cli_options *options, const char *value)
{
    uint64_t percent;
    if (!launch_number(value, 100, 200, &percent) || percent % 10)
        return complain("--text takes 100 to 200 in steps of 10, not '%s'", value);
    options->text_percent = (int)percent;
    return true;
}
static bool read_threads(struct cli_options *options, const char *value)
{
    uint64_t threads;
    if (!launch_number(value, 1, 256, &threads))
        return complain("--threads takes 1 to 256, not '%s'", value);
    options->launch.options.threads = (unsigned)threads;
    return true;
}

#define FLAG(member) NULL, NULL, offsetof(struct cli_options, member)
#define TEXT(form, member) form, NULL, offsetof(struct cli_options, member)
#define READ(form, reader) form, reader, 0
#define LAUNCH(form) form, NULL, 0

/* Groups: l of a lesson, c executor, b blocks, f a file's launch, u its budget, m its compiler, p its arguments
 * afterwards, d output and checks of `run`, x of a whole program, r words behind `--`, n of `record`, j JSON, o output,
 * v view, k colours, h paper, w a window, t threads, q of `grade`, y of `baseline`, e forms; g, which every command
 * accepts.
 */
static const struct option_row rows[] = {
    {"set", 'l', 0, READ("NAME=VALUE", read_set), N_("set a knob of the lesson; repeat for other knobs")},
    {"variant", 'l', 0, TEXT("NAME", variant), N_("choose a variant of the lesson")},
    {"on", 'c', 0, READ("gpu|emulator|recording", read_on), N_("where to run; the default is the GPU if there is one")},
    {"gpu", 'c', 0, TEXT("NAME", launch.options.gpu),
     N_("GPU of the model clock and of the model of the caches: nvidia-h200 (default), nvidia-h100, rtx-2070, a100 or "
        "a path FILE.yaml")},
    {"dram", 'c', 0, TEXT("NAME", launch.options.dram),
     N_("DRAM model: classroom, gddr6, hbm2 or hbm3 (default for files; a lesson names its own);\nappend :ChRaBaRoCo "
        "for the other address mapping")},
    {"lang", 'g', 0, READ("en|ko", read_language),
     N_("language of messages and pictures; the default is that of LANGUAGE, LC_ALL or LANG")},
    {"blocks", 'b', 0, READ("A-B|all", read_blocks), N_("blocks to record, numbered from 0; `run` runs only these")},
    {"kernel", 'f', 0, LAUNCH("NAME"), N_("kernel to run; needed when a file has several")},
    {"grid", 'f', 0, LAUNCH("X[,Y[,Z]]"), N_("blocks in the grid; default 1")},
    {"block", 'f', 0, LAUNCH("X[,Y[,Z]]"), N_("threads per block; default 32")},
    {"shared", 'f', 0, LAUNCH("BYTES"), N_("dynamic shared memory per block")},
    {"arg", 'f', 0, LAUNCH("ARGUMENT"),
     N_("one for each parameter, in order: a scalar i32=5, a buffer f32[1024]=FILL,\na structure "
        "struct{f32=1,i32=2} or bytes=HEX\nrows and columns: f32[64x60]=FILL, with a pitch in bytes "
        "f32[64x60:256]=FILL\nFILL: zero iota[:V] const:V mod:M chase:S random:SEED digits:SEED same:PERCENT picture "
        "file:PATH, or "
        "none "
        "(uninitialized)")},
    {"budget", 'u', 0, LAUNCH("N"),
     N_("warp instructions after which a block counts as endless; default 4,000,000,000, in the window 50,000,000;\n"
        "a launch ends after a hundred times as many, but not before 1,000,000,000")},
    {"define", 'm', 'D', LAUNCH("NAME=VALUE"), N_("define a macro for the compiler")},
    {"compiler", 'm', 0, LAUNCH("any|nvrtc|clang|shipped"), N_("compiler to use")},
    {"dump", 'p', 0, READ("K=PATH", read_dump),
     N_("write the raw bytes of buffer argument K after the run; K counts all arguments from 0; K.M: buffer M of a "
        "structure")},
    {"values", 'p', 0, FLAG(launch.options.checks.values),
     N_("keep in the trace the values that each lane read or wrote")},
    {"trace", 'd', 0, TEXT("PATH", trace),
     N_("write the trace; for a file, of block 0 unless --blocks chooses others")},
    {"caches", 'c', 0, READ("none|model|warm", read_caches),
     N_("model: say which sectors were in the L1 and the L2, and which came from the DRAM; warm "
        "(`run` of a kernel or a lesson):\nthe same of a second launch, for which the L2 holds what a first one left; "
        "default none")},
    {"check", 'd', 0, READ("memory,race", read_check),
     N_("look for bad accesses and races; a lesson is always checked, a program unless this is none")},
    {"outliers", 'd', 0, FLAG(outliers),
     N_("list the instructions and the warps that waste most memory traffic, the worst first")},
    {"explain", 'd', 0, FLAG(explain),
     N_("say of each access what it wastes and why, what to change, and which lesson teaches it")},
    {"launch", 'x', 0, READ("N", read_launch), N_("launch of a program to record, counted from 1")},
    {"cwd", 'x', 0, TEXT("FOLDER", folder), N_("folder that a program runs in; the default is the current one")},
    {"seconds", 'x', 0, READ("N", read_seconds), N_("seconds after which a program is ended; default 600")},
    {"print", 'x', 0, READ("MIB", read_print), N_("MiB that a program may print; default 64")},
    {"jobs", 'q', 0, READ("N", read_jobs), N_("submissions that run at a time; default: one for each processor")},
    {"trust", 'q', 0, FLAG(trust),
     N_("grade without a sandbox: each submission can then do what you can do, as a program that you start")},
    {"on", 'q', 0, READ("slurm|ssh:HOSTS", read_grade_on),
     N_("let other computers run the submissions: an array job of Slurm, ssh:HOST,HOST, or the hosts of a file, "
        "ssh:@FILE")},
    {"task", 'q', 0, TEXT("FILE", task), N_("do a part of a grading, as --on has it done on other computers")},
    {"list", 'q', 0, FLAG(list), N_("list the assignments that come with Lanescope")},
    {"copy", 'q', 0, TEXT("NAME", copy), N_("copy one of them to a folder of its name, or to -o")},
    {"init", 'q', 0, FLAG(init), N_("write a first rubric for a program: grade --init FILE.cu")},
    {"for", 'e', 0, TEXT("FORMS", forms),
     N_("write the result in forms of other systems, too, with commas between: of grades sarif, gradescope, canvas, "
        "moodle, nbgrader; of a baseline sarif, junit, gitlab, github")},
    {"update", 'y', 0, FLAG(update), N_("take the counters and findings of now over into the baseline")},
    {"baseline", 'y', 0, TEXT("FILE", baseline), N_("file of the baseline; default: lanescope-baseline.json")},
    {"json", 'j', 0, FLAG(json), N_("JSON on standard output, and nothing else there")},
    {"csv", 'w', 0, FLAG(csv), N_("the counters of each launch as CSV on standard output, and nothing else there")},
    {"counters", 'n', 0, FLAG(counters),
     N_("record Nsight Compute's counters of each setting instead of traces and times")},
    {"output", 'o', 'o', TEXT("PATH", output), N_("file or folder to write")},
    {"paper", 'h', 0, READ("a4|letter", read_paper), N_("size of the pages, the long side across; default a4")},
    {"sheet", 'h', 0, READ("student|teacher", read_sheet),
     N_("a lesson on paper without its answers, or with each behind its question; default: all answers at the end")},
    {"no-source", 'h', 0, FLAG(no_source), N_("an HTML report without the text of the source")},
    {"theme", 'k', 0, READ("light|dark", read_theme), N_("colours of the picture")},
    {"present", 'v', 0, FLAG(present), N_("for a projector: large text, no right column")},
    {"reduced-motion", 'v', 0, FLAG(reduced_motion), N_("change pictures at once instead of animating")},
    {"beat", 'v', 0, READ("N", read_beat), N_("step of the lesson, counted from 1")},
    {"access", 'v', 0, READ("N", read_access), N_("access on the timeline, counted from 1")},
    {"show-block", 'v', 0, READ("N", read_show_block), N_("recorded block to show, numbered from 0")},
    {"answered", 'v', 0, FLAG(answered), N_("skip the question and show the run")},
    {"overview", 'v', 0, READ("clock|lines|warps|why", read_overview),
     N_("open the overview: all warps along the clock, instructions or warps by waste, why they waste")},
    {"ptx", 'v', 0, FLAG(ptx), N_("open the PTX beside the source")},
    {"size", 'v', 0, READ("WIDTHxHEIGHT", read_size), N_("size in pixels")},
    {"scale", 'v', 0, READ("S", read_scale), N_("pixels per point, for HiDPI")},
    {"text", 'v', 0, READ("PERCENT", read_text), N_("size of text: 100 to 200")},
    {"fresh", 'w', 0, FLAG(fresh), N_("open as at the first start, and save nothing")},
    {"threads", 't', 0, READ("N", read_threads), N_("number of processors to use")},
};
enum { ROW_COUNT = (int)(sizeof rows / sizeof rows[0]), FIRST_CODE = 1000 };

static bool takes(const struct cli_command *command, const struct option_row *row)
{
    return row->group == 'g' || strchr(command->groups, row->group);
}

bool cli_option_at(const struct cli_command *command, int index, struct cli_option *option)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if ((!command || takes(command, &rows[i])) && index-- == 0) {
            *option = (struct cli_option){rows[i].name, rows[i].letter, rows[i].value, rows[i].help};
            return true;
        }
    return false;
}

/* Reads an option. Reports what is wrong with its argument and returns false. */
static bool read_row(const struct option_row *row, struct cli_options *options, const char *argument)
{
    void *member = (char *)options + row->member;
    struct error error;
    if (row->read)
        return row->read(options, argument);
    if (!row->member)
        return launch_option(&options->arena, &options->launch, row->name, argument, &error) || !cli_fail(&error);
    if (row->value)
        *(const char **)member = argument;
    else
        *(bool *)member = true;
    return true;
}

bool cli_parse(const struct cli_command *command, int argc, char **argv, int first, struct cli_options *options)
{
    struct option accepted[ROW_COUNT + 1] = {0};
    char letters[2 * ROW_COUNT + 2] = "+:";
    int count = 0;
    for (int i = 0; i < ROW_COUNT; i++) {
        if (!takes(command, &rows[i]))
            continue;
        accepted[count++] =
            (struct option){rows[i].name, rows[i].value ? required_argument : no_argument, NULL, FIRST_CODE + i};
        if (rows[i].letter)
            snprintf(letters + strlen(letters), 3, "%c:", rows[i].letter);
    }
    letters[0] = '-'; /* words between options come as code 1, in order */
    opterr = 0;
    optind = first;
    for (int code; (code = getopt_long(argc, argv, letters, accepted, NULL)) != -1;) {
        if (code == 1) {
            if (!list_add(&options->targets, optarg))
                return false;
            continue;
        }
        for (int i = 0; i < ROW_COUNT && code < FIRST_CODE && code != '?' && code != ':'; i++)
            if (rows[i].letter == code)
                code = FIRST_CODE + i;
        const char *word = argv[optind > 0 ? optind - 1 : 0];
        if (code == ':')
            return complain("option '%s' needs a value; see --help", word);
        if (code == '?')
            return complain("this command has no option '%s'; see --help", word);
        const struct option_row *row = &rows[code - FIRST_CODE];
        if (!read_row(row, options, optarg))
            return false;
        if (strchr("fmpu", row->group))
            options->file_option = row->name;
        if (row->group == 'l')
            options->lesson_option = row->name;
    }
    bool const apart = strchr(command->groups, 'r') && optind > first && strcmp(argv[optind - 1], "--") == 0;
    for (int i = optind; i < argc; i++)
        if (!list_add(apart ? &options->words : &options->targets, argv[i]))
            return false;
    if (!options->launch.options.caches_warm || strcmp(command->name, "run") == 0)
        return true;
    cli_usage("--caches warm is for the command 'run' alone");
    return false;
}

/* Prints an option. Each line of the help begins in the same column. */
static void help_row(const struct option_row *row)
{
    char left[64];
    snprintf(left, sizeof left, "%s%c%s--%s%s%s", row->letter ? "-" : "", row->letter ? row->letter : ' ',
             row->letter ? ", " : "", row->name, row->value ? " " : "", row->value ? row->value : "");
    for (const char *line = _(row->help); *line;) {
        int const length = (int)strcspn(line, "\n");
        printf("  %-36s %.*s\n", left, length, line);
        line += length + (line[length] == '\n');
        *left = '\0';
    }
}

void cli_help(const struct cli_command *command)
{
    if (!command) {
        puts(_("Lanescope shows what a CUDA kernel does to memory, lane by lane.\n"));
        for (size_t i = 0; i < cli_command_count; i++)
            printf("  lanescope%s%s%s%s\n      %s\n", i ? " " : "", i ? cli_commands[i].name : "",
                   *cli_commands[i].usage ? " " : "", cli_commands[i].usage, _(cli_commands[i].summary));
        puts(_("\nAdd --help to a command to see its options. Exit status: 0 success; 1 a fault, a hazard or a "
               "difference was found;\n2 the command line, a file or the kernel is wrong; 3 this machine lacks "
               "something that was asked for.\nLANESCOPE_DATA names the folder of lessons, kernels and assets if they "
               "are not beside the program."));
        puts(_(
            "\nIn class: lanescope LESSON --present, or F5 in the window. PageDown goes on, PageUp back, B blanks the "
            "screen, A opens the\nteacher's notes, ? lists the keys. lanescope export LESSON -o OUT.pdf makes a "
            "handout."));
        return;
    }
    bool const window = command == &cli_commands[0];
    printf("lanescope%s%s%s%s\n  %s\n", window ? "" : " ", window ? "" : command->name, *command->usage ? " " : "",
           command->usage, _(command->summary));
    for (int i = 0; i < ROW_COUNT; i++)
        if (takes(command, &rows[i]))
            help_row(&rows[i]);
    printf(_("example: %s\n"), command->example);
}

int cli_fail(const struct error *error)
{
    char line[1200];
    fprintf(stderr, "lanescope: %s\n", error_line(error, line, sizeof line));
    return error->kind == ERROR_MISSING ? CLI_MISSING : error->kind == ERROR_RUN ? CLI_FOUND : CLI_WRONG;
}

int cli_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("lanescope: ", stderr);
    vfprintf(stderr, _(format), arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return CLI_WRONG;
}

bool cli_fits_lesson(const struct cli_options *options, const char *name, struct error *error)
{
    if (trace_is_named(name)) {
        error_set(error, ERROR_INPUT, "'%s' is a trace, not a lesson", name);
        return error_remedy(error, "lanescope view %s opens it", name);
    }
    return !options->file_option ||
           error_set(error, ERROR_INPUT,
                     "--%s is for .cu and .ptx files; '%s' is a lesson and takes --variant and --set",
                     options->file_option, name);
}

bool cli_fits_file(const struct cli_options *options, const char *path, struct error *error)
{
    return !options->lesson_option ||
           error_set(error, ERROR_INPUT, "--%s is for lessons; '%s' is a file", options->lesson_option, path);
}
