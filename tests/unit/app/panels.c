/* The panels that each step of each lesson is about, on small screens and for a class. None may be missing that a large
 * screen shows, and a panel that shows a part of its rows says so with a sign and their number. A chart that a step is
 * about has a fifth of the height for a class. The large number's line stands there whole. A line to be found is in
 * sight as the step opens, and after the answer.
 *
 * A step is about the panels in its focus or, if it names none, about its stage without the row of warps. */
#include "app/app.h"
#include "base/file.h"
#include "base/words.h"
#include "lesson/lesson_run.h"
#include "platform/platform.h"
#include "ui/keys.h"
#include "view/panel.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lesson_folder.h"
#include "sanitized.h"

struct look {
    int width, height;
    bool present, korean;
};
/* The first one is the large screen. Those that present are the last. */
static const struct look looks[] = {{1920, 1080, false, false}, {1024, 600, false, true}, {1366, 768, false, false},
                                    {1366, 768, false, true},   {1280, 720, true, false}, {1920, 1080, true, true},
                                    {1024, 600, true, false}};
enum { LOOKS = (int)(sizeof looks / sizeof *looks) };
enum { STRIDE = SANITIZED ? 6 : 1 };

static struct platform *platform;
static int problems, width_now, height_now;

static struct app *open_step(const char *lesson, const struct look *look, int beat, bool answered)
{
    struct app_options const options = {.lesson = lesson,
                                        .on = EXECUTOR_EMULATOR,
                                        .language = look->korean ? "ko" : "en",
                                        .theme = "light",
                                        .present = look->present,
                                        .beat = beat,
                                        .answered = answered,
                                        .width = look->width,
                                        .height = look->height,
                                        .scale = 1};
    struct text_metrics const metrics = platform_metrics(platform);
    struct app *app;
    struct error error;
    if (!app_new(&options, &metrics, NULL, &app, &error))
        fail_msg("%s", error.message);
    return app;
}

/* Gives an open window another size and another language. */
static void use_look(struct app *app, const struct look *before, const struct look *look)
{
    struct app_event const size = {.kind = APP_RESIZE, .width = look->width, .height = look->height, .scale = 1};
    app_event(app, &size);
    if (before->korean != look->korean)
        app_event(app, &(struct app_event){.kind = APP_KEY, .key = KEY_L});
}

__attribute__((format(printf, 2, 3))) static void complain(struct app *app, const char *format, ...)
{
    char words[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    print_message("%s --size %dx%d\n    %s\n", app_state_line(app), width_now, height_now, words);
    problems++;
}

static bool is_drawn(const struct panel_shown *panel)
{
    return panel->box.h > 0;
}

/* Returns whether a text in the panel's box, or in the gutter beside it, has a sign of a part and the number of all. */
static bool says_part(const struct draw_list *list, const struct panel_shown *panel)
{
    char all[32];
    struct arena arena = {0};
    bool says = false;
    snprintf(all, sizeof all, "%u", panel->all);
    const char *with_commas = words_count(&arena, panel->all);
    for (size_t i = 0; i < list->count && !says; i++) {
        const struct draw_command *text = &list->items[i];
        bool const inside =
            text->kind == DRAW_TEXT && text->at.y >= panel->box.y - 2 && text->at.y <= panel->box.y + panel->box.h + 2;
        says = inside && (strstr(text->text, "⋮") || strstr(text->text, "⋯")) &&
               (strstr(text->text, all) || strstr(text->text, with_commas));
    }
    arena_free(&arena);
    return says;
}

/* Copies the words of a line that are no expressions. */
static void plain_words(const char *line, char *plain, size_t size)
{
    size_t length = 0;
    int depth = 0;
    for (; *line && *line != '\n' && length + 1 < size; line++) {
        depth += *line == '{';
        plain[length++] = *line == '*' || *line == '`' || depth ? ' ' : *line;
        depth -= *line == '}';
    }
    plain[length] = 0;
}

/* Checks that one text in the box has the whole line of the large number, with its words that are no expressions. */
static void expect_headline(struct app *app, const struct draw_list *list, const struct panel_shown *tally,
                            const char *words)
{
    char line[256], *save;
    bool whole = false;
    const char *with_number = strstr(words, "{}");
    while (with_number && with_number > words && with_number[-1] != '\n')
        with_number--;
    for (size_t i = 0; i < list->count && !whole; i++) {
        const struct draw_command *text = &list->items[i];
        if (text->kind != DRAW_TEXT || text->at.y < tally->box.y || text->at.y > tally->box.y + tally->box.h)
            continue;
        whole = true;
        plain_words(with_number ? with_number : "", line, sizeof line);
        for (char *word = strtok_r(line, " ", &save); word; word = strtok_r(NULL, " ", &save))
            whole = whole && strstr(text->text, word);
    }
    if (!whole)
        complain(app, "the headline \"%s\" is not in one piece", words);
}

/* Adds a text without its spaces. */
static void add_squeezed(char *all, size_t size, const char *text)
{
    size_t length = strlen(all);
    for (; *text && length + 1 < size; text++)
        if (*text != ' ')
            all[length++] = *text;
    all[length] = 0;
}

/* Checks that the line of a bug is drawn whole inside the window, on as many rows as it needs. */
static void expect_wrong_line(struct app *app, const struct draw_list *list, const char *line)
{
    static char shown[1 << 16], wanted[1024];
    shown[0] = wanted[0] = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *text = &list->items[i];
        if (text->kind == DRAW_TEXT && text->role == FONT_CODE && text->at.y <= (float)height_now)
            add_squeezed(shown, sizeof shown, text->text);
    }
    add_squeezed(wanted, sizeof wanted, line);
    if (!strstr(shown, wanted))
        complain(app, "the wrong line \"%s\" is out of sight", line);
}

