/* Finds, for each reconvergence point, the place where the lanes were together last: the nearest block that dominates
 * all branches that reconverge there and that lies in no loop without the point. Between that place and the point lies
 * a region. Its lanes may wait for each other at the point if each lane that enters the region comes to the point, or
 * ends, whatever the others do. So nothing in the region may wait for others: no barrier, no instruction of the whole
 * warp, no loop that polls memory. Atomics and volatile accesses outside such loops wait for nobody. Lanes that end
 * (exit, or return from a kernel) are not waited for. */
#include "ptx/meet.h"
#include "base/arena.h"
#include "ptx/graph.h"
#include "ptx/polls.h"
#include <stdlib.h>
#include <string.h>

struct facts { /* of a region, or of a function's body */
    enum ptx_meeting_state state;
    bool events;
};

struct finder {
    struct arena *arena, scratch, loops; /* scratch: one function; loops: one loop */
    const struct ptx_module *module;
    struct facts *facts; /* by function */
    bool *reads;         /* by function: it, or one that it calls, reads memory that other threads write */
    struct ptx_graph graph;
    uint32_t *number;    /* by block: its place in reverse postorder; PTX_NO_INDEX for a block that nothing reaches */
    uint32_t *order;     /* the blocks in reverse postorder */
    uint32_t reached;    /* the number of these blocks */
    uint32_t *dominator; /* by block: the immediate one; PTX_NO_INDEX for the entry */
    bool *inside;        /* by block: in the region */
    uint32_t *region;    /* its blocks */
    uint32_t region_count;
    bool *in_loop;
    uint32_t *stack, *edge;
};

/* ---- order and dominators ---- */

/* Numbers the blocks in reverse postorder. */
static void find_order(struct finder *finder)
{
    const struct ptx_edges *next = &finder->graph.next;
    uint32_t depth = 0, last = finder->graph.count;
    memset(finder->number, 0xff, finder->graph.count * sizeof *finder->number);
    memset(finder->inside, 0, finder->graph.count * sizeof *finder->inside); /* here: seen */
    finder->stack[depth++] = 0;
    finder->inside[0] = true;
    finder->edge[0] = next->start[0];
    while (depth > 0) {
        uint32_t const block = finder->stack[depth - 1];
        if (finder->edge[block] == next->start[block + 1]) {
            finder->order[--last] = block;
            depth--;
            continue;
        }
        uint32_t const to = next->list[finder->edge[block]++];
        if (finder->inside[to])
            continue;
        finder->inside[to] = true;
        finder->edge[to] = next->start[to];
        finder->stack[depth++] = to;
    }
    finder->reached = finder->graph.count - last;
    memmove(finder->order, finder->order + last, finder->reached * sizeof *finder->order);
    for (uint32_t i = 0; i < finder->reached; i++)
        finder->number[finder->order[i]] = i;
}

/* Returns the nearest block that dominates both. */
static uint32_t common(const struct finder *finder, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (finder->number[a] > finder->number[b])
            a = finder->dominator[a];
        while (finder->number[b] > finder->number[a])
            b = finder->dominator[b];
    }
    return a;
}

/* Finds dominators with the algorithm of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm", 2001). */
static void find_dominators(struct finder *finder)
{
    const struct ptx_edges *previous = &finder->graph.previous;
    bool more = true;
    memset(finder->dominator, 0xff, finder->graph.count * sizeof *finder->dominator);
    finder->dominator[0] = 0;
    while (more) {
        more = false;
        for (uint32_t i = 1; i < finder->reached; i++) {
            uint32_t const block = finder->order[i];
            uint32_t best = PTX_NO_INDEX;
            for (uint32_t k = previous->start[block]; k < previous->start[block + 1]; k++) {
                uint32_t const from = previous->list[k];
                if (finder->number[from] != PTX_NO_INDEX && finder->dominator[from] != PTX_NO_INDEX)
                    best = best == PTX_NO_INDEX ? from : common(finder, best, from);
            }
            more = more || finder->dominator[block] != best;
            finder->dominator[block] = best;
        }
    }
    finder->dominator[0] = PTX_NO_INDEX;
}

