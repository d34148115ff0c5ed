/* What a step asks: for a choice, for a line of the source, for cells. And the answer to it. */
#include "base/lines.h"
#include "document/document.h"
#include "source/kernel.h"
#include <math.h>
#include <string.h>

static bool asks_ever(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    return beat && lesson_beat_asks(beat);
}

bool document_asks(const struct document *document)
{
    const struct guess *guess = document_guess(document);
    return asks_ever(document) && !guess->committed && !guess->skipped && !guess->voted;
}

bool document_answered(const struct document *document)
{
    return asks_ever(document) && !document_asks(document);
}

bool document_covered(const struct document *document)
{
    return document_asks(document) &&
           (document_beat(document)->kind == BEAT_ASK || document_beat(document)->kind == BEAT_MARK);
}

bool document_asks_line(const struct document *document)
{
    return document_asks(document) && document_beat(document)->kind == BEAT_BUG;
}

bool document_time_is_asked(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    if (!beat->asks_time && (beat->tells_time[LANGUAGE_EN] || beat->tells_time[LANGUAGE_KO]))
        return false; /* its words have them */
    for (int i = document->beat; i < document->lesson->beat_count; i++) {
        const struct guess *guess = &document->guesses[i];
        bool const answered = guess->committed || guess->skipped || guess->voted;
        if (document->lesson->beats[i].asks_time && (!answered || i == document->beat))
            return !answered;
    }
    return false;
}

bool document_asks_cells(const struct document *document)
{
    return document_asks(document) && document_beat(document)->kind == BEAT_MARK;
}

static bool any_marked(const struct guess *guess)
{
    for (size_t i = 0; i < MARKS_MAX; i++)
        if (guess->cells[i])
            return true;
    return false;
}

bool document_can_commit(const struct document *document)
{
    const struct guess *guess = document_guess(document);
    return guess && (guess->chosen >= 0 || guess->line || any_marked(guess));
}

bool document_answer(const struct document *document, double *value)
{
    const struct lesson_beat *beat = document_beat(document);
    return beat && beat->answer && document_evaluate(document, beat->answer, value);
}

bool document_guess_stands(const struct document *document)
{
    const struct guess *guess = document_guess(document);
    return guess && guess->committed && document_can_commit(document) &&
           memcmp(&guess->setting, &document->look.setting, sizeof guess->setting) == 0;
}

uint32_t document_wrong_line(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    const char *source = document->run ? document->run->source : NULL;
    return source && beat && beat->line ? line_with(source, beat->line) : 0;
}

void document_kernel_lines(const struct document *document, uint32_t *first, uint32_t *last)
{
    const char *source = document->run ? document->run->source : NULL;
    *first = *last = 0;
    if (document->lesson && source)
        source_kernel_lines(source, document->lesson->variants[document->look.setting.variant].kernel, first, last);
}

bool document_guess_right(const struct document *document, bool *right)
{
    const struct lesson_beat *beat = document_beat(document);
    const struct guess *guess = document_guess(document);
    double value;
    if (!document_guess_stands(document))
        return false;
    if (beat->kind == BEAT_MARK) {
        *right = guess->right;
        return true;
    }
    if (beat->kind == BEAT_BUG) {
        *right = guess->line == document_wrong_line(document);
        return true;
    }
    if (guess->chosen < 0 || !document_answer(document, &value))
        return false;
    *right = fabs(value - beat->choices[guess->chosen]) < 1e-9;
    return true;
}
