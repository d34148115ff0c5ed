/* The events of the block in order, with the node that each word of shared memory holds, and for each thread the nodes
 * that it loaded and the one in its register. */
#include "model/tree_levels.h"
#include "ptx/element.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MOST = 1 << 15, WORD_MOST = 4, NO_NODE = 0 };
enum { OPERATIONS = 4, MOVES = OPERATIONS, VOTES = OPERATIONS + TREE_SOURCES }; /* MOVES + i: number i is moved */

struct thread {
    uint32_t pending[TREE_SOURCES], pending_count; /* nodes loaded from shared memory */
    uint32_t begin;                                /* position of the first of these loads */
    bool consumed;                                 /* a store has followed them */
    bool too_many;                                 /* more loads than a node has sources */
    bool from_global;                              /* its last load was one from global memory, of this number: */
    uint64_t global;
    uint32_t held[TREE_SOURCES], held_count; /* nodes loaded before these, which may still be in registers */
    uint32_t last;                           /* the node in its register */
    uint32_t other;                          /* the one in another register: of which `last` is not made */
    uint32_t level;                          /* reached by the thread, and by the block at its last barrier */
};

/* What all lanes of an instruction have in common. It is learned in a first pass over the events. */
struct habit {
    uint32_t votes[VOTES]; /* how many of its nodes of several sources each operation explains */
    uint32_t most;         /* the greatest of these */
    bool joins;            /* it combines a loaded number with one in a register */
    bool renews;           /* it stores numbers that are not those in the register */
};

struct builder {
    struct arena *arena;
    const struct timeline *timeline;
    const struct trace *trace;
    struct {
        struct tree_node *items;
        size_t count, capacity;
    } nodes; /* number 0 stands for none */
    struct thread *threads;
    uint32_t thread_count;
    uint32_t *words, word_count; /* by word of shared memory */
    uint32_t word_bytes;         /* 4, or 2 or 1 where the numbers are smaller */
    struct habit *habits;        /* by site */
    bool learned;                /* the habits are known */
    uint64_t mask;               /* of a number's bits */
    struct tree *tree;
    uint32_t highest; /* level */
    bool crosses;     /* a node has a source of another thread */
};

static struct tree_node *node_at(const struct builder *builder, uint32_t number)
{
    return &builder->nodes.items[number];
}

/* Returns whether a is less than b, whole numbers of a type of at most 8 bytes. */
static bool is_less(enum ptx_type type, uint64_t a, uint64_t b)
{
    uint64_t const sign = UINT64_C(1) << (8 * ptx_type_size(type) - 1);
    bool const is_unsigned = type >= PTX_U8 && type <= PTX_U64;
    return is_unsigned ? a < b : (a ^ sign) < (b ^ sign);
}

static uint64_t combine_whole(enum ptx_type type, char operation, uint64_t a, uint64_t b)
{
    switch (operation) {
    case '+':
        return a + b;
    case '*':
        return a * b;
    case '<':
        return is_less(type, a, b) ? a : b;
    default:
        return is_less(type, b, a) ? a : b;
    }
}

/* Returns a and b combined, as bits of the type. Sums and products of floats are rounded as the GPU rounds them: those
 * of halves are exact before, and so rounded once. */
static uint64_t combine(enum ptx_type type, char operation, uint64_t a, uint64_t b)
{
    size_t const size = ptx_type_size(type);
    uint64_t const all = size && size < 8 ? (UINT64_C(1) << 8 * size) - 1 : UINT64_MAX;
    if (!ptx_is_real(type))
        return combine_whole(size && size <= 8 ? type : PTX_B32, operation, a, b) & all;
    double const x = ptx_real(type, a), y = ptx_real(type, b);
    switch (operation) {
    case '+':
        return ptx_real_bits(type, x + y);
    case '*':
        return ptx_real_bits(type, x * y);
    case '<':
        return ptx_real_bits(type, fmin(x, y));
    default:
        return ptx_real_bits(type, fmax(x, y));
    }
}

