/* docs/programs.md shows the table of calls.def and docs/hosts.md that of driver.def, and liblanescope_cudart.so
 * exports every function in them, and nothing else of Lanescope's. */
#include "base/file.h"
#include "program/program.h"
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#define PLACE "<!-- call table: LANESCOPE_UPDATE=1 and the test cudart_table write it -->\n"

struct row {
    const char *name, *support, *note;
};
static const struct row calls[] = {
#define CALL(name, parameters, support, note) {#name, #support, note},
#define MISSING(name, note) {#name, "no", note},
#include "cudart/calls/calls.def"
};
static const struct row driver_calls[] = {
#define DRIVER(name, parameters, support, note) {#name, #support, note},
#define REFUSED(name, note) {#name, "no", note},
#include "cudart/driver/driver.def"
};
enum { COUNT = sizeof calls / sizeof *calls, DRIVER_COUNT = sizeof driver_calls / sizeof *driver_calls };

static void look_at(const char *path, const struct row *rows, size_t count)
{
    struct arena arena = {0};
    char *text;
    const char *table = "\n| function | supported | notes |\n|---|---|---|\n";
    for (size_t i = 0; i < count; i++)
        table = arena_format(&arena, "%s| `%s` | %s | %s |\n", table, rows[i].name, rows[i].support, rows[i].note);
    assert_true(file_read(&arena, path, &text, NULL, NULL));
    char *place = strstr(text, PLACE);
    assert_non_null(place);
    if (getenv("LANESCOPE_UPDATE")) {
        const char *whole = arena_format(&arena, "%.*s%s", (int)(place - text + (long)strlen(PLACE)), text, table);
        assert_true(file_write(path, whole, strlen(whole), NULL));
    } else {
        assert_string_equal(place + strlen(PLACE), table);
    }
    arena_free(&arena);
}

static void the_documents_list_the_calls(void **state)
{
    (void)state;
    look_at("../docs/programs.md", calls, COUNT);
    look_at("../docs/hosts.md", driver_calls, DRIVER_COUNT);
}

static void the_library_has_the_calls(void **state)
{
    struct arena arena = {0};
    (void)state;
#ifndef LANESCOPE_SANITIZED /* there only a program that holds the sanitizers can load the library */
    const char *folder = program_library_folder(&arena);
    assert_non_null(folder);
    void *library = dlopen(arena_format(&arena, "%s/liblanescope_cudart.so", folder), RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    for (size_t i = 0; i < COUNT; i++)
        if (!dlsym(library, calls[i].name))
            fail_msg("the library does not export %s", calls[i].name);
    for (size_t i = 0; i < DRIVER_COUNT; i++)
        if (!dlsym(library, driver_calls[i].name))
            fail_msg("the library does not export %s", driver_calls[i].name);
    assert_null(dlsym(library, "emulator_run"));
    dlclose(library);
#endif
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documents_list_the_calls),
        cmocka_unit_test(the_library_has_the_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
