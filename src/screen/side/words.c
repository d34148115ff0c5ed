/* The words of a step: the question, or behind it the answer; and what is said to a guess. */
#include "screen/side/side.h"
#include <math.h>
#include <string.h>

/* The words of a choice; NULL: it is shown as its number. */
static const char *choice_words(const struct drawing *drawing, int choice)
{
    const char **words = document_beat(drawing->document)->choice_words[drawing->preferences->language];
    return words ? document_fill(drawing->document, drawing->arena, words[choice]) : NULL;
}

const char *choice_label(const struct drawing *drawing, int choice)
{
    const char *words = choice_words(drawing, choice);
    return words ? words : arena_format(drawing->arena, "%g", document_beat(drawing->document)->choices[choice]);
}

const char *beat_name(const struct lesson_beat *beat)
{
    switch (beat->kind) {
    case BEAT_ASK:
        return _("Predict");
    case BEAT_OBSERVE:
        return _("Look");
    case BEAT_MARK:
        return _("Play the machine");
    case BEAT_BUG:
        return _("Find the bug");
    case BEAT_TASK:
        return _("Task");
    case BEAT_REMEMBER:
        return _("Remember");
    case BEAT_TELL:
        break;
    }
    return _("Explanation");
}

const char *beat_title(const struct drawing *drawing, const struct lesson_beat *beat)
{
    const char *title = beat->title[drawing->preferences->language];
    return title ? title : beat_name(beat);
}

const char *beat_full_name(const struct drawing *drawing, const struct lesson_beat *beat)
{
    return beat->kind == BEAT_TELL || !beat->title[drawing->preferences->language]
               ? beat_title(drawing, beat)
               : arena_format(drawing->arena, "%s · %s", beat_name(beat), beat_title(drawing, beat));
}

static const char *step_title(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    const struct guess *guess = document_guess(drawing->document);
    int step = drawing->document->beat + 1;
    if (document_asks(drawing->document))
        return arena_format(drawing->arena,
                            beat->kind == BEAT_OBSERVE ? _("STEP %d · LOOK")
                            : beat->kind == BEAT_BUG   ? _("STEP %d · FIND THE BUG")
                            : beat->kind == BEAT_MARK  ? _("STEP %d · PLAY THE MACHINE")
                                                       : _("STEP %d · PREDICT"),
                            step);
    if (beat->kind == BEAT_REMEMBER)
        return arena_format(drawing->arena, _("STEP %d · REMEMBER"), step);
    if (guess->committed && !document_guess_stands(drawing->document))
        return arena_format(drawing->arena, _("STEP %d · ANOTHER SETTING"), step);
    if (guess->committed && guess->line)
        return arena_format(drawing->arena, _("STEP %d · YOU PICKED LINE %u"), step, guess->line);
    if (guess->committed && guess->chosen >= 0 && !choice_words(drawing, guess->chosen))
        return arena_format(drawing->arena, _("STEP %d · YOU GUESSED %g"), step, beat->choices[guess->chosen]);
    if (guess->voted)
        return arena_format(drawing->arena, _("STEP %d · THE CLASS VOTED"), step);
    if (beat->kind == BEAT_TASK)
        return arena_format(drawing->arena,
                            document_task_done(drawing->document) ? _("STEP %d · TASK DONE ✓") : _("STEP %d · TASK"),
                            step);
    const char *title = beat->title[drawing->preferences->language];
    return title && beat->kind == BEAT_TELL ? arena_format(drawing->arena, _("STEP %d · %s"), step, title)
                                            : arena_format(drawing->arena, _("STEP %d"), step);
}

/* Returns "12 of 30 said 8. 15 said 4." with the right answer first; NULL if no votes were counted. */
static const char *votes_words(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    const struct guess *guess = document_guess(drawing->document);
    unsigned total = 0;
    double value = 0;
    for (int i = 0; i < beat->choice_count; i++)
        total += guess->votes[i];
    if (!total || !document_answered(drawing->document) || !document_answer(drawing->document, &value))
        return NULL;
    const char *said = "";
    for (int wrong = 0; wrong < 2; wrong++)
        for (int i = 0; i < beat->choice_count; i++) {
            bool const right = fabs(value - beat->choices[i]) < 1e-9;
            if (right == wrong || (wrong && !guess->votes[i]))
                continue;
            const char *label = choice_words(drawing, i);
            label = label ? arena_format(drawing->arena, _("“%s”"), label)
                          : arena_format(drawing->arena, "%g", beat->choices[i]);
            said = wrong ? arena_format(drawing->arena, _("%s %u said %s."), said, guess->votes[i], label)
                         : arena_format(drawing->arena, _("%u of %u said %s."), guess->votes[i], total, label);
        }
    return said;
}

