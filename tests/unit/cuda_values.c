/* What the probes write when values are asked for, read back: the PTX with probes runs on the emulator, which knows
 * nothing of probes, and the records that it leaves in memory make the trace that the emulator itself would. */
#include "cuda/probe.h"
#include "emulator_helper.h"

#define HEAD                                                                                                           \
    ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"                             \
    ".reg .pred %p<4>;\n.reg .b16 %h<8>;\n.reg .f32 %f<8>;\n.reg .f64 %d<4>;\n.reg .b32 %r<32>;\n"                     \
    ".reg .b64 %rd<16>;\n.reg .b128 %q;\n"                                                                             \
    ".shared .align 16 .b8 tile[2048];\n.local .align 8 .b8 own[16];\n"                                                \
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 16;\nadd.s64 %rd3, %rd1, %rd2;\n"          \
    "shl.b32 %r2, %r1, 4;\nmov.u32 %r3, tile;\nadd.u32 %r3, %r3, %r2;\n"

/* Every width, vectors, results that are not wanted, numbers in place of registers. */
static const char widths_text[] = HEAD "ld.global.u8 %h1, [%rd3];\n"
                                       "ld.global.s8 %r4, [%rd3+1];\n"
                                       "ld.global.s16 %r5, [%rd3+2];\n"
                                       "ld.global.b16 %h2, [%rd3+2];\n"
                                       "ld.global.f32 %f1, [%rd3+4];\n"
                                       "ld.global.f64 %d1, [%rd3+8];\n"
                                       "ld.global.v2.u8 {%h3, %h4}, [%rd3+4];\n"
                                       "ld.global.v4.u16 {%h3, %h4, %h5, %h6}, [%rd3];\n"
                                       "ld.global.v2.f32 {%f2, %f3}, [%rd3];\n"
                                       "ld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd3];\n"
                                       "ld.global.v2.b64 {%rd4, %rd5}, [%rd3];\n"
                                       "ld.global.v4.b32 {_, %r6, _, %r7}, [%rd3];\n"
                                       "ld.global.b128 %q, [%rd3];\n"
                                       "st.global.b128 [%rd3+2048], %q;\n"
                                       "ld.global.u64 %rd3, [%rd3];\n" /* its own address register */
                                       "add.s64 %rd3, %rd1, %rd2;\n"
                                       "st.shared.v4.f32 [%r3], {%f2, 0f40500000, %f4, %f5};\n"
                                       "st.shared.u8 [%r3], -3;\n"
                                       "st.shared.u16 [%r3+2], %h2;\n"
                                       "st.shared.s8 [%r3+1], %r5;\n"
                                       "ld.shared.v2.f64 {%d2, %d3}, [%r3];\n"
                                       "st.local.f64 [own], %d2;\n"
                                       "ld.local.b32 %r8, [own+4];\n"
                                       "cvta.shared.u64 %rd6, %rd2;\n"
                                       "mov.u64 %rd6, tile;\ncvta.shared.u64 %rd6, %rd6;\nadd.s64 %rd6, %rd6, %rd2;\n"
                                       "and.b32 %r9, %r1, 1;\nsetp.eq.u32 %p1, %r9, 0;\n"
                                       "selp.b64 %rd7, %rd6, %rd3, %p1;\n"
                                       "ld.u32 %r10, [%rd7+4];\n" /* every second lane in shared memory */
                                       "ld.v2.u32 {%r11, _}, [%rd7];\n"
                                       "st.u16 [%rd7+14], %h1;\n"
                                       "ret;\n}\n";

static const char atomics_text[] = HEAD "atom.global.add.u32 %r4, [%rd1+2048], %r1;\n"
                                        "atom.global.add.f64 %d1, [%rd3+8], 0d3FF8000000000000;\n"
                                        "atom.global.exch.b64 %rd4, [%rd3], %rd2;\n"
                                        "atom.global.cas.b32 _, [%rd3], %r1, 7;\n"
                                        "atom.shared.max.u32 %r5, [%r3], %r1;\n"
                                        "red.global.add.u32 [%rd1+2052], 5;\n"
                                        "red.global.add.f32 [%rd3+4], 0f3F800000;\n"
                                        "ret;\n}\n";

