/* What a compiler or linker that failed said, and what to do about it. */
#include "compile/log.h"
#include "program/build/build.h"
#include <string.h>

bool build_failed(struct build *build, const char *file, const char *log, int code, struct error *error)
{
    static const char *const templates[] = {"thrust/", "cub/"}, *const samples[] = {"helper_"};
    static const char *const windows[] = {"windows.h", "Windows.h", "conio.h"};
    static const char *const votes[] = {"__shfl", "__any", "__all", "__ballot"}, *const textures[] = {"texture",
                                                                                                      "surface"};
    static const char *const libraries[] = {"cublasLt", "cublasXt", "cufft",  "cusparse",
                                            "cusolver", "cudnn", /* machine code alone */
                                            "nccl",     "npp",      "nvjpeg", "cutensor"};
    struct log_cause cause;
    if (log_first_error(file, "", log, &cause, error)) {
        if (begins_with_one(cause.name, templates, sizeof templates / sizeof *templates))
            error_remedy(error, "Thrust and CUB are headers of the CUDA Toolkit 13: install it, set CUDA_HOME to its "
                                "folder, or give -I with the folder of its cccl headers");
        else if (begins_with_one(cause.name, libraries, sizeof libraries / sizeof *libraries))
            error_remedy(error,
                         "Lanescope has no libraries such as cuFFT, cuSPARSE and cuDNN: their kernels are machine "
                         "code of a GPU; replace the call by a kernel of your own");
        else if (cause.kind == LOG_NO_NAME && begins_with_one(cause.name, votes, sizeof votes / sizeof *votes))
            error_remedy(error,
                         "no GPU since Volta has it: write %s_sync, with the mask of the lanes, such as "
                         "0xffffffff, as its first argument",
                         cause.name);
        else if (cause.kind == LOG_NO_NAME && begins_with_one(cause.name, textures, sizeof textures / sizeof *textures))
            error_remedy(error, "texture and surface references ended with CUDA 12: load from global memory");
        else if (begins_with_one(cause.name, samples, sizeof samples / sizeof *samples))
            error_remedy(error, "it is a header of NVIDIA's samples: give -I with their folder Common");
        else if (begins_with_one(cause.name, windows, sizeof windows / sizeof *windows))
            error_remedy(error, "it is a header of Windows: leave it out, and take the time from <chrono>");
        return false;
    }
    if (cause.kind == LOG_NO_DEFINITION) {
        error_set(error, ERROR_INPUT, "the program cannot be linked: nothing defines %s", cause.name);
        if (strncmp(cause.name, "cublas", 6) == 0 && !program_has_cublas(build->arena))
            return error_remedy(error, "cuBLAS needs OpenBLAS: install the Debian package libopenblas-dev, and build "
                                       "Lanescope again");
        return error_remedy(error, "give the file or library that does; docs/programs.md lists the CUDA functions");
    }
    error_at(error, ERROR_INPUT, file, 0, 0, "clang %s failed (status %d): %.*s", build->clang.version, code,
             (int)strcspn(log, "\n"), log);
    return false;
}
