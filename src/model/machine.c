/* A wide access does the work of as many narrow ones as it is wide, so merging leaves the sum of (instructions x width)
 * as it was. That sum, taken over instructions that all began at one width, is the proof. */
#include "model/machine.h"
#include <string.h>

bool machine_counter(const struct machine_counts *machine, const char *name, uint64_t *value)
{
    for (size_t i = 0; i < machine->counter_count; i++) {
        if (strcmp(machine->counters[i].name, name) != 0)
            continue;
        *value = machine->counters[i].value;
        return true;
    }
    return false;
}

static unsigned width_index(uint32_t bytes)
{
    unsigned index = 0;
    while (index + 1 < MACHINE_WIDTHS && (1u << index) < bytes)
        index++;
    return index;
}

static void add_written(const struct counts *counts, const struct trace_site *sites, struct machine_line *line)
{
    bool const global = line->space == PTX_SPACE_GLOBAL;
    for (uint32_t i = 0; i < counts->site_count; i++) {
        const struct site_counts *site = &counts->sites[i];
        if (sites[i].operation != line->operation)
            continue;
        uint64_t const requests = global ? site->global_requests : site->shared_requests;
        line->written += requests;
        line->written_by_width[width_index(sites[i].bytes)] += requests;
        line->written_units += global ? site->sectors : site->wavefronts;
        line->written_conflicts += global ? 0 : site->wavefronts - site->wavefronts_ideal;
    }
}

/* Instructions, units and conflicts of a line, by Nsight Compute's names; [2] of a global line is NULL. */
static const char *const names[2][2][3] = {
    {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", NULL},
     {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", NULL}},
    {{"smsp__sass_inst_executed_op_shared_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
     {"smsp__sass_inst_executed_op_shared_st.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}}};

static bool add_ran(const struct machine_counts *machine, struct machine_line *line)
{
    uint64_t *const values[3] = {&line->ran, &line->ran_units, &line->ran_conflicts};
    const char *const *own = names[line->space == PTX_SPACE_SHARED][line->operation == TRACE_STORE];
    for (size_t i = 0; i < 3; i++)
        if (own[i] && !machine_counter(machine, own[i], values[i]))
            return false;
    for (size_t i = 0; i < machine->access_count; i++) {
        const struct machine_access *access = &machine->accesses[i];
        if (access->operation == line->operation && access->space == line->space)
            line->ran_by_width[width_index(access->bytes)] += access->executed;
    }
    return true;
}

static bool proven_merged(const struct machine_line *line)
{
    uint64_t ran = 0, worth = 0;
    unsigned narrow = 0;
    while (narrow < MACHINE_WIDTHS && line->written_by_width[narrow] == 0)
        narrow++;
    if (narrow == MACHINE_WIDTHS || line->written_by_width[narrow] != line->written || line->ran >= line->written)
        return false;
    for (unsigned i = 0; i < MACHINE_WIDTHS; i++) {
        if (i < narrow && line->ran_by_width[i])
            return false;
        ran += line->ran_by_width[i];
        worth += i < narrow ? 0 : line->ran_by_width[i] << (i - narrow);
    }
    return ran == line->ran && worth == line->written;
}

size_t machine_lines(const struct counts *counts, const struct trace_site *sites, const struct machine_counts *machine,
                     struct arena *arena, struct machine_line **lines)
{
    static const struct machine_line empty[] = {{.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL},
                                                {.operation = TRACE_STORE, .space = PTX_SPACE_GLOBAL},
                                                {.operation = TRACE_LOAD, .space = PTX_SPACE_SHARED},
                                                {.operation = TRACE_STORE, .space = PTX_SPACE_SHARED}};
    size_t const most = sizeof empty / sizeof *empty;
    size_t count = 0;
    if (!machine->counted)
        return 0;
    *lines = arena_array(arena, struct machine_line, most);
    for (size_t i = 0; i < most; i++) {
        struct machine_line line = empty[i];
        add_written(counts, sites, &line);
        if (!add_ran(machine, &line) || (line.written == 0 && line.ran == 0))
            continue;
        bool const same = line.written == line.ran && line.written_units == line.ran_units &&
                          line.written_conflicts == line.ran_conflicts;
        line.verdict = same ? MACHINE_SAME : proven_merged(&line) ? MACHINE_MERGED : MACHINE_OTHER;
        (*lines)[count++] = line;
    }
    return count;
}
