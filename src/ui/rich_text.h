/* Formatted text: paragraphs of spans, each span in one style. It has no fonts or pixels, so that a lesson can hand its
 * text to a panel. */
#ifndef LANESCOPE_UI_RICH_TEXT_H
#define LANESCOPE_UI_RICH_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum text_style { TEXT_PLAIN, TEXT_BOLD, TEXT_CODE };
struct text_span {
    enum text_style style;
    const char *text;
    uint32_t term; /* of the glossary, its index + 1: explained here; 0: none */
};
struct text_paragraph {
    bool item; /* of a list */
    const struct text_span *spans;
    size_t span_count;
};
#endif