static const char copies_text[] = HEAD "and.b32 %r4, %r1, 15;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3], 16;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3+4], 4;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3], 16, %r4;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3], 8, 5;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3], 4, 0;\n"
                                       "cp.async.wait_all;\n"
                                       "ret;\n}\n";

/* Lanes leave a loop one after the other; a predicate; a function that two sides of a branch call. */
static const char groups_text[] =
    ".version 8.3\n.target sm_90\n.address_size 64\n"
    ".func put(.param .b64 a, .param .b32 v)\n{\n.reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n"
    "ld.param.u64 %rd1, [a];\nld.param.u32 %r1, [v];\nst.global.u32 [%rd1], %r1;\nret;\n}\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "mov.u32 %r7, %ctaid.x;\nmul.wide.u32 %rd4, %r7, 1024;\nadd.s64 %rd3, %rd3, %rd4;\n"
    "mov.u32 %r2, 0;\nand.b32 %r4, %r1, 7;\n"
    "LOOP:\nld.global.u32 %r3, [%rd3];\nadd.u32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r4;\n@%p1 bra LOOP;\n"
    "setp.gt.u32 %p2, %r4, 4;\n@%p2 st.global.u32 [%rd3], %r2;\n@!%p2 ld.global.u32 %r5, [%rd3+512];\n"
    "bar.sync 0;\n"
    "and.b32 %r6, %r1, 1;\nsetp.eq.u32 %p3, %r6, 0;\n@%p3 bra EVEN;\n"
    "{ .param .b64 x; st.param.b64 [x], %rd3; .param .b32 y; st.param.b32 [y], 1;\ncall.uni put, (x, y); }\n"
    "bra.uni JOIN;\nEVEN:\n"
    "{ .reg .b32 %inner; ld.global.u32 %inner, [%rd3]; .param .b64 x; st.param.b64 [x], %rd3; .param .b32 y; "
    "st.param.b32 [y], %inner;\ncall.uni put, (x, y); }\n"
    "JOIN:\nst.global.u32 [%rd3+512], %r1;\nret;\n}\n";

enum { WORDS = 1024, OWN_CHUNKS = 2, CHUNKS_MOST = 256 };

/* The buffers that a launch with probes needs: the kernel's, the chunks, the counters. */
struct memory {
    uint32_t words[WORDS];
    uint64_t chunks[CHUNKS_MOST * RECORD_VALUES_CHUNK / 8];
    struct record_counters counters;
};

static void launch_with(struct bench *b, struct memory *memory, uint32_t grid, uint32_t block)
{
    for (uint32_t i = 0; i < WORDS; i++)
        memory->words[i] = 0x3f800000 + i * 0x01234567;
    memset(memory->chunks, 0, sizeof memory->chunks);
    memory->counters = (struct record_counters){0};
    bench_launch(b, "k", grid, block);
    bench_buffer(b, PTX_U32, memory->words, WORDS);
    b->launch.buffers = b->buffers;
    b->buffers[b->launch.buffer_count++] = (struct launch_buffer){
        .name = "chunks", .type = PTX_U64, .data = memory->chunks, .count = sizeof memory->chunks / 8};
    b->buffers[b->launch.buffer_count++] =
        (struct launch_buffer){.name = "counters", .type = PTX_U64, .data = &memory->counters, .count = 2};
    b->options.threads = 1;
}

