/* The golden heads of kernels in tests/source/heads: each file has the PTX name and sizes of the parameters in a
 * comment of its first line, the text, and behind a line "---" what is to be read: "name: type, PTX type, bytes", or
 * "not known". */
#include "base/file.h"
#include "source/kernel.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Reads "// _Z1kPfi 8 4" into a function. */
static struct ptx_function kernel_in(struct arena *arena, char *line)
{
    char *rest = NULL;
    struct ptx_variable *parameters = arena_array(arena, struct ptx_variable, 32);
    struct ptx_function kernel = {.name = strtok_r(line + 3, " ", &rest), .parameters = parameters, .is_kernel = true};
    for (const char *size; kernel.parameter_count < 32 && (size = strtok_r(NULL, " ", &rest));)
        parameters[kernel.parameter_count++].size = (size_t)atoi(size);
    return kernel;
}

static const char *said(struct arena *arena, const struct ptx_function *kernel, const struct source_parameter *read)
{
    const char *all = "";
    for (uint32_t i = 0; read && i < kernel->parameter_count; i++)
        all = arena_format(
            arena, "%s%s: %s, %s%s, %llu\n", all, read[i].name, read[i].words, read[i].pointer ? "pointer to " : "",
            read[i].type ? ptx_type_name(read[i].type) : "another type", (unsigned long long)read[i].bytes);
    return read ? all : "not known\n";
}

static void heads_of_every_layout_are_read_right_or_not_at_all(void **state)
{
    (void)state;
    struct arena arena = {0};
    char **names = NULL;
    size_t const count = folder_list(&arena, "source/heads", &names);
    unsigned failed = 0;
    assert_true(count > 30);
    for (size_t i = 0; i < count; i++) {
        char *text;
        struct error error;
        if (!file_read(&arena, arena_format(&arena, "source/heads/%s", names[i]), &text, NULL, &error))
            fail_msg("%s", error.message);
        char *golden = strstr(text, "---\n"), *first = strchr(text, '\n');
        assert_true(golden && first && strncmp(text, "// ", 3) == 0);
        *golden = *first = '\0';
        struct ptx_function const kernel = kernel_in(&arena, text);
        const char *is = said(&arena, &kernel, source_parameters(&arena, first + 1, &kernel));
        if (strcmp(is, golden + 4) != 0) {
            print_error("%s: read as\n%s", names[i], is);
            failed++;
        }
    }
    arena_free(&arena);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(heads_of_every_layout_are_read_right_or_not_at_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