static bool dominates(const struct finder *finder, uint32_t above, uint32_t block)
{
    while (finder->number[block] > finder->number[above])
        block = finder->dominator[block];
    return block == above;
}

/* ---- regions ---- */

/* Finds all blocks on paths that leave `from`, up to the block `to`, which is left out. Returns true when `from` itself
 * is one of them. */
static bool find_region(struct finder *finder, uint32_t from, uint32_t to)
{
    const struct ptx_edges *next = &finder->graph.next;
    for (uint32_t i = 0; i < finder->region_count; i++)
        finder->inside[finder->region[i]] = false;
    finder->region_count = 0;
    for (uint32_t done = 0, block = from;; block = finder->region[done++]) {
        for (uint32_t k = next->start[block]; k < next->start[block + 1]; k++) {
            uint32_t const into = next->list[k];
            if (into == to || finder->inside[into])
                continue;
            finder->inside[into] = true;
            finder->region[finder->region_count++] = into;
        }
        if (done == finder->region_count)
            return finder->inside[from];
    }
}

/* Returns true when lanes can come from `to` to itself without passing `from`. */
static bool comes_again(struct finder *finder, uint32_t from, uint32_t to)
{
    return from == to || !dominates(finder, from, to) || find_region(finder, to, from);
}

static bool is_known(const char *name)
{
    static const char *const names[] = {"vprintf", "malloc", "free", "lanescope_launch",
                                        "lanescope_launch_error"}; /* they wait for no lane of the warp */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool waits(const struct ptx_instruction *instruction)
{
    switch (ptx_opcode_class(instruction->opcode)) {
    case PTX_CLASS_WARP:
        return instruction->opcode != PTX_OP_activemask;
    case PTX_CLASS_WAIT: /* a test of a barrier object waits only in a loop */
        return instruction->opcode != PTX_OP_membar && instruction->opcode != PTX_OP_fence &&
               instruction->opcode != PTX_OP_mbarrier && instruction->opcode != PTX_OP_nanosleep;
    default:
        return ptx_has(instruction->modifiers, PTX_MOD_sync);
    }
}

/* Adds what one instruction does. The first reason found stays. */
static void add_instruction(const struct finder *finder, const struct ptx_instruction *instruction, struct facts *facts)
{
    enum ptx_meeting_state state = PTX_MEETING;
    facts->events = facts->events || instruction->site != PTX_NO_INDEX;
    if (ptx_opcode_kind(instruction->opcode) == PTX_KIND_CALL) {
        const struct ptx_operand *callee = &instruction->operands[0];
        if (callee->kind != PTX_OPERAND_FUNCTION) {
            state = PTX_MEETING_UNKNOWN;
        } else if (!finder->module->functions[callee->index].noreturn) {
            const struct facts *body = &finder->facts[callee->index];
            facts->events = facts->events || body->events;
            state = body->state;
        }
    } else if (waits(instruction)) {
        state = PTX_MEETING_WAITS;
    }
    if (facts->state == PTX_MEETING)
        facts->state = state;
}

/* Returns whether the loop that an edge of the region closes, from `last` back to `first`, polls. */
static bool loop_polls(struct finder *finder, uint32_t last, uint32_t first)
{
    const struct ptx_graph *graph = &finder->graph;
    uint32_t count = 0, instructions = 0, *blocks = finder->stack;
    memset(finder->in_loop, 0, graph->count * sizeof *finder->in_loop);
    finder->in_loop[first] = finder->in_loop[last] = true;
    blocks[count++] = first;
    if (last != first)
        blocks[count++] = last;
    for (uint32_t done = 1; done < count; done++)
        for (uint32_t k = graph->previous.start[blocks[done]]; k < graph->previous.start[blocks[done] + 1]; k++) {
            uint32_t const from = graph->previous.list[k];
            if (!finder->inside[from] || finder->in_loop[from])
                continue;
            finder->in_loop[from] = true;
            blocks[count++] = from;
        }
    for (uint32_t i = 0; i < count; i++)
        instructions += graph->first[blocks[i] + 1] - graph->first[blocks[i]];
    uint32_t *list = arena_array(&finder->loops, uint32_t, instructions);
    bool *leaves = arena_array(&finder->loops, bool, instructions);
    struct ptx_loop loop = {
        .function = graph->function, .instructions = list, .leaves = leaves, .reads = finder->reads};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = graph->first[blocks[i]]; k < graph->first[blocks[i] + 1]; k++)
            list[loop.count++] = k;
        for (uint32_t k = graph->next.start[blocks[i]]; k < graph->next.start[blocks[i] + 1]; k++)
            leaves[loop.count - 1] = leaves[loop.count - 1] || !finder->in_loop[graph->next.list[k]];
    }
    bool const polls = ptx_loop_polls(&finder->loops, &loop);
    arena_reset(&finder->loops);
    return polls;
}

