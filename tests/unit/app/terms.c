/* The first lesson shows no term before the step whose words explain it, in bold: neither in its words nor in the
 * panels, the code, the timeline and what the mouse names. It has no word of caches. */
#include "lesson/lesson_run.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "app_helper.h"

/* Terms by their beginning, in lower case. */
static const char *const terms[][LANGUAGE_COUNT] = {{"sector", "섹터"}, {"chunk", "청크"},       {"bank", "뱅크"},
                                                    {"pass", "패스"},   {"conflict", "충돌"},    {"slot", "슬롯"},
                                                    {"warp", "워프"},   {"timeline", "타임라인"}};
enum { TERMS = (int)(sizeof terms / sizeof *terms), WIDTH = 1366, HEIGHT = 768 };

static bool has_term(const char *text, const char *term)
{
    char lower[1024];
    size_t length = 0;
    for (; text[length] && length + 1 < sizeof lower; length++)
        lower[length] = (char)tolower((unsigned char)text[length]);
    lower[length] = 0;
    return strstr(lower, term) != NULL;
}

/* Returns the first step whose words have the term in bold; the number of steps: none. */
static int step_of(const struct lesson *lesson, enum language language, const char *term)
{
    for (int b = 0; b < lesson->beat_count; b++) {
        const struct lesson_text *texts[] = {&lesson->beats[b].words[language], &lesson->beats[b].after[language]};
        for (int t = 0; t < 2; t++)
            for (size_t i = 0; i < texts[t]->count; i++)
                for (size_t k = 0; k < texts[t]->paragraphs[i].span_count; k++) {
                    const struct text_span *span = &texts[t]->paragraphs[i].spans[k];
                    if (span->style == TEXT_BOLD && has_term(span->text, term))
                        return b;
                }
    }
    return lesson->beat_count;
}

/* Returns whether a text is the button to the next step, which names it. */
static bool leads_on(const char *text)
{
    size_t const length = strlen(text), sign = strlen("›");
    return length > sign && strcmp(text + length - sign, "›") == 0;
}

/* Returns the first text of the frame with the term, or NULL. */
static const char *find(struct app *app, const char *term)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && !leads_on(list->items[i].text) && has_term(list->items[i].text, term))
            return list->items[i].text;
    return NULL;
}

/* Fails where a frame has a term of a later step. */
static void expect_none(struct app *app, const struct lesson *lesson, enum language language, int step)
{
    for (int i = 0; i < TERMS; i++) {
        int const told = step_of(lesson, language, terms[i][language]);
        const char *text = told > step && told < lesson->beat_count ? find(app, terms[i][language]) : NULL;
        if (text)
            fail_msg("step %d shows \"%s\", but step %d explains \"%s\"", step + 1, text, told + 1, terms[i][language]);
    }
}

static void the_first_lesson_never_offers_the_caches(void **state)
{
    (void)state;
    struct lesson *lesson;
    assert_true(lesson_load("start", &lesson, NULL));
    for (int language = 0; language < LANGUAGE_COUNT; language++)
        for (int step = 0; step < lesson->beat_count; step++) {
            struct app_options options = app_options_of("start", step + 1);
            options.language = language == LANGUAGE_KO ? "ko" : "en";
            options.answered = true;
            struct app *app = app_opened(&options, NULL);
            const char *text = find(app, language == LANGUAGE_KO ? "캐시" : "cache");
            if (text)
                fail_msg("step %d shows \"%s\", but no step explains caches", step + 1, text);
            app_free(app);
        }
    lesson_free(lesson);
}

static void the_first_lesson_explains_a_term_before_it_shows_it(void **state)
{
    (void)state;
    enum { ACROSS = 9, DOWN = 15, COLUMN = 24 };
    struct lesson *lesson;
    assert_true(lesson_load("start", &lesson, NULL));
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        assert_true(step_of(lesson, (enum language)language, terms[0][language]) > 2); /* sectors have a step */
        for (int step = 0; step < lesson->beat_count; step++) {
            struct app_options options = app_options_of("start", step + 1);
            options.language = language == LANGUAGE_KO ? "ko" : "en";
            struct app *app = app_opened(&options, NULL); /* a large window, with all that has room there */
            expect_none(app, lesson, (enum language)language, step);
            app_event(app, &(struct app_event){.kind = APP_RESIZE, .width = WIDTH, .height = HEIGHT, .scale = 1});
            expect_none(app, lesson, (enum language)language, step);
            for (int i = 0; i < ACROSS * DOWN && lesson->beats[step].later; i++) { /* what the mouse names */
                app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE,
                                                   .x = (float)(130 + i % ACROSS * 4 * COLUMN),
                                                   .y = (float)(70 + i / ACROSS * 45)});
                app_frame(app, 1e6);
                expect_none(app, lesson, (enum language)language, step);
            }
            app_free(app);
        }
    }
    lesson_free(lesson);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_lesson_explains_a_term_before_it_shows_it),
                                       cmocka_unit_test(the_first_lesson_never_offers_the_caches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
