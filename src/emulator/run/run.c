/* emulator_run: checks the launch, lays out memory, decodes, lets the workers take blocks in order, and collects the
 * findings. The result does not depend on the number of workers, unless the kernel's blocks race. */
#include "base/memory.h"
#include "base/processor.h"
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/check/proof.h"
#include "emulator/decode/decode.h"
#include "emulator/decode/provided.h"
#include "emulator/memory/memory.h"
#include "emulator/run/block_record.h"
#include "emulator/run/executed.h"
#include "emulator/run/resident.h"
#include "emulator/run/schedule.h"
#include "emulator/tier/tier.h"
#include <stdio.h>
#include <stdlib.h>

enum { OUTPUTS_MAX = 256 << 20 }; /* bytes */
enum { BLOCKS_AT_ONCE = 16, RECORDS_MAX = 1 << 28 };
enum { BLOCK_WORK = 256, RECORDED_WORK = 8192 }; /* warp instructions that take as long as a block's begin and end */
enum { WORKERS_MAX = 256, STACK_BYTES = 64 << 10, LOCAL_MAX = 512 << 10 };
static const uint64_t default_budget = UINT64_C(4000000000);

/* ---- launches that the hardware refuses ---- */

static bool check_launch(struct emulation *emulation, struct error *error)
{
    const struct launch *launch = emulation->launch;
    const struct ptx_function *kernel = emulation->kernel;
    if (!kernel || !kernel->has_body)
        return error_set(error, ERROR_INPUT, "The PTX has no kernel %s, or it has several and none was chosen",
                         launch->kernel ? launch->kernel : "");
    if (!launch_allowed(kernel, launch, error))
        return false;
    uint32_t const fixed = (uint32_t)kernel->shared_bytes, dynamic = launch->shared_bytes;
    emulation->static_shared = fixed;
    emulation->dynamic_offset = ((uint64_t)fixed + 15) / 16 * 16;
    emulation->shared_bytes = dynamic ? (uint32_t)(emulation->dynamic_offset + dynamic) : fixed;
    return true;
}

/* ---- workers ---- */

/* Runs in the worker's own thread, whose memory lies apart from that of others. */
static bool worker_start(struct worker *worker)
{
    static const struct region nowhere = {0};
    const struct emulation *emulation = worker->emulation;
    worker->recent = aligned_alloc(64, (emulation->caches.count + 1) * sizeof *worker->recent);
    worker->batches = calloc(emulation->batch_count + 1, BATCH_SHAPES * sizeof *worker->batches);
    worker->sums = calloc((size_t)emulation->trace->site_count + 1, sizeof *worker->sums);
    worker->reads = calloc(emulation->batch_count + 1, sizeof *worker->reads);
    worker->executions = calloc((size_t)emulation->op_count + 1, sizeof *worker->executions);
    worker->free_frames = calloc(emulation->module->function_count + 1, sizeof *worker->free_frames);
    if (!worker->recent || !worker->batches || !worker->sums || !worker->reads || !worker->executions ||
        !worker->free_frames || !resident_room(worker))
        return false;
    for (size_t i = 0; i < emulation->caches.count; i++)
        worker->recent[i] = (struct recent){.region = &nowhere,
                                            .use = emulation->caches.items[i],
                                            .distances = {[1] = 1},
                                            .narrow = {[1] = 1}}; /* of no row: the first access learns it */
    return resident_warps(worker, 1);
}

static void worker_free(struct worker *worker)
{
    resident_free(worker);
    for (struct frame *frame = worker->made, *before; frame; frame = before) {
        before = frame->made_before;
        free(frame);
    }
    free(worker->recent);
    free(worker->batches);
    free(worker->sums);
    free(worker->reads);
    free(worker->executions);
    free(worker->endless.rows);
    free(worker->free_frames);
    proof_forget(worker);
    arena_free(&worker->arena);
}

/* A fault stops the run. Blocks above the lowest faulty one do not start any more, and those below it still run, so
 * the reported fault does not depend on the number of workers. */
