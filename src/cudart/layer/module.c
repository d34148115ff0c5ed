/* The block of bytes that clang's host code holds for each file begins with a line of ours (program/build/compile.c),
 * then come the source and the PTX; nvcc's is a fat binary. */
#include "cudart/layer/module.h"
#include "base/file.h"
#include "base/mangled.h"
#include "cudart/backend/backend.h"
#include "cudart/layer/fatbin.h"
#include "cudart/layer/graph_objects.h"
#include "cudart/layer/xorwow.h"
#include "ptx/parse.h"
#include <stdlib.h>
#include <string.h>

/* Reads "lanescope program 1 SOURCE_BYTES PTX_BYTES\nSOURCE_NAME\nCOMPILER\n", the source, the PTX, and up to a NUL the
 * files of the user's that the source includes. */
static bool read_own(struct module *module, const char *data)
{
    size_t source_bytes = 0, ptx_bytes = 0;
    int end = 0;
    if (strncmp(data, "lanescope program 1 ", 20) != 0 ||
        sscanf(data, "lanescope program 1 %zu %zu%n", &source_bytes, &ptx_bytes, &end) != 2)
        return false;
    const char *name = data + end + 1;
    const char *compiler = strchr(name, '\n') + 1;
    const char *source = strchr(compiler, '\n') + 1;
    module->source_name = arena_text_n(&module->arena, name, (size_t)(compiler - name) - 1);
    module->compiler = arena_text_n(&module->arena, compiler, (size_t)(source - compiler) - 1);
    module->source = arena_text_n(&module->arena, source, source_bytes);
    module->ptx = source + source_bytes;
    module->ptx_size = ptx_bytes;
    module->included = module->ptx + ptx_bytes;
    return true;
}

static struct module *add_module(void)
{
    struct module *module = calloc(1, sizeof *module);
    if (!module)
        return NULL;
    module->source = module->source_name = module->compiler = module->included = "";
    module->next = runtime.modules;
    runtime.modules = module;
    return module;
}

struct module *module_new(const char *data)
{
    struct module *module = add_module();
    if (!module)
        return NULL;
    if (!read_own(module, data) && fatbin_ptx(&module->arena, data, &module->ptx, &module->error) && module->ptx)
        module->ptx_size = strlen(module->ptx);
    return module;
}

struct module *module_of_image(const void *image)
{
    static const uint32_t wrapper = 0x466243b1, fat = 0xba55ed50; /* of nvcc */
    struct module *module = add_module();
    const char *bytes = image;
    uint32_t magic = 0;
    if (!module)
        return NULL;
    module->of_driver = true;
    if (strnlen(bytes, sizeof magic) == sizeof magic)
        memcpy(&magic, bytes, sizeof magic);
    if (magic == wrapper)
        memcpy(&bytes, (const char *)image + 8, sizeof bytes);
    if (magic == wrapper || magic == fat) {
        fatbin_ptx(&module->arena, bytes, &module->ptx, &module->error);
        if (!module->ptx && !module->error.kind)
            error_set(&module->error, ERROR_INPUT, "the fat binary is empty");
    } else if (memcmp(&magic, "\177ELF", sizeof magic) == 0) {
        error_set(&module->error, ERROR_INPUT, "the module is machine code for a GPU (a cubin), without PTX");
        error_remedy(&module->error, "let its compiler hand over PTX: docs/hosts.md says how");
    } else {
        module->ptx = arena_text(&module->arena, bytes);
    }
    module->ptx_size = module->ptx ? strlen(module->ptx) : 0;
    return module;
}

void module_drop(struct module *module)
{
    struct module **at = &runtime.modules;
    while (*at && *at != module)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = module->next;
    for (uint32_t i = 0; module->variables && i < module->ptx_module->variable_count; i++) {
        struct allocation *a = module->variables[i].address ? space_find(module->variables[i].address) : NULL;
        if (a && !a->freed)
            space_free(a);
    }
    runtime.backend->unload(module);
}

