/* The events of the block in order, with the node that each word of shared memory holds, and for each thread the nodes
 * that it loaded and the one in its register. */
#include "model/tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MOST = 1 << 15, WORD = 4, NO_NODE = 0 };

struct thread {
    uint32_t pending[TREE_SOURCES], pending_count; /* nodes loaded from shared memory */
    uint32_t begin;                                /* position of the first of these loads */
    bool consumed;                                 /* a store has followed them */
    bool too_many;                                 /* more loads than a node has sources */
    bool from_global;                              /* its last load was one from global memory, of this number: */
    uint64_t global;
    uint32_t last; /* the node in its register */
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
    struct tree *tree;
    uint32_t highest; /* level */
    bool crosses;     /* a node has a source of another thread */
};

static struct tree_node *node_at(const struct builder *builder, uint32_t number)
{
    return &builder->nodes.items[number];
}

static double number_of(enum ptx_type type, uint64_t bits)
{
    float single;
    double number;
    uint32_t const word = (uint32_t)bits;
    memcpy(&single, &word, sizeof single);
    memcpy(&number, &bits, sizeof number);
    return type == PTX_F64 ? number : (double)single;
}

static uint64_t bits_of(enum ptx_type type, double number)
{
    float const single = (float)number;
    uint32_t word;
    uint64_t bits;
    memcpy(&word, &single, sizeof word);
    memcpy(&bits, &number, sizeof bits);
    return type == PTX_F64 ? bits : word;
}

/* Returns a and b combined, as bits of the type. Sums and products of floats are rounded as the GPU rounds them. */
static uint64_t combine(enum ptx_type type, char operation, uint64_t a, uint64_t b)
{
    bool const floats = type == PTX_F32 || type == PTX_F64;
    uint64_t const all = ptx_type_size(type) == 8 ? UINT64_MAX : UINT32_MAX;
    double const x = floats ? number_of(type, a) : 0, y = floats ? number_of(type, b) : 0;
    int64_t const i = all == UINT64_MAX ? (int64_t)a : (int32_t)(uint32_t)a;
    int64_t const k = all == UINT64_MAX ? (int64_t)b : (int32_t)(uint32_t)b;
    switch (operation) {
    case '+':
        return floats ? bits_of(type, x + y) : (a + b) & all;
    case '*':
        return floats ? bits_of(type, x * y) : (a * b) & all;
    case '<':
        return floats ? bits_of(type, fmin(x, y)) : (i < k ? a : b);
    default:
        return floats ? bits_of(type, fmax(x, y)) : (i > k ? a : b);
    }
}

/* Returns the operation that makes `value` of these numbers, or 0. */
static char find_operation(enum ptx_type type, const uint64_t *numbers, uint32_t count, uint64_t value)
{
    static const char operations[] = {'+', '*', '>', '<'};
    for (size_t o = 0; count > 1 && o < sizeof operations; o++) {
        uint64_t result = numbers[0];
        for (uint32_t i = 1; i < count; i++)
            result = combine(type, operations[o], result, numbers[i]);
        if (result == value)
            return operations[o];
    }
    return 0;
}

/* Adds a node and returns its number. Its level follows from its sources; a leaf that comes late, such as a zero stored
 * between two sweeps, stands at the level reached so far. */
static uint32_t add_node(struct builder *builder, struct tree_node node)
{
    node.level = node.source_count ? 0 : builder->highest;
    for (uint32_t i = 0; i < node.source_count; i++) {
        const struct tree_node *source = node_at(builder, node.sources[i]);
        node.level = source->level + 1 > node.level ? source->level + 1 : node.level;
        builder->crosses = builder->crosses || source->thread != node.thread;
    }
    builder->highest = node.level > builder->highest ? node.level : builder->highest;
    array_push(&builder->nodes, node);
    return (uint32_t)builder->nodes.count - 1;
}

static void forget(struct thread *thread)
{
    thread->pending_count = 0;
    thread->consumed = thread->too_many = false;
}

/* Finds how a thread made a number of a node's sources, and drops the sources that have no part in it. */
static void explain(const struct builder *builder, struct tree_node *node)
{
    uint64_t numbers[TREE_SOURCES];
    bool all = node->known;
    for (uint32_t i = 0; i < node->source_count; i++) {
        all = all && node_at(builder, node->sources[i])->known;
        numbers[i] = node_at(builder, node->sources[i])->value;
    }
    if (!all || !node->source_count)
        return;
    node->operation = find_operation(builder->tree->type, numbers, node->source_count, node->value);
    for (uint32_t i = 0; !node->operation && i < node->source_count; i++)
        if (numbers[i] == node->value) {
            node->operation = '=';
            node->sources[0] = node->sources[i];
            node->source_count = 1;
        }
}

