/* Finds the reconvergence point of each branch: the immediate post-dominator of its block. Post-dominators are the
 * dominators of the reversed graph, which starts at one exit that all ends lead to. They are found with the algorithm
 * of Lengauer and Tarjan ("A fast algorithm for finding dominators in a flowgraph", 1979).
 *
 * Lanes that end take no part in reconvergence. Three kinds of paths to the exit are therefore tried in turn, and a
 * block with a path of an earlier kind ignores the later kinds: a return or an exit; a trap or a call that does not
 * return; and an endless loop, which gets a path to the exit from the block that closes it, so that branches inside it
 * still reconverge inside. A predicated end is no path, because only some lanes end there. In a kernel, a branch to a
 * bare return is no path either when another path continues, because machine code has `@p EXIT` there. */
#include "ptx/graph.h"
#include "ptx/parser.h"
#include <string.h>

struct flow {
    struct arena scratch;
    struct ptx_graph graph;
    bool *leaving;  /* a kernel's block that contains only a return */
    bool *goes_on;  /* the block has an edge to a block that is not leaving */
    bool *counted;  /* the block's edge to a leaving block counts anyway */
    uint8_t *phase; /* kind of the block's path to the exit */
    uint8_t now;
    /* state of the search from the exit, by node or by order of discovery */
    uint32_t found;
    uint32_t *order, *number, *parent, *semi, *label, *ancestor, *dominator, *bucket, *in_bucket, *stack, *edge;
};

static void find_leaving(struct flow *flow)
{
    flow->leaving = arena_array(&flow->scratch, bool, flow->graph.count);
    flow->goes_on = arena_array(&flow->scratch, bool, flow->graph.count);
    flow->counted = arena_array(&flow->scratch, bool, flow->graph.count);
    for (uint32_t b = 0; b < flow->graph.count && flow->graph.function->is_kernel; b++) {
        const struct ptx_instruction *only = &flow->graph.function->instructions[flow->graph.first[b]];
        flow->leaving[b] = flow->graph.first[b + 1] - flow->graph.first[b] == 1 && only->predicate == PTX_NO_INDEX &&
                           (only->opcode == PTX_OP_ret || only->opcode == PTX_OP_exit);
    }
    for (uint32_t b = 0; b < flow->graph.count; b++)
        for (uint32_t k = flow->graph.next.start[b]; k < flow->graph.next.start[b + 1]; k++)
            flow->goes_on[b] |= !flow->leaving[flow->graph.next.list[k]];
}

/* Returns whether an edge is ignored because its lanes only return. */
static bool is_ignored(const struct flow *flow, uint32_t from, uint32_t to)
{
    return flow->leaving[to] && flow->goes_on[from] && !flow->counted[from];
}

/* Numbers, depth first, all blocks that lead to `root` and have no number yet. */
static void search_back(struct flow *flow, uint32_t root)
{
    uint32_t depth = 0;
    if (flow->number[root] != PTX_NO_INDEX)
        return;
    flow->graph.ends[root] = true;
    flow->parent[root] = flow->graph.count;
    flow->stack[depth++] = root;
    flow->edge[root] = flow->graph.previous.start[root];
    flow->number[root] = flow->found;
    flow->phase[root] = flow->now;
    flow->order[flow->found++] = root;
    while (depth > 0) {
        uint32_t const block = flow->stack[depth - 1];
        if (flow->edge[block] == flow->graph.previous.start[block + 1]) {
            depth--;
            continue;
        }
        uint32_t const from = flow->graph.previous.list[flow->edge[block]++];
        if (flow->number[from] != PTX_NO_INDEX || is_ignored(flow, from, block))
            continue;
        flow->parent[from] = block;
        flow->number[from] = flow->found;
        flow->phase[from] = flow->now;
        flow->order[flow->found++] = from;
        flow->edge[from] = flow->graph.previous.start[from];
        flow->stack[depth++] = from;
    }
}

/* Returns, for each block, whether it closes a loop: it has an edge back to a block on the path from the entry to
 * it. */
static bool *find_latches(struct flow *flow)
{
    enum { NEW, OPEN, DONE };
    bool *latches = arena_array(&flow->scratch, bool, flow->graph.count);
    uint8_t *state = arena_array(&flow->scratch, uint8_t, flow->graph.count);
    uint32_t depth = 0;
    flow->stack[depth++] = 0;
    state[0] = OPEN;
    flow->edge[0] = flow->graph.next.start[0];
    while (depth > 0) {
        uint32_t const block = flow->stack[depth - 1];
        if (flow->edge[block] == flow->graph.next.start[block + 1]) {
            state[block] = DONE;
            depth--;
            continue;
        }
        uint32_t const to = flow->graph.next.list[flow->edge[block]++];
        if (state[to] == OPEN)
            latches[block] = true;
        if (state[to] != NEW)
            continue;
        state[to] = OPEN;
        flow->edge[to] = flow->graph.next.start[to];
        flow->stack[depth++] = to;
    }
    return latches;
}

static void search_from_ends(struct flow *flow)
{
    memset(flow->number, 0xff, ((size_t)flow->graph.count + 1) * sizeof *flow->number);
    flow->number[flow->graph.count] = 0;
    flow->order[0] = flow->graph.count;
    flow->found = 1;
    for (uint32_t b = 0; b < flow->graph.count; b++)
        if (flow->graph.ends[b])
            search_back(flow, b);
}

