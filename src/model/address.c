#include "model/address.h"
#include "ptx/variables.h"
#include <string.h>

const struct ptx_variable *address_variable(const struct address *address, const struct ptx_term *leaf)
{
    if (leaf->scope == PTX_SCOPE_MODULE)
        return &address->module->variables[leaf->index];
    return leaf->scope == PTX_SCOPE_FUNCTION ? &address->kernel->variables[leaf->index] : NULL;
}

uint32_t address_round(const struct address *address, const struct ptx_term *leaf)
{
    for (uint32_t i = 0; i < address->round_count; i++)
        if (ptx_same_round(address->rounds[i], leaf))
            return i;
    return ADDRESS_ROUNDS;
}

static bool parameter_value(const struct address *address, uint32_t index, int64_t *value)
{
    const struct launch *launch = address->launch;
    const struct trace *trace = address->timeline->trace;
    if (launch->argument_count != address->kernel->parameter_count)
        return false;
    const struct launch_argument *argument = &launch->arguments[index];
    if (argument->is_buffer) {
        *value = argument->buffer < trace->buffer_count ? (int64_t)trace->buffers[argument->buffer].address : 0;
        return *value != 0;
    }
    *value = launch_argument_size(argument) == 4 ? (int64_t)(int32_t)(uint32_t)argument->bits : (int64_t)argument->bits;
    return !argument->bytes;
}

static bool special_value(const struct address *address, const struct ptx_term *leaf, int64_t *value)
{
    const struct trace *trace = address->timeline->trace;
    uint32_t const axis = leaf->component;
    const uint32_t *from = leaf->index == PTX_SR_tid      ? address->thread
                           : leaf->index == PTX_SR_ntid   ? trace->block
                           : leaf->index == PTX_SR_ctaid  ? address->block
                           : leaf->index == PTX_SR_nctaid ? trace->grid
                                                          : NULL;
    if (leaf->index == PTX_SR_laneid)
        *value = address->lane;
    else if (from && axis < 3)
        *value = from[axis];
    else
        return false;
    return true;
}

static bool variable_value(const struct address *address, const struct ptx_term *leaf, int64_t *value)
{
    const struct ptx_variable *variable = address_variable(address, leaf);
    const struct trace *trace = address->timeline->trace;
    if (variable && variable->space == PTX_SPACE_SHARED) {
        bool const dynamic = variable->external && !variable->size;
        uint64_t const begin = dynamic ? (address->kernel->shared_bytes + 15) / 16 * 16 : variable->offset;
        *value = (int64_t)(trace->shared_base + begin);
        return dynamic || !variable->external;
    }
    if (!variable || variable->external)
        return false;
    const char *name = ptx_variable_name(address->arena, variable->name);
    for (uint32_t i = 0; name && i < trace->buffer_count; i++)
        if (strcmp(trace->buffers[i].name, name) == 0 && trace->buffers[i].address) {
            *value = (int64_t)trace->buffers[i].address;
            return true;
        }
    return false;
}

bool address_leaf(const struct address *address, const struct ptx_term *leaf, int64_t *value)
{
    if (address->solved && (leaf == address->solved || ptx_same_round(leaf, address->solved))) {
        *value = address->solution;
        return true;
    }
    uint32_t const round = leaf->kind == PTX_TERM_ROUND ? address_round(address, leaf) : ADDRESS_ROUNDS;
    if (round < ADDRESS_ROUNDS && address->counted) {
        *value = address->counts[round];
        return true;
    }
    switch (leaf->kind) {
    case PTX_TERM_PARAMETER:
        return parameter_value(address, leaf->index, value);
    case PTX_TERM_SPECIAL:
        return special_value(address, leaf, value);
    case PTX_TERM_VARIABLE:
        return variable_value(address, leaf, value);
    default:
        return false;
    }
}

