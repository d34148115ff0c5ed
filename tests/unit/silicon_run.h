/* Launches of tests/silicon: a row that begins with "run". */
#ifndef LANESCOPE_TESTS_SILICON_RUN_H
#define LANESCOPE_TESTS_SILICON_RUN_H
#include "run/file.h"
#include "silicon_table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static inline void silicon_shape(const char *word, uint32_t shape[3])
{
    assert_int_equal(sscanf(word, "%u,%u,%u", &shape[0], &shape[1], &shape[2]), 3);
}

/* Returns the launch of a row, on the emulator; the words of the row must outlive it. "banks.cu:ELEMENT=float" is a
 * lesson's kernel with its shipped PTX, "scan" is silicon/ptx/scan.ptx, "faults/ok_recursion" is
 * faults/ok_recursion.ptx. *define: room for the one it may have. */
static inline struct run_file_request silicon_request(struct arena *arena, const struct silicon_row *row,
                                                      struct compile_define *define)
{
    assert_true(row->word_count > 6);
    char *source = arena_text(arena, row->words[1]);
    char *colon = strchr(source, ':'), *equals = colon ? strchr(colon, '=') : NULL;
    if (equals) {
        *colon = *equals = 0;
        *define = (struct compile_define){colon + 1, equals + 1};
    }
    const char *dot = strchr(source, '.');
    const char *path = dot                   ? LANESCOPE_SOURCE_FOLDER "/kernels/%s"
                       : strchr(source, '/') ? "%s.ptx"
                                             : "silicon/ptx/%s.ptx";
    struct run_file_request request = {.path = arena_format(arena, path, source),
                                       .kernel = row->words[2],
                                       .shared_bytes = (uint32_t)strtoul(row->words[5], NULL, 10),
                                       .defines = define,
                                       .define_count = equals != NULL,
                                       .arguments = row->words + 6,
                                       .argument_count = row->word_count - 6,
                                       .compiler = dot ? COMPILER_SHIPPED : COMPILER_ANY,
                                       .options.executor = EXECUTOR_EMULATOR};
    silicon_shape(row->words[3], request.grid);
    silicon_shape(row->words[4], request.block);
    return request;
}
#endif
