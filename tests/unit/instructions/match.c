/* Every form of tests/instructions/results.txt gives the same results in the emulator as on an H200: bit for bit, or
 * for an approximate form the same infinities, zeros and NaNs, and numbers within the error that PTX documents. Lines
 * that begin with "-" are forms that the emulator refuses. */
#include "../instructions/approximate.h"
#include "emulator_helper.h"

struct form {
    const char *text;
    uint64_t hash;
    bool required;
};

struct forms {
    char *file;
    struct form *items;
    size_t count;
};

static uint64_t inputs[INPUT_OPERANDS * INPUT_THREADS], results[INPUT_RESULTS * INPUT_THREADS];
static uint64_t fewer[INPUT_RESULTS * INPUT_THREADS];

static struct forms forms_read(void)
{
    struct forms forms = {0};
    FILE *file = fopen("instructions/results.txt", "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    forms.file = malloc(size + 1);
    forms.items = malloc(size / 16 * sizeof *forms.items);
    assert_non_null(forms.file);
    assert_non_null(forms.items);
    assert_int_equal(fread(forms.file, 1, size, file), size);
    forms.file[size] = 0;
    fclose(file);
    for (char *line = strtok(forms.file, "\n"); line; line = strtok(NULL, "\n")) {
        bool required = line[0] != '-';
        char *text;
        uint64_t hash = strtoull(line + !required, &text, 16);
        assert_true(text - line == 16 + !required && *text == ' ');
        forms.items[forms.count++] = (struct form){text + 1, hash, required};
    }
    return forms;
}

static void forms_free(struct forms *forms)
{
    free(forms->file);
    free(forms->items);
}

/* Runs the form on the emulator. Returns false when the emulator refuses it. */
static bool run(const char *form, int absent, uint64_t *out)
{
    static char text[FORM_PTX_SIZE];
    static uint64_t scratch[INPUT_RESULTS * INPUT_THREADS];
    static struct bench bench;
    int head = snprintf(text, sizeof text, "%s", FORM_HEAD);
    assert_true(form_kernel(text + head, sizeof text - (size_t)head, "k", form, absent) < (int)sizeof text - head);
    memset(out, 0, sizeof results);
    memset(scratch, 0, sizeof scratch);
    input_fill(form, inputs);
    bench_text(&bench, text);
    bench_launch(&bench, "k", INPUT_THREADS / INPUT_BLOCK, INPUT_BLOCK);
    bench_buffer(&bench, PTX_U64, out, INPUT_RESULTS * INPUT_THREADS);
    bench_buffer(&bench, PTX_U64, inputs, INPUT_OPERANDS * INPUT_THREADS);
    bench_buffer(&bench, PTX_U64, scratch, INPUT_RESULTS * INPUT_THREADS);
    bool good = emulator_run(bench.module, &bench.launch, &bench.options, &bench.result, &bench.error);
    good = good && trace_faults(bench.result.trace) == 0;
    bench_free(&bench);
    return good;
}

static void results_equal_the_gpus(void **state)
{
    (void)state;
    struct forms forms = forms_read();
    unsigned compared = 0, wrong = 0;
    for (size_t i = 0; i < forms.count; i++) {
        const struct form *form = &forms.items[i];
        if (!form->required)
            continue;
        compared++;
        if (run(form->text, -1, results) && result_hash(form->text, results) == form->hash)
            continue;
        wrong++;
        print_error("not the GPU's results: %s\n", form->text);
    }
    print_message("%u of %zu forms compared\n", compared, forms.count);
    forms_free(&forms);
    assert_int_equal(wrong, 0);
    assert_true(compared > 3600);
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
    for (size_t i = 0; i < forms.count; i++) {
        const char *text = forms.items[i].text;
        if (!forms.items[i].required || !works_alone(text))
            continue;
        assert_true(run(text, -1, results));
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
            bool same = run(text, masks[m], fewer);
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
    assert_true(compared > 7000);
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
    for (size_t i = 0; i < forms.count; i++) {
        const char *text = forms.items[i].text;
        if (!forms.items[i].required || !is_approximate(text))
            continue;
        assert_true(run(text, -1, results));
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
