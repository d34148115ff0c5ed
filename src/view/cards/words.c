/* A card with the words of a step: paragraphs and a hint. */
#include "view/cards/cards.h"
#include <string.h>

/* Code up to this length stays on one line; longer code breaks at its spaces. */
enum { WHOLE_MOST = 24 };

/* Returns the spans of a paragraph, and their terms of the glossary in `terms`. */
static struct ui_span *spans_of(struct view *view, const struct text_paragraph *paragraph, size_t *count,
                                uint32_t **terms)
{
    struct ui_span *spans = arena_array(view->arena, struct ui_span, paragraph->span_count + 1);
    size_t n = 0;
    *terms = arena_array(view->arena, uint32_t, paragraph->span_count + 1);
    if (paragraph->item)
        spans[n++] = (struct ui_span){"• ", FONT_TEXT, COLOR_TEXT};
    for (size_t i = 0; i < paragraph->span_count; i++) {
        const struct text_span *span = &paragraph->spans[i];
        enum font_role role = span->style == TEXT_BOLD ? FONT_BOLD : span->style == TEXT_CODE ? FONT_CODE : FONT_TEXT;
        bool const code = span->style == TEXT_CODE;
        (*terms)[n] = span->term;
        bool const whole = code && strlen(span->text) <= WHOLE_MOST;
        spans[n++] = (struct ui_span){whole ? view_unbroken(view->arena, span->text) : span->text, role,
                                      code ? COLOR_ACCESS : COLOR_TEXT};
    }
    *count = n;
    return spans;
}

static float body(struct view *view, struct rect box, const struct words_view *words, bool measure)
{
    float y = 0, between = words->size * 0.45f;
    for (size_t i = 0; i < words->count; i++) {
        size_t count = 0;
        uint32_t *terms;
        struct ui_span *spans = spans_of(view, &words->paragraphs[i], &count, &terms);
        y += ui_marked_paragraph(view->ui, (struct rect){box.x, box.y + y, box.w, box.h - y}, words->size, spans, terms,
                                 count, measure);
        y += i + 1 < words->count ? between : 0;
    }
    return y;
}

static float hint_height(struct view *view, float width, const struct words_view *words)
{
    struct ui_span span = {words->hint, FONT_BOLD, COLOR_ACCESS};
    return words->hint ? ui_paragraph_height(view->ui, width, words->size, &span, 1) + words->size * 0.4f : 0;
}

float card_words_height(const struct view *view, float width, const struct words_view *words)
{
    struct view copy = *view;
    float u = view->ui->unit, inner = width - 36 * u;
    float height = 20 * u + (words->title ? 26 * u : 0);
    height += body(&copy, (struct rect){0, 0, inner, 1e6f}, words, true) + 6 * u;
    return height + hint_height(&copy, inner, words);
}

void card_words(struct view *view, struct rect box, const struct words_view *words)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    if (!words->bare)
        ui_card(ui, box);
    box = rect_inset(box, 18 * u, 10 * u);
    if (words->title)
        view_card_title(view, &box, words->title);
    if (words->hint && words->hint_first)
        rect_cut_top(&box, ui_text(ui, box, FONT_BOLD, words->size, COLOR_ACCESS, words->hint) + words->size * 0.4f);
    rect_cut_top(&box, body(view, box, words, false));
    if (words->hint && !words->hint_first) {
        rect_cut_top(&box, words->size * 0.4f);
        ui_text(ui, box, FONT_BOLD, words->size, COLOR_ACCESS, words->hint);
    }
}
