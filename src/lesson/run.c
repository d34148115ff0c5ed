/* Runs one setting of a lesson: launch, program, executor, check, facts. */
#include "base/file.h"
#include "base/words.h"
#include "lesson/facts.h"
#include "lesson/kept.h"
#include "lesson/lesson_run.h"
#include "lesson/picture.h"
#include "lesson/plan.h"
#include "ptx/uses.h"
#include "run/execute.h"
#include "run/reference.h"
#include "run/target.h"
#include "run/variables.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kernel compiled for this lesson and kept with it, so that a knob that changes no define costs no compilation. */
struct kept_module {
    struct kept_module *next;
    struct arena arena;
    const char *key, *source, *source_name, *compiler_name;
    struct ptx_module *module;
};

void lesson_cancel_with(struct lesson *lesson, const atomic_bool *cancel)
{
    lesson->plan->cancel = cancel;
}

static bool compile_module(struct kept *kept, struct kept_module *made, const struct target_request *request,
                           struct error *error)
{
    struct target target;
    if (kept->late)
        return error_at(error, ERROR_INPUT, request->path, 0, 0,
                        "is not compiled any more: the compiler did not end for another setting of this lesson");
    if (!target_load(&made->arena, request, &target, error)) {
        kept->late = target.late;
        return false;
    }
    made->source = target.source;
    made->compiler_name = target.compiler_name;
    made->module = target.module;
    return true;
}

/* compile: if no setting of the same defines was compiled before. */
static bool find_module(const struct lesson *lesson, const struct lesson_setting *setting, bool compile,
                        const struct kept_module **found, struct error *error)
{
    struct kept *kept = lesson->plan->kept;
    struct arena arena = {0};
    struct compile_define *defines;
    size_t const define_count = plan_defines(lesson, setting, &arena, &defines);
    const char *name = lesson->variants[setting->variant].source;
    const char *key = name;
    for (size_t i = 0; i < define_count; i++)
        key = arena_format(&arena, "%s %s=%s", key, defines[i].name, defines[i].value);
    lock_take(kept->lock);
    struct kept_module *module = kept->modules;
    while (module && strcmp(module->key, key) != 0)
        module = module->next;
    if (!module && compile && (module = calloc(1, sizeof *module))) {
        module->key = arena_text(&module->arena, key);
        module->source_name = name;
        struct target_request const request = {.path = lesson_source_path(lesson, setting->variant, &module->arena),
                                               .defines = defines,
                                               .define_count = define_count,
                                               .seconds = lesson->plan->limits.compiler_seconds,
                                               .cancel = lesson->plan->cancel};
        if (compile_module(kept, module, &request, error)) {
            module->next = kept->modules;
            kept->modules = module;
        } else {
            arena_free(&module->arena);
            free(module);
            module = NULL;
        }
    }
    lock_release(kept->lock);
    arena_free(&arena);
    *found = module;
    return module != NULL;
}

bool plan_find_module(const struct lesson *lesson, const struct lesson_setting *setting,
                      const struct ptx_module **module, struct error *error)
{
    const struct kept_module *found;
    if (!find_module(lesson, setting, true, &found, error))
        return false;
    *module = found->module;
    return true;
}

bool plan_find_source(const struct lesson *lesson, const struct lesson_setting *setting, const char **source)
{
    const struct kept_module *found;
    if (!find_module(lesson, setting, true, &found, NULL))
        return false;
    *source = found->source;
    return true;
}

uint64_t plan_read_parameters(const struct lesson *lesson, const struct lesson_setting *setting)
{
    const struct kept_module *found;
    if (!find_module(lesson, setting, false, &found, NULL) &&
        !(lesson_is_installed(lesson) && find_module(lesson, setting, true, &found, NULL)))
        return UINT64_MAX;
    const struct ptx_function *kernel = ptx_kernel(found->module, lesson->variants[setting->variant].kernel);
    return kernel ? ptx_named_parameters(kernel) : UINT64_MAX;
}

