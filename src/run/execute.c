#include "run/execute.h"
#include "base/file.h"
#include "base/mangled.h"
#include "cuda/cuda.h"
#include "emulator/emulator.h"
#include "model/coalescing.h"
#include "model/dram_stream.h"
#include "ptx/matrix.h"
#include "run/caches.h"
#include "run/fill.h"
#include "run/kernel_text.h"
#include "run/native.h"
#include "run/variables.h"
#include "source/variables.h"
#include "trace/limits.h"
#include <stdlib.h>

struct run *run_new(void)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->source = run->source_name = run->compiler_name = run->output = "";
    run->kernel_text = kernel_text_new();
    if (run->kernel_text)
        return run;
    free(run);
    return NULL;
}

bool execute_choose(enum executor *executor, struct error *error)
{
    struct cuda_device device;
    if (*executor == EXECUTOR_BEST)
        *executor = cuda_device(&device, NULL) ? EXECUTOR_GPU : EXECUTOR_EMULATOR;
    else if (*executor == EXECUTOR_GPU)
        return cuda_device(&device, error);
    return true;
}

static void take_dram(struct run *run, const struct dram *dram)
{
    run->dram_requests = dram->requests;
    run->dram_hits = dram->hits;
    run->dram_misses = dram->misses;
    run->dram_conflicts = dram->conflicts;
}

/* Counts one burst for each 32-byte sector of each recorded access to global memory, in the order of the trace. */
static void count_dram(struct run *run)
{
    const struct dram_preset *preset = run->dram_preset ? dram_preset(run->dram_preset) : NULL;
    const struct trace *trace = run->trace;
    if (!preset)
        return;
    struct dram *dram = arena_new(&run->arena, struct dram);
    dram_reset(dram, preset);
    uint64_t sectors[SECTORS_MAX];
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS || trace_space(&trace->sites[event->site], event) != PTX_SPACE_GLOBAL)
            continue;
        uint32_t const count =
            model_sector_list(trace_addresses(trace, event), event->mask, trace->sites[event->site].bytes, sectors);
        for (uint32_t s = 0; s < count; s++)
            dram_request(dram, sectors[s]);
    }
    take_dram(run, dram);
}

void execute_count(struct run *run)
{
    struct counts *counts = &run->counts;
    counts_of_trace(run->trace, &run->arena, counts);
    if (run->trace->executor == EXECUTOR_GPU) /* a GPU's trace has no totals: count the recorded branches */
        for (uint32_t i = 0; i < counts->site_count; i++)
            if (run->trace->sites[i].operation == TRACE_BRANCH) {
                counts->totals.branches += counts->sites[i].requests;
                counts->totals.branches_divergent += counts->sites[i].divergent;
            }
    count_dram(run);
}

/* The listeners of a running launch: counts of all blocks, and DRAM bursts where the request wants those of all blocks.
 */
struct hearing {
    struct counts_tally *tally;
    struct bursts *bursts;
    struct caches_run *caches;
    struct trace_listener next; /* of the caches */
    bool warm;                  /* they are those of a second launch */
};

static struct trace_listener hearing_start(struct hearing *hearing, struct run *run,
                                           const struct execute_request *request)
{
    uint32_t site_count;
    const struct trace_site *sites = trace_sites(&run->arena, request->module, &site_count);
    const struct dram_preset *preset = run->dram_preset ? dram_preset(run->dram_preset) : NULL;
    *hearing = (struct hearing){.tally = counts_tally_new(sites, site_count)};
    if (request->dram_of_all_blocks && preset)
        hearing->bursts = bursts_new(sites, site_count, preset, counts_listener(hearing->tally));
    struct trace_listener const listener =
        hearing->bursts ? bursts_listener(hearing->bursts) : counts_listener(hearing->tally);
    if (request->options.caches)
        hearing->caches = run_caches_new(run, request, sites, site_count, listener);
    hearing->next = listener;
    return hearing->caches ? caches_listener(hearing->caches) : listener;
}

/* Gives a launch buffers of its own with what the others hold, in the arena. */
static void copy_buffers(struct arena *arena, struct launch *launch)
{
    launch->buffers = arena_copy(arena, launch->buffers, launch->buffer_count, sizeof *launch->buffers);
    for (uint32_t i = 0; i < launch->buffer_count; i++) {
        struct launch_buffer *buffer = &launch->buffers[i];
        buffer->data = arena_copy(arena, buffer->data, buffer->count, ptx_type_size(buffer->type));
    }
}

