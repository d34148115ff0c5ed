/* Registration: what compiled host code calls before main(), for each file. */
#include "cudart/layer/module.h"
#include "cudart/calls/call.h"

struct wrapper { /* of a fat binary, as nvcc and clang write it */
    int magic, version;
    const char *data;
    void *unused;
};

void **__cudaRegisterFatBinary(void *binary)
{
    const struct wrapper *wrapper = binary;
    struct call const call = call_begin("__cudaRegisterFatBinary", __builtin_return_address(0));
    struct module *module = module_new(wrapper->data);
    if (module) {
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
    struct call const call = call_begin("__cudaRegisterFatBinaryEnd", __builtin_return_address(0));
    for (const struct module_variable *v = module ? module->host_variables : NULL; v; v = v->next)
        managed |= v->managed;
    if (managed && module_load(module)) /* the host may read their initial values before any other call */
        module_move_managed(true);
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
    (void)device, (void)threads, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)warp_size;
    if (handle)
        module_add_kernel((struct module *)handle, host, name);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t size,
                       int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    bool const managed = host >= managed_begin && host < managed_end;
    struct module_variable const variable = {.host = host, .name = name, .size = size, .managed = managed};
    if (handle)
        module_add_variable((struct module *)handle, &variable);
}

char __cudaInitModule(void **handle)
{
    return handle != NULL;
}
