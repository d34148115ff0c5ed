/* The forms of tests/instructions/results.txt, each run as a kernel of its own. */
#ifndef LANESCOPE_TESTS_FORMS_HELPER_H
#define LANESCOPE_TESTS_FORMS_HELPER_H
#include "../instructions/instructions.h"
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

static inline void ignore_accesses(void *context, unsigned worker, const struct trace_event *event,
                                   const uint64_t *addresses, uint64_t times)
{
    (void)context, (void)worker, (void)event, (void)addresses, (void)times;
}

static inline void ignore_sums(void *context, unsigned worker, uint32_t site, const struct trace_sums *sums)
{
    (void)context, (void)worker, (void)site, (void)sums;
}

static inline void ignore_event(void *context, unsigned worker, const struct trace_event *event,
                                const uint64_t *addresses)
{
    (void)context, (void)worker, (void)event, (void)addresses;
}

static inline struct forms forms_read(void)
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

static inline void forms_free(struct forms *forms)
{
    free(forms->file);
    free(forms->items);
}

/* Runs the form on the emulator, also as machine code with `native`. Returns false when the emulator refuses it. */
static inline bool form_run(const char *form, int absent, uint64_t *out, const struct emulator_native *native)
{
    static char text[FORM_PTX_SIZE];
    static uint64_t scratch[INPUT_RESULTS * INPUT_THREADS];
    static struct bench bench;
    int head = snprintf(text, sizeof text, "%s", FORM_HEAD);
    assert_true(form_kernel(text + head, sizeof text - (size_t)head, "k", form, absent) < (int)sizeof text - head);
    memset(out, 0, sizeof scratch);
    memset(scratch, 0, sizeof scratch);
    input_fill(form, inputs);
    bench_text(&bench, text);
    bench_launch(&bench, "k", INPUT_THREADS / INPUT_BLOCK, INPUT_BLOCK);
    bench_buffer(&bench, PTX_U64, out, INPUT_RESULTS * INPUT_THREADS);
    bench_buffer(&bench, PTX_U64, inputs, INPUT_OPERANDS * INPUT_THREADS);
    bench_buffer(&bench, PTX_U64, scratch, INPUT_RESULTS * INPUT_THREADS);
    if (native) { /* it works where accesses are counted */
        bench.options.native = native;
        bench.options.listener =
            (struct trace_listener){.accesses = ignore_accesses, .sums = ignore_sums, .event = ignore_event};
    }
    bool good = emulator_run(bench.module, &bench.launch, &bench.options, &bench.result, &bench.error);
    good = good && trace_faults(bench.result.trace) == 0;
    bench_free(&bench);
    return good;
}
#endif
