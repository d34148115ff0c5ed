/* Text in boxes: single lines that shrink to fit, and paragraphs that wrap. All widths come from the metrics, so the
 * layout does not depend on the platform that draws it. Korean lines break at spaces only, as Korean books do. */
#include "ui/ui.h"
#include <math.h>
#include <string.h>

/* The centre of capitals, digits and Hangul blocks above the baseline, in ems, in the fonts of this program. */
static const float middle_of_capitals = 0.36f;
static const float line_latin = 1.35f, line_hangul = 1.5f;

float ui_text_width(struct ui *ui, enum font_role role, float size, const char *text)
{
    return ui->metrics.width(ui->metrics.context, role, size, text, strlen(text));
}

static float baseline_in(struct rect box, float size)
{
    return roundf(box.y + box.h / 2 + middle_of_capitals * size);
}

/* Returns the longest beginning of the text that fits with an ellipsis after it. */
static const char *cut_to_width(struct ui *ui, enum font_role role, float size, float width, const char *text)
{
    size_t fits = 0, length = strlen(text);
    float dots = ui_text_width(ui, role, size, "…");
    for (size_t i = 1; i <= length; i++) {
        if (((unsigned char)text[i] & 0xC0) == 0x80)
            continue; /* the byte is inside a UTF-8 character */
        if (ui->metrics.width(ui->metrics.context, role, size, text, i) + dots > width)
            break;
        fits = i;
    }
    while (fits > 0 && text[fits - 1] == ' ')
        fits--;
    return arena_format(ui->draw.arena, "%.*s…", (int)fits, text);
}

static float put_line(struct ui *ui, struct rect box, enum font_role role, float size, enum ui_align align,
                      struct color color, const char *text)
{
    float width = ui_text_width(ui, role, size, text);
    float slack = box.w - width;
    float x = align == UI_LEFT ? box.x : align == UI_CENTER ? box.x + slack / 2 : box.x + slack;
    draw_text(&ui->draw, &ui->metrics, role, size, color, (struct point){x, baseline_in(box, size)}, box, text);
    return width;
}

/* Returns a smaller size that fits, in whole half pixels: shrunk labels then share few sizes in the glyph cache. */
static float shrink_to(float size, float width, float available)
{
    return floorf(size * available / width * 2) / 2;
}

float ui_label(struct ui *ui, struct rect box, enum font_role role, float size, enum ui_align align, struct color color,
               const char *text)
{
    if (!*text || box.w <= 0 || !ui_shown(ui, box))
        return 0;
    float width = ui_text_width(ui, role, size, text);
    if (width > box.w) {
        float least = fminf(size, ui->minimum_text > 0 ? ui->minimum_text : 16 * ui->unit);
        size = fmaxf(least, shrink_to(size, width, box.w));
        if (ui_text_width(ui, role, size, text) > box.w)
            text = cut_to_width(ui, role, size, box.w, text);
    }
    return put_line(ui, box, role, size, align, color, text);
}

void ui_chip_label(struct ui *ui, struct rect box, enum font_role role, float size, struct color color,
                   const char *text)
{
    float width = ui_text_width(ui, role, size, text);
    if (!*text || width <= 0)
        return;
    float fitted = width > box.w ? shrink_to(size, width, box.w) : size;
    fitted = fminf(fitted, box.h);
    if (fitted < size / 2)
        return;
    size_t from = ui->draw.count;
    put_line(ui, box, role, fitted, UI_CENTER, color, text);
    draw_decorate(&ui->draw, from);
}

/* Returns true when the text has Hangul syllables or letters: U+1100..11FF, U+3130..318F, U+AC00..D7A3. */
static bool has_hangul(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    for (; *s; s++) {
        if ((*s & 0xF0) != 0xE0 || !s[1] || !s[2])
            continue;
        uint32_t code = (uint32_t)(*s & 0x0F) << 12 | (uint32_t)(s[1] & 0x3F) << 6 | (uint32_t)(s[2] & 0x3F);
        if ((code >= 0x1100 && code <= 0x11FF) || (code >= 0x3130 && code <= 0x318F) ||
            (code >= 0xAC00 && code <= 0xD7A3))
            return true;
    }
    return false;
}

