/* Where the sectors of a launch came from, as an object of JSON and as a line of text. */
#include "base/words.h"
#include "model/cache_sets.h"
#include "report/datum.h"
#include "report/report.h"
#include "report/run.h"
#include <inttypes.h>

json_t *report_caches_json(struct arena *arena, const struct run *run)
{
    if (!run->caches && !run->caches_unknown)
        return NULL;
    if (!run->caches)
        return OBJECT(DATUM("reason", run->caches_unknown));
    json_t *counters = json_object();
    struct counter *rows;
    size_t const count = caches_counters(run->caches, arena, &rows);
    for (size_t i = 0; i < count; i++)
        datum_add(counters, DATA(ITEM(rows[i].name, VALUE_OR_NULL(rows[i].value != CACHES_UNKNOWN, rows[i].value))));
    json_t *object = OBJECT(DATUM("gpu", run->caches_gpu), DATUM("warm", run->caches_warm),
                            DATUM("l1_bytes", l1_room(run->caches_machine.shared)),
                            DATUM("resident_blocks", run->caches_machine.resident), ITEM("counters", counters));
    return run->caches->shared
               ? datum_add(object,
                           DATA(ITEM("between", OBJECT(ITEM(CACHES_L2_READS, datum_range(run->caches->l2_reads_least,
                                                                                         run->caches->l2_reads))))))
               : object;
}

static uint64_t counter(const json_t *caches, const char *name, bool *known)
{
    const json_t *value = json_object_get(json_object_get(caches, "counters"), name);
    *known = json_is_integer(value);
    return (uint64_t)json_integer_value(value);
}

/* Returns "3584 of 4096 (87.5 %)", in the arena; without a part of anything no percentage. */
static const char *rate(struct arena *arena, uint64_t part, uint64_t all)
{
    const char *words = arena_format(arena, _("%llu of %llu"), (unsigned long long)part, (unsigned long long)all);
    return all ? arena_format(arena, "%s (%.1f %%)", words, 100.0 * (double)part / (double)all) : words;
}

static const char *l1_words(struct arena *arena, const json_t *caches, uint64_t loads)
{
    bool known;
    uint64_t const local = counter(caches, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", &known);
    const char *words =
        rate(arena, counter(caches, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", &known), loads);
    if (!local)
        return words;
    uint64_t const hits = counter(caches, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum", &known);
    return arena_format(arena, _("%s; of local loads: %s"), words, rate(arena, hits, local));
}

static void print_between(FILE *out, const json_t *range)
{
    fprintf(out, _("; asked of the L2: %" PRIu64 " to %" PRIu64 ", as loads of several multiprocessors may become one"),
            (uint64_t)json_integer_value(json_array_get(range, 0)),
            (uint64_t)json_integer_value(json_array_get(range, 1)));
}

void report_caches_text(FILE *out, const json_t *caches, uint64_t loads)
{
    const char *reason = json_string_value(json_object_get(caches, "reason"));
    bool known;
    if (reason) {
        fprintf(out, _("  caches: not known: %s\n"), _(reason));
        return;
    }
    struct arena arena = {0};
    fprintf(out,
            json_is_true(json_object_get(caches, "warm"))
                ? _("  caches (model of %s, of a second launch, L1 of %u KB): sectors of global loads in the L1: %s")
                : _("  caches (model of %s, empty at the start, L1 of %u KB): sectors of global loads in the L1: %s"),
            json_string_value(json_object_get(caches, "gpu")),
            (unsigned)(json_integer_value(json_object_get(caches, "l1_bytes")) >> 10), l1_words(&arena, caches, loads));
    uint64_t const reads = counter(caches, CACHES_L2_READS, &known),
                   hits = counter(caches, "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", &known);
    if (known)
        fprintf(out, _("; in the L2: %s"), rate(&arena, hits, reads));
    else
        print_between(out, json_object_get(json_object_get(caches, "between"), CACHES_L2_READS));
    fprintf(out, _("; from the DRAM: %" PRIu64 "\n"), counter(caches, "dram__sectors_read.sum", &known));
    arena_free(&arena);
}