static void keep_fault(struct worker *worker)
{
    struct emulation *emulation = worker->emulation;
    struct arena *arena = emulation->arena;
    pthread_mutex_lock(&emulation->lock);
    if (worker->block.number <= emulation->stop_after) {
        emulation->stop_after = worker->block.number;
        emulation->fault = arena_new(arena, struct finding);
        *emulation->fault = finding_copied(arena, worker->fault);
        emulation->broken = worker->fault->kind != FINDING_DEADLOCK;
    }
    pthread_mutex_unlock(&emulation->lock);
    worker->fault = NULL;
    arena_reset(&worker->arena);
}

/* Keeps the block's printed text until the end of the run, when blocks are put in order. The text of a block beyond the
 * limit of the run is lost. */
static void keep_output(struct worker *worker)
{
    struct emulation *emulation = worker->emulation;
    struct block *block = &worker->block;
    if (!block->output.count)
        return;
    pthread_mutex_lock(&emulation->lock);
    bool const kept = block->output.count <= OUTPUTS_MAX - emulation->output_bytes;
    if (kept) {
        struct block_output output = {block->number, block->output.items};
        array_push(&emulation->outputs, output);
        emulation->output_bytes += block->output.count;
    }
    pthread_mutex_unlock(&emulation->lock);
    block->output.count = 0;
    if (!kept)
        return;
    block->output.items = NULL;
    block->output.capacity = 0;
}

static bool start_block(struct worker *worker, uint64_t number)
{
    struct emulation *emulation = worker->emulation;
    struct block *block = &worker->block;
    const struct launch *launch = emulation->launch;
    if (!resident_room(worker))
        return false;
    block->number = number;
    block->index[0] = (uint32_t)(number % launch->grid[0]);
    block->index[1] = (uint32_t)(number / launch->grid[0] % launch->grid[1]);
    block->index[2] = (uint32_t)(number / launch->grid[0] / launch->grid[1]);
    block->recorded = number >= emulation->trace->recorded.first && number <= emulation->trace->recorded.last;
    memset(block->shared, 0, emulation->shared_bytes);
    checks_block_start(emulation, block);
    if (block->recorded && !(block->record = record_start(emulation)))
        return false;
    if (!resident_warps(worker, block->recorded || emulation->waits ? emulation->warps : 1))
        return false;
    tier_block(worker);
    schedule_start(worker);
    return true;
}

static void end_block(struct worker *worker)
{
    struct emulation *emulation = worker->emulation;
    const struct trace_listener *listener = &emulation->options->listener;
    keep_output(worker);
    if (worker->fault)
        keep_fault(worker);
    if (worker->block.recorded)
        record_finish(emulation, &worker->block);
    if (listener->ended)
        listener->ended(listener->context, worker->number, worker->block.number);
    if (emulation->options->most_work) {
        uint64_t const least = worker->block.recorded ? RECORDED_WORK : BLOCK_WORK;
        atomic_fetch_add(&emulation->work, worker->block.instructions > least ? worker->block.instructions : least);
    }
    worker->progress++;
    worker->in_flight--;
    worker->blocks_run += worker->block.live_warps == 0;
    atomic_fetch_add_explicit(&emulation->ended, worker->block.live_warps == 0, memory_order_relaxed);
}

static bool is_exhausted(struct emulation *emulation)
{
    uint64_t const most = emulation->options->most_work;
    return most && atomic_load(&emulation->work) > most;
}

static bool is_cancelled(const struct emulation *emulation)
{
    return emulation->options->cancel && atomic_load(emulation->options->cancel);
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct emulation *emulation = worker->emulation;
    if (!worker_start(worker))
        emulation->failed = true;
    while (!emulation->failed && !emulation->refuted && !is_cancelled(emulation) && !is_exhausted(emulation)) {
        uint64_t number;
        enum resident_next next = resident_next(worker, &number);
        if (next == RESIDENT_NONE)
            break;
        if (next == RESIDENT_NEW && !start_block(worker, number))
            emulation->failed = true;
        else if (worker->block.number > emulation->stop_after || schedule_run(worker))
            end_block(worker);
        else if (!resident_put_aside(worker))
            emulation->failed = true;
    }
    while (resident_resume(worker)) /* blocks that a fault or the user stopped are kept as far as they ran */
        end_block(worker);
    record_batches(worker);
    return NULL;
}

