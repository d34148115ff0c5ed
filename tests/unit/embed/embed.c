/* The library by its header alone: launches, findings, counters, traces, errors, and instances in several threads. */
#include "embed/lanescope.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n";
/* y[i] += a * x[i]; counts its launches in a variable of the module. */
static const char axpy[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 launches = 5;\n"
    ".visible .entry axpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n) {\n"
    ".reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .b64 %d<6>;\n"
    "ld.param.f32 %f1, [a]; ld.param.u64 %d1, [x]; ld.param.u64 %d2, [y]; ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r2, %r2, %r3, %r4;\n"
    "setp.eq.u32 %p, %r2, 0; @%p atom.global.add.u32 %r5, [launches], 1;\n"
    "setp.ge.u32 %p, %r2, %r1; @%p ret;\n"
    "mul.wide.u32 %d3, %r2, 4; add.s64 %d4, %d1, %d3; add.s64 %d5, %d2, %d3;\n"
    "ld.global.f32 %f2, [%d4]; ld.global.f32 %f3, [%d5];\n"
    "fma.rn.f32 %f4, %f1, %f2, %f3; st.global.f32 [%d5], %f4; ret; }\n";
struct arguments { /* of axpy */
    float a;
    const float *x;
    float *y;
    uint32_t n;
};
enum { COUNT = 1000 };

static struct lanescope_launch shape(const struct arguments *arguments)
{
    return (struct lanescope_launch){.grid = {8, 1, 1},
                                     .block = {128, 1, 1},
                                     .arguments = arguments,
                                     .argument_bytes = sizeof *arguments,
                                     .threads = 1};
}

static uint64_t counter(const struct lanescope_run *run, const char *name)
{
    for (size_t i = 0; i < lanescope_counter_count(run); i++)
        if (strcmp(lanescope_counter(run, i)->name, name) == 0)
            return lanescope_counter(run, i)->value;
    return UINT64_MAX;
}

static void load(struct lanescope *lanescope, const char *text, struct lanescope_module **module)
{
    if (lanescope_load(lanescope, text, strlen(text), module))
        fail_msg("%s", lanescope_error(lanescope));
}

/* Runs axpy on memory of both kinds. Returns whether all is as it must be; for threads, which cannot fail a test. */
static bool runs_well(float a)
{
    struct lanescope *lanescope = lanescope_new();
    struct lanescope_module *module;
    struct lanescope_run *run;
    void *memory;
    static _Thread_local float x[COUNT], start[COUNT];
    bool good = lanescope && !lanescope_share(lanescope, x, sizeof x, "x") &&
                !lanescope_allocate(lanescope, sizeof x, &memory) &&
                !lanescope_load(lanescope, axpy, strlen(axpy), &module);
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)i, start[i] = 1;
    for (int round = 1; good && round <= 3; round++) {
        struct arguments const arguments = {a, x, memory, COUNT};
        struct lanescope_launch launch = shape(&arguments);
        launch.checks = LANESCOPE_CHECK_MEMORY | LANESCOPE_CHECK_RACES;
        good = !lanescope_write(lanescope, memory, start, sizeof start) && !lanescope_launch(module, &launch, &run);
        const float *y = memory;
        for (int i = 0; good && i < COUNT; i++)
            good = y[i] == a * x[i] + 1;
        size_t bytes;
        const uint32_t *launches = lanescope_variable(module, "launches", &bytes);
        good = good && lanescope_finding_count(run) == 0 && bytes == 4 && *launches == 5 + (uint32_t)round &&
               counter(run, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum") == 32;
        if (good && round < 3)
            lanescope_run_free(run);
    }
    lanescope_free(lanescope);
    return good;
}

static void a_kernel_runs_on_memory_of_the_program_and_of_the_library(void **state)
{
    (void)state;
    assert_true(runs_well(2));
    assert_string_equal(lanescope_version(), LANESCOPE_VERSION);
}

static void *work(void *number)
{
    bool good = true;
    for (int i = 0; i < 5; i++)
        good = good && runs_well((float)(*(int *)number + i));
    *(int *)number = good;
    return NULL;
}

static void instances_in_several_threads_do_not_meet(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(numbers[i]);
    }
}

static void kernels_are_listed_with_their_parameters(void **state)
{
    (void)state;
    struct lanescope *lanescope = lanescope_new();
    struct lanescope_module *module;
    load(lanescope, axpy, &module);
    assert_int_equal(lanescope_kernel_count(module), 1);
    const struct lanescope_kernel *kernel = lanescope_kernel(module, 0);
    assert_string_equal(kernel->name, "axpy");
    assert_true(kernel->parameter_count == 4 && kernel->argument_bytes == 28 && !kernel->required_block[0]);
    assert_string_equal(lanescope_parameter(kernel, 2)->name, "y");
    assert_true(lanescope_parameter(kernel, 2)->offset == 16 && lanescope_parameter(kernel, 2)->bytes == 8);
    assert_true(!lanescope_parameter(kernel, 4) && !lanescope_kernel(module, 1));
    size_t bytes;
    assert_true(!lanescope_variable(module, "nothing", &bytes) && bytes == 0);
    lanescope_unload(module);
    lanescope_free(lanescope);
    lanescope_free(NULL);
}

