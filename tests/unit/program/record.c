/* The record of a program: damaged parts are left out, and the calls show the mistakes of the host. */
#include "base/file.h"
#include "program/program.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#define HEAD "{\"lanescope_program_record\": 1, \"process\": 7, \"base\": 4096}\n"
#define MALLOC "{\"n\":1,\"call\":\"cudaMalloc\",\"error\":0,\"bytes\":64,\"allocation\":1,\"base\":512}\n"
#define FREE "{\"n\":2,\"call\":\"cudaFree\",\"error\":0,\"pointer\":{\"allocation\":1,\"offset\":0}}\n"

/* Reads a record whose program is no ELF file. The caller frees the run. */
static void read_record(struct program_run *run, const char *text)
{
    char folder[] = "/tmp/lanescope-record-XXXXXX";
    *run = (struct program_run){.folder = folder};
    assert_non_null(mkdtemp(folder));
    const char *path = arena_format(&run->arena, "%s/program.record", folder);
    assert_true(file_write(path, text, strlen(text), NULL));
    program_read_calls(run, path);
    unlink(path);
    rmdir(folder);
    run->folder = "";
}

static void free_record(struct program_run *run)
{
    json_decref(run->lines);
    arena_free(&run->arena);
}

static void a_whole_record_has_its_calls_and_launches(void **state)
{
    (void)state;
    struct program_run run;
    read_record(&run,
                HEAD MALLOC "{\"n\":2,\"call\":\"cudaLaunchKernel\",\"from\":5000,\"grid\":[2,1,1],\"block\":[32,1,1],"
                            "\"kernel\":\"k\",\"launch\":1,\"ran\":1,\"faults\":3}\n"
                            "{\"measured\":2,\"us\":1.5}\n{\"n\":3,\"call\":\"exit\"}\n");
    assert_true(run.has_record && run.ended);
    assert_int_equal(run.call_count, 3);
    assert_int_equal(run.launch_count, 1);
    assert_int_equal(run.launches[0].grid[0], 2);
    assert_int_equal(run.launches[0].faults, 3);
    assert_true(run.launches[0].ran && run.launches[0].measured_us == 1.5);
    assert_string_equal(run.calls[1].at.file, ""); /* no debug information */
    free_record(&run);
}

static void damaged_lines_are_left_out(void **state)
{
    (void)state;
    struct program_run run;
    read_record(&run, HEAD "{\"n\":1,\"call\":\n[1,2]\n7\n\n" MALLOC "{\"n\":3,\"call\":5}\n"
                           "{\"measured\":99,\"us\":1}\n{\"measured\":-1}\n{\"n\":4,\"call\":\"cudaLaun");
    assert_int_equal(run.call_count, 1);
    assert_int_equal(run.launch_count, 0);
    assert_false(run.ended);
    free_record(&run);
}

static void members_of_a_wrong_type_are_as_absent(void **state)
{
    (void)state;
    struct program_run run;
    read_record(&run, HEAD "{\"n\":1,\"call\":\"cudaLaunchKernel\",\"from\":\"x\",\"grid\":{\"a\":1},\"block\":[\"b\"],"
                           "\"kernel\":[],\"error\":\"no\",\"trace\":4,\"begin_s\":\"soon\"}\n");
    assert_int_equal(run.launch_count, 1);
    assert_string_equal(run.launches[0].kernel, "?");
    assert_int_equal(run.launches[0].grid[0], 0);
    assert_null(run.launches[0].trace_path);
    assert_int_equal(run.calls[0].error, 0);
    mistakes_find(&run);
    free_record(&run);
}

static void another_version_or_no_record_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "{}", "{\"lanescope_program_record\": 2}\n", "[]\n", "\001\002"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct program_run run;
        read_record(&run, texts[i]);
        assert_false(run.has_record);
        assert_int_equal(run.call_count, 0);
        mistakes_find(&run);
        assert_int_equal(run.mistake_count, 0);
        free_record(&run);
    }
}

static void check_mistake(const char *text, enum mistake_kind kind, uint32_t index)
{
    struct program_run run;
    read_record(&run, text);
    mistakes_find(&run);
    assert_int_equal(run.mistake_count, 1);
    assert_int_equal(run.mistakes[0].kind, kind);
    assert_int_equal(run.mistakes[0].index, index);
    free_record(&run);
}

static void calls_show_the_mistake_that_they_make(void **state)
{
    (void)state;
    check_mistake(HEAD MALLOC "{\"n\":2,\"call\":\"exit\",\"live\":[{\"allocation\":1,\"offset\":0}]}\n", MISTAKE_LEAK,
                  0);
    check_mistake(HEAD MALLOC FREE
                  "{\"n\":3,\"call\":\"cudaFree\",\"error\":1,\"pointer\":{\"allocation\":1,\"offset\":0,"
                  "\"freed\":1}}\n",
                  MISTAKE_DOUBLE_FREE, 2);
    check_mistake(HEAD "{\"n\":1,\"call\":\"cudaLaunchKernel\",\"error\":9,\"grid\":[1,1,1],\"block\":[1025,1,1]}\n",
                  MISTAKE_TOO_MANY_THREADS, 0);
    check_mistake(HEAD "{\"n\":1,\"call\":\"cudaLaunchKernel\",\"error\":9,\"grid\":[0,1,1],\"block\":[32,1,1]}\n",
                  MISTAKE_EMPTY_LAUNCH, 0);
    check_mistake(HEAD "{\"n\":1,\"call\":\"cudaLaunchKernel\",\"error\":9,\"grid\":[1,65536,1],\"block\":[32,1,1]}\n",
                  MISTAKE_LAUNCH_LIMIT, 0);
}

static void a_program_that_frees_what_it_allocates_has_none(void **state)
{
    (void)state;
    struct program_run run;
    read_record(&run, HEAD MALLOC FREE "{\"n\":3,\"call\":\"exit\",\"live\":[]}\n");
    mistakes_find(&run);
    assert_int_equal(run.mistake_count, 0);
    free_record(&run);
}

static void an_address_without_debug_information_has_no_place(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const char *const paths[] = {"/dev/null", "/etc/passwd", "/nowhere"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct places *places = places_open(paths[i]);
        struct program_place const place = places_find(&arena, places, 4096);
        assert_string_equal(place.file, "");
        assert_int_equal(place.line, 0);
        places_close(places);
    }
    places_close(NULL);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_record_has_its_calls_and_launches),
        cmocka_unit_test(damaged_lines_are_left_out),
        cmocka_unit_test(members_of_a_wrong_type_are_as_absent),
        cmocka_unit_test(another_version_or_no_record_is_none),
        cmocka_unit_test(calls_show_the_mistake_that_they_make),
        cmocka_unit_test(a_program_that_frees_what_it_allocates_has_none),
        cmocka_unit_test(an_address_without_debug_information_has_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
