/* Every form of tests/instructions/results.txt gives the same results in the emulator as on an H200: bit for bit, or
 * for an approximate form the same infinities, zeros and NaNs, and numbers within the error that PTX documents. Lines
 * that begin with "-" are forms that the emulator refuses. */
#include "../instructions/approximate.h"
#include "forms_helper.h"
#include "sanitized.h"

static uint64_t fewer[INPUT_RESULTS * INPUT_THREADS];

enum { EVERY = SANITIZED ? 5 : 1 }; /* compared is one form in so many */

static void results_equal_the_gpus(void **state)
{
    (void)state;
    struct forms forms = forms_read();
    unsigned compared = 0, wrong = 0;
    for (size_t i = 0; i < forms.count; i += EVERY) {
        const struct form *form = &forms.items[i];
        if (!form->required)
            continue;
        compared++;
        if (form_run(form->text, -1, results, NULL) && result_hash(form->text, results) == form->hash)
            continue;
        wrong++;
        print_error("not the GPU's results: %s\n", form->text);
    }
    print_message("%u of %zu forms compared\n", compared, forms.count);
    forms_free(&forms);
    assert_int_equal(wrong, 0);
    assert_true(compared > 3600 / EVERY);
}

/* Returns whether the results stay the same when lanes are absent, which fails for instructions across lanes. */
static bool works_alone(const char *text)
{
    static const char *const together[] = {"sync", "bar.", "barrier", "%d14", "%r14", "activemask"};
    for (size_t i = 0; i < sizeof together / sizeof *together; i++)
        if (strstr(text, together[i]))
            return false;
    return true;
}

/* The emulator has separate code for full warps, for some lanes and for few lanes: 8 lanes of a warp, and 2. */
static void results_of_partial_warps_equal_the_gpus(void **state)
{
    (void)state;
    static const int masks[] = {5, 27};
    struct forms forms = forms_read();
    unsigned wrong = 0, compared = 0;
    for (size_t i = 0; i < forms.count; i += EVERY) {
        const char *text = forms.items[i].text;
        if (!forms.items[i].required || !works_alone(text))
            continue;
        assert_true(form_run(text, -1, results, NULL));
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
            bool same = form_run(text, masks[m], fewer, NULL);
            for (unsigned k = 0; k < INPUT_RESULTS * INPUT_THREADS; k++) {
                bool present = !(k / INPUT_RESULTS % INPUT_BLOCK & (unsigned)masks[m]);
                same = same && fewer[k] == (present ? results[k] : 0);
            }
            compared++;
            wrong += !same;
            if (!same)
                print_error("otherwise without lanes %d: %s\n", masks[m], text);
        }
    }
    forms_free(&forms);
    assert_int_equal(wrong, 0);
    assert_true(compared > 7000 / EVERY);
}

static unsigned check_error(const char *text, unsigned half, const struct approximation *row)
{
    struct approximation_error error = {0};
    approximation_check(text, inputs, results, half, row, &error);
    if (error.worst > error.allowed)
        fail_msg("%s: error 2^%.2f at %g, allowed 2^%.2f", text, log2(error.worst), error.input, log2(error.allowed));
    if (error.compared)
        print_message("2^%.2f of 2^%.2f (%u) %s\n", log2(error.worst), log2(error.allowed), error.compared, text + 7);
    return error.compared;
}

static void approximations_within_the_documented_error(void **state)
{
    (void)state;
    struct forms forms = forms_read();
    for (size_t i = 0; i < forms.count; i += EVERY) {
        const char *text = forms.items[i].text;
        if (!forms.items[i].required || !is_approximate(text))
            continue;
        assert_true(form_run(text, -1, results, NULL));
        unsigned compared = 0;
        bool pair = text[INPUT_OPERANDS + 1] == 'X' || text[INPUT_OPERANDS + 1] == 'Y';
        for (size_t r = 0; r < sizeof approximations / sizeof *approximations; r++)
            for (unsigned half = 0; half <= pair; half++)
                compared += check_error(text, half, &approximations[r]);
        assert_true(compared > 500);
    }
    forms_free(&forms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_equal_the_gpus),
        cmocka_unit_test(results_of_partial_warps_equal_the_gpus),
        cmocka_unit_test(approximations_within_the_documented_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
