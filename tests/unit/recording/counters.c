/* A profiler's counters: its output is read, the file is written and read again, and a launch is found by its key and
 * its source. */
#include "recording/counters.h"
#include "base/file.h"
#include "recording/profiler.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Returns shortened output of ncu: its own remarks, names, units, and one row per launch. */
static char *profiler_text(struct arena *arena, const char *last_value, const char *opcodes)
{
    const char *names = "\"ID\",\"Kernel Name\",\"Block Size\"", *units = "\"\",\"\",\"\"";
    const char *first = "\"0\",\"banks_load\",\"(32, 1, 1)\"", *second = "\"1\",\"a \"\"b\"\"\",\"(32, 1, 1)\"";
    for (size_t i = 0; i < counter_name_count; i++) {
        names = arena_format(arena, "%s,\"%s\"", names, counter_names[i]);
        units = arena_format(arena, "%s,\"inst\"", units);
        first = arena_format(arena, "%s,\"%zu\"", first, i);
        second = arena_format(arena, "%s,\"%s\"", second, i + 1 < counter_name_count ? "0" : last_value);
    }
    names = arena_format(arena, "%s,\"%s\"", names, counter_opcodes);
    units = arena_format(arena, "%s,\"inst\"", units);
    first = arena_format(arena, "%s,\"1,064 (BRA: 40; LDG: 1,024)\"", first);
    second = arena_format(arena, "%s,\"%s\"", second, opcodes);
    return arena_format(arena, "==PROF== Connected to process 12\n%s\n%s\n%s\n%s\n", names, units, first, second);
}

static void profiler_output_gives_one_row_per_launch(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counter_row *rows;
    struct error error = {0};
    size_t count;
    assert_true(
        profiler_read(profiler_text(&arena, "16,384 (7: 1; 8: 16,383)", "8 (EXIT: 8)"), &arena, &rows, &count, &error));
    assert_int_equal(count, 2);
    assert_string_equal(rows[0].launch, "banks_load");
    for (size_t i = 0; i < counter_name_count; i++)
        assert_int_equal(rows[0].values[i], i);
    assert_string_equal(rows[1].launch, "a \"b\"");
    assert_int_equal(rows[1].values[counter_name_count - 1], 16384);
    assert_int_equal(rows[0].opcode_count, 2);
    assert_string_equal(rows[0].opcodes[1].name, "LDG");
    assert_int_equal(rows[0].opcodes[1].value, 1024);
    arena_free(&arena);
}

static void opcodes_that_do_not_add_up_are_an_error(void **state)
{
    (void)state;
    static const char *const texts[] = {"8 (EXIT: 7)", "8", "n/a", "8 (EXIT)", "8 (EXIT: x)", ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena arena = {0};
        struct counter_row *rows;
        struct error error = {0};
        size_t count;
        assert_false(profiler_read(profiler_text(&arena, "1", texts[i]), &arena, &rows, &count, &error));
        assert_non_null(strstr(error.message, counter_opcodes));
        arena_free(&arena);
    }
}

static void a_missing_count_is_an_error_and_not_zero(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counter_row *rows;
    struct error error = {0};
    size_t count;
    assert_false(profiler_read(profiler_text(&arena, "n/a", "8 (EXIT: 8)"), &arena, &rows, &count, &error));
    assert_non_null(strstr(error.message, "n/a"));
    char *text = profiler_text(&arena, "1", "8 (EXIT: 8)");
    text[strlen(text) - 6] = '\n'; /* cut off */
    assert_false(profiler_read(text, &arena, &rows, &count, &error));
    char without[] = "\"ID\",\"Kernel Name\"\n\"\",\"\"\n\"0\",\"k\"\n";
    assert_false(profiler_read(without, &arena, &rows, &count, &error));
    arena_free(&arena);
}

static const char source[] = "extern \"C\" __global__ void k() {}\n";

/* With and without arguments, different kernels and shapes, and a define that looks like an argument. */
static const char *const launches[] = {"k 1x1x1 32x1x1 0 i32:1",         "k 1x1x1 64x1x1 0 i32:1",
                                       "k 1x1x1 32x1x1 0 i32:2",         "k 1x1x1 32x1x1 0",
                                       "k 1x1x1 32x1x1 0 E=f32:4 i32:2", "k 1x1x1 64x1x1 0 f32:8 f32[8]=zero i32=1"};
