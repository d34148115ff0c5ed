/* Registration. clang's host code holds, for each file, a block of bytes that begins with a line of ours (build.c),
 * then the source and the PTX; and it calls these functions before main(). */
#include "cudart/module.h"
#include "base/file.h"
#include "cudart/fatbin.h"
#include "cudart/gpu.h"
#include "cudart/record.h"
#include "cudart/xorwow.h"
#include "emulator/emulator.h"
#include "run/signature.h"
#include <stdlib.h>
#include <string.h>

struct wrapper { /* of a fat binary, as nvcc and clang write it */
    int magic, version;
    const char *data;
    void *unused;
};

/* Reads "lanescope program 1 SOURCE_BYTES PTX_BYTES\nSOURCE_NAME\nCOMPILER\n", the source and the PTX. */
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
    return true;
}

void **__cudaRegisterFatBinary(void *binary)
{
    const struct wrapper *wrapper = binary;
    CALL_BEGIN(__cudaRegisterFatBinary);
    struct module *module = calloc(1, sizeof *module);
    if (module) {
        module->source = module->source_name = module->compiler = "";
        module->next = runtime.modules;
        runtime.modules = module;
        if (!read_own(module, wrapper->data) &&
            fatbin_ptx(&module->arena, wrapper->data, &module->ptx, &module->error) && module->ptx)
            module->ptx_size = strlen(module->ptx);
        line_text("source", module->source_name);
        line_text("compiler", module->compiler);
    }
    call_end(&call, cudaSuccess);
    return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    struct module *module = (struct module *)handle;
    bool managed = false;
    CALL_BEGIN(__cudaRegisterFatBinaryEnd);
    for (const struct module_variable *v = module ? module->named : NULL; v; v = v->next)
        managed |= v->managed;
    if (managed && module_load(module)) /* the host may read their initial values before any other call */
        module_managed_to_host();
    call_end(&call, cudaSuccess);
}

/* The host's copies of __managed__ variables lie between these addresses: assets/cuda/program.cuh. */
static const char *managed_begin, *managed_end;
void lanescope_managed_variables(const char *begin, const char *end)
{
    managed_begin = begin;
    managed_end = end;
}

/* The program ends: what it holds is freed with it. */
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *thread,
                            void *block, void *block_size, void *grid_size, int *warp_size)
{
    struct module *module = (struct module *)handle;
    (void)device, (void)threads, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)warp_size;
    struct kernel *kernel = module ? arena_new(&module->arena, struct kernel) : NULL;
    if (!kernel)
        return;
    *kernel = (struct kernel){.host = host,
                              .name = arena_text(&module->arena, name),
                              .module = module,
                              .max_dynamic_shared = LAUNCH_STATIC_SHARED_MAX,
                              .next = module->kernels};
    module->kernels = kernel;
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t size,
                       int constant, int global)
{
    struct module *module = (struct module *)handle;
    (void)device, (void)external, (void)constant, (void)global;
    struct module_variable *variable = module ? arena_new(&module->arena, struct module_variable) : NULL;
    if (!variable)
        return;
    *variable = (struct module_variable){.host = host,
                                         .name = arena_text(&module->arena, name),
                                         .size = size,
                                         .managed = host >= managed_begin && host < managed_end,
                                         .next = module->named};
    module->named = variable;
}

char __cudaInitModule(void **handle)
{
    return handle != NULL;
}

bool module_is_jumps(const struct ptx_variable *variable)
{
    return strstr(variable->name, "lanescope_xorwow_jumps") &&
           variable->size == XORWOW_MATRICES * XORWOW_BITS * XORWOW_WORDS * sizeof(uint32_t);
}

/* Gives the variables of a module their initial values. */
static void fill_variables(const struct module *module)
{
    emulator_fill_variables(module->program, module->variables);
    for (uint32_t i = 0; i < module->program->variable_count; i++)
        if (module->variables[i].data && module_is_jumps(&module->program->variables[i]))
            xorwow_fill((uint32_t *)(void *)module->variables[i].data);
}

