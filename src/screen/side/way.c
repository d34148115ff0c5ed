/* The way of a lane to its address: the expression that the PTX computes, and its numbers for this lane. */
#include "screen/side/way.h"
#include "base/words.h"
#include "model/address.h"
#include "ptx/variables.h"
#include "run/kernel_text.h"
#include <inttypes.h>
#include <string.h>

struct reader {
    struct address address;
    const struct source_parameter *named; /* NULL: the source does not show them */
};

static const char *special_words(struct arena *arena, const struct ptx_term *leaf)
{
    static const char *const axes[] = {"x", "y", "z", "w"};
    const char *name = leaf->index == PTX_SR_tid      ? "threadIdx"
                       : leaf->index == PTX_SR_ntid   ? "blockDim"
                       : leaf->index == PTX_SR_ctaid  ? "blockIdx"
                       : leaf->index == PTX_SR_nctaid ? "gridDim"
                                                      : NULL;
    return name ? arena_format(arena, "%s.%s", name, axes[leaf->component % 4])
                : ptx_special_word((enum ptx_special)leaf->index);
}

static uint32_t line_of_loop(const struct reader *reader, const struct ptx_term *leaf)
{
    return reader->address.kernel->instructions[leaf->loop].line;
}

/* Names a round: "round", and where several loops take part "round_14", "round_14_2". */
static const char *round_words(const struct reader *reader, struct arena *arena, const struct ptx_term *leaf)
{
    uint32_t const own = address_round(&reader->address, leaf), line = line_of_loop(reader, leaf);
    uint32_t earlier = 0;
    if (reader->address.round_count <= 1)
        return "round";
    for (uint32_t i = 0; i < own && i < reader->address.round_count; i++)
        earlier += line_of_loop(reader, reader->address.rounds[i]) == line;
    return earlier ? arena_format(arena, "round_%u_%u", line, earlier + 1) : arena_format(arena, "round_%u", line);
}

static const char *leaf_words(void *context, struct arena *arena, const struct ptx_term *leaf)
{
    const struct reader *reader = context;
    const struct ptx_variable *variable;
    const char *name;
    switch (leaf->kind) {
    case PTX_TERM_PARAMETER:
        return reader->named ? reader->named[leaf->index].name : reader->address.kernel->parameters[leaf->index].name;
    case PTX_TERM_SPECIAL:
        return special_words(arena, leaf);
    case PTX_TERM_VARIABLE:
        variable = address_variable(&reader->address, leaf);
        name = variable ? ptx_variable_name(arena, variable->name) : NULL;
        return name ? name : variable ? variable->name : "?";
    case PTX_TERM_ROUND:
        return round_words(reader, arena, leaf);
    default:
        return reader->address.kernel->registers[leaf->index].name;
    }
}

static bool leaf_value(void *context, const struct ptx_term *leaf, int64_t *value)
{
    const struct reader *reader = context;
    return address_leaf(&reader->address, leaf, value);
}

/* Returns what the rounds are. */
static const char *rounds_words(struct reader *reader)
{
    struct arena *arena = reader->address.arena;
    const char *words = "";
    for (uint32_t i = 0; i < reader->address.round_count; i++) {
        const struct ptx_term *round = reader->address.rounds[i];
        const char *name = round_words(reader, arena, round);
        uint32_t const line = line_of_loop(reader, round);
        int64_t value;
        words = !leaf_value(reader, round, &value)
                    ? arena_format(arena, _("%s%s: rounds of the loop at line %u before this one"), words, name, line)
                    : arena_format(arena, _("%s%s: rounds of the loop at line %u before this one, here %u"), words,
                                   name, line, (unsigned)value);
        words = i + 1 < reader->address.round_count ? arena_format(arena, "%s\n", words) : words;
    }
    return words;
}

