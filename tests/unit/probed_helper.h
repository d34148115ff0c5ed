/* Runs PTX with probes on the emulator, which treats it as any other PTX, and builds a trace from their records. That
 * trace must equal the emulator's own trace of the kernel. Only properties of a real GPU then need a GPU. */
#ifndef LANESCOPE_TESTS_PROBED_HELPER_H
#define LANESCOPE_TESTS_PROBED_HELPER_H
#include "cuda/probe/probe.h"
#include "cuda/record/decode.h"
#include "cuda/record/plan.h"
#include "emulator_helper.h"

enum { PROBED_BYTES = 1 << 25, PROBED_COUNTERS = 256, PROBED_ALL = 1 << 20 };

struct probed_run {
    struct trace *wanted, *found; /* the emulator's trace, and the trace built from the records */
    struct record_counters counters;
    uint8_t *records; /* the counters, then the chunks */
};

static inline struct trace *probed_emulate(const struct ptx_module *module, struct bench *b,
                                           struct launch_blocks recorded, bool values)
{
    struct emulator_options const options = {
        .recorded = recorded, .checks.values = values, .threads = 1, .budget = 10000000};
    struct emulator_result result;
    if (!emulator_run(module, &b->launch, &options, &result, &b->error))
        fail_msg("%s: %s", b->launch.kernel, b->error.message);
    expect_no_finding(result.trace);
    return result.trace;
}

/* Fills the control variable as the host does. */
static inline void probed_control(const struct ptx_module *module, const struct probed *probed,
                                  const struct record_control *control)
{
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (strcmp(module->variables[i].name, probed->control) == 0) {
            struct ptx_variable *variable = (struct ptx_variable *)&module->variables[i];
            assert_int_equal(variable->size, sizeof *control);
            variable->initial = (const uint8_t *)control;
            return;
        }
    fail_msg("there is no control variable");
}

static inline uint64_t probed_blocks(const struct launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

static inline struct record_control probed_plan(const struct launch *launch, const struct record_layout *layout,
                                                struct launch_blocks recorded, uint64_t address, uint64_t more_chunks)
{
    uint32_t const threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint64_t const all = probed_blocks(launch), last = recorded.last < all ? recorded.last : all - 1;
    uint64_t const blocks = last - recorded.first + 1;
    struct record_control control = {.first = recorded.first,
                                     .span = blocks - 1,
                                     .own = address + PROBED_COUNTERS,
                                     .counters = address,
                                     .chunk_bytes = layout->values        ? RECORD_VALUES_CHUNK
                                                    : layout->chunk_bytes ? layout->chunk_bytes
                                                                          : 512,
                                     .warps = (threads + WARP_LANES - 1) / WARP_LANES,
                                     .row_shift = record_row_shift(launch->block)};
    control.more = control.own + 2 * blocks * control.warps * control.chunk_bytes;
    assert_true(control.more < address + PROBED_BYTES);
    uint64_t const most = (address + PROBED_BYTES - control.more) / control.chunk_bytes;
    control.more_chunks = more_chunks < most ? more_chunks : most;
    return control;
}

/* Gives the trace the buffer addresses of the run with probes, which has one more variable. */
static inline void probed_places(struct trace *found, const struct trace *ran)
{
    for (uint32_t i = 0; i < found->buffer_count; i++)
        for (uint32_t k = i; k < ran->buffer_count && !found->buffers[i].address; k++)
            if (strcmp(found->buffers[i].name, ran->buffers[k].name) == 0)
                found->buffers[i].address = ran->buffers[k].address;
}

static inline void probed_decode(struct bench *b, const struct record_layout *layout,
                                 const struct record_control *control, const struct trace *ran, struct probed_run *run)
{
    uint64_t const own = 2 * (control->span + 1) * control->warps;
    memcpy(&run->counters, run->records, sizeof run->counters);
    uint64_t const taken = run->counters.taken, most = control->more_chunks;
    struct record_batch const batch = {
        .chunks = run->records + PROBED_COUNTERS,
        .chunk_count = own + (taken < most ? taken : most),
        .own_chunks = own,
        .first = control->first,
        .warps = control->warps,
        .layout = *layout,
        .chunk_bytes = control->chunk_bytes,
        .row_shift = control->row_shift,
        .windows = {.shared_generic = EMULATOR_SHARED_BASE, .local_generic = EMULATOR_LOCAL_BASE},
        .clock_khz = 1000000,
        .complete = run->counters.lost == 0};
    run->found = trace_new(b->module, &b->launch);
    run->found->recorded = run->wanted->recorded;
    probed_places(run->found, ran);
    if (!record_decode(&batch, NULL, run->found, &b->error))
        fail_msg("%s", b->error.message);
}

static inline size_t probed_bytes(const struct launch_buffer *buffer)
{
    return buffer->count * ptx_type_size(buffer->type);
}

/* Runs the bench's launch as it is and with probes; both must leave the same in the buffers. more_chunks: extra chunks
 * in common memory. */
static inline void probed_run(struct bench *b, struct launch_blocks recorded, bool values, uint64_t more_chunks,
                              struct probed_run *run)
{
    struct arena arena = {0};
    struct probed probed = {0};
    struct ptx_module *module = NULL;
    uint32_t const count = b->launch.buffer_count;
    uint8_t *before[8], *after[8];
    *run = (struct probed_run){.records = calloc(1, PROBED_BYTES)};
    assert_true(run->records && count < 8);
    b->buffers[b->launch.buffer_count++] =
        (struct launch_buffer){.name = "records", .type = PTX_U8, .data = run->records, .count = PROBED_BYTES};
    for (uint32_t i = 0; i < count; i++)
        before[i] =
            memcpy(arena_alloc(&arena, probed_bytes(&b->buffers[i])), b->buffers[i].data, probed_bytes(&b->buffers[i]));
    run->wanted = probed_emulate(b->module, b, recorded, values);
    for (uint32_t i = 0; i < count; i++) {
        after[i] =
            memcpy(arena_alloc(&arena, probed_bytes(&b->buffers[i])), b->buffers[i].data, probed_bytes(&b->buffers[i]));
        memcpy(b->buffers[i].data, before[i], probed_bytes(&b->buffers[i]));
    }
    if (!probe_module(&arena, b->module, ptx_kernel(b->module, b->launch.kernel), &b->launch, values, &probed,
                      &b->error) ||
        !ptx_parse(&arena, "probed", probed.ptx, strlen(probed.ptx), &module, &b->error))
        fail_msg("%s", b->error.message);
    struct record_control const control =
        probed_plan(&b->launch, &probed.layout, recorded, run->wanted->buffers[count].address, more_chunks);
    probed_control(module, &probed, &control);
    struct trace *ran = probed_emulate(module, b, recorded, false);
    probed_decode(b, &probed.layout, &control, ran, run);
    trace_free(ran);
    for (uint32_t i = 0; i < count; i++)
        assert_memory_equal(b->buffers[i].data, after[i], probed_bytes(&b->buffers[i]));
    b->launch.buffer_count = count;
    arena_free(&arena);
}

static inline void probed_free(struct probed_run *run)
{
    trace_free(run->wanted);
    trace_free(run->found);
    free(run->records);
}

static inline unsigned probed_exits(const struct trace *trace)
{
    unsigned lanes = 0;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].kind == TRACE_EXIT)
            lanes += (unsigned)__builtin_popcount(trace->events.items[i].mask);
    return lanes;
}