/* In the order of preference. */
static const char operations[OPERATIONS] = {'+', '*', '>', '<'};

/* Returns a bit for each operation that makes `value` of these numbers. */
static uint32_t find_operations(enum ptx_type type, const uint64_t *numbers, uint32_t count, uint64_t value)
{
    uint32_t found = 0;
    for (uint32_t o = 0; count > 1 && o < OPERATIONS; o++) {
        uint64_t result = numbers[0];
        for (uint32_t i = 1; i < count; i++)
            result = combine(type, operations[o], result, numbers[i]);
        found |= (uint32_t)(result == value) << o;
    }
    for (uint32_t i = 0; i < count; i++)
        found |= (uint32_t)(numbers[i] == value) << (MOVES + i);
    return found;
}

/* Adds a node and returns its number. Its level follows from its sources; a leaf that comes late, such as a zero stored
 * between two sweeps, stands at the level that its thread has reached. */
static uint32_t add_node(struct builder *builder, struct tree_node node)
{
    struct thread *thread = &builder->threads[node.thread];
    node.level = node.source_count ? 0 : thread->level;
    for (uint32_t i = 0; i < node.source_count; i++) {
        const struct tree_node *source = node_at(builder, node.sources[i]);
        node.level = source->level + 1 > node.level ? source->level + 1 : node.level;
        builder->crosses = builder->crosses || source->thread != node.thread;
    }
    thread->level = node.level > thread->level ? node.level : thread->level;
    builder->highest = node.level > builder->highest ? node.level : builder->highest;
    array_push(&builder->nodes, node);
    return (uint32_t)builder->nodes.count - 1;
}

static void forget(struct thread *thread)
{
    if (thread->pending_count) {
        memcpy(thread->held, thread->pending, sizeof thread->held);
        thread->held_count = thread->pending_count;
    }
    thread->pending_count = 0;
    thread->consumed = thread->too_many = false;
}

/* Returns one of the operations that are found, as its bit's number: the one that explains most of what the instruction
 * makes. While that is learned, notes the found ones. */
static uint32_t choose(const struct builder *builder, struct habit *habit, uint32_t found, uint32_t sources)
{
    uint32_t best = (uint32_t)__builtin_ctz(found);
    for (uint32_t o = 0; o < VOTES; o++) {
        if (!(found >> o & 1))
            continue;
        if (!builder->learned && sources > 1)
            habit->votes[o]++;
        habit->most = habit->votes[o] > habit->most ? habit->votes[o] : habit->most;
        if (builder->learned && habit->votes[o] > habit->votes[best])
            best = o;
    }
    return best;
}

/* Finds how a thread made a number of a node's sources, and drops the sources that have no part in it. Several
 * operations may fit by chance, such as a sum and a move where a number is 0: the instruction's other lanes decide. */
static void explain(const struct builder *builder, struct tree_node *node)
{
    uint64_t numbers[TREE_SOURCES] = {0};
    bool all = node->known;
    for (uint32_t i = 0; i < node->source_count; i++) {
        all = all && node_at(builder, node->sources[i])->known;
        numbers[i] = node_at(builder, node->sources[i])->value;
    }
    node->operation = 0;
    if (!all || !node->source_count)
        return;
    uint32_t const found = find_operations(builder->tree->type, numbers, node->source_count, node->value);
    uint32_t const chosen = found ? choose(builder, &builder->habits[node->site], found, node->source_count) : 0;
    if (found && chosen < MOVES) {
        node->operation = operations[chosen];
    } else if (found) {
        node->operation = '=';
        node->sources[0] = node->sources[chosen - MOVES];
        node->source_count = 1;
    }
}

/* Tries to explain a number as the combination of a number in a register and the loaded one. */
static bool join_with(const struct builder *builder, uint32_t other, struct tree_node *node)
{
    struct tree_node tried = *node;
    if (other == NO_NODE || other == node->sources[0])
        return false;
    tried.sources[1] = node->sources[0];
    tried.sources[0] = other;
    tried.source_count = 2;
    explain(builder, &tried);
    if (!tried.operation || tried.operation == '=')
        return false;
    *node = tried;
    return builder->habits[node->site].joins = true;
}