/* Returns what the loops of the region are: PTX_MEETING when they end by themselves. */
static enum ptx_meeting_state inspect_loops(struct finder *finder)
{
    const struct ptx_edges *next = &finder->graph.next;
    for (uint32_t i = 0; i < finder->region_count; i++) {
        uint32_t const block = finder->region[i];
        for (uint32_t k = next->start[block]; k < next->start[block + 1]; k++) {
            uint32_t const to = next->list[k];
            if (!finder->inside[to] || finder->number[to] > finder->number[block])
                continue;
            if (!dominates(finder, to, block))
                return PTX_MEETING_IRREDUCIBLE;
            if (loop_polls(finder, block, to))
                return PTX_MEETING_POLLS;
        }
    }
    return PTX_MEETING;
}

/* Returns true when lanes leave a function, but not the kernel, at the end of the block. */
static bool returns(const struct ptx_graph *graph, uint32_t block)
{
    const struct ptx_instruction *last = &graph->function->instructions[graph->first[block + 1] - 1];
    bool const exits = last->opcode == PTX_OP_exit && last->predicate == PTX_NO_INDEX;
    return !graph->function->is_kernel && !exits && (last->opcode == PTX_OP_ret || graph->ends[block]);
}

/* Returns what the lanes do in the region. */
static struct facts inspect(struct finder *finder)
{
    const struct ptx_function *function = finder->graph.function;
    struct facts facts = {.state = PTX_MEETING};
    for (uint32_t i = 0; i < finder->region_count; i++) {
        uint32_t const block = finder->region[i];
        for (uint32_t k = finder->graph.first[block]; k < finder->graph.first[block + 1]; k++)
            add_instruction(finder, &function->instructions[k], &facts);
    }
    if (facts.state == PTX_MEETING)
        facts.state = inspect_loops(finder);
    return facts;
}

static bool returns_early(const struct finder *finder)
{
    for (uint32_t i = 0; i < finder->region_count; i++)
        if (returns(&finder->graph, finder->region[i]))
            return true;
    return false;
}

/* Returns true when the lanes that meet at the instruction only end. */
static bool is_last(const struct ptx_function *function, uint32_t at)
{
    const struct ptx_instruction *instruction = &function->instructions[at];
    return function->is_kernel && instruction->predicate == PTX_NO_INDEX &&
           (instruction->opcode == PTX_OP_ret || instruction->opcode == PTX_OP_exit);
}

