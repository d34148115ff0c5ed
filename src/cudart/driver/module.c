/* Modules from memory or files, their kernels and variables. A library of the driver's interface is a module, and its
 * kernel a function. What a module holds stays in memory when it is unloaded, as the record may name it. */
#include "base/file.h"
#include "cudart/backend/backend.h"
#include "cudart/driver/driver.h"
#include "cudart/driver/link.h"
#include <stdlib.h>
#include <string.h>

enum { OPTION_INFO = 3, OPTION_INFO_BYTES, OPTION_ERROR, OPTION_ERROR_BYTES }; /* CUjit_option */

struct options_of_jit {
    unsigned count;
    const int *options;
    void **values;
};

static bool is_module(const struct module *module)
{
    const struct module *found = runtime.modules;
    while (found && found != module)
        found = found->next;
    return found != NULL;
}

struct kernel *kernel_of(CUfunction function)
{
    for (const struct module *module = runtime.modules; module; module = module->next)
        for (struct kernel *kernel = module->kernels; kernel; kernel = kernel->next)
            if (kernel == function)
                return kernel;
    return NULL;
}

/* Writes the message where the program wants a log; their sizes become what was written. */
static void write_logs(const struct options_of_jit *jit, const char *message)
{
    for (unsigned i = 0; jit && i < jit->count; i++)
        for (unsigned k = 0; k < jit->count; k++) {
            int const kind = jit->options[i], wanted = kind == OPTION_INFO ? OPTION_INFO_BYTES : OPTION_ERROR_BYTES;
            if ((kind != OPTION_INFO && kind != OPTION_ERROR) || jit->options[k] != wanted || !jit->values[i])
                continue;
            size_t const room = (size_t)(uintptr_t)jit->values[k];
            const char *text = kind == OPTION_ERROR ? message : "";
            if (room)
                snprintf(jit->values[i], room, "%s", text);
            size_t const length = strlen(text);
            jit->values[k] = (void *)(uintptr_t)(room && length >= room ? room - 1 : length);
        }
}

static enum status load(CUmodule *to, const void *image, const struct options_of_jit *jit, const char *what)
{
    struct module *module = module_of_image(image);
    *to = NULL;
    write_logs(jit, "");
    if (!module)
        return STATUS_MEMORY_ALLOCATION;
    if (module_load(module)) {
        line_text("source", module->source_name);
        *to = module;
        return STATUS_SUCCESS;
    }
    char text[1200];
    error_line(&module->error, text, sizeof text);
    line_text("problem", module->error.message);
    write_logs(jit, text);
    fflush(stdout);
    fprintf(stderr, "lanescope: %s: %s\n", what, text);
    enum status const status = !module->ptx                      ? STATUS_NO_KERNEL_IMAGE_FOR_DEVICE
                               : strstr(module->ptx, ".version") ? STATUS_INVALID_PTX
                                                                 : STATUS_INVALID_KERNEL_IMAGE; /* it is no PTX */
    module_drop(module);
    return status;
}

static enum status load_file(CUmodule *module, const char *path, const struct options_of_jit *jit, const char *what)
{
    struct arena arena = {0};
    char *bytes;
    enum status status = STATUS_FILE_NOT_FOUND;
    if (file_read(&arena, path, &bytes, NULL, NULL))
        status = load(module, bytes, jit, what);
    arena_free(&arena);
    return status;
}

static enum status unload(CUmodule module)
{
    if (!is_module(module))
        return STATUS_INVALID_RESOURCE_HANDLE;
    enum status const status = runtime_synchronize();
    module_drop(module);
    return status;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    DRIVER_BEGIN(cuModuleLoad, NULL);
    return driver_end(&call, module && path ? load_file(module, path, NULL, "cuModuleLoad") : STATUS_INVALID_VALUE);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    DRIVER_BEGIN(cuModuleLoadData, NULL);
    return driver_end(&call, module && image ? load(module, image, NULL, "cuModuleLoadData") : STATUS_INVALID_VALUE);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, const int *options, void **values)
{
    DRIVER_BEGIN(cuModuleLoadDataEx, NULL);
    struct options_of_jit const jit = {count, options, values};
    if (!module || !image || (count && (!options || !values)))
        return driver_end(&call, STATUS_INVALID_VALUE);
    return driver_end(&call, load(module, image, &jit, "cuModuleLoadDataEx"));
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    DRIVER_BEGIN(cuModuleLoadFatBinary, NULL);
    return driver_end(&call,
                      module && image ? load(module, image, NULL, "cuModuleLoadFatBinary") : STATUS_INVALID_VALUE);
}

