/* Compares two traces. Two runs of one kernel interleave their warps differently, so events are first ordered by block
 * and warp. Within a warp, divergent lanes run in an order that the compiler chooses, because it decides which side of
 * a branch comes first. An event's place in its warp is therefore its level: one more than the highest level that any
 * of its lanes has reached. Events of one level share no lane, and the lists are equal exactly when every lane saw the
 * same events in the same order. */
#include "trace/compare/compare.h"
#include "base/words.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t block;
    uint32_t warp, event; /* index in trace.events */
    uint32_t level, lane; /* lane: the lowest lane of the event */
};

struct list {
    const struct trace *trace;
    struct entry *entries;
    size_t count;
};

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    return a->event < b->event ? -1 : 1;
}

/* Sets the level of each event. The events of a warp must stand together and in their order. */
static void find_levels(struct list *list)
{
    uint32_t reached[WARP_LANES] = {0};
    for (size_t i = 0; i < list->count; i++) {
        struct entry *entry = &list->entries[i];
        if (i > 0 && (entry->block != entry[-1].block || entry->warp != entry[-1].warp))
            memset(reached, 0, sizeof reached);
        uint32_t const mask = list->trace->events.items[entry->event].mask;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((mask >> lane & 1) && reached[lane] > entry->level)
                entry->level = reached[lane];
        entry->level++;
        entry->lane = mask ? (uint32_t)__builtin_ctz(mask) : 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (mask >> lane & 1)
                reached[lane] = entry->level;
    }
}

static struct compare_scope scope_of(const struct trace *trace)
{
    struct compare_scope scope = {false, false, false};
    for (uint32_t i = 0; i < trace->site_count; i++) {
        scope.constants |= trace->sites[i].space == PTX_SPACE_CONST;
        scope.shuffles |= trace->sites[i].operation == TRACE_EXCHANGE && trace->values.count != 0;
        scope.products |= trace->sites[i].operation == TRACE_PRODUCT && trace->values.count != 0;
    }
    return scope;
}

struct compare_scope compare_scope(const struct trace *a, const struct trace *b)
{
    struct compare_scope const left = scope_of(a), right = scope_of(b);
    return (struct compare_scope){left.constants && right.constants, left.shuffles && right.shuffles,
                                  left.products && right.products};
}

bool compare_counts(const struct trace *trace, const struct trace_event *event, struct compare_scope scope)
{
    bool const kind = event->kind == TRACE_ACCESS || event->kind == TRACE_BARRIER_ARRIVE ||
                      event->kind == TRACE_BRANCH_TAKEN || (scope.shuffles && event->kind == TRACE_SHUFFLE) ||
                      (scope.products && event->kind == TRACE_REGISTERS);
    return kind && event->site < trace->site_count &&
           (scope.constants || trace->sites[event->site].space != PTX_SPACE_CONST);
}

static struct list make_list(const struct trace *trace, struct launch_blocks blocks, struct compare_scope scope,
                             struct arena *arena)
{
    struct list list = {.trace = trace, .entries = arena_array(arena, struct entry, trace->events.count)};
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (compare_counts(trace, event, scope) && event->block >= blocks.first && event->block <= blocks.last)
            list.entries[list.count++] =
                (struct entry){.block = event->block, .warp = event->warp, .event = (uint32_t)i};
    }
    qsort(list.entries, list.count, sizeof *list.entries, compare_entries);
    find_levels(&list);
    qsort(list.entries, list.count, sizeof *list.entries, compare_entries);
    return list;
}

/* The place of an address, in terms that two runs share. */
struct place {
    uint32_t buffer; /* or PTX_NO_INDEX */
    uint64_t offset;
};

