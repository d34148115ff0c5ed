/* Every load and store of tests/matrix/counters.txt has the same counts in the emulator as from Nsight Compute on an
 * H200: requests and sectors, instructions, wavefronts and bank conflicts. */
#include "../matrix/matrix.h"
#include "emulator_helper.h"
#include "model/counts.h"

enum { COUNTERS = 10, MOST = 16 };
static uint32_t inputs[BLOCK_WORDS * MOST], outputs[BLOCK_WORDS * MOST];

static void run(const struct form *form, uint64_t *values)
{
    static char text[FORM_PTX_SIZE];
    static struct bench bench;
    struct counts counts;
    struct counter *counters;
    strcpy(text, FORM_HEAD);
    form_access(text + strlen(FORM_HEAD), sizeof text - strlen(FORM_HEAD), "k", form);
    bench_text(&bench, text);
    bench.options.recorded = LAUNCH_ALL_BLOCKS;
    bench_launch(&bench, "k", form->blocks, LANES);
    bench_buffer(&bench, PTX_U32, outputs, (uint64_t)BLOCK_WORDS * form->blocks);
    bench_buffer(&bench, PTX_U32, inputs, (uint64_t)BLOCK_WORDS * form->blocks);
    bench_run(&bench);
    assert_int_equal(trace_faults(bench.result.trace), 0);
    counts_of_trace(bench.result.trace, &bench.arena, &counts);
    size_t const count = counts_counters(&counts, bench.result.trace->sites, &bench.arena, &counters);
    assert_true(count >= COUNTERS);
    for (unsigned i = 0; i < COUNTERS; i++)
        values[i] = counters[i].value;
    bench_free(&bench);
}

static void counts_equal_the_gpus(void **state)
{
    (void)state;
    static char line[1024];
    FILE *file = fopen("matrix/counters.txt", "r");
    unsigned compared = 0, wrong = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        struct form form;
        uint64_t expected[COUNTERS], counted[COUNTERS];
        char *at = line;
        line[strcspn(line, "\n")] = 0;
        for (unsigned i = 0; i < COUNTERS; i++)
            expected[i] = strtoull(at, &at, 10);
        assert_true(strncmp(at, " | ", 3) == 0 && form_read(at + 3, &form) && form.blocks <= MOST);
        run(&form, counted);
        compared++;
        if (memcmp(counted, expected, sizeof counted) == 0)
            continue;
        wrong++;
        for (unsigned i = 0; i < COUNTERS; i++)
            print_error("%llu ", (unsigned long long)counted[i]);
        print_error("are not the GPU's counters: %s\n", line);
    }
    fclose(file);
    print_message("%u forms compared\n", compared);
    assert_int_equal(wrong, 0);
    assert_true(compared > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_equal_the_gpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
