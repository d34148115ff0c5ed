/* NVRTC, NVIDIA's compiler as a library. It is loaded at run time through its C entry points, so that the program also
 * runs where NVRTC is absent and builds without CUDA headers. */
#include "base/words.h"
#include "compile/backend.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct nvrtc_program *program_handle;
enum { NVRTC_SUCCESS = 0, NVRTC_INVALID_OPTION = 5, NVRTC_COMPILATION = 6 }; /* values of nvrtcResult */

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

/* Loads the newest version found. For each version, the loader's search path comes before the toolkit's usual folders.
 * RTLD_NODELETE keeps the library loaded: it is large, and it may have threads that still run. */
static bool load(struct nvrtc *nvrtc)
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
            void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
            if (library && load_symbols(nvrtc, library))
                return true;
            if (library)
                dlclose(library);
        }
    return false;
}

void nvrtc_find(struct compiler_status *status)
{
    struct nvrtc nvrtc;
    *status = (struct compiler_status){.compiler = COMPILER_NVRTC};
    int major = 0, minor = 0;
    if (!load(&nvrtc)) {
        snprintf(status->why, sizeof status->why,
                 _("libnvrtc is not on this machine: install NVIDIA's CUDA Toolkit, or set CUDA_HOME to its folder "
                   "(optional)"));
        return;
    }
    if (nvrtc.version(&major, &minor) == NVRTC_SUCCESS) {
        status->present = true;
        snprintf(status->version, sizeof status->version, "%d.%d", major, minor);
    } else {
        snprintf(status->why, sizeof status->why,
                 _("the version of libnvrtc cannot be read: reinstall the CUDA Toolkit"));
    }
    Dl_info about;
    void *symbol = NULL;
    memcpy(&symbol, &nvrtc.version, sizeof symbol);
    if (dladdr(symbol, &about) && about.dli_fname)
        snprintf(status->path, sizeof status->path, "%s", about.dli_fname);
    dlclose(nvrtc.library);
}

static const char *read_log(struct arena *arena, const struct nvrtc *nvrtc, program_handle program)
{
    size_t size = 0;
    if (nvrtc->log_size(program, &size) != NVRTC_SUCCESS || size <= 1)
        return "";
    char *log = arena_alloc(arena, size + 1);
    return nvrtc->log(program, log) == NVRTC_SUCCESS ? log : "";
}

/* Adds the toolkit's own headers behind those of assets/cuda, for everything that these do not offer (cooperative
 * groups, half precision). Since CUDA 13 the C++ headers (cuda/barrier, cuda/pipeline, cub) are in a folder of their
 * own, which nvcc adds by itself. */
static int add_toolkit_headers(struct arena *arena, const struct compiler_status *status, const char **options)
{
    static const char *const folders[] = {"include", "include/cccl"};
    const char *slash = strrchr(status->path, '/');
    int n = 0;
    for (size_t i = 0; slash && i < sizeof folders / sizeof *folders; i++) {
        const char *folder = arena_format(arena, "%.*s/../%s", (int)(slash - status->path), status->path, folders[i]);
        if (file_exists(folder))
            options[n++] = arena_format(arena, "-I%s", folder);
    }
    return n;
}

/* Returns the unit's target, or the highest that this NVRTC knows when that is lower. PTX for a lower target also runs
 * on a higher one. Source: CUDA release notes: sm_80 since CUDA 11.0, sm_86 since 11.1, sm_90 since 11.8. */
static unsigned nvrtc_target(const struct unit *unit, const struct compiler_status *status)
{
    double const version = strtod(status->version, NULL);
    unsigned const most = version < 11.0 ? 75 : version < 11.1 ? 80 : version < 11.8 ? 86 : unit->target;
    return unit->target < most ? unit->target : most;
}

static const char **make_options(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                                 int *count)
{
    const char **defines = unit_define_options(arena, unit);
    const char **options = arena_array(arena, const char *, unit->define_count + 8);
    int n = 0;
    options[n++] = arena_format(arena, "--gpu-architecture=compute_%u", nvrtc_target(unit, status));
    options[n++] = "-lineinfo";
    options[n++] = arena_format(arena, "-I%s", unit->folder);
    options[n++] = arena_format(arena, "-I%s", prelude_include_folder(arena));
    n += add_toolkit_headers(arena, status, options + n);
    for (size_t i = 0; i < unit->define_count; i++)
        options[n++] = defines[i];
    *count = n;
    return options;
}

static enum outcome finish(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                           const struct nvrtc *nvrtc, program_handle program, int code, struct compile_result *result,
                           struct error *error)
{
    size_t size = 0;
    result->log = read_log(arena, nvrtc, program);
    if (code == NVRTC_COMPILATION) {
        if (!log_first_error(unit, result->log, error))
            error_at(error, ERROR_INPUT, unit->path, 0, 0, "NVRTC rejected it: %s", result->log);
        if (strstr(result->log, "cannot open source file"))
            error_remedy(error,
                         "only the kernels are compiled, without the C++ library: move them to a file of their own");
        /* NVRTC takes kernels only; clang also takes a main() beside them. */
        if (!strstr(result->log, "host functions are not allowed"))
            return OUTCOME_REFUSED;
        error_remedy(error, "NVRTC accepts no host code: move the kernels to a file of their own, or install clang, "
                            "which accepts it (Debian: apt install clang)");
        return OUTCOME_UNUSABLE;
    }
    if (code != NVRTC_SUCCESS || nvrtc->ptx_size(program, &size) != NVRTC_SUCCESS) {
        error_set(error, ERROR_MISSING, "NVRTC %s failed for compute_%u (code %d%s%.*s)", status->version, unit->target,
                  code, *result->log ? ": " : "", (int)strcspn(result->log, "\n"), result->log);
        error_remedy(error, code == NVRTC_INVALID_OPTION ? "compile for another target, or install clang (Debian: apt "
                                                           "install clang)"
                                                         : "reinstall the CUDA Toolkit, or install clang (Debian: apt "
                                                           "install clang)");
        return OUTCOME_UNUSABLE;
    }
    char *ptx = arena_alloc(arena, size + 1);
    nvrtc->ptx(program, ptx);
    result->ptx = ptx_with_plain_files(arena, ptx);
    result->ptx_size = strlen(result->ptx);
    result->compiler = COMPILER_NVRTC;
    result->compiler_name = arena_format(arena, "NVRTC %s", status->version);
    return OUTCOME_DONE;
}

enum outcome nvrtc_compile(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                           struct compile_result *result, struct error *error)
{
    struct nvrtc nvrtc;
    program_handle program = NULL;
    if (!load(&nvrtc) || nvrtc.create(&program, unit->text, unit->name, 0, NULL, NULL) != NVRTC_SUCCESS) {
        error_set(error, ERROR_MISSING, "NVRTC cannot be used");
        error_remedy(error, "reinstall the CUDA Toolkit, or install clang (Debian: apt install clang)");
        return OUTCOME_UNUSABLE;
    }
    int count = 0;
    const char **options = make_options(arena, unit, status, &count);
    int const code = nvrtc.compile(program, count, options);
    enum outcome const outcome = finish(arena, unit, status, &nvrtc, program, code, result, error);
    nvrtc.destroy(&program);
    dlclose(nvrtc.library);
    return outcome;
}
