#include "base/file.h"
#include "model/gpu.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static void every_gpu_that_is_shipped_can_keep_the_model_clock(void **state)
{
    (void)state;
    static const char *const names[] = {"nvidia-h200", "nvidia-h100", "rtx-2070", "a100"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct arena arena = {0};
        struct clock_figures figures;
        struct error error = {0};
        if (!gpu_clock(&arena, names[i], &figures, &error))
            fail_msg("%s: %s", names[i], error.message);
        assert_true(figures.instruction < figures.shared && figures.shared < figures.l1);
        assert_true(figures.l1 < figures.l2 && figures.l2 < figures.dram);
        assert_int_equal(figures.measured, i < 2);
        assert_int_equal(figures.constant > 0, i < 2); /* only measured ones hold it */
        assert_true((figures.constant > 0) == (figures.constant_step > 0));
        arena_free(&arena);
    }
}

static void every_fact_has_a_source(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct gpu gpu;
    struct error error = {0};
    assert_true(gpu_read(&arena, "rtx-2070", &gpu, &error));
    assert_string_equal(gpu.name, "NVIDIA GeForce RTX 2070");
    bool ranged = false;
    for (size_t i = 0; i < gpu.fact_count; i++) {
        assert_true(strlen(gpu.facts[i].from) > 10);
        if (strcmp(gpu.facts[i].name, "dram_latency") == 0)
            ranged = gpu.facts[i].value == 1100; /* the middle of 1000 to 1200 */
    }
    assert_true(ranged);
    arena_free(&arena);
}

/* Reads the text as a file. Returns the error's line, and its message in `said`. */
static int line_of_error(const char *text, char *said, size_t size)
{
    char path[] = "/tmp/lanescope-gpu-XXXXXX.yaml";
    int const file = mkstemps(path, 5);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    struct arena arena = {0};
    struct clock_figures figures;
    struct error error = {0};
    assert_false(gpu_clock(&arena, path, &figures, &error));
    unlink(path);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_string_equal(error.file, path);
    error_problem(&error, said, (int)size);
    arena_free(&arena);
    return error.line;
}

#define HEAD "name: A GPU\nsource: literature\nfacts:\n"
#define FACT(name, rest) "  - name: " name "\n    unit: cycles\n    source: a book\n    " rest "\n"

static void a_broken_file_is_reported_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
        {"", 0, ""},
        {"name: [A GPU\nsource: literature\n", 2, "YAML"},
        {"name: A GPU\nsource: hearsay\nfacts:\n" FACT("l1_latency", "value: 1"), 2, "source"},
        {"name: A GPU\nsource: measured\nfacts:\n" FACT("l1_latency", "value: 1"), 4, "method"},
        {HEAD FACT("l1_latency", "vlaue: 1"), 7, "vlaue"},
        {HEAD FACT("l1_latency", "value: fast"), 7, "value"},
        {HEAD FACT("l1_latency", "value: -3"), 4, "above 0"},
        {HEAD FACT("l1_latency", "value: nan"), 4, "above 0"},
        {HEAD FACT("l1_latency", "high: 3"), 4, "low"},
        {HEAD FACT("l1_latency", "low: 3\n    high: 2"), 4, "above `low`"},
        {HEAD FACT("l1_latency", "value: 3") FACT("l1_latency", "value: 4"), 8, "twice"},
        {HEAD "  - unit: cycles\n    value: 3\n", 4, "name"},
        {HEAD FACT("instruction_latency", "value: 4"), 0, "'shared_latency', which the model clock needs"},
        {HEAD FACT("instruction_latency", "value: 0.2"), 0, "instruction_latency' in cycles"},
        {HEAD FACT("instruction_latency", "value: 4") FACT("shared_latency", "value: 4") FACT("l1_latency", "value: 4")
             FACT("l2_latency", "value: 4") FACT("dram_latency", "value: 4") FACT("constant_latency", "value: 4")
                 FACT("constant_step", "value: 0.1"),
         0, "constant_step' in cycles"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char said[600];
        int const line = line_of_error(cases[i].text, said, sizeof said);
        if (cases[i].line && line != cases[i].line)
            fail_msg("case %zu: line %d, not %d: %s", i, line, cases[i].line, said);
        if (!strstr(said, cases[i].words))
            fail_msg("case %zu: \"%s\" does not say \"%s\"", i, said, cases[i].words);
    }
}

static enum gpu_caches_lack lack_of(const char *text)
{
    char path[] = "/tmp/lanescope-gpu-XXXXXX.yaml";
    struct arena arena = {0};
    struct error error;
    struct gpu_caches caches;
    close(mkstemps(path, 5));
    assert_true(file_write(path, text, strlen(text), &error));
    enum gpu_caches_lack const lack = gpu_caches(&arena, path, &caches);
    unlink(path);
    arena_free(&arena);
    return lack;
}

static void caches_are_measured_on_the_gpus_of_the_rules_alone(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool measured;
        unsigned processors, l1_kb, l2_mb;
    } shipped[] = {{NULL, true, 132, 256, 60},
                   {"nvidia-h200", true, 132, 256, 60},
                   {"nvidia-h100", true, 132, 256, 50},
                   {"a100", false, 108, 192, 40},
                   {"rtx-2070", false, 36, 96, 4}};
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        struct arena arena = {0};
        struct gpu_caches caches;
        assert_int_equal(gpu_caches(&arena, shipped[i].name, &caches), GPU_CACHES_COMPLETE);
        assert_int_equal(caches.measured, shipped[i].measured);
        assert_int_equal(caches.multiprocessors->value, shipped[i].processors);
        assert_int_equal(caches.limits->l1_bytes, shipped[i].l1_kb << 10);
        assert_int_equal(caches.l2->value, shipped[i].l2_mb << 20);
        assert_true(strlen(caches.limits->l1_source) > 10 && strlen(caches.l2->from) > 10);
        arena_free(&arena);
    }
}

