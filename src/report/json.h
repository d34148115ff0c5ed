/* Findings as JSON, in English whatever the language. Keys and words are stable. */
#ifndef LANESCOPE_REPORT_JSON_H
#define LANESCOPE_REPORT_JSON_H
#include "report/report.h"
#include <jansson.h>

/* The lists `faults` (faults and notes) and `hazards` (races) of a run. */
json_t *report_faults_json(const struct trace *trace);
json_t *report_hazards_json(const struct trace *trace);
/* Returns words in the user's language, for the keys `words` and `remedy_words`, which JSON has only with
 * LANESCOPE_JSON_WORDS in the environment: `grade` sets it for its reports. Else NULL: there is no such key. */
json_t *report_words_json(const char *words);
#endif