/* Returns the result of a guess among sentences. */
static const char *worded_verdict(const struct drawing *drawing, bool right, double value)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    const char *said = choice_words(drawing, document_guess(drawing->document)->chosen);
    if (right)
        return arena_format(drawing->arena, _("You said: %s. That is right."), said);
    for (int i = 0; i < beat->choice_count; i++)
        if (fabs(value - beat->choices[i]) < 1e-9)
            return arena_format(drawing->arena, _("You said: %s. The run says: %s."), said, choice_words(drawing, i));
    return arena_format(drawing->arena, _("You said: %s. The run says otherwise."), said);
}

/* Returns the result of a guess or a task. */
const char *beat_verdict(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    const struct guess *guess = document_guess(drawing->document);
    if (beat->kind == BEAT_TASK && !document_task_done(drawing->document))
        return _("Not there yet: try other settings.");
    bool const variables = beat->kind == BEAT_MARK && document_mark_cells(drawing->document) == CELLS_VARIABLES;
    if (document_asks_cells(drawing->document) && variables)
        return _("Drag each variable to its place, or click both. Or: arrows and 1 to 6.");
    if (document_asks_cells(drawing->document) && marks_framed(document_mark_cells(drawing->document)))
        return _("Drag a frame around the pixels. Or: arrows, and Space at two corners.");
    if (document_asks_cells(drawing->document))
        return document_mark_cells(drawing->document) == CELLS_BANKS
                   ? _("A click on a bank adds a word, the other button takes one away. Or: arrows, Space, Backspace.")
                   : _("Mark the cells: click or drag. Or: arrows and Space.");
    if (document_asks_line(drawing->document))
        return _("Click the line. Or: ↑ and ↓.");
    bool right;
    double value;
    const char *votes = votes_words(drawing);
    if (votes || !document_guess_right(drawing->document, &right))
        return votes;
    if (variables)
        return arena_format(drawing->arena, _("%u right, %u in a wrong place, %u not placed."), guess->counts.right,
                            guess->counts.extra, guess->counts.missing);
    if (beat->kind == BEAT_MARK)
        return arena_format(drawing->arena, _("%u right, %u missing, %u too many."), guess->counts.right,
                            guess->counts.missing, guess->counts.extra);
    if (beat->kind == BEAT_BUG)
        return arena_format(drawing->arena,
                            right ? _("You picked line %u, and that is the one.")
                                  : _("You picked line %u; the bug is in line %u."),
                            guess->line, document_wrong_line(drawing->document));
    if (!document_answer(drawing->document, &value))
        return NULL;
    double const chosen = beat->choices[guess->chosen];
    if (choice_words(drawing, guess->chosen))
        return worded_verdict(drawing, right, value);
    if (right)
        return arena_format(drawing->arena, _("You guessed %g, and that is right."), chosen);
    return arena_format(drawing->arena, _("You guessed %g; the run says %g."), chosen, value);
}

static struct lesson_text joined(const struct drawing *drawing, struct lesson_text first, struct lesson_text second)
{
    struct text_paragraph *both = arena_array(drawing->arena, struct text_paragraph, first.count + second.count + 1);
    for (size_t i = 0; i < first.count + second.count; i++)
        both[i] = i < first.count ? first.paragraphs[i] : second.paragraphs[i - first.count];
    return (struct lesson_text){both, first.count + second.count};
}

/* The last paragraph of an answered question, which asks it. */
static struct lesson_text question_asked(const struct drawing *drawing)
{
    const struct lesson_text *words = &document_beat(drawing->document)->words[drawing->preferences->language];
    if (!document_answered(drawing->document) || !words->count)
        return (struct lesson_text){0};
    struct lesson_text const last = {&words->paragraphs[words->count - 1], 1};
    return document_fill_words(drawing->document, drawing->arena, &last);
}

