#include "report/json.h"
#include "report/datum.h"
#include "report/explain.h"
#include <stdlib.h>

/* Adds the keys of an instruction's line; `near` only where the compiler gave the instruction none. */
static json_t *add_line(json_t *object, const struct trace *trace, const struct finding_place *place)
{
    return datum_add(object, DATA(DATUM("file", report_file(trace, place->file)), DATUM("line", place->line),
                                  ITEM("near", place->near ? json_true() : NULL)));
}

json_t *report_words_json(const char *words)
{
    return getenv("LANESCOPE_JSON_WORDS") && words ? json_string(words) : NULL;
}

/* Adds the lesson about a finding, and the words for a student. */
static json_t *add_advice(json_t *object, const struct trace *trace, const struct finding *finding)
{
    struct arena arena = {0};
    const char *lesson = report_finding_lesson(finding), *advice = report_advice(&arena, trace, finding);
    datum_add(object, DATA(ITEM("lesson", VALUE_OR_NULL(*lesson, lesson)),
                           ITEM("words", report_words_json(report_message(&arena, REPORT_TRANSLATED, finding))),
                           ITEM("remedy_words", report_words_json(advice))));
    arena_free(&arena);
    return object;
}

static json_t *fault_json(const struct trace *trace, const struct finding *finding)
{
    struct arena arena = {0};
    json_t *row =
        OBJECT(DATUM("kind", finding_word(finding)), DATUM("message", report_message(&arena, REPORT_ENGLISH, finding)));
    arena_free(&arena);
    return datum_add(add_line(row, trace, &finding->at),
                     DATA(DATUM("block", finding->at.block), DATUM("thread", finding->at.thread),
                          DATUM("address", finding->address)));
}

json_t *report_faults_json(const struct trace *trace)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->finding_count; i++)
        if (!finding_is_race(&trace->findings[i]))
            json_array_append_new(list, add_advice(fault_json(trace, &trace->findings[i]), trace, &trace->findings[i]));
    return list;
}

static json_t *side_json(const struct trace *trace, const struct finding_place *place)
{
    bool const known = place->site < trace->site_count;
    const char *operation = known ? trace_operation_word(trace->sites[place->site].operation) : "";
    return datum_add(add_line(json_object(), trace, place),
                     DATA(DATUM("operation", operation), DATUM("block", place->block), DATUM("thread", place->thread)));
}

json_t *report_hazards_json(const struct trace *trace)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const struct finding *race = &trace->findings[i];
        struct arena arena = {0};
        if (!finding_is_race(race))
            continue;
        json_t *row = OBJECT(DATUM("message", report_message(&arena, REPORT_ENGLISH, race)),
                             DATUM("space", ptx_space_name(race->race.space)), DATUM("block", race->at.block),
                             DATUM("address", race->address), ITEM("first", side_json(trace, &race->race.first)),
                             ITEM("second", side_json(trace, &race->at)));
        json_array_append_new(list, add_advice(row, trace, race));
        arena_free(&arena);
    }
    return list;
}