/* The same for a register that a shuffle has changed and whose number has not shown since: tries what the usual
 * operations make of its sources. */
static bool join_with_unknown(const struct builder *builder, uint32_t other, struct tree_node *node)
{
    struct tree_node *unknown = node_at(builder, other), before = *unknown;
    uint64_t numbers[TREE_SOURCES] = {0};
    if (other == NO_NODE || unknown->known || !unknown->source_count)
        return false;
    for (uint32_t i = 0; i < unknown->source_count; i++) {
        numbers[i] = node_at(builder, unknown->sources[i])->value;
        if (!node_at(builder, unknown->sources[i])->known)
            return false;
    }
    for (uint32_t o = 0; o < MOVES + unknown->source_count; o++) {
        uint64_t result = numbers[o < MOVES ? 0 : o - MOVES];
        for (uint32_t i = 1; o < MOVES && i < unknown->source_count; i++)
            result = combine(builder->tree->type, operations[o], result, numbers[i]);
        unknown->known = true;
        unknown->value = result;
        explain(builder, unknown);
        if (join_with(builder, other, node))
            return true;
        *unknown = before;
    }
    return false;
}

/* Tries to explain a number as the combination of the loaded number and one that the thread already has in a register.
 * Returns whether an operation does. */
static bool joins(const struct builder *builder, const struct thread *thread, struct tree_node *node)
{
    if (join_with(builder, thread->last, node) || join_with(builder, thread->other, node) ||
        join_with_unknown(builder, thread->last, node) || join_with_unknown(builder, thread->other, node))
        return true;
    for (uint32_t i = 0; i < thread->held_count; i++)
        if (join_with(builder, thread->held[i], node))
            return true;
    return false;
}

/* Returns the node of what the thread loaded from shared memory, as a number that it now has. NO_NODE: the number comes
 * from elsewhere. fresh: the number is new in memory; else a single node that is only passed on stays itself. */
static uint32_t take_pending(struct builder *builder, struct tree_node node, bool fresh)
{
    struct thread *thread = &builder->threads[node.thread];
    bool const values = builder->tree->values;
    if (!thread->pending_count || thread->too_many)
        return NO_NODE;
    node.begin = thread->begin;
    memcpy(node.sources, thread->pending, sizeof node.sources);
    node.source_count = thread->pending_count;
    explain(builder, &node);
    bool const passed = node.source_count == 1 && (!values || node_at(builder, node.sources[0])->value == node.value);
    bool const maybe = passed && thread->pending_count == 1 && builder->learned && builder->habits[node.site].joins;
    if (values && maybe && joins(builder, thread, &node))
        return add_node(builder, node);
    if (passed && !fresh)
        return node.sources[0];
    if (values && thread->consumed && !node.operation)
        return NO_NODE; /* the loaded numbers were stored already, and this one is none of them */
    if (!passed && !node.operation && thread->from_global && (!values || thread->global == node.value))
        return NO_NODE;
    if (!passed && node.source_count == 1 && !(values && joins(builder, thread, &node)) && thread->last != NO_NODE &&
        thread->last != node.sources[0]) {
        node.sources[1] = node.sources[0]; /* with the number in the register, by an unknown operation */
        node.sources[0] = thread->last;
        node.source_count = 2;
    }
    return add_node(builder, node);
}

/* Returns whether a thread may have a value in the register of a node. What it made of a shuffle shows only now: notes
 * it if the instruction's usual operation explains it. */
static bool holds(const struct builder *builder, uint32_t number, uint64_t value)
{
    struct tree_node *node = node_at(builder, number), tried = *node;
    if (number == NO_NODE || !builder->tree->values)
        return number != NO_NODE;
    if (node->known)
        return node->value == value;
    tried.known = true;
    tried.value = value;
    explain(builder, &tried);
    if (builder->learned && !tried.operation && builder->habits[tried.site].most)
        return false;
    *node = tried;
    return true;
}