static bool run_workers(struct emulation *emulation, struct worker *workers, struct error *error)
{
    unsigned started = 0;
    for (unsigned i = 0; i < emulation->workers; i++) {
        workers[i].emulation = emulation;
        workers[i].number = i;
    }
    for (unsigned i = 1; i < emulation->workers; i++, started++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            break;
    work(&workers[0]);
    for (unsigned i = 1; i <= started; i++)
        pthread_join(workers[i].thread, NULL);
    if (emulation->failed)
        return error_set(error, ERROR_MISSING, "There is not enough memory to run the kernel");
    return true;
}

/* ---- the run ---- */

static unsigned worker_count(const struct emulator_options *options, uint64_t blocks)
{
    unsigned workers = options->threads ? options->threads : processor_count();
    if (workers > WORKERS_MAX)
        workers = WORKERS_MAX;
    return workers <= blocks ? workers : blocks ? (unsigned)blocks : 1; /* one even when no block is to run */
}

/* Reduces the workers to those that have room for a block's registers and local memory. One must have it. */
static bool fit_workers(struct emulation *emulation, struct error *error)
{
    enum { ALWAYS_THERE = 256 << 20 }; /* bytes for which nobody asks the system */
    uint64_t const lane = emulation->local_bytes, frame = sizeof(struct frame) + emulation->code->frame_bytes;
    uint64_t const block = emulation->warps * (frame + lane * WARP_LANES);
    uint64_t const has = block * emulation->workers > ALWAYS_THERE ? memory_available() : UINT64_MAX;
    if (block > has)
        return error_set(error, ERROR_MISSING,
                         "the threads of a block need %.1f GB for their registers and local memory, and this machine "
                         "has %.1f GB of memory free",
                         (double)block * 1e-9, (double)has * 1e-9);
    if (block * emulation->workers > has)
        emulation->workers = (unsigned)(has / block);
    return true;
}

static void choose_blocks(struct emulation *emulation)
{
    const struct launch *launch = emulation->launch;
    const struct emulator_options *options = emulation->options;
    uint64_t grid = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    emulation->first_block = 0;
    emulation->end_block = grid;
    bool const enough = options->run_enough && !emulation->blocks_talk;
    struct launch_blocks const some = enough ? options->recorded : options->run;
    if (options->run_some || enough) {
        emulation->first_block = some.first < grid ? some.first : grid;
        emulation->end_block = some.last < grid ? some.last + 1 : grid;
    }
    emulation->blocks =
        emulation->end_block > emulation->first_block ? emulation->end_block - emulation->first_block : 0;
    struct launch_blocks recorded = options->recorded;
    if (recorded.last >= grid)
        recorded.last = grid - 1;
    emulation->trace->recorded = recorded;
    emulation->record_count = recorded.first <= recorded.last ? recorded.last - recorded.first + 1 : 0;
    atomic_store(&emulation->next_block, emulation->first_block);
    atomic_store(&emulation->stop_after, UINT64_MAX);
}

/* Appends the records of blocks behind one that did not run. */
static void merge_rest(struct emulation *emulation)
{
    for (; emulation->merged < emulation->record_count; emulation->merged++) {
        struct block_record *record = emulation->records[emulation->merged];
        if (record && emulation->trace->recorded.first + emulation->merged <= emulation->stop_after)
            record_merge(emulation->trace, record);
        record_drop(record);
    }
}

static int by_block(const void *a, const void *b)
{
    const struct block_output *x = a, *y = b;
    return (x->block > y->block) - (x->block < y->block);
}

/* Returns the printed text, block after block. */
static const char *settle_output(struct emulation *emulation)
{
    size_t length = 0, at = 0, count = emulation->outputs.count;
    if (count)
        qsort(emulation->outputs.items, count, sizeof *emulation->outputs.items, by_block);
    for (size_t i = 0; i < count; i++)
        length += strlen(emulation->outputs.items[i].text);
    char *text = arena_alloc(emulation->arena, length + 1);
    for (size_t i = 0; i < count; i++) {
        struct block_output *output = &emulation->outputs.items[i];
        size_t size = strlen(output->text);
        if (output->block <= emulation->stop_after) {
            memcpy(text + at, output->text, size);
            at += size;
        }
        free(output->text);
    }
    text[at] = 0;
    free(emulation->outputs.items);
    return text;
}

/* A race that makes a thread read too early explains the read of memory that nothing has written yet. */
static bool comes_of_race(const struct emulation *emulation, const struct finding *note)
{
    for (size_t i = 0; i < emulation->hazards.count && note->kind == FINDING_UNINITIALIZED; i++) {
        const struct finding *race = &emulation->hazards.items[i];
        if (race->at.block <= note->at.block &&
            (race->race.first.site == note->at.site || race->at.site == note->at.site))
            return true;
    }
    return false;
}

static bool same_place(const struct finding_place *a, const struct finding_place *b)
{
    return a->site == b->site ||
           (a->line && !a->near && !b->near && a->line == b->line && a->column == b->column && a->file == b->file);
}

/* An unrolled loop has many instructions for one place in the source: their race is kept once. */
static bool is_known(const struct trace *trace, const struct finding *race)
{
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const struct finding *known = &trace->findings[i];
        if (finding_is_race(known) && known->race.order == race->race.order && known->race.space == race->race.space &&
            same_place(&known->race.first, &race->race.first) && same_place(&known->at, &race->at))
            return true;
    }
    return false;
}

