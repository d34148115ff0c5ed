#include "embed/embed.h"
#include "emulator/emulator.h"
#include <stdlib.h>
#include <string.h>

static void list_kernels(struct lanescope_module *module)
{
    const struct ptx_module *ptx = module->ptx;
    module->kernels = arena_array(&module->arena, struct embed_kernel, (size_t)ptx->function_count + 1);
    for (uint32_t i = 0; i < ptx->function_count; i++) {
        const struct ptx_function *function = &ptx->functions[i];
        if (!function->is_kernel || !function->has_body)
            continue;
        struct embed_kernel *kernel = &module->kernels[module->kernel_count++];
        kernel->shown = (struct lanescope_kernel){.name = function->name,
                                                  .argument_bytes = function->parameter_bytes,
                                                  .parameter_count = function->parameter_count,
                                                  .shared_bytes = (uint32_t)function->shared_bytes};
        memcpy(kernel->shown.required_block, function->required_threads, sizeof kernel->shown.required_block);
        kernel->parameters = arena_array(&module->arena, struct lanescope_parameter, function->parameter_count);
        for (uint32_t k = 0; k < function->parameter_count; k++)
            kernel->parameters[k] = (struct lanescope_parameter){
                function->parameters[k].name, function->parameters[k].offset, function->parameters[k].size};
    }
}

/* Gives the variables of global and constant memory places in this process. */
static bool place_variables(struct lanescope_module *module)
{
    enum { BEHIND = 16, ALIGNMENT = 256 };
    const struct ptx_module *ptx = module->ptx;
    module->variables = arena_array(&module->arena, struct launch_variable, (size_t)ptx->variable_count + 1);
    for (uint32_t i = 0; i < ptx->variable_count; i++) {
        const struct ptx_variable *variable = &ptx->variables[i];
        if (variable->space != PTX_SPACE_GLOBAL && variable->space != PTX_SPACE_CONST)
            continue;
        size_t const room = (variable->size + BEHIND + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        uint8_t *data = aligned_alloc(ALIGNMENT, room);
        if (!data)
            return error_set(&module->instance->error, ERROR_MISSING,
                             "there is no memory for variable %s of %zu {byte|bytes}", variable->name, variable->size);
        memset(data, 0, room);
        module->variables[i] = (struct launch_variable){(uint64_t)(uintptr_t)data, data};
    }
    emulator_fill_variables(ptx, module->variables);
    return true;
}

enum lanescope_status lanescope_load(struct lanescope *instance, const char *ptx, size_t bytes,
                                     struct lanescope_module **module)
{
    static const char name[] = "kernel.ptx";
    struct lanescope_module *made = calloc(1, sizeof *made);
    *module = NULL;
    if (!made) {
        error_set(&instance->error, ERROR_MISSING, "there is no memory for a module");
        return embed_fail(instance);
    }
    made->instance = instance;
    made->next = instance->modules;
    instance->modules = made;
    if (!ptx_parse(&made->arena, name, ptx, bytes, &made->ptx, &instance->error) || !place_variables(made)) {
        enum lanescope_status const status = embed_fail(instance);
        lanescope_unload(made);
        return status;
    }
    if (!made->ptx->file_count)
        ptx_take_own_lines(&made->arena, made->ptx, name);
    list_kernels(made);
    *module = made;
    return LANESCOPE_OK;
}

void lanescope_unload(struct lanescope_module *module)
{
    if (!module)
        return;
    struct lanescope_module **at = &module->instance->modules;
    while (*at != module)
        at = &(*at)->next;
    *at = module->next;
    for (uint32_t i = 0; module->variables && i < module->ptx->variable_count; i++)
        free(module->variables[i].data);
    arena_free(&module->arena);
    free(module);
}

size_t lanescope_kernel_count(const struct lanescope_module *module)
{
    return module->kernel_count;
}

const struct lanescope_kernel *lanescope_kernel(const struct lanescope_module *module, size_t index)
{
    return index < module->kernel_count ? &module->kernels[index].shown : NULL;
}

const struct lanescope_parameter *lanescope_parameter(const struct lanescope_kernel *kernel, size_t index)
{
    const struct embed_kernel *whole = (const struct embed_kernel *)kernel;
    return index < kernel->parameter_count ? &whole->parameters[index] : NULL;
}

void *lanescope_variable(const struct lanescope_module *module, const char *name, size_t *bytes)
{
    for (uint32_t i = 0; i < module->ptx->variable_count; i++)
        if (module->variables[i].data && strcmp(module->ptx->variables[i].name, name) == 0) {
            *bytes = module->ptx->variables[i].size;
            return module->variables[i].data;
        }
    *bytes = 0;
    return NULL;
}