static struct place find_place(const struct trace *trace, enum ptx_space space, uint64_t address)
{
    if (space == PTX_SPACE_SHARED)
        return (struct place){PTX_NO_INDEX, address - trace->shared_base};
    if (space == PTX_SPACE_LOCAL)
        return (struct place){PTX_NO_INDEX, 0};
    const struct trace_buffer *buffer = trace_find_buffer(trace, address, NULL);
    if (!buffer)
        return (struct place){PTX_NO_INDEX, address};
    return (struct place){(uint32_t)(buffer - trace->buffers), address - buffer->address};
}

static const char *place_text(const struct trace *trace, struct place place, char *text, size_t size)
{
    if (place.buffer < trace->buffer_count)
        snprintf(text, size, "%.40s + %" PRIu64, trace->buffers[place.buffer].name, place.offset);
    else
        snprintf(text, size, "0x%" PRIx64, place.offset);
    return text;
}

static const char *event_text(const struct trace *trace, const struct trace_event *event, char *text, size_t size)
{
    const struct trace_site *site = &trace->sites[event->site];
    if (event->kind == TRACE_ACCESS)
        snprintf(text, size, _("%s.%s of %u B at line %" PRIu32 ", mask %08" PRIx32),
                 trace_operation_word(site->operation), ptx_space_name(trace_space(site, event)), site->bytes,
                 site->line, event->mask);
    else if (event->kind == TRACE_BRANCH_TAKEN)
        snprintf(text, size, _("branch at line %" PRIu32 ", mask %08" PRIx32 ", taken %08" PRIx32), site->line,
                 event->mask, event->other);
    else
        snprintf(text, size,
                 event->kind == TRACE_SHUFFLE     ? _("shuffle at line %" PRIu32 ", mask %08" PRIx32)
                 : event->kind == TRACE_REGISTERS ? _("matrix product at line %" PRIu32 ", mask %08" PRIx32)
                                                  : _("barrier at line %" PRIu32 ", mask %08" PRIx32),
                 site->line, event->mask);
    return text;
}

bool compare_same_site(const struct trace *a, const struct trace_event *left, const struct trace *b,
                       const struct trace_event *right)
{
    const struct trace_site *x = &a->sites[left->site], *y = &b->sites[right->site];
    if (left->kind != right->kind || x->line != y->line)
        return false;
    return left->kind != TRACE_ACCESS ||
           (x->operation == y->operation && x->bytes == y->bytes && trace_space(x, left) == trace_space(y, right));
}

static bool same_event(const struct trace *a, const struct trace_event *left, const struct trace *b,
                       const struct trace_event *right)
{
    return compare_same_site(a, left, b, right) && left->mask == right->mask &&
           ((left->kind != TRACE_BRANCH_TAKEN && left->kind != TRACE_REGISTERS) || left->other == right->other);
}

static struct place place_of(const struct trace *trace, const struct trace_event *event, unsigned lane)
{
    enum ptx_space const space = trace_space(&trace->sites[event->site], event);
    if (event->kind != TRACE_ACCESS) /* a lane or a register, which every run has alike */
        return (struct place){PTX_NO_INDEX, trace_addresses(trace, event)[lane]};
    return find_place(trace, space, trace_addresses(trace, event)[lane]);
}

bool compare_outside(const struct trace *trace, const struct trace_event *event, unsigned lane)
{
    return event->kind == TRACE_ACCESS && trace_space(&trace->sites[event->site], event) == PTX_SPACE_GLOBAL &&
           place_of(trace, event, lane).buffer == PTX_NO_INDEX;
}

bool compare_same_place(const struct trace *a, const struct trace_event *left, const struct trace *b,
                        const struct trace_event *right, unsigned lane)
{
    struct place const there = place_of(a, left, lane), here = place_of(b, right, lane);
    return there.buffer == here.buffer && there.offset == here.offset;
}

/* Returns the first lane whose address differs, or WARP_LANES. */
static unsigned differing_lane(const struct trace *a, const struct trace_event *left, const struct trace *b,
                               const struct trace_event *right)
{
    for (unsigned lane = 0; trace_has_addresses(left->kind) && lane < WARP_LANES; lane++)
        if ((left->mask >> lane & 1) && !compare_same_place(a, left, b, right, lane))
            return lane;
    return WARP_LANES;
}