/* Returns the node of what the thread loaded from shared memory, as a number that it now has. NO_NODE: the number comes
 * from elsewhere. fresh: the number is new in memory; else a single node that is only passed on stays itself. */
static uint32_t take_pending(struct builder *builder, uint32_t t, uint64_t value, uint32_t position, bool fresh)
{
    struct thread *thread = &builder->threads[t];
    bool const values = builder->tree->values;
    struct tree_node node = {.thread = t, .known = values, .value = value, .begin = thread->begin, .done = position};
    if (!thread->pending_count || thread->too_many)
        return NO_NODE;
    memcpy(node.sources, thread->pending, sizeof node.sources);
    node.source_count = thread->pending_count;
    explain(builder, &node);
    bool const passed = node.source_count == 1 && (!values || node_at(builder, node.sources[0])->value == value);
    if (passed && !fresh)
        return node.sources[0];
    if (!passed && !node.operation && thread->from_global && (!values || thread->global == value))
        return NO_NODE;
    if (!passed && node.source_count == 1 && thread->last != NO_NODE && thread->last != node.sources[0]) {
        node.sources[1] = node.sources[0]; /* with the number in the register */
        node.sources[0] = thread->last;
        node.source_count = 2;
        explain(builder, &node);
    }
    return add_node(builder, node);
}

/* Notes the number that a thread turns out to have after a shuffle. */
static void reveal(const struct builder *builder, uint32_t number, uint64_t value)
{
    struct tree_node *node = node_at(builder, number);
    if (number == NO_NODE || node->known || !builder->tree->values)
        return;
    node->known = true;
    node->value = value;
    explain(builder, node);
}