struct paragraph {
    struct ui *ui;
    struct rect box;
    const struct ui_span *spans;
    const uint32_t *marks; /* of the spans; NULL: none */
    size_t count;
    float size, line_height, x, y; /* x, y: the pen, relative to box */
    bool draw;
};
struct place {
    size_t span, byte; /* a byte in the text of one span */
};

static bool at_end(const struct paragraph *p, struct place *place)
{
    while (place->span < p->count && !p->spans[place->span].text[place->byte])
        *place = (struct place){place->span + 1, 0};
    return place->span == p->count;
}

enum { TOKEN_MOST = 32 }; /* bytes of the longest number, sign or unit, with its end */

/* Returns the end of the spaces at `place` and of the characters up to the next space, and these characters: "" if they
 * are too many for a number, a sign or a unit. They may cross spans of several fonts. */
static struct place token_end(const struct paragraph *p, struct place place, char token[TOKEN_MOST])
{
    size_t length = 0;
    while (!at_end(p, &place) && p->spans[place.span].text[place.byte] == ' ')
        place.byte++;
    while (!at_end(p, &place)) {
        char c = p->spans[place.span].text[place.byte];
        if (c == ' ' || c == '\n')
            break;
        if (length < TOKEN_MOST)
            token[length] = c;
        length++;
        place.byte++;
    }
    token[length < TOKEN_MOST ? length : 0] = '\0';
    return place;
}

/* Returns the length of a unit at the start of a token: up to punctuation, or to the Korean particle after it. */
static size_t unit_length(const char *token)
{
    size_t length = strcspn(token, ".,;:)");
    for (size_t i = 0; i < length; i++)
        if ((token[i] & 0xF0) == 0xE0)
            length = i;
    return length;
}

/* Returns whether no line may end between two tokens: a number stays with its unit and with a factor, a sign with what
 * follows it. */
static bool is_joined(const char *token, const char *next)
{
    static const char *const signs[] = {"+", "−", "-", "×", "=", "≤", "≥", "<", ">"};
    static const char *const units[] = {"%",   "×",   "B",   "KB",   "MB",      "GB",     "TB", "KiB",
                                        "MiB", "GiB", "B/s", "GB/s", "TB/s",    "ns",     "µs", "ms",
                                        "s",   "MHz", "GHz", "FLOP", "GFLOP/s", "TFLOP/s"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(token, signs[i]) == 0)
            return true;
    token += *token == '(';
    if (!*token || strspn(token, "0123456789.,") != strlen(token))
        return false;
    size_t const length = unit_length(next);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (length == strlen(units[i]) && memcmp(next, units[i], length) == 0)
            return true;
    return false;
}

/* Returns the end of the spaces at `place` and of the word after them, with what must stand in its line. */
static struct place word_end(const struct paragraph *p, struct place place)
{
    char token[TOKEN_MOST], next[TOKEN_MOST];
    struct place end = token_end(p, place, token);
    while (*token && !at_end(p, &end) && p->spans[end.span].text[end.byte] == ' ') {
        struct place const further = token_end(p, end, next);
        if (!is_joined(token, next))
            break;
        end = further;
        memcpy(token, next, sizeof token);
    }
    return end;
}

static float run_width(const struct paragraph *p, size_t span, size_t from, size_t to)
{
    return p->ui->metrics.width(p->ui->metrics.context, p->spans[span].role, p->size, p->spans[span].text + from,
                                to - from);
}

static float width_between(const struct paragraph *p, struct place from, struct place to)
{
    float width = 0;
    for (; from.span < to.span; from = (struct place){from.span + 1, 0})
        width += run_width(p, from.span, from.byte, strlen(p->spans[from.span].text));
    return from.span < p->count && from.byte < to.byte ? width + run_width(p, from.span, from.byte, to.byte) : width;
}

/* Underlines a marked piece of text and lists its place. */
static void put_mark(struct paragraph *p, uint32_t mark, struct rect row, float width, bool drawn)
{
    struct ui *ui = p->ui;
    struct rect const box = {p->box.x + p->x, row.y, width, row.h};
    ui->marks = arena_grow(ui->draw.arena, ui->marks, ui->mark_count, &ui->mark_capacity, sizeof *ui->marks);
    ui->marks[ui->mark_count++] = (struct ui_mark){mark, box, drawn};
    if (!drawn)
        return;
    bool const chosen = ui->mark_open == mark || ui_hovered(ui, box);
    float const line = fmaxf(1, roundf(p->size * 0.07f)), y = baseline_in(row, p->size) + roundf(p->size * 0.2f);
    struct point const ends[2] = {{box.x, y}, {box.x + width, y}};
    draw_polyline(&ui->draw, ends, 2, line, chosen ? 0 : 2 * line, ui_color(ui, COLOR_ACCESS));
}

