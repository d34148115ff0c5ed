/* A launch for PTX that nobody wrote a launch for: its first kernel, on small buffers. */
#ifndef LANESCOPE_TESTS_FUZZ_LAUNCHED_H
#define LANESCOPE_TESTS_FUZZ_LAUNCHED_H
#include "emulator/emulator.h"
#include <stdio.h>
#include <string.h>

enum { LAUNCHED_PARAMETERS = 16, LAUNCHED_ELEMENTS = 256 };

/* Returns false for variables of hundreds of megabytes, which are valid but exceed this process's limit. */
static inline bool launched_small(const struct ptx_module *module)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < module->variable_count && bytes <= (size_t)16 << 20; i++)
        bytes += module->variables[i].size;
    return bytes <= (size_t)16 << 20;
}

static inline const struct ptx_function *launched_kernel(const struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++)
        if (module->functions[f].is_kernel && module->functions[f].has_body)
            return &module->functions[f];
    return NULL;
}

/* Reads the launch in the first line and keeps it small, because blocks * budget bounds the time of a run. */
static inline void launched_shape(struct launch *launch, const uint8_t *data, size_t size)
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
static inline bool launched_arguments(struct launch *launch, const struct ptx_function *kernel,
                                      struct launch_argument arguments[LAUNCHED_PARAMETERS],
                                      struct launch_buffer buffers[LAUNCHED_PARAMETERS],
                                      float data[LAUNCHED_PARAMETERS][LAUNCHED_ELEMENTS])
{
    if (kernel->parameter_count > LAUNCHED_PARAMETERS)
        return false;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        if (kernel->parameters[i].size == 8) {
            for (unsigned k = 0; k < LAUNCHED_ELEMENTS; k++)
                data[launch->buffer_count][k] = (float)k;
            buffers[launch->buffer_count] = (struct launch_buffer){
                .name = "x", .type = PTX_F32, .count = LAUNCHED_ELEMENTS, .data = data[launch->buffer_count]};
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
#endif
