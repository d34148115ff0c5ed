/* The check of a lesson, as `inspect` shows it. */
#include "author/author.h"
#include "base/words.h"
#include "cli/cli.h"
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

static void show_progress(void *context, size_t done, size_t all)
{
    struct cli_progress *progress = context;
    if (cli_progress_due(progress))
        fprintf(stderr, _("setting %zu of %zu, %.0f s; Ctrl+C stops"), done + 1, all, progress->last - progress->begin);
}

void cli_check_lesson(const char *folder, struct author_report *report)
{
    struct cli_progress progress = {.begin = clock_seconds()};
    struct author_options const options = {.cancel = cli_interrupt_begin(),
                                           .progress = isatty(STDERR_FILENO) ? show_progress : NULL,
                                           .progress_context = &progress};
    author_check(folder, &options, report);
    cli_interrupt_end();
    if (progress.last > 0)
        terminal_clear_line();
}

void cli_check_text(const struct author_report *report)
{
    for (size_t i = 0; i < report->problems.count; i++) {
        const struct lesson_problem *problem = &report->problems.items[i];
        char line[1200];
        struct error error;
        problem_error(problem, &error);
        error_line(&error, line, sizeof line);
        fprintf(stderr, "lanescope: %s%s\n", problem->level == PROBLEM_WARNING ? _("warning: ") : "", line);
    }
    fflush(stderr);
    size_t const errors = problems_count(&report->problems, PROBLEM_ERROR);
    if (!report->read) {
        words_print(stdout, _("the beats were not run, because the files cannot be read: %zu {error|errors}\n"),
                    errors);
        return;
    }
    words_print(stdout,
                _("checked: %zu {beat|beats}, %zu {setting|settings}, %zu {run|runs}; %zu {error|errors}, %zu "
                  "{warning|warnings}\n"),
                report->beats, report->settings, report->runs, errors,
                problems_count(&report->problems, PROBLEM_WARNING));
    if (report->stopped)
        puts(_("stopped before the end: there may be more"));
    else if (report->settings_left)
        printf(_("there are too many settings: %zu were not run\n"), report->settings_left);
}

json_t *cli_check_json(const char *folder, const struct author_report *report)
{
    json_t *problems = json_array();
    for (size_t i = 0; i < report->problems.count; i++) {
        const struct lesson_problem *problem = &report->problems.items[i];
        json_array_append_new(problems,
                              json_pack("{s:s,s:s,s:i,s:s?,s:s?,s:s,s:s}", "level",
                                        problem->level == PROBLEM_WARNING ? "warning" : "error", "file", problem->file,
                                        "line", problem->line, "field", problem->field, "heading", problem->heading,
                                        "message", problem->said, "remedy", problem->remedy));
    }
    return json_pack("{s:s,s:o,s:b,s:{s:I,s:I,s:I,s:I,s:b}}", "folder", folder, "problems", problems, "can_open",
                     report->read, "checked", "beats", (json_int_t)report->beats, "settings",
                     (json_int_t)report->settings, "runs", (json_int_t)report->runs, "settings_left",
                     (json_int_t)report->settings_left, "stopped", report->stopped);
}

int cli_check_status(const struct author_report *report)
{
    int status = CLI_FINE;
    for (size_t i = 0; i < report->problems.count; i++) {
        const struct lesson_problem *problem = &report->problems.items[i];
        if (problem->level != PROBLEM_ERROR)
            continue;
        if (problem->kind == ERROR_INPUT)
            return CLI_WRONG;
        status = problem->kind == ERROR_MISSING ? CLI_MISSING : CLI_FOUND;
    }
    return report->stopped && status == CLI_FINE ? CLI_FOUND : status;
}