/* Both sides of a race know only the number of their site. */
static void place_side(const struct emulation *emulation, struct finding_place *place)
{
    const struct ptx_module *module = emulation->module;
    for (uint32_t f = 0; f < module->function_count && place->site != PTX_NO_INDEX; f++)
        for (uint32_t i = 0; i < module->functions[f].instruction_count; i++)
            if (module->functions[f].instructions[i].site == place->site) {
                fault_place(module, &module->functions[f].instructions[i], place);
                return;
            }
    place->file = PTX_NO_INDEX;
}

/* Gives the trace the fault that stopped the run, and the notes of blocks up to its own. */
static void settle_findings(struct emulation *emulation)
{
    struct trace *trace = emulation->trace;
    uint64_t const last = emulation->stop_after;
    size_t const most = emulation->notes.count + emulation->hazards.count + 1;
    trace->findings = arena_array(emulation->arena, struct finding, most);
    if (emulation->fault)
        trace->findings[trace->finding_count++] = *emulation->fault;
    for (size_t i = 0; i < emulation->notes.count; i++)
        if (emulation->notes.items[i].at.block <= last && !comes_of_race(emulation, &emulation->notes.items[i]))
            trace->findings[trace->finding_count++] = finding_copied(emulation->arena, &emulation->notes.items[i]);
    for (size_t i = 0; i < emulation->hazards.count; i++) {
        place_side(emulation, &emulation->hazards.items[i].at);
        place_side(emulation, &emulation->hazards.items[i].race.first);
    }
    findings_sort(emulation->hazards.items, (uint32_t)emulation->hazards.count);
    for (size_t i = 0; i < emulation->hazards.count; i++)
        if (emulation->hazards.items[i].at.block <= last && !is_known(trace, &emulation->hazards.items[i]))
            trace->findings[trace->finding_count++] = emulation->hazards.items[i];
    findings_sort(trace->findings, trace->finding_count);
    free(emulation->notes.items);
    free(emulation->hazards.items);
}

/* Lists what the launch did with buffers and variables. */
static void settle_uses(const struct emulation *emulation, struct emulator_result *result)
{
    struct launch_use *uses = arena_array(emulation->arena, struct launch_use, (size_t)emulation->region_count + 1);
    result->uses = uses;
    for (uint32_t i = 0; i < emulation->region_count && !emulation->launch->overlaps; i++)
        if (emulation->regions[i].shared_by_all)
            uses[result->use_count++] = (struct launch_use){emulation->regions[i].base, emulation->uses[i] & USE_READ,
                                                            emulation->uses[i] & USE_WRITE};
}

