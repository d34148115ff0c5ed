/* Two passes over the events list the uses of each element. A third one follows values: from the register that a load
 * names to the store that names it, and through the words of shared memory. */
#include "model/elements.h"
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MOST = 1 << 16, ELEMENTS_MOST = 1 << 16, WORD = 4 };

static const struct trace_event *event_at(const struct timeline *timeline, size_t position)
{
    return &timeline->trace->events.items[timeline->events[position]];
}

static const struct trace_site *site_of(const struct trace *trace, const struct trace_event *event)
{
    bool const known = (event->kind == TRACE_ACCESS || event->kind == TRACE_COPY_TO) && event->site < trace->site_count;
    return known ? &trace->sites[event->site] : NULL;
}

uint32_t elements_at(const struct element_array *array, uint64_t address)
{
    const struct trace_buffer *buffer = array->buffer;
    if (address < buffer->address)
        return UINT32_MAX;
    uint64_t const offset = address - buffer->address, row = offset / buffer->shape.pitch;
    return row < array->rows ? (uint32_t)(row * array->columns + offset % buffer->shape.pitch / array->bytes)
                             : UINT32_MAX;
}

const struct element_array *elements_array(const struct elements *elements, const char *name)
{
    for (uint32_t i = 0; name && i < elements->array_count; i++)
        if (strcmp(elements->arrays[i].buffer->name, name) == 0)
            return &elements->arrays[i];
    return NULL;
}

