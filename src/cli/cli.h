/* The command line, one file per subcommand. Only this folder prints and chooses the exit status: 0 fine; 1 a fault, a
 * hazard, a wrong result or a difference; 2 the command line or an input is wrong; 3 this computer lacks a requested
 * device, tool or library. */
#ifndef LANESCOPE_CLI_CLI_H
#define LANESCOPE_CLI_CLI_H
#include "base/file.h"
#include "lesson/lesson_run.h"
#include "run/guess.h"

int cli_main(int argc, char **argv);

enum { CLI_FINE = 0, CLI_FOUND = 1, CLI_WRONG = 2, CLI_MISSING = 3 };
enum { CLI_LIST_MAX = 4096 };

struct cli_list {
    const char *items[CLI_LIST_MAX];
    int count;
};

/* The values of all options of all commands. A command accepts the option groups in its row of the table. */
struct cli_options {
    struct arena arena;
    struct cli_list targets; /* words that are not options */
    struct cli_list set, dumps;
    struct launch_guess guess;      /* what of `launch` is guessed */
    struct cli_list words;          /* behind `--`: the arguments of a program, the flags of a compiler */
    struct run_file_request launch; /* of a file; its `options` apply to any run */
    const char *variant, *language, *trace, *output, *theme, *paper, *sheet, *overview;
    /* last given option that only a file, or only a lesson, accepts; NULL: none */
    const char *file_option, *lesson_option;
    bool counters, json, csv, outliers, explain, present, reduced_motion, answered, fresh, ptx, no_source;
    bool size_given, language_given;
    bool blocks_given, checks_given, caches_given;
    uint64_t launch_number;      /* of a program, to record; 0: not given */
    const char *folder;          /* that a program runs in; NULL: this one */
    uint64_t seconds;            /* that a program may take; 0: not given */
    uint64_t printed;            /* bytes that it may print; 0: not given */
    unsigned jobs;               /* sandboxes at a time; 0: not given */
    bool trust, init, list;      /* of `grade` */
    const char *grade_on, *task; /* of `grade`: the computers; a part that they do */
    const char *copy;            /* an assignment, of `grade`; NULL: none */
    const char *forms;           /* of other systems */
    bool update;                 /* of `baseline` */
    const char *baseline;
    int beat, access, width, height;
    bool show_block_given;
    uint64_t show_block;
    double scale;
    int text_percent; /* 0: not given */
};

/* A command, one row of the table in commands.c. groups: letters of the option groups that it accepts. */
struct cli_command {
    const char *name;
    int (*run)(struct cli_options *options);
    const char *groups;
    const char *usage, *summary, *example;
};
extern const struct cli_command cli_commands[];
extern const size_t cli_command_count;
const struct cli_command *
cli_command_named(const char *name); /* NULL: none; the first row has no name to be called by */

/* An option as the help shows it. */
struct cli_option {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* form of its argument; NULL: none */
    const char *help;  /* English; lines end with \n */
};
/* Gives the option with this index among those that the command accepts; command NULL: among all. false: no more. */
bool cli_option_at(const struct cli_command *command, int index, struct cli_option *option);

/* options.c. Fills options from argv[first..]. Returns false after printing an error. */
bool cli_parse(const struct cli_command *command, int argc, char **argv, int first, struct cli_options *options);
void cli_help(const struct cli_command *command); /* NULL: help for the whole program */
/* Prints the error on standard error in one line and returns the exit status of its kind. */
int cli_fail(const struct error *error);
void cli_version(void); /* version.c */
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Return false when an option was given that belongs to the other kind of TARGET. */
bool cli_fits_lesson(const struct cli_options *options, const char *name, struct error *error);
bool cli_fits_file(const struct cli_options *options, const char *path, struct error *error);

/* outputs.c. Returns false when an output of the command is a file that it reads, by whatever path. */
bool cli_outputs_apart(const struct cli_options *options, struct error *error);

/* target.c. Runs the lesson or file that TARGET names, with progress on a terminal and a clean stop at Ctrl+C. */
struct cli_run {
    struct lesson *lesson; /* NULL for a file */
    struct lesson_setting setting;
    struct run *run;
    struct launch_buffer *buffers; /* of a file's launch */
    uint32_t buffer_count;
    struct launch_guess guess;          /* of a file's launch */
    const char *launch;                 /* a guessed one as options; NULL: nothing is guessed */
    bool memory_unasked, races_unasked; /* a file's run on the emulator without these checks */
};
/* true for a .cu or .ptx; otherwise a lesson's name, where no trace is accepted */
bool cli_run_target(struct cli_options *options, struct cli_run *result, struct error *error);
void cli_run_free(struct cli_run *result);
/* Makes the request for a file's run from the options, in the options' arena. */
bool cli_file_request(const struct cli_options *options, const char *path, struct run_file_request *request,
                      struct error *error);
/* The same, and adds the launch in the file's own comment. */
bool cli_launch_request(struct cli_options *options, const char *path, struct run_file_request *request,
                        struct error *error);

/* The same, and guesses what is missing: options->guess says what. */
bool cli_guessed_request(struct cli_options *options, const char *path, struct run_file_request *request,
                         struct error *error);

