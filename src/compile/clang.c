/* clang compiles CUDA for the device without any NVIDIA software: the prelude in assets/cuda replaces the headers that
 * -nocudainc leaves out. clang runs as a child process in a temporary folder that holds the source under its own
 * name. */
#include "base/words.h"
#include "compile/backend.h"
#include "compile/overlay.h"
#include "compile/process.h"
#include "source/dialect.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The plain name comes first because it is the user's choice; then Debian's numbered versions, newest first. */
static const char *const program_names[] = {"clang",    "clang-21", "clang-20", "clang-19", "clang-18",
                                            "clang-17", "clang-16", "clang-15", "clang-14"};

void clang_find(struct compiler_status *status)
{
    *status = (struct compiler_status){.compiler = COMPILER_CLANG};
    for (size_t i = 0; i < sizeof program_names / sizeof *program_names && !status->present; i++)
        status->present = process_find(program_names[i], status->path, sizeof status->path);
    if (!status->present) {
        status->path[0] = '\0';
        snprintf(
            status->why, sizeof status->why,
            _("clang is not on this machine: install it to compile kernels of your own (Debian: apt install clang)"));
    }
}

/* Returns the status of clang as a child process. */
static int read_version(struct arena *arena, const char *folder, struct compiler_status *status,
                        const atomic_bool *cancel)
{
    const char *output = arena_format(arena, "%s/version", folder);
    char *text = NULL;
    int const code = process_compile((const char *const[]){status->path, "--version", NULL}, folder, output, 0, cancel);
    if (code != 0 || !file_read(arena, output, &text, NULL, NULL))
        return code;
    const char *number = strstr(text, "version ");
    if (number)
        snprintf(status->version, sizeof status->version, "%.*s", (int)strspn(number + 8, "0123456789."), number + 8);
    return code;
}

void clang_version(struct compiler_status *status, const atomic_bool *cancel)
{
    int code = 0;
    struct arena arena = {0};
    struct workplace place;
    if (status->present && workplace_open(&place)) {
        code = read_version(&arena, place.folder, status, cancel);
        workplace_close(&place);
    }
    arena_free(&arena);
    if (status->present && !*status->version) {
        status->present = false;
        if (code == PROCESS_CANCELLED)
            snprintf(status->why, sizeof status->why, _("%s was stopped"), "clang");
        else
            snprintf(status->why, sizeof status->why,
                     _("clang is here but does not run: reinstall it (Debian: apt install "
                       "--reinstall clang)"));
    }
}

const char *clang_unset_option(const struct compiler_status *status)
{
    int const major = atoi(status->version);
    return major > 14 ? "-no-enable-noundef-analysis" : major == 14 ? "-disable-noundef-analysis" : NULL;
}

/* Returns the unit's target, or the highest that this clang knows. clang before 16 knows no target above sm_86. PTX for
 * a lower target also runs on a higher one. */
static unsigned clang_target(const struct unit *unit, const struct compiler_status *status)
{
    int const major = atoi(status->version);
    if (unit->target > 86 && major < 16)
        return 86;
    return unit->target > 90 ? 90 : unit->target;
}

/* Returns the options for the headers: our prelude alone or, where the source includes others, those of whole programs
 * and of the C++ library. */
static void header_options(struct arena *arena, bool library, const char *options[8])
{
    const char *program = data_path(arena, "assets/cuda/program"), *first = data_path(arena, "assets/cuda/program.cuh");
    const char *const whole[] = {"-Xclang", "-target-sdk-version=11.0", "-include", first, "-isystem", program};
    const char *const own[] = {"-nostdinc", "-include", prelude_path(arena), "-isystem", prelude_include_folder(arena)};
    memcpy(options, library ? whole : own, library ? sizeof whole : sizeof own);
}

