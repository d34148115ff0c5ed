/* `inspect`: the kernels of a file or a lesson, their requirements, and every instruction that could not be run; of a
 * lesson also everything that is wrong with it. */
#include "author/author.h"
#include "base/words.h"
#include "cli/cli.h"
#include "emulator/emulator.h"
#include "report/run.h"
#include "run/guess.h"
#include "run/kernel_words.h"
#include "run/launch_words.h"
#include "source/kernel.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct unsupported {
    struct ptx_unknown *items;
    size_t count;
};

struct inspected {                        /* one piece of PTX and the findings in it */
    const char *name, *compiler, *source; /* source: the file it was compiled from, or NULL */
    struct ptx_module *module;
    /* by function, for kernels: instructions that the kernel and its callees cannot run */
    struct unsupported *of_kernel;
    struct unsupported unknown; /* words unknown to PTX, which prevent the whole file from running */
    struct unsupported all;     /* both, each instruction once */
    const char **launches;      /* of a file, by function: a launch of the kernel as options; NULL: none is proposed */
    bool late;                  /* of a failure: the compiler was ended at its limit of time */
};

/* Adds each instruction once. Kernels that call the same function share its unsupported instructions. */
static void add_once(struct unsupported *all, const struct unsupported *some)
{
    size_t before = all->count;
    for (size_t i = 0; i < some->count; i++) {
        bool known = false;
        for (size_t k = 0; k < before && !known; k++)
            known = all->items[k].ptx_line == some->items[i].ptx_line &&
                    strcmp(all->items[k].instruction, some->items[i].instruction) == 0;
        if (!known)
            all->items[all->count++] = some->items[i];
    }
}

static bool survey(struct arena *arena, const char *name, const char *text, size_t size, const char *compiler,
                   struct inspected *found, struct error *error)
{
    *found = (struct inspected){.name = name, .compiler = compiler};
    if (!ptx_survey(arena, name, text, size, &found->module, &found->unknown.items, &found->unknown.count, error))
        return false;
    const struct ptx_module *module = found->module;
    size_t most = found->unknown.count;
    found->of_kernel = arena_array(arena, struct unsupported, (size_t)module->function_count + 1);
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct unsupported *list = &found->of_kernel[i];
        if (module->functions[i].is_kernel && module->functions[i].has_body)
            list->count = emulator_unsupported(arena, module, &module->functions[i], &list->items);
        most += list->count;
    }
    found->all.items = arena_array(arena, struct ptx_unknown, most + 1);
    add_once(&found->all, &found->unknown);
    for (uint32_t i = 0; i < module->function_count; i++)
        add_once(&found->all, &found->of_kernel[i]);
    return true;
}

/* Proposes a launch for each kernel: that of the file's comment, else what a run without options would guess. */
static void propose(struct arena *arena, const struct run_file_request *asked, struct inspected *found)
{
    const struct ptx_module *module = found->module;
    found->launches = arena_array(arena, const char *, (size_t)module->function_count + 1);
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *kernel = &module->functions[i];
        struct run_file_request launch = {.path = asked->path};
        struct launch_guess guess;
        struct error error;
        bool commented;
        if (!kernel->is_kernel || !kernel->has_body || found->of_kernel[i].count || found->unknown.count)
            continue;
        launch.kernel = kernel_words(arena, module, kernel);
        if (!launch_comment(arena, &launch, &commented, &error))
            continue;
        if (!launch.argument_count || !launch.block[0])
            launch_guess_of(arena, &launch, module, found->source ? found->source : "", &guess);
        uint32_t const one[3] = {1, 1, 1}, warp[3] = {32, 1, 1};
        if (ptx_kernel(module, NULL)) /* the only one need not be named */
            launch.kernel = NULL;
        found->launches[i] =
            launch_text(arena, &launch, launch.grid[0] ? launch.grid : one, launch.block[0] ? launch.block : warp);
    }
}

