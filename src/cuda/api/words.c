/* The driver's errors in words, with a remedy. */
#include "base/words.h"
#include "cuda/api/api.h"

struct wording {
    int code;
    enum error_kind kind;
    const char *message, *remedy;
};

static const char no_gpu_remedy[] = N_("check that nvidia-smi shows a GPU, or use --on emulator");
static const char fault_remedy[] = N_("run it with --on emulator: it names the line and the thread");

static const struct wording wordings[] = {
    /* about the computer */
    {CUDA_API_NO_DEVICE, ERROR_MISSING, N_("the NVIDIA driver finds no GPU"), no_gpu_remedy},
    {CUDA_API_UNAVAILABLE, ERROR_MISSING,
     N_("this program cannot use the GPU: another program has exclusive use of it, or an earlier kernel faulted here"),
     N_("close the other program, or start lanescope again")},
    {CUDA_API_DRIVER_MISMATCH, ERROR_MISSING, N_("the NVIDIA driver and its libraries have different versions"),
     N_("restart the machine, or install the driver again")},
    {CUDA_API_SYSTEM_NOT_READY, ERROR_MISSING, N_("the NVIDIA driver is not ready"),
     N_("start its services, or try again later")},
    {CUDA_API_STUB_LIBRARY, ERROR_MISSING, N_("the library of the NVIDIA driver that was found is only a stub"),
     N_("install the NVIDIA driver, and take CUDA's stubs out of LD_LIBRARY_PATH")},
    {CUDA_API_OUT_OF_MEMORY, ERROR_MISSING, N_("the GPU is out of memory"),
     N_("choose a smaller size, or close other programs that use the GPU")},
    {CUDA_API_NEWER_PTX, ERROR_MISSING, N_("the PTX is newer than this NVIDIA driver understands"),
     N_("update the NVIDIA driver")},
    {CUDA_API_NO_BINARY, ERROR_MISSING, N_("the kernel was compiled for a newer GPU than this one"),
     N_("compile it for an older one")},
    {CUDA_API_NO_COMPILER, ERROR_MISSING, N_("the NVIDIA driver's PTX compiler is missing"),
     N_("install the whole driver (libnvidia-ptxjitcompiler)")},
    {CUDA_API_NO_SUCH_BARRIER, ERROR_INPUT, N_("the PTX uses a synchronization that this GPU lacks"), ""},
    /* about the kernel's text and launch */
    {CUDA_API_INVALID_PTX, ERROR_INPUT, N_("the GPU's driver rejects the kernel's PTX"), ""},
    {CUDA_API_NOT_FOUND, ERROR_INPUT, N_("the kernel is not in its PTX"), ""},
    {CUDA_API_INVALID_VALUE, ERROR_INPUT,
     N_("this GPU cannot launch the kernel like that: too much shared memory, or a "
        "shape out of range"),
     N_("choose a smaller block or tile")},
    {CUDA_API_OUT_OF_RESOURCES, ERROR_INPUT,
     N_("a block of this kernel needs more registers or shared memory than the "
        "GPU has"),
     N_("choose fewer threads a block")},
    /* about the kernel's run */
    {CUDA_API_ILLEGAL_ADDRESS, ERROR_RUN, N_("the kernel read or wrote memory outside its buffers"), fault_remedy},
    {CUDA_API_MISALIGNED_ADDRESS, ERROR_RUN,
     N_("the kernel used an address that is not a multiple of the access's size"), fault_remedy},
    {CUDA_API_INVALID_SPACE, ERROR_RUN, N_("the kernel used an address of the wrong memory space"), fault_remedy},
    {CUDA_API_INVALID_PC, ERROR_RUN, N_("the kernel jumped to an address that holds no instruction"), fault_remedy},
    {CUDA_API_ILLEGAL_INSTRUCTION, ERROR_RUN, N_("the kernel ran an illegal instruction"), fault_remedy},
    {CUDA_API_STACK_ERROR, ERROR_RUN, N_("the kernel's stack overflowed or was damaged"), fault_remedy},
    {CUDA_API_ASSERT, ERROR_RUN, N_("an assertion in the kernel failed"), fault_remedy},
    {CUDA_API_TIMEOUT, ERROR_RUN, N_("the kernel ran longer than the system allows"), N_("choose a smaller size")},
    {CUDA_API_LAUNCH_FAILED, ERROR_RUN, N_("the kernel was stopped by a fault or by trap"), fault_remedy},
};

bool cuda_api_did(const struct cuda_api *api, int code, const char *doing, struct error *error)
{
    const char *name = NULL, *text = NULL;
    if (!code)
        return true;
    for (size_t i = 0; i < sizeof wordings / sizeof *wordings; i++) {
        if (wordings[i].code != code)
            continue;
        error_set(error, wordings[i].kind, "%s", _(wordings[i].message));
        return error_remedy(error, "%s", *wordings[i].remedy ? _(wordings[i].remedy) : "");
    }
    if (api->error_name(code, &name) || api->error_text(code, &text))
        name = text = "?";
    return error_set(error, ERROR_RUN, "%s failed on the GPU: %s (%s)", doing, text, name);
}
