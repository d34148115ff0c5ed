/* A small trace made by hand, for tests of trace and model: two blocks of 40 threads (the second warp of each has 8
 * lanes) that load, diverge at a branch, meet at a barrier and store; and a program with the same sites. */
#ifndef LANESCOPE_TESTS_TRACE_SAMPLES_H
#define LANESCOPE_TESTS_TRACE_SAMPLES_H
#include "trace/trace.h"

enum { SITE_LOAD, SITE_BRANCH, SITE_SHARED, SITE_BARRIER, SITE_STORE, SITE_GENERIC, SITE_SHUFFLE, SITE_PRODUCT, SITES };
enum { SAMPLE_BUFFER = 0x10000, SAMPLE_ELEMENTS = 4096 };

static const char sample_ptx[] =
    "ld.global.f32 \t%f1,  [%rd1];\n@%p1 bra L;\nst.shared.v4.f32 [%r1], {%f1,%f1,%f1,%f1};\n"
    "bar.sync 0;\nst.global.f32 [%rd2], %f1;\natom.add.u32 %r3, [%rd3], 1;\n"
    "shfl.sync.down.b32 %r4, %r5, 4, 31, -1;\n"
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f2,%f3,%f4,%f5}, {%r6,%r7}, {%r8}, {%f2,%f3,%f4,%f5};\n";

static inline uint32_t sample_offset(unsigned statement, bool end)
{
    uint32_t at = 0;
    for (unsigned seen = 0; sample_ptx[at]; at++)
        if (sample_ptx[at] == ';' && seen++ == statement && end)
            return at + 1;
        else if (sample_ptx[at] == ';' && seen == statement && !end)
            return at + 2;
    return 0;
}

static inline const struct ptx_module *sample_module(void)
{
    static struct ptx_instruction instructions[SITES] = {
        [SITE_LOAD] = {.opcode = PTX_OP_ld, .space = PTX_SPACE_GLOBAL, .types = {PTX_F32}, .type_count = 1, .line = 3},
        [SITE_BRANCH] = {.opcode = PTX_OP_bra, .line = 4},
        [SITE_SHARED] = {.opcode = PTX_OP_st,
                         .space = PTX_SPACE_SHARED,
                         .types = {PTX_F32},
                         .type_count = 1,
                         .vector = 4,
                         .line = 5},
        [SITE_BARRIER] = {.opcode = PTX_OP_bar, .line = 6},
        [SITE_STORE] = {.opcode = PTX_OP_st, .space = PTX_SPACE_GLOBAL, .types = {PTX_F32}, .type_count = 1, .line = 7},
        [SITE_GENERIC] =
            {.opcode = PTX_OP_atom, .space = PTX_SPACE_GENERIC, .types = {PTX_U32}, .type_count = 1, .line = 8},
        [SITE_SHUFFLE] = {.opcode = PTX_OP_shfl, .types = {PTX_B32}, .type_count = 1, .line = 9},
        [SITE_PRODUCT] = {.opcode = PTX_OP_mma, .types = {PTX_F32}, .type_count = 1, .line = 10},
    };
    static struct ptx_function function;
    static const char *const files[] = {"sample.cu"};
    static struct ptx_module module;
    for (uint32_t i = 0; i < SITES; i++) {
        instructions[i].site = i;
        instructions[i].column = 5;
        instructions[i].text_start = sample_offset(i, false);
        instructions[i].text_end = sample_offset(i, true);
    }
    function = (struct ptx_function){.name = "sample",
                                     .is_kernel = true,
                                     .has_body = true,
                                     .instructions = instructions,
                                     .instruction_count = SITES};
    module = (struct ptx_module){.text = sample_ptx,
                                 .text_size = sizeof sample_ptx - 1,
                                 .files = files,
                                 .file_count = 1,
                                 .functions = &function,
                                 .function_count = 1,
                                 .site_count = SITES};
    return &module;
}

static inline struct trace *sample_empty(uint64_t buffer_address)
{
    static struct launch_buffer buffers[] = {{.name = "in", .type = PTX_F32, .count = SAMPLE_ELEMENTS}};
    struct launch const launch = {.kernel = "sample",
                                  .grid = {2, 1, 1},
                                  .block = {40, 1, 1},
                                  .shared_bytes = 2048,
                                  .buffers = buffers,
                                  .buffer_count = 1};
    struct trace *trace = trace_new(sample_module(), &launch);
    trace->executor = EXECUTOR_EMULATOR;
    trace->source = "__global__ void sample(float *in) {}\n";
    trace->buffers[0].address = buffer_address;
    return trace;
}

static inline void sample_event(struct trace *trace, uint64_t block, uint32_t warp, enum trace_kind kind, uint32_t site,
                                uint32_t mask, uint32_t other)
{
    struct trace_event const event = {.kind = kind,
                                      .site = site,
                                      .block = block,
                                      .warp = warp,
                                      .mask = mask,
                                      .other = other,
                                      .time = trace->events.count * 3};
    trace_add(trace, &event, NULL, NULL);
}

