/* Finds the reconvergence point of each branch: the immediate post-dominator of its block. Post-dominators are the
 * dominators of the reversed graph, which starts at one exit that all ends lead to. They are found with the algorithm
 * of Lengauer and Tarjan ("A fast algorithm for finding dominators in a flowgraph", 1979).
 *
 * Lanes that end take no part in reconvergence. Three kinds of paths to the exit are therefore tried in turn, and a
 * block with a path of an earlier kind ignores the later kinds: a return or an exit; a trap or a call that does not
 * return; and an endless loop, which gets a path to the exit from the block that closes it, so that branches inside it
 * still reconverge inside. A predicated end is no path, because only some lanes end there. In a kernel, a branch to a
 * bare return is no path either when another path continues, because machine code has `@p EXIT` there. */
#include "ptx/parser.h"
#include <string.h>

struct edges { /* edges of block b: list[start[b]] .. list[start[b + 1]] */
    uint32_t *start, *list;
};

struct graph {
    struct arena scratch;
    const struct ptx_function *function;
    const struct ptx_program *program;
    uint32_t count;     /* blocks; the exit is node `count` */
    uint32_t *first;    /* first instruction of each block; after the last block, the instruction count */
    uint32_t *block_of; /* block of each instruction */
    struct edges next, previous;
    bool *ends;     /* the block has an edge to the exit */
    bool *kills;    /* the block ends in a trap */
    bool *leaving;  /* a kernel's block that contains only a return */
    bool *goes_on;  /* the block has an edge to a block that is not leaving */
    bool *counted;  /* the block's edge to a leaving block counts anyway */
    uint8_t *phase; /* kind of the block's path to the exit */
    uint8_t now;
    /* state of the search from the exit, by node or by order of discovery */
    uint32_t found;
    uint32_t *order, *number, *parent, *semi, *label, *ancestor, *dominator, *bucket, *in_bucket, *stack, *edge;
};

static bool kills(const struct ptx_program *program, const struct ptx_instruction *instruction)
{
    if (instruction->opcode == PTX_OP_call)
        return instruction->operands[0].kind == PTX_OPERAND_FUNCTION &&
               program->functions[instruction->operands[0].index].noreturn;
    return instruction->opcode == PTX_OP_trap;
}

static bool leaves(const struct ptx_program *program, const struct ptx_instruction *instruction)
{
    return kills(program, instruction) || ptx_opcode_kind(instruction->opcode) == PTX_KIND_END;
}

static bool branches(const struct ptx_instruction *instruction)
{
    return ptx_opcode_kind(instruction->opcode) == PTX_KIND_BRANCH;
}

static void find_blocks(struct graph *graph)
{
    const struct ptx_function *function = graph->function;
    uint32_t const n = function->instruction_count;
    bool *leads = arena_array(&graph->scratch, bool, (size_t)n + 1);
    leads[0] = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (branches(instruction)) {
            uint32_t count;
            const uint32_t *targets = ptx_targets(instruction, &count);
            for (uint32_t k = 0; k < count; k++)
                leads[targets[k]] = true;
        }
        if (branches(instruction) || leaves(graph->program, instruction))
            leads[i + 1] = true;
    }
    graph->first = arena_array(&graph->scratch, uint32_t, (size_t)n + 1);
    graph->block_of = arena_array(&graph->scratch, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        if (leads[i])
            graph->first[graph->count++] = i;
        graph->block_of[i] = graph->count - 1;
    }
    graph->first[graph->count] = n;
}

/* Calls `add` for each successor of a block; `count` stands for the exit. */
static void each_successor(struct graph *graph, uint32_t block, void (*add)(struct graph *, uint32_t, uint32_t))
{
    uint32_t const n = graph->function->instruction_count;
    const struct ptx_instruction *last = &graph->function->instructions[graph->first[block + 1] - 1];
    if (branches(last)) {
        uint32_t count;
        const uint32_t *targets = ptx_targets(last, &count);
        for (uint32_t k = 0; k < count; k++)
            add(graph, block, targets[k] == n ? graph->count : graph->block_of[targets[k]]);
    } else if (leaves(graph->program, last) && last->predicate == PTX_NO_INDEX) {
        if (kills(graph->program, last))
            graph->kills[block] = true;
        else
            add(graph, block, graph->count);
    }
    if (last->predicate != PTX_NO_INDEX || (!branches(last) && !leaves(graph->program, last)))
        add(graph, block, block + 1);
}

static void count_edge(struct graph *graph, uint32_t from, uint32_t to)
{
    if (to == graph->count) {
        graph->ends[from] = true;
        return;
    }
    graph->next.start[from + 1]++;
    graph->previous.start[to + 1]++;
}

static void fill_edge(struct graph *graph, uint32_t from, uint32_t to)
{
    if (to == graph->count)
        return;
    graph->next.list[graph->edge[from]++] = to;
    graph->previous.list[graph->stack[to]++] = from;
}