bool compare_same_value(const struct trace *a, const struct trace_event *left, const struct trace *b,
                        const struct trace_event *right, unsigned lane)
{
    const uint64_t *there = trace_values(a, left), *here = trace_values(b, right);
    /* It depends on the order of the threads, and nothing depends on it. */
    if (left->kind == TRACE_ACCESS && a->sites[left->site].unread && b->sites[right->site].unread)
        return true;
    return !trace_has_addresses(left->kind) || !there || !here || there[lane] == here[lane];
}

/* Returns the first lane whose value differs, or WARP_LANES. */
static unsigned differing_value(const struct trace *a, const struct trace_event *left, const struct trace *b,
                                const struct trace_event *right)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((left->mask >> lane & 1) && !compare_same_value(a, left, b, right, lane))
            return lane;
    return WARP_LANES;
}

static void __attribute__((format(printf, 2, 3))) differ(struct trace_difference *difference, const char *format, ...)
{
    va_list arguments;
    difference->differ = true;
    va_start(arguments, format);
    vsnprintf(difference->text, sizeof difference->text, _(format), arguments);
    va_end(arguments);
}

static bool same_launch(const struct trace *a, const struct trace *b, struct trace_difference *difference)
{
    if (strcmp(a->kernel, b->kernel) != 0)
        differ(difference, "the kernels differ: %.100s and %.100s", a->kernel, b->kernel);
    else if (memcmp(a->grid, b->grid, sizeof a->grid) != 0)
        differ(difference,
               "the grids differ: %" PRIu32 " x %" PRIu32 " x %" PRIu32 " and %" PRIu32 " x %" PRIu32 " x %" PRIu32
               " blocks",
               a->grid[0], a->grid[1], a->grid[2], b->grid[0], b->grid[1], b->grid[2]);
    else if (memcmp(a->block, b->block, sizeof a->block) != 0)
        differ(difference,
               "the blocks differ: %" PRIu32 " x %" PRIu32 " x %" PRIu32 " and %" PRIu32 " x %" PRIu32 " x %" PRIu32
               " threads",
               a->block[0], a->block[1], a->block[2], b->block[0], b->block[1], b->block[2]);
    else if (a->lost || b->lost)
        differ(difference, "the traces lost events (%" PRIu64 " and %" PRIu64 "), so they cannot be compared", a->lost,
               b->lost);
    else if (a->recorded.first > b->recorded.last || b->recorded.first > a->recorded.last)
        differ(difference, "the traces have no recorded block in common");
    return !difference->differ;
}

/* Returns the event's number among the compared events of its warp, from 1. */
static size_t ordinal_of(const struct list *list, size_t i)
{
    size_t first = i;
    while (first > 0 && list->entries[first - 1].block == list->entries[i].block &&
           list->entries[first - 1].warp == list->entries[i].warp)
        first--;
    return i - first + 1;
}

static void tell_missing(const struct list *list, size_t i, bool first, struct trace_difference *difference)
{
    char text[160];
    const struct entry *entry = &list->entries[i];
    differ(difference,
           first ? "block %" PRIu64 ", warp %" PRIu32 ", event %zu: only the first trace has it: %s"
                 : "block %" PRIu64 ", warp %" PRIu32 ", event %zu: only the second trace has it: %s",
           entry->block, entry->warp, ordinal_of(list, i),
           event_text(list->trace, &list->trace->events.items[entry->event], text, sizeof text));
}

