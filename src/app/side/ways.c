/* The ways on from a step: from a bug to the mended kernel, from the last step back to the guesses and on to the next
 * lesson. */
#include "app/side/side.h"

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
        add(ways, (struct way){.label = _("See the mended kernel"),
                               .primary = true,
                               .action = {WANT_VARIANT, .value = beat->mended}});
    else if (document->has_other)
        add(ways, (struct way){.label = _("Back to the faulty kernel (Tab)"), .action = {.kind = WANT_COMPARE}});
}

static bool asks_ever(const struct lesson_beat *beat)
{
    return beat->kind == BEAT_ASK || beat->kind == BEAT_OBSERVE || beat->kind == BEAT_MARK || beat->kind == BEAT_BUG;
}

/* How a guess went: a sign and a word. */
static const char *outcome(const struct guess *guess)
{
    if (guess->committed)
        return guess->right ? _("✓ right") : _("× wrong");
    if (guess->voted)
        return _("– the class voted");
    return guess->skipped ? _("– skipped") : _("– open");
}

static void guesses(const struct drawing *drawing, struct ways *ways)
{
    const struct document *document = drawing->document;
    int asked = 0, right = 0;
    for (int i = 0; i < document->lesson->beat_count; i++)
        if (asks_ever(&document->lesson->beats[i])) {
            asked++;
            right += document->guesses[i].committed && document->guesses[i].right;
        }
    const char *caption = arena_format(drawing->arena, _("Your guesses: %d of %d right"), right, asked);
    for (int i = 0; i < document->lesson->beat_count; i++)
        if (asks_ever(&document->lesson->beats[i])) {
            add(ways,
                (struct way){.caption = caption,
                             .label = arena_format(drawing->arena, "%d %s", i + 1, outcome(&document->guesses[i])),
                             .tip = arena_format(drawing->arena, _("back to step %d"), i + 1),
                             .action = {WANT_STEP, .index = i}});
            caption = NULL;
        }
}

/* A knob that was not turned yet, else the current one. */
static void knob_to_try(const struct drawing *drawing, struct ways *ways, const char *caption)
{
    const struct document *document = drawing->document;
    const struct lesson *lesson = document->lesson;
    int knob = document->knob;
    for (int k = lesson->knob_count - 1; k >= 0; k--)
        if (!(document->knobs_turned >> k & 1))
            knob = k;
    if (!lesson->knob_count)
        return;
    int const next = (document->look.setting.value[knob] + 1) % lesson->knobs[knob].value_count;
    const char *label = lesson->knobs[knob].label[drawing->preferences->language];
    add(ways, (struct way){.caption = caption,
                           .label = arena_format(drawing->arena, _("Try: %s %lld"), label,
                                                 (long long)lesson->knobs[knob].values[next]),
                           .tip = _("turns the knob; [ and ] turn it, too"),
                           .action = {WANT_TURN, .index = knob, .value = next}});
}

struct ways_view ways_now(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    struct ways ways = {.items = arena_array(drawing->arena, struct way, WAYS_MAX)};
    if (beat->kind == BEAT_BUG)
        from_bug(drawing, &ways);
    if (beat->kind == BEAT_REMEMBER) {
        guesses(drawing, &ways);
        if (drawing->next_lesson)
            add(&ways, (struct way){.caption = _("Go on"),
                                    .label = arena_format(drawing->arena, _("Next lesson: %s"), drawing->next_lesson),
                                    .primary = true,
                                    .action = {.kind = WANT_NEXT_LESSON}});
        else
            add(&ways, (struct way){.caption = _("Go on"),
                                    .label = _("All lessons"),
                                    .primary = true,
                                    .action = {.kind = WANT_LESSONS}});
        knob_to_try(drawing, &ways, NULL);
    }
    return (struct ways_view){ways.items, ways.count};
}