/* Runs the launch a first time, on copies of its buffers, so that the L2 holds what it leaves. Nobody else hears it. */
static bool warm_caches(struct hearing *hearing, const struct execute_request *request,
                        const struct emulator_options *like, struct error *error)
{
    struct arena arena = {0};
    struct launch launch = *request->launch;
    struct emulator_result result = {0};
    struct emulator_options options = *like;
    struct trace_listener const nobody = {.context = NULL};
    options.recorded = (struct launch_blocks){UINT64_MAX, 0};
    options.checks = (struct launch_checks){.memory = false};
    copy_buffers(&arena, &launch);
    options.progress = NULL;
    bool const begun = caches_launch_again(hearing->caches, nobody);
    bool const ran = begun && emulator_run(request->module, &launch, &options, &result, error);
    if (ran)
        trace_free(result.trace);
    arena_free(&arena);
    hearing->warm = true;
    if (begun && !ran)
        return false;
    return (ran && caches_launch_again(hearing->caches, hearing->next)) ||
           error_set(error, ERROR_MISSING, "There is not enough memory to follow the caches");
}

static bool is_ended_by_fault(const struct trace *trace)
{
    for (uint32_t i = 0; trace && i < trace->finding_count; i++)
        if (finding_class_of(&trace->findings[i]) == FINDING_FAULT)
            return true;
    return false;
}

static bool hearing_end(struct hearing *hearing, struct run *run, bool ran, struct error *error)
{
    if (ran) {
        counts_tally_sum(hearing->tally, &run->arena, &run->counts);
        const struct dram *dram = hearing->bursts ? bursts_sum(hearing->bursts) : NULL;
        if (dram)
            take_dram(run, dram);
        else if (hearing->bursts)
            ran = error_set(error, ERROR_MISSING, "There is not enough memory to count the DRAM's bursts");
        else
            count_dram(run);
        run->caches_warm = hearing->warm;
        bool overflowed = false;
        run->caches = hearing->caches ? caches_sum(hearing->caches, &run->arena, &overflowed) : NULL;
        if (hearing->caches && is_ended_by_fault(run->trace)) {
            run->caches = NULL;
            run->caches_unknown = N_("a fault ended a block");
        } else if (hearing->caches && !run->caches) {
            run->caches_unknown = overflowed ? N_("the blocks make more accesses than can be followed")
                                             : N_("not all blocks ran to their end");
        }
    }
    caches_free(hearing->caches);
    bursts_free(hearing->bursts);
    counts_tally_free(hearing->tally);
    return ran;
}

/* A product of matrices is recorded with its values only, so a launch of such a kernel always keeps them. */
static bool keeps_values(const struct execute_request *request)
{
    const struct ptx_function *kernel = ptx_kernel(request->module, request->launch->kernel);
    for (uint32_t i = 0; kernel && i < kernel->instruction_count; i++)
        if (ptx_is_product(&kernel->instructions[i]))
            return true;
    return request->options.checks.values;
}

uint64_t run_most_work(uint64_t budget)
{
    static const uint64_t at_least = 1000000000, of_no_budget = UINT64_C(1000000000000);
    enum { BLOCKS = 100 };
    if (!budget)
        return of_no_budget;
    uint64_t const most = budget > UINT64_MAX / BLOCKS ? UINT64_MAX : budget * BLOCKS;
    return most > at_least ? most : at_least;
}

static bool execute_emulator(struct run *run, const struct execute_request *request, struct error *error)
{
    static const struct launch_blocks nothing = {UINT64_MAX, 0};
    struct hearing hearing;
    const struct run_options *from = &request->options;
    run->clock = *request->clock;
    run->clock.gpu = arena_text(&run->arena, request->clock->gpu);
    struct emulator_options options = {.timer = clock_timer(&run->clock),
                                       .recorded = from->no_recording ? nothing : from->recorded,
                                       .checks = from->checks,
                                       .listener = hearing_start(&hearing, run, request),
                                       .run = from->recorded,
                                       .run_some = from->run_recorded_only,
                                       .run_enough = from->run_enough,
                                       .budget = from->budget,
                                       .most_work = from->most_work,
                                       .threads = from->threads,
                                       .native = native_maker(),
                                       .cancel = from->cancel,
                                       .progress = from->progress,
                                       .progress_context = from->progress_context};
    struct emulator_result result = {0};
    options.checks.values = keeps_values(request);
    bool const warm = !from->caches_warm || !hearing.caches || warm_caches(&hearing, request, &options, error);
    bool const ran = warm && emulator_run(request->module, request->launch, &options, &result, error);
    run->trace = ran ? result.trace : NULL;
    if (!hearing_end(&hearing, run, ran, error) || !ran)
        return false;
    run->counts.totals = result.trace->totals;
    run->executed = result.executed;
    run->output = result.output ? result.output : "";
    run->cancelled = result.cancelled;
    run->at = result.at;
    run->exhausted = result.exhausted;
    run->blocks = result.blocks;
    run->blocks_run = result.blocks_run;
    const uint32_t *grid = request->launch->grid;
    run->partial = from->run_enough && result.blocks < (uint64_t)grid[0] * grid[1] * grid[2];
    run->unchecked = result.unchecked;
    run->uses = result.uses;
    run->use_count = result.use_count;
    return true;
}

