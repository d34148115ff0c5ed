/* Compares a stand's draw list with the text in tests/views. LANESCOPE_WRITE_GOLDEN=1 rewrites the text; read the
 * difference before you commit it. Include before cmocka.h. */
#ifndef LANESCOPE_TESTS_VIEW_GOLDEN_H
#define LANESCOPE_TESTS_VIEW_GOLDEN_H
#include "base/file.h"
#include "draw_dump.h"
#include "view_stand.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static inline void compare_with_golden(struct stand *stand, const char *name)
{
    ui_end(&stand->ui);
    const char *dump = draw_dump(&stand->ui.draw, &stand->arena);
    const char *path = arena_format(&stand->arena, "%s/tests/views/%s.txt", LANESCOPE_SOURCE_FOLDER, name);
    struct error error;
    char *golden;
    size_t size;
    if (getenv("LANESCOPE_WRITE_GOLDEN"))
        assert_true(file_write(path, dump, strlen(dump), &error));
    if (!file_read(&stand->arena, path, &golden, &size, &error))
        fail_msg("%s", error.message);
    size_t at = 0, line = 1;
    while (dump[at] && dump[at] == golden[at])
        line += dump[at++] == '\n';
    if (dump[at] != golden[at])
        fail_msg("%s line %zu differs: drawn \"%.*s\", golden \"%.*s\"", name, line, (int)strcspn(dump + at, "\n"),
                 dump + at, (int)strcspn(golden + at, "\n"), golden + at);
    trace_free(stand->trace);
    arena_free(&stand->arena);
}

#endif