static void mistakes_are_findings(void **state)
{
    (void)state;
    struct lanescope *lanescope = lanescope_new();
    struct lanescope_module *module;
    struct lanescope_run *run;
    void *x, *y;
    load(lanescope, axpy, &module);
    assert_int_equal(lanescope_allocate(lanescope, 512, &x), LANESCOPE_OK);
    assert_int_equal(lanescope_allocate(lanescope, 512, &y), LANESCOPE_OK);
    struct arguments arguments = {1, x, y, 128};
    struct lanescope_launch launch = shape(&arguments);
    launch.checks = LANESCOPE_CHECK_MEMORY;
    launch.grid[0] = 1;
    assert_int_equal(lanescope_launch(module, &launch, &run), LANESCOPE_OK);
    assert_true(lanescope_finding_count(run) > 0);
    const struct lanescope_finding *finding = lanescope_finding(run, 0);
    assert_string_equal(finding->kind, "uninitialized read");
    assert_true(finding->severity == LANESCOPE_NOTE && finding->at.line == 12);
    assert_string_equal(finding->at.file, "kernel.ptx");
    assert_null(lanescope_finding(run, lanescope_finding_count(run)));

    arguments.n = 129; /* and one block more */
    launch.grid[0] = 2;
    launch.checks = 0;
    assert_int_equal(lanescope_launch(module, &launch, &run), LANESCOPE_OK);
    finding = lanescope_finding(run, 0);
    assert_string_equal(finding->kind, "out of bounds");
    assert_true(finding->severity == LANESCOPE_FAULT && finding->at.block == 1 && finding->at.thread[0] == 0);
    assert_true(finding->address == (uint64_t)(uintptr_t)x + 512);
    assert_non_null(strstr(finding->message, "out of bounds"));

    arguments = (struct arguments){1, (float *)y + 1, y, 100}; /* reads what the thread above writes */
    launch.grid[0] = 1;
    launch.checks = LANESCOPE_CHECK_RACES;
    assert_int_equal(lanescope_launch(module, &launch, &run), LANESCOPE_OK);
    finding = lanescope_finding(run, 0);
    assert_string_equal(finding->kind, "race");
    assert_true(finding->severity == LANESCOPE_HAZARD && finding->first.line == 12 && finding->at.line == 13);
    lanescope_free(lanescope);
}

static void a_trace_goes_to_a_file_and_to_memory(void **state)
{
    (void)state;
    struct lanescope *lanescope = lanescope_new();
    struct lanescope_module *module;
    struct lanescope_run *run;
    float x[128] = {0}, y[128] = {0};
    struct arguments const arguments = {1, x, y, 128};
    struct lanescope_launch launch = shape(&arguments);
    char path[] = "/tmp/lanescope-embed-XXXXXX.trace", *read = malloc(1 << 20);
    launch.record_count = 1;
    load(lanescope, axpy, &module);
    assert_false(lanescope_share(lanescope, x, sizeof x, "x") || lanescope_share(lanescope, y, sizeof y, NULL));
    assert_int_equal(lanescope_launch(module, &launch, &run), LANESCOPE_OK);
    close(mkstemps(path, 6));
    const void *bytes;
    size_t count;
    assert_int_equal(lanescope_trace_write(run, path), LANESCOPE_OK);
    assert_int_equal(lanescope_trace_bytes(run, &bytes, &count), LANESCOPE_OK);
    assert_memory_equal(bytes, "lanetrac", 8);
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(read, 1, 1 << 20, file), count);
    assert_memory_equal(read, bytes, count);
    fclose(file);
    unlink(path);
    assert_int_equal(lanescope_trace_write(run, "/dev/null/a.trace"), LANESCOPE_WRONG);
    assert_true(*lanescope_error(lanescope));
    free(read);
    lanescope_free(lanescope);
}

