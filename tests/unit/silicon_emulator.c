/* Whole kernels through the emulator against the hardware's counters: each line of tests/silicon/kernels.txt is a launch
 * on an H200 of the machine code that ptxas made of the PTX run here. */
#include "lesson/run.h"
#include "silicon_table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants those above first */
#include <cmocka.h>

/* What a line holds after the colon: the command line's counters in its order, then those of atomics. */
enum { LINE_COUNTERS = 10, LINE_COUNTS = 17 };

static void read_shape(const char *word, uint32_t shape[3])
{
    assert_int_equal(sscanf(word, "%u,%u,%u", &shape[0], &shape[1], &shape[2]), 3);
}

/* "banks.cu:ELEMENT=float" is a lesson's kernel with the PTX that is shipped, "scan" is silicon/ptx/scan.ptx. */
static struct run *run_row(struct arena *arena, const struct silicon_row *row)
{
    assert_true(row->word_count > 6 && row->count_count == LINE_COUNTS);
    char *source = arena_text(arena, row->words[1]);
    struct compile_define define = {0};
    char *colon = strchr(source, ':'), *equals = colon ? strchr(colon, '=') : NULL;
    if (equals) {
        *colon = *equals = 0;
        define = (struct compile_define){colon + 1, equals + 1};
    }
    const char *dot = strchr(source, '.');
    struct run_file_request request = {
        .path = arena_format(arena, dot ? LANESCOPE_SOURCE_FOLDER "/kernels/%s" : "silicon/ptx/%s.ptx", source),
        .kernel = row->words[2],
        .shared_bytes = (uint32_t)strtoul(row->words[5], NULL, 10),
        .defines = &define,
        .define_count = equals != NULL,
        .arguments = row->words + 6,
        .argument_count = row->word_count - 6,
        .compiler = dot ? COMPILER_SHIPPED : COMPILER_ANY,
        .recorded = LAUNCH_ALL_BLOCKS,
        .executor = RUN_EMULATOR};
    read_shape(row->words[3], request.grid);
    read_shape(row->words[4], request.block);
    struct run *run = NULL;
    struct error error = {0};
    if (!run_file(&request, &run, &error))
        fail_msg("%s %s: %s", row->words[1], row->words[2], error.message);
    assert_int_equal(run->trace->lost, 0);
    return run;
}

static void count_row(struct run *run, uint64_t ours[LINE_COUNTS])
{
    struct counter *counters;
    counts_counters(&run->counts, run->trace->sites, &run->arena, &counters);
    for (size_t i = 0; i < LINE_COUNTERS; i++)
        ours[i] = counters[i].value;
}

static void kernels_count_as_the_hardware_does(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *text = silicon_open(&arena, "kernels");
    struct silicon_row row;
    unsigned launches = 0, exact = 0;
    assert_non_null(text);
    while (silicon_next(&text, &row)) {
        uint64_t ours[LINE_COUNTS] = {0};
        struct run *run = run_row(&arena, &row);
        count_row(run, ours);
        unsigned wrong = 0;
        for (size_t i = 0; i < LINE_COUNTERS; i++)
            wrong += ours[i] != row.counts[i];
        launches++;
        exact += !wrong;
        if (wrong) {
            print_error("%s %s %s %s %s\n", row.words[1], row.words[2], row.words[3], row.words[4], row.words[row.word_count - 1]);
            for (size_t i = 0; i < LINE_COUNTERS; i++)
                print_error("   %d: %llu ours %llu %s\n", (int)i, (unsigned long long)row.counts[i], (unsigned long long)ours[i], ours[i] == row.counts[i] ? "" : "!");
        }
        run_free(run);
    }
    print_message("| kernels | %u | %u |\n", launches, exact);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_count_as_the_hardware_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
