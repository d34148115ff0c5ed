/* The only file with literal colours. The Okabe-Ito roles are tuned so that text reaches a contrast of 4.5:1 on every
 * background allowed for its role (theme.h lists them; tests/unit/ui/theme.c computes the contrasts). */
#include "ui/theme.h"
#include <math.h>

#define RGB(hex)                                                                                                       \
    {                                                                                                                  \
        (uint8_t)((hex) >> 16), (uint8_t)((hex) >> 8 & 0xff), (uint8_t)((hex)&0xff), 255                               \
    }

const struct theme theme_light = {.name = "light",
                                  .colors = {[COLOR_BACKGROUND] = RGB(0xFFFFFF),
                                             [COLOR_PANEL] = RGB(0xFFFFFF),
                                             [COLOR_BAR] = RGB(0xF4F6F8),
                                             [COLOR_EDGE] = RGB(0xD5DAE1),
                                             [COLOR_TEXT] = RGB(0x1A1D21),
                                             [COLOR_TEXT_DIM] = RGB(0x5F6672),
                                             [COLOR_ON_ACCENT] = RGB(0xFFFFFF),
                                             [COLOR_ACCESS] = RGB(0x0B4F78),
                                             [COLOR_ACCESS_SOFT] = RGB(0xE5EDF4),
                                             [COLOR_CONFLICT] = RGB(0xC02A0A),
                                             [COLOR_CONFLICT_SOFT] = RGB(0xFCE7E2),
                                             [COLOR_BROADCAST] = RGB(0x00A572),
                                             [COLOR_ELSE] = RGB(0x8E2BCB),
                                             [COLOR_IDLE] = RGB(0x6B7280),
                                             [COLOR_CURSOR] = RGB(0xF0E442),
                                             [COLOR_CURSOR_RING] = RGB(0x000000),
                                             [COLOR_CURSOR_SOFT] = RGB(0xF9F3A6),
                                             [COLOR_ON_CURSOR] = RGB(0x1A1D21)}};

const struct theme theme_dark = {.name = "dark",
                                 .colors = {[COLOR_BACKGROUND] = RGB(0x12161C),
                                            [COLOR_PANEL] = RGB(0x171C24),
                                            [COLOR_BAR] = RGB(0x1A202A),
                                            [COLOR_EDGE] = RGB(0x38414E),
                                            [COLOR_TEXT] = RGB(0xF2F4F7),
                                            [COLOR_TEXT_DIM] = RGB(0xA2ABB8),
                                            [COLOR_ON_ACCENT] = RGB(0x0C0F14),
                                            [COLOR_ACCESS] = RGB(0x6C82FF),
                                            [COLOR_ACCESS_SOFT] = RGB(0x1B2138),
                                            [COLOR_CONFLICT] = RGB(0xFF6A13),
                                            [COLOR_CONFLICT_SOFT] = RGB(0x3A1F12),
                                            [COLOR_BROADCAST] = RGB(0x57F29A),
                                            [COLOR_ELSE] = RGB(0xB07FB0),
                                            [COLOR_IDLE] = RGB(0x8B95A3),
                                            [COLOR_CURSOR] = RGB(0xF0E442),
                                            [COLOR_CURSOR_RING] = RGB(0x000000),
                                            [COLOR_CURSOR_SOFT] = RGB(0x34310F),
                                            [COLOR_ON_CURSOR] = RGB(0x0C0F14)}};

static uint8_t mix_channel(uint8_t a, uint8_t b, float t)
{
    return (uint8_t)lroundf((float)a + ((float)b - (float)a) * t);
}

struct color color_mix(struct color a, struct color b, float t)
{
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return (struct color){mix_channel(a.r, b.r, t), mix_channel(a.g, b.g, t), mix_channel(a.b, b.b, t),
                          mix_channel(a.a, b.a, t)};
}

struct color color_fade(struct color color, float alpha)
{
    alpha = alpha < 0 ? 0 : alpha > 1 ? 1 : alpha;
    color.a = (uint8_t)lroundf((float)color.a * alpha);
    return color;
}

/* Returns the relative luminance of an sRGB colour by the formula of WCAG 2. */
static float luminance(struct color color)
{
    const float channels[3] = {(float)color.r / 255, (float)color.g / 255, (float)color.b / 255};
    const float weights[3] = {0.2126f, 0.7152f, 0.0722f};
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        float c = channels[i];
        sum += weights[i] * (c <= 0.03928f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f));
    }
    return sum;
}

float color_contrast(struct color a, struct color b)
{
    float la = luminance(a), lb = luminance(b);
    return (fmaxf(la, lb) + 0.05f) / (fminf(la, lb) + 0.05f);
}