/* terminal.c. From here on, what is printed to a terminal has no control characters but line ends and tabs. */
void terminal_guard(void);
/* Empties the terminal's line, for a message of progress in its place. */
void terminal_clear_line(void);
struct cli_progress {
    double begin, last; /* start of the work, and time of the last message */
};
/* Says whether a message of progress is due: ten a second, and none in the first second. Empties the line for it. */
bool cli_progress_due(struct cli_progress *progress);
/* Shows where a launch is, if a message is due. kernel: "" where it needs no name. */
void cli_progress_show(struct cli_progress *progress, const char *kernel, const struct executor_progress *at);

/* interrupt.c. Between these two calls, Ctrl+C only sets the flag that begin returns. */
const atomic_bool *cli_interrupt_begin(void);
void cli_interrupt_end(void);

/* The blocks that `--explain` records unless others are given: neighbours are among them. */
static struct launch_blocks const cli_explained_blocks = {0, 3};

/* command_window.c. Shared by the window and `render`. */
struct app_options;
void cli_app_options(const struct cli_options *options, struct app_options *app);
/* Converts a trace, or a .cu or .ptx file, to options of the app. Without a launch the app guesses one. */
/* export_page.c. Writes the report of a run as one HTML file. app: as cli_app_options and the target set it. */
bool cli_export_page(struct cli_options *options, struct app_options *app, struct error *error);
/* export_table.c. Writes a run's accesses as CSV, or its warps along the clock as JSON for Perfetto. */
bool cli_is_table(const char *path);
bool cli_export_table(struct cli_options *options, struct error *error);
bool cli_app_trace(const struct cli_options *options, struct app_options *app, struct error *error);
bool cli_app_file(struct cli_options *options, struct app_options *app, struct error *error);
/* Looks for a GPU and a compiler: command_window.c. */
struct computer_facts;
void cli_computer_facts(struct computer_facts *facts, const atomic_bool *cancel);
/* Writes the opening frame, or the film of its access; formats that hold films alone always get one. */
int cli_draw_frame(const struct app_options *app, bool film, const char *path);

/* inspect_lesson.c. Checks the lesson of a folder with progress and a clean stop. author_report_free frees the report.
 */
struct author_report;
void cli_check_lesson(const char *folder, struct author_report *report);
/* Prints the problems, each on a line of standard error, and what was checked. */
void cli_check_text(const struct author_report *report);
struct json_t; /* of jansson */
/* command_run.c. Prints a report on standard output, and frees it. */
void cli_print_json(struct json_t *object);
/* The same for `run` and `exec`: as JSON, or its counters as CSV. */
void cli_print_run(const struct cli_options *options, struct json_t *report);
/* Returns the same as the object `lesson` of the contract. */
struct json_t *cli_check_json(const char *folder, const struct author_report *report);
/* Returns the exit status: 1 if runs alone are wrong, 2 if a file is. */
int cli_check_status(const struct author_report *report);

/* program.c. Returns whether TARGET is a .cu to be run whole: it has a main(), and no launch of a kernel is given. */
bool cli_is_program(const struct cli_options *options, const char *target);
/* Builds and runs a .cu with its main(), or runs a program; prints the report and returns the exit status. */
int cli_run_source(struct cli_options *options);
int cli_run_program(struct cli_options *options, const char *path, const char *source);
/* Build the target, a whole program, and run a built one; both for the report of `export`. The caller frees the run. */
struct program_built;
struct program_run_request;
struct program_run;
bool cli_build_program(struct cli_options *options, struct program_built *built, struct error *error);
bool cli_execute_program(struct cli_options *options, const char *path, struct program_run_request *request,
                         struct program_run **run, struct error *error);
int command_window(struct cli_options *options);
int command_view(struct cli_options *options);
int command_list(struct cli_options *options);
int command_run(struct cli_options *options);
int command_inspect(struct cli_options *options);
int command_render(struct cli_options *options);
int command_export(struct cli_options *options);
int command_record(struct cli_options *options);
int command_launch(struct cli_options *options);
/* command_record.c. Gives the lessons that are named, or all. Prints what is wrong with them and returns the status. */
int cli_lessons(struct cli_options *options, const char ***names, size_t *count);
/* record_counters.c. Runs `record --counters`. */
int cli_record_counters(struct cli_options *options);
int command_build(struct cli_options *options);
int command_exec(struct cli_options *options);
int command_complete(struct cli_options *options);
int command_manual(struct cli_options *options);
int command_compare(struct cli_options *options);
int command_grade(struct cli_options *options);
int command_baseline(struct cli_options *options);
int command_doctor(struct cli_options *options);
int command_bench(struct cli_options *options);
/* bench_ui.c. Measures what a user waits for, in the lessons after the word `ui`, or in all. */
int cli_bench_ui(const struct cli_options *options);
int cli_bench_programs(struct cli_options *options);
/* bench_window.c. Opens a window at the lesson after the word `start` and closes it after its first frame. Prints the
 * time of that frame, the processor time until then, in seconds, and the most memory until then, in MB. */
int cli_bench_start(const struct cli_options *options);
int command_ship_ptx(struct cli_options *options);
#endif