/* Finds the meeting at an instruction. from: a block that dominates all branches that reconverge there. */
static struct ptx_meeting find_meeting(struct finder *finder, uint32_t from, uint32_t at)
{
    const struct ptx_graph *graph = &finder->graph;
    struct ptx_meeting meeting = {.state = PTX_MEETING_IRREDUCIBLE, .at = at};
    uint32_t const to = graph->block_of[at];
    while (from != PTX_NO_INDEX && find_region(finder, from, to))
        from = finder->dominator[from];
    if (from == PTX_NO_INDEX)
        return meeting;
    struct facts const facts = inspect(finder);
    meeting.state = returns_early(finder) ? PTX_MEETING_RETURNS : facts.state;
    if (meeting.state == PTX_MEETING && (!facts.events || is_last(graph->function, at)))
        meeting.state = PTX_MEETING_QUIET;
    meeting.from = graph->first[from + 1] - 1;
    meeting.after = ptx_opcode_kind(graph->function->instructions[meeting.from].opcode) != PTX_KIND_BRANCH;
    meeting.once = comes_again(finder, from, to);
    return meeting;
}

/* ---- functions ---- */

static void open_function(struct finder *finder, const struct ptx_function *function)
{
    arena_reset(&finder->scratch);
    graph_make(&finder->graph, &finder->scratch, function, finder->module);
    size_t const n = finder->graph.count;
    uint32_t **const arrays[] = {&finder->number, &finder->order, &finder->dominator,
                                 &finder->region, &finder->stack, &finder->edge};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_array(&finder->scratch, uint32_t, n);
    finder->inside = arena_array(&finder->scratch, bool, n);
    finder->in_loop = arena_array(&finder->scratch, bool, n);
    find_order(finder);
    find_dominators(finder);
    finder->region_count = 0;
    memset(finder->inside, 0, n * sizeof *finder->inside);
}

/* Marks all functions that f may call, directly or through others; itself only if it recurses. */
static void mark_callees(const struct finder *finder, uint32_t f, bool *marked, uint32_t *stack)
{
    uint32_t depth = 0;
    memset(marked, 0, finder->module->function_count * sizeof *marked);
    stack[depth++] = f;
    while (depth > 0) {
        const struct ptx_function *function = &finder->module->functions[stack[--depth]];
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            if (ptx_opcode_kind(instruction->opcode) != PTX_KIND_CALL ||
                instruction->operands[0].kind != PTX_OPERAND_FUNCTION || marked[instruction->operands[0].index])
                continue;
            marked[instruction->operands[0].index] = true;
            stack[depth++] = instruction->operands[0].index;
        }
    }
}

/* Returns in how many places a function calls itself, directly or through others. */
static unsigned recursions(const struct finder *finder, uint32_t f, bool *marked, uint32_t *stack)
{
    const struct ptx_function *function = &finder->module->functions[f];
    unsigned found = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (ptx_opcode_kind(instruction->opcode) != PTX_KIND_CALL ||
            instruction->operands[0].kind != PTX_OPERAND_FUNCTION)
            continue;
        uint32_t const callee = instruction->operands[0].index;
        mark_callees(finder, callee, marked, stack);
        found += callee == f || marked[f];
    }
    return found;
}

/* Returns what the body of a function does by itself. Its calls count as harmless here. */
static struct facts body_facts(struct finder *finder, uint32_t f, bool *marked, uint32_t *stack)
{
    const struct ptx_function *function = &finder->module->functions[f];
    if (!function->has_body)
        return (struct facts){.state = is_known(function->name) ? PTX_MEETING : PTX_MEETING_UNKNOWN};
    if (!function->instruction_count)
        return (struct facts){.state = PTX_MEETING};
    open_function(finder, function);
    for (uint32_t i = 0; i < finder->reached; i++) {
        finder->region[finder->region_count++] = finder->order[i];
        finder->inside[finder->order[i]] = true;
    }
    struct facts facts = inspect(finder);
    if (facts.state == PTX_MEETING && recursions(finder, f, marked, stack) > 1)
        facts.state = PTX_MEETING_RECURSES;
    return facts;
}