static void look_at_step(const struct lesson *lesson, int beat, bool answered)
{
    const struct lesson_beat *step = &lesson->beats[beat];
    unsigned about = step->focus;
    for (int i = 0; i < STAGE_PANELS && !step->focus; i++)
        about |= stage_panels[i].step_out ? 0 : step->stage & stage_panels[i].flag;
    struct panel_shown large[STAGE_PANELS];
    struct app *app = NULL;
    for (int l = 0; l < LOOKS; l++) {
        width_now = looks[l].width;
        height_now = looks[l].height;
        if (app && looks[l].present == looks[l - 1].present) {
            use_look(app, &looks[l - 1], &looks[l]);
        } else {
            app_free(app);
            app = open_step(lesson->name, &looks[l], beat + 1, answered);
        }
        const struct draw_list *list = app_frame(app, 1e6);
        const struct panel_shown *shown = app_panels(app);
        if (l == 0)
            memcpy(large, shown, sizeof large);
        bool any = false; /* a question may have the page of the picture */
        for (int i = 0; i < STAGE_PANELS; i++)
            any = any || is_drawn(&shown[i]);
        for (int i = 0; i < STAGE_PANELS && any; i++) {
            const struct panel *panel = &stage_panels[i];
            if (!(panel->flag & about))
                continue;
            if (!is_drawn(&shown[i]) && is_drawn(&large[i]) && !(panel->traits & PANEL_EXTRA))
                complain(app, "%s is not drawn", panel->name);
            if (shown[i].squeezed)
                complain(app, "%s has less than its least height", panel->name);
            if (shown[i].all && !says_part(list, &shown[i]))
                complain(app, "%s shows %u of %u and does not say so", panel->name, shown[i].part, shown[i].all);
        }
        if (step->kind == BEAT_BUG)
            expect_wrong_line(app, list, step->line);
        const struct panel_shown *chart = &shown[STAGE_AT_ladder];
        if (looks[l].present && (step->focus & STAGE_LADDER) && is_drawn(chart) &&
            chart->box.h < 0.2f * (float)looks[l].height)
            complain(app, "the chart has %.0f pixels: a class cannot read it", chart->box.h);
        bool const found = is_drawn(&large[STAGE_AT_race]) || is_drawn(&large[STAGE_AT_fault]); /* told in its place */
        if (is_drawn(&shown[STAGE_AT_tally]) && !found && step->big && (answered || !lesson_beat_asks(step)))
            expect_headline(app, list, &shown[STAGE_AT_tally],
                            step->big_words[looks[l].korean ? LANGUAGE_KO : LANGUAGE_EN]);
    }
    app_free(app);
}

static void steps_show_what_they_are_about(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char **names;
    struct error *errors, error;
    size_t error_count;
    size_t const count = lesson_names(&arena, &names, &errors, &error_count);
    const char *wanted = getenv("LANESCOPE_LESSON"); /* this one alone */
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        struct lesson *lesson;
        if (wanted && strcmp(wanted, names[i]) != 0)
            continue;
        assert_true(lesson_load(names[i], &lesson, &error));
        for (int beat = (int)i % STRIDE; beat < lesson->beat_count; beat += STRIDE) {
            look_at_step(lesson, beat, false);
            if (lesson_beat_asks(&lesson->beats[beat]))
                look_at_step(lesson, beat, true);
        }
        lesson_free(lesson);
    }
    arena_free(&arena);
    assert_int_equal(problems, 0);
}

static int open_fonts(void **state)
{
    (void)state;
    struct error error;
    lesson_folder_make(state);
    if (platform_open_headless(&platform, &error))
        return 0;
    print_message("%s\n", error.message);
    return -1;
}
static int close_fonts(void **state)
{
    (void)state;
    platform_close(platform);
    return lesson_folder_remove(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_show_what_they_are_about)};
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
