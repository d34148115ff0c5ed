/* Nodes by column, and the threads, conflicts and barriers of each level. */
#include "model/tree_levels.h"
#include "model/banks.h"

struct counting {
    struct tree *tree;
    struct tree_node *nodes;
    const struct timeline *timeline;
    const struct trace *trace;
    struct arena *scratch;
    uint32_t threads; /* of the block */
};

static bool is_leaf(const struct tree_node *node)
{
    return node->level == 0 && node->word != 0;
}

/* Gives each node the rank of its word among the words of the leaves, if some thread has several leaves and every node
 * that a result needs is in one of these words: a scan in place. Else a column is a thread. */
static void find_places(const struct counting *counting)
{
    struct tree *tree = counting->tree;
    uint32_t const words = counting->trace->shared_bytes / 4 + 1;
    uint32_t *rank = arena_array(counting->scratch, uint32_t, (size_t)words + 1);
    uint32_t *leaves = arena_array(counting->scratch, uint32_t, counting->threads);
    uint32_t count = 0, most = 0;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &counting->nodes[i];
        if (!is_leaf(node) || node->word > words || node->thread >= counting->threads)
            continue;
        rank[node->word] = 1;
        leaves[node->thread]++;
        most = leaves[node->thread] > most ? leaves[node->thread] : most;
    }
    for (uint32_t word = 0; word <= words; word++)
        if (rank[word])
            rank[word] = ++count;
    if (most < 2)
        return;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &counting->nodes[i];
        if (node->used && (node->word > words || !rank[node->word]))
            return;
    }
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (counting->nodes[i].word <= words && rank[counting->nodes[i].word])
            counting->nodes[i].place = rank[counting->nodes[i].word] - 1;
    tree->places = count;
}

/* Counts the nodes that stand in one column of a level. A number that no result needs and that a thread had from the
 * start, such as the 0 of a lane that only fills up a warp, is left out. */
static void share_columns(const struct counting *counting)
{
    struct tree *tree = counting->tree;
    uint32_t const columns = tree->places ? tree->places : counting->timeline->warp_count * WARP_LANES;
    uint32_t *count = arena_array(counting->scratch, uint32_t, (size_t)columns * tree->level_count);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 1; i < tree->node_count; i++) {
            struct tree_node *node = &counting->nodes[i];
            uint32_t const column = tree->places ? node->place : node->thread;
            bool const drawn =
                node->level < tree->level_count && (node->used || node->source_count || node->level == 0);
            if (!drawn || column >= columns)
                continue;
            uint32_t *here = &count[(size_t)node->level * columns + column];
            if (pass)
                node->shares = *here;
            else
                node->share = (*here)++;
        }
}

/* Counts the nodes of each level, and finds whether all take their other source from the same distance. */
static void count_nodes(const struct counting *counting)
{
    struct tree *tree = counting->tree;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &counting->nodes[i];
        struct tree_level *level = &tree->levels[node->level];
        level->moved += node->source_count == 1;
        if (node->source_count < 2 || node->level >= tree->level_count)
            continue;
        int64_t const distance = (int64_t)counting->nodes[node->sources[1]].thread - node->thread;
        int64_t const first = (int64_t)counting->nodes[node->sources[0]].thread - node->thread;
        int64_t const other = distance ? distance : first;
        level->apart = level->combined ? level->apart && level->distance == other : true;
        level->distance = other;
        level->combined++;
        level->wasted += !node->used;
        level->shuffles |= node->by_shuffle;
    }
}

/* Counts the threads of the block that combine numbers in each level, and those without any node. */
static void count_threads(const struct counting *counting)
{
    struct tree *tree = counting->tree;
    uint32_t *busy = arena_array(counting->scratch, uint32_t, counting->threads); /* a bit for each level */
    uint32_t *combines = arena_array(counting->scratch, uint32_t, counting->threads);
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &counting->nodes[i];
        if (node->thread >= counting->threads)
            continue;
        busy[node->thread] |= 1u << node->level;
        combines[node->thread] |= (uint32_t)(node->source_count > 1) << node->level;
    }
    for (uint32_t level = 0; level < tree->level_count; level++)
        for (uint32_t t = 0; t < counting->threads; t++) {
            tree->levels[level].idle += !(busy[t] >> level & 1);
            tree->levels[level].threads += combines[t] >> level & 1;
        }
}

static uint32_t conflicts_of(const struct trace *trace, const struct trace_event *event)
{
    const struct trace_site *site = &trace->sites[event->site];
    uint32_t ideal = 0;
    if (trace_space(site, event) != PTX_SPACE_SHARED)
        return 0;
    uint32_t const passes =
        model_wavefronts(trace_addresses(trace, event), event->mask, site->bytes, site->operation, &ideal);
    return passes - ideal;
}

/* Counts the conflicts and the barriers of each level. An access belongs to the level of the node that its warp makes
 * with it or next; a barrier, to the level that the block has reached. */
static void count_accesses(const struct counting *counting)
{
    const struct timeline *timeline = counting->timeline;
    struct tree *tree = counting->tree;
    uint8_t *reached = arena_array(counting->scratch, uint8_t, timeline->count + 1); /* by position: level + 1 */
    uint8_t *next = arena_array(counting->scratch, uint8_t, (size_t)timeline->warp_count + 1);
    uint32_t level = 0;
    for (uint32_t i = 1; i < tree->node_count; i++)
        reached[counting->nodes[i].done] = (uint8_t)(counting->nodes[i].level + 1);
    for (size_t i = timeline->count; i-- > 0;) {
        const struct trace_event *event = &counting->trace->events.items[timeline->events[i]];
        if (event->warp >= timeline->warp_count)
            continue;
        if (reached[i])
            next[event->warp] = reached[i];
        if (next[event->warp] > tree->level_count)
            continue;
        if (event->kind == TRACE_ACCESS && next[event->warp] && event->mask)
            tree->levels[next[event->warp] - 1].conflicts += conflicts_of(counting->trace, event);
    }
    for (size_t i = 0; i < timeline->count; i++) {
        const struct trace_event *event = &counting->trace->events.items[timeline->events[i]];
        if (reached[i] > level + 1 && reached[i] <= tree->level_count)
            level = reached[i] - 1u;
        tree->levels[level].barriers += event->kind == TRACE_BARRIER_ARRIVE && event->warp == 0;
    }
}

void tree_levels(struct tree *tree, struct tree_node *nodes, const struct timeline *timeline, struct arena *scratch)
{
    const uint32_t *block = timeline->trace->block;
    struct counting const counting = {tree, nodes, timeline, timeline->trace, scratch, block[0] * block[1] * block[2]};
    bool any_used = false;
    for (uint32_t i = 1; i < tree->node_count; i++)
        any_used |= nodes[i].used;
    uint32_t highest = 0;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        nodes[i].used |= !any_used; /* the results go another way */
        highest = nodes[i].used && nodes[i].level > highest ? nodes[i].level : highest;
    }
    tree->level_count = highest + 1; /* what comes after the last result is not shown */
    find_places(&counting);
    share_columns(&counting);
    count_nodes(&counting);
    count_threads(&counting);
    count_accesses(&counting);
}

uint32_t tree_combined(const struct tree *tree)
{
    uint32_t combined = 0;
    for (uint32_t level = 1; level < tree->level_count; level++)
        combined += tree->levels[level].combined;
    return combined;
}
