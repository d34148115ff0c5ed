/* Where the sectors of a launch came from, as an object of JSON and as a line of text. */
#include "base/words.h"
#include "model/gpu.h"
#include "report/datum.h"
#include "report/report.h"
#include "report/run.h"
#include <inttypes.h>

/* Returns the two numbers that each counter lies between that is not known; NULL: there is none. */
static json_t *between_json(const struct caches *caches)
{
    if (caches->shared)
        return OBJECT(ITEM(CACHES_L2_READS, datum_range(caches->l2_reads_least, caches->l2_reads)));
    if (caches_l2_hits_known(caches))
        return NULL;
    return OBJECT(
        ITEM(CACHES_L2_READ_HITS, datum_range(caches->l2_read_hits, caches->l2_read_hits + caches->l2_read_late)));
}

/* Returns the documents that the sizes of caches are from whose rules were not measured. */
static json_t *sources_json(const struct gpu_caches *gpu)
{
    return OBJECT(DATUM("l1", gpu->limits->l1_source), DATUM("l2", gpu->l2->from),
                  DATUM("multiprocessors", gpu->multiprocessors->from));
}

json_t *report_rows_json(const char *model, uint64_t requests, uint64_t hits, uint64_t misses, uint64_t conflicts)
{
    return OBJECT(DATUM("model", model), DATUM("requests", requests), DATUM("row_hits", hits),
                  DATUM("row_misses", misses), DATUM("row_conflicts", conflicts));
}

/* Returns what the rows of the DRAM are for the misses. */
static json_t *rows_json(const struct run *run)
{
    const struct caches *caches = run->caches;
    return run->dram_preset ? report_rows_json(run->dram_preset, caches->dram_reads, caches->row_hits,
                                               caches->row_misses, caches->row_conflicts)
                            : NULL;
}

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
    bool const measured = run->caches->measured;
    json_t *object =
        OBJECT(DATUM("gpu", run->caches_gpu->gpu), DATUM("measured", measured),
               ITEM("sources", measured ? NULL : sources_json(run->caches_gpu)), DATUM("warm", run->caches_warm),
               DATUM("l1_bytes", run->caches_machine.l1_room), DATUM("resident_blocks", run->caches_machine.resident),
               ITEM("counters", counters), ITEM("dram", rows_json(run)));
    json_t *between = between_json(run->caches);
    return between ? datum_add(object, DATA(ITEM("between", between))) : object;
}

static uint64_t counter(const json_t *caches, const char *name, bool *known)
{
    const json_t *value = json_object_get(json_object_get(caches, "counters"), name);
    *known = json_is_integer(value);
    return (uint64_t)json_integer_value(value);
}

/* Returns "3584 of 4096 (87.5 %)", in the arena. */
static const char *rate(struct arena *arena, uint64_t part, uint64_t all)
{
    if (!all)
        return _("none asked");
    const char *words = arena_format(arena, _("%llu of %llu"), (unsigned long long)part, (unsigned long long)all);
    return arena_format(arena, "%s (%.1f %%)", words, 100.0 * (double)part / (double)all);
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

static unsigned long long limit(const json_t *caches, const char *name, size_t which)
{
    const json_t *range = json_object_get(json_object_get(caches, "between"), name);
    return (unsigned long long)json_integer_value(json_array_get(range, which));
}

static void print_l2(FILE *out, struct arena *arena, const json_t *caches)
{
    bool known, hits_known;
    uint64_t const reads = counter(caches, CACHES_L2_READS, &known),
                   hits = counter(caches, CACHES_L2_READ_HITS, &hits_known);
    if (!known)
        fprintf(out, _("; asked of the L2: %llu to %llu, as loads of several multiprocessors may become one"),
                limit(caches, CACHES_L2_READS, 0), limit(caches, CACHES_L2_READS, 1));
    else if (hits_known)
        fprintf(out, _("; in the L2: %s"), rate(arena, hits, reads));
    else
        fprintf(out, _("; in the L2: %llu to %llu of %llu, as some sectors may still be on their way from the DRAM"),
                limit(caches, CACHES_L2_READ_HITS, 0), limit(caches, CACHES_L2_READ_HITS, 1),
                (unsigned long long)reads);
}

/* The DRAM delivers more than loads miss where a neighbour comes along, and what atomics need. */
static void print_dram(FILE *out, const json_t *caches)
{
    bool known, hits_known, reads_known;
    uint64_t const reads = counter(caches, CACHES_L2_READS, &reads_known),
                   hits = counter(caches, CACHES_L2_READ_HITS, &hits_known),
                   sectors = counter(caches, "dram__sectors_read.sum", &known);
    fprintf(out,
            reads_known && hits_known && sectors > reads - hits
                ? _("; from the DRAM, in pairs of sectors and with those of atomics: %" PRIu64 "\n")
                : _("; from the DRAM: %" PRIu64 "\n"),
            sectors);
}

static void print_rows(FILE *out, const json_t *caches)
{
    const char *model;
    json_int_t requests, hits, misses, conflicts;
    if (json_unpack((json_t *)(uintptr_t)caches, "{s:{s:s,s:I,s:I,s:I,s:I}}", "dram", "model", &model, "requests",
                    &requests, "row_hits", &hits, "row_misses", &misses, "row_conflicts", &conflicts) == 0)
        fprintf(out,
                _("  DRAM (model %s, behind the caches): %" PRIu64 " bursts read; row hits %" PRIu64 ", misses %" PRIu64
                  ", conflicts %" PRIu64 "\n"),
                model, (uint64_t)requests, (uint64_t)hits, (uint64_t)misses, (uint64_t)conflicts);
}

void report_caches_text(FILE *out, const json_t *caches, uint64_t loads)
{
    const char *reason = json_string_value(json_object_get(caches, "reason"));
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
    print_l2(out, &arena, caches);
    print_dram(out, caches);
    print_rows(out, caches);
    if (json_is_false(json_object_get(caches, "measured")))
        report_put(out,
                   _("  these caches were not measured: their sizes are from documents, and the rules of the model "
                     "were found on GPUs of compute capability 9.0"));
    arena_free(&arena);
}
