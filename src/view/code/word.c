/* The name below the mouse in the code: where it is defined, and what it is in this run. */
#include "source/definitions.h"
#include "view/code/parts.h"
#include <math.h>
#include <string.h>

/* Returns the byte of a text at this distance from its left end; SIZE_MAX: behind its end. */
static size_t byte_at(const char *text, size_t length, float letters)
{
    size_t byte = 0;
    for (float at = 0; byte < length; at += 1) {
        size_t next = byte + 1;
        while (next < length && ((unsigned char)text[next] & 0xC0) == 0x80)
            next++;
        if (letters < at + 1)
            return byte;
        byte = next;
    }
    return SIZE_MAX;
}

/* Returns what a name is in this run; NULL: not known. The names of parameters mean nothing in other kernels. */
static const char *value_of(const struct code_view *code, uint32_t line, const char *name, size_t length)
{
    bool const here = !code->head || (line >= code->head && line <= code->end);
    for (uint32_t i = 0; here && i < code->value_count; i++)
        if (strlen(code->values[i].name) == length && strncmp(code->values[i].name, name, length) == 0)
            return code->values[i].said;
    return NULL;
}

struct code_word code_word_below(struct view *view, struct rect row, const struct code_view *code, uint32_t line,
                                 const char *words, size_t from, size_t length)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, letter = ui_text_width(ui, FONT_CODE, text_caption(ui), " ");
    struct code_word word = {0};
    if (!ui_hovered(ui, row) || letter * (float)length > row.w + 1) /* a cut row is drawn smaller */
        return word;
    size_t const byte = byte_at(words + from, length, (ui->input.mouse.x - row.x) / letter);
    const char *name = byte == SIZE_MAX ? NULL : code_name_at(view->arena, words, from + byte, &word.length);
    if (!name)
        return (struct code_word){0};
    if (!code->is_text && !code->picks) {
        struct code_names const names = code_names_of(view->arena, code->source);
        word.definition = code_names_line(&names, name, word.length, line);
        if (word.definition == line || (code->from && word.definition < code->from))
            word.definition = 0;
    }
    const char *said = value_of(code, line, name, word.length);
    const char *way =
        word.definition ? arena_format(view->arena, _("defined in line %u: click"), word.definition) : NULL;
    if (word.definition) {
        size_t const begin = (size_t)(name - words) > from ? (size_t)(name - words) - from : 0;
        float const x = row.x + letter * (float)begin, y = row.y + row.h - 4 * u;
        draw_line(&ui->draw, (struct point){x, y}, (struct point){x + letter * (float)word.length, y}, fmaxf(1, u),
                  ui_color(ui, COLOR_ACCESS));
    }
    if (said && way)
        ui_tip(ui, row, "%s\n%s", said, way);
    else if (said || way)
        ui_tip(ui, row, "%s", said ? said : way);
    return word;
}