const struct element_use *elements_use(const struct element_array *array, uint32_t element, size_t position)
{
    uint32_t low = array->first[element], high = array->first[element + 1];
    while (low < high) {
        uint32_t const middle = low + (high - low) / 2;
        if (array->uses[middle].position <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low > array->first[element] ? &array->uses[low - 1] : NULL;
}

/* Calls `use` for each lane and element of the array that the block accesses, in the order of the timeline. */
struct walk {
    const struct timeline *timeline;
    const struct element_array *array;
    const uint32_t *phases;
    uint32_t *last;  /* by element: the position of its last use, counted from 1 */
    uint32_t *count; /* by element: uses so far */
    struct element_use *uses;
    struct element_part *parts;
};

static void widen(uint32_t range[2], uint32_t value)
{
    range[0] = value < range[0] ? value : range[0];
    range[1] = value > range[1] ? value : range[1];
}

static void note(struct walk *walk, uint32_t element, uint32_t position, int lane, bool store)
{
    bool const again = walk->last[element] == position + 1;
    walk->last[element] = position + 1;
    if (!walk->uses) {
        walk->count[element] += !again;
        return;
    }
    uint32_t const first = walk->array->first[element];
    uint32_t *count = &walk->count[element];
    struct element_use *use = &walk->uses[first + *count - again];
    if (!again)
        *use = (struct element_use){position, 0, *count ? use[-1].loads : 0, store};
    *count += !again;
    use->loads += !store && !(use->lanes >> lane & 1);
    use->lanes |= 1u << lane;
    struct element_part *part = &walk->parts[walk->phases[position]];
    widen(part->rows, element / walk->array->columns);
    widen(part->columns, element % walk->array->columns);
}

static void walk_all(struct walk *walk)
{
    const struct trace *trace = walk->timeline->trace;
    for (uint32_t at = 0; at < walk->timeline->count; at++) {
        const struct trace_event *event = event_at(walk->timeline, at);
        const struct trace_site *site = site_of(trace, event);
        if (!site || event->kind != TRACE_ACCESS || trace_space(site, event) != PTX_SPACE_GLOBAL)
            continue;
        const uint64_t *addresses = trace_addresses(trace, event);
        for (uint32_t left = event->mask; left; left &= left - 1) {
            int const lane = __builtin_ctz(left);
            for (uint64_t byte = 0; byte < site->bytes; byte += walk->array->bytes) {
                uint32_t const element = elements_at(walk->array, addresses[lane] + byte);
                if (element != UINT32_MAX)
                    note(walk, element, at, lane, site->operation != TRACE_LOAD);
            }
        }
    }
}

static void list_uses(struct arena *arena, const struct elements *elements, struct element_array *array)
{
    struct arena scratch = {0};
    size_t const count = (size_t)array->rows * array->columns;
    struct walk walk = {.timeline = elements->timeline, .array = array, .phases = elements->phases};
    walk.last = arena_array(&scratch, uint32_t, count);
    walk.count = arena_array(&scratch, uint32_t, count);
    walk_all(&walk);
    uint32_t *first = arena_array(arena, uint32_t, count + 1);
    for (size_t i = 0; i < count; i++)
        first[i + 1] = first[i] + walk.count[i];
    array->first = first;
    walk.parts = arena_array(arena, struct element_part, elements->phase_count);
    for (uint32_t phase = 0; phase < elements->phase_count; phase++)
        walk.parts[phase] = (struct element_part){{UINT32_MAX, 0}, {UINT32_MAX, 0}};
    walk.uses = arena_array(arena, struct element_use, first[count] + 1);
    memset(walk.last, 0, count * sizeof *walk.last);
    memset(walk.count, 0, count * sizeof *walk.count);
    walk_all(&walk);
    array->uses = walk.uses;
    array->parts = walk.parts;
    arena_free(&scratch);
}

static void count_phases(struct arena *arena, struct elements *elements)
{
    const struct timeline *timeline = elements->timeline;
    uint32_t *phases = arena_array(arena, uint32_t, timeline->count);
    uint32_t *arrived = arena_array(arena, uint32_t, timeline->warp_count + 1);
    for (size_t at = 0; at < timeline->count; at++) {
        const struct trace_event *event = event_at(timeline, at);
        arrived[event->warp] += event->kind == TRACE_BARRIER_ARRIVE;
        phases[at] = arrived[event->warp];
        elements->phase_count = phases[at] >= elements->phase_count ? phases[at] + 1 : elements->phase_count;
    }
    elements->phases = phases;
}

/* Returns the register that a load or a store of one word names as its value: "%f1", in the instruction's text. Sets
 * its length; 0: there is none. */
static const char *register_of(const struct trace_site *site, size_t *length)
{
    const char *text = site->text ? site->text : "", *place = strchr(text, '[');
    const char *at = strchr(site->operation == TRACE_STORE && place ? place + strcspn(place, "]") : text, '%');
    bool const one = place && !strchr(text, '{') && (site->operation == TRACE_STORE || at < place);
    bool const moves = site->operation <= TRACE_STORE && site->unit == TRACE_BY_LANES;
    *length = at && one && moves ? 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789") : 0;
    return at;
}

/* Numbers the registers of the sites from 1. Returns how many there are. */
static uint32_t number_registers(const struct trace *trace, uint32_t *numbers)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < trace->site_count; i++) {
        size_t length, other;
        const char *name = register_of(&trace->sites[i], &length);
        for (uint32_t k = 0; k < i && length && !numbers[i]; k++) {
            const char *before = register_of(&trace->sites[k], &other);
            if (other == length && memcmp(name, before, length) == 0)
                numbers[i] = numbers[k];
        }
        if (length && !numbers[i])
            numbers[i] = ++count;
    }
    return count;
}

/* What a register or a word of shared memory holds. */
struct held {
    uint64_t from, value; /* from 0: not known */
};
struct follower {
    const struct timeline *timeline;
    const uint32_t *numbers; /* of the sites' registers */
    uint32_t registers, words;
    struct held *in_register; /* by warp, register and lane */
    struct held *in_word;
    uint64_t *origins;
};

static struct held *word_at(const struct follower *follower, uint64_t address)
{
    uint64_t const offset = address - follower->timeline->trace->shared_base;
    return offset % WORD == 0 && offset / WORD < follower->words ? &follower->in_word[offset / WORD] : NULL;
}

