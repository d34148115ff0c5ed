/* Whole runs of PTX that began as valid programs, and the probes of a GPU's recording for the same text. The emulator
 * must refuse every program that the parser accepts with an error, or run it to an end within its budget, on any
 * arguments. The first line may give the launch: `// BLOCKS THREADS SHARED`. */
#include "emulator/emulator.h"
#include "fuzz.h"
#include "launched.h"
#include "mutate.h"
#include "ptx/parse.h"
#include "stages.h"
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size, uint8_t *out,
                                 size_t most, unsigned seed);

/* Returns whether the emulator would run the first kernel. */
static bool is_runnable(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct ptx_module *module;
    struct ptx_unknown *unknown;
    struct error error;
    bool const parsed = ptx_parse(&arena, "fuzz.ptx", (const char *)data, size, &module, &error);
    const struct ptx_function *kernel = parsed ? launched_kernel(module) : NULL;
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
    static float memory[2][LAUNCHED_PARAMETERS][LAUNCHED_ELEMENTS];
    struct arena arena = {0};
    struct ptx_module *module;
    struct ptx_unknown *unknown;
    struct error error;
    if (!ptx_parse(&arena, "fuzz.ptx", (const char *)data, size, &module, &error)) {
        arena_free(&arena);
        return -1; /* do not keep the input in the corpus */
    }
    const struct ptx_function *kernel = launched_small(module) ? launched_kernel(module) : NULL;
    for (int watched = 0; kernel && watched < 2; watched++) {
        struct launch launch = {0};
        struct launch_argument arguments[LAUNCHED_PARAMETERS];
        struct launch_buffer buffers[LAUNCHED_PARAMETERS];
        launched_shape(&launch, data, size);
        if (launched_arguments(&launch, kernel, arguments, buffers, memory[watched]))
            run(module, &launch, watched != 0);
    }
    if (kernel) {
        emulator_unsupported(&arena, module, kernel, &unknown);
        stages_probe(module, kernel, size & 1);
    }
    arena_free(&arena);
    return 0;
}