/* Puts a node into a thread's register. The number that was there may stay in another one. */
static void set_last(struct builder *builder, uint32_t t, uint32_t number)
{
    struct thread *thread = &builder->threads[t];
    const struct tree_node *node = node_at(builder, number);
    bool derived = number == thread->last;
    for (uint32_t i = 0; i < node->source_count; i++)
        derived = derived || node->sources[i] == thread->last;
    if (!derived)
        thread->other = thread->last;
    thread->last = number;
}

/* Returns the node in a thread's register, when the thread shows that the register holds a value. made: a node with the
 * thread, the value, the site and the position. */
static uint32_t register_of(struct builder *builder, struct tree_node made)
{
    struct thread *thread = &builder->threads[made.thread];
    if (thread->pending_count && !thread->consumed) {
        uint32_t const taken = take_pending(builder, made, false);
        thread->consumed = true;
        if (taken != NO_NODE) {
            set_last(builder, made.thread, taken);
            return taken;
        }
    }
    if (holds(builder, thread->last, made.value))
        return thread->last;
    return builder->tree->values && holds(builder, thread->other, made.value) ? thread->other : NO_NODE;
}

static void shared_load(struct builder *builder, uint32_t t, uint32_t word, uint32_t position)
{
    struct thread *thread = &builder->threads[t];
    if (thread->consumed)
        forget(thread);
    thread->from_global = false;
    uint32_t const node = builder->words[word];
    for (uint32_t i = 0; i < thread->pending_count; i++)
        if (thread->pending[i] == node)
            return;
    if (node == NO_NODE)
        return;
    if (!thread->pending_count)
        thread->begin = position;
    if (thread->pending_count < TREE_SOURCES)
        thread->pending[thread->pending_count++] = node;
    else
        thread->too_many = true;
}

/* Returns whether a thread stores again the number that it has in a register, such as one that a step leaves as it is.
 */
static bool is_kept(const struct builder *builder, const struct tree_node *made)
{
    const struct thread *thread = &builder->threads[made->thread];
    struct habit *habit = &builder->habits[made->site];
    if (!builder->tree->values || thread->pending_count || thread->last == NO_NODE || thread->from_global)
        return false;
    bool const same = node_at(builder, thread->last)->value == made->value;
    habit->renews = habit->renews || (!builder->learned && !same);
    return same && !habit->renews;
}

static void shared_store(struct builder *builder, uint32_t word, struct tree_node made)
{
    struct thread *thread = &builder->threads[made.thread];
    uint32_t node = NO_NODE;
    if (!thread->pending_count && thread->last != NO_NODE && node_at(builder, thread->last)->by_shuffle)
        node = register_of(builder, made);
    made.word = word + 1;
    if (node == NO_NODE && is_kept(builder, &made)) {
        made.sources[0] = thread->last;
        made.source_count = 1;
        made.operation = '=';
    } else if (node == NO_NODE) {
        node = take_pending(builder, made, true);
    }
    if (node == NO_NODE)
        node = add_node(builder, made);
    thread->consumed = true;
    thread->from_global = false;
    builder->words[word] = node;
    set_last(builder, made.thread, node);
}

static void mark_used(const struct builder *builder, uint32_t number)
{
    struct tree_node *node = node_at(builder, number);
    if (number == NO_NODE || node->used)
        return;
    node->used = true;
    for (uint32_t i = 0; i < node->source_count; i++)
        mark_used(builder, node->sources[i]); /* at most as deep as there are levels */
}

/* A result of the block. A thread that combines its last numbers on the way makes one more node. */
static void global_store(struct builder *builder, struct tree_node made)
{
    struct thread *thread = &builder->threads[made.thread];
    bool const used_before = thread->consumed;
    mark_used(builder, register_of(builder, made));
    for (uint32_t i = 0; used_before && i < thread->pending_count; i++) /* several loads, then several stores */
        if (node_at(builder, thread->pending[i])->value == made.value)
            mark_used(builder, thread->pending[i]);
    thread->consumed = true;
}

