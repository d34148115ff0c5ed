#include "run/caches.h"
#include "base/words.h"
#include "model/cache_pairs.h"
#include "model/cache_sets.h"
#include "model/gpu.h"
#include "ptx/listing.h"
#include <string.h>

/* Returns whether an instruction is a fence that empties the L1: of the whole GPU, or of the system. */
static bool is_wide_fence(const struct ptx_instruction *instruction, const char *text)
{
    if (instruction->opcode != PTX_OP_membar && instruction->opcode != PTX_OP_fence)
        return false;
    size_t const length = instruction->text_end - instruction->text_start;
    static const char *const scopes[] = {".gl", ".sys", ".gpu"};
    for (unsigned i = 0; i < sizeof scopes / sizeof *scopes; i++)
        if (memmem(text + instruction->text_start, length, scopes[i], strlen(scopes[i])))
            return true;
    return false;
}

#define BY_TIME                                                                                                        \
    N_("what the kernel does depends on which thread comes first: it uses results of atomics or of volatile loads")
#define TOO_LARGE N_("a block of this launch is too large for a multiprocessor of this GPU")

/* Returns why the caches of a GPU cannot be told, or NULL. */
static const char *reason_of(enum gpu_caches_lack lack)
{
    switch (lack) {
    case GPU_CACHES_COMPLETE:
        break;
    case GPU_CACHES_NO_FILE:
        return N_("the file of this GPU cannot be read");
    case GPU_CACHES_NO_CAPABILITY:
        return N_("the file of this GPU does not say its compute_capability");
    case GPU_CACHES_NO_LIMITS:
        return N_("assets/compute_capabilities.yaml does not have the compute capability of this GPU");
    case GPU_CACHES_NO_L1:
        return N_("assets/compute_capabilities.yaml lacks l1_bytes for the compute capability of this GPU");
    case GPU_CACHES_NO_L2:
        return N_("the file of this GPU lacks l2_bytes");
    case GPU_CACHES_NO_MULTIPROCESSORS:
        return N_("the file of this GPU lacks multiprocessors");
    }
    return NULL;
}

static bool depends_on_time(const struct trace_site *site)
{
    return site->timed && !site->unread && site->space != PTX_SPACE_SHARED;
}

/* Returns why the accesses of a kernel, and of the functions that it calls, do not tell what is in the caches; or NULL.
 */
static const char *reason_in(const struct ptx_module *module, const char *kernel, const struct trace_site *sites)
{
    struct arena arena = {0};
    const char *reason = NULL;
    struct ptx_listing const listing = ptx_listing_of(&arena, module, ptx_kernel(module, kernel));
    for (uint32_t i = 0; i < listing.count && !reason; i++) {
        const struct ptx_instruction *instruction = listing.rows[i].instruction;
        const struct trace_site *site =
            instruction && instruction->site != PTX_NO_INDEX ? &sites[instruction->site] : NULL;
        if (instruction && is_wide_fence(instruction, module->text))
            reason = N_("a fence empties the L1, and where the other warps are then is not known");
        else if (site && depends_on_time(site))
            reason = BY_TIME;
        else if (site && strstr(site->text, "L2::256B"))
            reason = N_("what the L2 fetches for L2::256B is not known");
    }
    arena_free(&arena);
    return reason;
}

/* Fills the machine of a run. Returns why it cannot, or NULL. */
static const char *fill_machine(struct run *run, const struct execute_request *request)
{
    const struct launch *launch = request->launch;
    const struct ptx_function *kernel = ptx_kernel(request->module, launch->kernel);
    struct gpu_caches *gpu = arena_new(&run->arena, struct gpu_caches);
    const char *reason = reason_of(gpu_caches(&run->arena, request->options.gpu, gpu));
    if (!kernel)
        return N_("the PTX does not have this kernel");
    if (reason)
        return reason;
    struct l1_launch const fit = l1_launch_of(gpu->limits, (uint32_t)launch_count(launch->block),
                                              ptx_shared_bytes(request->module, kernel) + launch->shared_bytes);
    if (!fit.resident)
        return TOO_LARGE;
    run->caches_machine = (struct caches_machine){.multiprocessors = (uint32_t)gpu->multiprocessors->value,
                                                  .l2_bytes = (uint64_t)(gpu->l2->value * L2_SHARE_THAT_HOLDS),
                                                  .blocks = launch_count(launch->grid),
                                                  .resident = fit.resident,
                                                  .l1_room = fit.room,
                                                  .measured = gpu->measured,
                                                  .dram = dram_preset(run->dram_preset)};
    run->caches_gpu = gpu;
    return NULL;
}

struct caches_run *run_caches_new(struct run *run, const struct execute_request *request,
                                  const struct trace_site *sites, uint32_t site_count, struct trace_listener next)
{
    const struct run_options *options = &request->options;
    if (options->executor == EXECUTOR_GPU)
        run->caches_unknown = N_("only the emulator follows them: --on emulator");
    else if (options->run_recorded_only || options->run_enough)
        run->caches_unknown = N_("only some of the blocks run");
    else if (!(run->caches_unknown = fill_machine(run, request)))
        run->caches_unknown = reason_in(request->module, request->launch->kernel, sites);
    if (run->caches_unknown)
        return NULL;
    struct caches_run *caches = caches_new(sites, site_count, &run->caches_machine, next);
    if (!caches)
        run->caches_unknown = N_("there is not enough memory");
    return caches;
}

static const char *reason_of_gpu(const char *name, const struct trace *trace)
{
    struct arena arena = {0};
    struct gpu_caches gpu;
    uint32_t const threads = trace->block[0] * trace->block[1] * trace->block[2];
    const char *reason = reason_of(gpu_caches(&arena, name, &gpu));
    if (!reason && !l1_launch_of(gpu.limits, threads, trace->shared_bytes).resident)
        reason = TOO_LARGE;
    arena_free(&arena);
    return reason;
}

const char *run_caches_unknown(const struct trace *trace, const struct ptx_module *module, const char *gpu)
{
    if (trace_is_foreign(trace))
        return N_("the operations of machine code on the caches are not known");
    const char *reason = gpu ? reason_of_gpu(gpu, trace) : NULL;
    if (reason)
        return reason;
    if (module && ptx_kernel(module, trace->kernel))
        return reason_in(module, trace->kernel, trace->sites);
    for (uint32_t i = 0; i < trace->site_count; i++)
        if (depends_on_time(&trace->sites[i]))
            return BY_TIME;
    return NULL;
}