/* The module's control variable gets what the host would write there. */
static const char *with_control(struct arena *arena, const struct probed *probed, const struct record_control *control)
{
    const char *start = arena_format(arena, "%s[%zu]", probed->control, sizeof *control);
    const char *at = strstr(probed->ptx, start);
    assert_non_null(at);
    const uint8_t *bytes = (const void *)control;
    const char *initial = "";
    for (size_t i = 0; i < sizeof *control; i++)
        initial = arena_format(arena, "%s%s%u", initial, i ? ", " : "", bytes[i]);
    const char *head = arena_text_n(arena, probed->ptx, (size_t)(at - probed->ptx));
    return arena_format(arena, "%s%s = {%s}%s", head, start, initial, at + strlen(start));
}

struct both {
    struct bench plain, probed;
    struct memory *memory;
    struct trace *read; /* from the records */
};

static void both_free(struct both *both)
{
    bench_free(&both->plain);
    bench_free(&both->probed);
    trace_free(both->read);
    free(both->memory);
}

static void decode(struct both *both, const struct record_layout *layout, uint32_t warps, uint64_t own,
                   const struct record_control *control)
{
    struct bench *b = &both->plain;
    uint64_t const taken = both->memory->counters.taken, most = control->more_chunks;
    struct record_batch const batch = {
        .chunks = (const uint8_t *)both->memory->chunks,
        .chunk_count = own + (taken < most ? taken : most),
        .own_chunks = own,
        .warps = warps,
        .layout = *layout,
        .chunk_bytes = control->chunk_bytes,
        .row_shift = control->row_shift,
        .windows = {.shared_generic = EMULATOR_SHARED_BASE, .local_generic = EMULATOR_LOCAL_BASE},
        .clock_khz = 1000000,
        .complete = both->memory->counters.lost == 0};
    both->read = trace_new(b->program, &b->launch);
    both->read->recorded = (struct launch_blocks){0, b->launch.grid[0] - 1};
    for (uint32_t i = 0; i < both->read->buffer_count; i++)
        both->read->buffers[i].address = b->result.trace->buffers[i].address;
    if (!record_decode(&batch, NULL, both->read, &b->error))
        fail_msg("%s", b->error.message);
}

static void run_both(struct both *both, const char *text, uint32_t grid, uint32_t block, bool values,
                     uint64_t more_chunks)
{
    struct bench *b = &both->plain;
    uint32_t const warps = (block + 31) / 32, shape[3] = {block, 1, 1};
    uint64_t const own = (uint64_t)grid * warps * OWN_CHUNKS;
    both->memory = malloc(sizeof *both->memory);
    assert_non_null(both->memory);
    bench_text(b, text);
    launch_with(b, both->memory, grid, block);
    b->options.recorded = LAUNCH_ALL_BLOCKS;
    b->options.record_values = values;
    bench_run(b);
    assert_int_equal(b->result.trace->fault_count, 0);

    struct probed probed;
    if (!probe_program(&b->arena, b->program, ptx_kernel(b->program, "k"), &b->launch, values, &probed, &b->error))
        fail_msg("%s", b->error.message);
    uint32_t const bytes = probed.layout.chunk_bytes ? probed.layout.chunk_bytes : RECORD_VALUES_CHUNK;
    const struct trace_buffer *buffers = b->result.trace->buffers;
    struct record_control const control = {.span = grid - 1,
                                           .own = buffers[1].address,
                                           .more = buffers[1].address + own * bytes,
                                           .more_chunks = more_chunks,
                                           .counters = buffers[2].address,
                                           .chunk_bytes = bytes,
                                           .warps = warps,
                                           .row_shift = record_row_shift(shape)};
    bench_text(&both->probed, with_control(&b->arena, &probed, &control));
    launch_with(&both->probed, both->memory, grid, block);
    bench_run(&both->probed);
    for (uint32_t i = 0; i < both->probed.result.trace->fault_count; i++)
        fail_msg("%s", both->probed.result.trace->faults[i].message);
    decode(both, &probed.layout, warps, own, &control);
}

