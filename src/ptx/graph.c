/* Basic blocks of a function and the edges between them. A block ends at a branch or where lanes end. A predicated end
 * has an edge to the next block, but none to the exit, because only some lanes end there. */
#include "ptx/graph.h"
#include "base/arena.h"
#include <string.h>

static bool kills(const struct ptx_module *module, const struct ptx_instruction *instruction)
{
    if (instruction->opcode == PTX_OP_call)
        return instruction->operands[0].kind == PTX_OPERAND_FUNCTION &&
               module->functions[instruction->operands[0].index].noreturn;
    return instruction->opcode == PTX_OP_trap;
}

static bool leaves(const struct ptx_module *module, const struct ptx_instruction *instruction)
{
    return kills(module, instruction) || ptx_opcode_kind(instruction->opcode) == PTX_KIND_END;
}

static bool branches(const struct ptx_instruction *instruction)
{
    return ptx_opcode_kind(instruction->opcode) == PTX_KIND_BRANCH;
}

static void find_blocks(struct arena *arena, struct ptx_graph *graph)
{
    const struct ptx_function *function = graph->function;
    uint32_t const n = function->instruction_count;
    bool *leads = arena_array(arena, bool, (size_t)n + 1);
    leads[0] = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (branches(instruction)) {
            uint32_t count;
            const uint32_t *targets = ptx_targets(instruction, &count);
            for (uint32_t k = 0; k < count; k++)
                leads[targets[k]] = true;
        }
        if (branches(instruction) || leaves(graph->module, instruction))
            leads[i + 1] = true;
    }
    graph->first = arena_array(arena, uint32_t, (size_t)n + 1);
    graph->block_of = arena_array(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        if (leads[i])
            graph->first[graph->count++] = i;
        graph->block_of[i] = graph->count - 1;
    }
    graph->first[graph->count] = n;
}

/* Calls `add` for each successor of a block; `count` stands for the exit. */
static void each_successor(struct ptx_graph *graph, uint32_t block, void (*add)(struct ptx_graph *, uint32_t, uint32_t))
{
    uint32_t const n = graph->function->instruction_count;
    const struct ptx_instruction *last = &graph->function->instructions[graph->first[block + 1] - 1];
    if (branches(last)) {
        uint32_t count;
        const uint32_t *targets = ptx_targets(last, &count);
        for (uint32_t k = 0; k < count; k++)
            add(graph, block, targets[k] == n ? graph->count : graph->block_of[targets[k]]);
    } else if (leaves(graph->module, last) && last->predicate == PTX_NO_INDEX) {
        if (kills(graph->module, last))
            graph->kills[block] = true;
        else
            add(graph, block, graph->count);
    }
    if (last->predicate != PTX_NO_INDEX || (!branches(last) && !leaves(graph->module, last)))
        add(graph, block, block + 1);
}

static void count_edge(struct ptx_graph *graph, uint32_t from, uint32_t to)
{
    if (to == graph->count) {
        graph->ends[from] = true;
        return;
    }
    graph->next.start[from + 1]++;
    graph->previous.start[to + 1]++;
}

static void fill_edge(struct ptx_graph *graph, uint32_t from, uint32_t to)
{
    if (to == graph->count)
        return;
    graph->next.list[graph->next.start[from]++] = to;
    graph->previous.list[graph->previous.start[to]++] = from;
}

/* Turns the numbers of edges, which stand one place further on, into the places of each block's edges. */
static void place_edges(struct arena *arena, struct ptx_edges *edges, uint32_t count)
{
    for (uint32_t b = 0; b < count; b++)
        edges->start[b + 1] += edges->start[b];
    edges->list = arena_array(arena, uint32_t, edges->start[count]);
}

/* Moves the starts back, because each has become the start of the next block while the list was filled. */
static void restore_starts(struct ptx_edges *edges, uint32_t count)
{
    memmove(edges->start + 1, edges->start, count * sizeof *edges->start);
    edges->start[0] = 0;
}

void graph_make(struct ptx_graph *graph, struct arena *arena, const struct ptx_function *function,
                const struct ptx_module *module)
{
    *graph = (struct ptx_graph){.function = function, .module = module};
    find_blocks(arena, graph);
    uint32_t const n = graph->count;
    graph->ends = arena_array(arena, bool, n);
    graph->kills = arena_array(arena, bool, n);
    graph->next.start = arena_array(arena, uint32_t, (size_t)n + 1);
    graph->previous.start = arena_array(arena, uint32_t, (size_t)n + 1);
    for (uint32_t b = 0; b < n; b++)
        each_successor(graph, b, count_edge);
    place_edges(arena, &graph->next, n);
    place_edges(arena, &graph->previous, n);
    for (uint32_t b = 0; b < n; b++)
        each_successor(graph, b, fill_edge);
    restore_starts(&graph->next, n);
    restore_starts(&graph->previous, n);
}