static uint32_t thread_of(const struct trace_event *event, unsigned lane)
{
    return event->warp * WARP_LANES + lane;
}

static void add_shuffle(struct builder *builder, const struct trace_event *event, uint32_t position)
{
    const uint64_t *sources = trace_addresses(builder->trace, event), *values = trace_values(builder->trace, event);
    uint32_t before[WARP_LANES] = {0}, after[WARP_LANES] = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct tree_node const made = {.thread = thread_of(event, lane),
                                       .site = event->site,
                                       .known = values != NULL,
                                       .value = values ? (values[lane] >> 32) & builder->mask : 0,
                                       .begin = position,
                                       .done = position};
        if (!(event->mask >> lane & 1) || made.thread >= builder->thread_count)
            continue;
        before[lane] = register_of(builder, made);
        if (before[lane] == NO_NODE)
            before[lane] = add_node(builder, made);
        set_last(builder, made.thread, before[lane]);
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t const source = before[sources[lane] % WARP_LANES];
        struct tree_node node = {.thread = thread_of(event, lane),
                                 .site = event->site,
                                 .sources = {before[lane], source},
                                 .source_count = source != before[lane] && source != NO_NODE ? 2 : 1,
                                 .by_shuffle = true,
                                 .received = values ? values[lane] & UINT32_MAX & builder->mask : 0,
                                 .begin = position,
                                 .done = position};
        if (before[lane] != NO_NODE)
            after[lane] = add_node(builder, node);
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (after[lane] != NO_NODE) {
            struct thread *thread = &builder->threads[thread_of(event, lane)];
            forget(thread);
            thread->held_count = 0;
            set_last(builder, thread_of(event, lane), after[lane]);
        }
}

/* What was loaded and stored before a barrier has no part in what follows. Loads without a store yet may have. */
static void pass_barrier(const struct builder *builder, const struct trace_event *event)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t const t = thread_of(event, lane);
        if (!(event->mask >> lane & 1) || t >= builder->thread_count)
            continue;
        builder->threads[t].level = builder->highest;
        if (builder->threads[t].consumed)
            forget(&builder->threads[t]);
    }
}

/* Returns the type of the numbers in shared memory: a float where any instruction says so, else that of the array that
 * they come from. */
static enum ptx_type type_of(const struct timeline *timeline)
{
    enum ptx_type type = PTX_TYPE_NONE, array = PTX_TYPE_NONE;
    for (size_t i = 0; i < timeline->count; i++) {
        const struct trace_event *event = &timeline->trace->events.items[timeline->events[i]];
        if (event->kind != TRACE_ACCESS || !event->mask)
            continue;
        const struct trace_site *site = &timeline->trace->sites[event->site];
        if (trace_space(site, event) == PTX_SPACE_SHARED) {
            if (ptx_is_real(site->type))
                return site->type;
            type = site->type;
        } else if (site->operation == TRACE_LOAD && array == PTX_TYPE_NONE) {
            const struct trace_buffer *buffer = trace_find_buffer(
                timeline->trace, trace_addresses(timeline->trace, event)[__builtin_ctz(event->mask)], NULL);
            array = buffer ? buffer->type : PTX_TYPE_NONE;
        }
    }
    return type == PTX_TYPE_NONE || ptx_type_size(array) == ptx_type_size(type) ? array : type;
}

