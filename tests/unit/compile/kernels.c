/* A course's kernels (tests/kernels, kernels) through each compiler on this machine, into PTX that our parser
 * accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/backend.h"
#include "ptx/parse.h"
#include "sanitized.h"
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true for functions that the driver provides. Any other .extern is a function that the prelude lacks. */
static bool is_known_extern(const char *line, size_t length)
{
    static const char *const known[] = {"vprintf", "__assertfail", "malloc", "free"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (memmem(line, length, known[i], strlen(known[i])))
            return true;
    return false;
}

static void need_clang(void)
{
    struct compiler_status status;
    clang_find(&status);
    if (status.present)
        return;
    print_message("skipped: %s\n", status.why);
    skip();
}

/* A kernel that includes a header of the CUDA Toolkit, or ours in its place: it has functions of several files. */
static const char with_headers[] = "fragments_wmma.cu";

static void check_ptx(struct arena *arena, const struct unit *unit, const struct compile_result *result)
{
    struct error error = {0};
    struct ptx_module *module = NULL;
    char text[1024];
    if (!ptx_parse(arena, unit->name, result->ptx, result->ptx_size, &module, &error))
        fail_msg("%s from %s: %s", unit->name, result->compiler_name, error_line(&error, text, sizeof text));
    for (const char *at = strstr(result->ptx, ".extern .func"); at; at = strstr(at + 1, ".extern .func")) {
        size_t const length = strcspn(at, "\n");
        if (!is_known_extern(at, length))
            fail_msg("%s from %s calls an unknown function: %.*s", unit->name, result->compiler_name, (int)length, at);
    }
    /* Instructions of the prelude belong to the line of the caller, so the PTX has one file. */
    const char *file = strstr(result->ptx, "\t.file");
    assert_non_null(file);
    assert_true(strcmp(unit->name, with_headers) == 0 || !strstr(file + 1, "\t.file"));
    assert_non_null(memmem(file, strcspn(file, "\n"), unit->name, strlen(unit->name)));
}

/* Kernels with their program's main() in the same file, which only clang accepts. */
static const char with_main[] = "with_main.cu";

static size_t check_folder(enum compiler compiler, const char *folder)
{
    struct arena arena = {0};
    char **names = NULL;
    size_t const count = folder_list(&arena, folder, &names);
    for (size_t i = 0; i < count; i += SANITIZED ? 4 : 1) { /* what a compiler writes differs little */
        if (compiler == COMPILER_NVRTC && strcmp(names[i], with_main) == 0)
            continue;
        struct compile_request const request = {
            .path = arena_format(&arena, "%s/%s", folder, names[i]), .compiler = compiler, .no_cache = true};
        struct unit unit;
        struct compile_result result;
        struct error error = {0};
        char text[1024];
        assert_true(unit_prepare(&arena, &request, &unit, &error));
        if (!compile_cuda(&arena, &request, &result, &error))
            fail_msg("%s", error_line(&error, text, sizeof text));
        check_ptx(&arena, &unit, &result);
    }
    arena_free(&arena);
    return count;
}

static void check_compiler(enum compiler compiler)
{
    struct compiler_status status[2];
    compile_status(status, NULL);
    if (!status[compiler == COMPILER_CLANG].present) {
        print_message("skipped: %s\n", status[compiler == COMPILER_CLANG].why);
        skip();
    }
    struct arena arena = {0};
    assert_true(check_folder(compiler, data_path(&arena, "kernels")) > 0);
    assert_true(check_folder(compiler, LANESCOPE_SOURCE_FOLDER "/tests/kernels") > 0);
    arena_free(&arena);
}

static void nvrtc_compiles_a_course(void **state)
{
    (void)state;
    check_compiler(COMPILER_NVRTC);
}

static void clang_compiles_a_course(void **state)
{
    (void)state;
    check_compiler(COMPILER_CLANG);
}

/* A shared load in an if and a global load in its else stay two loads. */
static void clang_keeps_loads_of_two_memories_apart(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_request const request = {
        .path = data_path(&arena, "kernels/adjdiff.cu"), .compiler = COMPILER_CLANG, .no_cache = true};
    struct compile_result result;
    struct error error = {0};
    need_clang();
    assert_true(compile_cuda(&arena, &request, &result, &error));
    assert_non_null(strstr(result.ptx, "ld.shared.f32"));
    assert_null(strstr(result.ptx, "ld.f32"));
    arena_free(&arena);
}

/* An access of a 16-byte element is one access of 16 bytes, as with NVRTC. */
static void clang_keeps_wide_elements_whole(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_define const element = {"ELEMENT", "double2"};
    struct compile_request const request = {.path = data_path(&arena, "kernels/banks.cu"),
                                            .defines = &element,
                                            .define_count = 1,
                                            .compiler = COMPILER_CLANG,
                                            .no_cache = true};
    struct compile_result result;
    struct error error = {0};
    need_clang();
    assert_true(compile_cuda(&arena, &request, &result, &error));
    assert_non_null(strstr(result.ptx, "ld.shared.v2.f64"));
    assert_non_null(strstr(result.ptx, "st.shared.v2.f64"));
    assert_null(strstr(result.ptx, "shared.u64"));
    assert_null(strstr(result.ptx, "shared.f64"));
    arena_free(&arena);
}

static void a_file_with_a_main_function_goes_to_clang(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_request const request = {.path = LANESCOPE_SOURCE_FOLDER "/tests/kernels/with_main.cu",
                                            .no_cache = true};
    struct compile_result result;
    struct error error = {0};
    need_clang();
    assert_true(compile_cuda(&arena, &request, &result, &error));
    assert_int_equal(result.compiler, COMPILER_CLANG);
    assert_non_null(strstr(result.ptx, "scale"));
    assert_null(strstr(result.ptx, "main("));
    arena_free(&arena);
}

/* An old clang takes them as inline PTX, in a module for a target that has none. */
static void a_module_with_registers_of_128_bits_is_for_a_target_that_has_them(void **state)
{
    static const char old[] = ".version 7.1\n.target sm_86\n", new[] = ".version 9.0\n.target sm_100\n";
    static const char wide[] = "{.reg .b128 q;}\n";
    struct arena arena = {0};
    (void)state;
    assert_string_equal(ptx_with_plain_files(&arena, old), old);
    assert_string_equal(ptx_with_plain_files(&arena, arena_format(&arena, "%s%s", old, wide)),
                        ".version 8.4\n.target sm_90\n{.reg .b128 q;}\n");
    const char *whole = arena_format(&arena, "%s%s", new, wide);
    assert_string_equal(ptx_with_plain_files(&arena, whole), whole);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvrtc_compiles_a_course),
        cmocka_unit_test(clang_compiles_a_course),
        cmocka_unit_test(clang_keeps_loads_of_two_memories_apart),
        cmocka_unit_test(clang_keeps_wide_elements_whole),
        cmocka_unit_test(a_file_with_a_main_function_goes_to_clang),
        cmocka_unit_test(a_module_with_registers_of_128_bits_is_for_a_target_that_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
