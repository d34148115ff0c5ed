#include "report/json.h"

static json_t *integer(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *thread_json(const uint32_t thread[3])
{
    return json_pack("[I,I,I]", (json_int_t)thread[0], (json_int_t)thread[1], (json_int_t)thread[2]);
}

/* Keys of an instruction's line; `near` only where the compiler gave the instruction none. */
static void add_line(json_t *object, const struct trace *trace, const struct finding_place *place)
{
    json_object_set_new(object, "file", json_string(place->file < trace->file_count ? trace->files[place->file] : ""));
    json_object_set_new(object, "line", integer(place->line));
    if (place->near)
        json_object_set_new(object, "near", json_true());
}

static json_t *fault_json(const struct trace *trace, const struct finding *finding)
{
    struct arena arena = {0};
    json_t *row = json_object();
    json_object_set_new(row, "kind", json_string(finding_word(finding)));
    json_object_set_new(row, "message", json_string(report_message(&arena, REPORT_ENGLISH, finding)));
    add_line(row, trace, &finding->at);
    json_object_set_new(row, "block", integer(finding->at.block));
    json_object_set_new(row, "thread", thread_json(finding->at.thread));
    json_object_set_new(row, "address", integer(finding->address));
    arena_free(&arena);
    return row;
}

json_t *report_faults_json(const struct trace *trace)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->finding_count; i++)
        if (!finding_is_race(&trace->findings[i]))
            json_array_append_new(list, fault_json(trace, &trace->findings[i]));
    return list;
}

static json_t *side_json(const struct trace *trace, const struct finding_place *place)
{
    bool const known = place->site < trace->site_count;
    json_t *side = json_object();
    add_line(side, trace, place);
    const char *operation = known ? trace_operation_word(trace->sites[place->site].operation) : "";
    json_object_set_new(side, "operation", json_string(operation));
    json_object_set_new(side, "block", integer(place->block));
    json_object_set_new(side, "thread", thread_json(place->thread));
    return side;
}

json_t *report_hazards_json(const struct trace *trace)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const struct finding *race = &trace->findings[i];
        struct arena arena = {0};
        if (!finding_is_race(race))
            continue;
        json_t *row = json_object();
        json_object_set_new(row, "message", json_string(report_message(&arena, REPORT_ENGLISH, race)));
        json_object_set_new(row, "space", json_string(ptx_space_name(race->race.space)));
        json_object_set_new(row, "block", integer(race->at.block));
        json_object_set_new(row, "address", integer(race->address));
        json_object_set_new(row, "first", side_json(trace, &race->race.first));
        json_object_set_new(row, "second", side_json(trace, &race->at));
        json_array_append_new(list, row);
        arena_free(&arena);
    }
    return list;
}
