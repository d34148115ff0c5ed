/* The way of a lane to its address: the expression that the PTX computes, and its numbers for this lane. */
#include "screen/side/way.h"
#include "base/words.h"
#include "ptx/derive.h"
#include "ptx/variables.h"
#include "run/signature.h"
#include <inttypes.h>
#include <string.h>

enum { ROUNDS_MOST = 4 };

/* How often a loop has gone round before the access. */
struct rounds {
    const struct ptx_term *of[ROUNDS_MOST]; /* no two the same */
    int64_t count[ROUNDS_MOST];
    uint32_t kinds;
    bool known;
};

struct reader {
    const struct run *run;
    const struct scene *scene;
    const struct ptx_function *kernel;
    const struct signature_parameter *named; /* NULL: the source does not show them */
    struct arena *arena;
    uint32_t thread[3], block[3];
    int lane;
    const struct ptx_term *solved; /* the one leaf that follows from the address */
    int64_t solution;
    struct rounds rounds;
};

static const struct ptx_variable *variable_of(const struct reader *reader, const struct ptx_term *leaf)
{
    if (leaf->scope == PTX_SCOPE_MODULE)
        return &reader->run->program->variables[leaf->index];
    return leaf->scope == PTX_SCOPE_FUNCTION ? &reader->kernel->variables[leaf->index] : NULL;
}

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

static uint32_t round_of(const struct reader *reader, const struct ptx_term *leaf)
{
    for (uint32_t i = 0; i < reader->rounds.kinds; i++)
        if (ptx_same_round(reader->rounds.of[i], leaf))
            return i;
    return ROUNDS_MOST;
}

static uint32_t line_of_loop(const struct reader *reader, const struct ptx_term *leaf)
{
    return reader->kernel->instructions[leaf->loop].line;
}

/* Names a round: "round", and where several loops take part "round_14", "round_14_2". */
static const char *round_words(const struct reader *reader, struct arena *arena, const struct ptx_term *leaf)
{
    uint32_t const own = round_of(reader, leaf), line = line_of_loop(reader, leaf);
    uint32_t earlier = 0;
    if (reader->rounds.kinds <= 1)
        return "round";
    for (uint32_t i = 0; i < own && i < reader->rounds.kinds; i++)
        earlier += line_of_loop(reader, reader->rounds.of[i]) == line;
    return earlier ? arena_format(arena, "round_%u_%u", line, earlier + 1) : arena_format(arena, "round_%u", line);
}

static const char *leaf_words(void *context, struct arena *arena, const struct ptx_term *leaf)
{
    const struct reader *reader = context;
    const struct ptx_variable *variable;
    const char *name;
    switch (leaf->kind) {
    case PTX_TERM_PARAMETER:
        return reader->named ? reader->named[leaf->index].name : reader->kernel->parameters[leaf->index].name;
    case PTX_TERM_SPECIAL:
        return special_words(arena, leaf);
    case PTX_TERM_VARIABLE:
        variable = variable_of(reader, leaf);
        name = variable ? ptx_variable_name(arena, variable->name) : NULL;
        return name ? name : variable ? variable->name : "?";
    case PTX_TERM_ROUND:
        return round_words(reader, arena, leaf);
    default:
        return reader->kernel->registers[leaf->index].name;
    }
}

static bool parameter_value(const struct reader *reader, uint32_t index, int64_t *value)
{
    const struct launch *launch = &reader->run->launch;
    const struct trace *trace = reader->run->trace;
    if (launch->argument_count != reader->kernel->parameter_count)
        return false;
    const struct launch_argument *argument = &launch->arguments[index];
    if (argument->is_buffer) {
        *value = argument->buffer < trace->buffer_count ? (int64_t)trace->buffers[argument->buffer].address : 0;
        return *value != 0;
    }
    *value = launch_argument_size(argument) == 4 ? (int64_t)(int32_t)(uint32_t)argument->bits : (int64_t)argument->bits;
    return !argument->bytes;
}

static bool special_value(const struct reader *reader, const struct ptx_term *leaf, int64_t *value)
{
    const struct trace *trace = reader->run->trace;
    uint32_t const axis = leaf->component;
    const uint32_t *from = leaf->index == PTX_SR_tid      ? reader->thread
                           : leaf->index == PTX_SR_ntid   ? trace->block
                           : leaf->index == PTX_SR_ctaid  ? reader->block
                           : leaf->index == PTX_SR_nctaid ? trace->grid
                                                          : NULL;
    if (leaf->index == PTX_SR_laneid)
        *value = reader->lane;
    else if (from && axis < 3)
        *value = from[axis];
    else
        return false;
    return true;
}

