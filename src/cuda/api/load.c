#include "cuda/api/api.h"
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool cuda_api_load(struct cuda_api *api, struct error *error)
{
    static const char *const symbols[] = {
#define CUDA_API(member, symbol, parameters) #symbol,
#include "cuda/api/api.def"
    };
    enum { COUNT = sizeof symbols / sizeof *symbols };
    void *found[COUNT];
    _Static_assert(sizeof found == sizeof *api, "the table holds pointers to functions alone");
    const char *named = getenv("LANESCOPE_PROGRAM_DRIVER"); /* of a program that finds ours under the driver's name */
    int flags = RTLD_NOW | RTLD_LOCAL;
#ifndef LANESCOPE_SANITIZED
    flags |= RTLD_DEEPBIND; /* so that the driver never calls our functions of its names */
#endif
    void *library = dlopen(named && *named ? named : "libcuda.so.1", flags); /* stays open while the process lives */
    *api = (struct cuda_api){0};
    if (!library) {
        error_set(error, ERROR_MISSING, "there is no NVIDIA driver on this machine");
        return error_remedy(error, "install it (Debian: nvidia-driver), or use --on emulator");
    }
    for (size_t i = 0; i < COUNT; i++) {
        found[i] = dlsym(library, symbols[i]);
        if (!found[i]) {
            error_set(error, ERROR_MISSING, "the NVIDIA driver is too old: it has no function %s", symbols[i]);
            return error_remedy(error, "update the NVIDIA driver, or use --on emulator");
        }
    }
    memcpy(api, found, sizeof found);
    return true;
}

int cuda_api_load_module(const struct cuda_api *api, const char *ptx, unsigned most_registers, void **module,
                         struct error *error)
{
    enum { LOG_BYTES = 2048 };
    char log[LOG_BYTES] = "";
    int options[] = {CUDA_API_LOG, CUDA_API_LOG_BYTES, CUDA_API_MOST_REGISTERS};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)most_registers};
    int const code = api->module_load(module, ptx, most_registers ? 3 : 2, options, values);
    if (!code)
        return 0;
    *module = NULL;
    log[sizeof log - 1] = '\0';
    log[strcspn(log, "\n")] = '\0';
    if (code == CUDA_API_INVALID_PTX && *log)
        error_set(error, ERROR_INPUT, "the GPU's driver rejects the PTX: %.300s", log);
    else
        cuda_api_did(api, code, "loading the kernel", error);
    return code;
}

bool cuda_api_allocate(const struct cuda_api *api, uint64_t bytes, const char *what, uint64_t *address,
                       struct error *error)
{
    size_t available = 0, total = 0;
    int const code = api->allocate(address, bytes ? bytes : 1);
    if (!code)
        return true;
    *address = 0;
    if (code != CUDA_API_OUT_OF_MEMORY || api->memory_info(&available, &total))
        return cuda_api_did(api, code, what, error);
    error_set(error, ERROR_MISSING, "the GPU has no room for %s: %" PRIu64 " MiB needed, %zu of %zu MiB free", what,
              (bytes >> 20) + 1, available >> 20, total >> 20);
    return error_remedy(error, "choose a smaller size, or close other programs that use the GPU");
}
