/* cuRAND's generators: the first numbers are the library's, and a sequence goes on where it stopped. */
#include "cudart/layer/random.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 200000 };
static double whole[COUNT], pieces[COUNT];

/* Of CUDA 13's curandCreateGeneratorHost, seed 0. */
static void the_first_numbers_are_those_of_the_library(void **state)
{
    static const uint32_t wanted[][4] = {[RANDOM_XORWOW] = {3179217846, 3955638199, 167591721, 4161663997},
                                         [RANDOM_MRG32K3A] = {545508615, 341016064, 1125210161, 2161280324},
                                         [RANDOM_PHILOX] = {1713891541, 3781805453, 3159862348, 2600524760}};
    uint32_t numbers[4];
    (void)state;
    for (enum random_kind kind = RANDOM_XORWOW; kind <= RANDOM_PHILOX; kind++) {
        struct random random = {.kind = kind};
        assert_true(random_fill(&random, RANDOM_BITS, 0, 0, 4, numbers));
        assert_memory_equal(numbers, wanted[kind], sizeof numbers);
        random_restart(&random);
    }
}

/* Also over the wrap of the streams, which is at 4,096, 81,920 and 262,144 numbers. */
static void pieces_and_offsets_give_the_numbers_of_one_call(void **state)
{
    (void)state;
    for (enum random_kind kind = RANDOM_XORWOW; kind <= RANDOM_PHILOX; kind++) {
        struct random random = {.kind = kind, .seed = 42};
        assert_true(random_fill(&random, RANDOM_UNIFORM_DOUBLE, 0, 0, COUNT, whole));
        random_restart(&random);
        for (size_t done = 0, part = 1; done < COUNT; done += part, part = part * 3 + 1)
            assert_true(random_fill(&random, RANDOM_UNIFORM_DOUBLE, 0, 0, part < COUNT - done ? part : COUNT - done,
                                    pieces + done));
        assert_memory_equal(whole, pieces, sizeof whole);
        random_restart(&random);

        uint32_t *bits = (uint32_t *)(void *)whole, *later = (uint32_t *)(void *)pieces;
        assert_true(random_fill(&random, RANDOM_BITS, 0, 0, COUNT, bits));
        random_restart(&random);
        random.offset = 90001;
        assert_true(random_fill(&random, RANDOM_BITS, 0, 0, COUNT - 90001, later));
        assert_memory_equal(bits + 90001, later, (COUNT - 90001) * sizeof *bits);
        random_restart(&random);
    }
}

static void poisson_numbers_have_the_mean_and_the_variance(void **state)
{
    static const double lambdas[] = {0.5, 10, 4000};
    static uint32_t numbers[COUNT / 10];
    size_t const count = sizeof numbers / sizeof *numbers;
    (void)state;
    for (size_t i = 0; i < sizeof lambdas / sizeof *lambdas; i++) {
        struct random random = {.kind = RANDOM_PHILOX, .seed = 1};
        double sum = 0, squares = 0;
        assert_true(random_fill(&random, RANDOM_POISSON, lambdas[i], 0, count, numbers));
        for (size_t k = 0; k < count; k++) {
            sum += numbers[k];
            squares += (numbers[k] - lambdas[i]) * (numbers[k] - lambdas[i]);
        }
        assert_true(fabs(sum / (double)count - lambdas[i]) < 5 * sqrt(lambdas[i] / (double)count));
        assert_true(fabs(squares / (double)count / lambdas[i] - 1) < 0.1);
        random_restart(&random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_numbers_are_those_of_the_library),
        cmocka_unit_test(pieces_and_offsets_give_the_numbers_of_one_call),
        cmocka_unit_test(poisson_numbers_have_the_mean_and_the_variance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