/* Puts the wrong line of a bug above the words. */
static struct lesson_text below_bug(const struct drawing *drawing, struct lesson_text text)
{
    const struct bug *bug = document_bug(drawing->document);
    const char *at = bug->faulty;
    for (uint32_t line = 1; line < bug->wrong; line++)
        at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
    at += strspn(at, " ");
    struct text_span *spans = arena_array(drawing->arena, struct text_span, 2);
    struct text_paragraph *paragraph = arena_new(drawing->arena, struct text_paragraph);
    spans[0] = (struct text_span){.style = TEXT_BOLD,
                                  .text = arena_format(drawing->arena, _("× line %u is wrong"), bug->wrong)};
    spans[1] = (struct text_span){
        .style = TEXT_CODE,
        .text = arena_format(drawing->arena, " %s", arena_text_n(drawing->arena, at, strcspn(at, "\n")))};
    *paragraph = (struct text_paragraph){.spans = spans, .span_count = 2};
    return joined(drawing, (struct lesson_text){paragraph, 1}, text);
}

/* The reply to a wrong guess, and behind it the explanation. */
static struct lesson_text reply_and_after(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    enum language const language = drawing->preferences->language;
    struct lesson_text const after = document_fill_words(drawing->document, drawing->arena, &beat->after[language]);
    bool right = true;
    if (!document_guess_right(drawing->document, &right) || right)
        return after;
    int const chosen = document_guess(drawing->document)->chosen;
    const struct lesson_text *wrong = &beat->wrong[language][chosen >= 0 ? chosen : beat->choice_count];
    struct lesson_text const reply = document_fill_words(drawing->document, drawing->arena, wrong);
    return joined(drawing, reply, after);
}

/* Puts a bold line above the words. */
static struct lesson_text below_line(const struct drawing *drawing, const char *line, struct lesson_text text)
{
    struct text_span *span = arena_new(drawing->arena, struct text_span);
    struct text_paragraph *paragraph = arena_new(drawing->arena, struct text_paragraph);
    *span = (struct text_span){.style = TEXT_BOLD, .text = line};
    *paragraph = (struct text_paragraph){.spans = span, .span_count = 1};
    return joined(drawing, (struct lesson_text){paragraph, 1}, text);
}

/* Says above the words that a GPU refuses this launch, of which no block fits on a multiprocessor. */
static struct lesson_text with_refusal(const struct drawing *drawing, struct lesson_text text)
{
    const struct run *run = drawing->document->run;
    if (!run || !run->occupancy.limits || run->occupancy.got.blocks)
        return text;
    return below_line(drawing,
                      arena_format(drawing->arena,
                                   _("No block of this launch fits on a multiprocessor of compute capability %s, so a "
                                     "GPU refuses it. The emulator runs it all the same."),
                                   run->occupancy.limits->capability),
                      text);
}

/* Says above the words whose figures they hold where another variant is on screen than the one that the step is about,
 * and that something is left out where this setting lacks an access of which they speak. */
static struct lesson_text with_other_setting(const struct drawing *drawing, struct lesson_text text, bool after)
{
    const struct document *document = drawing->document;
    const struct lesson_beat *beat = document_beat(document);
    enum language const language = drawing->preferences->language;
    int const own = document_setting_of_beat(document, document->beat).variant, here = document->look.setting.variant;
    if (run_lacks_accesses(document->run, document->lesson, &document->look.setting, drawing->arena,
                           after ? &beat->after[language] : &beat->words[language]))
        return below_line(
            drawing, _("This setting does not make an access that the step speaks of. What it says of it is left out."),
            text);
    if (own == here || beat->kind == BEAT_TASK || beat->kind == BEAT_REMEMBER)
        return text;
    return below_line(drawing,
                      arena_format(drawing->arena, _("About \"%s\". On screen is \"%s\", with its own figures."),
                                   document_variant_label(document, drawing->arena, language, own),
                                   document_variant_label(document, drawing->arena, language, here)),
                      text);
}