/* Returns true when the body reads memory that other threads write, its calls left out. */
static bool body_reads(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (ptx_reads_shared_state(&function->instructions[i]) ||
            (ptx_opcode_kind(function->instructions[i].opcode) == PTX_KIND_CALL &&
             function->instructions[i].operands[0].kind != PTX_OPERAND_FUNCTION))
            return true;
    return !function->has_body && !is_known(function->name);
}

/* Fills the facts of all functions: first each body by itself, then with all that it may call. */
static void find_facts(struct finder *finder)
{
    uint32_t const count = finder->module->function_count;
    bool *marked = arena_array(finder->arena, bool, count);
    uint32_t *stack = arena_array(finder->arena, uint32_t, (size_t)count + 1);
    struct facts *own = arena_array(finder->arena, struct facts, count);
    struct facts *all = arena_array(finder->arena, struct facts, count);
    finder->facts = arena_array(finder->arena, struct facts, count);
    finder->reads = arena_array(finder->arena, bool, count);
    for (uint32_t f = 0; f < count; f++) {
        finder->reads[f] = body_reads(&finder->module->functions[f]);
        mark_callees(finder, f, marked, stack);
        for (uint32_t g = 0; g < count; g++)
            finder->reads[f] = finder->reads[f] || (marked[g] && body_reads(&finder->module->functions[g]));
    }
    for (uint32_t f = 0; f < count; f++)
        own[f] = body_facts(finder, f, marked, stack);
    for (uint32_t f = 0; f < count; f++) {
        all[f] = own[f];
        mark_callees(finder, f, marked, stack);
        for (uint32_t g = 0; g < count; g++) {
            if (!marked[g])
                continue;
            all[f].events = all[f].events || own[g].events;
            all[f].state = all[f].state == PTX_MEETING ? own[g].state : all[f].state;
        }
    }
    memcpy(finder->facts, all, count * sizeof *all);
}

static int compare_branches(const void *left, const void *right)
{
    const struct ptx_instruction *const *a = left, *const *b = right;
    if ((*a)->reconvergence != (*b)->reconvergence)
        return (*a)->reconvergence < (*b)->reconvergence ? -1 : 1;
    return (*a > *b) - (*a < *b);
}

static void find_in_function(struct finder *finder, const struct ptx_function *function, struct ptx_meetings *meetings)
{
    uint32_t const n = function->instruction_count;
    const struct ptx_instruction **branches = arena_array(finder->arena, const struct ptx_instruction *, n + (size_t)1);
    uint32_t count = 0;
    open_function(finder, function);
    for (uint32_t i = 0; i < n; i++)
        if (function->instructions[i].reconvergence < n && finder->number[finder->graph.block_of[i]] != PTX_NO_INDEX)
            branches[count++] = &function->instructions[i];
    qsort(branches, count, sizeof *branches, compare_branches);
    meetings->items = arena_array(finder->arena, struct ptx_meeting, count);
    for (uint32_t i = 0, next; i < count; i = next) {
        uint32_t from = finder->graph.block_of[branches[i] - function->instructions];
        for (next = i + 1; next < count && branches[next]->reconvergence == branches[i]->reconvergence; next++)
            from = common(finder, from, finder->graph.block_of[branches[next] - function->instructions]);
        if (finder->number[finder->graph.block_of[branches[i]->reconvergence]] != PTX_NO_INDEX)
            meetings->items[meetings->count++] = find_meeting(finder, from, branches[i]->reconvergence);
    }
}

const struct ptx_meetings *ptx_find_meetings(struct arena *arena, const struct ptx_module *module)
{
    struct finder finder = {.arena = arena, .module = module};
    struct ptx_meetings *meetings = arena_array(arena, struct ptx_meetings, module->function_count);
    find_facts(&finder);
    for (uint32_t f = 0; f < module->function_count; f++)
        if (module->functions[f].instruction_count)
            find_in_function(&finder, &module->functions[f], &meetings[f]);
    arena_free(&finder.scratch);
    arena_free(&finder.loops);
    return meetings;
}