/* Returns the node in a thread's register, when the thread shows that the register holds a value. */
static uint32_t register_of(struct builder *builder, uint32_t t, uint64_t value, uint32_t position)
{
    struct thread *thread = &builder->threads[t];
    if (thread->pending_count && !thread->consumed) {
        uint32_t const taken = take_pending(builder, t, value, position, false);
        thread->consumed = true;
        if (taken != NO_NODE)
            return thread->last = taken;
    }
    reveal(builder, thread->last, value);
    if (thread->last != NO_NODE && (!builder->tree->values || node_at(builder, thread->last)->value == value))
        return thread->last;
    return NO_NODE;
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

static void shared_store(struct builder *builder, uint32_t t, uint32_t word, uint64_t value, uint32_t position)
{
    struct thread *thread = &builder->threads[t];
    uint32_t node = NO_NODE;
    if (!thread->pending_count && thread->last != NO_NODE && node_at(builder, thread->last)->by_shuffle)
        node = register_of(builder, t, value, position);
    if (node == NO_NODE)
        node = take_pending(builder, t, value, position, true);
    if (node == NO_NODE)
        node = add_node(
            builder,
            (struct tree_node){
                .thread = t, .known = builder->tree->values, .value = value, .begin = position, .done = position});
    thread->consumed = true;
    thread->last = builder->words[word] = node;
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
static void global_store(struct builder *builder, uint32_t t, uint64_t value, uint32_t position)
{
    uint32_t const node = register_of(builder, t, value, position);
    mark_used(builder, node);
    builder->threads[t].consumed = true;
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
        uint32_t const t = thread_of(event, lane);
        uint64_t const brought = values ? values[lane] >> 32 : 0;
        if (!(event->mask >> lane & 1) || t >= builder->thread_count)
            continue;
        before[lane] = register_of(builder, t, brought, position);
        if (before[lane] == NO_NODE)
            before[lane] = add_node(
                builder,
                (struct tree_node){
                    .thread = t, .known = values != NULL, .value = brought, .begin = position, .done = position});
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t const source = before[sources[lane] % WARP_LANES];
        struct tree_node node = {.thread = thread_of(event, lane),
                                 .sources = {before[lane], source},
                                 .source_count = source != before[lane] && source != NO_NODE ? 2 : 1,
                                 .by_shuffle = true,
                                 .received = values ? values[lane] & UINT32_MAX : 0,
                                 .begin = position,
                                 .done = position};
        if (before[lane] != NO_NODE)
            after[lane] = add_node(builder, node);
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (after[lane] != NO_NODE) {
            struct thread *thread = &builder->threads[thread_of(event, lane)];
            forget(thread);
            thread->last = after[lane];
        }
}

/* What was loaded and stored before a barrier has no part in what follows. Loads without a store yet may have. */
static void pass_barrier(const struct builder *builder, const struct trace_event *event)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((event->mask >> lane & 1) && thread_of(event, lane) < builder->thread_count &&
            builder->threads[thread_of(event, lane)].consumed)
            forget(&builder->threads[thread_of(event, lane)]);
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
            if (site->type == PTX_F32 || site->type == PTX_F64)
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
    if (t >= builder->thread_count || (!store && site->operation != TRACE_LOAD))
        return;
    if (trace_space(site, event) == PTX_SPACE_SHARED) {
        uint64_t const word = (trace_addresses(builder->trace, event)[lane] - builder->trace->shared_base) / WORD;
        if (word >= builder->word_count)
            return;
        if (store)
            shared_store(builder, t, (uint32_t)word, value, position);
        else
            shared_load(builder, t, (uint32_t)word, position);
    } else if (trace_space(site, event) == PTX_SPACE_GLOBAL && store) {
        global_store(builder, t, value, position);
    } else if (trace_space(site, event) == PTX_SPACE_GLOBAL) {
        builder->threads[t].from_global = true;
        builder->threads[t].global = value;
    }
}

/* Counts the nodes of each level, and finds whether all take their other source from the same distance. */
static void count_levels(struct builder *builder)
{
    struct tree *tree = builder->tree;
    bool any_used = false;
    for (uint32_t i = 1; i < builder->nodes.count; i++)
        any_used |= node_at(builder, i)->used;
    tree->level_count = builder->highest + 1;
    for (uint32_t i = 1; i < builder->nodes.count; i++) {
        struct tree_node *node = node_at(builder, i);
        node->used |= !any_used; /* the results go another way */
        struct tree_level *level = &tree->levels[node->level];
        if (node->source_count < 2)
            continue;
        int64_t const distance = (int64_t)node_at(builder, node->sources[1])->thread - node->thread;
        int64_t const first = (int64_t)node_at(builder, node->sources[0])->thread - node->thread;
        int64_t const other = distance ? distance : first;
        level->apart = level->combined ? level->apart && level->distance == other : true;
        level->distance = other;
        level->combined++;
        level->wasted += !node->used;
        level->shuffles |= node->by_shuffle;
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
                  (event->kind == TRACE_ACCESS && trace_space(site, event) == PTX_SPACE_SHARED);
    }
    return events && events < EVENTS_MOST;
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
                              .word_count = trace->shared_bytes / WORD,
                              .tree = tree};
    *tree = (struct tree){.type = type_of(timeline), .values = trace->values.count != 0};
    builder.threads = arena_array(&scratch, struct thread, builder.thread_count);
    builder.words = arena_array(&scratch, uint32_t, (size_t)builder.word_count + 1);
    array_push(&builder.nodes, (struct tree_node){0});
    for (size_t i = 0; i < timeline->count && builder.highest < TREE_LEVELS; i++) {
        const struct trace_event *event = &trace->events.items[timeline->events[i]];
        if (event->kind == TRACE_SHUFFLE)
            add_shuffle(&builder, event, (uint32_t)i);
        if (event->kind == TRACE_BARRIER_ARRIVE)
            pass_barrier(&builder, event);
        for (unsigned lane = 0; event->kind == TRACE_ACCESS && lane < WARP_LANES; lane++)
            if (event->mask >> lane & 1)
                add_lane(&builder, event, lane, (uint32_t)i);
    }
    bool const drawn = builder.crosses && builder.highest < TREE_LEVELS;
    if (drawn) {
        count_levels(&builder);
        struct tree_node *nodes = arena_array(arena, struct tree_node, builder.nodes.count);
        memcpy(nodes, builder.nodes.items, builder.nodes.count * sizeof *nodes);
        tree->nodes = nodes;
        tree->node_count = (uint32_t)builder.nodes.count;
    }
    free(builder.nodes.items);
    arena_free(&scratch);
    return drawn ? tree : NULL;
}