CUresult cuModuleUnload(CUmodule module)
{
    DRIVER_BEGIN_INITIALIZED(cuModuleUnload, NULL);
    return driver_end(&call, unload(module));
}

CUresult cuModuleGetLoadingMode(int *mode)
{
    enum { EAGER = 1 };
    DRIVER_BEGIN_INITIALIZED(cuModuleGetLoadingMode, NULL);
    if (mode)
        *mode = EAGER;
    return driver_end(&call, mode ? STATUS_SUCCESS : STATUS_INVALID_VALUE);
}

/* ---- kernels ---- */

static enum status find_kernel(CUfunction *function, CUmodule module, const char *name)
{
    if (!function || !name)
        return STATUS_INVALID_VALUE;
    if (!is_module(module))
        return STATUS_INVALID_RESOURCE_HANDLE;
    line_text("name", name);
    if (!ptx_kernel(module->ptx_module, name))
        return STATUS_SYMBOL_NOT_FOUND;
    *function = module_entry(module, name);
    return STATUS_SUCCESS;
}

static bool is_kernel(const struct ptx_function *function)
{
    return function->is_kernel && function->has_body;
}

static enum status count_kernels(unsigned *count, CUmodule module)
{
    if (!count || !is_module(module))
        return count ? STATUS_INVALID_RESOURCE_HANDLE : STATUS_INVALID_VALUE;
    *count = 0;
    for (uint32_t i = 0; i < module->ptx_module->function_count; i++)
        *count += is_kernel(&module->ptx_module->functions[i]);
    return STATUS_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    DRIVER_BEGIN(cuModuleGetFunction, NULL);
    return driver_end(&call, find_kernel(function, module, name));
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module)
{
    DRIVER_BEGIN(cuModuleGetFunctionCount, NULL);
    return driver_end(&call, count_kernels(count, module));
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count, CUmodule module)
{
    DRIVER_BEGIN(cuModuleEnumerateFunctions, NULL);
    if (!functions || !is_module(module))
        return driver_end(&call, functions ? STATUS_INVALID_RESOURCE_HANDLE : STATUS_INVALID_VALUE);
    unsigned found = 0;
    for (uint32_t i = 0; i < module->ptx_module->function_count && found < count; i++)
        if (is_kernel(&module->ptx_module->functions[i]))
            functions[found++] = module_entry(module, module->ptx_module->functions[i].name);
    return driver_end(&call, STATUS_SUCCESS);
}

static enum status find_variable(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name)
{
    if (!name || (!pointer && !bytes))
        return STATUS_INVALID_VALUE;
    if (!is_module(module))
        return STATUS_INVALID_RESOURCE_HANDLE;
    line_text("name", name);
    const struct allocation *variable = module_variable_named(module, name);
    if (!variable)
        return STATUS_SYMBOL_NOT_FOUND;
    if (pointer)
        *pointer = variable->address;
    if (bytes)
        *bytes = variable->size;
    return STATUS_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name)
{
    DRIVER_BEGIN(cuModuleGetGlobal, NULL);
    return driver_end(&call, find_variable(pointer, bytes, module, name));
}

/* ---- libraries, which need no context ---- */

CUresult cuLibraryLoadData(CUmodule *library, const void *image, const int *options, void **values, unsigned count,
                           const int *library_options, void **library_values, unsigned library_count)
{
    DRIVER_BEGIN_INITIALIZED(cuLibraryLoadData, NULL);
    struct options_of_jit const jit = {options && values ? count : 0, options, values};
    (void)library_options, (void)library_values, (void)library_count;
    return driver_end(&call, library && image ? load(library, image, &jit, "cuLibraryLoadData") : STATUS_INVALID_VALUE);
}

CUresult cuLibraryLoadFromFile(CUmodule *library, const char *path, const int *options, void **values, unsigned count,
                               const int *library_options, void **library_values, unsigned library_count)
{
    DRIVER_BEGIN_INITIALIZED(cuLibraryLoadFromFile, NULL);
    struct options_of_jit const jit = {options && values ? count : 0, options, values};
    (void)library_options, (void)library_values, (void)library_count;
    return driver_end(&call,
                      library && path ? load_file(library, path, &jit, "cuLibraryLoadFromFile") : STATUS_INVALID_VALUE);
}