enum { LAUNCHES = sizeof launches / sizeof *launches };

static struct counter_table some_launches(struct arena *arena)
{
    static const struct counter opcodes[] = {{"BRA", 5}};
    struct counter_row *rows = arena_array(arena, struct counter_row, LAUNCHES);
    uint64_t *values = arena_array(arena, uint64_t, LAUNCHES * counter_name_count);
    for (size_t i = 0; i < LAUNCHES * counter_name_count; i++)
        values[i] = 1000 + i;
    for (size_t i = 0; i < LAUNCHES; i++)
        rows[i] = (struct counter_row){launches[i], values + i * counter_name_count, i % 2 ? opcodes : NULL, i % 2};
    values[counter_name_count - 1] = COUNTER_ABSENT; /* as in a file from before this counter */
    struct counter_source *sources = arena_new(arena, struct counter_source);
    *sources = (struct counter_source){"k.cu", arena_text(arena, digest_of(source, strlen(source)).text)};
    return (struct counter_table){"NVIDIA H200", "580",   "2026-11-21", "Nsight Compute 1", true, sources, 1,
                                  rows,          LAUNCHES};
}

static void a_launch_is_found_again_by_its_key_while_its_source_is_the_same(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct counter_table table = some_launches(&arena), read;
    char path[] = "/tmp/lanescope-counters-XXXXXX";
    int const file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_true(counters_write(path, &table, &error));
    assert_true(counters_read(&arena, path, &read, &error));
    unlink(path);
    assert_int_equal(read.row_count, LAUNCHES);
    uint64_t value;
    for (size_t i = 0; i < LAUNCHES; i++) {
        struct sass_counts const found = counters_find(&read, "k.cu", source, launches[i], &arena);
        assert_true(found.counted);
        assert_true(found.cold);
        assert_true(sass_counter(&found, counter_names[3], &value));
        assert_int_equal(value, 1003 + i * counter_name_count);
        assert_int_equal(sass_counter(&found, counter_names[counter_name_count - 1], &value), i > 0);
        assert_int_equal(sass_opcode(&found, "BRA", &value), i % 2);
        assert_int_equal(value, i % 2 ? 5 : 0);
    }
    struct sass_counts const found = counters_find(&read, "k.cu", source, launches[1], &arena);
    assert_string_equal(found.device, "NVIDIA H200");
    assert_string_equal(found.profiler, "Nsight Compute 1");
    assert_false(sass_counter(&found, "no such counter", &value));
    assert_false(counters_find(&read, "k.cu", source, "k 1x1x1 32x1x1 0 i32:3", &arena).counted);
    assert_false(counters_find(&read, "k.cu", "edited since", "k 1x1x1 32x1x1 0 i32:2", &arena).counted);
    assert_false(counters_find(&read, "other.cu", source, "k 1x1x1 32x1x1 0 i32:2", &arena).counted);
    arena_free(&arena);
}

static void a_damaged_file_is_named(void **state)
{
    (void)state;
    static const char no_columns[] = "{\"device\": \"d\", \"driver\": \"1\", \"date\": \"x\", \"profiler\": \"p\", "
                                     "\"sources\": {}, \"columns\": [\"arguments\"], \"launches\": {}}";
    static const char *const texts[] = {"{", "{}", "[1]", no_columns};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct counter_table table;
        char path[] = "/tmp/lanescope-counters-XXXXXX";
        int const file = mkstemp(path);
        assert_true(file >= 0);
        close(file);
        assert_true(file_write(path, texts[i], strlen(texts[i]), &error));
        assert_false(counters_read(&arena, path, &table, &error));
        assert_string_equal(error.file, path);
        unlink(path);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiler_output_gives_one_row_per_launch),
        cmocka_unit_test(a_missing_count_is_an_error_and_not_zero),
        cmocka_unit_test(opcodes_that_do_not_add_up_are_an_error),
        cmocka_unit_test(a_launch_is_found_again_by_its_key_while_its_source_is_the_same),
        cmocka_unit_test(a_damaged_file_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
