/* `baseline`: the counters and findings of targets, kept in a file of a repository, and what has grown since. */
#ifndef LANESCOPE_CLI_BASELINE_H
#define LANESCOPE_CLI_BASELINE_H
#include "base/arena.h"
#include "base/error.h"
#include <jansson.h>
#include <stdio.h>

/* What a target came to, in the form of the file:
 *   target, options   as given
 *   kernels           kernel, launches, counters: sums of all launches
 *   findings          kernel, kind, count: of different places
 * and, not kept, `places`: of findings and of the accesses that take most, by kernel. */
json_t *baseline_entry(const char *target, const char *const *options, size_t option_count, const json_t *report);

/* Something that grew. */
struct baseline_growth {
    const char *target, *kernel;
    const char *rule; /* "counter", "finding", "kernel", "launches" */
    const char *message;
    const char *file; /* relative to where the target is, as the target's path */
    int line;         /* 0: unknown */
};
/* Compares an entry with the one that was kept. Adds what grew, and writes what shrank or changed to `notes`. */
struct baseline_growth *baseline_compare(struct arena *arena, const json_t *kept, const json_t *now,
                                         struct baseline_growth *growths, size_t *count, size_t *capacity, FILE *notes);

/* baseline_forms.c. Writes the forms "sarif,junit,gitlab" into a folder, and those for GitHub's log to standard output.
 */
bool baseline_forms_known(const char *forms);
bool baseline_write(const char *folder, const char *forms, const json_t *entries, const struct baseline_growth *growths,
                    size_t count, struct error *error);
json_t *baseline_json(const json_t *entries, const struct baseline_growth *growths, size_t count);
#endif
