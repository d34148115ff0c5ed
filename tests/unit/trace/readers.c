/* The text dump equals its golden file, and the Python reader agrees with the dump. Tests run in the folder tests/. */
#include "base/file.h"
#include "ptx/parse.h"
#include "trace/sites.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static void the_dump_is_the_golden_file(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    char *golden;
    struct trace *trace = sample_trace(SAMPLE_BUFFER, 1024, false);
    assert_true(file_read(&arena, "trace/sample.txt", &golden, NULL, &error));
    assert_string_equal(trace_dump(trace, &arena), golden);
    trace_free(trace);
    arena_free(&arena);
}

static void python_reads(struct arena *arena, const char *path, const char *dump)
{
    char *output = arena_alloc(arena, strlen(dump) + 2);
    FILE *python = popen(arena_format(arena, "python3 read_trace.py %s", path), "r");
    assert_non_null(python);
    size_t const got = fread(output, 1, strlen(dump) + 1, python);
    assert_int_equal(pclose(python), 0);
    output[got] = '\0';
    const char *events = strstr(dump, "\n0 block"); /* the reader prints events only */
    assert_non_null(events);
    assert_string_equal(output, events + 1);
}

static void the_python_reader_agrees_with_the_dump(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    char path[] = "/tmp/lanescope-reader-XXXXXX";
    int const file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int values = 0; values < 2; values++) {
        struct trace *trace = sample_trace(SAMPLE_BUFFER, 1024, values != 0);
        trace->clock = TRACE_CLOCK_GPU; /* whose order the rules do not bind: the warp has ended */
        if (values) {
            sample_shuffle(trace, 1);
            sample_product(trace, 1);
        }
        const char *dump = trace_dump(trace, &arena);
        uint8_t *plain;
        size_t size;
        assert_true(trace_pack(trace, &arena, &plain, &size, &error) && file_write(path, plain, size, &error));
        python_reads(&arena, path, dump);
        if (system("command -v zstd >/dev/null") == 0) { /* the reader unpacks with the zstd program */
            assert_true(trace_write(trace, path, &error));
            python_reads(&arena, path, dump);
        }
        trace_free(trace);
    }
    unlink(path);
    arena_free(&arena);
}

/* A trace from a program and the same trace from a file have the same facts for each site. */
static void facts_of_a_site_are_the_same_from_program_and_file(void **state)
{
    (void)state;
    static const char *const folders[] = {"../assets/ptx", "emulator", "matrix", "faults", "kernels"};
    struct arena arena = {0};
    struct error error = {0};
    size_t compared = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char **names, *text;
        size_t const count = folder_list(&arena, folders[i], &names);
        for (size_t n = 0; n < count; n++) {
            struct ptx_module *module;
            size_t size;
            uint32_t site_count;
            if (!path_ends_with(names[n], ".ptx"))
                continue;
            const char *path = arena_format(&arena, "%s/%s", folders[i], names[n]);
            assert_true(file_read(&arena, path, &text, &size, &error));
            assert_true(ptx_parse(&arena, path, text, size, &module, &error));
            const struct trace_site *sites = trace_sites(&arena, module, &site_count);
            for (uint32_t s = 0; s < site_count; s++, compared++) {
                struct trace_site read = sites[s];
                read.unit = TRACE_BY_LANES;
                read.type = PTX_TYPE_NONE;
                read.by_table = read.compares = read.counts = read.timed = false;
                trace_sites_read(&read, 1);
                assert_true(read.unit == sites[s].unit && read.type == sites[s].type);
                assert_true(read.by_table == sites[s].by_table && read.compares == sites[s].compares);
                assert_int_equal(read.counts, sites[s].counts);
                assert_int_equal(read.timed, sites[s].timed);
            }
        }
    }
    assert_true(compared > 500);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dump_is_the_golden_file),
        cmocka_unit_test(the_python_reader_agrees_with_the_dump),
        cmocka_unit_test(facts_of_a_site_are_the_same_from_program_and_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
