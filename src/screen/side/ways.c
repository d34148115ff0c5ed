/* The ways on from a step: from a bug to the mended kernel, from the last step back to the guesses and on to the next
 * lesson. */
#include "screen/side/side.h"

enum { WAYS_MAX = 64 };
struct ways {
    struct way *items;
    int count;
};

static void add(struct ways *ways, struct way way)
{
    if (ways->count < WAYS_MAX)
        ways->items[ways->count++] = way;
}

/* After a bug was looked for: the mended kernel, then the faulty one again. */
static void from_bug(const struct drawing *drawing, struct ways *ways)
{
    const struct document *document = drawing->document;
    const struct lesson_beat *beat = document_beat(document);
    if (beat->mended < 0 || !document_answered(document))
        return;
    if (document->look.setting.variant != beat->mended)
        add(ways, (struct way){.label = _("See the fixed kernel"),
                               .primary = true,
                               .action = {ACTION_CHOOSE_VARIANT, .value = beat->mended}});
    else if (document->has_other)
        add(ways, (struct way){.label = _("Back to the faulty kernel (Tab)"), .action = {.kind = ACTION_COMPARE}});
}

enum outcome { OUTCOME_RIGHT, OUTCOME_RIGHT_LATER, OUTCOME_WRONG, OUTCOME_VOTED, OUTCOME_SKIPPED, OUTCOME_OPEN };

/* Returns how a guess went. Right later: the question was asked anew after the run had been seen. */
static enum outcome outcome_of(const struct guess *guess)
{
    if (guess->committed)
        return !guess->right ? OUTCOME_WRONG : guess->again ? OUTCOME_RIGHT_LATER : OUTCOME_RIGHT;
    return guess->voted ? OUTCOME_VOTED : guess->skipped ? OUTCOME_SKIPPED : OUTCOME_OPEN;
}

/* Returns the outcome as a sign and a word. */
static const char *outcome_words(enum outcome outcome)
{
    static const char *const words[] = {
        [OUTCOME_RIGHT] = N_("✓ right"),     [OUTCOME_RIGHT_LATER] = N_("✓ right later"),
        [OUTCOME_WRONG] = N_("× wrong"),     [OUTCOME_VOTED] = N_("– the class voted"),
        [OUTCOME_SKIPPED] = N_("– skipped"), [OUTCOME_OPEN] = N_("– open")};
    return _(words[outcome]);
}

/* Returns how many guesses went which way. Votes and skips are no guesses of one's own, so they count apart. */
static const char *guesses_caption(const struct drawing *drawing, const int counts[OUTCOME_OPEN + 1])
{
    struct arena *arena = drawing->arena;
    const char *text = arena_format(arena, _("Your guesses: %d right at first"), counts[OUTCOME_RIGHT]);
    if (counts[OUTCOME_RIGHT_LATER])
        text = arena_format(arena, _("%s, %d right later"), text, counts[OUTCOME_RIGHT_LATER]);
    if (counts[OUTCOME_WRONG])
        text = arena_format(arena, _("%s, %d wrong"), text, counts[OUTCOME_WRONG]);
    int const apart = counts[OUTCOME_VOTED] + counts[OUTCOME_SKIPPED];
    if (apart)
        text = arena_format(arena, _("%s, %d voted or skipped"), text, apart);
    return counts[OUTCOME_OPEN] ? arena_format(arena, _("%s, %d open"), text, counts[OUTCOME_OPEN]) : text;
}

static void guesses(const struct drawing *drawing, struct ways *ways)
{
    const struct document *document = drawing->document;
    int counts[OUTCOME_OPEN + 1] = {0};
    for (int i = 0; i < document->lesson->beat_count; i++)
        if (lesson_beat_asks(&document->lesson->beats[i]))
            counts[outcome_of(&document->guesses[i])]++;
    const char *caption = guesses_caption(drawing, counts);
    for (int i = 0; i < document->lesson->beat_count; i++)
        if (lesson_beat_asks(&document->lesson->beats[i])) {
            add(ways, (struct way){.caption = caption,
                                   .label = arena_format(drawing->arena, "%d: %s", i + 1,
                                                         outcome_words(outcome_of(&document->guesses[i]))),
                                   .tip = arena_format(drawing->arena, _("back to step %d: %s"), i + 1,
                                                       beat_title(drawing, &document->lesson->beats[i])),
                                   .action = {ACTION_GO_BEAT, .value = i}});
            caption = NULL;
        }
}

/* A knob with an effect that was not turned yet, else the current one. */
static void knob_to_try(const struct drawing *drawing, struct ways *ways, const char *caption)
{
    const struct document *document = drawing->document;
    const struct lesson *lesson = document->lesson;
    unsigned const idle = document_idle_knobs(document);
    int knob = document->knob;
    for (int k = lesson->knob_count - 1; k >= 0; k--)
        if (!((document->knobs_turned | idle) >> k & 1))
            knob = k;
    if (!lesson->knob_count)
        return;
    int const next = (document->look.setting.value[knob] + 1) % lesson->knobs[knob].value_count;
    add(ways, (struct way){.caption = caption,
                           .label = arena_format(drawing->arena, _("Try: %s"),
                                                 lesson_knob_label(&lesson->knobs[knob], next,
                                                                   drawing->preferences->language, drawing->arena)),
                           .tip = _("turns the knob; [ and ] turn it, too"),
                           .action = {ACTION_SET_KNOB, .value = knob, .other = next}});
}

/* After a knob was turned, the guess says nothing of the run on screen; the question can be asked at its own setting
 * again. */
static void ask_again(const struct drawing *drawing, struct ways *ways)
{
    if (document_guess(drawing->document)->committed && !document_guess_stands(drawing->document) && !drawing->in_class)
        add(ways, (struct way){.label = _("Try again"),
                               .tip = _("the question is asked anew, at its own setting (R)"),
                               .action = {.kind = ACTION_RESET}});
}

struct ways_view ways_now(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    struct ways ways = {.items = arena_array(drawing->arena, struct way, WAYS_MAX)};
    if (beat->kind == BEAT_BUG)
        from_bug(drawing, &ways);
    else
        ask_again(drawing, &ways);
    if (beat->kind == BEAT_REMEMBER) {
        guesses(drawing, &ways);
        if (drawing->next_lesson)
            add(&ways, (struct way){.caption = _("Go on"),
                                    .label = arena_format(drawing->arena, _("Next lesson: %s"), drawing->next_lesson),
                                    .primary = true,
                                    .action = {.kind = ACTION_NEXT_LESSON}});
        else
            add(&ways, (struct way){.caption = _("Go on"),
                                    .label = _("All lessons"),
                                    .primary = true,
                                    .action = {.kind = ACTION_HOME}});
        knob_to_try(drawing, &ways, NULL);
    }
    return (struct ways_view){ways.items, ways.count};
}
