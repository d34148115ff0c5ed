/* Launches. The buffers of a launch are all memory of the instance, each at its own address. */
#include "embed/embed.h"
#include "emulator/emulator.h"
#include "model/counts.h"
#include "report/report.h"
#include <stdlib.h>
#include <string.h>

static const struct ptx_function *find_kernel(struct lanescope_module *module, const char *name)
{
    const struct ptx_function *kernel = ptx_kernel(module->ptx, name);
    if (kernel)
        return kernel;
    if (name)
        error_set(&module->instance->error, ERROR_INPUT, "the module holds no kernel %s", name);
    else
        error_set(&module->instance->error, ERROR_INPUT, "the module holds %zu {kernel|kernels}: name one",
                  module->kernel_count);
    return NULL;
}

/* Fills the launch in the run's arena. */
static bool make_launch(struct lanescope_run *run, struct lanescope_module *module,
                        const struct lanescope_launch *asked, struct launch *launch)
{
    struct lanescope *instance = run->instance;
    const struct ptx_function *kernel = find_kernel(module, asked->kernel);
    if (!kernel)
        return false;
    if (asked->argument_bytes < kernel->parameter_bytes || (kernel->parameter_bytes && !asked->arguments))
        return error_set(&instance->error, ERROR_INPUT, "the block of arguments has %zu {byte|bytes}, but %s takes %zu",
                         asked->arguments ? asked->argument_bytes : 0, kernel->name, (size_t)kernel->parameter_bytes);
    struct launch_argument *arguments = arena_array(&run->arena, struct launch_argument, kernel->parameter_count);
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct ptx_variable *parameter = &kernel->parameters[i];
        const uint8_t *from = (const uint8_t *)asked->arguments + parameter->offset;
        arguments[i] = (struct launch_argument){.type = parameter->type,
                                                .bytes = arena_copy(&run->arena, from, parameter->size, 1),
                                                .size = (uint32_t)parameter->size};
    }
    struct launch_buffer *buffers = arena_array(&run->arena, struct launch_buffer, instance->memory.count);
    for (size_t i = 0; i < instance->memory.count; i++) {
        const struct embed_memory *memory = &instance->memory.items[i];
        buffers[i] = (struct launch_buffer){.name = memory->name,
                                            .type = PTX_U8,
                                            .count = memory->bytes,
                                            .data = (void *)(uintptr_t)memory->address,
                                            .address = memory->address,
                                            .written = memory->written};
    }
    *launch = (struct launch){.kernel = kernel->name,
                              .shared_bytes = asked->shared_bytes,
                              .arguments = arguments,
                              .argument_count = kernel->parameter_count,
                              .buffers = buffers,
                              .buffer_count = (uint32_t)instance->memory.count,
                              .variables = module->variables};
    memcpy(launch->grid, asked->grid, sizeof launch->grid);
    memcpy(launch->block, asked->block, sizeof launch->block);
    return true;
}

static struct lanescope_place place_of(const struct lanescope_run *run, const struct finding_place *place)
{
    struct lanescope_place made = {.file = place->file < run->trace->file_count ? run->trace->files[place->file] : "",
                                   .line = place->line,
                                   .block = place->block};
    memcpy(made.thread, place->thread, sizeof made.thread);
    return made;
}

static void take_findings(struct lanescope_run *run)
{
    static const char *const kinds[] = {
#define FINDING_KIND(name, word) word,
#include "trace/findings.def"
#undef FINDING_KIND
    };
    const struct trace *trace = run->trace;
    run->findings = arena_array(&run->arena, struct lanescope_finding, trace->finding_count);
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const struct finding *finding = &trace->findings[i];
        enum finding_class const class = finding_class_of(finding);
        struct lanescope_place const at = place_of(run, &finding->at);
        run->findings[i] =
            (struct lanescope_finding){.kind = kinds[finding->kind],
                                       .severity = class == FINDING_FAULT  ? LANESCOPE_FAULT
                                                   : class == FINDING_NOTE ? LANESCOPE_NOTE
                                                                           : LANESCOPE_HAZARD,
                                       .message = report_message(&run->arena, REPORT_ENGLISH, finding),
                                       .address = finding->address,
                                       .at = at,
                                       .first = finding_is_race(finding) ? place_of(run, &finding->race.first) : at};
    }
}

