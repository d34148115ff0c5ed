/* A GPU as the device: its driver does the work. */
#include "cudart/backend/gpu.h"
#include "cuda/driver.h"
#include <string.h>

static struct {
    struct cuda_api api;
    int device;
    void *context;
    unsigned generation; /* of the context */
    char name[256], driver[32];
} gpu;
static __thread unsigned current; /* the generation that the thread uses */

const struct cuda_api *gpu_api(void)
{
    return &gpu.api;
}

const char *gpu_driver(void)
{
    return gpu.driver;
}

void gpu_enter(void)
{
    if (current != gpu.generation && !gpu.api.context_use(gpu.context))
        current = gpu.generation;
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
    return true;
}

static int attribute_of_device(int attribute)
{
    int value = 0;
    return gpu.api.device_attribute(&value, attribute, gpu.device) ? 0 : value;
}

/* Errors after which every call fails, until the context is made anew: faults of kernels. */
bool gpu_is_lasting(int code)
{
    switch (code) {
    case STATUS_ILLEGAL_ADDRESS:
    case STATUS_LAUNCH_TIMEOUT:
    case STATUS_ASSERT:
    case STATUS_ILLEGAL_INSTRUCTION:
    case STATUS_MISALIGNED_ADDRESS:
    case STATUS_INVALID_ADDRESS_SPACE:
    case STATUS_INVALID_PC:
    case STATUS_LAUNCH_FAILURE:
    case STATUS_ECC_UNCORRECTABLE:
    case STATUS_HARDWARE_STACK_ERROR:
        return true;
    default:
        return false;
    }
}

enum status gpu_status(int code)
{
    if (gpu_is_lasting(code) && !runtime.sticky)
        runtime.sticky = (enum status)code;
    return (enum status)code;
}

enum status gpu_wait(void)
{
    enum status const error = gpu_status(gpu.api.context_wait());
    gpu_measured();
    return error;
}

/* The copies wait themselves. */
enum status gpu_settle(void)
{
    return runtime.sticky;
}

/* Makes the context anew, also after a fault, and loads the modules again. */
enum status gpu_reset(void)
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
    enum status const error = gpu_status(retain());
    for (struct module *module = runtime.modules; module && !error; module = module->next)
        if (module->ptx_module && !module->failed)
            module->failed = !gpu_load(module);
    return error;
}

/* ---- the device ---- */

/* The limits of this GPU. The units in which registers and shared memory are given are not asked for, because its
 * driver computes the occupancy. */
void gpu_describe(struct gpu *of, const struct occupancy_limits **limits)
{
    static struct occupancy_limits own;
    static char capability[16];
    static struct gpu_fact facts[] = {{.name = "multiprocessors"},
                                      {.name = "clock_mhz"},
                                      {.name = "memory_clock_mhz"},
                                      {.name = "memory_bus_bits"},
                                      {.name = "l2_bytes"}};
    own = (struct occupancy_limits){.threads = (uint64_t)attribute_of_device(39),
                                    .blocks = (uint64_t)attribute_of_device(106),
                                    .registers = (uint64_t)attribute_of_device(82),
                                    .registers_per_block = (uint64_t)attribute_of_device(12),
                                    .shared = (uint64_t)attribute_of_device(81),
                                    .shared_per_block = (uint64_t)attribute_of_device(97),
                                    .shared_reserved = (uint64_t)attribute_of_device(111)};
    snprintf(capability, sizeof capability, "%d.%d", attribute_of_device(75), attribute_of_device(76));
    of->name = gpu.name;
    of->compute_capability = capability;
    of->facts = facts;
    of->fact_count = sizeof facts / sizeof *facts;
    facts[0].value = attribute_of_device(16);
    facts[1].value = attribute_of_device(13) / 1e3;
    facts[2].value = attribute_of_device(36) / 1e3;
    facts[3].value = attribute_of_device(37);
    facts[4].value = attribute_of_device(38);
    *limits = &own;
}

enum status gpu_attribute(int *value, int number)
{
    return gpu_status(gpu.api.device_attribute(value, number, gpu.device));
}

enum status gpu_bus(char *name, int size)
{
    return gpu_status(gpu.api.device_bus(name, size, gpu.device));
}

enum status gpu_version(int *number)
{
    return gpu_status(gpu.api.version(number));
}

enum status gpu_limit_get(size_t *value, int limit)
{
    return gpu_status(gpu.api.limit_get(value, limit));
}

enum status gpu_limit_set(int limit, size_t value)
{
    return gpu_status(gpu.api.limit_set(limit, value));
}

enum status gpu_priorities(int *least, int *greatest)
{
    return gpu_status(gpu.api.priorities(least, greatest));
}

enum status gpu_memory_info(size_t *available, size_t *total)
{
    return gpu_status(gpu.api.memory_info(available, total));
}

size_t gpu_memory_total(void)
{
    size_t bytes = 0;
    return gpu.api.device_memory(&bytes, gpu.device) ? 0 : bytes;
}

/* ---- kernels ---- */

enum status gpu_kernel_set(struct kernel *kernel, int number, int value)
{
    return gpu_kernel(kernel) ? gpu_status(gpu.api.kernel_set(kernel->driver, number, value)) : runtime.sticky;
}

void gpu_kernel_attribute(int *value, int number, struct kernel *kernel)
{
    if (gpu_kernel(kernel))
        gpu.api.kernel_attribute(value, number, kernel->driver);
}

enum status gpu_blocks_at_once(int *blocks, struct kernel *kernel, int threads, size_t shared)
{
    if (!gpu_kernel(kernel))
        return STATUS_INVALID_DEVICE_FUNCTION;
    return gpu_status(gpu.api.blocks_at_once(blocks, kernel->driver, threads, shared));
}

enum status gpu_shared_at_once(size_t *shared, struct kernel *kernel, int blocks, int threads)
{
    if (!gpu_kernel(kernel))
        return STATUS_INVALID_DEVICE_FUNCTION;
    return gpu_status(gpu.api.shared_at_once(shared, kernel->driver, blocks, threads));
}

const struct backend gpu_backend = {
    .gpu = gpu.name,
#define BACKEND(result, name, parameters) .name = gpu_##name,
#include "cudart/backend/backend.def"
};