/* seconds: for the compiler; 0: the usual ones. */
static bool inspect_file(struct cli_options *options, const char *path, unsigned seconds, struct inspected *found,
                         struct error *error)
{
    struct run_file_request launch;
    struct target target;
    if (!cli_launch_request(options, path, &launch, error))
        return false;
    struct target_request request = file_target(&launch);
    request.seconds = seconds;
    if (!target_read(&options->arena, &request, &target, error)) {
        *found = (struct inspected){.late = target.late};
        return false;
    }
    const char *compiler = path_ends_with(path, ".ptx") ? "" : target.compiler_name;
    if (!survey(&options->arena, path, target.ptx, target.ptx_size, compiler, found, error))
        return false;
    found->source = *target.source ? target.source : NULL;
    propose(&options->arena, &launch, found);
    return true;
}

/* Returns the number of source files of a lesson's variants, and the files, each once. */
static size_t lesson_files(struct cli_options *options, const struct lesson *lesson, const char **paths, size_t most)
{
    size_t count = 0;
    for (int i = 0; i < lesson->variant_count && count < most; i++) {
        const char *path = lesson_source_path(lesson, i, &options->arena);
        bool known = false;
        for (size_t k = 0; k < count; k++)
            known = known || strcmp(paths[k], path) == 0;
        if (!known)
            paths[count++] = path;
    }
    return count;
}

static unsigned register_count(const struct ptx_function *function, size_t bytes, bool predicate)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < function->register_count; i++)
        count += (function->registers[i].type == PTX_PRED) == predicate &&
                 (predicate || ptx_type_size(function->registers[i].type) == bytes);
    return count;
}

static json_t *unsupported_json(const struct unsupported *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct ptx_unknown *one = &list->items[i];
        json_array_append_new(array,
                              json_pack("{s:s,s:s,s:I,s:I,s:s}", "instruction", one->instruction, "function",
                                        one->function ? one->function : "", "ptx_line", (json_int_t)one->ptx_line,
                                        "line", (json_int_t)one->line, "reason", one->reason));
    }
    return array;
}

static json_t *kernel_json(struct arena *arena, const struct inspected *found, const struct ptx_function *kernel)
{
    const char **words = kernel_parameters(arena, NULL, kernel);
    const struct source_parameter *named = source_parameters(arena, found->source, kernel);
    const struct unsupported *list = &found->of_kernel[kernel - found->module->functions];
    json_t *parameters = json_array();
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        json_array_append_new(parameters,
                              json_pack("{s:s,s:s,s:I,s:s,s:s?,s:s?}", "name", kernel->parameters[i].name, "type",
                                        ptx_type_name(kernel->parameters[i].type), "bytes",
                                        (json_int_t)kernel->parameters[i].size, "argument", words[i], "source_name",
                                        named ? named[i].name : NULL, "source_type", named ? named[i].words : NULL));
    const uint32_t *required = kernel->required_threads;
    json_t *block =
        required[0] ? json_pack("[I,I,I]", (json_int_t)required[0], (json_int_t)required[1], (json_int_t)required[2])
                    : json_null();
    return json_pack(
        "{s:s,s:o,s:{s:i,s:i,s:i,s:i},s:I,s:I,s:o,s:b,s:o,s:s?}", "kernel", kernel->name, "parameters", parameters,
        "registers", "predicates", register_count(kernel, 0, true), "16", register_count(kernel, 2, false), "32",
        register_count(kernel, 4, false), "64", register_count(kernel, 8, false), "shared_bytes",
        (json_int_t)ptx_shared_bytes(found->module, kernel), "instructions", (json_int_t)kernel->instruction_count,
        "unsupported", unsupported_json(list), "can_run", list->count + found->unknown.count == 0, "required_block",
        block, "launch", found->launches ? found->launches[kernel - found->module->functions] : NULL);
}

/* Returns the bytes of the module's variables in constant memory. */
static size_t constant_bytes(const struct ptx_module *module)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < module->variable_count; i++)
        bytes += module->variables[i].space == PTX_SPACE_CONST ? module->variables[i].size : 0;
    return bytes;
}

