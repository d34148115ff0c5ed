/* Findings as SARIF 2.1.0 (OASIS), with the properties that GitHub's code scanning asks for: version, the tool's name
 * and rules, and of each result its rule, message, file and line. */
#ifndef LANESCOPE_REPORT_SARIF_H
#define LANESCOPE_REPORT_SARIF_H
#include "base/arena.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct sarif_result {
    const char *rule, *rule_text; /* a short name, "bank-conflicts", and its sentence */
    const char *message;
    const char *file; /* a path relative to the repository, or as it was given */
    int line;         /* < 1: the whole file; the first line stands for it */
    bool warning;     /* otherwise an error */
};
json_t *sarif_json(struct arena *arena, const struct sarif_result *results, size_t count);
/* Returns what tells a result from others, also after lines above it have moved: of its rule, its file and the message
 * without digits. */
const char *sarif_fingerprint(struct arena *arena, const struct sarif_result *result);
#endif
