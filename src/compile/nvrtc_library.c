/* NVRTC, NVIDIA's compiler as a library. It is loaded at run time through its C entry points, so that the program also
 * runs where NVRTC is absent and builds without CUDA headers. */
#include "compile/nvrtc.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct nvrtc_program *program_handle;

struct nvrtc {
    void *library;
    int (*version)(int *major, int *minor);
    int (*create)(program_handle *, const char *source, const char *name, int, const char *const *,
                  const char *const *);
    int (*compile)(program_handle, int option_count, const char *const *options);
    int (*log_size)(program_handle, size_t *);
    int (*log)(program_handle, char *);
    int (*ptx_size)(program_handle, size_t *);
    int (*ptx)(program_handle, char *);
    int (*destroy)(program_handle *);
};

static bool load_symbol(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load_symbols(struct nvrtc *nvrtc, void *library)
{
    nvrtc->library = library;
    return load_symbol(library, "nvrtcVersion", &nvrtc->version) &&
           load_symbol(library, "nvrtcCreateProgram", &nvrtc->create) &&
           load_symbol(library, "nvrtcCompileProgram", &nvrtc->compile) &&
           load_symbol(library, "nvrtcGetProgramLogSize", &nvrtc->log_size) &&
           load_symbol(library, "nvrtcGetProgramLog", &nvrtc->log) &&
           load_symbol(library, "nvrtcGetPTXSize", &nvrtc->ptx_size) &&
           load_symbol(library, "nvrtcGetPTX", &nvrtc->ptx) &&
           load_symbol(library, "nvrtcDestroyProgram", &nvrtc->destroy);
}

/* RTLD_NODELETE keeps the library loaded: it is large, and it may have threads that still run. */
static bool load(struct nvrtc *nvrtc, const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (library && load_symbols(nvrtc, library))
        return true;
    if (library)
        dlclose(library);
    return false;
}

/* For each version, the loader's search path comes before the toolkit's usual folders. */
static bool load_any(struct nvrtc *nvrtc)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
    const char *roots[] = {NULL, getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (size_t r = 0; r < sizeof roots / sizeof *roots; r++) {
            char path[4096];
            if (r > 0 && (!roots[r] || !*roots[r]))
                continue;
            if (r == 0)
                snprintf(path, sizeof path, "%s", names[n]);
            else
                snprintf(path, sizeof path, "%s/lib64/%s", roots[r], names[n]);
            if (load(nvrtc, path))
                return true;
        }
    return false;
}

bool nvrtc_load(char *path, size_t size, int *major, int *minor)
{
    struct nvrtc nvrtc;
    Dl_info about;
    void *symbol = NULL;
    *major = *minor = 0;
    if (!load_any(&nvrtc))
        return false;
    if (nvrtc.version(major, minor) != NVRTC_SUCCESS)
        *major = *minor = 0;
    memcpy(&symbol, &nvrtc.version, sizeof symbol);
    if (dladdr(symbol, &about) && about.dli_fname)
        snprintf(path, size, "%s", about.dli_fname);
    dlclose(nvrtc.library);
    return true;
}

static const char *read_log(struct arena *arena, const struct nvrtc *nvrtc, program_handle program)
{
    size_t size = 0;
    if (nvrtc->log_size(program, &size) != NVRTC_SUCCESS || size <= 1)
        return "";
    char *log = arena_alloc(arena, size + 1);
    return nvrtc->log(program, log) == NVRTC_SUCCESS ? log : "";
}

static const char *read_ptx(struct arena *arena, const struct nvrtc *nvrtc, program_handle program)
{
    size_t size = 0;
    if (nvrtc->ptx_size(program, &size) != NVRTC_SUCCESS)
        return "";
    char *ptx = arena_alloc(arena, size + 1);
    return nvrtc->ptx(program, ptx) == NVRTC_SUCCESS ? ptx : "";
}

void nvrtc_compile_here(struct arena *arena, const struct nvrtc_job *job, struct nvrtc_answer *answer)
{
    struct nvrtc nvrtc;
    program_handle program = NULL;
    *answer = (struct nvrtc_answer){.code = NVRTC_ABSENT, .ptx = "", .log = ""};
    if (!load(&nvrtc, job->library))
        return;
    if (nvrtc.create(&program, job->text, job->name, 0, NULL, NULL) == NVRTC_SUCCESS) {
        answer->code = nvrtc.compile(program, job->option_count, job->options);
        answer->log = read_log(arena, &nvrtc, program);
        if (answer->code == NVRTC_SUCCESS)
            answer->ptx = read_ptx(arena, &nvrtc, program);
        nvrtc.destroy(&program);
    }
    dlclose(nvrtc.library);
}
