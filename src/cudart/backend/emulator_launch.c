/* Modules and launches on the emulator. A kernel runs at once, because nothing else runs meanwhile; its errors are
 * delivered as on a GPU, by the next call that synchronises. */
#include "base/file.h"
#include "cudart/backend/emulator.h"
#include "cudart/backend/repeat.h"
#include "cudart/layer/device.h"
#include "cudart/layer/launch_line.h"
#include "cudart/layer/line.h"
#include "cudart/layer/xorwow.h"
#include "emulator/emulator.h"
#include <string.h>

/* Gives the variables of a module their initial values. */
static void fill_variables(const struct module *module)
{
    emulator_fill_variables(module->ptx_module, module->variables);
    for (uint32_t i = 0; i < module->ptx_module->variable_count; i++)
        if (module->variables[i].data && module_is_jumps(&module->ptx_module->variables[i]))
            xorwow_fill((uint32_t *)(void *)module->variables[i].data);
}

bool emulator_load(struct module *module)
{
    const struct ptx_module *ptx_module = module->ptx_module;
    module->variables = arena_array(&module->arena, struct launch_variable, (size_t)ptx_module->variable_count + 1);
    for (uint32_t i = 0; i < ptx_module->variable_count; i++) {
        const struct ptx_variable *v = &ptx_module->variables[i];
        struct allocation *allocation;
        if (v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST)
            continue;
        if (space_allocate(ALLOCATION_VARIABLE, v->size, v->name, &allocation) != STATUS_SUCCESS)
            return error_set(&module->error, ERROR_MISSING, "There is not enough memory for variable %s (%zu B)",
                             v->name, v->size);
        module->variables[i] = (struct launch_variable){allocation->address, allocation->data};
    }
    fill_variables(module);
    return true;
}

void emulator_unload(struct module *module)
{
    (void)module; /* nothing of it is elsewhere */
}

void emulator_reset_variables(void)
{
    runtime.all_changed_at = ++runtime.changes;
    for (struct module *module = runtime.modules; module; module = module->next) {
        for (uint32_t i = 0; module->ptx_module && !module->failed && i < module->ptx_module->variable_count; i++)
            if (module->variables[i].data)
                memset(module->variables[i].data, 0, module->ptx_module->variables[i].size);
        if (module->ptx_module && !module->failed)
            fill_variables(module);
    }
}

/* ---- launches ---- */

static enum status error_of(const struct trace *trace)
{
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        if (finding_class_of(&trace->findings[i]) != FINDING_FAULT)
            continue;
        switch (trace->findings[i].kind) {
        case FINDING_OUT_OF_BOUNDS:
        case FINDING_NULL_POINTER:
        case FINDING_READ_ONLY:
            return STATUS_ILLEGAL_ADDRESS;
        case FINDING_MISALIGNED:
            return STATUS_MISALIGNED_ADDRESS;
        case FINDING_ASSERTION:
            return STATUS_ASSERT;
        case FINDING_ENDLESS_LOOP:
        case FINDING_DEADLOCK:
            return STATUS_LAUNCH_TIMEOUT;
        case FINDING_PROGRAM_COUNTER:
            return STATUS_INVALID_PC;
        default:
            return STATUS_LAUNCH_FAILURE;
        }
    }
    return STATUS_SUCCESS;
}

static void keep_printed(const char *text)
{
    size_t const length = strlen(text);
    if (!length)
        return;
    size_t const end = runtime.output.count + length;
    runtime.output.items = array_grow(runtime.output.items, &runtime.output.capacity, end + 1, 1);
    memcpy(runtime.output.items + runtime.output.count, text, length + 1);
    runtime.output.count = end;
}

/* The heap of the kernels' malloc, where the launch may use it. */
static struct launch_heap *heap_of(const struct module *module)
{
    bool const made =
        (!module_calls(module, "malloc") && !module_calls(module, "free")) || emulator_make_heap(emulator_heap_limit());
    return made && runtime.heap.data && (runtime.heap.live || module_calls(module, "malloc")) ? &runtime.heap : NULL;
}

struct shown_progress {
    const char *kernel;
    double last;
};

/* Leaves the place of the kernel that runs in a file, ten times a second: program/start.c reads it. */
static void note_progress(void *context, const struct executor_progress *at)
{
    struct shown_progress *shown = context;
    double const now = clock_seconds();
    if (!line_is_open() || now - shown->last < 0.1)
        return;
    shown->last = now;
    line_progress(shown->kernel, at);
}

/* Writes what a launch counted and printed, which is the same of one that repeats it. */
static void tell(struct kernel_launch *p, const struct run *run)
{
    launch_line_counts(p->arena, run);
    line_number("faults", trace_faults(run->trace));
    line_number("hazards", trace_hazards(run->trace));
    line_number("printed_bytes", strlen(run->output));
    keep_printed(run->output);
}

/* The same for what its checks found. */
static void tell_findings(const struct kernel_launch *p, const struct run *run, bool recorded)
{
    launch_line_trace(run, recorded);
    if (run->trace->finding_count && !line_is_open())
        fprintf(stderr, "lanescope: kernel %s: %u findings; `lanescope exec` reports them\n", p->name,
                run->trace->finding_count);
}

static enum status finish(const struct kernel_launch *p, double model_us)
{
    line_real("model_us", model_us);
    emulator_add_work(p->stream, model_us);
    return STATUS_SUCCESS;
}

enum status emulator_launch(struct kernel_launch *p)
{
    size_t most = 0;
    bool const recorded = launch_is_chosen(p);
    p->launch.heap = heap_of(p->kernel->module);
    const struct repeat_result *same = recorded ? NULL : repeat_begin(p);
    if (same) {
        line_number("same_as", same->launch);
        tell(p, same->run);
        tell_findings(p, same->run, false);
        return finish(p, same->model_us);
    }
    if (emulator_limit_get(&most, LIMIT_PENDING_LAUNCHES) == STATUS_SUCCESS)
        p->children->most = most;
    p->launch.children = p->children;
    struct run *run = launch_run(p);
    struct error error = {0};
    if (!run)
        return STATUS_MEMORY_ALLOCATION;
    struct shown_progress shown = {p->name, clock_seconds()};
    struct execute_request request = launch_request(p, recorded);
    request.options.progress = note_progress;
    request.options.progress_context = &shown;
    bool const good = execute(run, &request, &error);
    line_progress(NULL, NULL);
    double const model_us = good ? model_launch_us(run) : 0;
    if (good) {
        tell(p, run);
        tell_findings(p, run, recorded);
        runtime.pending = runtime.pending ? runtime.pending : error_of(run->trace);
        if (error_of(run->trace))
            launch_children_free(p->children); /* the context is lost before they begin */
    } else {
        char text[1200];
        line_text("problem", error_line(&error, text, sizeof text));
        launch_say(p->name, &error);
    }
    bool const plain = good && !recorded && !error_of(run->trace) && !p->children->list.count &&
                       !p->children->refused.count && !run->cancelled;
    if (!repeat_end(run, model_us, good, plain))
        launch_release_run(run);
    finish(p, model_us);
    return good ? STATUS_SUCCESS : STATUS_NOT_SUPPORTED;
}
