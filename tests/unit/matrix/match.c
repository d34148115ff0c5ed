/* Every form of tests/matrix/results.txt gives the same bits in the emulator as on an H200. A word on the command line
 * names another file of such results. */
#include "../matrix/matrix.h"
#include "emulator_helper.h"
#include "sanitized.h"

enum { MOST = 1024 };
enum { EVERY = SANITIZED ? 4 : 1 }; /* compared is one form in so many */

static const char *other; /* file; NULL: results.txt */
static uint32_t inputs[BLOCK_WORDS * MOST], outputs[BLOCK_WORDS * MOST];

/* Runs the form on the emulator. Returns false when the emulator refuses it. */
static bool run(const struct form *form)
{
    static char text[FORM_PTX_SIZE];
    static struct bench bench;
    size_t const count = (size_t)BLOCK_WORDS * form->blocks;
    strcpy(text, FORM_HEAD);
    form_kernel(text + strlen(FORM_HEAD), sizeof text - strlen(FORM_HEAD), "k", form);
    memset(outputs, 0, count * sizeof *outputs);
    bench_text(&bench, text);
    bench_launch(&bench, "k", form->blocks, LANES);
    bench.options.threads = 2;
    bench_buffer(&bench, PTX_U32, outputs, count);
    bench_buffer(&bench, PTX_U32, inputs, count);
    bool good = emulator_run(bench.module, &bench.launch, &bench.options, &bench.result, &bench.error);
    if (good && trace_faults(bench.result.trace))
        print_error("%s\n", finding_word(&bench.result.trace->findings[0]));
    good = good && trace_faults(bench.result.trace) == 0;
    bench_free(&bench);
    return good;
}

static void results_equal_the_gpus(void **state)
{
    (void)state;
    static char line[1024], kinds[4];
    FILE *file = fopen(other ? other : "matrix/results.txt", "r");
    unsigned read = 0, compared = 0, wrong = 0, filled = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (read++ % EVERY && !other)
            continue;
        struct form form;
        char *text;
        uint64_t const hash = strtoull(line, &text, 16);
        line[strcspn(line, "\n")] = 0;
        assert_true(form_read(text, &form) && form.blocks <= MOST);
        if (strcmp(kinds, form.kinds) != 0 || filled < form.blocks) {
            strcpy(kinds, form.kinds);
            input_fill(kinds, filled = form.blocks, inputs);
        }
        compared++;
        if (run(&form) && result_hash(outputs, (size_t)BLOCK_WORDS * form.blocks) == hash)
            continue;
        wrong++;
        print_error("not the GPU's results: %s\n", form.text);
    }
    fclose(file);
    print_message("%u forms compared\n", compared);
    assert_int_equal(wrong, 0);
    assert_true(compared > (other ? 0 : 600 / EVERY));
}

int main(int count, char **words)
{
    other = count > 1 ? words[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_equal_the_gpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
