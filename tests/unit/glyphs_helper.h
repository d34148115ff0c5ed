/* The fonts of this machine, for tests that paint pixels. Include after cmocka.h. */
#ifndef LANESCOPE_TESTS_GLYPHS_HELPER_H
#define LANESCOPE_TESTS_GLYPHS_HELPER_H
#include "platform/glyphs.h"

static struct glyphs *glyphs;

static int open_fonts(void **state)
{
    (void)state;
    struct error error = {0};
    return glyphs_open(&glyphs, &error) ? 0 : -1;
}

static int close_fonts(void **state)
{
    (void)state;
    glyphs_close(glyphs);
    return 0;
}
#endif
