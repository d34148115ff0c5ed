/* `baseline`: runs targets and compares their counters and findings with those that a file keeps. */
#include "base/words.h"
#include "cli/baseline.h"
#include "cli/cli.h"
#include "compile/process.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BASELINE_VERSION = 1, RUN_SECONDS = 3600, OWN_WORDS = 10 };

/* What the command works on. */
struct baseline {
    struct arena *arena;
    const char *path; /* of the file */
    json_t *kept;     /* its entries */
    json_t *now;      /* entries of the targets that ran */
    struct workplace place;
};

static json_t *entry_of(json_t *entries, const char *target)
{
    json_t *entry;
    size_t i;
    json_array_foreach(entries, i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "target"));
        if (name && strcmp(name, target) == 0)
            return entry;
    }
    return NULL;
}

static bool read_file(struct baseline *baseline, bool update, struct error *error)
{
    json_error_t wrong;
    if (update && !file_exists(baseline->path)) {
        baseline->kept = json_array();
        return true;
    }
    if (!file_exists(baseline->path)) {
        error_at(error, ERROR_INPUT, baseline->path, 0, 0, "there is no baseline");
        return error_remedy(error, "lanescope baseline TARGET --update makes one");
    }
    json_t *root = json_load_file(baseline->path, 0, &wrong), *targets = json_object_get(root, "targets"), *entry;
    size_t i;
    bool fine = root != NULL;
    if (!fine)
        error_at(error, ERROR_INPUT, baseline->path, wrong.line, 0, "is no JSON: %s", wrong.text);
    bool known = json_integer_value(json_object_get(root, "version")) == BASELINE_VERSION && json_is_array(targets);
    json_array_foreach(targets, i, entry) known =
        known && json_is_string(json_object_get(entry, "target")) && json_is_array(json_object_get(entry, "options"));
    if (fine && !known) {
        error_at(error, ERROR_INPUT, baseline->path, 0, 0, "is no baseline of version %d", BASELINE_VERSION);
        fine = error_remedy(error, "remove it, and make it again with --update");
    }
    baseline->kept = fine ? json_incref(targets) : json_array();
    json_decref(root);
    return fine;
}

/* Runs `lanescope run` and returns its report. A file is always compiled by clang: a baseline holds on each computer.
 */
static json_t *run_target(struct baseline *baseline, const char *target, const char *const *options, size_t count,
                          const atomic_bool *cancel, struct error *error)
{
    struct arena *arena = baseline->arena;
    const char *output = arena_format(arena, "%s/report", baseline->place.folder);
    const char **words = arena_array(arena, const char *, count + OWN_WORDS + 2);
    const char *const own[OWN_WORDS] = {path_absolute(arena, "/proc/self/exe"),
                                        "run",
                                        target,
                                        "--json",
                                        "--on",
                                        "emulator",
                                        "--check",
                                        "memory,race",
                                        "--compiler",
                                        "clang"};
    memcpy(words, own, sizeof own);
    for (size_t i = 0; i < count; i++)
        words[OWN_WORDS + i] = options[i];
    int const status = process_run(words, ".", output, RUN_SECONDS, cancel);
    char *text = "";
    size_t size = 0;
    if (!file_read(arena, output, &text, &size, error))
        return NULL;
    const char *begin = *text == '{' ? text : strstr(text, "\n{\n");
    json_t *report = begin && (status == CLI_FINE || status == CLI_FOUND)
                         ? json_loads(*begin == '{' ? begin : begin + 1, JSON_DISABLE_EOF_CHECK, NULL)
                         : NULL;
    if (report)
        return report;
    text[strcspn(text, "\n")] = '\0';
    const char *said = strncmp(text, "lanescope: ", 11) == 0 ? text + 11 : text;
    if (status == PROCESS_CANCELLED)
        error_set(error, ERROR_RUN, "stopped");
    else
        error_set(error, status == CLI_MISSING ? ERROR_MISSING : ERROR_INPUT, "%s",
                  *said ? said : arena_format(arena, _("%s did not run"), target));
    return NULL;
}

static bool do_target(struct baseline *baseline, const char *target, const char *const *options, size_t count,
                      const atomic_bool *cancel, struct error *error)
{
    json_t *report = run_target(baseline, target, options, count, cancel, error);
    if (!report)
        return false;
    json_array_append_new(baseline->now, baseline_entry(target, options, count, report));
    json_decref(report);
    return true;
}

static const char *const *words_of(struct arena *arena, const json_t *entry, size_t *count)
{
    const json_t *list = json_object_get(entry, "options");
    *count = json_array_size(list);
    const char **words = arena_array(arena, const char *, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        const char *word = json_string_value(json_array_get(list, i));
        words[i] = word ? word : "";
    }
    return words;
}

