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
#define NOT_MEASURED N_("the caches of this GPU were not measured")

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

static bool was_measured(const struct occupancy_limits *limits)
{
    return limits && strcmp(limits->capability, "9.0") == 0;
}

static bool fill_machine(struct run *run, const struct execute_request *request)
{
    const struct launch *launch = request->launch;
    const struct ptx_function *kernel = ptx_kernel(request->module, launch->kernel);
    struct gpu gpu;
    struct error error;
    const struct occupancy_limits *limits = NULL;
    const char *name = request->options.gpu ? request->options.gpu : GPU_DEFAULT;
    if (!kernel || !gpu_read(&run->arena, name, &gpu, &error) || !gpu_limits(&run->arena, &gpu, &limits, &error))
        return false;
    const struct gpu_fact *processors = gpu_find(&gpu, "multiprocessors"), *l2 = gpu_find(&gpu, "l2_bytes");
    if (!was_measured(limits) || !processors || !l2)
        return false;
    struct occupancy_needs const needs = {.threads = (uint32_t)launch_count(launch->block),
                                          .barriers = 1,
                                          .shared = ptx_shared_bytes(request->module, kernel) + launch->shared_bytes};
    uint32_t const fit = occupancy_of(limits, &needs).blocks;
    run->caches_machine = (struct caches_machine){.multiprocessors = (uint32_t)processors->value,
                                                  .l2_bytes = (uint64_t)(l2->value * L2_SHARE_THAT_HOLDS),
                                                  .blocks = launch_count(launch->grid),
                                                  .resident = fit ? fit : 1,
                                                  .shared = l1_shared_share(needs.threads, needs.shared, fit)};
    run->caches_gpu = gpu.name;
    return true;
}

struct caches_run *run_caches_new(struct run *run, const struct execute_request *request,
                                  const struct trace_site *sites, uint32_t site_count, struct trace_listener next)
{
    const struct run_options *options = &request->options;
    if (options->executor == EXECUTOR_GPU)
        run->caches_unknown = N_("only the emulator follows them: --on emulator");
    else if (options->run_recorded_only || options->run_enough)
        run->caches_unknown = N_("only some of the blocks run");
    else if (!fill_machine(run, request))
        run->caches_unknown = NOT_MEASURED;
    else
        run->caches_unknown = reason_in(request->module, request->launch->kernel, sites);
    if (run->caches_unknown)
        return NULL;
    struct caches_run *caches = caches_new(sites, site_count, &run->caches_machine, next);
    if (!caches)
        run->caches_unknown = N_("there is not enough memory");
    return caches;
}

static bool gpu_was_measured(const char *name)
{
    struct arena arena = {0};
    struct gpu gpu;
    struct error error;
    const struct occupancy_limits *limits = NULL;
    bool const measured =
        gpu_read(&arena, name, &gpu, &error) && gpu_limits(&arena, &gpu, &limits, &error) && was_measured(limits);
    arena_free(&arena);
    return measured;
}

const char *run_caches_unknown(const struct trace *trace, const struct ptx_module *module, const char *gpu)
{
    if (trace_is_foreign(trace))
        return N_("the operations of machine code on the caches are not known");
    if (gpu && !gpu_was_measured(gpu))
        return NOT_MEASURED;
    if (module && ptx_kernel(module, trace->kernel))
        return reason_in(module, trace->kernel, trace->sites);
    for (uint32_t i = 0; i < trace->site_count; i++)
        if (depends_on_time(&trace->sites[i]))
            return BY_TIME;
    return NULL;
}