static bool variable_value(const struct reader *reader, const struct ptx_term *leaf, int64_t *value)
{
    const struct ptx_variable *variable = variable_of(reader, leaf);
    const struct trace *trace = reader->run->trace;
    if (variable && variable->space == PTX_SPACE_SHARED) {
        bool const dynamic = variable->external && !variable->size;
        uint64_t const begin = dynamic ? (reader->kernel->shared_bytes + 15) / 16 * 16 : variable->offset;
        *value = (int64_t)(trace->shared_base + begin);
        return dynamic || !variable->external;
    }
    if (!variable || variable->external)
        return false;
    const char *name = ptx_variable_name(reader->arena, variable->name);
    for (uint32_t i = 0; name && i < trace->buffer_count; i++)
        if (strcmp(trace->buffers[i].name, name) == 0 && trace->buffers[i].address) {
            *value = (int64_t)trace->buffers[i].address;
            return true;
        }
    return false;
}

static bool leaf_value(void *context, const struct ptx_term *leaf, int64_t *value)
{
    const struct reader *reader = context;
    if (reader->solved && (leaf == reader->solved || ptx_same_round(leaf, reader->solved))) {
        *value = reader->solution;
        return true;
    }
    uint32_t const round = leaf->kind == PTX_TERM_ROUND ? round_of(reader, leaf) : ROUNDS_MOST;
    if (round < ROUNDS_MOST && reader->rounds.known) {
        *value = reader->rounds.count[round];
        return true;
    }
    switch (leaf->kind) {
    case PTX_TERM_PARAMETER:
        return parameter_value(reader, leaf->index, value);
    case PTX_TERM_SPECIAL:
        return special_value(reader, leaf, value);
    case PTX_TERM_VARIABLE:
        return variable_value(reader, leaf, value);
    default:
        return false;
    }
}

/* Finds the value of the only unknown leaf from the address, where the address is linear in it. */
static void solve(struct reader *reader, const struct ptx_term *term, const struct ptx_leaves *leaves, int64_t address)
{
    const struct ptx_term *unknown = ptx_term_unknown(term, leaves);
    int64_t at[3], found;
    if (!unknown)
        return;
    reader->solved = unknown;
    bool good = true;
    for (int i = 0; i < 3 && good; i++) {
        reader->solution = i;
        good = ptx_term_value(term, leaves, &at[i]);
    }
    uint64_t const step = good ? (uint64_t)at[1] - (uint64_t)at[0] : 0;
    int64_t const distance = good ? (int64_t)((uint64_t)address - (uint64_t)at[0]) : 0;
    good = good && step && (int64_t)step != -1 && (uint64_t)at[2] - (uint64_t)at[1] == step &&
           distance % (int64_t)step == 0;
    reader->solution = good ? distance / (int64_t)step : 0;
    good = good && (unknown->kind != PTX_TERM_ROUND || reader->solution >= 0);
    if (!good || !ptx_term_value(term, leaves, &found) || found != address)
        reader->solved = NULL;
}

static void find_rounds(struct reader *reader, const struct ptx_term *term)
{
    if (term->kind == PTX_TERM_ROUND && round_of(reader, term) == ROUNDS_MOST && reader->rounds.kinds < ROUNDS_MOST)
        reader->rounds.of[reader->rounds.kinds++] = term;
    if (term->a)
        find_rounds(reader, term->a);
    if (term->b)
        find_rounds(reader, term->b);
}

/* Counts from the branches back in the trace how often the lane went round a loop before this access. */
static int64_t count_rounds(const struct reader *reader, const struct ptx_term *round, uint32_t access)
{
    const struct scene *scene = reader->scene;
    uint32_t const site = reader->kernel->instructions[round->loop].site;
    bool const left = access > round->loop;
    int64_t count = left ? 0 : round->number;
    bool out = false;
    for (size_t i = scene->position; i > 0; i--) {
        const struct trace_event *event = playback_event(scene->playback, i - 1);
        if (event->kind != TRACE_BRANCH_TAKEN || event->site != site || event->warp != scene->warp ||
            !(event->mask >> reader->lane & 1))
            continue;
        bool const back = event->other >> reader->lane & 1;
        if (!back && (out || !left))
            break;
        out = out || !back;
        count++;
    }
    return count;
}

/* Finds the rounds of nested loops, which the address alone does not give, and checks them by the address. */
static void count_all(struct reader *reader, const struct ptx_term *term, const struct ptx_leaves *leaves,
                      const struct ptx_instruction *access)
{
    int64_t computed, address = (int64_t)reader->scene->addresses[reader->lane];
    if (reader->solved || reader->rounds.kinds < 2)
        return;
    for (uint32_t i = 0; i < reader->rounds.kinds; i++)
        reader->rounds.count[i] =
            count_rounds(reader, reader->rounds.of[i], (uint32_t)(access - reader->kernel->instructions));
    reader->rounds.known = true;
    reader->rounds.known = ptx_term_value(term, leaves, &computed) && computed == address;
}

