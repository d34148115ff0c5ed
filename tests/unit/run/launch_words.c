/* The comment in a source that gives a kernel's launch: the choice among several, the precedence of the command line,
 * the place of a wrong word, and comments without end. */
#include "run/launch_words.h"
#include "run/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#include "sanitized.h"

enum { LINES = SANITIZED ? 5000 : 100000 }; /* a sanitizer reads the whole text in each search in it */

static char path[] = "/tmp/lanescope-launch-XXXXXX";

/* Returns the request that results from the comments of this source. */
static bool read_source(struct arena *arena, const char *source, struct run_file_request *request, bool *found,
                        struct error *error)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(source, file);
    assert_int_equal(fclose(file), 0);
    request->path = path;
    return launch_comment(arena, request, found, error);
}

static void the_comment_of_the_named_kernel_counts_else_the_first(void **state)
{
    (void)state;
    static const char source[] =
        "// lanescope: --kernel a --grid 2,3\n// lanescope: --kernel=b --grid=5 --block 0x40\n";
    struct arena arena = {0};
    struct run_file_request any = {0}, second = {.kernel = "b"}, other = {.kernel = "c"};
    struct error error;
    bool found;
    assert_true(read_source(&arena, source, &any, &found, &error) && found);
    assert_string_equal(any.kernel, "a");
    assert_int_equal(any.grid[1], 3);
    assert_int_equal(any.block[0], 0);
    assert_true(read_source(&arena, source, &second, &found, &error) && found);
    assert_int_equal(second.grid[0], 5);
    assert_int_equal(second.block[0], 64);
    assert_true(read_source(&arena, source, &other, &found, &error));
    assert_false(found);
    assert_int_equal(other.grid[0], 0);
    arena_free(&arena);
}

/* The window shows a launch as a shell takes it. */
static void quotes_are_those_of_a_shell(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct run_file_request request = {0};
    struct error error;
    bool found;
    assert_true(read_source(&arena,
                            "// lanescope: --grid '2' --arg 'f32[4]=iota' --arg=\"i32=7\" -D 'A=1 + 1' --block 3'2'\n"
                            "int x = '\"';\n",
                            &request, &found, &error));
    assert_int_equal(request.grid[0], 2);
    assert_int_equal(request.block[0], 32);
    assert_int_equal(request.argument_count, 2);
    assert_string_equal(request.arguments[0], "f32[4]=iota");
    assert_string_equal(request.arguments[1], "i32=7");
    assert_string_equal(request.defines[0].value, "1 + 1");
    arena_free(&arena);
}

static void the_command_line_overrides_the_comment(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32=7"};
    static const struct compile_define define = {"N", "8"};
    struct arena arena = {0};
    struct run_file_request request = {.block = {96, 1, 1},
                                       .shared_said = true,
                                       .arguments = arguments,
                                       .argument_count = 1,
                                       .defines = &define,
                                       .define_count = 1};
    struct error error;
    bool found;
    assert_true(read_source(
        &arena, "int a;\t// lanescope: --block 32 --grid 2 --shared 64 --arg i32=1 --arg i32=2 -DN=1 -D M\n", &request,
        &found, &error));
    assert_true(found);
    assert_int_equal(request.block[0], 96);
    assert_int_equal(request.grid[0], 2);
    assert_int_equal(request.shared_bytes, 0);
    assert_int_equal(request.argument_count, 1);
    assert_int_equal(request.define_count, 2);
    assert_string_equal(request.defines[0].value, "8");
    assert_string_equal(request.defines[1].name, "M");
    arena_free(&arena);
}

static void a_wrong_word_is_reported_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int line, column;
        const char *message;
    } wrong[] = {{"\n// lanescope: --gird 3", 2, 15, "'--gird' is not a launch option"},
                 {"// lanescope: 3", 1, 15, "'3' is not an option"},
                 {"// lanescope: --grid 4 --block\n64", 1, 24, "'--block' needs a value"},
                 {"\n\n // lanescope: --grid 0", 3, 16, "--grid takes"},
                 {"// lanescope: --grid=1,1,1,1", 1, 15, "--grid takes"},
                 {"// lanescope: --budget -1", 1, 15, "--budget takes"},
                 {"// lanescope: --budget 10000000001", 1, 15, "on the command line"},
                 {"// lanescope: -D =1", 1, 15, "--define takes"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct arena arena = {0};
        struct run_file_request request = {0};
        struct error error = {0};
        bool found;
        assert_false(read_source(&arena, wrong[i].source, &request, &found, &error));
        assert_string_equal(error.file, path);
        assert_int_equal(error.line, wrong[i].line);
        assert_int_equal(error.column, wrong[i].column);
        assert_non_null(strstr(error.message, wrong[i].message));
        arena_free(&arena);
    }
}

/* Returns the words this many times, after one marker or each after its own. */
static char *repeated(const char *start, const char *words, size_t times)
{
    size_t const first = strlen(start), length = strlen(words);
    char *text = malloc(first + times * length + 1);
    assert_non_null(text);
    memcpy(text, start, first + 1);
    for (size_t i = 0; i < times; i++)
        memcpy(text + first + i * length, words, length + 1);
    return text;
}

/* Memory and time stay bounded, because a click opens a file. */
static void comments_without_end_are_read_or_refused_at_once(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error;
    bool found;
    char *const lines = repeated("", "// lanescope: --grid 4 --block 32\n", LINES);
    struct run_file_request request = {0};
    alarm(20);
    assert_true(read_source(&arena, lines, &request, &found, &error) && found);
    free(lines);
    static const char *const lists[] = {"--arg i32=1 ", "-DA=1 "};
    for (size_t i = 0; i < 2; i++) {
        char *const words = repeated("// lanescope: ", lists[i], 40000);
        struct run_file_request listed = {0};
        assert_false(read_source(&arena, words, &listed, &found, &error));
        assert_non_null(strstr(error.message, "1000 times at most"));
        free(words);
    }
    alarm(0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_comment_of_the_named_kernel_counts_else_the_first),
        cmocka_unit_test(quotes_are_those_of_a_shell),
        cmocka_unit_test(the_command_line_overrides_the_comment),
        cmocka_unit_test(a_wrong_word_is_reported_at_its_place),
        cmocka_unit_test(comments_without_end_are_read_or_refused_at_once),
    };
    int const file = mkstemp(path);
    if (file < 0 || close(file) != 0)
        return 1;
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