CUresult cuLibraryUnload(CUmodule library)
{
    DRIVER_BEGIN_INITIALIZED(cuLibraryUnload, NULL);
    return driver_end(&call, unload(library));
}

CUresult cuLibraryGetKernel(CUfunction *kernel, CUmodule library, const char *name)
{
    DRIVER_BEGIN_INITIALIZED(cuLibraryGetKernel, NULL);
    return driver_end(&call, find_kernel(kernel, library, name));
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUmodule library)
{
    DRIVER_BEGIN_INITIALIZED(cuLibraryGetKernelCount, NULL);
    return driver_end(&call, count_kernels(count, library));
}

CUresult cuLibraryGetModule(CUmodule *module, CUmodule library)
{
    DRIVER_BEGIN(cuLibraryGetModule, NULL);
    if (module && is_module(library))
        *module = library;
    return driver_end(&call, !module              ? STATUS_INVALID_VALUE
                             : is_module(library) ? STATUS_SUCCESS
                                                  : STATUS_INVALID_RESOURCE_HANDLE);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule library, const char *name)
{
    DRIVER_BEGIN(cuLibraryGetGlobal, NULL);
    return driver_end(&call, find_variable(pointer, bytes, library, name));
}

/* ---- linking: texts of PTX become one ---- */

struct link_state {
    struct link_text text;
    struct options_of_jit jit;
    struct link_state *next;
};
static struct link_state *links;

static bool is_link(const struct link_state *state)
{
    const struct link_state *found = links;
    while (found && found != state)
        found = found->next;
    return found != NULL;
}

static enum status add_ptx(struct link_state *state, int type, const char *text, size_t size)
{
    enum { TYPE_PTX = 1 };
    if (!is_link(state) || !text)
        return text ? STATUS_INVALID_RESOURCE_HANDLE : STATUS_INVALID_VALUE;
    if (type != TYPE_PTX) {
        fprintf(stderr, "lanescope: cuLinkAdd: %s\n", "only PTX can be linked, not machine code");
        return STATUS_NO_KERNEL_IMAGE_FOR_DEVICE;
    }
    link_add(&state->text, text, size);
    return STATUS_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned count, const int *options, void **values, CUlinkState *state)
{
    DRIVER_BEGIN(cuLinkCreate, NULL);
    struct link_state *new = state ? calloc(1, sizeof *new) : NULL;
    if (!new || (count && (!options || !values))) {
        free(new);
        return driver_end(&call, STATUS_INVALID_VALUE);
    }
    *new = (struct link_state){.jit = {count, options, values}, .next = links};
    links = *state = new;
    write_logs(&new->jit, "");
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuLinkAddData_v2(CUlinkState state, int type, const void *data, size_t size, const char *name, unsigned count,
                          const int *options, void **values)
{
    DRIVER_BEGIN(cuLinkAddData, NULL);
    (void)name, (void)count, (void)options, (void)values;
    return driver_end(&call, add_ptx(state, type, data, data ? strnlen(data, size) : 0));
}

CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned count, const int *options,
                          void **values)
{
    DRIVER_BEGIN(cuLinkAddFile, NULL);
    struct arena arena = {0};
    char *bytes = NULL;
    size_t size = 0;
    (void)count, (void)options, (void)values;
    enum status const status = path && file_read(&arena, path, &bytes, &size, NULL) ? add_ptx(state, type, bytes, size)
                                                                                    : STATUS_FILE_NOT_FOUND;
    arena_free(&arena);
    return driver_end(&call, status);
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size)
{
    DRIVER_BEGIN(cuLinkComplete, NULL);
    if (!is_link(state) || !state->text.count || !image)
        return driver_end(&call, image ? STATUS_INVALID_RESOURCE_HANDLE : STATUS_INVALID_VALUE);
    *image = state->text.items;
    if (size)
        *size = state->text.count + 1;
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuLinkDestroy(CUlinkState state)
{
    DRIVER_BEGIN(cuLinkDestroy, NULL);
    struct link_state **at = &links;
    while (*at && *at != state)
        at = &(*at)->next;
    if (!*at)
        return driver_end(&call, STATUS_INVALID_RESOURCE_HANDLE);
    *at = state->next;
    free(state->text.items);
    free(state);
    return driver_end(&call, STATUS_SUCCESS);
}
