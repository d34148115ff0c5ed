/* Runs one kernel of a PTX text or file on the emulator, for the emulator's tests. */
#ifndef LANESCOPE_TESTS_EMULATOR_HELPER_H
#define LANESCOPE_TESTS_EMULATOR_HELPER_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "emulator/emulator.h"
#include "finding_helper.h"
#include "ptx/parse.h"

struct bench {
    struct arena arena;
    struct ptx_module *module;
    struct launch launch;
    struct launch_buffer buffers[8];
    struct launch_argument arguments[16];
    struct emulator_options options;
    struct emulator_result result;
    struct error error;
};

static inline void bench_text(struct bench *b, const char *text)
{
    *b = (struct bench){.options = {.recorded = {1, 0}, .threads = 1}};
    if (!ptx_parse(&b->arena, "test.ptx", text, strlen(text), &b->module, &b->error))
        fail_msg("%s at line %d", b->error.message, b->error.line);
}

static inline void bench_file(struct bench *b, const char *path)
{
    struct arena arena = {0};
    char *text;
    size_t size;
    struct error error = {0};
    if (!file_read(&arena, path, &text, &size, &error))
        fail_msg("%s", error.message);
    bench_text(b, text);
    arena_free(&arena);
}

static inline void bench_launch(struct bench *b, const char *kernel, uint32_t grid, uint32_t block)
{
    if (b->result.trace)
        trace_free(b->result.trace);
    b->result = (struct emulator_result){0};
    b->launch = (struct launch){.kernel = kernel,
                                .grid = {grid, 1, 1},
                                .block = {block, 1, 1},
                                .arguments = b->arguments,
                                .buffers = b->buffers};
}

static inline void bench_buffer(struct bench *b, enum ptx_type type, void *data, uint64_t count)
{
    uint32_t index = b->launch.buffer_count++;
    b->buffers[index] = (struct launch_buffer){.name = "buffer", .type = type, .data = data, .count = count};
    b->arguments[b->launch.argument_count++] = (struct launch_argument){.is_buffer = true, .buffer = index};
}

static inline void bench_scalar(struct bench *b, enum ptx_type type, uint64_t bits)
{
    b->arguments[b->launch.argument_count++] = (struct launch_argument){.type = type, .bits = bits};
}

static inline void bench_run(struct bench *b)
{
    if (!emulator_run(b->module, &b->launch, &b->options, &b->result, &b->error))
        fail_msg("%s", b->error.message);
}

static inline void bench_free(struct bench *b)
{
    if (b->result.trace)
        trace_free(b->result.trace);
    arena_free(&b->arena);
}

/* The modes of a launch: no block recorded; two blocks recorded; two recorded and all checks on. */
enum { QUICK, RECORDED, CHECKED, MODES };

static inline void bench_mode(struct bench *b, int mode, unsigned threads)
{
    b->options = (struct emulator_options){.recorded = {1, 0}, .threads = threads};
    if (mode != QUICK)
        b->options.recorded = (struct launch_blocks){0, 1};
    b->options.checks.memory = b->options.checks.races = mode == CHECKED;
}

/* Runs, and expects no finding. */
static inline void bench_run_clean(struct bench *b)
{
    bench_run(b);
    expect_no_finding(b->result.trace);
}

/* Set-up and tear-down of a group: *state is the bench of the file's program. */
static inline int bench_open(void **state, const char *path)
{
    struct bench *bench = malloc(sizeof *bench);
    assert_non_null(bench);
    bench_file(bench, path);
    *state = bench;
    return 0;
}

static inline int bench_close(void **state)
{
    bench_free(*state);
    free(*state);
    return 0;
}
#endif