static void take_counters(struct lanescope_run *run, struct counts_tally *tally)
{
    struct counts counts;
    struct counter *counters;
    counts_tally_sum(tally, &run->arena, &counts);
    counts.totals = run->trace->totals;
    run->counter_count = counts_counters(&counts, run->trace->sites, &run->arena, &counters);
    run->counters = arena_array(&run->arena, struct lanescope_counter, run->counter_count);
    for (size_t i = 0; i < run->counter_count; i++)
        run->counters[i] = (struct lanescope_counter){counters[i].name, counters[i].value};
}

static bool execute(struct lanescope_run *run, const struct lanescope_module *module,
                    const struct lanescope_launch *asked, const struct launch *launch)
{
    static const struct launch_blocks none = {UINT64_MAX, 0};
    uint32_t site_count;
    const struct trace_site *sites = trace_sites(&run->arena, module->ptx, &site_count);
    struct counts_tally *tally = counts_tally_new(sites, site_count);
    struct launch_blocks const blocks = {asked->record_first, asked->record_first + asked->record_count - 1};
    struct emulator_options const options = {.recorded = asked->record_count ? blocks : none,
                                             .listener = counts_listener(tally),
                                             .checks = {.memory = asked->checks & LANESCOPE_CHECK_MEMORY,
                                                        .races = asked->checks & LANESCOPE_CHECK_RACES,
                                                        .values = asked->checks & LANESCOPE_KEEP_VALUES},
                                             .budget = asked->budget,
                                             .threads = asked->threads};
    struct emulator_result result = {0};
    bool const ran = emulator_run(module->ptx, launch, &options, &result, &run->instance->error);
    if (ran) {
        run->trace = result.trace;
        run->trace->source = arena_text(&run->trace->arena, module->ptx->text);
        run->output = result.output ? result.output : "";
        take_counters(run, tally);
        take_findings(run);
    }
    counts_tally_free(tally);
    return ran;
}

enum lanescope_status lanescope_launch(struct lanescope_module *module, const struct lanescope_launch *launch,
                                       struct lanescope_run **run)
{
    struct lanescope *instance = module->instance;
    struct lanescope_run *made = calloc(1, sizeof *made);
    struct launch own;
    *run = NULL;
    if (!made) {
        error_set(&instance->error, ERROR_MISSING, "there is no memory for a run");
        return embed_fail(instance);
    }
    made->instance = instance;
    made->next = instance->runs;
    instance->runs = made;
    if (!make_launch(made, module, launch, &own) || !execute(made, module, launch, &own)) {
        enum lanescope_status const status = embed_fail(instance);
        lanescope_run_free(made);
        return status;
    }
    *run = made;
    return LANESCOPE_OK;
}

void lanescope_run_free(struct lanescope_run *run)
{
    if (!run)
        return;
    struct lanescope_run **at = &run->instance->runs;
    while (*at != run)
        at = &(*at)->next;
    *at = run->next;
    trace_free(run->trace);
    arena_free(&run->arena);
    free(run);
}

size_t lanescope_counter_count(const struct lanescope_run *run)
{
    return run->counter_count;
}

const struct lanescope_counter *lanescope_counter(const struct lanescope_run *run, size_t index)
{
    return index < run->counter_count ? &run->counters[index] : NULL;
}

size_t lanescope_finding_count(const struct lanescope_run *run)
{
    return run->trace->finding_count;
}

const struct lanescope_finding *lanescope_finding(const struct lanescope_run *run, size_t index)
{
    return index < run->trace->finding_count ? &run->findings[index] : NULL;
}

const char *lanescope_output(const struct lanescope_run *run)
{
    return run->output;
}

enum lanescope_status lanescope_trace_write(struct lanescope_run *run, const char *path)
{
    return trace_write(run->trace, path, &run->instance->error) ? LANESCOPE_OK : embed_fail(run->instance);
}

enum lanescope_status lanescope_trace_bytes(struct lanescope_run *run, const void **bytes, size_t *count)
{
    uint8_t *made;
    *bytes = NULL;
    *count = 0;
    if (!trace_bytes(run->trace, &run->arena, &made, count, &run->instance->error))
        return embed_fail(run->instance);
    *bytes = made;
    return LANESCOPE_OK;
}
