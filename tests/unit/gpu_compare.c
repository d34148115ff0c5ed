/* The emulator's trace of each lesson kernel and the GPU's are the same, and so are the results. Launches cover partial
 * warps and blocks, one and several warps, every element size and strides that conflict and that do not. */
#include "base/file.h"
#include "cuda/cuda.h"
#include "emulator/emulator.h"
#include "ptx/parse.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* after the above, as cmocka asks */
#include <cmocka.h>

enum { WORDS = 16384, SCALARS = 4, ARGUMENTS = 8 };

struct sides { /* one launch's buffers, once for each executor */
    struct launch_buffer buffers[ARGUMENTS];
    struct launch_argument arguments[ARGUMENTS];
    struct launch launch;
};

/* Pointer parameters are buffers of WORDS words each, small whole numbers in them; the rest takes the scalars in turn.
 */
static void prepare(struct arena *arena, const struct ptx_function *kernel, const uint32_t scalars[SCALARS],
                    struct sides *sides)
{
    uint32_t buffers = 0, used = 0;
    assert_true(kernel->parameter_count <= ARGUMENTS);
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        if (kernel->parameters[i].size != sizeof(uint64_t)) {
            assert_true(used < SCALARS);
            sides->arguments[i] = (struct launch_argument){.type = PTX_U32, .bits = scalars[used++]};
            continue;
        }
        float *words = arena_array(arena, float, WORDS);
        for (size_t w = 0; w < WORDS; w++)
            words[w] = (float)((w * 37 + buffers) % 64);
        sides->buffers[buffers] =
            (struct launch_buffer){.name = "buffer", .type = PTX_F32, .count = WORDS, .data = words};
        sides->arguments[i] = (struct launch_argument){.is_buffer = true, .buffer = buffers++};
    }
    sides->launch.arguments = sides->arguments;
    sides->launch.argument_count = kernel->parameter_count;
    sides->launch.buffers = sides->buffers;
    sides->launch.buffer_count = buffers;
}

static void compare(const struct ptx_program *program, const char *name, uint32_t grid, uint32_t block,
                    const uint32_t scalars[SCALARS])
{
    struct arena arena = {0};
    const struct ptx_function *kernel = ptx_kernel(program, name);
    assert_non_null(kernel);
    struct sides emulator = {0}, gpu = {0};
    prepare(&arena, kernel, scalars, &emulator);
    prepare(&arena, kernel, scalars, &gpu);
    struct launch *const launches[] = {&emulator.launch, &gpu.launch};
    for (size_t i = 0; i < 2; i++) {
        launches[i]->kernel = name;
        for (size_t d = 0; d < 3; d++)
            launches[i]->grid[d] = launches[i]->block[d] = 1;
        launches[i]->grid[0] = grid;
        launches[i]->block[0] = block;
    }
    struct emulator_options const options = {.recorded = LAUNCH_ALL_BLOCKS};
    struct emulator_result result;
    struct trace *trace = NULL;
    struct error error;
    char line[1024];
    if (!emulator_run(program, &emulator.launch, &options, &result, &error) ||
        !cuda_trace(program, &gpu.launch, LAUNCH_ALL_BLOCKS, NULL, &trace, &error))
        fail_msg("%s: %s", name, error_line(&error, line, sizeof line));
    assert_int_equal(result.trace->fault_count, 0);
    assert_true(trace->events.count > 0);
    struct trace_difference difference;
    trace_compare(result.trace, trace, &difference);
    if (difference.differ)
        fail_msg("%s <<<%" PRIu32 ", %" PRIu32 ">>>: %s", name, grid, block, difference.text);
    for (uint32_t i = 0; i < gpu.launch.buffer_count; i++)
        assert_memory_equal(emulator.buffers[i].data, gpu.buffers[i].data, WORDS * sizeof(float));
    trace_free(result.trace);
    trace_free(trace);
    arena_free(&arena);
}

/* Calls back for every shipped PTX of a kernel file; fails when there is none. */
static void each_shipped(const char *file, void (*check)(const struct ptx_program *program))
{
    struct arena arena = {0};
    char **names, *text;
    size_t size, found = 0;
    const char *folder = data_path(&arena, "assets/ptx");
    size_t const count = folder_list(&arena, folder, &names);
    for (size_t i = 0; i < count; i++) {
        if (strncmp(names[i], file, strlen(file)) != 0 || names[i][strlen(file)] != '.')
            continue;
        struct ptx_program *program;
        struct error error;
        assert_true(file_read(&arena, arena_format(&arena, "%s/%s", folder, names[i]), &text, &size, &error));
        assert_true(ptx_parse(&arena, names[i], text, size, &program, &error));
        check(program);
        found++;
    }
    assert_true(found > 0);
    arena_free(&arena);
}

static void check_adjdiff(const struct ptx_program *program)
{
    static const uint32_t blocks[] = {32, 96, 256, 1024}, lengths[] = {1, 1000, 1024, 5000};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
            uint32_t const scalars[SCALARS] = {lengths[n]}, grid = (lengths[n] + blocks[b] - 1) / blocks[b];
            compare(program, "adjdiff_global", grid, blocks[b], scalars);
            compare(program, "adjdiff_shared", grid, blocks[b], scalars);
        }
}

static void check_banks(const struct ptx_program *program)
{
    static const uint32_t strides[] = {0, 1, 2, 17, 32, 64};
    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++)
        for (uint32_t padding = 0; padding < 3; padding += 2) {
            uint32_t const scalars[SCALARS] = {strides[s], padding, 2112, 4};
            compare(program, "banks_load", 1, 32, scalars);
            compare(program, "banks_store", 1, 32, scalars);
        }
}

static void adjacent_difference_is_the_same_on_both(void **state)
{
    (void)state;
    each_shipped("adjdiff", check_adjdiff);
}

static void strided_shared_memory_is_the_same_on_both(void **state)
{
    (void)state;
    each_shipped("banks", check_banks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjacent_difference_is_the_same_on_both),
        cmocka_unit_test(strided_shared_memory_is_the_same_on_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