bool lesson_use_gpu(struct lesson *lesson, const char *gpu, struct error *error)
{
    return kept_use_gpu(lesson, gpu, error);
}

bool lesson_same_result(const struct lesson *lesson, int a, int b)
{
    return strcmp(lesson->variants[a].result, lesson->variants[b].result) == 0;
}

bool lesson_use_dram(struct lesson *lesson, const char *preset, struct error *error)
{
    if (!run_dram_known(preset, error))
        return false;
    lesson->dram_preset = dram_preset(preset)->name;
    return true;
}

void kept_modules_free(struct kept_module *modules)
{
    for (struct kept_module *module = modules, *next; module; module = next) {
        next = module->next;
        arena_free(&module->arena);
        free(module);
    }
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void compare(struct run_check *check, const struct launch_buffer *buffer, const void *expected)
{
    *check = (struct run_check){.checked = true, .right = true, .name = buffer->name};
    for (uint64_t i = 0; i < buffer->count; i++) {
        double const want = reference_element(buffer->type, expected, i),
                     got = reference_element(buffer->type, buffer->data, i);
        if (same_number(want, got))
            continue;
        if (check->right)
            *check = (struct run_check){true, false, i, buffer->name, want, got, 0};
        check->wrong_count++;
    }
}

/* Returns an element of a buffer before the run. An index that is no whole number or lies outside gives NaN. */
static double element_before(void *array, double index)
{
    const struct launch_buffer *buffer = array;
    bool const inside = index >= 0 && index < (double)buffer->count && index == floor(index);
    return inside ? reference_element(buffer->type, buffer->data, (uint64_t)index) : (double)NAN;
}

/* Computes the expected buffer from the variant's expression. */
static bool expect_by_expression(const struct lesson *lesson, const struct lesson_setting *setting,
                                 const struct launch *launch, const struct launch_buffer *buffer, void *expected,
                                 struct error *error)
{
    struct arena arena = {0};
    struct run_fact *names;
    size_t name_count;
    double *values = arena_array(&arena, double, buffer->count);
    struct expression_array *arrays = arena_array(&arena, struct expression_array, launch->buffer_count);
    for (uint32_t b = 0; b < launch->buffer_count; b++)
        arrays[b] = (struct expression_array){launch->buffers[b].name, element_before, &launch->buffers[b]};
    bool const known = plan_names(lesson, setting, false, &arena, &names, &name_count, error) &&
                       expression_evaluate_each(lesson->variants[setting->variant].expect, names, name_count, arrays,
                                                launch->buffer_count, buffer->count, values, error);
    uint64_t done = 0;
    for (; known && done < buffer->count && !isnan(values[done]); done++)
        reference_store(buffer->type, expected, done, values[done]);
    arena_free(&arena);
    return known &&
           (done == buffer->count ||
            error_set(error, ERROR_INPUT, "`expect` of variant %s gives no number for element %" PRIu64 " of %s",
                      lesson->variants[setting->variant].name, done, buffer->name));
}

/* Computes the expected buffer before the run overwrites its inputs. *expected is NULL when nothing is checked. */
static bool expect(const struct lesson *lesson, const struct lesson_setting *setting, const struct launch *launch,
                   void **expected, struct error *error)
{
    const struct lesson_variant *variant = &lesson->variants[setting->variant];
    *expected = NULL;
    if ((!variant->reference && !variant->expect) || lesson->plan->check < 0)
        return true;
    uint32_t const index = launch->arguments[lesson->plan->check].buffer;
    const struct launch_buffer *buffer = &launch->buffers[index];
    *expected = calloc(buffer->count, ptx_type_size(buffer->type));
    if (!*expected)
        return error_set(error, ERROR_MISSING, "no memory to check buffer %s", buffer->name);
    return variant->expect ? expect_by_expression(lesson, setting, launch, buffer, *expected, error)
                           : reference_compute(variant->reference, launch, index, *expected, error);
}

struct how {
    enum executor executor;
    const struct launch_blocks *blocks;
    bool light;    /* only trace, counts and result, with values where the lesson has them */
    bool recorded; /* of the recorded blocks alone, if none depends on another; then without a result */
};

/* Returns whether the launch ended before its limit. */
static bool ends(const struct run *run, const struct lesson *lesson, struct error *error)
{
    return !run->exhausted ||
           error_set(error, ERROR_INPUT, "the launch takes more than %llu warp instructions, its lesson's limit",
                     (unsigned long long)lesson->plan->limits.launch);
}

static bool run_launch(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                       const struct how *how, struct error *error)
{
    const struct kept_module *module;
    struct launch_blocks recorded;
    if (!find_module(lesson, setting, true, &module, error))
        return false;
    run->source = arena_text(&run->arena, module->source);
    run->source_name = arena_text(&run->arena, module->source_name);
    run->compiler_name = arena_text(&run->arena, module->compiler_name);
    struct launch *launch = &run->launch;
    if (!plan_launch(lesson, setting, false, &run->arena, launch, &recorded, error))
        return false;
    struct clock_figures clock = {0};
    if (!kept_clock(lesson, &clock, error) && how->executor == EXECUTOR_EMULATOR) {
        launch_buffers_free(launch);
        return false;
    }
    run->latencies = clock;
    void *expected = NULL;
    bool const checked = !how->blocks;
    struct launch_checks const nothing = {false, false, lesson->values}, all = {true, true, lesson->values};
    struct compile_define *defines;
    size_t const define_count = plan_defines(lesson, setting, &run->arena, &defines);
    bool const caches = lesson->caches || (lesson->caches_asked && !how->light);
    struct gpu gpu;
    bool const gpu_known = kept_gpu(lesson, &gpu);
    struct execute_request const request = {.module = module->module,
                                            .launch = launch,
                                            .defines = defines,
                                            .define_count = define_count,
                                            .options = {.executor = how->executor,
                                                        .recorded = how->blocks ? *how->blocks : recorded,
                                                        .run_recorded_only = how->blocks != NULL,
                                                        .run_enough = how->recorded && !lesson->caches,
                                                        .checks = how->light ? nothing : all,
                                                        .caches = caches,
                                                        .caches_warm = lesson->caches_warm,
                                                        .gpu = gpu_known ? gpu.path : NULL,
                                                        .budget = lesson->plan->limits.block,
                                                        .most_work = lesson->plan->limits.launch,
                                                        .threads = 1},
                                            .clock = &clock};
    struct launch_picture *picture = how->light ? NULL : picture_before(run, lesson, setting, launch);
    bool const ran = (!checked || expect(lesson, setting, launch, &expected, error)) && execute(run, &request, error) &&
                     ends(run, lesson, error);
    if (ran && picture)
        picture_after(picture, run, lesson, launch, expected);
    if (ran && expected && !run->cancelled && !run->partial)
        compare(&run->check, &launch->buffers[launch->arguments[lesson->plan->check].buffer], expected);
    free(expected);
    launch_buffers_free(launch);
    return ran;
}

static bool run_recording(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting,
                          const struct how *how, struct error *error)
{
    if (how->blocks)
        return error_set(error, ERROR_INPUT,
                         "a recording holds the blocks that were recorded: --blocks cannot choose others");
    if (!lesson_recorded_trace(lesson, setting, &run->trace, error))
        return false;
    run->executor = EXECUTOR_RECORDING;
    run->source = run->trace->source;
    run->source_name = arena_text(&run->arena, lesson->variants[setting->variant].source);
    run->compiler_name = run->trace->compiler;
    execute_count(run);
    if (lesson->caches)
        run->caches_unknown = N_("only the emulator follows them: --on emulator");
    run->counted = run->trace->recorded;
    plan_describe(lesson, setting, &run->arena, &run->launch); /* for the reader: nothing runs it */
    const struct kept_module *module;
    struct error unknown;
    struct compile_define *defines;
    size_t const define_count = plan_defines(lesson, setting, &run->arena, &defines);
    if (find_module(lesson, setting, true, &module, &unknown)) { /* else the recording is shown without its variables */
        run->variables = run_variables(&run->arena, module->module, run->trace, run->source, defines, define_count,
                                       &run->variable_count);
        run->module = trace_is_of(run->trace, module->module) ? module->module : NULL;
    }
    kept_clock(lesson, &run->latencies, &unknown);
    struct launch launch = {0};
    struct launch_blocks recorded;
    if (lesson->plan->picture >= 0 && plan_launch(lesson, setting, false, &run->arena, &launch, &recorded, &unknown)) {
        picture_before(run, lesson, setting, &launch); /* the recording holds no results */
        launch_buffers_free(&launch);
    }
    return true;
}

/* Adds the profiler's counts, which cover the whole grid, to a run of the whole grid. */
static void add_sass(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting)
{
    if (run->executor != EXECUTOR_EMULATOR && run->trace->lost)
        return; /* the counts then cover only the events that the trace kept */
    run->sass = kept_counters(lesson, setting, false, run->source, &run->arena);
    run->timed_sass = kept_counters(lesson, setting, true, run->source, &run->arena);
    run->sass_line_count = sass_lines(&run->counts, run->trace->sites, &run->sass, &run->arena, &run->sass_lines);
}

static void add_occupancy(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting)
{
    const struct trace *trace = run->trace;
    struct occupancy_case *here = &run->occupancy;
    here->limits = kept_limits(lesson);
    if (!here->limits)
        return;
    here->needs = (struct occupancy_needs){.threads = trace->block[0] * trace->block[1] * trace->block[2],
                                           .registers = kept_registers(lesson, setting, run->source, &run->arena),
                                           .shared = trace->shared_bytes};
    for (uint32_t i = 0; i < trace->site_count; i++)
        if (trace->sites[i].operation == TRACE_BARRIER)
            here->needs.barriers = 1;
    here->got = occupancy_of(here->limits, &here->needs);
}

static bool run_setting(const struct lesson *lesson, const struct lesson_setting *setting, const struct how *how,
                        struct run **out, struct error *error)
{
    double const begin = clock_seconds();
    struct how chosen = *how;
    if (how->executor == EXECUTOR_BEST && lesson_shows(lesson, STAGE_OVERLAP))
        chosen.executor = EXECUTOR_EMULATOR; /* a GPU does not record when data arrive */
    struct run *run = run_new();
    *out = NULL;
    if (!run)
        return error_set(error, ERROR_MISSING, "no memory for a run");
    run->dram_preset = how->light ? NULL : lesson->dram_preset;
    bool const ran = how->executor == EXECUTOR_RECORDING
                         ? run_recording(run, lesson, setting, how, error)
                         : execute_choose(&chosen.executor, error) && run_launch(run, lesson, setting, &chosen, error);
    if (ran && !how->blocks)
        add_sass(run, lesson, setting);
    if (ran)
        add_occupancy(run, lesson, setting);
    if (!ran || !facts_build(run, lesson, setting, !how->light, error)) {
        run_free(run);
        return false;
    }
    run->seconds = clock_seconds() - begin;
    *out = run;
    return true;
}

bool run_lesson(const struct lesson *lesson, const struct lesson_setting *setting, enum executor executor,
                const struct launch_blocks *blocks, struct run **run, struct error *error)
{
    struct how const how = {.executor = executor, .blocks = blocks};
    return run_setting(lesson, setting, &how, run, error);
}

bool run_lesson_lightly(const struct lesson *lesson, const struct lesson_setting *setting, enum light light,
                        struct run **run, struct error *error)
{
    struct how const how = {.executor = EXECUTOR_EMULATOR, .light = true, .recorded = light == LIGHT_RECORDED};
    return run_setting(lesson, setting, &how, run, error);
}
