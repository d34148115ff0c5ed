/* Every lesson on paper: all words of a step are on its pages, no answer stands before the section of answers, and
 * nothing leaves a page, overlaps or is too small to read. */
#include "app/handout.h"
#include "lesson/lesson.h"
#include "lint.h"
#include "platform/platform.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../fake_metrics.h"
#include "lesson_folder.h"
#include "sanitized.h"
#include "trace_samples.h"

enum { BEATS_MAX = 64, PIECES_MAX = 64, WIDTH = 1600, SMALLEST = 16 };

static struct platform *platform;
static int problems;

struct seen {
    const char *lesson;
    int height, pages;
    struct arena arena;
    char *questions[BEATS_MAX], *answers[BEATS_MAX]; /* the texts of a step's pages, without spaces */
    char *before;                                    /* all texts before the answers */
};

static char *squeezed(struct arena *arena, const char *text)
{
    size_t out = 0;
    char *result = arena_alloc(arena, strlen(text) + 1);
    for (; *text; text++) {
        bool const unbroken = strncmp(text, "\u00a0", 2) == 0;
        if (*text != ' ' && *text != '\n' && !unbroken)
            result[out++] = *text;
        text += unbroken;
    }
    result[out] = 0;
    return result;
}

static bool see_page(void *context, const struct handout_page *page, struct error *error)
{
    (void)error;
    struct seen *seen = context;
    struct arena arena = {0};
    struct text_metrics const metrics = platform_metrics(platform);
    struct lint_options const options = {
        .screen = {0, 0, WIDTH, (float)seen->height}, .background = page->background, .minimum_size = SMALLEST};
    const char **findings, *text = "";
    size_t const count = lint_draw_list(page->list, &metrics, &options, &arena, &findings);
    for (size_t i = 0; i < count; i++, problems++)
        print_message("%s, page %d (%s): %s\n", seen->lesson, page->number, page->reopen, findings[i]);
    assert_int_equal(page->number, ++seen->pages);
    for (size_t i = 0; i < page->list->count; i++)
        if (page->list->items[i].kind == DRAW_TEXT)
            text = arena_format(&arena, "%s%s", text, page->list->items[i].text);
    char **all = page->answers ? &seen->answers[page->beat] : &seen->questions[page->beat];
    text = squeezed(&arena, text);
    *all = arena_format(&seen->arena, "%s%s", *all ? *all : "", text);
    if (!page->answers)
        seen->before = arena_format(&seen->arena, "%s%s", seen->before ? seen->before : "", text);
    arena_free(&arena);
    return true;
}

/* Returns whether the paragraph depends on a condition: {?...}. */
static bool is_conditional(const struct text_paragraph *paragraph)
{
    for (size_t i = 0; i < paragraph->span_count; i++)
        if (strstr(paragraph->spans[i].text, "{?"))
            return true;
    return false;
}

enum { FIGURE_MOST = 64 }; /* bytes of a number in place of an expression */

/* Returns the end of `pieces` in the text, where they follow one another with at most a figure between; NULL: they do
 * not stand there. */
static const char *match(const char *text, char **pieces, size_t count)
{
    if (!count)
        return text;
    const char *end;
    for (const char *at = strstr(text, pieces[0]); at && at - text <= FIGURE_MOST; at = strstr(at + 1, pieces[0]))
        if ((end = match(at + strlen(pieces[0]), pieces + 1, count - 1)))
            return end;
    return NULL;
}

static bool holds(const char *pages, char **pieces, size_t count)
{
    for (const char *at = pages && count ? strstr(pages, pieces[0]) : NULL; at; at = strstr(at + 1, pieces[0]))
        if (match(at + strlen(pieces[0]), pieces + 1, count - 1))
            return true;
    return !count;
}

/* Divides a paragraph at its expressions, whose values depend on the run. Returns the number of pieces, and their bytes
 * in *length. */
static size_t pieces_of(struct seen *seen, const struct text_paragraph *paragraph, char **pieces, size_t *length)
{
    const char *whole = "";
    size_t count = 0;
    *length = 0;
    for (size_t i = 0; i < paragraph->span_count; i++)
        whole = arena_format(&seen->arena, "%s%s", whole, paragraph->spans[i].text);
    while (*whole) {
        size_t const plain = strcspn(whole, "{");
        char *piece = squeezed(&seen->arena, arena_text_n(&seen->arena, whole, plain));
        if (*piece) {
            assert_true(count < PIECES_MAX);
            pieces[count++] = piece;
            *length += strlen(piece);
        }
        whole += plain;
        whole += strcspn(whole, "}") + (whole[strcspn(whole, "}")] == '}');
    }
    return count;
}

