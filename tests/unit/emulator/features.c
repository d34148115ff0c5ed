/* Device features of CUDA C++ beyond arithmetic: every kernel of tests/emulator/features.cu leaves the same numbers as
 * on an H200, in every mode, and has no finding. */
#include "../emulator/features.h"
#include "emulator_helper.h"
#include <stdio.h>

static void run(struct bench *b, const char *kernel, int mode, uint64_t *out)
{
    memset(out, 0, 8 * FEATURE_WORDS);
    bench_mode(b, mode, mode == QUICK ? 1 : 2);
    bench_launch(b, kernel, FEATURE_BLOCKS, FEATURE_THREADS);
    bench_buffer(b, PTX_U64, out, FEATURE_WORDS);
    bench_run(b);
    for (uint32_t i = 0; i < b->result.trace->finding_count; i++)
        fail_msg("%s: %s", kernel, finding_word(&b->result.trace->findings[i]));
}

static void every_feature_as_on_the_gpu(void **state)
{
    static uint64_t out[FEATURE_WORDS];
    char line[128], name[64];
    unsigned long long hash;
    unsigned compared = 0, wrong = 0, number;
    FILE *file = fopen("emulator/features.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%llx %63s %u", &hash, name, &number) != 2)
            continue; /* a function of emulator/math.c */
        for (int mode = 0; mode < MODES; mode++) {
            run(*state, name, mode, out);
            compared++;
            if (feature_hash(out, FEATURE_WORDS) == hash)
                continue;
            wrong++;
            print_error("not the GPU's results: %s, mode %d\n", name, mode);
        }
    }
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_true(compared == 25 * MODES);
}

static int start(void **state)
{
    return bench_open(state, "emulator/features.ptx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_feature_as_on_the_gpu),
    };
    return cmocka_run_group_tests(tests, start, bench_close);
}