static const char **make_arguments(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                                   bool library, const char *overlay)
{
    unsigned const target = clang_target(unit, status);
    char *folder = realpath(unit->folder, NULL);
    const char *const fixed[] = {
        status->path, "-x", "cuda", "--cuda-device-only", "-S", "-O3", "-std=c++17", "-gline-tables-only", "-nocudainc",
        "-nocudalib", "--cuda-path=/nonexistent", "-fno-color-diagnostics", "-ferror-limit=20",
        "-Wno-unknown-cuda-version", arena_format(arena, "--cuda-gpu-arch=sm_%u", target),
        /* Without a toolkit, clang would assume a PTX version that is too old for warp synchronisation. */
        "-Xclang", "-target-feature", "-Xclang", target > 86 ? "+ptx78" : "+ptx71",
        /* Otherwise clang merges a shared load in an `if` and a global load in its `else` into one generic load, which
         * has no source line. */
        "-mllvm", "-sink-common-insts=0", "-fno-finite-loops", /* an endless loop stays one, as with NVRTC */
        "-fno-strict-aliasing",                                /* kernels load floats as uint4, and NVRTC lets them */
        CLANG_LIBERTIES, "-iquote", folder ? arena_text(arena, folder) : unit->folder, "-o", "output.ptx",
        arena_format(arena, "./%s", unit->name), /* ./ because a name may begin with '-' */
    };
    free(folder);
    size_t const count = sizeof fixed / sizeof *fixed;
    const char **defines = unit_define_options(arena, unit);
    const char **arguments = arena_array(arena, const char *, count + unit->define_count + 13);
    memcpy(arguments, fixed, sizeof fixed);
    for (size_t i = 0; i < unit->define_count; i++)
        arguments[count + i] = defines[i];
    size_t end = count + unit->define_count;
    if (overlay) {
        arguments[end++] = "-ivfsoverlay";
        arguments[end++] = overlay;
    }
    if (clang_unset_option(status)) {
        arguments[end++] = "-Xclang";
        arguments[end++] = clang_unset_option(status);
    }
    header_options(arena, library, arguments + end);
    return arguments;
}

static enum outcome compile_in(struct arena *arena, const char *folder, const struct unit *unit,
                               const struct compiler_status *status, bool library, struct compile_result *result,
                               struct error *error)
{
    const char *log_path = arena_format(arena, "%s/output.log", folder);
    const char *source_path = arena_format(arena, "%s/%s", folder, unit->name);
    char *log = NULL, *ptx = NULL;
    const char *text = source_for_clang(arena, unit->text), *headers = path_absolute(arena, unit->folder);
    struct overlay overlay = {.arena = arena, .folder = folder};
    if (!file_write(source_path, text, strlen(text), error) ||
        !overlay_add_includes(&overlay, unit->text, headers, error))
        return OUTCOME_UNUSABLE;
    const char *list = overlay_end(&overlay, error);
    if (overlay.count && !list)
        return OUTCOME_UNUSABLE;
    int const code = process_compile(make_arguments(arena, unit, status, library, list), folder, log_path,
                                     unit->seconds, unit->cancel);
    result->log = file_read(arena, log_path, &log, NULL, NULL) ? log : "";
    if (code == 0 && file_read(arena, arena_format(arena, "%s/output.ptx", folder), &ptx, NULL, error)) {
        result->ptx = ptx_with_plain_files(arena, ptx);
        result->ptx_size = strlen(result->ptx);
        result->compiler = COMPILER_CLANG;
        result->compiler_name = arena_format(arena, "clang %s", status->version);
        return OUTCOME_DONE;
    }
    result->late = code == PROCESS_LATE;
    if (!process_ended(code, unit->seconds, "clang", unit->path, error))
        return OUTCOME_REFUSED;
    if (code != 0 && !library && /* a header of the C++ library, or of launches by kernels */
        (strstr(result->log, "file not found") || strstr(result->log, "'lanescope_kernel'")))
        return compile_in(arena, folder, unit, status, true, result, error);
    if (code != 0 && log_first_error(unit->path, unit->text, result->log, NULL, error))
        return OUTCOME_REFUSED;
    error_at(error, ERROR_MISSING, unit->path, 0, 0, "clang %s failed without naming a source line (status %d): %.*s",
             status->version, code, (int)strcspn(result->log, "\n"), result->log);
    error_remedy(error, "check that %s can compile CUDA (Debian: apt install --reinstall clang)", status->path);
    return OUTCOME_UNUSABLE;
}

enum outcome clang_compile(struct arena *arena, const struct unit *unit, const struct compiler_status *found,
                           struct compile_result *result, struct error *error)
{
    struct compiler_status status = *found;
    struct workplace place;
    clang_version(&status, unit->cancel);
    if (!status.present) {
        error_set(error, ERROR_MISSING, "%s", status.why);
        return OUTCOME_UNUSABLE;
    }
    if (!workplace_open(&place)) {
        error_set(error, ERROR_MISSING, "no temporary folder can be made for clang");
        error_remedy(error, "set TMPDIR to a writable folder");
        return OUTCOME_UNUSABLE;
    }
    enum outcome const outcome = compile_in(arena, place.folder, unit, &status, false, result, error);
    workplace_close(&place);
    return outcome;
}