/* Complains about a paragraph that is in `pages` although it should not be, or is not although it should. One under a
 * condition may be left out, but only whole. A few words may stand anywhere. */
static void check_paragraph(struct seen *seen, int beat, const struct text_paragraph *paragraph, const char *pages,
                            bool wanted)
{
    enum { TELLING = 20 };
    char *pieces[PIECES_MAX];
    size_t length, longest = 0;
    size_t const count = pieces_of(seen, paragraph, pieces, &length);
    for (size_t i = 0; i < count; i++)
        longest = strlen(pieces[i]) > strlen(pieces[longest]) ? i : longest;
    if (!count)
        return;
    bool const there = holds(pages, pieces, count), conditional = is_conditional(paragraph);
    bool const begun = conditional && strlen(pieces[longest]) >= TELLING && pages && strstr(pages, pieces[longest]);
    bool const wrong = wanted ? !there && (begun || !conditional) : there && length >= TELLING;
    if (!wrong)
        return;
    problems++;
    print_message("%s, step %d: \"%s ...\" is %s\n", seen->lesson, beat + 1, pieces[0],
                  wanted ? "not whole on its pages" : "told before the answers");
}

static void check_words(struct seen *seen, int beat, const struct lesson_text *text, const char *pages, bool wanted)
{
    for (size_t i = 0; i < text->count; i++)
        check_paragraph(seen, beat, &text->paragraphs[i], pages, wanted);
}

/* A choice stands on the page of its question. */
static void check_choice(struct seen *seen, int beat, const char *words)
{
    struct text_span const span = {.text = words};
    struct text_paragraph const paragraph = {.spans = &span, .span_count = 1};
    check_paragraph(seen, beat, &paragraph, seen->questions[beat], true);
}

static bool asks(const struct lesson_beat *beat)
{
    return beat->kind == BEAT_ASK || beat->kind == BEAT_OBSERVE || beat->kind == BEAT_MARK || beat->kind == BEAT_BUG;
}

static void look_at_lesson(const char *name, enum language language, int height)
{
    struct lesson *lesson;
    struct error error = {0};
    struct text_metrics const metrics = platform_metrics(platform);
    struct seen seen = {.lesson = name, .height = height};
    struct app_options const options = {.lesson = name,
                                        .on = EXECUTOR_EMULATOR,
                                        .language = language == LANGUAGE_KO ? "ko" : "en",
                                        .theme = "light",
                                        .reduced_motion = true,
                                        .width = WIDTH,
                                        .height = height,
                                        .scale = 1};
    assert_true(lesson_load(name, &lesson, &error));
    assert_true(lesson->beat_count <= BEATS_MAX);
    if (!handout_draw(&options, HANDOUT_AT_END, &metrics, see_page, &seen, &error))
        fail_msg("%s: %s", name, error.message);
    for (int i = 0; i < lesson->beat_count; i++) {
        const struct lesson_beat *beat = &lesson->beats[i];
        check_words(&seen, i, &beat->words[language], seen.questions[i], true);
        if (!asks(beat) && beat->kind != BEAT_TASK)
            continue;
        check_words(&seen, i, &beat->after[language], seen.answers[i], true);
        check_words(&seen, i, &beat->after[language], seen.before, false);
        for (int k = 0; beat->wrong[language] && k < beat->choice_count; k++)
            check_words(&seen, i, &beat->wrong[language][k], seen.before, false);
        for (int k = 0; beat->choice_words[language] && k < beat->choice_count; k++)
            check_choice(&seen, i, beat->choice_words[language][k]);
    }
    arena_free(&seen.arena);
    lesson_free(lesson);
}

static void every_lesson_is_whole_on_paper(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char **names;
    struct error *errors, error;
    size_t error_count;
    size_t const count = lesson_names_installed(&arena, &names, &errors, &error_count);
    assert_true(count > 0);
    assert_int_equal(error_count, 0);
    assert_true(platform_open_headless(&platform, &error));
    for (size_t i = 0; i < count; i += SANITIZED ? 3 : 1) /* A4 and Letter, and both languages, in turn */
        look_at_lesson(names[i], i % 2 ? LANGUAGE_KO : LANGUAGE_EN, i / 2 % 2 ? 1236 : 1131);
    platform_close(platform);
    arena_free(&arena);
    assert_int_equal(problems, 0);
}