static void compare_pair(const struct list *a, const struct list *b, size_t i, struct trace_difference *difference)
{
    const struct entry *entry = &a->entries[i];
    const struct trace_event *left = &a->trace->events.items[entry->event];
    const struct trace_event *right = &b->trace->events.items[b->entries[i].event];
    char first[160], second[160];
    if (!same_event(a->trace, left, b->trace, right)) {
        differ(difference, "block %" PRIu64 ", warp %" PRIu32 ", event %zu: %s in the first trace, %s in the second",
               entry->block, entry->warp, ordinal_of(a, i), event_text(a->trace, left, first, sizeof first),
               event_text(b->trace, right, second, sizeof second));
        return;
    }
    unsigned const lane = differing_lane(a->trace, left, b->trace, right);
    unsigned const valued = differing_value(a->trace, left, b->trace, right);
    char what[160];
    if (lane == WARP_LANES && valued != WARP_LANES)
        differ(difference,
               "block %" PRIu64 ", warp %" PRIu32 ", event %zu: %s: lane %u has the value 0x%" PRIx64
               " in the first trace, 0x%" PRIx64 " in the second",
               entry->block, entry->warp, ordinal_of(a, i), event_text(a->trace, left, what, sizeof what), valued,
               trace_values(a->trace, left)[valued], trace_values(b->trace, right)[valued]);
    if (lane == WARP_LANES)
        return;
    differ(difference,
           "block %" PRIu64 ", warp %" PRIu32
           ", event %zu: %s: lane %u accesses %s in the first trace, %s in the second",
           entry->block, entry->warp, ordinal_of(a, i), event_text(a->trace, left, what, sizeof what), lane,
           place_text(a->trace, place_of(a->trace, left, lane), first, sizeof first),
           place_text(b->trace, place_of(b->trace, right, lane), second, sizeof second));
}

/* Returns less than 0 when entry i of a belongs to an earlier block or warp than that of b, or b has ended. */
static int compare_warps(const struct list *a, const struct list *b, size_t i)
{
    if (i >= a->count || i >= b->count)
        return i < a->count ? -1 : 1;
    const struct entry *x = &a->entries[i], *y = &b->entries[i];
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->warp < y->warp ? -1 : x->warp > y->warp;
}

void trace_compare(const struct trace *a, const struct trace *b, struct trace_difference *difference)
{
    *difference = (struct trace_difference){0};
    if (!same_launch(a, b, difference))
        return;
    struct launch_blocks const common = {a->recorded.first > b->recorded.first ? a->recorded.first : b->recorded.first,
                                         a->recorded.last < b->recorded.last ? a->recorded.last : b->recorded.last};
    struct arena scratch = {0};
    struct compare_scope const scope = compare_scope(a, b);
    struct list const first = make_list(a, common, scope, &scratch);
    struct list const second = make_list(b, common, scope, &scratch);
    size_t const longest = first.count > second.count ? first.count : second.count;
    for (size_t i = 0; i < longest && !difference->differ; i++) {
        int const order = compare_warps(&first, &second, i);
        if (order < 0)
            tell_missing(&first, i, true, difference);
        else if (order > 0)
            tell_missing(&second, i, false, difference);
        else
            compare_pair(&first, &second, i, difference);
    }
    if (difference->differ)
        difference->kind = compare_lanes(a, b, common);
    arena_free(&scratch);
}

const char *trace_difference_word(enum trace_difference_kind kind)
{
    static const char *const words[] = {
        [TRACE_GROUPED] = N_("every lane made the same accesses in the same order, but in other groups: machine code "
                             "may bring lanes together elsewhere, and probes around calls delay it"),
        [TRACE_OUTSIDE] = N_("only addresses outside all buffers differ, such as those from malloc: each machine has "
                             "its heap elsewhere"),
        [TRACE_TIMED] = N_("an atomic or a volatile load of this block read a value that others write meanwhile: later "
                           "accesses depend on their order"),
        [TRACE_VALUED] = N_("every access is the same, but a lane read or wrote a different value"),
        [TRACE_POLLED] = N_("every lane made the same accesses in the same order, but polled a barrier object's phase "
                            "a different number of times: the waiting time depends on the machine")};
    return words[kind];
}
