/* How a line of code becomes rows. */
#include "view/code/lines.h"
#include "view/stage.h"
#include <string.h>

float code_row_height(const struct view *view)
{
    return (view->stage && stage_is_code(view->stage) ? 21 : 25) * view->ui->unit;
}

const char *code_line_text(struct arena *arena, const char *start)
{
    size_t length = strcspn(start, "\n");
    char *text = arena_alloc(arena, length * 4 + 1);
    size_t out = 0;
    for (size_t i = 0; i < length; i++) {
        if (start[i] != '\t') {
            text[out++] = start[i];
            continue;
        }
        do
            text[out++] = ' ';
        while (out % 4);
    }
    text[out] = 0;
    return text;
}

/* Returns how many bytes of the words fit into the room. It breaks after a space, else after a bracket or a comma, else
 * anywhere. */
static size_t fitting(struct view *view, const char *words, float room)
{
    struct ui *ui = view->ui;
    size_t const all = strlen(words);
    size_t space = 0, mark = 0, any = 1;
    float const size = text_caption(ui);
    if (!all || ui_text_width(ui, FONT_CODE, size, words) <= room) /* the room of a tiny window is below 0 */
        return all;
    for (size_t i = 1; i < all; i++) {
        if (((unsigned char)words[i] & 0xC0) == 0x80)
            continue; /* inside a UTF-8 character */
        if (ui->metrics.width(ui->metrics.context, FONT_CODE, size, words, i) > room)
            break;
        any = i;
        if (words[i] == ' ' && words[i - 1] != ' ')
            space = i;
        else if (strchr("[](),;", words[i - 1]))
            mark = i;
    }
    return space ? space : mark ? mark : any;
}

float code_hanging(struct view *view)
{
    return ui_text_width(view->ui, FONT_CODE, text_caption(view->ui), "    ");
}

void code_part_words(struct view *view, struct code_line *line, float width)
{
    size_t from = 0;
    float room = width - line->indent, used = 0;
    line->rows = 0;
    do {
        const char *words = line->words + from;
        size_t const length = line->rows + 2 < CODE_PIECES_MAX ? fitting(view, words, room) : strlen(words);
        line->pieces[line->rows].from = from;
        line->pieces[line->rows++].length = length;
        used = view->ui->metrics.width(view->ui->metrics.context, FONT_CODE, text_caption(view->ui), words, length);
        from += length + strspn(words + length, " ");
        if (used + line->end_width > room && !line->words[from] && line->end)
            line->pieces[line->rows++].from = from;
        room = width - line->indent - code_hanging(view);
    } while (line->words[from]);
}
