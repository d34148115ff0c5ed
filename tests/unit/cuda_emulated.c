/* The PTX with probes runs on the emulator, too: what the probes write there, decoded, is the trace that the emulator
 * makes of the kernel itself, and the kernel's results are the same. A GPU is needed only for what is its own. */
#include "cuda/probe.h"
#include "emulator_helper.h"
#include "matrix_helper.h"

enum { RECORD_BYTES = 1 << 22 };
static uint8_t records[RECORD_BYTES];

/* The control variable as the host fills it in for a launch: counters first in the records' buffer, then chunks. */
static void set_control(const struct ptx_program *program, const struct probed *probed,
                        const struct record_control *control)
{
    for (uint32_t i = 0; i < program->variable_count; i++) {
        struct ptx_variable *variable = (struct ptx_variable *)&program->variables[i];
        if (strcmp(variable->name, probed->control) == 0) {
            assert_int_equal(variable->size, sizeof *control);
            variable->initial = (const uint8_t *)control;
            return;
        }
    }
    fail_msg("no control variable");
}

static struct record_control plan_control(const struct launch *launch, const struct probed *probed, uint64_t address)
{
    uint32_t const threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint32_t const warps = (threads + WARP_LANES - 1) / WARP_LANES, bytes = probed->layout.chunk_bytes;
    uint64_t const blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    struct record_control control = {.span = blocks - 1,
                                     .own = address + 256,
                                     .counters = address,
                                     .chunk_bytes = bytes ? bytes : 512,
                                     .warps = warps,
                                     .row_shift = record_row_shift(launch->block)};
    control.more = control.own + 2 * blocks * warps * control.chunk_bytes;
    control.more_chunks = (address + RECORD_BYTES - control.more) / control.chunk_bytes;
    return control;
}

/* What the probes wrote, as a trace. */
static void decode(const struct probed *probed, const struct record_control *control, struct trace *trace)
{
    struct record_counters counters;
    memcpy(&counters, records, sizeof counters);
    uint64_t const own = 2 * (control->span + 1) * control->warps;
    struct error error;
    struct record_batch const batch = {
        .chunks = records + 256,
        .chunk_count = own + counters.taken,
        .own_chunks = own,
        .warps = control->warps,
        .layout = probed->layout,
        .chunk_bytes = control->chunk_bytes,
        .row_shift = control->row_shift,
        .windows = {.shared_generic = EMULATOR_SHARED_BASE, .local_generic = EMULATOR_LOCAL_BASE},
        .clock_khz = 1000000,
        .complete = true};
    assert_int_equal(counters.lost, 0);
    if (!record_decode(&batch, NULL, trace, &error))
        fail_msg("%s", error.message);
}

static struct trace *run(const struct ptx_program *program, const struct launch *launch)
{
    struct emulator_options const options = {.recorded = LAUNCH_ALL_BLOCKS, .threads = 1};
    struct emulator_result result;
    struct error error;
    if (!emulator_run(program, launch, &options, &result, &error))
        fail_msg("%s: %s", launch->kernel, error.message);
    for (uint32_t i = 0; i < result.trace->fault_count; i++)
        fail_msg("%s: %s", launch->kernel, result.trace->faults[i].message);
    return result.trace;
}

