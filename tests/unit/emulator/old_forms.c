/* Forms of PTX that people write by hand and that compilers wrote long ago: vector registers, a sum in the place of a
 * register, predicates of calls, and local memory outside a function. Each leaves what the PTX manual says, in every
 * mode and without a finding. */
#include "emulator_helper.h"

enum { THREADS = 48, WORDS = 4 };

static void elements(uint32_t lane, uint32_t words[WORDS])
{
    (void)lane;
    uint32_t const was[WORDS] = {words[3], words[0], words[1], words[2]};
    words[0] = was[1], words[1] = was[0], words[2] = was[3] + 100, words[3] = was[2];
}

static void packed(uint32_t lane, uint32_t words[WORDS])
{
    (void)lane;
    uint32_t const x = words[0], y = words[1];
    words[1] = x;
    words[2] = y << 16 | y >> 16;
    words[3] = x << 16 | x >> 16;
}

static void calls(uint32_t lane, uint32_t words[WORDS])
{
    uint32_t const x = words[0];
    words[0] = words[1], words[1] = x + 5;
    words[2] = lane > 15 ? 2 * lane : lane;
    words[3] = words[2] % 2;
}

static void predicates(uint32_t lane, uint32_t words[WORDS])
{
    bool const even = lane % 2 == 0;
    words[0] = lane < 20 ? !even : even;
    words[1] = lane < 20 ? 2 * even : 2;
}

static void sums(uint32_t lane, uint32_t words[WORDS])
{
    uint32_t const a = 2 * lane - 2;
    words[0] = a + 12;
    words[1] = 2 * (a - 1);
    words[2] = (uint16_t)(lane - 1) > 9 ? lane + 1000 : lane;
}

static void locals(uint32_t lane, uint32_t words[WORDS])
{
    words[0] = 2 * lane, words[1] = lane, words[2] = 3, words[3] = 9;
}

static const struct {
    const char *file, *kernel;
    void (*result)(uint32_t lane, uint32_t words[WORDS]);
} cases[] = {{"emulator/vectors.ptx", "elements", elements}, {"emulator/vectors.ptx", "packed", packed},
             {"emulator/vectors.ptx", "calls", calls},       {"emulator/vectors.ptx", "predicates", predicates},
             {"emulator/vectors.ptx", "sums", sums},         {"emulator/old_local.ptx", "kernel", locals}};

static void each_form_leaves_what_the_manual_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int mode = 0; mode < MODES; mode++) {
            struct bench b;
            uint32_t words[THREADS][WORDS], right[THREADS][WORDS];
            for (uint32_t k = 0; k < THREADS * WORDS; k++)
                words[k / WORDS][k % WORDS] = right[k / WORDS][k % WORDS] = k * 2654435761u;
            bench_file(&b, cases[i].file);
            bench_mode(&b, mode, 1);
            bench_launch(&b, cases[i].kernel, 1, THREADS);
            bench_buffer(&b, PTX_U32, words, THREADS * WORDS);
            bench_run(&b);
            if (b.result.trace->finding_count)
                fail_msg("%s: %s", cases[i].kernel, finding_word(&b.result.trace->findings[0]));
            for (uint32_t lane = 0; lane < THREADS; lane++) {
                cases[i].result(lane, right[lane]);
                for (unsigned k = 0; k < WORDS; k++)
                    if (words[lane][k] != right[lane][k])
                        fail_msg("%s: word %u of lane %u is %u, not %u", cases[i].kernel, k, lane, words[lane][k],
                                 right[lane][k]);
            }
            bench_free(&b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_leaves_what_the_manual_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
