/* Every form of tests/emulator/silicon/forms.txt gives, over special and random inputs, the bits that an H200 gave
 * (silicon.txt); approximate forms stay within the error that PTX documents of the host's own function. */
#include "../emulator/silicon/silicon.h"
#include "emulator_helper.h"
#include <math.h>

static uint64_t inputs[3 * SILICON_COUNT], results[SILICON_COUNT];

static void run_form(const char *form, uint32_t block)
{
    static struct bench bench;
    static char text[8192];
    silicon_ptx(text, sizeof text, form[2], form + 4);
    silicon_inputs(form[0], inputs);
    memset(results, 0, sizeof results);
    bench_text(&bench, text);
    bench_launch(&bench, "k", (SILICON_COUNT + block - 1) / block, block);
    bench_buffer(&bench, PTX_U64, results, SILICON_COUNT);
    bench_buffer(&bench, PTX_U64, inputs, 3 * SILICON_COUNT);
    bench_run(&bench);
    bench_free(&bench);
}

/* Block sizes that give warps with all lanes, with some and with few. */
static void the_gpus_own_bits(void **state)
{
    (void)state;
    static const uint32_t blocks[] = {64, 20, 3};
    FILE *file = fopen("emulator/silicon/silicon.txt", "r");
    assert_non_null(file);
    char line[1024];
    unsigned compared = 0, wrong = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *form = strchr(line, ' ') + 1;
        if (strncmp(line, "refused", 7) == 0 || form[2] == '~')
            continue;
        uint64_t expected = strtoull(line, NULL, 16);
        for (unsigned i = 0; i < 3; i++) {
            run_form(form, blocks[i]);
            compared++;
            if (silicon_hash(results) == expected)
                continue;
            wrong++;
            print_error("not the GPU's results in blocks of %u: %s\n", blocks[i], form);
        }
    }
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_true(compared > 2000);
}

struct approximation {
    const char *form;
    double (*reference)(double);
    double relative, absolute;
};

static double reciprocal(double x)
{
    return 1 / x;
}

static double reciprocal_root(double x)
{
    return 1 / sqrt(x);
}

/* Errors from PTX ISA 9.0, 9.7.3. */
static void approximations_within_the_documented_error(void **state)
{
    (void)state;
    static const struct approximation table[] = {
        {"s ~ ex2.approx.f32 %r0, %r1;", exp2, 0x1p-22, 0},
        {"s ~ lg2.approx.f32 %r0, %r1;", log2, 0, 0x1p-22},
        {"s ~ sin.approx.f32 %r0, %r1;", sin, 0, 0x1p-20},
        {"s ~ cos.approx.f32 %r0, %r1;", cos, 0, 0x1p-20},
        {"s ~ rcp.approx.f32 %r0, %r1;", reciprocal, 0x1p-23, 0},
        {"s ~ rsqrt.approx.f32 %r0, %r1;", reciprocal_root, 0x1p-22, 0},
        {"s ~ sqrt.approx.f32 %r0, %r1;", sqrt, 0x1p-22, 0},
        {"s ~ tanh.approx.f32 %r0, %r1;", tanh, 0x1p-11, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        run_form(table[i].form, 64);
        for (unsigned k = 0; k < SILICON_RANDOMS; k++) {
            uint32_t bits = (uint32_t)inputs[3 * k], got = (uint32_t)results[k];
            float x, y;
            memcpy(&x, &bits, 4);
            memcpy(&y, &got, 4);
            double exact = table[i].reference((double)x);
            if (isnan(exact)) {
                assert_true(isnan(y));
                continue;
            }
            if (fabs(exact) > 0x1.fffffep127) {
                assert_true(isinf(y));
                continue;
            }
            double error = fabs((double)y - exact),
                   allowed = table[i].relative * fabs(exact) + table[i].absolute + 0x1p-149;
            if (error > (allowed > fabs(exact) * 0x1p-23 ? allowed : fabs(exact) * 0x1p-23))
                fail_msg("%s: %.9g gives %.9g, exactly %.9g", table[i].form, (double)x, (double)y, exact);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gpus_own_bits),
        cmocka_unit_test(approximations_within_the_documented_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