static void check(const char *text, uint32_t grid, uint32_t block)
{
    for (int values = 0; values < 2; values++) {
        struct both both = {0};
        struct trace_difference difference;
        run_both(&both, text, grid, block, values != 0, CHUNKS_MOST / 2);
        assert_int_equal(both.memory->counters.lost, 0);
        assert_int_equal(both.read->values.count, values ? both.read->addresses.count : 0);
        assert_int_equal(both.read->addresses.count, both.plain.result.trace->addresses.count);
        trace_compare(both.plain.result.trace, both.read, &difference);
        if (difference.differ)
            fail_msg("%s: %s", values ? "with values" : "without", difference.text);
        both_free(&both);
    }
}

static void all_widths_of_loads_and_stores_have_their_bytes(void **state)
{
    (void)state;
    check(widths_text, 1, 32);
    check(widths_text, 1, 40);
}

static void atomics_tell_what_was_there_and_reductions_what_was_brought(void **state)
{
    (void)state;
    check(atomics_text, 1, 32);
    check(atomics_text, 1, 20);
}

static void copies_tell_what_they_took(void **state)
{
    (void)state;
    check(copies_text, 1, 64);
}

static void groups_of_lanes_are_kept_apart(void **state)
{
    (void)state;
    check(groups_text, 1, 32);
    check(groups_text, 3, 100);
}

/* What has no room is counted, and what has is as it was. */
static void records_without_room_are_not_lost_silently(void **state)
{
    (void)state;
    struct both both = {0};
    run_both(&both, groups_text, 1, 32, true, 1);
    const struct trace *whole = both.plain.result.trace;
    assert_true(both.memory->counters.lost > 0);
    size_t const kept = both.read->addresses.count / WARP_LANES, all = whole->addresses.count / WARP_LANES;
    assert_true(kept > 0 && kept < all && kept + both.memory->counters.lost >= all);
    for (size_t i = 0; i < both.read->events.count; i++) {
        const struct trace_event *event = &both.read->events.items[i];
        bool found = event->kind != TRACE_ACCESS;
        for (size_t k = 0; k < whole->events.count && !found; k++) {
            const struct trace_event *other = &whole->events.items[k];
            found =
                other->kind == TRACE_ACCESS && other->site == event->site && other->mask == event->mask &&
                memcmp(trace_values(whole, other), trace_values(both.read, event), WARP_LANES * sizeof(uint64_t)) == 0;
        }
        assert_true(found);
    }
    both_free(&both);
}

/* Of the emulator, by which the others are judged. */
static void a_value_is_the_bytes_as_they_lie_in_memory(void **state)
{
    (void)state;
    static const struct {
        const char *text; /* of the instruction */
        uint64_t value;   /* lane 0's */
    } wanted[] = {{"ld.global.s8", 0x00},
                  {"ld.global.v2.u8", 0x4567},
                  {"ld.global.v4.b32", UINT64_C(0x40a345673f800000)},
                  {"st.shared.u8", 0xfd},
                  {"st.shared.v4.f32", UINT64_C(0x405000003f800000)}};
    struct both both = {0};
    run_both(&both, widths_text, 1, 32, true, CHUNKS_MOST / 2);
    const struct trace *trace = both.plain.result.trace;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        size_t found = 0;
        for (size_t k = 0; k < trace->events.count; k++) {
            const struct trace_event *event = &trace->events.items[k];
            if (event->kind != TRACE_ACCESS ||
                strncmp(trace->sites[event->site].text, wanted[i].text, strlen(wanted[i].text)) != 0)
                continue;
            found++;
            assert_true(trace_values(trace, event)[0] == wanted[i].value);
        }
        assert_int_equal(found, 1);
    }
    both_free(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_widths_of_loads_and_stores_have_their_bytes),
        cmocka_unit_test(atomics_tell_what_was_there_and_reductions_what_was_brought),
        cmocka_unit_test(copies_tell_what_they_took),
        cmocka_unit_test(groups_of_lanes_are_kept_apart),
        cmocka_unit_test(records_without_room_are_not_lost_silently),
        cmocka_unit_test(a_value_is_the_bytes_as_they_lie_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
