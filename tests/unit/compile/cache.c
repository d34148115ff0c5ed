/* The cache in front of the compilers answers an identical request, and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/backend.h"
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char source[] = "#ifndef STEP\n#define STEP 1\n#endif\n"
                             "extern \"C\" __global__ void k(int *a) { a[threadIdx.x * STEP] = 1; }\n";
static char folder[] = "/tmp/lanescope-test-XXXXXX";

static struct compile_result compile(struct arena *arena, const struct compile_request *request)
{
    struct compile_result result;
    struct error error = {0};
    char line[1024];
    if (!compile_cuda(arena, request, &result, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    return result;
}

static enum compiler present(void)
{
    struct compiler_status status[2];
    compile_status(status, NULL);
    if (!status[0].present && !status[1].present) {
        print_message("skipped: %s\n", status[1].why);
        skip();
    }
    return status[1].present ? COMPILER_CLANG : COMPILER_NVRTC;
}

static void an_identical_request_comes_from_the_cache(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_request request = {.path = "k.cu", .source = source, .compiler = present()};
    struct compile_result const first = compile(&arena, &request), second = compile(&arena, &request);
    assert_false(first.cached);
    assert_true(second.cached);
    assert_string_equal(first.ptx, second.ptx);
    assert_int_equal(first.ptx_size, second.ptx_size);
    assert_int_equal(second.ptx_size, strlen(second.ptx));
    assert_string_equal(first.compiler_name, second.compiler_name);
    assert_string_equal(first.log, second.log);
    assert_int_equal(first.compiler, second.compiler);
    request.no_cache = true;
    assert_false(compile(&arena, &request).cached);
    arena_free(&arena);
}

static void a_different_request_is_compiled(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_define const step = {"STEP", "7"};
    struct compile_request request = {.path = "k.cu", .source = source, .compiler = present()};
    struct compile_result const plain = compile(&arena, &request);
    request.defines = &step;
    request.define_count = 1;
    struct compile_result const defined = compile(&arena, &request);
    assert_false(defined.cached);
    assert_string_not_equal(plain.ptx, defined.ptx);
    request.target = 80;
    assert_false(compile(&arena, &request).cached);
    request.source = arena_format(&arena, "%s// more\n", source);
    assert_false(compile(&arena, &request).cached);
    request.path = "other.cu";
    assert_non_null(strstr(compile(&arena, &request).ptx, "\"other.cu\""));
    arena_free(&arena);
}

static void a_damaged_file_in_the_cache_is_ignored(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_request const request = {.path = "k.cu", .source = source, .compiler = present()};
    const char *cache = arena_format(&arena, "%s/lanescope/ptx", folder);
    char **names = NULL;
    struct compile_result const good = compile(&arena, &request);
    size_t const count = folder_list(&arena, cache, &names);
    assert_true(count > 0);
    static const char *const damage[] = {"", "lanescope cached PTX 3 5 99999999 x\n", "lanescope cached PTX 1 0",
                                         "lanescope cached PTX 3 18446744073709551615 1 x\nab", "nothing"};
    for (size_t d = 0; d < sizeof damage / sizeof *damage; d++) {
        for (size_t i = 0; i < count; i++)
            assert_true(file_write(arena_format(&arena, "%s/%s", cache, names[i]), damage[d], strlen(damage[d]), NULL));
        struct compile_result const again = compile(&arena, &request);
        assert_false(again.cached);
        assert_string_equal(again.ptx, good.ptx);
    }
    assert_true(compile(&arena, &request).cached);
    arena_free(&arena);
}

static void a_changed_header_of_the_kernel_is_noticed(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *header = arena_format(&arena, "%s/value.h", folder);
    struct compile_request const request = {
        .path = arena_format(&arena, "%s/k.cu", folder),
        .source = "#include \"value.h\"\nextern \"C\" __global__ void k(int *a) { *a = VALUE; }\n",
        .compiler = present()};
    assert_true(file_write(header, "#define VALUE 41\n", 17, NULL));
    struct compile_result const before = compile(&arena, &request);
    assert_true(file_write(header, "#define VALUE 42\n", 17, NULL));
    struct compile_result const after = compile(&arena, &request);
    assert_false(after.cached);
    assert_non_null(strstr(before.ptx, "41"));
    assert_non_null(strstr(after.ptx, "42"));
    unlink(header);
    arena_free(&arena);
}

/* Whoever else can write an entry could put another kernel into it. */
static void an_entry_that_others_may_write_is_not_used(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_request request = {.path = "k.cu", .source = source, .compiler = present()};
    compile(&arena, &request);
    const char *cache = arena_format(&arena, "%s/lanescope/ptx", folder);
    char **names;
    size_t const count = folder_list(&arena, cache, &names);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(chmod(arena_format(&arena, "%s/%s", cache, names[i]), 0666), 0);
    assert_false(compile(&arena, &request).cached);
    assert_true(compile(&arena, &request).cached);
    assert_int_equal(chmod(cache, 0777), 0);
    assert_false(compile(&arena, &request).cached);
    assert_true(compile(&arena, &request).cached);
    arena_free(&arena);
}

static int make_cache(void **state)
{
    (void)state;
    return mkdtemp(folder) ? setenv("XDG_CACHE_HOME", folder, 1) : -1;
}

static int remove_cache(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *cache = arena_format(&arena, "%s/lanescope/ptx", folder);
    char **names = NULL;
    size_t const count = folder_list(&arena, cache, &names);
    for (size_t i = 0; i < count; i++)
        unlink(arena_format(&arena, "%s/%s", cache, names[i]));
    rmdir(cache);
    rmdir(arena_format(&arena, "%s/lanescope", folder));
    rmdir(folder);
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_identical_request_comes_from_the_cache),
        cmocka_unit_test(a_different_request_is_compiled),
        cmocka_unit_test(a_damaged_file_in_the_cache_is_ignored),
        cmocka_unit_test(an_entry_that_others_may_write_is_not_used),
        cmocka_unit_test(a_changed_header_of_the_kernel_is_noticed),
    };
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