static json_t *inspected_json(struct arena *arena, const struct inspected *found)
{
    json_t *kernels = json_array();
    for (uint32_t i = 0; i < found->module->function_count; i++)
        if (found->module->functions[i].is_kernel)
            json_array_append_new(kernels, kernel_json(arena, found, &found->module->functions[i]));
    return json_pack("{s:s,s:s,s:i,s:o,s:o,s:b,s:I}", "file", found->name, "compiler", found->compiler, "target",
                     (int)found->module->target, "kernels", kernels, "unsupported", unsupported_json(&found->all),
                     "can_run", found->all.count == 0, "constant_bytes", (json_int_t)constant_bytes(found->module));
}

static void kernel_text(struct arena *arena, const struct inspected *found, const struct ptx_function *kernel)
{
    const char **parameters = kernel_parameters(arena, found->source, kernel);
    const uint32_t *required = kernel->required_threads;
    const char *block = required[0] ? arena_format(arena, _("; only blocks of %u x %u x %u threads"), required[0],
                                                   required[1], required[2])
                                    : "";
    const struct source_parameter *named = source_parameters(arena, found->source, kernel);
    printf("  %s(", kernel_words(arena, found->module, kernel));
    for (uint32_t p = 0; p < kernel->parameter_count; p++)
        printf("%s%s%s%s%s", p ? ", " : "", parameters[p], named ? " (" : "", named ? named[p].words : "",
               named ? ")" : "");
    printf(_("): instructions: %u; registers: predicates %u, 16-bit %u, 32-bit %u, 64-bit %u; static shared memory %zu "
             "B%s%s\n"),
           kernel->instruction_count, register_count(kernel, 0, true), register_count(kernel, 2, false),
           register_count(kernel, 4, false), register_count(kernel, 8, false), ptx_shared_bytes(found->module, kernel),
           block, found->of_kernel[kernel - found->module->functions].count ? _("; cannot run") : "");
    const char *launch = found->launches ? found->launches[kernel - found->module->functions] : NULL;
    if (launch)
        printf("    lanescope run %s %s\n", words_shell(arena, found->name), launch);
}

/* Returns an instruction without predicate and operands, and sets its length. */
static const char *form_of(const struct ptx_unknown *one, size_t *length)
{
    const char *text = one->instruction;
    if (*text == '@')
        text += strcspn(text, " \t\n");
    text += strspn(text, " \t\n");
    *length = strcspn(text, " \t\n");
    return text;
}

static bool same_form(const struct ptx_unknown *a, const struct ptx_unknown *b)
{
    size_t of_a, of_b;
    const char *text = form_of(a, &of_a), *other = form_of(b, &of_b);
    return of_a == of_b && memcmp(text, other, of_a) == 0 && strcmp(a->reason, b->reason) == 0 &&
           strcmp(a->function ? a->function : "", b->function ? b->function : "") == 0;
}

/* Prints each form that cannot run, with its first places. */
static void unsupported_text(struct arena *arena, const struct unsupported *list)
{
    enum { PLACES = 3 };
    bool *printed = arena_array(arena, bool, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        const struct ptx_unknown *one = &list->items[i];
        const char *places = "";
        size_t count = 0, length;
        for (size_t k = i; k < list->count && !printed[i]; k++) {
            const struct ptx_unknown *other = &list->items[k];
            if (printed[k] || !same_form(one, other))
                continue;
            if (count++ < PLACES)
                places = arena_format(arena, "%s%s%u", places, *places ? ", " : "", other->ptx_line);
            printed[k] = k > i;
        }
        const char *form = form_of(one, &length), *function = one->function ? one->function : _("the module");
        if (count == 1 && one->line)
            printf(_("  cannot run: %s (PTX line %u, source line %u, in %s): %s\n"), one->instruction, one->ptx_line,
                   one->line, function, _(one->reason));
        else if (count == 1)
            printf(_("  cannot run: %s (PTX line %u, in %s): %s\n"), one->instruction, one->ptx_line, function,
                   _(one->reason));
        else if (count)
            printf(_("  cannot run: %.*s, %zu times (PTX lines %s%s, in %s): %s\n"), (int)length, form, count, places,
                   count > PLACES ? ", ..." : "", function, _(one->reason));
    }
}