/* Counts bare returns as ends of a loop that has no other end. With latches NULL, also in blocks that do not close a
 * loop. */
static void count_returns(struct flow *flow, const bool *latches)
{
    bool any = false;
    for (uint32_t b = 0; b < flow->graph.count; b++) {
        if (flow->number[b] != PTX_NO_INDEX || (latches && !latches[b]))
            continue;
        for (uint32_t k = flow->graph.next.start[b]; k < flow->graph.next.start[b + 1]; k++)
            if (flow->leaving[flow->graph.next.list[k]])
                flow->counted[b] = any = true;
    }
    if (any)
        search_from_ends(flow);
}

static void search_from_exit(struct flow *flow)
{
    search_from_ends(flow);
    if (flow->found == flow->graph.count + 1)
        return;
    const bool *latches = find_latches(flow);
    count_returns(flow, latches);
    count_returns(flow, NULL);
    flow->now++;
    for (uint32_t b = 0; b < flow->graph.count; b++)
        if (flow->graph.kills[b])
            search_back(flow, b);
    flow->now++;
    for (uint32_t b = flow->graph.count; b-- > 0;)
        if (latches[b])
            search_back(flow, b);
    for (uint32_t b = flow->graph.count; b-- > 0;)
        search_back(flow, b);
}

/* Returns the node with the smallest semidominator on the path up the forest, and compresses that path. */
static uint32_t evaluate(struct flow *flow, uint32_t node)
{
    if (flow->ancestor[node] == PTX_NO_INDEX)
        return node;
    uint32_t depth = 0;
    for (uint32_t v = node; flow->ancestor[flow->ancestor[v]] != PTX_NO_INDEX; v = flow->ancestor[v])
        flow->stack[depth++] = v;
    while (depth > 0) {
        uint32_t const v = flow->stack[--depth], up = flow->ancestor[v];
        if (flow->semi[flow->label[up]] < flow->semi[flow->label[v]])
            flow->label[v] = flow->label[up];
        flow->ancestor[v] = flow->ancestor[up];
    }
    return flow->label[node];
}

static void lower_semi(struct flow *flow, uint32_t node, uint32_t from)
{
    uint32_t const best = evaluate(flow, from);
    if (flow->semi[best] < flow->semi[node])
        flow->semi[node] = flow->semi[best];
}

static void find_dominators(struct flow *flow)
{
    for (uint32_t node = 0; node <= flow->graph.count; node++) {
        flow->semi[node] = flow->number[node];
        flow->label[node] = node;
        flow->ancestor[node] = flow->bucket[node] = PTX_NO_INDEX;
    }
    for (uint32_t i = flow->found - 1; i > 0; i--) {
        uint32_t const node = flow->order[i], parent = flow->parent[node];
        for (uint32_t k = flow->graph.next.start[node]; k < flow->graph.next.start[node + 1]; k++)
            if (flow->phase[flow->graph.next.list[k]] <= flow->phase[node] &&
                !is_ignored(flow, node, flow->graph.next.list[k]))
                lower_semi(flow, node, flow->graph.next.list[k]);
        if (flow->graph.ends[node])
            lower_semi(flow, node, flow->graph.count);
        uint32_t const owner = flow->order[flow->semi[node]];
        flow->in_bucket[node] = flow->bucket[owner];
        flow->bucket[owner] = node;
        flow->ancestor[node] = parent;
        for (uint32_t v = flow->bucket[parent]; v != PTX_NO_INDEX; v = flow->in_bucket[v]) {
            uint32_t const best = evaluate(flow, v);
            flow->dominator[v] = flow->semi[best] < flow->semi[v] ? best : parent;
        }
        flow->bucket[parent] = PTX_NO_INDEX;
    }
    for (uint32_t i = 1; i < flow->found; i++) {
        uint32_t const node = flow->order[i];
        if (flow->dominator[node] != flow->order[flow->semi[node]])
            flow->dominator[node] = flow->dominator[flow->dominator[node]];
    }
}

bool flow_parts(const struct ptx_instruction *instruction)
{
    return instruction->opcode == PTX_OP_brx ||
           (instruction->opcode == PTX_OP_bra && instruction->predicate != PTX_NO_INDEX);
}

static bool has_branch(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (flow_parts(&function->instructions[i]))
            return true;
    return false;
}

void flow_reconvergence(struct ptx_function *function, const struct ptx_module *module)
{
    if (!has_branch(function))
        return;
    struct flow flow = {0};
    graph_make(&flow.graph, &flow.scratch, function, module);
    flow.phase = arena_array(&flow.scratch, uint8_t, flow.graph.count);
    uint32_t **const arrays[] = {&flow.order,     &flow.number,   &flow.parent, &flow.semi,
                                 &flow.label,     &flow.ancestor, &flow.bucket, &flow.in_bucket,
                                 &flow.dominator, &flow.stack,    &flow.edge};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_array(&flow.scratch, uint32_t, (size_t)flow.graph.count + 1);
    find_leaving(&flow);
    search_from_exit(&flow);
    find_dominators(&flow);
    struct ptx_instruction *instructions = (struct ptx_instruction *)function->instructions;
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (flow_parts(&instructions[i]))
            instructions[i].reconvergence = flow.graph.first[flow.dominator[flow.graph.block_of[i]]];
    arena_free(&flow.scratch);
}
