/* Errors in a kernel's source: their place from each compiler, and the message when a compiler is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/backend.h"
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char wrong_source[] = "// a comment\n"
                                   "__global__ void wrong(float *b)\n"
                                   "{\n"
                                   "\tint i = threadIdx.x;\n"
                                   "\tb[i] = missing_name;\n"
                                   "    b[i] = another_one;\n"
                                   "}\n";

static bool compile_text(struct arena *arena, const char *path, const char *source, enum compiler compiler,
                         struct compile_result *result, struct error *error)
{
    struct compile_request const request = {.path = path, .source = source, .compiler = compiler, .no_cache = true};
    *error = (struct error){0};
    return compile_cuda(arena, &request, result, error);
}

static void need(enum compiler compiler)
{
    struct compiler_status status[2];
    compile_status(status, NULL);
    struct compiler_status const *wanted = &status[compiler == COMPILER_CLANG];
    if (!wanted->present) {
        print_message("skipped: %s\n", wanted->why);
        skip();
    }
}

static void check_places(enum compiler compiler)
{
    struct arena arena = {0};
    struct compile_result result;
    struct error error;
    need(compiler);
    assert_false(compile_text(&arena, "some/folder/wrong.cu", wrong_source, compiler, &result, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_string_equal(error.file, "some/folder/wrong.cu");
    assert_int_equal(error.line, 5);
    assert_int_equal(error.column, 9);
    assert_non_null(strstr(error.message, "missing_name"));
    assert_null(strstr(error.message, "\n"));
    assert_non_null(strstr(result.log, "another_one")); /* the log has all of them */
    arena_free(&arena);
}

static void nvrtc_error_has_file_line_column_and_text(void **state)
{
    (void)state;
    check_places(COMPILER_NVRTC);
}

static void clang_error_has_file_line_column_and_text(void **state)
{
    (void)state;
    check_places(COMPILER_CLANG);
}

static void check_missing_header(enum compiler compiler)
{
    struct arena arena = {0};
    struct compile_result result;
    struct error error;
    need(compiler);
    const char *source = "\n\n#include \"not_there.h\"\n__global__ void k() {}\n";
    assert_false(compile_text(&arena, "k.cu", source, compiler, &result, &error));
    assert_string_equal(error.file, "k.cu");
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "not_there.h"));
    arena_free(&arena);
}

static void nvrtc_names_a_missing_header(void **state)
{
    (void)state;
    check_missing_header(COMPILER_NVRTC);
}

static void clang_names_a_missing_header(void **state)
{
    (void)state;
    check_missing_header(COMPILER_CLANG);
}

static void check_warning(enum compiler compiler)
{
    struct arena arena = {0};
    struct compile_result result;
    struct error error;
    need(compiler);
    const char *source = "#warning mind the gap\nextern \"C\" __global__ void k(int *a) { *a = 1; }\n";
    assert_true(compile_text(&arena, "k.cu", source, compiler, &result, &error));
    assert_non_null(strstr(result.log, "mind the gap"));
    assert_non_null(strstr(result.ptx, ".entry k("));
    arena_free(&arena);
}

static void nvrtc_warnings_are_kept_in_the_log(void **state)
{
    (void)state;
    check_warning(COMPILER_NVRTC);
}

static void clang_warnings_are_kept_in_the_log(void **state)
{
    (void)state;
    check_warning(COMPILER_CLANG);
}

static void a_missing_file_is_a_cause_with_its_name(void **state)
{
    (void)state;
    struct error error;
    struct log_cause cause;
    assert_true(log_first_error("k.cu", "", "k.cu:1:10: fatal error: 'cub/cub.cuh' file not found\n", &cause, &error));
    assert_int_equal(cause.kind, LOG_NO_FILE);
    assert_string_equal(cause.name, "cub/cub.cuh");
    assert_true(
        log_first_error("k.cu", "", "k.cu(1): catastrophic error: cannot open source file \"a.h\"\n", &cause, &error));
    assert_int_equal(cause.kind, LOG_NO_FILE);
    assert_string_equal(cause.name, "a.h");
    assert_true(log_first_error("k.cu", "", "k.cu:1:1: error: no member named 'cub/x'\n", &cause, &error));
    assert_int_equal(cause.kind, LOG_OTHER);
    assert_string_equal(cause.name, "");
}

static void an_undefined_function_is_a_cause_without_a_place(void **state)
{
    (void)state;
    struct error error;
    struct log_cause cause;
    assert_false(log_first_error("k.cu", "", "ld: k.o: undefined reference to `work(int)'\n", &cause, &error));
    assert_int_equal(cause.kind, LOG_NO_DEFINITION);
    assert_string_equal(cause.name, "work(int)");
}