/* Adds an access: lane i at address + i * stride, with the value 1000 + i when values are wanted. */
static inline void sample_access(struct trace *trace, uint64_t block, uint32_t warp, uint32_t site, uint32_t mask,
                                 uint64_t address, int64_t stride, bool values)
{
    uint64_t lanes[WARP_LANES], held[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        lanes[lane] = address + (uint64_t)(stride * lane);
        held[lane] = 1000 + lane;
    }
    struct trace_event const event = {.kind = TRACE_ACCESS,
                                      .site = site,
                                      .block = block,
                                      .warp = warp,
                                      .mask = mask,
                                      .time = trace->events.count * 3};
    trace_add(trace, &event, lanes, values ? held : NULL);
}

/* Adds a shuffle of all lanes of the first warp, each of which takes the value of the lane 4 above it. sample_trace has
 * none. */
static inline void sample_shuffle(struct trace *trace, uint64_t block)
{
    uint64_t lanes[WARP_LANES], held[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        lanes[lane] = lane + 4 < WARP_LANES ? lane + 4 : lane;
        held[lane] = (uint64_t)lane << 32 | lanes[lane];
    }
    struct trace_event const event = {.kind = TRACE_SHUFFLE,
                                      .site = SITE_SHUFFLE,
                                      .block = block,
                                      .mask = UINT32_MAX,
                                      .time = trace->events.count * 3};
    trace_add(trace, &event, lanes, held);
}

/* Adds a product of the first warp: each register holds its lane, with the part and the half above. sample_trace has
 * none. */
static inline void sample_product(struct trace *trace, uint64_t block)
{
    uint64_t const time = trace->events.count * 3;
    for (uint32_t part = 0; part < 4; part++) {
        uint64_t low[WARP_LANES], high[WARP_LANES];
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            low[lane] = lane | part << 8 | (uint64_t)(lane | 0x10000) << 32;
            high[lane] = part == 0 || part == 1 ? 0 : low[lane] | 0x20000;
        }
        struct trace_event const event = {.kind = TRACE_REGISTERS,
                                          .site = SITE_PRODUCT,
                                          .block = block,
                                          .mask = UINT32_MAX,
                                          .other = part,
                                          .time = time};
        trace_add(trace, &event, low, high);
    }
}

static inline void sample_warp(struct trace *trace, uint64_t block, uint32_t warp, bool values)
{
    uint32_t const all = warp ? 0xff : UINT32_MAX, odd = all & 0xaaaaaaaa;
    uint64_t const base = trace->buffers[0].address + (block * 40 + warp * 32) * 4;
    sample_access(trace, block, warp, SITE_LOAD, all, base, 4, values);
    sample_event(trace, block, warp, TRACE_BRANCH_TAKEN, SITE_BRANCH, all, odd);
    sample_access(trace, block, warp, SITE_SHARED, all & ~odd, trace->shared_base + warp * 512, 16, values);
    sample_access(trace, block, warp, SITE_GENERIC, odd, base, 0, values);
    sample_event(trace, block, warp, TRACE_RECONVERGE, SITE_BRANCH, all, 0);
    sample_event(trace, block, warp, TRACE_BARRIER_ARRIVE, SITE_BARRIER, all, 0);
}

static inline void sample_end(struct trace *trace, uint64_t block, uint32_t warp, bool values)
{
    uint32_t const all = warp ? 0xff : UINT32_MAX;
    uint64_t lanes[WARP_LANES], held[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) { /* addresses without a stride */
        lanes[lane] = trace->buffers[0].address + (lane * lane * 7 % 97) * 4;
        held[lane] = lane;
    }
    struct trace_event const event = {.kind = TRACE_ACCESS,
                                      .site = SITE_STORE,
                                      .block = block,
                                      .warp = warp,
                                      .mask = all,
                                      .time = trace->events.count * 3};
    sample_event(trace, block, warp, TRACE_BARRIER_RELEASE, SITE_BARRIER, all, 0);
    trace_add(trace, &event, lanes, values ? held : NULL);
    sample_event(trace, block, warp, TRACE_EXIT, PTX_NO_INDEX, all, 0);
}

static inline struct trace *sample_trace(uint64_t buffer_address, uint64_t shared_base, bool values)
{
    struct trace *trace = sample_empty(buffer_address);
    trace->shared_base = shared_base;
    for (uint64_t block = 0; block < 2; block++) {
        for (uint32_t warp = 0; warp < 2; warp++)
            sample_warp(trace, block, warp, values);
        for (uint32_t warp = 0; warp < 2; warp++)
            sample_end(trace, block, warp, values);
    }
    trace->totals = (struct trace_totals){100, 2000, 4, 4};
    return trace;
}
#endif