static bool trace_on_gpu(const struct execute_request *request, struct launch_blocks recorded,
                         const struct trace_listener *listener, struct trace **trace, struct error *error)
{
    bool const values = keeps_values(request) && !request->options.no_recording;
    if (request->tracer)
        return request->tracer->trace(request->tracer->context, recorded, values, listener, trace, error);
    return (values ? cuda_trace_values : cuda_trace)(request->module, request->launch, recorded, listener, trace,
                                                     error);
}

/* A trace has room for a limited number of events, so all blocks are counted but only the requested ones are kept.
 * Where only the kept blocks run, the counts come from the trace. */
static bool execute_gpu(struct run *run, const struct execute_request *request, struct error *error)
{
    static const struct launch_blocks one = {0, 0}; /* a trace holds at least one block */
    const struct run_options *options = &request->options;
    struct hearing hearing;
    if (options->run_recorded_only) {
        if (!trace_on_gpu(request, options->recorded, NULL, &run->trace, error))
            return false;
        execute_count(run);
        return true;
    }
    struct trace_listener const listener = hearing_start(&hearing, run, request);
    bool const ran =
        trace_on_gpu(request, options->no_recording ? one : options->recorded, &listener, &run->trace, error);
    return hearing_end(&hearing, run, ran, error);
}

/* Checks that blocks given by number exist. The range 0 to UINT64_MAX means all blocks. */
static bool blocks_exist(const struct execute_request *request, struct error *error)
{
    const uint32_t *grid = request->launch->grid;
    const struct run_options *options = &request->options;
    uint64_t const count = (uint64_t)grid[0] * grid[1] * grid[2];
    if (!options->run_recorded_only || options->recorded.last == UINT64_MAX || options->recorded.last < count)
        return true;
    error_set(error, ERROR_INPUT, "there is no block %llu", (unsigned long long)options->recorded.last);
    return error_remedy(error, "the grid has %llu {block|blocks}, numbered from 0", (unsigned long long)count);
}

/* Checks the block of a kernel that requires one, for both executors: a GPU says no more than "invalid value". */
static bool block_fits(const struct run *run, const struct execute_request *request, struct error *error)
{
    const struct launch *launch = request->launch;
    const struct ptx_function *kernel = ptx_kernel(request->module, launch->kernel);
    if (launch_check(kernel, launch->grid, launch->block, 0) != LAUNCH_OTHER_BLOCK)
        return true;
    return launch_other_block(run->source_name, kernel, launch->block, error);
}

/* Gives variables of the module the names of the source, and arrays its element types, so that "table[7]" is the same
 * element as there. */
static void name_variables(const struct run *run, const struct source *source)
{
    struct arena scratch = {0};
    struct trace *trace = run->trace;
    for (uint32_t i = run->launch.buffer_count; i < trace->buffer_count; i++) {
        struct trace_buffer *buffer = &trace->buffers[i];
        buffer->name = arena_text(&trace->arena, mangled_name(&scratch, buffer->name));
        bool const bytes = buffer->type == PTX_U8 && source; /* as PTX declares what is initialized by bytes */
        enum ptx_type const type = bytes ? source_array_type(source, buffer->name) : PTX_TYPE_NONE;
        size_t const size = type == PTX_TYPE_NONE ? 0 : ptx_type_size(type);
        if (size < 2 || buffer->count % size != 0)
            continue;
        buffer->type = type;
        buffer->count /= size;
    }
    arena_free(&scratch);
}

bool execute(struct run *run, const struct execute_request *request, struct error *error)
{
    run->executor = request->options.executor;
    if (!blocks_exist(request, error) || !block_fits(run, request, error))
        return false;
    if (!(request->options.executor == EXECUTOR_GPU ? execute_gpu : execute_emulator)(run, request, error))
        return false;
    run->counted = request->options.run_recorded_only ? request->options.recorded : LAUNCH_ALL_BLOCKS;
    struct trace *trace = run->trace;
    char date[11];
    clock_date(date);
    trace->source = arena_text(&trace->arena, run->source);
    const struct source *tokens =
        request->tokens ? source_in(&run->arena, request->tokens)
        : run->source && *run->source
            ? source_read(&run->arena, run->source, request->defines, request->define_count, SOURCE_TAKEN)
            : NULL;
    name_variables(run, tokens);
    trace->compiler = arena_text(&trace->arena, run->compiler_name);
    run->module = request->module;
    run->variables = run_variables_in(&run->arena, request->module, trace, tokens, &run->variable_count);
    if (request->options.executor == EXECUTOR_GPU && !trace->date[0])
        trace->date = arena_text(&trace->arena, date);
    return true;
}

void run_free(struct run *run)
{
    if (!run)
        return;
    trace_free(run->trace);
    launch_buffers_free(&run->launch);
    kernel_text_free(run->kernel_text);
    arena_free(&run->arena);
    free(run);
}
