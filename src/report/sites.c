/* The counts of each instruction that accesses memory: in JSON one object a site, in text one row for all sites that a
 * compiler made of an instruction, for example by unrolling a loop. */
#include "base/words.h"
#include "report/datum.h"
#include "report/report.h"
#include "report/run.h"
#include "trace/by_place.h"
#include <inttypes.h>
#include <string.h>

enum { COLUMN = 10 };

struct row {
    const struct trace_site *site;
    struct site_counts counts;
    unsigned copies;
    uint64_t l1_hits; /* sectors of loads that were in the L1 */
    bool cached;      /* the run followed the caches */
};

/* Returns the space of a site's accesses, such as "global", if it is the same for all; otherwise the instruction's. */
static const char *space_of(const struct row *row)
{
    const struct site_counts *counts = &row->counts;
    return ptx_space_name(counts->global_requests == counts->requests   ? PTX_SPACE_GLOBAL
                          : counts->shared_requests == counts->requests ? PTX_SPACE_SHARED
                                                                        : row->site->space);
}

/* Fills the row of one site. Returns false if it made no access to memory. */
static bool row_of(const struct run *run, uint32_t site, struct row *row)
{
    *row = (struct row){.site = &run->trace->sites[site], .counts = run->counts.sites[site], .copies = 1};
    row->cached = run->caches && site < run->caches->site_count;
    if (row->cached)
        row->l1_hits = run->caches->sites[site].l1_hits;
    return row->site->operation < TRACE_BARRIER && row->counts.requests;
}

static uint32_t site_count(const struct run *run)
{
    return run->trace->site_count < run->counts.site_count ? run->trace->site_count : run->counts.site_count;
}

static void write_counts(const struct datum_writer *to, const struct row *row)
{
    const struct site_counts *c = &row->counts;
    bool const passes = c->shared_requests || c->constant_requests; /* a site has one of the two spaces */
    const char *blank = c->global_requests ? NULL : "";
    bool const loads = row->site->operation == TRACE_LOAD && c->global_requests;
    datum_write(
        to,
        DATA({"requests", VALUE(c->requests), N_("Executed"), NULL},
             {"sectors", VALUE(c->sectors), N_("Sectors"), blank},
             {"sectors_ideal", VALUE(c->sectors_ideal), N_("(least)"), blank},
             {"l1_hits", row->cached ? VALUE(row->l1_hits) : NULL, row->cached ? N_("In L1") : NULL, loads ? NULL : ""},
             DATUM("wavefronts", c->wavefronts), DATUM("wavefronts_ideal", c->wavefronts_ideal),
             DATUM("constant_passes", c->constant_passes), DATUM("constant_passes_ideal", c->constant_passes_ideal),
             {NULL, passes ? VALUE(c->wavefronts + c->constant_passes) : NULL, N_("Passes"), NULL},
             {NULL, passes ? VALUE(c->wavefronts_ideal + c->constant_passes_ideal) : NULL, N_("(least)"), NULL}));
}

const char *report_access(struct arena *arena, const struct trace_site *site, const char *space, unsigned copies)
{
    const char *words =
        arena_format(arena, "%s.%s %u B", trace_operation_word(site->operation), space, (unsigned)site->bytes);
    return copies > 1 ? arena_format(arena, "%s  x%u", words, copies) : words;
}

json_t *report_site_json(const struct trace *trace, const struct trace_site *site, const char *operation,
                         const char *space)
{
    return OBJECT(ITEM("file", trace ? VALUE(report_file(trace, site->file)) : NULL), DATUM("line", site->line),
                  DATUM("column", site->column), DATUM("operation", operation), DATUM("space", space),
                  DATUM("bytes", site->bytes));
}

json_t *report_sites_json(const struct run *run)
{
    json_t *list = json_array();
    struct row row;
    for (uint32_t i = 0; i < site_count(run); i++) {
        if (!row_of(run, i, &row))
            continue;
        json_t *object = report_site_json(NULL, row.site, trace_operation_word(row.site->operation), space_of(&row));
        write_counts(&(struct datum_writer){.object = object}, &row);
        json_array_append_new(list, object);
    }
    return list;
}

static bool same_row(const struct row *row, const struct row *other)
{
    const struct trace_site *a = row->site, *b = other->site;
    return a->line && a->line == b->line && a->file == b->file && a->operation == b->operation &&
           a->bytes == b->bytes && strcmp(space_of(row), space_of(other)) == 0;
}

static size_t table_rows(struct arena *arena, const struct run *run, struct row **rows_out)
{
    struct row *rows = arena_array(arena, struct row, run->trace->site_count), row;
    struct by_place places = by_place_new(arena, run->trace->site_count, false);
    size_t count = 0;
    for (uint32_t i = 0; i < site_count(run); i++) {
        if (!row_of(run, i, &row))
            continue;
        uint32_t found = by_place_first(&places, row.site);
        while (found && !same_row(&rows[found - 1], &row))
            found = by_place_next(&places, found);
        if (!found) {
            by_place_add(&places, row.site, (uint32_t)count);
            rows[count++] = row;
            continue;
        }
        rows[found - 1].site = row.site;
        rows[found - 1].copies++;
        rows[found - 1].l1_hits += row.l1_hits;
        counts_add(&rows[found - 1].counts, &row.counts);
    }
    *rows_out = rows;
    return count;
}

static void write_line(FILE *out, const char *line, const char *access, const struct row *row, bool heads)
{
    datum_cell(out, line, 6, true);
    fputs("  ", out);
    datum_cell(out, access, 20, false);
    write_counts(&(struct datum_writer){.out = out, .columns = COLUMN, .heads = heads}, row);
    fputc('\n', out);
}

void report_sites_text(FILE *out, struct arena *arena, const struct run *run)
{
    struct row *rows;
    size_t const count = table_rows(arena, run, &rows);
    unsigned copies = 1;
    for (size_t i = 0; i < count; i++) {
        const struct trace_site *site = rows[i].site;
        const char *access = report_access(arena, site, space_of(&rows[i]), rows[i].copies);
        copies = rows[i].copies > copies ? rows[i].copies : copies;
        if (i == 0)
            write_line(out, _("Line"), _("Access"), &rows[i], true);
        write_line(out, report_line(arena, site, false), access, &rows[i], false);
    }
    if (copies > 1)
        report_put(out, _("  x2, x3 and so on: the line has that many such instructions, from the source or from loop "
                          "unrolling; the row shows their sum"));
}
