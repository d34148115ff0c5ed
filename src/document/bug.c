/* The sources around a bug: the line that is wrong, and the lines that stand in its place in the mended kernel. */
#include "base/file.h"
#include "base/lines.h"
#include "document/document.h"
#include "source/kernel.h"
#include "source/tokens.h"
#include <string.h>

struct lines {
    const char **start;
    size_t *length;
    const struct source_token **tokens; /* SOURCE_END behind the last */
    uint32_t first, count;              /* first: in the source, counted from 1 */
};

/* Returns the lines of a kernel without their indentation. */
static struct lines lines_of(struct arena *arena, const char *source, const char *kernel)
{
    uint32_t first, last;
    source_kernel_lines(source, kernel, &first, &last);
    struct lines lines = {arena_array(arena, const char *, last + 2 - first),
                          arena_array(arena, size_t, last + 2 - first),
                          arena_array(arena, const struct source_token *, last + 2 - first), first, 0};
    const char *at = source;
    for (uint32_t line = 1; first && line <= last; line++, at += strcspn(at, "\n") + 1) {
        if (line < first)
            continue;
        const char *text = at + strspn(at, " \t");
        size_t const length = strcspn(text, "\n");
        lines.start[lines.count] = text;
        lines.length[lines.count] = length;
        lines.tokens[lines.count++] = source_line_tokens(arena, arena_format(arena, "%.*s", (int)length, text));
    }
    return lines;
}

static bool is_same(const struct lines *a, uint32_t i, const struct lines *b, uint32_t j)
{
    return a->length[i] == b->length[j] && memcmp(a->start[i], b->start[j], a->length[i]) == 0;
}

/* Pairs the lines that both kernels have, in order, as many as possible: pair[j] is the line of a for line j of b, or
 * UINT32_MAX. */
static uint32_t *pairs_of(struct arena *arena, const struct lines *a, const struct lines *b)
{
    uint32_t const wide = b->count + 1;
    uint32_t *common = arena_array(arena, uint32_t, (size_t)(a->count + 1) * wide);
    uint32_t *pair = arena_array(arena, uint32_t, b->count + 1);
    for (uint32_t i = a->count; i-- > 0;)
        for (uint32_t j = b->count; j-- > 0;) {
            uint32_t const down = common[(i + 1) * wide + j], right = common[i * wide + j + 1];
            common[i * wide + j] = is_same(a, i, b, j) ? common[(i + 1) * wide + j + 1] + 1
                                   : down > right      ? down
                                                       : right;
        }
    memset(pair, 0xff, (b->count + 1) * sizeof *pair);
    for (uint32_t i = 0, j = 0; i < a->count && j < b->count;)
        if (is_same(a, i, b, j))
            pair[j++] = i++;
        else if (common[(i + 1) * wide + j] >= common[i * wide + j + 1])
            i++;
        else
            j++;
    return pair;
}

/* Returns whether the line is code of the mended kernel, more than a bracket, that the faulty one has not. */
static bool is_new(const struct lines *lines, const uint32_t *pair, uint32_t j)
{
    const struct source_token *token = lines->tokens[j];
    return j > 0 && pair[j] == UINT32_MAX && token->kind != SOURCE_END &&
           (token[1].kind != SOURCE_END || token->kind != SOURCE_MARK);
}

/* Returns whether the line is an `if` or a loop for the next line alone. */
static bool holds_next(const struct lines *lines, uint32_t j)
{
    static const char *const words[] = {"if", "for", "while", "else"};
    const struct source_token *token = lines->tokens[j];
    if (!SOURCE_IS_ONE_OF(token, words))
        return false;
    while (token[1].kind != SOURCE_END)
        token++;
    return !source_is(token, "{") && !source_is(token, ";");
}

/* Finds the new lines nearest to the place of the wrong one. */
static void find_mended(struct bug *bug, const struct lines *faulty, const struct lines *mended, const uint32_t *pair)
{
    enum { LINES_MOST = 4, KERNEL_LEAST = 6 };
    uint32_t at = 0, best = UINT32_MAX, distance = UINT32_MAX;
    for (uint32_t j = 0; j < mended->count; j++)
        if (pair[j] != UINT32_MAX && faulty->first + pair[j] <= bug->wrong)
            at = j + (faulty->first + pair[j] < bug->wrong);
    for (uint32_t j = 0; j < mended->count; j++) {
        uint32_t const far = j > at ? j - at : at - j;
        if (is_new(mended, pair, j) && far < distance) {
            best = j;
            distance = far;
        }
    }
    if (best == UINT32_MAX || mended->count < KERNEL_LEAST) /* it only calls a function that has the code */
        return;
    bug->from = bug->to = bug->nearest = mended->first + best;
    if (best > 1 && holds_next(mended, best - 1))
        bug->from--;
    while (bug->to - bug->from + 1 < LINES_MOST && bug->to + 1 - mended->first < mended->count &&
           is_new(mended, pair, bug->to + 1 - mended->first))
        bug->to++;
}

void document_read_bug(struct document *document)
{
    struct bug *bug = &document->bug;
    const struct lesson *lesson = document->lesson;
    const struct lesson_beat *beat = document_beat(document);
    char *texts[2];
    struct error error;
    arena_reset(&bug->arena);
    *bug = (struct bug){.arena = bug->arena};
    if (beat->kind != BEAT_BUG || beat->mended < 0)
        return;
    int const variants[2] = {document_setting_of_beat(document, document->beat).variant, beat->mended};
    for (int i = 0; i < 2; i++)
        if (!file_read(&bug->arena, lesson_source_path(lesson, variants[i], &bug->arena), &texts[i], NULL, &error))
            return;
    struct lines const faulty = lines_of(&bug->arena, texts[0], lesson->variants[variants[0]].kernel),
                       mended = lines_of(&bug->arena, texts[1], lesson->variants[variants[1]].kernel);
    bug->faulty = texts[0];
    bug->mended = texts[1];
    bug->wrong = line_with(bug->faulty, beat->line);
    find_mended(bug, &faulty, &mended, pairs_of(&bug->arena, &faulty, &mended));
}

const struct bug *document_bug(const struct document *document)
{
    return document->lesson && document->bug.wrong && document_beat(document)->kind == BEAT_BUG ? &document->bug : NULL;
}

/* Returns the step that asks for the bug of a variant, where no step before it runs the variant; -1: none. */
static int bug_of_variant(const struct lesson *lesson, int variant)
{
    struct lesson_setting setting = lesson_defaults(lesson);
    for (int i = 0; i < lesson->beat_count; i++) {
        lesson_apply_sets(&setting, lesson->beats[i].sets, lesson->beats[i].set_count);
        if (setting.variant == variant)
            return lesson->beats[i].kind == BEAT_BUG ? i : -1;
    }
    return -1;
}

const char *document_variant_label(const struct document *document, struct arena *arena, enum language language,
                                   int variant)
{
    const struct lesson *lesson = document->lesson;
    int hidden = 0;
    for (int v = 0; v <= variant; v++) {
        int const bug = bug_of_variant(lesson, v);
        bool const open = bug >= 0 && !document->guesses[bug].committed && !document->guesses[bug].skipped &&
                          !document->guesses[bug].voted;
        if (v == variant && open)
            return arena_format(arena, _("variant %c"), 'A' + hidden);
        hidden += open;
    }
    return lesson->variants[variant].label[language];
}
