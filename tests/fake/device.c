#include "device.h"
#include "cuda/api/values.h"
#include "emulator/emulator.h"
#include "ptx/parse.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct device_kernel {
    struct device_module *module;
    const struct ptx_function *function;
};

struct device_module {
    struct arena arena;
    struct ptx_module *ptx_module;
    struct launch_variable *variables;
    struct device_kernel *kernels; /* one for each function of the program */
};

enum { PLACES = 4096, ALIGNMENT = 512, PAGE = 4096 };
static struct {
    struct launch_buffer places[PLACES]; /* what is allocated */
    uint32_t count;
    uint64_t next;
} memory;

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

uint64_t device_allocate(size_t size)
{
    uint64_t const address = memory.next ? memory.next : EMULATOR_PLACED_BASE;
    size_t const whole = (size + 2 * PAGE - 1) / PAGE * PAGE; /* and a page that nothing uses */
    if (memory.count == PLACES || mmap(at(address), whole, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != at(address))
        return 0;
    memory.places[memory.count++] = (struct launch_buffer){
        .name = "memory", .type = PTX_U8, .count = size, .data = at(address), .address = address};
    memory.next = address + whole + PAGE;
    return address;
}

void device_release(uint64_t address)
{
    for (uint32_t i = 0; i < memory.count; i++)
        if (memory.places[i].address == address) {
            munmap(at(address), (memory.places[i].count + 2 * PAGE - 1) / PAGE * PAGE);
            memory.places[i] = memory.places[--memory.count];
        }
}

/* Variables are no places: the launch has them beside its buffers. */
static void make_variables(struct device_module *module)
{
    const struct ptx_module *ptx_module = module->ptx_module;
    module->variables = arena_array(&module->arena, struct launch_variable, (size_t)ptx_module->variable_count + 1);
    for (uint32_t i = 0; i < ptx_module->variable_count; i++) {
        const struct ptx_variable *v = &ptx_module->variables[i];
        if (v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST)
            continue;
        uint64_t const address = device_allocate(v->size + 16);
        if (address)
            memory.count--;
        module->variables[i] = (struct launch_variable){address, at(address)};
    }
    emulator_fill_variables(ptx_module, module->variables);
}

struct device_module *device_load(const char *ptx, char *log, size_t log_size)
{
    struct device_module *module = calloc(1, sizeof *module);
    struct error error = {0};
    if (!module || !ptx_parse(&module->arena, "module", ptx, strlen(ptx), &module->ptx_module, &error)) {
        if (log_size)
            snprintf(log, log_size, "line %d: %s", error.line, error.message);
        device_unload(module);
        return NULL;
    }
    module->kernels = arena_array(&module->arena, struct device_kernel, module->ptx_module->function_count + 1);
    make_variables(module);
    return module;
}

void device_unload(struct device_module *module)
{
    if (module)
        arena_free(&module->arena);
    free(module);
}

struct device_kernel *device_kernel(struct device_module *module, const char *name)
{
    const struct ptx_function *function = ptx_kernel(module->ptx_module, name);
    if (!function)
        return NULL;
    struct device_kernel *kernel = &module->kernels[function - module->ptx_module->functions];
    *kernel = (struct device_kernel){module, function};
    return kernel;
}

bool device_variable(const struct device_module *module, const char *name, uint64_t *address, size_t *size)
{
    for (uint32_t i = 0; i < module->ptx_module->variable_count; i++) {
        *address = module->variables[i].address;
        *size = module->ptx_module->variables[i].size;
        if (*address && strcmp(module->ptx_module->variables[i].name, name) == 0)
            return true;
    }
    return false;
}

static int error_of(const struct trace *trace)
{
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        if (finding_class_of(&trace->findings[i]) != FINDING_FAULT)
            continue;
        switch (trace->findings[i].kind) {
        case FINDING_ENDLESS_LOOP:
        case FINDING_DEADLOCK:
            for (;;)
                pause();
        case FINDING_MISALIGNED:
            return CUDA_API_MISALIGNED_ADDRESS;
        case FINDING_TRAP:
            return CUDA_API_LAUNCH_FAILED;
        case FINDING_ASSERTION:
            return CUDA_API_ASSERT;
        default:
            return CUDA_API_ILLEGAL_ADDRESS;
        }
    }
    return 0;
}

int device_launch(const struct device_kernel *kernel, const unsigned grid[3], const unsigned block[3], unsigned shared,
                  void **arguments)
{
    static const struct launch_blocks nothing = {UINT64_MAX, 0};
    const struct ptx_function *function = kernel->function;
    struct arena arena = {0};
    struct launch_argument *given = arena_array(&arena, struct launch_argument, function->parameter_count + 1);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        given[i] = (struct launch_argument){.type = function->parameters[i].type,
                                            .bytes = arguments[i],
                                            .size = (uint32_t)function->parameters[i].size};
    struct launch const launch = {.kernel = function->name,
                                  .grid = {grid[0], grid[1], grid[2]},
                                  .block = {block[0], block[1], block[2]},
                                  .shared_bytes = shared,
                                  .arguments = given,
                                  .argument_count = function->parameter_count,
                                  .buffers = memory.places,
                                  .buffer_count = memory.count,
                                  .variables = kernel->module->variables};
    struct emulator_options const options = {.recorded = nothing};
    struct emulator_result result = {0};
    struct error error = {0};
    int code = CUDA_API_INVALID_VALUE;
    if (emulator_run(kernel->module->ptx_module, &launch, &options, &result, &error)) {
        fputs(result.output ? result.output : "", stdout);
        code = error_of(result.trace);
        trace_free(result.trace);
    } else {
        fprintf(stderr, "fake driver: %s\n", error.message);
    }
    arena_free(&arena);
    return code;
}