static void find_edges(struct graph *graph)
{
    uint32_t const n = graph->count;
    graph->ends = arena_array(&graph->scratch, bool, n);
    graph->kills = arena_array(&graph->scratch, bool, n);
    graph->phase = arena_array(&graph->scratch, uint8_t, n);
    graph->next.start = arena_array(&graph->scratch, uint32_t, (size_t)n + 1);
    graph->previous.start = arena_array(&graph->scratch, uint32_t, (size_t)n + 1);
    for (uint32_t b = 0; b < n; b++)
        each_successor(graph, b, count_edge);
    for (uint32_t b = 0; b < n; b++) {
        graph->next.start[b + 1] += graph->next.start[b];
        graph->previous.start[b + 1] += graph->previous.start[b];
    }
    graph->next.list = arena_array(&graph->scratch, uint32_t, graph->next.start[n]);
    graph->previous.list = arena_array(&graph->scratch, uint32_t, graph->next.start[n]);
    memcpy(graph->edge, graph->next.start, n * sizeof *graph->edge);
    memcpy(graph->stack, graph->previous.start, n * sizeof *graph->stack);
    for (uint32_t b = 0; b < n; b++)
        each_successor(graph, b, fill_edge);
}

static void find_leaving(struct graph *graph)
{
    graph->leaving = arena_array(&graph->scratch, bool, graph->count);
    graph->goes_on = arena_array(&graph->scratch, bool, graph->count);
    graph->counted = arena_array(&graph->scratch, bool, graph->count);
    for (uint32_t b = 0; b < graph->count && graph->function->is_kernel; b++) {
        const struct ptx_instruction *only = &graph->function->instructions[graph->first[b]];
        graph->leaving[b] = graph->first[b + 1] - graph->first[b] == 1 && only->predicate == PTX_NO_INDEX &&
                            (only->opcode == PTX_OP_ret || only->opcode == PTX_OP_exit);
    }
    for (uint32_t b = 0; b < graph->count; b++)
        for (uint32_t k = graph->next.start[b]; k < graph->next.start[b + 1]; k++)
            graph->goes_on[b] |= !graph->leaving[graph->next.list[k]];
}

/* Returns whether an edge is ignored because its lanes only return. */
static bool is_ignored(const struct graph *graph, uint32_t from, uint32_t to)
{
    return graph->leaving[to] && graph->goes_on[from] && !graph->counted[from];
}

/* Numbers, depth first, all blocks that lead to `root` and have no number yet. */
static void search_back(struct graph *graph, uint32_t root)
{
    uint32_t depth = 0;
    if (graph->number[root] != PTX_NO_INDEX)
        return;
    graph->ends[root] = true;
    graph->parent[root] = graph->count;
    graph->stack[depth++] = root;
    graph->edge[root] = graph->previous.start[root];
    graph->number[root] = graph->found;
    graph->phase[root] = graph->now;
    graph->order[graph->found++] = root;
    while (depth > 0) {
        uint32_t const block = graph->stack[depth - 1];
        if (graph->edge[block] == graph->previous.start[block + 1]) {
            depth--;
            continue;
        }
        uint32_t const from = graph->previous.list[graph->edge[block]++];
        if (graph->number[from] != PTX_NO_INDEX || is_ignored(graph, from, block))
            continue;
        graph->parent[from] = block;
        graph->number[from] = graph->found;
        graph->phase[from] = graph->now;
        graph->order[graph->found++] = from;
        graph->edge[from] = graph->previous.start[from];
        graph->stack[depth++] = from;
    }
}

/* Returns, for each block, whether it closes a loop: it has an edge back to a block on the path from the entry to
 * it. */
static bool *find_latches(struct graph *graph)
{
    enum { NEW, OPEN, DONE };
    bool *latches = arena_array(&graph->scratch, bool, graph->count);
    uint8_t *state = arena_array(&graph->scratch, uint8_t, graph->count);
    uint32_t depth = 0;
    graph->stack[depth++] = 0;
    state[0] = OPEN;
    graph->edge[0] = graph->next.start[0];
    while (depth > 0) {
        uint32_t const block = graph->stack[depth - 1];
        if (graph->edge[block] == graph->next.start[block + 1]) {
            state[block] = DONE;
            depth--;
            continue;
        }
        uint32_t const to = graph->next.list[graph->edge[block]++];
        if (state[to] == OPEN)
            latches[block] = true;
        if (state[to] != NEW)
            continue;
        state[to] = OPEN;
        graph->edge[to] = graph->next.start[to];
        graph->stack[depth++] = to;
    }
    return latches;
}

static void search_from_ends(struct graph *graph)
{
    memset(graph->number, 0xff, ((size_t)graph->count + 1) * sizeof *graph->number);
    graph->number[graph->count] = 0;
    graph->order[0] = graph->count;
    graph->found = 1;
    for (uint32_t b = 0; b < graph->count; b++)
        if (graph->ends[b])
            search_back(graph, b);
}