void module_add_kernel(struct module *module, const void *host, const char *name)
{
    struct kernel *kernel = arena_new(&module->arena, struct kernel);
    *kernel = (struct kernel){.host = host,
                              .name = arena_text(&module->arena, name),
                              .module = module,
                              .max_dynamic_shared = LAUNCH_STATIC_SHARED_MAX,
                              .next = module->kernels};
    module->kernels = kernel;
}

void module_add_variable(struct module *module, const struct module_variable *variable)
{
    struct module_variable *kept = arena_new(&module->arena, struct module_variable);
    *kept = *variable;
    kept->name = arena_text(&module->arena, variable->name);
    kept->next = module->host_variables;
    module->host_variables = kept;
}

bool module_is_jumps(const struct ptx_variable *variable)
{
    return strstr(variable->name, "lanescope_xorwow_jumps") &&
           variable->size == XORWOW_MATRICES * XORWOW_BITS * XORWOW_WORDS * sizeof(uint32_t);
}

bool module_load(struct module *module)
{
    if (module->ptx_module || module->failed)
        return !module->failed;
    module->failed = true;
    if (!module->ptx)
        return false;
    if (!runtime.backend->gpu)
        condition_define(&module->arena, &module->ptx, &module->ptx_size);
    if (!ptx_parse(&module->arena, module->source_name, module->ptx, module->ptx_size, &module->ptx_module,
                   &module->error) ||
        !runtime.backend->load(module))
        return false;
    char *source; /* nvcc -lineinfo names it */
    if (!*module->source && module->ptx_module->file_count &&
        file_read(&module->arena, module->ptx_module->files[0], &source, NULL, NULL)) {
        module->source = source;
        module->source_name = path_name(module->ptx_module->files[0]);
    } else if (!*module->source && !module->ptx_module->file_count) { /* its lines are those of the PTX */
        module->source = module->ptx;
        module->source_name = "kernel.ptx";
        ptx_take_own_lines(&module->arena, module->ptx_module, module->source_name);
    }
    module->failed = false;
    return true;
}

bool module_calls(const struct module *module, const char *name)
{
    const struct ptx_module *ptx_module = module->ptx_module;
    for (uint32_t i = 0; i < ptx_module->function_count; i++)
        if (!ptx_module->functions[i].has_body && strcmp(ptx_module->functions[i].name, name) == 0)
            return true;
    return false;
}

struct kernel *module_kernel(const void *host)
{
    for (struct module *module = runtime.modules; module; module = module->next)
        for (struct kernel *kernel = module->kernels; kernel; kernel = kernel->next)
            if (kernel->host == host)
                return kernel;
    return NULL;
}

struct kernel *module_entry(struct module *module, const char *name)
{
    for (struct kernel *kernel = module->kernels; kernel; kernel = kernel->next)
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    module_add_kernel(module, arena_text(&module->arena, name), name); /* an address that no other kernel has */
    return module_entry(module, name);
}

const struct ptx_function *module_function(const struct kernel *kernel)
{
    return kernel && module_load(kernel->module) ? ptx_kernel(kernel->module->ptx_module, kernel->name) : NULL;
}

const struct allocation *module_variable_named(struct module *module, const char *name)
{
    if (!module_load(module))
        return NULL;
    for (uint32_t i = 0; i < module->ptx_module->variable_count; i++)
        if (module->variables[i].address && strcmp(module->ptx_module->variables[i].name, name) == 0)
            return space_find(module->variables[i].address);
    return NULL;
}

void module_move_managed(bool to_host)
{
    for (struct module *module = runtime.modules; module; module = module->next)
        for (const struct module_variable *v = module->host_variables; v; v = v->next) {
            const struct allocation *device =
                v->managed && module->ptx_module ? module_variable_named(module, v->name) : NULL;
            union {
                const void *from;
                void *to;
            } const host = {v->host};
            size_t const size = device && device->size < v->size ? device->size : v->size;
            if (device)
                runtime.backend->move_variable(device, host.to, size, to_host);
        }
}

const struct allocation *module_variable(const void *host)
{
    for (struct module *module = runtime.modules; module; module = module->next)
        for (const struct module_variable *v = module->host_variables; v; v = v->next)
            if (v->host == host)
                return module_variable_named(module, v->name);
    return NULL;
}
