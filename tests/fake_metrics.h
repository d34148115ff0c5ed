/* A font for tests: every character is half an em wide (Hangul and characters after it a whole em), 0.75 em above the
 * baseline and 0.25 em below, so that layouts can be computed by hand. */
#ifndef LANESCOPE_TESTS_FAKE_METRICS_H
#define LANESCOPE_TESTS_FAKE_METRICS_H
#include "ui/draw.h"

static inline float fake_width(void *context, enum font_role role, float size, const char *text, size_t length)
{
    (void)context;
    (void)role;
    float halves = 0;
    for (size_t i = 0; i < length; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80) /* the first byte of a character */
            halves += (unsigned char)text[i] >= 0xEA ? 2 : 1;
    return halves * size / 2;
}

static inline float fake_ascent(void *context, enum font_role role, float size)
{
    (void)context;
    (void)role;
    return size * 0.75f;
}

static inline float fake_descent(void *context, enum font_role role, float size)
{
    (void)context;
    (void)role;
    return size * 0.25f;
}

static inline struct text_metrics fake_metrics(void)
{
    return (struct text_metrics){0, fake_width, fake_ascent, fake_descent};
}
#endif
