/* A run's memory beyond its buffers does not grow with the grid, neither for counting nor for finding bytes that were
 * never written. Each run has a process of its own, whose peak memory is measured. */
#include "emulator_helper.h"
#include "model/counts.h"
#include "sanitized.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 256, FEW = 1 << 20, MANY = 12 << 20 };

static const char add[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(.param .u64 c, .param .u64 a, .param .u64 b)\n{\n"
    ".reg .b32 %r<4>;\n.reg .f32 %f<3>;\n.reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd0, [c];\nld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\n"
    "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.u32 %r3, %r1, %r2, %r0;\n"
    "mul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd0, %rd3;\nadd.s64 %rd5, %rd1, %rd3;\nadd.s64 %rd6, %rd2, %rd3;\n"
    "ld.global.f32 %f0, [%rd5];\nld.global.f32 %f1, [%rd6];\nadd.f32 %f2, %f0, %f1;\nst.global.f32 [%rd4], %f2;\n"
    "ret;\n}\n";

static float *matrix(uint64_t count, float value)
{
    float *data = malloc(count * sizeof *data);
    if (!data)
        _exit(1);
    for (uint64_t i = 0; i < count; i++)
        data[i] = value;
    return data;
}

/* Returns the peak in KiB, as getrusage reports it. */
static long run_one(uint32_t count, bool check_memory)
{
    struct bench b;
    uint32_t site_count;
    bench_text(&b, add);
    const struct trace_site *sites = trace_sites(&b.arena, b.module, &site_count);
    bench_launch(&b, "add", count / THREADS, THREADS);
    for (int i = 0; i < 3; i++)
        bench_buffer(&b, PTX_F32, matrix(count, (float)i), count);
    b.buffers[0].unwritten = true;
    b.options = (struct emulator_options){.recorded = {0, 3},
                                          .threads = 2,
                                          .checks.memory = check_memory,
                                          .listener = counts_listener(counts_tally_new(sites, site_count))};
    bench_run(&b);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    bool right = trace_faults(b.result.trace) == 0 && ((float *)b.buffers[0].data)[count - 1] == 3;
    return right ? usage.ru_maxrss : -1;
}

static long peak(uint32_t count, bool check_memory)
{
    int ends[2];
    long kibibytes = -1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        kibibytes = run_one(count, check_memory);
        _exit(write(ends[1], &kibibytes, sizeof kibibytes) != sizeof kibibytes);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &kibibytes, sizeof kibibytes), sizeof kibibytes);
    close(ends[0]);
    waitpid(child, NULL, 0);
    assert_true(kibibytes > 0);
    return kibibytes;
}

static void grows_by(bool check_memory, double bytes_an_element)
{
    if (SANITIZED)
        skip(); /* the sanitizer's own bookkeeping would be measured */
    long few = peak(FEW, check_memory), many = peak(MANY, check_memory);
    double grown = (double)(many - few) * 1024, slack = 4 << 20;
    if (grown > bytes_an_element * (MANY - FEW) + slack)
        fail_msg("%.0f bytes for each further thread", grown / (MANY - FEW));
}

static void counting_takes_no_memory_per_block(void **state)
{
    (void)state;
    grows_by(false, 3 * sizeof(float));
}

static void the_check_for_unwritten_memory_takes_one_bit_per_byte(void **state)
{
    (void)state;
    grows_by(true, 3 * sizeof(float) + sizeof(float) / 8.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counting_takes_no_memory_per_block),
                                       cmocka_unit_test(the_check_for_unwritten_memory_takes_one_bit_per_byte)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