/* Counts bare returns as ends of a loop that has no other end. With latches NULL, also in blocks that do not close a
 * loop. */
static void count_returns(struct graph *graph, const bool *latches)
{
    bool any = false;
    for (uint32_t b = 0; b < graph->count; b++) {
        if (graph->number[b] != PTX_NO_INDEX || (latches && !latches[b]))
            continue;
        for (uint32_t k = graph->next.start[b]; k < graph->next.start[b + 1]; k++)
            if (graph->leaving[graph->next.list[k]])
                graph->counted[b] = any = true;
    }
    if (any)
        search_from_ends(graph);
}

static void search_from_exit(struct graph *graph)
{
    search_from_ends(graph);
    if (graph->found == graph->count + 1)
        return;
    const bool *latches = find_latches(graph);
    count_returns(graph, latches);
    count_returns(graph, NULL);
    graph->now++;
    for (uint32_t b = 0; b < graph->count; b++)
        if (graph->kills[b])
            search_back(graph, b);
    graph->now++;
    for (uint32_t b = graph->count; b-- > 0;)
        if (latches[b])
            search_back(graph, b);
    for (uint32_t b = graph->count; b-- > 0;)
        search_back(graph, b);
}

/* Returns the node with the smallest semidominator on the path up the forest, and compresses that path. */
static uint32_t evaluate(struct graph *graph, uint32_t node)
{
    if (graph->ancestor[node] == PTX_NO_INDEX)
        return node;
    uint32_t depth = 0;
    for (uint32_t v = node; graph->ancestor[graph->ancestor[v]] != PTX_NO_INDEX; v = graph->ancestor[v])
        graph->stack[depth++] = v;
    while (depth > 0) {
        uint32_t const v = graph->stack[--depth], up = graph->ancestor[v];
        if (graph->semi[graph->label[up]] < graph->semi[graph->label[v]])
            graph->label[v] = graph->label[up];
        graph->ancestor[v] = graph->ancestor[up];
    }
    return graph->label[node];
}

static void lower_semi(struct graph *graph, uint32_t node, uint32_t from)
{
    uint32_t const best = evaluate(graph, from);
    if (graph->semi[best] < graph->semi[node])
        graph->semi[node] = graph->semi[best];
}

static void find_dominators(struct graph *graph)
{
    for (uint32_t node = 0; node <= graph->count; node++) {
        graph->semi[node] = graph->number[node];
        graph->label[node] = node;
        graph->ancestor[node] = graph->bucket[node] = PTX_NO_INDEX;
    }
    for (uint32_t i = graph->found - 1; i > 0; i--) {
        uint32_t const node = graph->order[i], parent = graph->parent[node];
        for (uint32_t k = graph->next.start[node]; k < graph->next.start[node + 1]; k++)
            if (graph->phase[graph->next.list[k]] <= graph->phase[node] &&
                !is_ignored(graph, node, graph->next.list[k]))
                lower_semi(graph, node, graph->next.list[k]);
        if (graph->ends[node])
            lower_semi(graph, node, graph->count);
        uint32_t const owner = graph->order[graph->semi[node]];
        graph->in_bucket[node] = graph->bucket[owner];
        graph->bucket[owner] = node;
        graph->ancestor[node] = parent;
        for (uint32_t v = graph->bucket[parent]; v != PTX_NO_INDEX; v = graph->in_bucket[v]) {
            uint32_t const best = evaluate(graph, v);
            graph->dominator[v] = graph->semi[best] < graph->semi[v] ? best : parent;
        }
        graph->bucket[parent] = PTX_NO_INDEX;
    }
    for (uint32_t i = 1; i < graph->found; i++) {
        uint32_t const node = graph->order[i];
        if (graph->dominator[node] != graph->order[graph->semi[node]])
            graph->dominator[node] = graph->dominator[graph->dominator[node]];
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

void flow_reconvergence(struct ptx_function *function, const struct ptx_program *program)
{
    if (!has_branch(function))
        return;
    struct graph graph = {.function = function, .program = program};
    find_blocks(&graph);
    uint32_t **const arrays[] = {&graph.order,     &graph.number,   &graph.parent, &graph.semi,
                                 &graph.label,     &graph.ancestor, &graph.bucket, &graph.in_bucket,
                                 &graph.dominator, &graph.stack,    &graph.edge};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_array(&graph.scratch, uint32_t, (size_t)graph.count + 1);
    find_edges(&graph);
    find_leaving(&graph);
    search_from_exit(&graph);
    find_dominators(&graph);
    struct ptx_instruction *instructions = (struct ptx_instruction *)function->instructions;
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (flow_parts(&instructions[i]))
            instructions[i].reconvergence = graph.first[graph.dominator[graph.block_of[i]]];
    arena_free(&graph.scratch);
}