/* Returns the current words: the question or, once it is answered, its last paragraph and the answer. */
struct words_view words_now(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    bool const after =
        document_answered(drawing->document) || (beat->kind == BEAT_TASK && document_task_done(drawing->document));
    struct lesson_text const text =
        after && beat->after[drawing->preferences->language].count
            ? joined(drawing, question_asked(drawing),
                     drawing->bug_aside ? below_bug(drawing, reply_and_after(drawing)) : reply_and_after(drawing))
            : document_fill_words(drawing->document, drawing->arena, &beat->words[drawing->preferences->language]);
    struct lesson_text const all = with_refusal(drawing, with_other_setting(drawing, text, after));
    struct lesson_text const marked =
        glossary_mark(drawing->glossary, drawing->preferences->language, drawing->arena, &all, 0);
    return (struct words_view){.title = step_title(drawing),
                               .paragraphs = marked.paragraphs,
                               .count = marked.count,
                               .hint = beat_verdict(drawing),
                               .hint_first = document_answered(drawing->document),
                               .size = text_body(drawing->ui)};
}

static const char *line_of(const struct drawing *drawing, const struct text_paragraph *paragraph)
{
    const char *line = "";
    for (size_t i = 0; i < paragraph->span_count; i++)
        line = arena_format(drawing->arena, "%s%s", line, paragraph->spans[i].text);
    return line;
}

/* Returns the first sentences of the line that say something: "4. That is more than along a row." and not "4." */
static const char *first_sentences(const struct drawing *drawing, const char *line)
{
    enum { LEAST = 48, MOST = 260 }; /* bytes */
    size_t length = 0;
    for (const char *end = line; length < LEAST && (end = strstr(end, ". ")); end += 2)
        length = (size_t)(end - line) + 1;
    length = length < LEAST ? strlen(line) : length;
    return length <= MOST ? arena_text_n(drawing->arena, line, length) : "";
}

const char *beat_reason(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    struct lesson_text const after =
        document_fill_words(drawing->document, drawing->arena, &beat->after[drawing->preferences->language]);
    return after.count ? first_sentences(drawing, line_of(drawing, &after.paragraphs[0])) : "";
}

/* Returns the words that explain the step now; none while it asks. */
static struct lesson_text explanation(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    enum language const language = drawing->preferences->language;
    bool const after =
        document_answered(drawing->document) ||
        (beat->kind == BEAT_TASK && document_task_done(drawing->document) && beat->after[language].count);
    if (document_asks(drawing->document))
        return (struct lesson_text){0};
    return after ? reply_and_after(drawing)
                 : document_fill_words(drawing->document, drawing->arena, &beat->words[language]);
}

const char *beat_first_words(const struct drawing *drawing)
{
    struct lesson_text const text = explanation(drawing);
    return text.count ? first_sentences(drawing, line_of(drawing, &text.paragraphs[0])) : "";
}

const char *beat_further_words(const struct drawing *drawing)
{
    struct lesson_text const text = explanation(drawing);
    const char *words = "";
    for (size_t i = 0; i < text.count; i++)
        words = arena_format(drawing->arena, "%s%s%s", words, i ? " " : "", line_of(drawing, &text.paragraphs[i]));
    words += strlen(beat_first_words(drawing));
    return words + strspn(words, " ");
}

/* Returns the last paragraph of the words that is no list as one line, for places with little room. */
const char *beat_last_words(const struct drawing *drawing)
{
    struct words_view words = words_now(drawing);
    size_t last = words.count;
    for (size_t i = 0; i < words.count; i++)
        last = words.paragraphs[i].item && last < words.count ? last : i;
    return words.count ? line_of(drawing, &words.paragraphs[last]) : "";
}

/* A student alone has no class: the votes count where a teacher presents, or has counted some. */
static bool class_votes(const struct drawing *drawing)
{
    const struct guess *guess = document_guess(drawing->document);
    for (int i = 0; i < CHOICES_MAX; i++)
        if (guess->votes[i])
            return true;
    return drawing->preferences->presenting;
}

struct question_view question_now(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    const char **choices = arena_array(drawing->arena, const char *, (size_t)beat->choice_count + 1);
    for (int i = 0; i < beat->choice_count; i++)
        choices[i] = choice_label(drawing, i);
    return (struct question_view){.choices = choices,
                                  .count = beat->choice_count,
                                  .chosen = document_guess(drawing->document)->chosen,
                                  .commit = document_asks_line(drawing->document)    ? _("This line")
                                            : document_asks_cells(drawing->document) ? _("Check")
                                                                                     : NULL,
                                  .hint = document_asks_cells(drawing->document) ? beat_verdict(drawing) : NULL,
                                  .class_voted = class_votes(drawing),
                                  .ready = document_can_commit(drawing->document),
                                  .worded = beat->choice_words[drawing->preferences->language] != NULL};
}
