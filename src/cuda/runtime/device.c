/* Finds the machine's GPU, and puts CUDA's errors into words with a remedy. */
#include "base/words.h"
#include "cuda/driver.h"
#include "cuda/runtime/gpu.h"
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

struct wording {
    cudaError_t code;
    enum error_kind kind;
    const char *message, *remedy;
};

static const char no_gpu_remedy[] = N_("check that nvidia-smi shows a GPU, or use --on emulator");
static const char fault_remedy[] = N_("run it with --on emulator: it names the line and the thread");

static const struct wording wordings[] = {
    /* about the machine */
    {cudaErrorNoDevice, ERROR_MISSING, N_("the NVIDIA driver finds no GPU"), no_gpu_remedy},
    {cudaErrorDevicesUnavailable, ERROR_MISSING,
     N_("this program cannot use the GPU: another program has exclusive use of it, or an earlier kernel faulted here"),
     N_("close the other program, or start lanescope again")},
    {cudaErrorSystemDriverMismatch, ERROR_MISSING, N_("the NVIDIA driver and its libraries have different versions"),
     N_("restart the machine, or install the driver again")},
    {cudaErrorSystemNotReady, ERROR_MISSING, N_("the NVIDIA driver is not ready"),
     N_("start its services, or try again later")},
    {cudaErrorStubLibrary, ERROR_MISSING, N_("the library of the NVIDIA driver that was found is only a stub"),
     N_("install the NVIDIA driver, and take CUDA's stubs out of LD_LIBRARY_PATH")},
    {cudaErrorMemoryAllocation, ERROR_MISSING, N_("the GPU is out of memory"),
     N_("choose a smaller size, or close other programs that use the GPU")},
    {cudaErrorUnsupportedPtxVersion, ERROR_MISSING, N_("the PTX is newer than this NVIDIA driver understands"),
     N_("update the NVIDIA driver")},
    {cudaErrorNoKernelImageForDevice, ERROR_MISSING, N_("the kernel was compiled for a newer GPU than this one"),
     N_("compile it for an older one")},
    {cudaErrorJitCompilerNotFound, ERROR_MISSING, N_("the NVIDIA driver's PTX compiler is missing"),
     N_("install the whole driver (libnvidia-ptxjitcompiler)")},
    {cudaErrorUnsupportedDevSideSync, ERROR_INPUT, N_("the PTX uses a synchronization that this GPU lacks"), ""},
    /* about the kernel's text and launch */
    {cudaErrorInvalidPtx, ERROR_INPUT, N_("the GPU's driver rejects the kernel's PTX"), ""},
    {cudaErrorInvalidDeviceFunction, ERROR_INPUT, N_("the kernel was compiled for another GPU"), ""},
    {cudaErrorSymbolNotFound, ERROR_INPUT, N_("the kernel is not in its PTX"), ""},
    {cudaErrorInvalidConfiguration, ERROR_INPUT, N_("this GPU cannot launch a grid or a block of that shape"),
     N_("choose fewer threads a block, or a smaller grid")},
    {cudaErrorInvalidValue, ERROR_INPUT,
     N_("this GPU cannot launch the kernel like that: too much shared memory, or a "
        "shape out of range"),
     N_("choose a smaller block or tile")},
    {cudaErrorLaunchOutOfResources, ERROR_INPUT,
     N_("a block of this kernel needs more registers or shared memory than the "
        "GPU has"),
     N_("choose fewer threads a block")},
    /* about the kernel's run */
    {cudaErrorIllegalAddress, ERROR_RUN, N_("the kernel read or wrote memory outside its buffers"), fault_remedy},
    {cudaErrorMisalignedAddress, ERROR_RUN,
     N_("the kernel used an address that is not a multiple of the access's size"), fault_remedy},
    {cudaErrorInvalidAddressSpace, ERROR_RUN, N_("the kernel used an address of the wrong memory space"), fault_remedy},
    {cudaErrorInvalidPc, ERROR_RUN, N_("the kernel jumped to an address that holds no instruction"), fault_remedy},
    {cudaErrorIllegalInstruction, ERROR_RUN, N_("the kernel ran an illegal instruction"), fault_remedy},
    {cudaErrorHardwareStackError, ERROR_RUN, N_("the kernel's stack overflowed or was damaged"), fault_remedy},
    {cudaErrorAssert, ERROR_RUN, N_("an assertion in the kernel failed"), fault_remedy},
    {cudaErrorLaunchTimeout, ERROR_RUN, N_("the kernel ran longer than the system allows"),
     N_("choose a smaller size")},
    {cudaErrorLaunchFailure, ERROR_RUN, N_("the kernel was stopped by a fault or by trap"), fault_remedy},
};