static void wrong_calls_are_errors_with_a_sentence(void **state)
{
    (void)state;
    struct lanescope *lanescope = lanescope_new();
    struct lanescope_module *module, *other;
    struct lanescope_run *run;
    float x[128];
    void *memory;
    assert_string_equal(lanescope_error(lanescope), "");
    assert_int_equal(lanescope_load(lanescope, "no PTX", 6, &other), LANESCOPE_WRONG);
    assert_null(other);
    assert_non_null(strstr(lanescope_error(lanescope), "kernel.ptx:1: "));
    assert_int_equal(lanescope_share(lanescope, x, sizeof x, NULL), LANESCOPE_OK);
    assert_int_equal(lanescope_share(lanescope, &x[100], 4, NULL), LANESCOPE_WRONG);
    assert_non_null(strstr(lanescope_error(lanescope), "overlaps"));
    assert_int_equal(lanescope_share(lanescope, x, 0, NULL), LANESCOPE_WRONG);
    assert_int_equal(lanescope_share(lanescope, NULL, 4, NULL), LANESCOPE_WRONG);
    assert_int_equal(lanescope_share(lanescope, (void *)(uintptr_t)0x4e0000000000, 4096, NULL), LANESCOPE_WRONG);
    assert_int_equal(lanescope_release(lanescope, &x[1]), LANESCOPE_WRONG);
    assert_int_equal(lanescope_write(lanescope, &x[127], x, 8), LANESCOPE_WRONG);
    assert_int_equal(lanescope_allocate(lanescope, SIZE_MAX - 5, &memory), LANESCOPE_MISSING);
    assert_null(memory);
    assert_int_equal(lanescope_release(lanescope, x), LANESCOPE_OK);

    load(lanescope, axpy, &module);
    struct arguments const arguments = {1, x, x, 128};
    struct lanescope_launch launch = shape(&arguments);
    launch.argument_bytes = 27;
    assert_int_equal(lanescope_launch(module, &launch, &run), LANESCOPE_WRONG);
    assert_non_null(strstr(lanescope_error(lanescope), "27 bytes, but axpy takes 28"));
    launch = shape(&arguments);
    launch.kernel = "saxpy";
    assert_int_equal(lanescope_launch(module, &launch, &run), LANESCOPE_WRONG);
    assert_null(run);
    launch.kernel = NULL;
    launch.block[0] = 2048;
    assert_int_equal(lanescope_launch(module, &launch, &run), LANESCOPE_WRONG);
    assert_non_null(strstr(lanescope_error(lanescope), "1024 threads"));
    launch = shape(&arguments);
    assert_int_equal(lanescope_launch(module, &launch, &run), LANESCOPE_OK); /* the memory was released: a fault */
    assert_string_equal(lanescope_finding(run, 0)->kind, "out of bounds");
    lanescope_free(lanescope);
}

static void ptx_run_takes_values(void **state)
{
    (void)state;
    struct lanescope *lanescope = lanescope_new();
    float *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y), two = 2;
    void *arguments[4] = {NULL, x, y, (void *)(uintptr_t)COUNT};
    memcpy(&arguments[0], &two, sizeof two);
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)i, y[i] = 1;
    if (lanescope_ptx_run(lanescope, axpy, 4, arguments, 128, 1, 1, 8, 1, 1, 0))
        fail_msg("%s", lanescope_error(lanescope));
    assert_int_equal(ptx_run(axpy, 4, arguments, 128, 1, 1, 8, 1, 1, 0), 0);
    for (int i = 0; i < COUNT; i++)
        assert_true(y[i] == 4 * x[i] + 1);
    assert_int_equal(lanescope_ptx_run(lanescope, axpy, 3, arguments, 128, 1, 1, 8, 1, 1, 0), LANESCOPE_WRONG);
    assert_non_null(strstr(lanescope_error(lanescope), "3 arguments are given, but kernel axpy takes 4"));
    assert_int_equal(lanescope_ptx_run(lanescope, axpy, 4, arguments, 0, 1, 1, 8, 1, 1, 0), LANESCOPE_WRONG);
    assert_int_equal(lanescope_ptx_run(lanescope, head, 0, NULL, 1, 1, 1, 1, 1, 1, 0), LANESCOPE_WRONG);
    arguments[1] = NULL;
    assert_int_equal(lanescope_ptx_run(lanescope, axpy, 4, arguments, 128, 1, 1, 8, 1, 1, 0), LANESCOPE_WRONG);
    assert_non_null(strstr(lanescope_error(lanescope), "kernel.ptx:12: "));
    free(x);
    free(y);
    lanescope_free(lanescope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_kernel_runs_on_memory_of_the_program_and_of_the_library),
                                       cmocka_unit_test(instances_in_several_threads_do_not_meet),
                                       cmocka_unit_test(kernels_are_listed_with_their_parameters),
                                       cmocka_unit_test(mistakes_are_findings),
                                       cmocka_unit_test(a_trace_goes_to_a_file_and_to_memory),
                                       cmocka_unit_test(wrong_calls_are_errors_with_a_sentence),
                                       cmocka_unit_test(ptx_run_takes_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
