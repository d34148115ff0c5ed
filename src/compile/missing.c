#include "compile/backend.h"

bool compiler_missing(const struct unit *unit, enum compiler wanted, const struct compiler_status *status,
                      struct error *error)
{
    if (wanted == COMPILER_ANY)
        error_at(error, ERROR_MISSING, unit->path, 0, 0,
                 "cannot be compiled: this machine has neither clang nor NVIDIA's NVRTC");
    else
        return error_at(error, ERROR_MISSING, unit->path, 0, 0, "%s", status->why);
    return error_remedy(error, "install clang (Debian: apt install clang) or the CUDA Toolkit");
}
