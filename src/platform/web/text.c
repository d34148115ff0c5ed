/* A line is as wide as its characters together: the page draws without kerning and ligatures. The width of each is
 * asked once. */
#include "platform/utf8.h"
#include "platform/web/web.h"
#include <stdlib.h>

enum { NEAR = 0x3000 }; /* letters and signs; behind them Hangul, and what is rare */
enum { HANGUL = 0xAC00, HANGUL_END = 0xD7A4 };

static float near[FONT_ROLE_COUNT][NEAR], hangul[FONT_ROLE_COUNT];

static float advance(enum font_role role, uint32_t code)
{
    float *kept = code < NEAR                           ? &near[role][code]
                  : code >= HANGUL && code < HANGUL_END ? &hangul[role] /* all syllables have one width */
                                                        : NULL;
    if (!kept)
        return (float)page_advance((int)role, (int)code);
    if (*kept == 0)
        *kept = (float)page_advance((int)role, (int)code) + 1;
    return *kept - 1;
}

static float width(void *context, enum font_role role, float size, const char *text, size_t length)
{
    (void)context;
    float all = 0;
    for (size_t at = 0, used; at < length; at += used) {
        uint32_t const code = character_decode(text + at, length - at, &used);
        all += advance(role, code < 0x20 ? ' ' : code);
    }
    return all * size;
}

static float ink(enum font_role role, int below)
{
    static float kept[FONT_ROLE_COUNT][2];
    if (kept[role][below] == 0)
        kept[role][below] = (float)page_ink((int)role, below);
    return kept[role][below];
}

static float ascent(void *context, enum font_role role, float size)
{
    (void)context;
    return ink(role, 0) * size;
}

static float descent(void *context, enum font_role role, float size)
{
    (void)context;
    return ink(role, 1) * size;
}

struct text_metrics text_of_page(void)
{
    return (struct text_metrics){.width = width, .ascent = ascent, .descent = descent};
}