static void logs_are_read_without_a_compiler(void **state)
{
    (void)state;
    struct error error;
    static const char path[] = "x/k.cu", text[] = "one\n  two three\n";
    struct log_cause cause;
    const char *numbered = "k.cu(1): warning #177-D: variable was never used\n  one\n  ^\n\n"
                           "k.cu(2): error #20-D: identifier \"three\" is undefined\n    two three\n        ^\n\n";
    assert_true(log_first_error(path, text, numbered, &cause, &error));
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 7);
    assert_string_equal(error.message, "identifier \"three\" is undefined");
    assert_string_equal(error.file, "x/k.cu");
    assert_true(log_first_error(path, text, "other.h:12:3: fatal error: stop\n", &cause, &error));
    assert_string_equal(error.file, "other.h");
    assert_int_equal(error.line, 12);
    assert_int_equal(error.column, 3);
    assert_true(log_first_error(path, text, "k.cu(1): catastrophic error: no caret follows\n", &cause, &error));
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 0);
    assert_false(log_first_error(path, text, "k.cu:1:1: warning: an error: message in a string\nclang: error: x\n",
                                 &cause, &error));
    assert_false(log_first_error(path, text, "", &cause, &error));
    assert_int_equal(cause.kind, LOG_OTHER);
    assert_false(log_first_error(path, text, ": error: ", &cause, &error));
    assert_false(log_first_error(path, text, "): error: \n(: error:", &cause, &error));
}

static void without_clang_the_error_names_the_package(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_result result;
    struct error error;
    const char *path = getenv("PATH");
    char *kept = path ? strdup(path) : NULL;
    setenv("PATH", "/nonexistent", 1);
    bool const compiled = compile_text(&arena, "k.cu", "__global__ void k() {}", COMPILER_CLANG, &result, &error);
    if (kept)
        setenv("PATH", kept, 1);
    free(kept);
    assert_false(compiled);
    assert_int_equal(error.kind, ERROR_MISSING);
    assert_non_null(strstr(error.message, "apt install clang"));
    arena_free(&arena);
}

static void without_a_compiler_the_error_names_the_packages(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_result result;
    struct error error;
    struct compiler_status nvrtc;
    nvrtc_find(&nvrtc);
    if (nvrtc.present) {
        print_message("skipped: NVRTC is on this machine\n");
        skip();
    }
    const char *path = getenv("PATH");
    char *kept = path ? strdup(path) : NULL;
    setenv("PATH", "/nonexistent", 1);
    bool const compiled = compile_text(&arena, "k.cu", "__global__ void k() {}", COMPILER_ANY, &result, &error);
    if (kept)
        setenv("PATH", kept, 1);
    free(kept);
    assert_false(compiled);
    assert_int_equal(error.kind, ERROR_MISSING);
    assert_non_null(strstr(error.remedy, "apt install clang"));
    arena_free(&arena);
}

static void an_unreadable_file_is_an_input_error(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_result result;
    struct error error;
    assert_false(compile_text(&arena, "/nonexistent/k.cu", NULL, COMPILER_ANY, &result, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_string_equal(error.file, "/nonexistent/k.cu");
    arena_free(&arena);
}

static void clang_leaves_no_temporary_files(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_result result;
    struct error error;
    char folder[] = "/tmp/lanescope-test-XXXXXX";
    char **names = NULL;
    need(COMPILER_CLANG);
    assert_non_null(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
    compile_text(&arena, "k.cu", "__global__ void k(int *a) { *a = 1; }", COMPILER_CLANG, &result, &error);
    compile_text(&arena, "wrong.cu", wrong_source, COMPILER_CLANG, &result, &error);
    unsetenv("TMPDIR");
    assert_int_equal(folder_list(&arena, folder, &names), 0);
    rmdir(folder);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvrtc_error_has_file_line_column_and_text),
        cmocka_unit_test(clang_error_has_file_line_column_and_text),
        cmocka_unit_test(nvrtc_names_a_missing_header),
        cmocka_unit_test(clang_names_a_missing_header),
        cmocka_unit_test(nvrtc_warnings_are_kept_in_the_log),
        cmocka_unit_test(clang_warnings_are_kept_in_the_log),
        cmocka_unit_test(logs_are_read_without_a_compiler),
        cmocka_unit_test(a_missing_file_is_a_cause_with_its_name),
        cmocka_unit_test(an_undefined_function_is_a_cause_without_a_place),
        cmocka_unit_test(without_clang_the_error_names_the_package),
        cmocka_unit_test(without_a_compiler_the_error_names_the_packages),
        cmocka_unit_test(an_unreadable_file_is_an_input_error),
        cmocka_unit_test(clang_leaves_no_temporary_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
