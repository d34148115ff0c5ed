/* Usage: emulator_rate. Prints for each of some kernels how many thread instructions the emulator runs in a second of
 * one processor's time, without recording blocks. The same text is compiled for this machine and for WebAssembly, where
 * node runs it: tests/bench_web.py compares the two. */
#include "emulator/emulator.h"
#include "ptx/parse.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>
/* clang-format off */
EM_JS(double, processor_seconds, (void), { return process.cpuUsage().user / 1e6; })
/* clang-format on */
#else
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
#endif

enum { BLOCKS = 64, THREADS = 256, TURNS = 500, TIMES = 20 };

static const char begin[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                            ".visible .entry work(.param .u64 p, .param .u32 n)\n{\n"
                            ".shared .align 4 .b8 tile[1024];\n"
                            ".reg .pred %q<3>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %d<8>;\n"
                            "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n]; cvta.to.global.u64 %d2, %d1;\n"
                            "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
                            "mad.lo.s32 %r5, %r2, %r3, %r4; mul.wide.u32 %d3, %r5, 4; add.s64 %d4, %d2, %d3;\n"
                            "mov.u32 %r7, tile; shl.b32 %r8, %r4, 2; add.u32 %r9, %r7, %r8;\n"
                            "ld.global.f32 %f1, [%d4]; mov.u32 %r6, 0; st.shared.f32 [%r9], %f1; bar.sync 0;\n"
                            "again:\n";
static const char end[] = "\nadd.u32 %r6, %r6, 1; setp.lt.u32 %q1, %r6, %r1; @%q1 bra again;\n"
                          "st.global.f32 [%d4], %f1; st.global.u32 [%d4], %r5; ret;\n}\n";

static const struct kernel {
    const char *name, *body;
    bool checked; /* bounds and races */
} kernels[] = {
    {"fused multiply-add", "fma.rn.f32 %f1, %f1, 0f3F000000, 0f3F800000;", true},
    {"integers",
     "mad.lo.u32 %r11, %r6, %r4, %r5; xor.b32 %r12, %r11, %r5; shr.u32 %r13, %r12, 3; add.u32 %r5, %r13, %r12;", true},
    {"loads of global memory", "ld.global.f32 %f2, [%d4]; add.f32 %f1, %f1, %f2;", true},
    {"shared memory, unchecked", "ld.shared.f32 %f2, [%r9]; add.f32 %f1, %f1, %f2; st.shared.f32 [%r9], %f1;", false},
    {"shared memory", "ld.shared.f32 %f2, [%r9]; add.f32 %f1, %f1, %f2; st.shared.f32 [%r9], %f1;", true},
    {"half of the lanes",
     "and.b32 %r11, %r4, 16; setp.eq.u32 %q2, %r11, 0; @%q2 add.f32 %f1, %f1, 0f3F800000; @%q2 mul.f32 %f1, %f1, "
     "0f3F000000;",
     true},
    {"division rounded to zero", "div.rz.f32 %f1, %f1, 0f3F400000;", true},
};

static float data[BLOCKS * THREADS];

/* Returns seconds, and counts thread instructions. */
static double run(const struct kernel *kernel, uint64_t *instructions)
{
    static char text[4096];
    struct arena arena = {0};
    struct ptx_module *module;
    struct error error;
    struct launch_buffer buffer = {.name = "p", .type = PTX_F32, .data = data, .count = BLOCKS * THREADS};
    struct launch_argument arguments[] = {{.is_buffer = true}, {.type = PTX_U32, .bits = TURNS}};
    struct launch const launch = {.kernel = "work",
                                  .grid = {BLOCKS, 1, 1},
                                  .block = {THREADS, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = 2,
                                  .buffers = &buffer,
                                  .buffer_count = 1};
    struct emulator_options const options = {
        .recorded = {1, 0}, .threads = 1, .checks = {.memory = kernel->checked, .races = kernel->checked}};
    struct emulator_result result = {0};
    snprintf(text, sizeof text, "%s%s%s", begin, kernel->body, end);
    double const before = processor_seconds();
    if (!ptx_parse(&arena, "rate.ptx", text, strlen(text), &module, &error) ||
        !emulator_run(module, &launch, &options, &result, &error)) {
        fprintf(stderr, "%s: %s\n", kernel->name, error.message);
        exit(1);
    }
    double const took = processor_seconds() - before;
    *instructions = result.trace->totals.thread_instructions;
    trace_free(result.trace);
    arena_free(&arena);
    return took;
}

int main(void)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        double best = 0;
        for (int time = 0; time < TIMES; time++) {
            uint64_t instructions;
            double const seconds = run(&kernels[i], &instructions), rate = (double)instructions / seconds / 1e9;
            best = rate > best ? rate : best;
        }
        printf("%s\t%.4f\n", kernels[i].name, best);
    }
    return 0;
}