static void settle(struct emulation *emulation, struct worker *workers, struct emulator_result *result)
{
    struct trace *trace = emulation->trace;
    for (unsigned i = 0; i < emulation->workers; i++) {
        const struct trace_totals *totals = &workers[i].totals;
        trace->totals.warp_instructions += totals->warp_instructions;
        trace->totals.thread_instructions += totals->thread_instructions;
        trace->totals.branches += totals->branches;
        trace->totals.branches_divergent += totals->branches_divergent;
        result->blocks_run += workers[i].blocks_run;
    }
    merge_rest(emulation);
    trace_sort(trace);
    settle_findings(emulation);
    settle_uses(emulation, result);
    result->trace = trace;
    result->executed = executed_sum(emulation, workers);
    result->output = settle_output(emulation);
    result->blocks = emulation->blocks;
    bool const early = result->blocks_run < result->blocks;
    result->exhausted = early && is_exhausted(emulation);
    result->cancelled = early && (result->exhausted || is_cancelled(emulation));
    result->at = emulation->at;
    result->unchecked = checks_unchecked(emulation);
    result->proved = emulation->proving == PROVE_ALL;
}

static void lay_out_threads(struct emulation *emulation)
{
    const uint32_t *block = emulation->launch->block;
    uint32_t count = emulation->warps * WARP_LANES, *tid[3];
    for (unsigned k = 0; k < 3; k++)
        emulation->tid[k] = tid[k] = arena_array(emulation->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        tid[0][i] = i % block[0];
        tid[1][i] = i / block[0] % block[1];
        tid[2][i] = i / block[0] / block[1];
    }
}

static bool prepare(struct emulation *emulation, struct error *error)
{
    const struct launch *launch = emulation->launch;
    emulation->threads = launch->block[0] * launch->block[1] * launch->block[2];
    emulation->warps = (emulation->threads + WARP_LANES - 1) / WARP_LANES;
    lay_out_threads(emulation);
    emulation->budget = emulation->options->budget ? emulation->options->budget : default_budget;
    emulation->arrays = emulation->shared_bytes ? arena_array(emulation->arena, struct shared_array, ARRAYS_MAX) : NULL;
    if (!memory_lay_out(emulation, error))
        return false;
    if (!checks_start(emulation))
        return error_set(error, ERROR_MISSING, "There is not enough memory for the checks");
    if (!decode_kernel(emulation, lanes_best(), error))
        return false;
    executed_number(emulation);
    uint32_t calls = 0;
    for (uint32_t f = 0; f < emulation->module->function_count; f++)
        calls += emulation->codes[f].ops && &emulation->codes[f] != emulation->code;
    emulation->local_bytes = emulation->stack_bytes + emulation->code->local_bytes + (calls ? STACK_BYTES : 0);
    if (emulation->local_bytes > LOCAL_MAX + STACK_BYTES + emulation->stack_bytes)
        return error_set(error, ERROR_INPUT, "%s needs %u bytes of local memory per thread; the limit is %d",
                         emulation->kernel->name, emulation->local_bytes, LOCAL_MAX);
    emulation->blocks_talk |= emulation->heap_bytes != 0;           /* they see where malloc's memory lies */
    emulation->blocks_talk |= provided_launches(emulation->module); /* their launches are in one order */
    choose_blocks(emulation);
    bool const one = emulation->checks->one_worker || emulation->blocks_talk;
    emulation->workers = one ? 1 : worker_count(emulation->options, emulation->blocks);
    if (!fit_workers(emulation, error))
        return false;
    if (emulation->record_count > RECORDS_MAX)
        return error_set(error, ERROR_INPUT, "too many blocks to record: %llu, and the limit is %llu",
                         (unsigned long long)emulation->record_count, (unsigned long long)RECORDS_MAX);
    uint64_t share = emulation->blocks / ((uint64_t)emulation->workers * BLOCKS_AT_ONCE + 1);
    emulation->blocks_at_once = emulation->blocks_talk || !share ? 1 : share < BLOCKS_AT_ONCE ? share : BLOCKS_AT_ONCE;
    emulation->resident = resident_most(emulation);
    emulation->trace->executor = EXECUTOR_EMULATOR;
    emulation->trace->clock = TRACE_CLOCK_MODEL;
    emulation->trace->shared_bytes = emulation->shared_bytes;
    emulation->records = calloc(emulation->record_count + 1, sizeof *emulation->records);
    return emulation->records || error_set(error, ERROR_MISSING, "There is not enough memory to record the run");
}

enum attempt { ATTEMPT_FAILED, ATTEMPT_REFUTED, ATTEMPT_GOOD };

/* Returns the parts of memory of which the proof failed in the run that has just ended. A fault is told by the other
 * checkers, which follow every access up to it, except the one that comes late: an endless loop. */
