/* The cells that a step asks to mark. */
#include "document/document.h"

enum mark_cells document_mark_cells(const struct document *document)
{
    return document_beat(document)->mark;
}

bool document_cells(const struct document *document, const struct playhead *playhead, const struct scene *scene,
                    struct arena *arena, struct marks *marks)
{
    const struct lesson_beat *beat = document_beat(document);
    const struct guess *guess = document_guess(document);
    if (!beat || beat->kind != BEAT_MARK || document->block != playhead->opening_block ||
        playhead->position != playhead->opening_position)
        return false;
    *marks = (struct marks){.cells = document_mark_cells(document),
                            .marked = guess->cells,
                            .cursor = guess->cursor - 1,
                            .paint = guess->paint};
    marks->count = marks_cells(scene, marks->cells, &marks->across);
    if (!marks->count || marks->count > MARKS_MAX)
        return false;
    if (document_asks(document))
        return true;
    if (!document_guess_stands(document))
        return false;
    uint8_t *right = arena_alloc(arena, MARKS_MAX);
    marks_right(scene, marks->cells, right);
    marks->right = right;
    marks->cursor = -1;
    return true;
}

void document_check_marks(const struct document *document, const struct scene *scene, struct guess *guess)
{
    uint8_t right[MARKS_MAX];
    uint32_t across;
    enum mark_cells const cells = document_mark_cells(document);
    uint32_t const count = marks_cells(scene, cells, &across);
    if (!count || count > MARKS_MAX)
        return;
    marks_right(scene, cells, right);
    guess->counts = marks_compare(cells, guess->cells, right, count);
    guess->right = !guess->counts.missing && !guess->counts.extra;
}