/* Finds the value of the only unknown leaf from the address, where the address is linear in it. */
static void solve_leaf(struct address *address, const struct ptx_leaves *leaves, int64_t place)
{
    const struct ptx_term *unknown = ptx_term_unknown(address->term, leaves);
    int64_t at[3], found;
    if (!unknown)
        return;
    address->solved = unknown;
    bool good = true;
    for (int i = 0; i < 3 && good; i++) {
        address->solution = i;
        good = ptx_term_value(address->term, leaves, &at[i]);
    }
    uint64_t const step = good ? (uint64_t)at[1] - (uint64_t)at[0] : 0;
    int64_t const distance = good ? (int64_t)((uint64_t)place - (uint64_t)at[0]) : 0;
    good = good && step && (int64_t)step != -1 && (uint64_t)at[2] - (uint64_t)at[1] == step &&
           distance % (int64_t)step == 0;
    address->solution = good ? distance / (int64_t)step : 0;
    good = good && (unknown->kind != PTX_TERM_ROUND || address->solution >= 0);
    if (!good || !ptx_term_value(address->term, leaves, &found) || found != place)
        address->solved = NULL;
}

static void find_rounds(struct address *address, const struct ptx_term *term)
{
    if (term->kind == PTX_TERM_ROUND && address_round(address, term) == ADDRESS_ROUNDS &&
        address->round_count < ADDRESS_ROUNDS)
        address->rounds[address->round_count++] = term;
    if (term->a)
        find_rounds(address, term->a);
    if (term->b)
        find_rounds(address, term->b);
}

/* Counts from the branches back in the trace how often the lane went round a loop before this access. */
static int64_t count_rounds(const struct address *address, const struct ptx_term *round, uint32_t access)
{
    const struct timeline *timeline = address->timeline;
    const struct trace_event *events = timeline->trace->events.items;
    uint32_t const warp = events[timeline->events[address->position]].warp;
    uint32_t const site = address->kernel->instructions[round->loop].site;
    bool const left = access > round->loop;
    int64_t count = left ? 0 : round->number;
    bool out = false;
    for (size_t i = address->position; i > 0; i--) {
        const struct trace_event *event = &events[timeline->events[i - 1]];
        if (event->kind != TRACE_BRANCH_TAKEN || event->site != site || event->warp != warp ||
            !(event->mask >> address->lane & 1))
            continue;
        bool const back = event->other >> address->lane & 1;
        if (!back && (out || !left))
            break;
        out = out || !back;
        count++;
    }
    return count;
}

/* Finds the rounds of nested loops, which the address alone does not give, and checks them by the address. */
static void count_all(struct address *address, const struct ptx_leaves *leaves, int64_t place)
{
    int64_t computed;
    if (address->solved || address->round_count < 2)
        return;
    for (uint32_t i = 0; i < address->round_count; i++)
        address->counts[i] =
            count_rounds(address, address->rounds[i], (uint32_t)(address->access - address->kernel->instructions));
    address->counted = true;
    address->counted = ptx_term_value(address->term, leaves, &computed) && computed == place;
}

static const struct ptx_instruction *instruction_of(const struct ptx_function *kernel, uint32_t site)
{
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].site == site)
            return &kernel->instructions[i];
    return NULL;
}

static void place_thread(struct address *address, uint32_t warp)
{
    const struct trace *trace = address->timeline->trace;
    uint32_t const number = warp * WARP_LANES + (uint32_t)address->lane;
    uint64_t const block = address->timeline->block;
    address->thread[0] = number % trace->block[0];
    address->thread[1] = number / trace->block[0] % trace->block[1];
    address->thread[2] = number / trace->block[0] / trace->block[1];
    address->block[0] = (uint32_t)(block % trace->grid[0]);
    address->block[1] = (uint32_t)(block / trace->grid[0] % trace->grid[1]);
    address->block[2] = (uint32_t)(block / trace->grid[0] / trace->grid[1]);
}

static bool leaf_value(void *context, const struct ptx_term *leaf, int64_t *value)
{
    return address_leaf(context, leaf, value);
}

bool address_solve(struct address *address)
{
    const struct trace *trace = address->timeline->trace;
    const struct trace_event *event = &trace->events.items[address->timeline->events[address->position]];
    struct ptx_leaves const leaves = {address, NULL, leaf_value};
    address->access = instruction_of(address->kernel, event->site);
    address->term = address->access ? ptx_address(address->arena, address->kernel, address->access,
                                                  trace_is_copy(&trace->sites[event->site], event))
                                    : NULL;
    if (!address->term)
        return false;
    int64_t const place = (int64_t)trace_addresses(trace, event)[address->lane];
    place_thread(address, event->warp);
    find_rounds(address, address->term);
    solve_leaf(address, &leaves, place);
    count_all(address, &leaves, place);
    return true;
}
