/* Programs that are made at random give the same from the interpreter and as machine code: memory, counts of each site
 * and instruction, findings, what they print.
 *
 *     tiers [--programs N] [--from K] FOLDER...
 *
 * takes programs K to K + N - 1 of an endless row: the PTX files of the folders, and then these files with changes by
 * mutate.c, one more each time. Each program runs counted and with all checks. */
#include "../tier_units.h"
#include "base/file.h"
#include "fuzz.h"
#include "launched.h"
#include "model/counts.h"
#include "mutate.h"
#include "ptx/parse.h"
#include "report/report.h"

enum { TOGETHER = 24, BYTES_MOST = 32768, TRIES = 8, WAYS = 2, BUDGET = 20000 };
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Bytes that libFuzzer would change freely stay as they are. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    (void)data, (void)most;
    return size;
}

static struct {
    struct arena arena;
    const char **paths;
    size_t count, capacity;
} files;

struct program { /* that runs */
    struct arena arena;
    struct ptx_module *module;
    const struct ptx_function *kernel;
    const uint8_t *text;
    size_t size, number;
};

/* What a run gives, as a text that others are compared with. */
struct outcome {
    char *text;
    size_t size;
};

static void add_folder(const char *folder)
{
    char **names;
    size_t const count = folder_list(&files.arena, folder, &names);
    for (size_t i = 0; i < count; i++)
        if (path_ends_with(names[i], ".ptx")) {
            files.paths = array_grow(files.paths, &files.capacity, files.count + 1, sizeof *files.paths);
            files.paths[files.count++] = arena_format(&files.arena, "%s/%s", folder, names[i]);
        }
}

static bool is_runnable(struct program *program, const uint8_t *text, size_t size)
{
    struct error error;
    struct ptx_unknown *unknown;
    if (!ptx_parse(&program->arena, "made.ptx", (const char *)text, size, &program->module, &error))
        return false;
    program->kernel = launched_small(program->module) ? launched_kernel(program->module) : NULL;
    program->text = text;
    program->size = size;
    return program->kernel && program->kernel->parameter_count <= LAUNCHED_PARAMETERS &&
           program->module->function_count < TIER_UNITS_FUNCTIONS &&
           emulator_unsupported(&program->arena, program->module, program->kernel, &unknown) == 0;
}

/* Makes a program of the row. Returns false if it does not run at all. */
static bool make(size_t number, struct program *program)
{
    char *bytes;
    size_t size;
    struct error error;
    unsigned seed = (unsigned)number * 2654435761u;
    *program = (struct program){.number = number};
    require(file_read(&program->arena, files.paths[number % files.count], &bytes, &size, &error));
    if (size >= BYTES_MOST)
        return false;
    uint8_t *text = arena_alloc(&program->arena, BYTES_MOST), *now = arena_alloc(&program->arena, BYTES_MOST);
    memcpy(now, bytes, size);
    for (size_t changes = number / files.count; changes > 0; changes--)
        for (unsigned tries = 0; tries < TRIES; tries++) { /* most changes make a program unfit to run */
            memcpy(text, now, size);
            size_t const changed = mutate_ptx(text, size, BYTES_MOST - 1, ++seed);
            text[changed] = 0;
            if (!is_runnable(program, text, changed))
                continue;
            memcpy(now, text, changed + 1);
            size = changed;
            break;
        }
    return is_runnable(program, now, size);
}

static void write_findings(FILE *out, struct arena *arena, const struct trace *trace)
{
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const struct finding *finding = &trace->findings[i];
        fprintf(out, "%s at %u in block %llu thread %u lanes %x: %s\n", finding_word(finding), finding->at.site,
                (unsigned long long)finding->at.block, finding->at.thread[0], finding->lanes,
                report_message(arena, REPORT_ENGLISH, finding));
    }
}