/* The pages with answers, and where they stand. */
struct order {
    int pages, answers, behind_question; /* answers whose page follows one of the same step */
    int last_beat;
};

static bool note_order(void *context, const struct handout_page *page, struct error *error)
{
    struct order *order = context;
    (void)error;
    order->pages++;
    order->answers += page->answers;
    order->behind_question += page->answers && page->beat == order->last_beat;
    order->last_beat = page->beat;
    return true;
}

static struct order order_of(enum handout_answers answers)
{
    struct text_metrics const metrics = fake_metrics();
    struct app_options const options = {.lesson = "banks",
                                        .on = EXECUTOR_EMULATOR,
                                        .language = "en",
                                        .reduced_motion = true,
                                        .width = WIDTH,
                                        .height = 1131,
                                        .scale = 1};
    struct order order = {.last_beat = -1};
    struct error error;
    if (!handout_draw(&options, answers, &metrics, note_order, &order, &error))
        fail_msg("%s", error.message);
    return order;
}

static void a_sheet_for_students_has_no_answers_and_one_for_teachers_each_behind_its_question(void **state)
{
    (void)state;
    struct order const end = order_of(HANDOUT_AT_END), student = order_of(HANDOUT_STUDENT),
                       teacher = order_of(HANDOUT_TEACHER);
    assert_true(end.answers > 0);
    assert_int_equal(student.answers, 0);
    assert_int_equal(student.pages, end.pages - end.answers);
    assert_int_equal(teacher.pages, end.pages);
    assert_int_equal(teacher.behind_question, teacher.answers);
    assert_int_equal(teacher.answers, end.answers);
    assert_true(end.behind_question < end.answers);
}

struct paper {
    int pages;
    bool told; /* the last page says that more is left out */
};

static bool count_page(void *context, const struct handout_page *page, struct error *error)
{
    struct paper *paper = context;
    (void)error;
    assert_int_equal(page->number, ++paper->pages);
    paper->told = false;
    for (size_t i = 0; i < page->list->count; i++)
        paper->told |= page->list->items[i].kind == DRAW_TEXT &&
                       strstr(page->list->items[i].text, "the last of 200 pages: further findings and lines");
    return true;
}

static struct paper file_on_paper(uint32_t findings)
{
    char path[] = "/tmp/lanescope-handout-XXXXXX.trace";
    struct text_metrics const metrics = fake_metrics();
    struct app_options const options = {.trace_path = path,
                                        .on = EXECUTOR_EMULATOR,
                                        .language = "en",
                                        .reduced_motion = true,
                                        .width = WIDTH,
                                        .height = 1131,
                                        .scale = 1};
    struct paper paper = {0};
    struct error error;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    sample_access(trace, 0, 0, SITE_LOAD, UINT32_MAX, SAMPLE_BUFFER, 4, false);
    trace->finding_count = findings;
    trace->findings = arena_array(&trace->arena, struct finding, findings);
    for (uint32_t i = 0; i < findings; i++)
        trace->findings[i] = (struct finding){
            .form = FINDING_TEXT, .kind = FINDING_OTHER, .at = {.line = 3}, .text = {"other", "a finding"}};
    close(mkstemps(path, 6));
    bool const shown = trace_write(trace, path, &error) &&
                       handout_draw(&options, HANDOUT_AT_END, &metrics, count_page, &paper, &error);
    unlink(path);
    trace_free(trace);
    if (!shown)
        fail_msg("%s", error.message);
    return paper;
}

static void a_file_of_many_findings_ends_after_200_pages_and_says_so(void **state)
{
    (void)state;
    struct paper const few = file_on_paper(199), many = file_on_paper(300);
    assert_int_equal(few.pages, 200); /* and one for the access */
    assert_false(few.told);
    assert_int_equal(many.pages, 200);
    assert_true(many.told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lesson_is_whole_on_paper),
        cmocka_unit_test(a_sheet_for_students_has_no_answers_and_one_for_teachers_each_behind_its_question),
        cmocka_unit_test(a_file_of_many_findings_ends_after_200_pages_and_says_so),
    };
    return cmocka_run_group_tests(tests, lesson_folder_make, lesson_folder_remove);
}