/* Returns true for errors after which this process cannot use the GPU any more. After a fault every later call fails
 * with the same code. Without the context they fail with cudaErrorDevicesUnavailable: the process has to end before the
 * GPU can be used again. */
static bool is_lasting(cudaError_t code)
{
    return cudaDeviceSynchronize() == code && code != cudaSuccess && code != cudaErrorNoDevice;
}

bool gpu_failed(int code, const char *doing, struct error *error)
{
    cudaError_t const what = (cudaError_t)code;
    cudaGetLastError();
    if (is_lasting(what))
        cudaDeviceReset();
    for (size_t i = 0; i < sizeof wordings / sizeof *wordings; i++) {
        if (wordings[i].code != what)
            continue;
        error_set(error, wordings[i].kind, "%s", _(wordings[i].message));
        return error_remedy(error, "%s", *wordings[i].remedy ? _(wordings[i].remedy) : "");
    }
    return error_set(error, ERROR_RUN, "%s failed on the GPU: %s (%s)", doing, cudaGetErrorString(what),
                     cudaGetErrorName(what));
}

bool gpu_ready(struct error *error)
{
    int driver = 0, count = 0;
    cudaError_t const code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count > 0)
        return true;
    cudaGetLastError();
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        error_set(error, ERROR_MISSING, "there is no NVIDIA driver on this machine");
        return error_remedy(error, "install it (Debian: nvidia-driver), or use --on emulator");
    }
    if (code == cudaErrorInsufficientDriver) {
        error_set(error, ERROR_MISSING,
                  "the NVIDIA driver is too old: it supports CUDA %d.%d, and CUDA %d.%d is needed", driver / 1000,
                  driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
        return error_remedy(error, "update the NVIDIA driver, or use --on emulator");
    }
    return gpu_failed((int)(code == cudaSuccess ? cudaErrorNoDevice : code), "looking for a GPU", error);
}

static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess ? value : 0;
}

bool gpu_device(struct cuda_device *device, struct error *error)
{
    *device = (struct cuda_device){0};
    if (!gpu_ready(error))
        return false;
    struct cudaDeviceProp properties;
    int driver = 0;
    cudaError_t code = cudaGetDeviceProperties(&properties, 0);
    if (code == cudaSuccess)
        code = cudaDriverGetVersion(&driver);
    if (code == cudaSuccess)
        code = cudaRuntimeGetVersion(&device->runtime);
    if (code != cudaSuccess)
        return gpu_failed((int)code, "asking the GPU what it is", error);
    snprintf(device->name, sizeof device->name, "%.127s", properties.name);
    if (!driver_version(device->driver, sizeof device->driver))
        snprintf(device->driver, sizeof device->driver, "CUDA %d.%d", driver / 1000, driver % 1000 / 10);
    device->major = properties.major;
    device->minor = properties.minor;
    device->multiprocessors = properties.multiProcessorCount;
    device->clock_khz = attribute(cudaDevAttrClockRate);
    device->memory_clock_khz = attribute(cudaDevAttrMemoryClockRate);
    device->l2_bytes = properties.l2CacheSize;
    device->memory_bytes = properties.totalGlobalMem;
    device->shared_bytes_block = properties.sharedMemPerBlock;
    device->shared_bytes_block_optin = properties.sharedMemPerBlockOptin;
    return true;
}

bool gpu_pitch(uint64_t row_bytes, uint64_t *pitch, struct error *error)
{
    enum { ROWS = 16 };
    void *memory = NULL;
    size_t bytes = 0;
    if (!gpu_ready(error))
        return false;
    cudaError_t const code = cudaMallocPitch(&memory, &bytes, row_bytes, ROWS);
    if (code != cudaSuccess)
        return gpu_failed((int)code, "asking for a pitch", error);
    cudaFree(memory);
    *pitch = bytes;
    return true;
}