/* Returns which registers are not followed further, and why. */
static const char *ends_words(const struct reader *reader, const struct ptx_term *term)
{
    struct arena *arena = reader->address.arena;
    if (term->a) {
        const char *a = ends_words(reader, term->a), *b = term->b ? ends_words(reader, term->b) : "";
        return !*b || strstr(a, b) ? a : arena_format(arena, "%s%s%s", a, *a ? "\n" : "", b);
    }
    if (term->kind != PTX_TERM_REGISTER)
        return "";
    const char *name = reader->address.kernel->registers[term->index].name;
    const char *why = term->why == PTX_END_LOADED    ? _("comes from memory")
                      : term->why == PTX_END_SEVERAL ? _("several instructions set it")
                                                     : _("is not followed further");
    if (term != reader->address.solved || reader->address.solution > INT32_MAX) /* an address: the result says it */
        return arena_format(arena, "%s: %s", name, why);
    const char *value = arena_format(arena, "%" PRId64, reader->address.solution);
    return arena_format(arena, _("%s: %s; here %s, as the address shows"), name, why, value);
}

/* Keeps the lane's value of each instruction on the way. */
static void keep_values(struct lane_way *way, const struct ptx_function *kernel, const struct ptx_term *term,
                        const struct ptx_leaves *leaves, struct arena *arena)
{
    int64_t value;
    if (term->at) {
        const char **kept = &way->values[term->at - kernel->instructions];
        if (!*kept && ptx_term_value(term, leaves, &value))
            *kept = value > INT32_MAX ? arena_format(arena, "0x%" PRIx64, (uint64_t)value)
                                      : arena_format(arena, "%" PRId64, value);
    }
    if (term->a)
        keep_values(way, kernel, term->a, leaves, arena);
    if (term->b)
        keep_values(way, kernel, term->b, leaves, arena);
}

const struct lane_way *way_of_lane(const struct run *run, const struct scene *scene, int lane, struct arena *arena)
{
    const struct ptx_function *kernel = run && run->module ? ptx_kernel(run->module, run->trace->kernel) : NULL;
    if (!kernel || !scene->event || scene->event->kind != TRACE_ACCESS || !scene->addresses ||
        !(scene->event->mask >> lane & 1) || scene->site->unit != TRACE_BY_LANES)
        return NULL;
    struct reader reader = {.address = {.module = run->module,
                                        .kernel = kernel,
                                        .launch = &run->launch,
                                        .timeline = scene->playback->timeline,
                                        .position = scene->position,
                                        .lane = lane,
                                        .arena = arena},
                            .named = run_kernel_text(run, run->trace->kernel)->parameters};
    if (!address_solve(&reader.address))
        return NULL;
    struct ptx_leaves const leaves = {&reader, leaf_words, leaf_value};
    const struct ptx_term *term = reader.address.term;
    const uint32_t *thread = reader.address.thread;
    struct lane_way *way = arena_new(arena, struct lane_way);
    uint64_t const address = scene->addresses[lane];
    int64_t computed;
    const char *rounds = rounds_words(&reader), *ends = ends_words(&reader, term);
    *way = (struct lane_way){.lane = lane,
                             .thread = {thread[0], thread[1], thread[2]},
                             .kernel = kernel,
                             .formula = ptx_term_words(arena, term, &leaves, false),
                             .values = arena_array(arena, const char *, (size_t)kernel->instruction_count + 1),
                             .ends = *rounds && *ends ? arena_format(arena, "%s\n%s", rounds, ends)
                                     : *rounds        ? rounds
                                                      : ends};
    if (!ptx_term_value(term, &leaves, &computed) || computed != (int64_t)address)
        return way;
    way->numbers = term->a ? ptx_term_words(arena, term, &leaves, true) : NULL; /* else the result is all */
    way->result = arena_format(arena, "0x%" PRIx64 " · %s", address, scene_name_lane(scene, arena, lane));
    keep_values(way, kernel, term, &leaves, arena);
    return way;
}