static void inspected_text(struct arena *arena, const struct inspected *found)
{
    printf(_("%s%s%s, PTX %u.%u for sm_%u\n"), found->name, found->compiler[0] ? ", " : "",
           found->compiler[0] ? report_compiled(arena, found->compiler) : "", found->module->version_major,
           found->module->version_minor, found->module->target);
    for (uint32_t i = 0; i < found->module->function_count; i++)
        if (found->module->functions[i].is_kernel)
            kernel_text(arena, found, &found->module->functions[i]);
    if (constant_bytes(found->module))
        printf(_("  constant memory of the module: %zu B\n"), constant_bytes(found->module));
    unsupported_text(arena, &found->all);
    if (!found->all.count)
        puts(_("  every instruction can be run"));
}

static void show(struct cli_options *options, const struct inspected *found, json_t *all)
{
    if (options->json)
        json_array_append_new(all, inspected_json(&options->arena, found));
    else
        inspected_text(&options->arena, found);
}

/* Prints one object, or the list of several. */
static void print_json(const json_t *all)
{
    json_dumpf(json_array_size(all) == 1 ? json_array_get(all, 0) : all, stdout, JSON_INDENT(2));
    putchar('\n');
}

/* Shows the kernels of a lesson that can be read. One that does not compile is among its problems. */
static void show_kernels(struct cli_options *options, const char *folder, json_t *all)
{
    const char *paths[16];
    struct lesson *lesson;
    struct error error;
    if (!lesson_load_folder(folder, &lesson, &error))
        return;
    size_t const count = lesson_files(options, lesson, paths, sizeof paths / sizeof paths[0]);
    struct inspected found = {.late = false};
    for (size_t i = 0; i < count && !found.late; i++) {
        if (inspect_file(options, paths[i], lesson_compiler_seconds(lesson), &found, &error))
            show(options, &found, all);
    }
    lesson_free(lesson);
}

/* The check is a key of the only file's object, or an object of its own behind several files, with their keys. */
static void add_check(json_t *all, const char *folder, const struct author_report *report)
{
    if (json_array_size(all) != 1) {
        char path[4352];
        bool const fine = !problems_count(&report->problems, PROBLEM_ERROR);
        snprintf(path, sizeof path, "%s/lesson.yaml", folder);
        json_array_append_new(all, json_pack("{s:s,s:s,s:[],s:[],s:b}", "file", path, "compiler", "", "kernels",
                                             "unsupported", "can_run", fine));
    }
    json_object_set_new(json_array_get(all, json_array_size(all) - 1), "lesson", cli_check_json(folder, report));
}

static int inspect_lesson(struct cli_options *options, const char *name)
{
    const char *folder = lesson_find(name, &options->arena);
    struct author_report report;
    struct lesson *lesson;
    struct error error;
    if (!cli_fits_lesson(options, name, &error) || (!folder && !lesson_load(name, &lesson, &error)))
        return cli_fail(&error);
    json_t *all = json_array();
    show_kernels(options, folder, all);
    cli_check_lesson(folder, &report);
    if (options->json) {
        add_check(all, folder, &report);
        print_json(all);
    } else {
        cli_check_text(&report);
    }
    json_decref(all);
    int const status = cli_check_status(&report);
    author_report_free(&report);
    return status;
}

int command_inspect(struct cli_options *options)
{
    if (options->targets.count != 1)
        return cli_usage("inspect takes one TARGET: a lesson, a .cu or a .ptx file");
    if (!target_is_file(options->targets.items[0]))
        return inspect_lesson(options, options->targets.items[0]);
    struct inspected found;
    struct error error;
    if (!inspect_file(options, options->targets.items[0], 0, &found, &error))
        return cli_fail(&error);
    json_t *all = json_array();
    show(options, &found, all);
    if (options->json)
        print_json(all);
    json_decref(all);
    return CLI_FINE;
}
