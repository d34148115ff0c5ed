/* Whole runs of PTX that began as valid programs, and the probes of a GPU's recording for the same text. The emulator
 * must refuse every program that the parser accepts with an error, or run it to an end within its budget, on any
 * arguments. The first line may give the launch: `// BLOCKS THREADS SHARED`. */
#include "emulator/emulator.h"
#include "fuzz.h"
#include "mutate.h"
#include "ptx/parse.h"
#include "stages.h"
#include <stdio.h>
#include <string.h>

enum { PARAMETERS_MAX = 16, ELEMENTS = 256 };
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size, uint8_t *out,
                                 size_t most, unsigned seed);

/* Returns false for variables of hundreds of megabytes, which are valid but exceed this process's limit. */
static bool is_small(const struct ptx_module *module)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < module->variable_count && bytes <= (size_t)16 << 20; i++)
        bytes += module->variables[i].size;
    return bytes <= (size_t)16 << 20;
}

static const struct ptx_function *first_kernel(const struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++)
        if (module->functions[f].is_kernel && module->functions[f].has_body)
            return &module->functions[f];
    return NULL;
}

/* Returns whether the emulator would run the first kernel. */
static bool is_runnable(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct ptx_module *module;
    struct ptx_unknown *unknown;
    struct error error;
    bool const parsed = ptx_parse(&arena, "fuzz.ptx", (const char *)data, size, &module, &error);
    const struct ptx_function *kernel = parsed ? first_kernel(module) : NULL;
    bool const runnable = kernel && emulator_unsupported(&arena, module, kernel, &unknown) == 0;
    arena_free(&arena);
    return runnable;
}

/* Takes back most changes that make a program unfit to run, so that many inputs run. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint8_t before[16384];
    bool const keep = seed % 8 == 0 || size > sizeof before;
    if (!keep && size)
        memcpy(before, data, size);
    size_t changed = mutate_ptx(data, size, most, seed);
    for (unsigned tries = 1; !keep && tries < 8 && !is_runnable(data, changed); tries++) {
        if (size)
            memcpy(data, before, size);
        changed = mutate_ptx(data, size, most, seed + tries * 7919);
    }
    return changed;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size, uint8_t *out,
                                 size_t most, unsigned seed)
{
    size_t const size = one_size < most ? one_size : most;
    memcpy(out, one, size);
    return mutate_ptx_with(out, size, most, two, two_size, seed);
}

/* Reads the launch in the first line and keeps it small, because blocks * budget bounds the time of a run. */
static void choose_shape(struct launch *launch, const uint8_t *data, size_t size)
{
    char line[64] = "";
    unsigned blocks = 2, threads = 40, shared = 256;
    memcpy(line, data, size < sizeof line - 1 ? size : sizeof line - 1);
    sscanf(line, "// %8u %8u %8u", &blocks, &threads, &shared);
    launch->grid[0] = blocks % 4 + (blocks == 4);
    launch->grid[1] = launch->grid[2] = 1;
    launch->block[0] = threads > 128 ? threads % 128 : threads;
    launch->block[1] = launch->block[2] = 1;
    launch->shared_bytes = shared % 8192;
}

/* Makes 64-bit parameters buffers, and the others small numbers. */
static bool choose_arguments(struct launch *launch, const struct ptx_function *kernel,
                             struct launch_argument arguments[PARAMETERS_MAX],
                             struct launch_buffer buffers[PARAMETERS_MAX], float data[PARAMETERS_MAX][ELEMENTS])
{
    if (kernel->parameter_count > PARAMETERS_MAX)
        return false;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        if (kernel->parameters[i].size == 8) {
            for (unsigned k = 0; k < ELEMENTS; k++)
                data[launch->buffer_count][k] = (float)k;
            buffers[launch->buffer_count] = (struct launch_buffer){
                .name = "x", .type = PTX_F32, .count = ELEMENTS, .data = data[launch->buffer_count]};
            arguments[i] = (struct launch_argument){.is_buffer = true, .buffer = launch->buffer_count++};
        } else {
            arguments[i] = (struct launch_argument){.type = kernel->parameters[i].type, .bits = 37};
        }
    }
    launch->kernel = kernel->name;
    launch->arguments = arguments;
    launch->argument_count = kernel->parameter_count;
    launch->buffers = buffers;
    return true;
}

/* Runs with every check and record when `watched`, and as a quick run otherwise. */
static void run(const struct ptx_module *module, const struct launch *launch, bool watched)
{
    struct emulator_options const options = {.recorded = watched ? LAUNCH_ALL_BLOCKS : (struct launch_blocks){1, 0},
                                             .timer = stages_timer(),
                                             .checks.values = watched,
                                             .checks.memory = watched,
                                             .checks.races = watched,
                                             .budget = 2000,
                                             .threads = 1};
    struct emulator_result result = {0};
    struct error error = {0};
    if (!emulator_run(module, launch, &options, &result, &error)) {
        require(error.message[0]);
        return;
    }
    require(result.trace && result.output);
    stages_ask(result.trace);
    trace_free(result.trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float memory[2][PARAMETERS_MAX][ELEMENTS];
    struct arena arena = {0};
    struct ptx_module *module;
    struct ptx_unknown *unknown;
    struct error error;
    if (!ptx_parse(&arena, "fuzz.ptx", (const char *)data, size, &module, &error)) {
        arena_free(&arena);
        return -1; /* do not keep the input in the corpus */
    }
    const struct ptx_function *kernel = is_small(module) ? first_kernel(module) : NULL;
    for (int watched = 0; kernel && watched < 2; watched++) {
        struct launch launch = {0};
        struct launch_argument arguments[PARAMETERS_MAX];
        struct launch_buffer buffers[PARAMETERS_MAX];
        choose_shape(&launch, data, size);
        if (choose_arguments(&launch, kernel, arguments, buffers, memory[watched]))
            run(module, &launch, watched != 0);
    }
    if (kernel) {
        emulator_unsupported(&arena, module, kernel, &unknown);
        stages_probe(module, kernel, size & 1);
    }
    arena_free(&arena);
    return 0;
}