static bool place_variables(struct module *module)
{
    const struct ptx_program *program = module->program;
    module->variables = arena_array(&module->arena, struct launch_variable, (size_t)program->variable_count + 1);
    for (uint32_t i = 0; i < program->variable_count; i++) {
        const struct ptx_variable *v = &program->variables[i];
        struct allocation *allocation;
        if (v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST)
            continue;
        if (space_allocate(ALLOCATION_VARIABLE, v->size, v->name, &allocation) != cudaSuccess)
            return error_set(&module->error, ERROR_MISSING, "There is not enough memory for variable %s (%zu B)",
                             v->name, v->size);
        module->variables[i] = (struct launch_variable){allocation->address, allocation->data};
    }
    fill_variables(module);
    return true;
}

bool module_load(struct module *module)
{
    if (module->program || module->failed)
        return !module->failed;
    module->failed = true;
    if (!module->ptx)
        return false;
    if (!ptx_parse(&module->arena, module->source_name, module->ptx, module->ptx_size, &module->program,
                   &module->error) ||
        !(gpu_on() ? gpu_load(module) : place_variables(module)))
        return false;
    char *source; /* nvcc -lineinfo names it */
    if (!*module->source && module->program->file_count &&
        file_read(&module->arena, module->program->files[0], &source, NULL, NULL)) {
        module->source = source;
        module->source_name = path_name(module->program->files[0]);
    }
    module->failed = false;
    return true;
}

void module_reset(struct module *module)
{
    const struct ptx_program *program = module->program;
    for (uint32_t i = 0; i < program->variable_count; i++)
        if (module->variables[i].data)
            memset(module->variables[i].data, 0, program->variables[i].size);
    fill_variables(module);
}

bool module_calls(const struct module *module, const char *name)
{
    const struct ptx_program *program = module->program;
    for (uint32_t i = 0; i < program->function_count; i++)
        if (!program->functions[i].has_body && strcmp(program->functions[i].name, name) == 0)
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

static const struct allocation *placed(struct module *module, const char *name)
{
    if (!module_load(module))
        return NULL;
    for (uint32_t i = 0; i < module->program->variable_count; i++)
        if (module->variables[i].address && strcmp(module->program->variables[i].name, name) == 0)
            return space_find(module->variables[i].address);
    return NULL;
}

/* Copies every managed variable of the loaded modules between the device and the host. */
static void move_managed(bool to_host)
{
    for (struct module *module = runtime.modules; module; module = module->next)
        for (const struct module_variable *v = module->named; v; v = v->next) {
            const struct allocation *device = v->managed && module->program ? placed(module, v->name) : NULL;
            union {
                const void *from;
                void *to;
            } const host = {v->host};
            size_t const size = device && device->size < v->size ? device->size : v->size;
            if (device && gpu_on() && to_host)
                gpu_wait(); /* the kernel may run in a stream that the copy does not wait for */
            if (device && gpu_on())
                gpu_error(gpu_api()->copy(to_host ? (uint64_t)(uintptr_t)host.to : device->address,
                                          to_host ? device->address : (uint64_t)(uintptr_t)host.from, size));
            else if (device)
                memcpy(to_host ? host.to : (void *)device->data, to_host ? device->data : host.from, size);
        }
}

void module_managed_to_host(void)
{
    move_managed(true);
}

void module_managed_to_device(void)
{
    move_managed(false);
}

const struct allocation *module_variable(const void *symbol)
{
    for (struct module *module = runtime.modules; module; module = module->next)
        for (const struct module_variable *v = module->named; v; v = v->next)
            if (v->host == symbol)
                return placed(module, v->name);
    return NULL;
}

/* The C++ library of the program, where it has one. */
char *__cxa_demangle(const char *name, char *text, size_t *length, int *status) __attribute__((weak));

const char *module_kernel_name(struct arena *arena, const char *symbol)
{
    int status = 1;
    char *whole = __cxa_demangle ? __cxa_demangle(symbol, NULL, NULL, &status) : NULL;
    if (!whole || status != 0)
        return signature_name(arena, symbol);
    const char *begin = strncmp(whole, "void ", 5) == 0 ? whole + 5 : whole, *end = begin;
    for (int depth = 0; *end && (*end != '(' || depth > 0); end++)
        depth += *end == '<' ? 1 : *end == '>' ? -1 : 0;
    const char *name = arena_text_n(arena, begin, (size_t)(end - begin));
    free(whole);
    return name;
}