static void put_between(struct paragraph *p, struct place from, struct place to)
{
    struct rect const row = {p->box.x, p->box.y + p->y, p->box.w, p->line_height};
    bool const drawn = p->draw && ui_shown(p->ui, row);
    while (from.span < to.span || (from.span == to.span && from.byte < to.byte)) {
        const struct ui_span *span = &p->spans[from.span];
        size_t end = from.span == to.span ? to.byte : strlen(span->text);
        float width = run_width(p, from.span, from.byte, end);
        if (drawn && end > from.byte) {
            draw_text(&p->ui->draw, &p->ui->metrics, span->role, p->size, ui_color(p->ui, span->color),
                      (struct point){p->box.x + p->x, baseline_in(row, p->size)}, row,
                      arena_text_n(p->ui->draw.arena, span->text + from.byte, end - from.byte));
        }
        if (p->draw && p->marks && p->marks[from.span] && end > from.byte)
            put_mark(p, p->marks[from.span], row, width, drawn);
        p->x += width;
        from = (struct place){from.span + 1, 0};
    }
}

/* Returns the end of as many characters as fit in one line. It breaks a word that is wider than the whole line, so that
 * no text leaves the box. */
static struct place fit_characters(const struct paragraph *p, struct place from, struct place to)
{
    struct place best = from, next = from;
    while (next.span < to.span || (next.span == to.span && next.byte < to.byte)) {
        if (at_end(p, &next))
            break;
        do
            next.byte++;
        while (((unsigned char)p->spans[next.span].text[next.byte] & 0xC0) == 0x80);
        if (width_between(p, from, next) > p->box.w && (best.span != from.span || best.byte != from.byte))
            break;
        best = next;
    }
    return best;
}

static void new_line(struct paragraph *p)
{
    p->x = 0;
    p->y += p->line_height;
}

/* Each line is measured whole before it is drawn, so that a run of one font, spaces included, is one draw command. */
static void lay_out(struct paragraph *p)
{
    struct place start = {0, 0};
    while (!at_end(p, &start)) {
        struct place end = start, next = start;
        bool newline = false;
        while (!at_end(p, &next)) {
            char c = p->spans[next.span].text[next.byte];
            if (c == '\n') {
                next.byte++;
                newline = true;
                break;
            }
            struct place stop = word_end(p, next);
            if (width_between(p, start, stop) > p->box.w)
                break;
            end = next = stop;
        }
        if (end.span == start.span && end.byte == start.byte && !newline && !at_end(p, &next))
            end = next = fit_characters(p, start, word_end(p, start));
        put_between(p, start, end);
        while (!newline && !at_end(p, &next) && p->spans[next.span].text[next.byte] == ' ')
            next.byte++; /* spaces at the break belong to no line */
        start = next;
        new_line(p);
    }
}

float ui_paragraph(struct ui *ui, struct rect box, float size, const struct ui_span *spans, size_t count,
                   bool measure_only)
{
    return ui_marked_paragraph(ui, box, size, spans, NULL, count, measure_only);
}

float ui_marked_paragraph(struct ui *ui, struct rect box, float size, const struct ui_span *spans,
                          const uint32_t *marks, size_t count, bool measure_only)
{
    bool hangul = false;
    for (size_t i = 0; i < count; i++)
        hangul = hangul || has_hangul(spans[i].text);
    struct paragraph p = {.ui = ui,
                          .box = box,
                          .spans = spans,
                          .marks = marks,
                          .count = count,
                          .size = size,
                          .line_height = size * (hangul ? line_hangul : line_latin),
                          .draw = !measure_only};
    lay_out(&p);
    return p.y;
}

float ui_text(struct ui *ui, struct rect box, enum font_role role, float size, enum color_role color, const char *text)
{
    return ui_paragraph(ui, box, size, &(struct ui_span){text, role, color}, 1, false);
}

float ui_paragraph_height(struct ui *ui, float width, float size, const struct ui_span *spans, size_t count)
{
    return ui_paragraph(ui, (struct rect){.w = width}, size, spans, count, true);
}
