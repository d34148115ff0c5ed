/* assets/ptx matches kernels/ and assets/samples/, so that a machine without a compiler runs exactly the code that it
 * shows. */
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

#define SHIPPED_FORMAT "// lanescope shipped PTX 1\n" /* the first line of the header */

struct header_reading {
    const char *source, *digest;
    struct compile_define defines[32];
    size_t define_count;
};

static bool read_header(struct arena *arena, char *text, struct header_reading *header)
{
    if (strncmp(text, SHIPPED_FORMAT, strlen(SHIPPED_FORMAT)) != 0)
        return false;
    for (char *line = text + strlen(SHIPPED_FORMAT); strncmp(line, "// ", 3) == 0;) {
        size_t const length = strcspn(line, "\n");
        char *copy = arena_text_n(arena, line + 3, length > 3 ? length - 3 : 0);
        char *value = strchr(copy, ' ');
        line += length + (line[length] == '\n');
        if (!value)
            continue;
        *value++ = '\0';
        char *second = strchr(value, strcmp(copy, "define") == 0 ? '=' : ' ');
        if (second)
            *second++ = '\0';
        if (strcmp(copy, "source") == 0) {
            header->source = value;
            header->digest = second;
        } else if (strcmp(copy, "define") == 0 && header->define_count < 32) {
            header->defines[header->define_count++] = (struct compile_define){value, second};
        }
    }
    return header->source && header->digest && !strchr(header->source, '/');
}

/* Returns true when a file of shipped PTX was made from the present contents of `sources` (a folder such as kernels/).
 * Otherwise reason says why not. */
static bool shipped_file_fresh(struct arena *arena, const char *path, const char *sources, const char **reason)
{
    struct header_reading header = {0};
    char *text = NULL, *source = NULL;
    if (!file_read(arena, path, &text, NULL, NULL) || !read_header(arena, text, &header)) {
        *reason = "it has no header of ours";
        return false;
    }
    const char *source_path = arena_format(arena, "%s/%s", sources, header.source);
    if (!file_read(arena, source_path, &source, NULL, NULL)) {
        *reason = arena_format(arena, "%s is no more", header.source);
        return false;
    }
    struct unit const unit = {.path = source_path,
                              .name = header.source,
                              .text = source,
                              .defines = header.defines,
                              .define_count = header.define_count,
                              .target = unit_least_target(source)};
    struct compile_result result;
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? arena_text_n(arena, path, (size_t)(slash - path)) : ".";
    if (strcmp(shipped_path(arena, &unit, folder), path) != 0 || !shipped_read(arena, &unit, folder, &result)) {
        *reason = arena_format(arena, "%s has changed since", header.source);
        return false;
    }
    return true;
}

static void every_shipped_file_is_fresh(void **state)
{
    (void)state;
    struct arena arena = {0};
    char **names = NULL;
    size_t const count = folder_list(&arena, data_path(&arena, "assets/ptx"), &names);
    int stale = 0;
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        const char *reason = "";
        const char *path = data_path(&arena, "assets/ptx/%s", names[i]);
        if (!shipped_file_fresh(&arena, path, data_path(&arena, "assets/samples"), &reason) &&
            !shipped_file_fresh(&arena, path, data_path(&arena, "kernels"), &reason)) {
            print_error("assets/ptx/%s is stale: %s; build the target ptx-assets\n", names[i], reason);
            ++stale;
        }
    }
    assert_int_equal(stale, 0);
    arena_free(&arena);
}

static void each_has_shipped_ptx(const char *folder)
{
    struct arena arena = {0};
    char **kernels = NULL, **shipped = NULL;
    size_t const kernel_count = folder_list(&arena, data_path(&arena, "%s", folder), &kernels);
    size_t const shipped_count = folder_list(&arena, data_path(&arena, "assets/ptx"), &shipped);
    assert_true(kernel_count > 0);
    for (size_t k = 0; k < kernel_count; k++) {
        size_t const stem = strcspn(kernels[k], ".") + 1, length = strlen(kernels[k]);
        bool found = length < 3 || strcmp(kernels[k] + length - 3, ".cu") != 0;
        for (size_t s = 0; s < shipped_count && !found; s++)
            found = strncmp(shipped[s], kernels[k], stem) == 0;
        if (!found)
            fail_msg("%s/%s has no PTX in assets/ptx; build the target ptx-assets", folder, kernels[k]);
    }
    arena_free(&arena);
}

static void every_kernel_file_has_shipped_ptx(void **state)
{
    (void)state;
    each_has_shipped_ptx("kernels");
    each_has_shipped_ptx("assets/samples");
}

static void shipped_ptx_names_no_folder_of_the_machine_that_made_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    char **names = NULL;
    size_t const count = folder_list(&arena, data_path(&arena, "assets/ptx"), &names);
    for (size_t i = 0; i < count; i++) {
        char *ptx = NULL;
        assert_true(file_read(&arena, data_path(&arena, "assets/ptx/%s", names[i]), &ptx, NULL, NULL));
        const char *file = strstr(ptx, ".file");
        assert_non_null(file);
        for (; file; file = strstr(file + 1, ".file"))
            assert_null(memchr(file, '/', strcspn(file, "\n")));
    }
    arena_free(&arena);
}

