#include "cuda/api/api.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static bool missing(struct cuda_api *api, struct error *error)
{
    *api = (struct cuda_api){0};
    return error_remedy(error, "install it (Debian: nvidia-driver), or use --on emulator");
}

bool cuda_api_load(struct cuda_api *api, struct error *error)
{
    static const char *const symbols[] = {
#define CUDA_API(member, symbol, parameters) #symbol,
#include "cuda/api/api.def"
    };
    enum { COUNT = sizeof symbols / sizeof *symbols };
    void *found[COUNT];
    _Static_assert(sizeof found == sizeof *api, "the table holds pointers to functions alone");
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); /* stays open while the process lives */
    if (!library) {
        error_set(error, ERROR_MISSING, "there is no NVIDIA driver on this machine");
        return missing(api, error);
    }
    for (size_t i = 0; i < COUNT; i++) {
        found[i] = dlsym(library, symbols[i]);
        if (!found[i]) {
            error_set(error, ERROR_MISSING, "the NVIDIA driver has no function %s", symbols[i]);
            return missing(api, error);
        }
    }
    memcpy(api, found, sizeof found);
    return true;
}

int cuda_api_load_module(const struct cuda_api *api, const char *ptx, unsigned most_registers, void **module,
                         struct error *error)
{
    enum { MAX_REGISTERS = 0, ERROR_LOG = 5, ERROR_LOG_BYTES = 6, LOG_BYTES = 2048 };
    char log[LOG_BYTES] = "";
    int options[] = {ERROR_LOG, ERROR_LOG_BYTES, MAX_REGISTERS};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)most_registers};
    int const code = api->module_load(module, ptx, most_registers ? 3 : 2, options, values);
    if (!code)
        return 0;
    *module = NULL;
    log[sizeof log - 1] = '\0';
    log[strcspn(log, "\n")] = '\0';
    error_set(error, ERROR_INPUT, "the GPU's driver rejects the PTX (error %d)%s%.300s", code, *log ? ": " : "", log);
    return code;
}