/* Returns the addresses that a GPU would record, too: all but those that cp.async writes. */
static inline size_t probed_addresses(const struct trace *trace)
{
    size_t count = trace->addresses.count;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].kind == TRACE_COPY_TO)
            count -= WARP_LANES;
    return count;
}

/* Checks that the two traces of these blocks are equal, or differ in an allowed way (one bit per kind). Returns how
 * many lanes were seen to exit. */
static inline unsigned probed_compare(struct bench *b, struct launch_blocks recorded, bool values, unsigned allowed)
{
    struct probed_run run;
    struct trace_difference difference;
    probed_run(b, recorded, values, PROBED_ALL, &run);
    assert_int_equal(run.counters.lost, 0);
    assert_int_equal(run.found->values.count, values ? run.found->addresses.count : 0);
    trace_compare(run.wanted, run.found, &difference);
    if (difference.differ && !(allowed >> difference.kind & 1))
        fail_msg("%s, %s, from block %u on: %s", b->launch.kernel, values ? "with values" : "without",
                 (unsigned)recorded.first, difference.text);
    assert_true(difference.differ || run.found->addresses.count == probed_addresses(run.wanted));
    unsigned const exits = probed_exits(run.found);
    probed_free(&run);
    return exits;
}

static inline bool probed_shuffles(const struct ptx_module *module)
{
    bool found = false;
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < module->functions[f].instruction_count; i++)
            found |= module->functions[f].instructions[i].opcode == PTX_OP_shfl;
    return found;
}

/* Checks all blocks, without values and with them; then only the last block, while the others run the unmodified
 * code. */
static inline void probed_check(struct bench *b, unsigned allowed)
{
    uint64_t const last = probed_blocks(&b->launch) - 1;
    struct launch_blocks const all = LAUNCH_ALL_BLOCKS, one = {last, last};
    uint32_t const count = b->launch.buffer_count;
    uint8_t *data[8];
    unsigned exits[3] = {0};
    for (uint32_t i = 0; i < count; i++)
        data[i] = memcpy(arena_alloc(&b->arena, probed_bytes(&b->buffers[i])), b->buffers[i].data,
                         probed_bytes(&b->buffers[i]));
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < count; i++)
            memcpy(b->buffers[i].data, data[i], probed_bytes(&b->buffers[i]));
        exits[round] = probed_compare(b, round < 2 ? all : one, round == 1, allowed);
    }
    if (!probed_shuffles(b->module)) /* only a record with values shows that more lanes went on */
        assert_int_equal(exits[0], exits[1]);
    assert_true(exits[2] > 0 && exits[2] <= exits[0]);
}
#endif