static void a_size_that_the_files_lack_is_not_made_up(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct gpu_caches caches;
#define REST "facts:\n" FACT("l1_latency", "value: 4")
#define CAPABILITY(of) "name: A GPU\nsource: literature\ncompute_capability: \"" of "\"\n"
    assert_int_equal(gpu_caches(&arena, "no-such-gpu", &caches), GPU_CACHES_NO_FILE);
    assert_int_equal(lack_of(HEAD FACT("l1_latency", "value: 4")), GPU_CACHES_NO_CAPABILITY);
    assert_int_equal(lack_of(CAPABILITY("6.1") REST), GPU_CACHES_NO_LIMITS);
    assert_int_equal(lack_of(CAPABILITY("8.0") REST), GPU_CACHES_NO_L2);
    assert_int_equal(lack_of(CAPABILITY("8.0") "l2_bytes: 4096\n" REST), GPU_CACHES_NO_MULTIPROCESSORS);
    assert_int_equal(lack_of(CAPABILITY("8.0") "l2_bytes: 4096\nmultiprocessors: 2\n" REST), GPU_CACHES_COMPLETE);
    arena_free(&arena);
}

/* What the driver reports needs no source in the file, but in a file from documents no driver was asked. */
static void a_size_without_a_source_is_the_drivers_only_where_it_was_measured(void **state)
{
    (void)state;
    static const struct {
        const char *source, *origin, *from;
    } cases[] = {{"measured", "method: by hand", "as the driver reports it"},
                 {"literature", "source: a book", "the file does not say from where"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[] = "/tmp/lanescope-gpu-XXXXXX.yaml";
        struct arena arena = {0};
        struct error error;
        struct gpu gpu;
        const char *text = arena_format(&arena,
                                        "name: A GPU\nsource: %s\nl2_bytes: 4096\nfacts:\n"
                                        "  - {name: l1_latency, unit: cycles, value: 4, %s}\n",
                                        cases[i].source, cases[i].origin);
        close(mkstemps(path, 5));
        assert_true(file_write(path, text, strlen(text), &error));
        assert_true(gpu_read(&arena, path, &gpu, &error));
        assert_string_equal(gpu_find(&gpu, "l2_bytes")->from, cases[i].from);
        unlink(path);
        arena_free(&arena);
    }
}

/* Reading a truncated or overwritten file ends with a result or an error. Run under the sanitizers. */
static void damaged_files_never_crash(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *text;
    size_t size;
    struct error error = {0};
    assert_true(file_read(&arena, data_path(&arena, "assets/gpus/a100.yaml"), &text, &size, &error));
    char path[] = "/tmp/lanescope-gpu-XXXXXX.yaml";
    close(mkstemps(path, 5));
    for (size_t at = 0; at < size; at += 7) {
        struct arena scratch = {0};
        struct clock_figures figures;
        char *copy = arena_text_n(&arena, text, size);
        copy[at] = "\0{-:&*\t\"\n"[at % 9];
        assert_true(file_write(path, copy, at % 2 ? size : at + 1, &error));
        if (!gpu_clock(&scratch, path, &figures, &error))
            assert_int_equal(error.kind, ERROR_INPUT);
        arena_free(&scratch);
    }
    unlink(path);
    arena_free(&arena);
}

static void a_short_name_has_neither_maker_nor_memory(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"NVIDIA H200", "H200"},
                                           {"NVIDIA H100 80GB HBM3", "H100"},
                                           {"NVIDIA A100-SXM4-40GB", "A100-SXM4-40GB"},
                                           {"NVIDIA GeForce RTX 2070", "GeForce RTX 2070"},
                                           {"16GB", "16GB"},
                                           {"", ""}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_string_equal(gpu_short_name(&arena, names[i][0]), names[i][1]);
    arena_free(&arena);
}

static void an_unknown_name_lists_the_known_ones(void **state)
{
    (void)state;
    static const char *const names[] = {"voodoo", "", "../gpus/a100", "/etc/passwd"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct arena arena = {0};
        struct gpu gpu;
        struct error error = {0};
        assert_false(gpu_read(&arena, names[i], &gpu, &error));
        assert_non_null(strstr(error.remedy, "a100, nvidia-h100, nvidia-h200, rtx-2070"));
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_gpu_that_is_shipped_can_keep_the_model_clock),
        cmocka_unit_test(every_fact_has_a_source),
        cmocka_unit_test(a_broken_file_is_reported_with_its_line),
        cmocka_unit_test(caches_are_measured_on_the_gpus_of_the_rules_alone),
        cmocka_unit_test(a_size_that_the_files_lack_is_not_made_up),
        cmocka_unit_test(a_size_without_a_source_is_the_drivers_only_where_it_was_measured),
        cmocka_unit_test(damaged_files_never_crash),
        cmocka_unit_test(a_short_name_has_neither_maker_nor_memory),
        cmocka_unit_test(an_unknown_name_lists_the_known_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
