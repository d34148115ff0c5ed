/* `grade`: submissions held against a rubric. */
#include "base/words.h"
#include "cli/cli.h"
#include "grade/grade.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void show_progress(void *context, size_t done, size_t all, double seconds_left)
{
    struct cli_progress *progress = context;
    if (!cli_progress_due(progress))
        return;
    fprintf(stderr, _("steps: %zu of %zu"), done, all);
    if (seconds_left >= 90)
        fprintf(stderr, _(", about %.0f min left"), seconds_left / 60);
    else if (seconds_left >= 0)
        fprintf(stderr, _(", about %.0f s left"), seconds_left);
    fputs(_("; Ctrl+C stops, and the same command goes on"), stderr);
}

/* Writes a first rubric to -o, or to standard output. */
static int propose(const struct cli_options *options)
{
    struct arena arena = {0};
    struct error error;
    const char *text;
    bool fine = grade_propose(&arena, options->targets.items[0], &text, &error);
    if (fine && !options->output)
        fputs(text, stdout);
    else if (fine)
        fine = file_exists(options->output) ? error_at(&error, ERROR_INPUT, options->output, 0, 0,
                                                       "is there already: give the rubric another name")
                                            : file_write(options->output, text, strlen(text), &error);
    arena_free(&arena);
    return fine ? CLI_FINE : cli_fail(&error);
}

static int list_assignments(const struct cli_options *options)
{
    struct arena arena = {0};
    struct grade_assignment *list;
    size_t const count = grade_assignments(&arena, &list);
    if (options->json) {
        json_t *all = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(all,
                                  json_pack("{s:s,s:s,s:s,s:f,s:s}", "name", list[i].name, "title", list[i].title,
                                            "file", list[i].file, "points", list[i].points, "folder", list[i].folder));
        cli_print_json(all);
    } else {
        for (size_t i = 0; i < count; i++)
            printf(_("%-15s %s (%g points)\n"), list[i].name, list[i].title, list[i].points);
    }
    arena_free(&arena);
    return CLI_FINE;
}

static int copy_assignment(const struct cli_options *options)
{
    struct arena arena = {0};
    struct error error;
    const char *to = options->output ? options->output : options->copy;
    bool const fine = grade_copy_assignment(&arena, options->copy, to, &error);
    if (fine)
        printf(_("copied to %s; to see how it is graded: lanescope grade %s/%s.yaml %s/handed-in\n"), to, to,
               options->copy, to);
    arena_free(&arena);
    return fine ? CLI_FINE : cli_fail(&error);
}

static bool all_points(const struct grade *grade)
{
    for (size_t i = 0; i < grade->count; i++)
        for (size_t k = 0; k < grade->rubric.rule_count; k++)
            if (!grade->submissions[i].verdicts[k].holds)
                return false;
    return true;
}

/* The part of a grading that --on wrote. */
static int do_task(const struct cli_options *options, const struct grade_request *request)
{
    struct error error;
    bool cancelled;
    bool const fine = grade_task(options->task, request, &cancelled, &error);
    cli_interrupt_end();
    return !fine ? cli_fail(&error) : cancelled ? CLI_FOUND : CLI_FINE;
}

int command_grade(struct cli_options *options)
{
    struct cli_progress progress = {.begin = clock_seconds()};
    struct error error;
    struct grade *grade;
    if (options->list || options->copy)
        return options->targets.count ? cli_usage("--list and --copy take no files")
                                      : (options->list ? list_assignments : copy_assignment)(options);
    if (options->init)
        return options->targets.count == 1 ? propose(options)
                                           : cli_usage("--init takes one .cu file: grade --init FILE.cu");
    if (options->task) {
        struct grade_request const part = {
            .folder = options->output, .jobs = options->jobs, .cancel = cli_interrupt_begin()};
        return options->targets.count ? cli_usage("--task takes a part of a grading, and no submissions")
                                      : do_task(options, &part);
    }
    if (options->forms && !grade_forms_known(options->forms))
        return cli_usage("--for takes sarif, gradescope, canvas, moodle and nbgrader, with commas between, not '%s'",
                         options->forms);
    if (options->targets.count < 2)
        return cli_usage("give a rubric and submissions: grade RUBRIC.yaml SUBMISSIONS...");
    struct grade_request const request = {.rubric = options->targets.items[0],
                                          .paths = options->targets.items + 1,
                                          .path_count = (size_t)options->targets.count - 1,
                                          .folder = options->output ? options->output : "grades",
                                          .jobs = options->jobs,
                                          .trust = options->trust,
                                          .on = options->grade_on,
                                          .cancel = cli_interrupt_begin(),
                                          .progress = isatty(STDERR_FILENO) ? show_progress : NULL,
                                          .context = &progress};
    bool const ran = grade_run(&request, &grade, &error);
    cli_interrupt_end();
    if (progress.last > 0)
        terminal_clear_line();
    if (!ran)
        return cli_fail(&error);
    int status = CLI_FOUND;
    if (grade->cancelled) {
        fputs(_("stopped: the same command goes on where this one ended\n"), stderr);
    } else if (!grade_write(grade, request.folder, &error) ||
               (options->forms && !grade_export(grade, request.folder, options->forms, &error))) {
        status = cli_fail(&error);
    } else {
        if (options->json) {
            cli_print_json(grade_json(grade));
        } else {
            grade_table(stdout, grade);
            printf(_("written to %s: grades.csv, grades.json, grades.xml, reports/\n"), request.folder);
        }
        status = all_points(grade) ? CLI_FINE : CLI_FOUND;
    }
    grade_free(grade);
    return status;
}