static void add_lane(struct builder *builder, const struct trace_event *event, unsigned lane, uint32_t position)
{
    const struct trace_site *site = &builder->trace->sites[event->site];
    const uint64_t *values = trace_values(builder->trace, event);
    uint64_t const value = builder->tree->values && values ? values[lane] : 0;
    uint32_t const t = thread_of(event, lane);
    bool const store = site->operation == TRACE_STORE;
    struct tree_node const made = {.thread = t,
                                   .site = event->site,
                                   .known = builder->tree->values,
                                   .value = value,
                                   .begin = position,
                                   .done = position};
    if (t >= builder->thread_count || (!store && site->operation != TRACE_LOAD))
        return;
    if (trace_space(site, event) == PTX_SPACE_SHARED) {
        uint64_t const word =
            (trace_addresses(builder->trace, event)[lane] - builder->trace->shared_base) / builder->word_bytes;
        if (word >= builder->word_count)
            return;
        if (store)
            shared_store(builder, (uint32_t)word, made);
        else
            shared_load(builder, t, (uint32_t)word, position);
    } else if (trace_space(site, event) == PTX_SPACE_GLOBAL && store) {
        global_store(builder, made);
    } else if (trace_space(site, event) == PTX_SPACE_GLOBAL) {
        builder->threads[t].from_global = true;
        builder->threads[t].global = value;
    }
}

static bool is_small_enough(const struct timeline *timeline)
{
    size_t events = 0;
    for (size_t i = 0; i < timeline->count; i++) {
        const struct trace_event *event = &timeline->trace->events.items[timeline->events[i]];
        const struct trace_site *site =
            event->site < timeline->trace->site_count ? &timeline->trace->sites[event->site] : NULL;
        events += event->kind == TRACE_SHUFFLE ||
                  (event->kind == TRACE_ACCESS && site && trace_space(site, event) == PTX_SPACE_SHARED);
    }
    return events && events < EVENTS_MOST;
}

/* Follows the numbers through the events of the block. */
static void follow(struct builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    memset(builder->threads, 0, builder->thread_count * sizeof *builder->threads);
    memset(builder->words, 0, ((size_t)builder->word_count + 1) * sizeof *builder->words);
    builder->nodes.count = 0;
    builder->highest = 0;
    builder->crosses = false;
    array_push(&builder->nodes, (struct tree_node){0});
    for (size_t i = 0; i < timeline->count && builder->highest < TREE_LEVELS; i++) {
        const struct trace_event *event = &builder->trace->events.items[timeline->events[i]];
        if (event->kind == TRACE_SHUFFLE)
            add_shuffle(builder, event, (uint32_t)i);
        if (event->kind == TRACE_BARRIER_ARRIVE)
            pass_barrier(builder, event);
        for (unsigned lane = 0; event->kind == TRACE_ACCESS && lane < WARP_LANES; lane++)
            if (event->mask >> lane & 1)
                add_lane(builder, event, lane, (uint32_t)i);
    }
}

const struct tree *tree_new(struct arena *arena, const struct timeline *timeline)
{
    const struct trace *trace = timeline->trace;
    if (!is_small_enough(timeline))
        return NULL;
    struct tree *tree = arena_new(arena, struct tree);
    struct arena scratch = {0};
    struct builder builder = {.arena = arena,
                              .timeline = timeline,
                              .trace = trace,
                              .thread_count = timeline->warp_count * WARP_LANES,
                              .tree = tree};
    *tree = (struct tree){.type = type_of(timeline), .values = trace->values.count != 0};
    size_t const size = ptx_type_size(tree->type);
    builder.word_bytes = size && size < WORD_MOST ? (uint32_t)size : WORD_MOST;
    builder.word_count = trace->shared_bytes / builder.word_bytes;
    builder.mask = size && size < 8 ? (UINT64_C(1) << 8 * size) - 1 : UINT64_MAX;
    builder.threads = arena_array(&scratch, struct thread, builder.thread_count);
    builder.words = arena_array(&scratch, uint32_t, (size_t)builder.word_count + 1);
    builder.habits = arena_array(&scratch, struct habit, (size_t)trace->site_count + 1);
    if (tree->values)
        follow(&builder);
    builder.learned = true;
    follow(&builder);
    bool const drawn = builder.crosses && builder.highest < TREE_LEVELS;
    if (drawn) {
        struct tree_node *nodes = arena_list(arena, builder.nodes);
        tree->nodes = nodes;
        tree->node_count = (uint32_t)builder.nodes.count;
        tree_levels(tree, nodes, timeline, &scratch);
    }
    free(builder.nodes.items);
    arena_free(&scratch);
    return drawn ? tree : NULL;
}
