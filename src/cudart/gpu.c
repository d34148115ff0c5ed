/* The device, its memory and copies, by the driver. Bookkeeping and the checks of the calls stay where they are: the
 * functions here get what is already known to be right. */
#include "cudart/gpu.h"
#include "cuda/driver.h"
#include "cudart/module.h"
#include <string.h>

static struct {
    bool on;
    struct cuda_api api;
    int device;
    void *context;
    unsigned generation; /* of the context */
    char name[256], driver[32];
} gpu;
static __thread unsigned entered; /* the generation that the thread uses */

bool gpu_on(void)
{
    return gpu.on;
}

const struct cuda_api *gpu_api(void)
{
    return &gpu.api;
}

const char *gpu_name(void)
{
    return gpu.name;
}

const char *gpu_driver(void)
{
    return gpu.driver;
}

void gpu_enter(void)
{
    if (entered != gpu.generation && !gpu.api.context_use(gpu.context))
        entered = gpu.generation;
}

static int retain(void)
{
    int const code = gpu.api.context_retain(&gpu.context, gpu.device);
    if (!code)
        gpu.generation++;
    gpu_enter();
    return code;
}

bool gpu_start(struct error *error)
{
    if (!cuda_api_load(&gpu.api, error))
        return false;
    int code = gpu.api.initialize(0);
    if (!code)
        code = gpu.api.device_get(&gpu.device, 0);
    if (!code)
        code = gpu.api.device_name(gpu.name, (int)sizeof gpu.name, gpu.device);
    if (!code)
        code = retain();
    if (code) {
        error_set(error, ERROR_MISSING, "there is no GPU that can be used (error %d)", code);
        return error_remedy(error, "use --on emulator");
    }
    if (!driver_version(gpu.driver, sizeof gpu.driver) && !gpu.api.version(&code))
        snprintf(gpu.driver, sizeof gpu.driver, "CUDA %d.%d", code / 1000, code % 1000 / 10);
    gpu.on = true;
    return true;
}

int gpu_attribute(int attribute)
{
    int value = 0;
    return gpu.api.device_attribute(&value, attribute, gpu.device) ? 0 : value;
}

/* Errors after which every call fails, until the context is made anew: faults of kernels. */
bool gpu_is_lasting(int code)
{
    switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case 214: /* memory with an error that cannot be corrected */
    case 714: /* a damaged stack */
        return true;
    default:
        return false;
    }
}

cudaError_t gpu_error(int code)
{
    if (gpu_is_lasting(code) && !runtime.sticky)
        runtime.sticky = code;
    return code;
}

cudaError_t gpu_wait(void)
{
    cudaError_t const error = gpu_error(gpu.api.context_wait());
    gpu_measured();
    return error;
}

cudaError_t gpu_reset(void)
{
    gpu_measured_drop();
    for (struct stream *s = runtime.streams; s; s = s->next)
        s->driver = NULL;
    for (struct event *e = runtime.events; e; e = e->next) {
        e->driver = NULL;
        e->recorded = false;
    }
    for (struct module *module = runtime.modules; module; module = module->next) {
        module->driver = NULL;
        for (struct kernel *kernel = module->kernels; kernel; kernel = kernel->next)
            kernel->driver = NULL;
    }
    space_forget_variables();
    gpu.api.context_release(gpu.device);
    gpu.api.context_reset(gpu.device);
    cudaError_t const error = gpu_error(retain());
    for (struct module *module = runtime.modules; module && !error; module = module->next)
        if (module->program && !module->failed)
            module->failed = !gpu_load(module);
    return error;
}

/* ---- memory ---- */

cudaError_t gpu_allocate(enum allocation_kind kind, uint64_t size, uint64_t *address)
{
    void *host = NULL;
    int code;
    switch (kind) {
    case ALLOCATION_MANAGED:
        code = gpu.api.allocate_managed(address, size, CUDA_API_MANAGED_GLOBAL);
        break;
    case ALLOCATION_HOST:
        code = gpu.api.allocate_host(&host, size, CUDA_API_HOST_PORTABLE | CUDA_API_HOST_MAPPED);
        *address = (uint64_t)(uintptr_t)host;
        break;
    default:
        code = gpu.api.allocate(address, size);
    }
    return gpu_error(code);
}

void gpu_free(const struct allocation *a)
{
    void *const host = (void *)(uintptr_t)a->address;
    if (a->kind == ALLOCATION_HOST)
        gpu_error(gpu.api.release_host(host));
    else if (a->kind == ALLOCATION_REGISTERED)
        gpu_error(gpu.api.host_unregister(host));
    else if (a->kind != ALLOCATION_VARIABLE)
        gpu_error(gpu.api.release(a->address));
}

cudaError_t gpu_copy(const struct gpu_rows *r, const struct stream *stream, bool waits)
{
    int code;
    gpu_measure_begin(stream);
    if (r->height == 1 && r->depth == 1) {
        code = waits ? gpu.api.copy(r->to, r->from, r->width)
                     : gpu.api.copy_async(r->to, r->from, r->width, stream->driver);
    } else {
        size_t const from = r->from_pitch ? r->from_pitch : r->width, to = r->to_pitch ? r->to_pitch : r->width;
        struct cuda_copy_rows const rows = {.from_type = CUDA_API_COPY_UNIFIED,
                                            .from = r->from,
                                            .from_pitch = from,
                                            .from_height = r->from_slice ? r->from_slice / from : r->height,
                                            .to_type = CUDA_API_COPY_UNIFIED,
                                            .to = r->to,
                                            .to_pitch = to,
                                            .to_height = r->to_slice ? r->to_slice / to : r->height,
                                            .width = r->width,
                                            .height = r->height,
                                            .depth = r->depth};
        code = waits ? gpu.api.copy_rows(&rows) : gpu.api.copy_rows_async(&rows, stream->driver);
    }
    gpu_measure_end(stream);
    if (waits)
        gpu_measured();
    return gpu_error(code);
}

static int fill_plane(uint64_t to, const struct gpu_rows *r, unsigned value, unsigned element, void *stream)
{
    size_t const pitch = r->height == 1 ? r->width : r->to_pitch; /* of one row it means nothing, but must be enough */
    if (element == 4)
        return gpu.api.fill_rows_32(to, pitch, value, r->width / 4, r->height, stream);
    if (element == 2)
        return gpu.api.fill_rows_16(to, pitch, (unsigned short)value, r->width / 2, r->height, stream);
    return r->height == 1 ? gpu.api.fill(to, (unsigned char)value, r->width, stream)
                          : gpu.api.fill_rows(to, pitch, (unsigned char)value, r->width, r->height, stream);
}

cudaError_t gpu_fill(const struct gpu_rows *r, unsigned value, unsigned element, const struct stream *stream)
{
    int code = 0;
    gpu_measure_begin(stream);
    for (size_t z = 0; z < r->depth && !code; z++)
        code = fill_plane(r->to + z * r->to_slice, r, value, element, stream->driver);
    gpu_measure_end(stream);
    return gpu_error(code);
}