/* Returns what the rounds are. */
static const char *rounds_words(struct reader *reader)
{
    struct arena *arena = reader->arena;
    const char *words = "";
    for (uint32_t i = 0; i < reader->rounds.kinds; i++) {
        const struct ptx_term *round = reader->rounds.of[i];
        const char *name = round_words(reader, arena, round);
        uint32_t const line = line_of_loop(reader, round);
        int64_t value;
        words = !leaf_value(reader, round, &value)
                    ? arena_format(arena, _("%s%s: rounds of the loop at line %u before this one"), words, name, line)
                    : arena_format(arena, _("%s%s: rounds of the loop at line %u before this one, here %u"), words,
                                   name, line, (unsigned)value);
        words = i + 1 < reader->rounds.kinds ? arena_format(arena, "%s\n", words) : words;
    }
    return words;
}

/* Returns which registers are not followed further, and why. */
static const char *ends_words(const struct reader *reader, const struct ptx_term *term)
{
    struct arena *arena = reader->arena;
    if (term->a) {
        const char *a = ends_words(reader, term->a), *b = term->b ? ends_words(reader, term->b) : "";
        return !*b || strstr(a, b) ? a : arena_format(arena, "%s%s%s", a, *a ? "\n" : "", b);
    }
    if (term->kind != PTX_TERM_REGISTER)
        return "";
    const char *name = reader->kernel->registers[term->index].name;
    const char *why = term->why == PTX_END_LOADED    ? _("comes from memory")
                      : term->why == PTX_END_SEVERAL ? _("several instructions set it")
                                                     : _("is not followed further");
    if (term != reader->solved || reader->solution > INT32_MAX) /* an address: the result says it */
        return arena_format(arena, "%s: %s", name, why);
    const char *value = arena_format(arena, "%" PRId64, reader->solution);
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

static const struct ptx_instruction *instruction_of(const struct ptx_function *kernel, uint32_t site)
{
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].site == site)
            return &kernel->instructions[i];
    return NULL;
}

static void place_thread(struct reader *reader)
{
    const struct scene *scene = reader->scene;
    const struct trace *trace = reader->run->trace;
    uint32_t const number = scene->warp * WARP_LANES + (uint32_t)reader->lane;
    reader->thread[0] = number % trace->block[0];
    reader->thread[1] = number / trace->block[0] % trace->block[1];
    reader->thread[2] = number / trace->block[0] / trace->block[1];
    reader->block[0] = (uint32_t)(scene->block % trace->grid[0]);
    reader->block[1] = (uint32_t)(scene->block / trace->grid[0] % trace->grid[1]);
    reader->block[2] = (uint32_t)(scene->block / trace->grid[0] / trace->grid[1]);
}

const struct lane_way *way_of_lane(const struct run *run, const struct scene *scene, int lane, struct arena *arena)
{
    const struct ptx_function *kernel = run && run->program ? ptx_kernel(run->program, run->trace->kernel) : NULL;
    if (!kernel || !scene->event || scene->event->kind != TRACE_ACCESS || !scene->addresses ||
        !(scene->event->mask >> lane & 1) || scene->site->unit != TRACE_BY_LANES)
        return NULL;
    const struct ptx_instruction *access = instruction_of(kernel, scene->event->site);
    const struct ptx_term *term =
        access ? ptx_address(arena, kernel, access, trace_is_copy(scene->site, scene->event)) : NULL;
    if (!term)
        return NULL;
    struct signature_parameter *named = NULL;
    bool const has_names =
        run->source && signature_parameters(arena, run->source, kernel->name, &named) == kernel->parameter_count;
    struct reader reader = {
        .run = run, .scene = scene, .kernel = kernel, .named = has_names ? named : NULL, .arena = arena, .lane = lane};
    struct ptx_leaves const leaves = {&reader, leaf_words, leaf_value};
    struct lane_way *way = arena_new(arena, struct lane_way);
    uint64_t const address = scene->addresses[lane];
    int64_t computed;
    place_thread(&reader);
    find_rounds(&reader, term);
    solve(&reader, term, &leaves, (int64_t)address);
    count_all(&reader, term, &leaves, access);
    const char *rounds = rounds_words(&reader), *ends = ends_words(&reader, term);
    *way = (struct lane_way){.lane = lane,
                             .thread = {reader.thread[0], reader.thread[1], reader.thread[2]},
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