static void write_numbers(FILE *out, const char *name, const uint64_t *numbers, size_t count)
{
    fprintf(out, "%s:", name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %llx", (unsigned long long)numbers[i]);
    fputc('\n', out);
}

static void write_result(FILE *out, const struct program *program, const struct emulator_result *result,
                         struct counts_tally *tally)
{
    struct arena arena = {0};
    struct counts counts;
    const struct trace_totals *totals = &result->trace->totals;
    uint64_t const sums[] = {totals->warp_instructions,  totals->thread_instructions, totals->branches,
                             totals->branches_divergent, result->blocks_run,          result->proved};
    write_numbers(out, "totals", sums, sizeof sums / sizeof *sums);
    write_findings(out, &arena, result->trace);
    counts_tally_sum(tally, &arena, &counts);
    for (uint32_t i = 0; i < counts.site_count; i++)
        write_numbers(out, "site", (const uint64_t *)&counts.sites[i], sizeof counts.sites[i] / sizeof(uint64_t));
    for (uint32_t f = 0; f < program->module->function_count; f++)
        if (result->executed && result->executed[f])
            write_numbers(out, program->module->functions[f].name, result->executed[f],
                          program->module->functions[f].instruction_count);
    fprintf(out, "printed %s\n", result->output);
    arena_free(&arena);
}

/* Runs a program one way: 0 counted, 1 with all checks. */
static struct outcome run(const struct program *program, unsigned way, const struct emulator_native *native)
{
    static float memory[LAUNCHED_PARAMETERS][LAUNCHED_ELEMENTS];
    struct launch launch = {0};
    struct launch_argument arguments[LAUNCHED_PARAMETERS];
    struct launch_buffer buffers[LAUNCHED_PARAMETERS];
    struct outcome outcome = {0};
    struct emulator_result result = {0};
    struct error error = {0};
    struct arena arena = {0};
    FILE *out = open_memstream(&outcome.text, &outcome.size);
    require(out);
    launched_shape(&launch, program->text, program->size);
    require(launched_arguments(&launch, program->kernel, arguments, buffers, memory));
    if (program->number % 2) /* more warps */
        launch.block[0] = 128;
    uint32_t site_count;
    const struct trace_site *sites = trace_sites(&arena, program->module, &site_count);
    struct counts_tally *tally = counts_tally_new(sites, site_count);
    struct emulator_options const options = {.recorded = {1, 0},
                                             .listener = counts_listener(tally),
                                             .checks = {.memory = way != 0, .races = way != 0},
                                             .budget = BUDGET,
                                             .native = native,
                                             .threads = 1};
    if (emulator_run(program->module, &launch, &options, &result, &error)) {
        write_result(out, program, &result, tally);
        trace_free(result.trace);
    } else {
        fprintf(out, "error %s\n", error.message);
    }
    for (uint32_t i = 0; i < launch.buffer_count; i++)
        fprintf(out, "buffer %u %s\n", i, digest_of(memory[i], sizeof memory[i]).text);
    fclose(out);
    counts_tally_free(tally);
    arena_free(&arena);
    return outcome;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* Runs some programs both ways. Returns how many differ. */
static unsigned compare(const struct program *programs, size_t count, struct tier_units *units)
{
    struct emulator_native const collector = tier_units_collector(units), server = tier_units_server(units);
    struct outcome expected[TOGETHER][WAYS];
    unsigned wrong = 0;
    tier_units_open(units);
    for (size_t i = 0; i < count; i++)
        for (unsigned way = 0; way < WAYS; way++)
            expected[i][way] = run(&programs[i], way, &collector);
    require(tier_units_compile(units));
    for (size_t i = 0; i < count; i++)
        for (unsigned way = 0; way < WAYS; way++) {
            struct outcome now = run(&programs[i], way, &server);
            if (!same(&now, &expected[i][way])) {
                wrong++;
                printf("program %zu, %s, differs; interpreted:\n%scompiled:\n%s", programs[i].number,
                       way ? "checked" : "counted", expected[i][way].text, now.text);
            }
            free(now.text);
            free(expected[i][way].text);
        }
    return wrong;
}

int main(int argc, char **argv)
{
    size_t from = 0, most = TOGETHER, ran = 0;
    struct tier_units units = {0};
    unsigned wrong = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--programs") == 0 && i + 1 < argc)
            most = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--from") == 0 && i + 1 < argc)
            from = strtoull(argv[++i], NULL, 10);
        else
            add_folder(argv[i]);
    }
    require(files.count);
    if (!tier_unit[0])
        return 77; /* there was no clang when this was built */
    for (size_t number = from; number < from + most;) {
        struct program programs[TOGETHER];
        size_t count = 0;
        for (; number < from + most && count < TOGETHER; number++) {
            if (make(number, &programs[count]))
                count++;
            else
                arena_free(&programs[count].arena);
        }
        wrong += compare(programs, count, &units);
        ran += count;
        for (size_t i = 0; i < count; i++)
            arena_free(&programs[i].arena);
    }
    printf("%zu of %zu programs ran, %u runs with machine code; %u differ\n", ran, most, units.served, wrong);
    arena_free(&files.arena);
    free(files.paths);
    tier_units_free(&units);
    return wrong != 0 || units.served < ran / 2;
}