static unsigned refuted(const struct emulation *emulation)
{
    const struct finding *fault = emulation->fault;
    return fault && fault->kind != FINDING_ENDLESS_LOOP ? emulation->proving : emulation->refuted;
}

/* Undoes what a run wrote, and forgets what it found. */
static void take_back(struct emulation *emulation, struct worker *workers)
{
    const struct trace_listener *listener = &emulation->options->listener;
    for (unsigned i = 0; i < emulation->workers; i++)
        proof_undo(&workers[i]);
    for (size_t i = 0; i < emulation->outputs.count; i++)
        free(emulation->outputs.items[i].text);
    for (uint64_t i = 0; i < emulation->record_count; i++)
        record_drop(emulation->records[i]);
    free(emulation->outputs.items);
    free(emulation->notes.items);
    free(emulation->hazards.items);
    if (listener->restart)
        listener->restart(listener->context);
}

static enum attempt run_prepared(struct emulation *emulation, struct emulator_result *result, struct error *error)
{
    size_t const bytes = (emulation->workers + 1) * sizeof(struct worker);
    struct worker *workers = aligned_alloc(CACHE_LINE, bytes);
    if (!workers)
        return error_set(error, ERROR_MISSING, "There is not enough memory to run the kernel"), ATTEMPT_FAILED;
    memset(workers, 0, bytes);
    tier_start(emulation);
    enum attempt attempt = run_workers(emulation, workers, error) ? ATTEMPT_GOOD : ATTEMPT_FAILED;
    if (attempt == ATTEMPT_GOOD && refuted(emulation))
        attempt = ATTEMPT_REFUTED;
    if (attempt == ATTEMPT_REFUTED)
        take_back(emulation, workers);
    else
        settle(emulation, workers, result);
    for (unsigned i = 0; i < emulation->workers; i++)
        worker_free(&workers[i]);
    free(workers);
    return attempt;
}

/* Runs the launch, if it can be proved that its threads do not race in these parts of memory. Otherwise takes those
 * parts away, of which that is not so, and returns ATTEMPT_REFUTED. */
static enum attempt run_once(const struct ptx_module *module, const struct launch *launch,
                             const struct emulator_options *options, unsigned *prove, struct emulator_result *result,
                             struct error *error)
{
    *result = (struct emulator_result){0};
    struct emulation emulation = {.module = module,
                                  .kernel = ptx_kernel(module, launch->kernel),
                                  .launch = launch,
                                  .options = options,
                                  .proving = *prove,
                                  .lock = PTHREAD_MUTEX_INITIALIZER};
    if (!check_launch(&emulation, error))
        return ATTEMPT_FAILED;
    emulation.trace = trace_new(module, launch);
    emulation.arena = &emulation.trace->arena;
    enum attempt attempt = prepare(&emulation, error) ? ATTEMPT_GOOD : ATTEMPT_FAILED;
    if (attempt == ATTEMPT_GOOD)
        attempt = *prove & proof_misfits(&emulation) ? ATTEMPT_REFUTED : run_prepared(&emulation, result, error);
    if (attempt == ATTEMPT_REFUTED)
        *prove &= ~(proof_misfits(&emulation) | refuted(&emulation));
    if (!emulation.shared_bytes && *prove == PROVE_SHARED) /* nothing would be won */
        *prove = 0;
    free(emulation.records);
    tier_end(&emulation);
    checks_finish(&emulation);
    memory_forget(&emulation);
    if (attempt != ATTEMPT_GOOD) {
        trace_free(emulation.trace);
        *result = (struct emulator_result){0};
    }
    return attempt;
}

bool emulator_run(const struct ptx_module *module, const struct launch *launch, const struct emulator_options *options,
                  struct emulator_result *result, struct error *error)
{
    const struct trace_listener *listener = &options->listener;
    unsigned prove =
        options->checks.races && !options->follow && (!listener->event || listener->restart) ? PROVE_ALL : 0;
    enum attempt attempt = run_once(module, launch, options, &prove, result, error);
    while (attempt == ATTEMPT_REFUTED)
        attempt = run_once(module, launch, options, &prove, result, error);
    return attempt == ATTEMPT_GOOD;
}
