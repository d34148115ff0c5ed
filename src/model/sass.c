/* Merging keeps the bytes that lanes move and reduces the number of instructions. That gives the proof: a wide access
 * does the work of several narrow ones, so the sum of (instructions x width) stays the same. */
#include "model/sass.h"
#include <string.h>

bool sass_counter(const struct sass_counts *sass, const char *name, uint64_t *value)
{
    for (size_t i = 0; i < sass->counter_count; i++) {
        if (strcmp(sass->counters[i].name, name) != 0)
            continue;
        *value = sass->counters[i].value;
        return true;
    }
    return false;
}

bool sass_opcode(const struct sass_counts *sass, const char *name, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < sass->opcode_count; i++)
        if (strcmp(sass->opcodes[i].name, name) == 0)
            *value = sass->opcodes[i].value;
    return sass->opcode_count > 0;
}

static unsigned width_index(uint32_t bytes)
{
    unsigned index = 0;
    while (index + 1 < SASS_WIDTHS && (1u << index) < bytes)
        index++;
    return index;
}

static void add_written(const struct counts *counts, const struct trace_site *sites, struct sass_line *line)
{
    bool const global = line->space == PTX_SPACE_GLOBAL;
    for (uint32_t i = 0; i < counts->site_count; i++) {
        const struct site_counts *site = &counts->sites[i];
        if (sites[i].operation != line->operation || sites[i].unit == TRACE_IN_BULK)
            continue;
        uint64_t const requests = global                           ? site->global_requests
                                  : sites[i].unit == TRACE_BY_ROWS ? 0
                                                                   /* this counter excludes them */
                                                                   : site->shared_requests;
        line->written += requests;
        line->written_by_width[width_index(sites[i].bytes)] += requests;
        line->written_units += global ? site->sectors : site->wavefronts;
        line->written_conflicts += global ? 0 : site->wavefronts - site->wavefronts_ideal;
    }
}

/* Names of Nsight Compute for a line's instructions, units and conflicts. Global memory has no conflicts. */
enum { LINE_COUNTERS = 3 };
static const char *const names[2][2][LINE_COUNTERS] = {
    {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", NULL},
     {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", NULL}},
    {{"smsp__sass_inst_executed_op_shared_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
     {"smsp__sass_inst_executed_op_shared_st.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}}};

static bool add_ran(const struct sass_counts *sass, struct sass_line *line)
{
    uint64_t *const values[LINE_COUNTERS] = {&line->ran, &line->ran_units, &line->ran_conflicts};
    const char *const *own = names[line->space == PTX_SPACE_SHARED][line->operation == TRACE_STORE];
    for (size_t i = 0; i < LINE_COUNTERS; i++)
        if (own[i] && !sass_counter(sass, own[i], values[i]))
            return false;
    return true;
}

static bool ran_as_written(const struct sass_line *line)
{
    return line->written == line->ran && line->written_units == line->ran_units &&
           line->written_conflicts == line->ran_conflicts;
}

/* Reads the instructions of each width over all lines. Returns false when one of the counters is absent. */
static bool all_widths(const struct sass_counts *sass, uint64_t widths[SASS_WIDTHS])
{
    static const char *const counters[SASS_WIDTHS] = {
        "smsp__sass_inst_executed_op_memory_8b.sum", "smsp__sass_inst_executed_op_memory_16b.sum",
        "smsp__sass_inst_executed_op_memory_32b.sum", "smsp__sass_inst_executed_op_memory_64b.sum",
        "smsp__sass_inst_executed_op_memory_128b.sum"};
    for (unsigned i = 0; i < SASS_WIDTHS; i++)
        if (!sass_counter(sass, counters[i], &widths[i]))
            return false;
    return true;
}

/* Returns whether the widths prove merging: all PTX accesses have one width, and the machine's accesses hold exactly as
 * many of them. */
static bool adds_up(const struct sass_line *line, const uint64_t widths[SASS_WIDTHS])
{
    uint64_t ran = 0, worth = 0;
    unsigned narrow = 0;
    while (narrow < SASS_WIDTHS && line->written_by_width[narrow] == 0)
        narrow++;
    if (narrow == SASS_WIDTHS || line->written_by_width[narrow] != line->written || line->ran >= line->written)
        return false;
    for (unsigned i = 0; i < SASS_WIDTHS; i++) {
        ran += widths[i];
        worth += i < narrow ? 0 : widths[i] << (i - narrow);
    }
    return ran == line->ran && worth == line->written;
}

/* Gives lines that ran as written the widths of the PTX, and the remaining widths to the line that did not, if it is
 * the only one. */
static void share_widths(const struct sass_counts *sass, struct sass_line *lines, size_t count)
{
    uint64_t left[SASS_WIDTHS];
    struct sass_line *other = NULL;
    unsigned others = 0;
    bool enough = all_widths(sass, left);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].verdict != SASS_SAME) {
            other = &lines[i];
            others++;
            continue;
        }
        memcpy(lines[i].ran_by_width, lines[i].written_by_width, sizeof lines[i].ran_by_width);
        for (unsigned k = 0; k < SASS_WIDTHS; k++) {
            enough = enough && left[k] >= lines[i].written_by_width[k];
            left[k] -= lines[i].written_by_width[k];
        }
    }
    if (!enough || others != 1)
        return;
    memcpy(other->ran_by_width, left, sizeof left);
    if (adds_up(other, left))
        other->verdict = SASS_MERGED;
}

size_t sass_lines(const struct counts *counts, const struct trace_site *sites, const struct sass_counts *sass,
                  struct arena *arena, struct sass_line **lines)
{
    static const struct sass_line empty[] = {{.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL},
                                             {.operation = TRACE_STORE, .space = PTX_SPACE_GLOBAL},
                                             {.operation = TRACE_LOAD, .space = PTX_SPACE_SHARED},
                                             {.operation = TRACE_STORE, .space = PTX_SPACE_SHARED}};
    size_t const most = sizeof empty / sizeof *empty;
    size_t count = 0;
    if (!sass->counted)
        return 0;
    *lines = arena_array(arena, struct sass_line, most);
    for (size_t i = 0; i < most; i++) {
        struct sass_line line = empty[i];
        add_written(counts, sites, &line);
        if (!add_ran(sass, &line) || (line.written == 0 && line.ran == 0))
            continue;
        line.verdict = ran_as_written(&line) ? SASS_SAME : SASS_OTHER;
        (*lines)[count++] = line;
    }
    share_widths(sass, *lines, count);
    return count;
}