static void a_kernel_with_fresh_ptx_needs_no_compiler(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_define element = {"ELEMENT", "double"};
    struct compile_request const request = {
        .path = data_path(&arena, "kernels/banks.cu"), .defines = &element, .define_count = 1};
    struct compile_result result;
    struct error error = {0};
    assert_true(compile_cuda(&arena, &request, &result, &error));
    assert_int_equal(result.compiler, COMPILER_SHIPPED);
    assert_non_null(strstr(result.compiler_name, "shipped ("));
    assert_non_null(strstr(result.ptx, ".entry banks_load("));
    assert_non_null(strstr(result.ptx, "ld.shared.f64"));
    arena_free(&arena);
}

static void defines_without_shipped_ptx_are_an_error(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_define element = {"ELEMENT", "short"};
    struct compile_request const request = {.path = data_path(&arena, "kernels/banks.cu"),
                                            .defines = &element,
                                            .define_count = 1,
                                            .compiler = COMPILER_SHIPPED};
    struct compile_result result;
    struct error error = {0};
    assert_false(compile_cuda(&arena, &request, &result, &error));
    assert_int_equal(error.kind, ERROR_MISSING);
    assert_non_null(strstr(error.remedy, "apt install clang"));
    arena_free(&arena);
}

static void write_text(const char *path, const char *text)
{
    assert_true(file_write(path, text, strlen(text), NULL));
}

static void an_edited_kernel_makes_its_shipped_ptx_stale(void **state)
{
    (void)state;
    struct arena arena = {0};
    char folder[] = "/tmp/lanescope-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *source = arena_format(&arena, "%s/k.cu", folder), *shipped = arena_format(&arena, "%s/ptx", folder);
    const char *reason = "";
    struct compile_define const step = {"STEP", "2"};
    struct compile_request const request = {.path = source, .defines = &step, .define_count = 1};
    struct compile_result const made = {.ptx = ".version 9.0\n", .compiler_name = "NVRTC 0.0", .log = ""};
    struct compile_result read;
    struct unit unit;
    write_text(source, "__global__ void k() {}\n");
    assert_true(unit_prepare(&arena, &request, &unit, NULL));
    const char *path = shipped_path(&arena, &unit, shipped);
    assert_false(shipped_read(&arena, &unit, shipped, &read));
    assert_true(shipped_write(&arena, &unit, shipped, &made, NULL));
    assert_true(shipped_read(&arena, &unit, shipped, &read));
    assert_string_equal(read.compiler_name, "shipped (NVRTC 0.0)");
    assert_true(shipped_file_fresh(&arena, path, folder, &reason));

    write_text(source, "__global__ void k() { }\n");
    assert_false(shipped_file_fresh(&arena, path, folder, &reason));
    assert_string_equal(reason, "k.cu has changed since");
    assert_true(unit_prepare(&arena, &request, &unit, NULL));
    assert_false(shipped_read(&arena, &unit, shipped, &read));
    assert_true(shipped_write(&arena, &unit, shipped, &made, NULL)); /* replaces the old one */
    assert_false(file_exists(path));
    path = shipped_path(&arena, &unit, shipped);
    assert_true(shipped_file_fresh(&arena, path, folder, &reason));

    unlink(source);
    assert_false(shipped_file_fresh(&arena, path, folder, &reason));
    write_text(path, ".version 9.0\n");
    assert_false(shipped_file_fresh(&arena, path, folder, &reason));
    unlink(path);
    rmdir(shipped);
    rmdir(folder);
    arena_free(&arena);
}

/* Where the same version of NVRTC is present, its output equals the shipped files. */
static void shipped_ptx_is_what_its_compiler_writes(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct compile_request request = {.path = data_path(&arena, "kernels/adjdiff.cu")};
    struct compile_result shipped, fresh;
    struct error error = {0};
    assert_true(compile_cuda(&arena, &request, &shipped, &error));
    request.compiler = COMPILER_NVRTC;
    request.no_cache = true;
    bool const compiled = compile_cuda(&arena, &request, &fresh, &error);
    if (!compiled || !strstr(shipped.compiler_name, fresh.compiler_name)) {
        print_message("skipped: not the NVRTC of %s\n", shipped.compiler_name);
        arena_free(&arena);
        skip();
    }
    const char *text = strstr(shipped.ptx, fresh.ptx);
    assert_non_null(text);
    assert_string_equal(text, fresh.ptx);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_file_is_fresh),
        cmocka_unit_test(every_kernel_file_has_shipped_ptx),
        cmocka_unit_test(shipped_ptx_names_no_folder_of_the_machine_that_made_it),
        cmocka_unit_test(a_kernel_with_fresh_ptx_needs_no_compiler),
        cmocka_unit_test(defines_without_shipped_ptx_are_an_error),
        cmocka_unit_test(an_edited_kernel_makes_its_shipped_ptx_stale),
        cmocka_unit_test(shipped_ptx_is_what_its_compiler_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