/* Both traces are the same, and hold events. */
static void check(struct bench *b)
{
    struct arena arena = {0};
    struct error error;
    struct probed probed = {0};
    struct ptx_program *program = NULL;
    struct trace_difference difference;
    uint32_t const count = b->launch.buffer_count;
    uint8_t *before[8], *after[8];
    for (uint32_t i = 0; i < count; i++) {
        size_t const bytes = b->buffers[i].count * ptx_type_size(b->buffers[i].type);
        before[i] = memcpy(arena_alloc(&arena, bytes), b->buffers[i].data, bytes);
    }
    b->buffers[b->launch.buffer_count++] =
        (struct launch_buffer){.name = "records", .type = PTX_U8, .data = records, .count = sizeof records};
    struct trace *wanted = run(b->program, &b->launch);
    for (uint32_t i = 0; i < count; i++) {
        size_t const bytes = b->buffers[i].count * ptx_type_size(b->buffers[i].type);
        after[i] = memcpy(arena_alloc(&arena, bytes), b->buffers[i].data, bytes);
        memcpy(b->buffers[i].data, before[i], bytes);
    }
    if (!probe_program(&arena, b->program, ptx_kernel(b->program, b->launch.kernel), &b->launch, false, &probed,
                       &error) ||
        !ptx_parse(&arena, "probed", probed.ptx, strlen(probed.ptx), &program, &error))
        fail_msg("%s", error.message);
    struct record_control const control = plan_control(&b->launch, &probed, wanted->buffers[count].address);
    set_control(program, &probed, &control);
    memset(records, 0, sizeof records);
    trace_free(run(program, &b->launch));
    struct trace *found = trace_new(b->program, &b->launch);
    for (uint32_t i = 0; i < wanted->buffer_count; i++)
        found->buffers[i].address = wanted->buffers[i].address;
    decode(&probed, &control, found);
    trace_compare(wanted, found, &difference);
    if (difference.differ)
        fail_msg("%s: %s", b->launch.kernel, difference.text);
    assert_true(found->events.count > 0);
    for (uint32_t i = 0; i < count; i++)
        assert_memory_equal(b->buffers[i].data, after[i], b->buffers[i].count * ptx_type_size(b->buffers[i].type));
    trace_free(wanted);
    trace_free(found);
    arena_free(&arena);
}

static void loads_and_stores_of_matrices(void **state)
{
    (void)state;
    static char text[FORMS_KERNEL];
    static uint32_t inputs[FORMS_BLOCKS * BLOCK_WORDS], outputs[FORMS_BLOCKS * BLOCK_WORDS];
    FILE *file = fopen("matrix/results.txt", "r");
    unsigned forms = 0, count;
    assert_non_null(file);
    input_fill("iii", FORMS_BLOCKS, inputs);
    while (forms_next(file, 16, text, &count)) {
        struct bench b;
        bench_text(&b, text);
        bench_launch(&b, "k", FORMS_BLOCKS, LANES);
        memset(outputs, 0, sizeof outputs);
        bench_buffer(&b, PTX_U32, outputs, sizeof outputs / sizeof *outputs);
        bench_buffer(&b, PTX_U32, inputs, sizeof inputs / sizeof *inputs);
        check(&b);
        bench_free(&b);
        forms += count;
    }
    fclose(file);
    assert_int_equal(forms, 574);
}

static void barrier_objects_matrices_and_copies_in_bulk(void **state)
{
    (void)state;
    static const struct {
        const char *file, *kernel;
        uint32_t grid, block, sizes[3];
        int n;
    } cases[] = {
        {"barriers_90", "bulk", 2, 64, {512, 512}, 0},
        {"barriers_90", "pipeline", 1, 128, {128, 768}, 6},
        {"barriers_80", "pipeline", 1, 128, {128, 768}, 6},
        {"barriers_90", "thread_pipeline", 1, 64, {64, 384}, 6},
        {"barriers_80", "thread_pipeline", 1, 64, {64, 384}, 6},
        {"barriers_90", "groups", 2, 128, {256, 256}, 0},
        {"barriers_80", "groups", 2, 128, {256, 256}, 0},
        {"barriers_90", "phases", 1, 64, {32, 256}, 8},
        {"barriers_80", "phases", 1, 64, {32, 256}, 8},
        {"barriers_90", "async", 2, 128, {256, 256}, 0},
        {"barriers_80", "async", 2, 128, {256, 256}, 0},
        {"objects", "product", 1, 32, {256, 128, 128}, 0},
        {"objects", "rows", 1, 32, {64}, 32},
        {"objects", "parts", 1, 64, {2100, 2100}, 0},
        {"objects", "apart", 1, 32, {32, 128}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static int values[3][2100];
        struct arena arena = {0};
        struct bench b;
        bench_file(&b, arena_format(&arena, "emulator/%s.ptx", cases[i].file));
        bench_launch(&b, cases[i].kernel, cases[i].grid, cases[i].block);
        for (int k = 0; k < 3 * 2100; k++)
            values[k / 2100][k % 2100] = k * 7919 % 1009;
        for (int k = 0; k < 3 && cases[i].sizes[k]; k++)
            bench_buffer(&b, PTX_S32, values[k], cases[i].sizes[k]);
        if (cases[i].n)
            bench_scalar(&b, PTX_S32, (uint64_t)cases[i].n);
        check(&b);
        bench_free(&b);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores_of_matrices),
        cmocka_unit_test(barrier_objects_matrices_and_copies_in_bulk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
