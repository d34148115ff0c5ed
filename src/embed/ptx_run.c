/* ptx_run, as drivers that stand in for CUDA's call it: a PTX text, and the values of its parameters. */
#include "embed/embed.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char of_process[] = "memory of the process";

/* Moves *begin behind what the instance knows there, a memory or a variable of a module. Returns where the next such
 * thing begins, at most `end`. */
static uint64_t next_known(const struct lanescope *instance, uint64_t *begin, uint64_t end)
{
    uint64_t next = end;
    bool moved = true;
    while (moved) {
        moved = false;
        next = end;
        for (size_t i = 0; i < instance->memory.count; i++) {
            const struct embed_memory *known = &instance->memory.items[i];
            moved = moved || *begin - known->address < known->bytes;
            *begin = *begin - known->address < known->bytes ? known->address + known->bytes : *begin;
            next = known->address >= *begin && known->address < next ? known->address : next;
        }
        for (const struct lanescope_module *module = instance->modules; module; module = module->next)
            for (uint32_t i = 0; i < module->ptx->variable_count; i++) {
                uint64_t const address = module->variables[i].address, bytes = module->ptx->variables[i].size;
                bool const inside = address && *begin - address < bytes;
                moved = moved || inside;
                *begin = inside ? address + bytes : *begin;
                next = address && address >= *begin && address < next ? address : next;
            }
    }
    return next;
}

/* Shares what of a mapping the instance does not know yet. */
static enum lanescope_status share_rest(struct lanescope *instance, uint64_t begin, uint64_t end)
{
    enum lanescope_status status = LANESCOPE_OK;
    while (!status && begin < end) {
        uint64_t const next = next_known(instance, &begin, end);
        if (begin >= end)
            break;
        if (next > begin)
            status = lanescope_share(instance, (void *)(uintptr_t)begin, (size_t)(next - begin), of_process);
        begin = next;
    }
    return status;
}

/* Shares the mappings of the process that can be read and written and that an argument points into. */
static enum lanescope_status share_mappings(struct lanescope *instance, int count, void *const *arguments)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[4352];
    enum lanescope_status status = LANESCOPE_OK;
    if (!maps) {
        error_set(&instance->error, ERROR_MISSING, "/proc/self/maps cannot be read: %s", strerror(errno));
        return embed_fail(instance);
    }
    while (!status && fgets(line, sizeof line, maps)) {
        uint64_t begin, end;
        char rights[8];
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &begin, &end, rights) != 3 || strncmp(rights, "rw", 2) != 0)
            continue;
        bool pointed = false;
        for (int i = 0; i < count; i++)
            pointed = pointed || (uint64_t)(uintptr_t)arguments[i] - begin < end - begin;
        if (pointed)
            status = share_rest(instance, begin, end);
    }
    fclose(maps);
    return status;
}

/* Lays the values out as the kernel's block of arguments: of each the low bytes. */
static uint8_t *block_of(struct lanescope *instance, const struct lanescope_kernel *kernel, int count,
                         void *const *arguments)
{
    uint8_t *block = calloc(1, kernel->argument_bytes + 1);
    if (!block || (uint32_t)count != kernel->parameter_count) {
        error_set(&instance->error, ERROR_INPUT, "%d {argument is|arguments are} given, but kernel %s takes %u", count,
                  kernel->name, kernel->parameter_count);
        embed_fail(instance);
        free(block);
        return NULL;
    }
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct lanescope_parameter *parameter = lanescope_parameter(kernel, i);
        size_t const bytes = parameter->bytes < sizeof(void *) ? parameter->bytes : sizeof(void *);
        memcpy(block + parameter->offset, &arguments[i], bytes); /* little-endian */
    }
    return block;
}

static enum lanescope_status launch(struct lanescope *instance, struct lanescope_module *module,
                                    const struct lanescope_launch *shape, int count, void *const *arguments)
{
    const struct lanescope_kernel *kernel = lanescope_kernel(module, 0);
    struct lanescope_launch asked = *shape;
    struct lanescope_run *run;
    if (lanescope_kernel_count(module) != 1) {
        error_set(&instance->error, ERROR_INPUT, "the text holds %zu {kernel|kernels}, not one",
                  lanescope_kernel_count(module));
        return embed_fail(instance);
    }
    uint8_t *block = block_of(instance, kernel, count, arguments);
    if (!block)
        return LANESCOPE_WRONG;
    asked.arguments = block;
    asked.argument_bytes = kernel->argument_bytes;
    enum lanescope_status status = lanescope_launch(module, &asked, &run);
    free(block);
    for (size_t i = 0; !status && i < lanescope_finding_count(run); i++) {
        const struct lanescope_finding *finding = lanescope_finding(run, i);
        if (finding->severity != LANESCOPE_FAULT)
            continue;
        error_at(&instance->error, ERROR_INPUT, finding->at.file, (int)finding->at.line, 0, "%s", finding->message);
        status = embed_fail(instance);
        break;
    }
    lanescope_run_free(run);
    return status;
}

int lanescope_ptx_run(struct lanescope *instance, const char *source, int n_args, void *args[], int bx, int by, int bz,
                      int gx, int gy, int gz, int shared)
{
    struct lanescope_module *module;
    int const sizes[] = {bx, by, bz, gx, gy, gz};
    struct lanescope_launch const shape = {.grid = {(uint32_t)gx, (uint32_t)gy, (uint32_t)gz},
                                           .block = {(uint32_t)bx, (uint32_t)by, (uint32_t)bz},
                                           .shared_bytes = (uint32_t)shared};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] <= 0 || shared < 0) {
            error_set(&instance->error, ERROR_INPUT,
                      "a block and a grid have sizes from 1 on, shared memory from 0 on");
            return (int)embed_fail(instance);
        }
    enum lanescope_status status = lanescope_load(instance, source, strlen(source), &module);
    if (status)
        return (int)status;
    status = share_mappings(instance, n_args, args);
    if (!status)
        status = launch(instance, module, &shape, n_args, args);
    lanescope_unload(module);
    /* the mappings may change before the next call */
    for (size_t i = instance->memory.count; i-- > 0;)
        if (strcmp(instance->memory.items[i].name, of_process) == 0)
            lanescope_release(instance, (void *)(uintptr_t)instance->memory.items[i].address);
    return (int)status;
}

int ptx_run(const char *source, int n_args, void *args[], int bx, int by, int bz, int gx, int gy, int gz, int shared)
{
    struct lanescope *instance = lanescope_new();
    if (!instance)
        return LANESCOPE_MISSING;
    int const status = lanescope_ptx_run(instance, source, n_args, args, bx, by, bz, gx, gy, gz, shared);
    if (status)
        fprintf(stderr, "liblanescope: %s\n", lanescope_error(instance));
    lanescope_free(instance);
    return status;
}