static void follow(struct follower *follower, size_t position)
{
    static struct held const nothing;
    const struct trace *trace = follower->timeline->trace;
    const struct trace_event *event = event_at(follower->timeline, position);
    const struct trace_site *site = site_of(trace, event);
    if (!site)
        return;
    bool const shared = event->kind == TRACE_COPY_TO || trace_space(site, event) == PTX_SPACE_SHARED;
    bool const load = site->operation == TRACE_LOAD && event->kind == TRACE_ACCESS;
    const uint64_t *addresses = trace_addresses(trace, event), *values = trace_values(trace, event);
    uint32_t const number = follower->numbers[event->site];
    struct held *row = &follower->in_register[((size_t)event->warp * (follower->registers + 1) + number) * WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool const active = event->mask >> lane & 1;
        struct held *word = shared && active ? word_at(follower, addresses[lane]) : NULL;
        struct held moved = row[lane];
        if (load)
            moved = !active || !number ? nothing
                    : shared           ? (word ? *word : nothing)
                                       : (struct held){addresses[lane], values ? values[lane] : 0};
        if (moved.from && active && values && values[lane] != moved.value)
            moved = nothing;
        if (load && number)
            row[lane] = moved;
        if (active && number)
            follower->origins[position * WARP_LANES + (size_t)lane] = moved.from;
        if (word && !load)
            *word = number && site->operation == TRACE_STORE ? moved : nothing;
        if (active && shared && !load)
            row[lane] = nothing; /* a lane without a new load stores a constant next time */
    }
}

static void follow_all(struct arena *arena, struct elements *elements)
{
    const struct timeline *timeline = elements->timeline;
    struct arena scratch = {0};
    struct follower follower = {.timeline = timeline, .words = timeline->trace->shared_bytes / WORD};
    uint32_t *numbers = arena_array(&scratch, uint32_t, timeline->trace->site_count + 1);
    follower.registers = number_registers(timeline->trace, numbers);
    follower.numbers = numbers;
    follower.in_register =
        arena_array(&scratch, struct held, (size_t)(timeline->warp_count + 1) * (follower.registers + 1) * WARP_LANES);
    follower.in_word = arena_array(&scratch, struct held, follower.words + 1);
    follower.origins = arena_array(arena, uint64_t, timeline->count * WARP_LANES);
    for (size_t at = 0; at < timeline->count; at++)
        follow(&follower, at);
    elements->origins = follower.origins;
    arena_free(&scratch);
}

/* Returns whether a buffer has rows and columns that are listed here. */
static bool is_listed(const struct trace_buffer *buffer)
{
    uint64_t const bytes = ptx_type_size(buffer->type);
    return buffer->shape.pitch && bytes && buffer->address && buffer->shape.pitch / bytes <= ELEMENTS_MOST &&
           buffer->shape.rows <= ELEMENTS_MOST / (buffer->shape.pitch / bytes);
}

const struct elements *elements_new(struct arena *arena, const struct timeline *timeline)
{
    const struct trace *trace = timeline->trace;
    struct elements *elements = arena_new(arena, struct elements);
    struct element_array *arrays = arena_array(arena, struct element_array, trace->buffer_count + 1);
    *elements = (struct elements){.timeline = timeline, .arrays = arrays};
    if (timeline->count > EVENTS_MOST)
        return NULL;
    for (uint32_t i = 0; i < trace->buffer_count; i++) {
        const struct trace_buffer *buffer = &trace->buffers[i];
        uint32_t const bytes = (uint32_t)ptx_type_size(buffer->type);
        if (is_listed(buffer))
            arrays[elements->array_count++] = (struct element_array){.buffer = buffer,
                                                                     .rows = (uint32_t)buffer->shape.rows,
                                                                     .columns = (uint32_t)buffer->shape.pitch / bytes,
                                                                     .bytes = bytes};
    }
    if (!elements->array_count)
        return NULL;
    count_phases(arena, elements);
    for (uint32_t i = 0; i < elements->array_count; i++)
        list_uses(arena, elements, &arrays[i]);
    follow_all(arena, elements);
    return elements;
}
