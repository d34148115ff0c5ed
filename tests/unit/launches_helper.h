/* The launches that several tests run in more than one way and compare: the launch lists, and the correct cases of
 * tests/faults. */
#ifndef LANESCOPE_TESTS_LAUNCHES_HELPER_H
#define LANESCOPE_TESTS_LAUNCHES_HELPER_H
#include "base/file.h"
#include "run/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

enum { LAUNCH_WORDS_MOST = 24 };

/* Called with each launch and its name in tests/compare/known.txt. */
typedef void launch_taker(void *context, const char *name, const struct run_file_request *request);

static inline void launches_read_shape(const char *text, uint32_t shape[3])
{
    shape[0] = shape[1] = shape[2] = 1;
    assert_true(sscanf(text, "%u,%u,%u", &shape[0], &shape[1], &shape[2]) >= 1);
}

/* Takes one line: FILE[:NAME=VALUE] KERNEL GRID BLOCK SHARED ARGUMENT... */
static inline void launches_take_line(const char *launch, const char *folder, launch_taker *take, void *context)
{
    struct arena arena = {0};
    const char *words[LAUNCH_WORDS_MOST] = {"", "", "", "", ""};
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(arena_text(&arena, launch), " ", &rest); word && strcmp(word, ":") != 0;
         word = strtok_r(NULL, " ", &rest)) {
        assert_true(count < LAUNCH_WORDS_MOST);
        words[count++] = word;
    }
    assert_true(count >= 5);
    char *file = arena_text(&arena, words[0]), *colon = strchr(file, ':'), *equals = strchr(file, '=');
    struct compile_define define = {NULL, NULL};
    if (colon && equals) {
        *colon = *equals = '\0';
        define = (struct compile_define){.name = colon + 1, .value = equals + 1};
    }
    bool const shipped = !folder && strstr(file, ".cu");
    const char *path = folder              ? arena_format(&arena, "%s%s", folder, file)
                       : shipped           ? data_path(&arena, "kernels/%s", file)
                       : strchr(file, '/') ? arena_format(&arena, "%s.ptx", file)
                                           : arena_format(&arena, "silicon/ptx/%s.ptx", file);
    struct run_file_request request = {.path = path,
                                       .kernel = words[1],
                                       .shared_bytes = (uint32_t)strtoul(words[4], NULL, 10),
                                       .defines = &define,
                                       .define_count = define.name != NULL,
                                       .arguments = words + 5,
                                       .argument_count = count - 5};
    launches_read_shape(words[2], request.grid);
    launches_read_shape(words[3], request.block);
    take(context, launch, &request);
    arena_free(&arena);
}

/* Takes each line of a list that begins with `start`. */
static inline void launches_of_list(const char *list, const char *start, const char *folder, launch_taker *take,
                                    void *context)
{
    struct arena arena = {0};
    char *text = arena_text(&arena, ""), *rest = NULL;
    struct error error = {0};
    assert_true(file_read(&arena, list, &text, NULL, &error));
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *end = strstr(line, " : ");
        if (line[0] == '#' || strncmp(line, start, strlen(start)) != 0)
            continue;
        if (end)
            *end = '\0';
        launches_take_line(line + strlen(start), folder, take, context);
    }
    arena_free(&arena);
}

/* Takes the launches of tests/kernels and tests/emulator, then those with known counters. */
static inline void launches_of_tests(launch_taker *take, void *context)
{
    launches_of_list("compare/launches.txt", "", "", take, context);
}

static inline void launches_of_silicon(launch_taker *take, void *context)
{
    launches_of_list("silicon/kernels.txt", "run ", NULL, take, context);
}

/* Returns the launch of a case of tests/faults, in the arena: the words after "launch:", as in `lanescope run`. */
static inline struct run_file_request launch_of_case(struct arena *arena, const char *name)
{
    char *text = arena_text(arena, ""), *rest = NULL;
    struct error error = {0};
    const char **arguments = arena_array(arena, const char *, LAUNCH_WORDS_MOST);
    struct run_file_request request = {.path = arena_format(arena, "faults/%s.ptx", name),
                                       .arguments = arguments,
                                       .grid = {1, 1, 1},
                                       .block = {1, 1, 1}};
    assert_true(file_read(arena, arena_format(arena, "faults/%s.txt", name), &text, NULL, &error));
    char *launch = strstr(text, "launch:");
    assert_non_null(launch);
    launch[strcspn(launch, "\n")] = '\0';
    for (char *word = strtok_r(launch + 7, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const char *value = strtok_r(NULL, " ", &rest);
        assert_non_null(value);
        if (strcmp(word, "--grid") == 0)
            launches_read_shape(value, request.grid);
        else if (strcmp(word, "--block") == 0)
            launches_read_shape(value, request.block);
        else if (strcmp(word, "--shared") == 0)
            request.shared_bytes = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(word, "--arg") == 0 && request.argument_count < LAUNCH_WORDS_MOST)
            arguments[request.argument_count++] = value;
        else
            fail_msg("%s: %s is not known here", name, word);
    }
    return request;
}

static inline void launches_of_cases(launch_taker *take, void *context)
{
    struct arena arena = {0};
    char **names;
    size_t const count = folder_list(&arena, "faults", &names);
    for (size_t i = 0; i < count; i++) {
        char *end = strstr(names[i], ".txt");
        if (strncmp(names[i], "ok_", 3) != 0 || !end)
            continue;
        *end = '\0';
        struct run_file_request const request = launch_of_case(&arena, names[i]);
        take(context, names[i], &request);
    }
    arena_free(&arena);
}
#endif
