#include "document/what_if.h"
#include "base/file.h"
#include <string.h>

const char *what_if_write(struct arena *arena, const char *path, const char *source,
                          const struct run_file_request *request, const struct source_turn *turns, size_t turn_count,
                          const char **text, struct error *error)
{
    struct source_knobs knobs;
    source_knobs_find(arena, source, request->defines, request->define_count, &knobs);
    *text = source_knobs_apply(arena, source, &knobs, turns, turn_count);
    if (strcmp(*text, source) == 0)
        return path;
    const char *cache = folder_cache(), *whole = path_absolute(arena, path);
    const char *copy = arena_format(arena, "%s/what-if/%s/%s", cache ? cache : "/tmp/lanescope",
                                    digest_of(whole, strlen(whole)).text, path_name(path));
    return file_write(copy, *text, strlen(*text), error) ? copy : NULL;
}

void what_if_note_source(struct what_if *what_if, const char *source, const struct run_file_request *request)
{
    arena_reset(&what_if->arena);
    source_knobs_find(&what_if->arena, arena_text(&what_if->arena, source), request->defines, request->define_count,
                      &what_if->knobs);
    int const count = (int)what_if->knobs.count;
    what_if->current = what_if->current < count ? what_if->current : 0;
}

static uint64_t counter(const json_t *counters, const char *name)
{
    json_int_t const value = json_integer_value(json_object_get(counters, name));
    return value > 0 ? (uint64_t)value : 0;
}

static struct launch_sum sum_of(struct arena *arena, const struct program_launch *launch)
{
    const json_t *counters = json_object_get(launch->record, "counters");
    struct launch_sum sum = {.kernel = arena_text(arena, launch->kernel),
                             .launch = launch->number,
                             .instructions = counter(counters, "warp_instructions"),
                             .sectors = counter(counters, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") +
                                        counter(counters, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
                             .passes = counter(counters, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") +
                                       counter(counters, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum") +
                                       counter(counters, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"),
                             .findings = (uint64_t)launch->faults + launch->hazards,
                             .model_us = launch->model_us};
    memcpy(sum.grid, launch->grid, sizeof sum.grid);
    memcpy(sum.block, launch->block, sizeof sum.block);
    return sum;
}

static void forget(struct run_sum *sum)
{
    arena_free(&sum->arena);
    *sum = (struct run_sum){.known = false};
}

static void copy(struct run_sum *to, const struct run_sum *from)
{
    forget(to);
    to->items = arena_copy(&to->arena, from->items, from->count, sizeof *from->items);
    for (size_t i = 0; i < from->count; i++)
        to->items[i].kernel = arena_text(&to->arena, from->items[i].kernel);
    to->count = from->count;
    to->known = true;
}

void what_if_note_run(struct what_if *what_if, const struct program_run *run, bool turned, bool edited)
{
    struct run_sum *now = &what_if->now;
    if (turned && what_if->own.known)
        copy(&what_if->before, &what_if->own);
    else if (!turned && edited && now->known)
        copy(&what_if->before, now);
    else
        forget(&what_if->before);
    what_if->edited = !turned;
    forget(now);
    now->known = true;
    now->items = arena_array(&now->arena, struct launch_sum, (size_t)run->launch_count + 1);
    for (uint32_t i = 0; i < run->launch_count; i++) {
        if (!run->launches[i].ran)
            continue;
        struct launch_sum *sum = &now->items[now->count++];
        *sum = sum_of(&now->arena, &run->launches[i]);
        for (size_t k = 0; k + 1 < now->count; k++)
            sum->nth += strcmp(now->items[k].kernel, sum->kernel) == 0;
    }
    if (!turned)
        copy(&what_if->own, now);
    else if (edited) /* the file's own values were not run since */
        forget(&what_if->own);
}

long long what_if_value(const struct what_if *what_if, const struct source_knob *knob)
{
    for (size_t i = 0; i < what_if->turn_count; i++)
        if (source_turn_fits(&what_if->turns[i], knob))
            return what_if->turns[i].value;
    return knob->value;
}

static void add_value(long long values[WHAT_IF_VALUES], int *count, long long value)
{
    int at = 0;
    while (at < *count && values[at] < value)
        at++;
    if (*count == WHAT_IF_VALUES || (at < *count && values[at] == value))
        return;
    memmove(values + at + 1, values + at, (size_t)(*count - at) * sizeof *values);
    values[at] = value;
    (*count)++;
}

int what_if_values(const struct what_if *what_if, const struct source_knob *knob, long long values[WHAT_IF_VALUES],
                   int *at)
{
    static const long long blocks[] = {32, 64, 128, 256, 512, 1024}, sides[] = {1, 2, 4, 8, 16, 32};
    long long const own = knob->value, now = what_if_value(what_if, knob);
    int count = 0;
    add_value(values, &count, own);
    add_value(values, &count, now);
    if (knob->role == SOURCE_KNOB_EXCHANGE) {
        add_value(values, &count, 0);
        add_value(values, &count, 1);
    } else if (knob->role == SOURCE_KNOB_BLOCK) {
        for (int i = 0; i < 6; i++)
            add_value(values, &count, knob->dimension < 0 ? blocks[i] : sides[i]);
    } else if (own < 8) {
        for (int i = -2; i <= 4; i++)
            add_value(values, &count, own > 0 && own + i < 1 ? 1 : own + i);
    } else { /* more than a few million elements take the emulator minutes */
        for (int i = 0; i < 6; i++) {
            long long const others[] = {
                own / 4, own / 2, own - 1, own + 1, own > 1 << 20 ? own : 2 * own, own > 1 << 19 ? own : 4 * own};
            add_value(values, &count, others[i]);
        }
    }
    for (*at = 0; values[*at] != now; (*at)++)
        ;
    return count;
}

void what_if_set(struct what_if *what_if, const struct source_knob *knob, long long value)
{
    size_t at = 0;
    while (at < what_if->turn_count && !source_turn_fits(&what_if->turns[at], knob))
        at++;
    if (value == knob->value) {
        if (at < what_if->turn_count)
            what_if->turns[at] = what_if->turns[--what_if->turn_count];
        return;
    }
    if (at == SOURCE_KNOBS_MAX)
        return;
    struct arena *arena = &what_if->turn_arena;
    if (at == what_if->turn_count)
        what_if->turns[what_if->turn_count++] =
            (struct source_turn){.name = arena_text(arena, knob->name),
                                 .kernel = knob->kernel ? arena_text(arena, knob->kernel) : NULL,
                                 .dimension = knob->dimension,
                                 .nth = knob->nth};
    what_if->turns[at].value = value;
}

void what_if_free(struct what_if *what_if)
{
    forget(&what_if->own);
    forget(&what_if->before);
    forget(&what_if->now);
    arena_free(&what_if->arena);
    arena_free(&what_if->turn_arena);
}
