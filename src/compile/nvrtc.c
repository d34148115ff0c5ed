/* NVRTC as one of the compilers: its options, and what its answers mean. */
#include "compile/nvrtc.h"
#include "base/words.h"
#include "compile/backend.h"
#include "compile/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nvrtc_find(struct compiler_status *status)
{
    *status = (struct compiler_status){.compiler = COMPILER_NVRTC};
    int major = 0, minor = 0;
    if (!nvrtc_load(status->path, sizeof status->path, &major, &minor)) {
        snprintf(status->why, sizeof status->why,
                 _("libnvrtc is not on this machine: install NVIDIA's CUDA Toolkit, or set CUDA_HOME to its folder "
                   "(optional)"));
        return;
    }
    if (major > 0) {
        status->present = true;
        snprintf(status->version, sizeof status->version, "%d.%d", major, minor);
    } else {
        snprintf(status->why, sizeof status->why,
                 _("the version of libnvrtc cannot be read: reinstall the CUDA Toolkit"));
    }
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
    options[n++] = arena_format(arena, "-I%s", path_absolute(arena, unit->folder)); /* a child has another folder */
    options[n++] = arena_format(arena, "-I%s", path_absolute(arena, prelude_include_folder(arena)));
    n += add_toolkit_headers(arena, status, options + n);
    for (size_t i = 0; i < unit->define_count; i++)
        options[n++] = defines[i];
    *count = n;
    return options;
}

static enum outcome rejected(const struct unit *unit, const char *log, struct error *error)
{
    if (!log_first_error(unit->path, unit->text, log, NULL, error))
        error_at(error, ERROR_INPUT, unit->path, 0, 0, "NVRTC rejected it: %s", log);
    if (strstr(log, "cannot open source file"))
        error_remedy(error, "clang also takes headers of the C++ library (Debian: apt install clang)");
    /* NVRTC takes kernels only; clang also takes a main() beside them. */
    if (strstr(log, "cannot open source file")) /* clang may have it */
        return OUTCOME_UNUSABLE;
    if (!strstr(log, "host functions are not allowed"))
        return OUTCOME_REFUSED;
    error_remedy(error, "NVRTC accepts no host code: move the kernels to a file of their own, or install clang, "
                        "which accepts it (Debian: apt install clang)");
    return OUTCOME_UNUSABLE;
}

static enum outcome failed(const struct unit *unit, const struct compiler_status *status,
                           const struct nvrtc_answer *answer, struct error *error)
{
    if (answer->code == NVRTC_COMPILATION)
        return rejected(unit, answer->log, error);
    if (!process_ended(answer->code, unit->seconds, "NVRTC", unit->path, error))
        return answer->code > PROCESS_SIGNAL ? OUTCOME_REFUSED : OUTCOME_UNUSABLE;
    if (answer->code == NVRTC_ABSENT) {
        error_set(error, ERROR_MISSING, "NVRTC cannot be used");
        error_remedy(error, "reinstall the CUDA Toolkit, or install clang (Debian: apt install clang)");
        return OUTCOME_UNUSABLE;
    }
    error_set(error, ERROR_MISSING, "NVRTC %s failed for compute_%u (code %d%s%.*s)", status->version, unit->target,
              answer->code, *answer->log ? ": " : "", (int)strcspn(answer->log, "\n"), answer->log);
    error_remedy(error, answer->code == NVRTC_INVALID_OPTION ? "compile for another target, or install clang (Debian: "
                                                               "apt install clang)"
                                                             : "reinstall the CUDA Toolkit, or install clang (Debian: "
                                                               "apt install clang)");
    return OUTCOME_UNUSABLE;
}

enum outcome nvrtc_compile(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                           struct compile_result *result, struct error *error)
{
    struct nvrtc_job job = {.library = status->path,
                            .name = unit->name,
                            .text = unit->text,
                            .seconds = unit->seconds,
                            .cancel = unit->cancel};
    struct nvrtc_answer answer;
    job.options = make_options(arena, unit, status, &job.option_count);
    if (!nvrtc_compile_apart(arena, &job, &answer, error))
        return OUTCOME_UNUSABLE;
    result->log = answer.log;
    result->late = answer.code == PROCESS_LATE;
    if (answer.code != NVRTC_SUCCESS || !*answer.ptx)
        return failed(unit, status, &answer, error);
    result->ptx = ptx_with_plain_files(arena, answer.ptx);
    result->ptx_size = strlen(result->ptx);
    result->compiler = COMPILER_NVRTC;
    result->compiler_name = arena_format(arena, "NVRTC %s", status->version);
    return OUTCOME_DONE;
}