/* Runs the targets of the command line, or all that the file has. */
static bool run_all(struct baseline *baseline, const struct cli_options *options, const atomic_bool *cancel,
                    struct error *error)
{
    json_t *entry;
    size_t i, count;
    for (int k = 0; k < options->targets.count; k++) {
        const char *target = options->targets.items[k];
        const json_t *kept = entry_of(baseline->kept, target);
        const char *const *words = options->words.items;
        count = (size_t)options->words.count;
        if (!target_is_file(target))
            return error_set(error, ERROR_INPUT, "'%s' is no .cu or .ptx file", target);
        if (!kept && !options->update)
            return error_at(error, ERROR_INPUT, baseline->path, 0, 0, "has no target %s: --update adds it", target);
        if (!count && kept)
            words = words_of(baseline->arena, kept, &count);
        if (!do_target(baseline, target, words, count, cancel, error))
            return false;
    }
    if (!options->targets.count)
        json_array_foreach(baseline->kept, i, entry)
        {
            const char *const *words = words_of(baseline->arena, entry, &count);
            if (!do_target(baseline, json_string_value(json_object_get(entry, "target")), words, count, cancel, error))
                return false;
        }
    return json_array_size(baseline->now) > 0 || error_set(error, ERROR_INPUT, "give a .cu or a .ptx file");
}

/* Puts the entries that ran into the file, sorted by target. */
static bool update_file(struct baseline *baseline, struct error *error)
{
    json_t *root = json_object(), *sorted = json_array(), *entry;
    size_t i;
    json_array_foreach(baseline->now, i, entry)
    {
        json_t *kept = entry_of(baseline->kept, json_string_value(json_object_get(entry, "target")));
        json_t *without = json_copy(entry);
        json_object_del(without, "places");
        if (kept)
            json_object_update(kept, without);
        else
            json_array_append(baseline->kept, without);
        json_decref(without);
    }
    while (json_array_size(baseline->kept)) {
        size_t first = 0;
        for (i = 1; i < json_array_size(baseline->kept); i++)
            if (strcmp(json_string_value(json_object_get(json_array_get(baseline->kept, i), "target")),
                       json_string_value(json_object_get(json_array_get(baseline->kept, first), "target"))) < 0)
                first = i;
        json_array_append(sorted, json_array_get(baseline->kept, first));
        json_array_remove(baseline->kept, first);
    }
    json_object_set_new(root, "version", json_integer(BASELINE_VERSION));
    json_object_set_new(root, "targets", sorted);
    char *text = json_dumps(root, JSON_INDENT(2));
    bool const fine =
        text ? file_write(baseline->path, arena_format(baseline->arena, "%s\n", text), strlen(text) + 1, error)
             : error_set(error, ERROR_MISSING, "no memory");
    free(text);
    json_decref(root);
    return fine;
}

static int compare(struct baseline *baseline, const struct cli_options *options, struct error *error)
{
    struct baseline_growth *growths = NULL;
    size_t count = 0, capacity = 0, i;
    json_t *entry;
    json_array_foreach(baseline->now, i, entry) growths =
        baseline_compare(baseline->arena, entry_of(baseline->kept, json_string_value(json_object_get(entry, "target"))),
                         entry, growths, &count, &capacity, stderr);
    if (options->forms &&
        !baseline_write(options->output ? options->output : ".", options->forms, baseline->now, growths, count, error))
        return cli_fail(error);
    if (options->json)
        cli_print_json(baseline_json(baseline->now, growths, count));
    for (i = 0; i < count && !options->json; i++) {
        if (growths[i].line)
            printf("%s:%d: %s\n", growths[i].file, growths[i].line, growths[i].message);
        else
            printf("%s: %s\n", growths[i].file, growths[i].message);
    }
    if (!options->json && !count)
        words_print(stdout, _("%zu {target|targets}: nothing grew\n"), json_array_size(baseline->now));
    return count ? CLI_FOUND : CLI_FINE;
}

int command_baseline(struct cli_options *options)
{
    struct error error;
    if (options->forms && !baseline_forms_known(options->forms))
        return cli_usage("--for takes sarif, junit, gitlab and github, with commas between, not '%s'", options->forms);
    struct baseline baseline = {.arena = &options->arena,
                                .path = options->baseline ? options->baseline : "lanescope-baseline.json",
                                .now = json_array()};
    bool fine = read_file(&baseline, options->update, &error);
    bool const placed = fine && workplace_open(&baseline.place);
    if (fine && !placed)
        fine = error_set(&error, ERROR_MISSING, "no temporary folder can be made");
    if (fine) {
        fine = run_all(&baseline, options, cli_interrupt_begin(), &error) &&
               (!options->update || update_file(&baseline, &error));
        cli_interrupt_end();
        workplace_close(&baseline.place);
    }
    int status = fine ? CLI_FINE : cli_fail(&error);
    if (fine && options->update)
        words_print(stdout, _("%s: {target|targets} kept: %zu\n"), baseline.path, json_array_size(baseline.now));
    else if (fine)
        status = compare(&baseline, options, &error);
    json_decref(baseline.kept);
    json_decref(baseline.now);
    return status;
}
