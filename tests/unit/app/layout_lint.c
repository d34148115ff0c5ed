/* The layout lint over every lesson, with the fonts that a user sees. It finds text that leaves its box or the screen,
 * texts that overlap or are hidden, text that is too small or too faint, and parts of a step that no visible control
 * leads to.
 *
 * Each lesson is looked at in a sample of all looks (size of the window, size of text, language, theme, presenting).
 * The sample of each lesson has every value of each of them; four lessons in a row together have every size of text in
 * every window, and the samples of the next ones differ in the rest. A step is looked at as it opens and when it is
 * answered, on all of its pages. */
#include "app/app.h"
#include "app/progress/progress.h"
#include "base/file.h"
#include "base/words.h"
#include "lesson/lesson_run.h"
#include "lint.h"
#include "platform/platform.h"
#include "run/file.h"
#include "screen/computer_facts.h"
#include "still_helper.h"
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

struct window {
    int width, height;
    float scale;
};
static const struct window windows[] = {{1024, 600, 1}, {1152, 720, 1},  {1280, 720, 1},
                                        {1366, 768, 1}, {1920, 1080, 1}, {3840, 2160, 2}};
static const int texts[] = {100, 140, 180, 200};
enum { WINDOWS = (int)(sizeof windows / sizeof *windows), TEXTS = (int)(sizeof texts / sizeof *texts) };

struct look {
    struct window window;
    int text; /* percent */
    bool korean, dark, present;
};

enum { STRIDE = SANITIZED ? 8 : 1 };

/* With LANESCOPE_ALL_LOOKS in the environment, each lesson is looked at in all of them. It takes minutes. With the name
 * or the folder of a lesson there, only that one is. */
enum { LOOKS = WINDOWS + 2, ALL_LOOKS = WINDOWS * TEXTS * 8 }; /* the last two of the sample present */
static int look_count(void)
{
    return getenv("LANESCOPE_ALL_LOOKS") ? ALL_LOOKS : LOOKS;
}

static bool is_wanted(const char *lesson)
{
    const char *wanted = getenv("LANESCOPE_ALL_LOOKS");
    return !wanted || strcmp(wanted, "1") == 0 || strcmp(wanted, lesson) == 0;
}

static struct look look_of(int lesson, int i)
{
    if (look_count() == ALL_LOOKS)
        return (struct look){.window = windows[i % WINDOWS],
                             .text = texts[i / WINDOWS % TEXTS],
                             .korean = i / (WINDOWS * TEXTS) % 2 != 0,
                             .dark = i / (WINDOWS * TEXTS) / 2 % 2 != 0,
                             .present = i / (WINDOWS * TEXTS) / 4 != 0};
    bool const present = i >= WINDOWS;
    int const window = present ? (lesson * 2 + i) % WINDOWS : i;
    return (struct look){.window = windows[window],
                         .text = texts[(i + lesson) % TEXTS],
                         .korean = (i / 2 + lesson / 4 + i) % 2 != 0,
                         .dark = (i + lesson / 2) % 2 != 0,
                         .present = present};
}

static struct platform *platform;
static int problems;
enum { PROBLEMS_SHOWN = 600 };

/* An app, its look now, and everything that it has drawn since the look was chosen, without spaces. */
struct stand {
    struct app *app;
    struct look look;
    const char *what; /* "as it opens" */
    struct arena arena;
    char *text, *code;
};

__attribute__((format(printf, 2, 3))) static void complain(const struct stand *stand, const char *format, ...)
{
    const struct look *look = &stand->look;
    char words[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (problems++ < PROBLEMS_SHOWN)
        print_message("%s --size %dx%d --text %d%s (%s)\n    %s\n", app_state_line(stand->app), look->window.width,
                      look->window.height, look->text, look->window.scale > 1 ? " --scale 2" : "", stand->what, words);
}

static const char *squeezed(struct arena *arena, const char *text)
{
    size_t out = 0;
    char *result = arena_alloc(arena, strlen(text) + 1);
    for (; *text; text++) {
        bool const space = strncmp(text, "\u00a0", 2) == 0; /* that does not break */
        if (*text != ' ' && *text != '\n' && !space)
            result[out++] = *text;
        text += space;
    }
    result[out] = 0;
    return result;
}

/* Returns whether a clip hides the text. */
static bool is_clipped(const struct draw_command *text, struct rect clip)
{
    float const x = text->at.x + text->extent / 2, y = text->at.y - text->size * 0.3f;
    return clip.w >= 0 && (y < clip.y || y > clip.y + clip.h || x < clip.x || x > clip.x + clip.w);
}

/* Lints the frame as it is now, and adds its texts to those seen. */
static void look_at(struct stand *stand)
{
    struct text_metrics const metrics = platform_metrics(platform);
    struct arena arena = {0};
    const char **findings;
    const struct draw_list *list = app_frame(stand->app, 1e6);
    struct lint_options const options = {
        .screen = {0, 0, (float)stand->look.window.width, (float)stand->look.window.height},
        .background = app_background(stand->app),
        .minimum_size = app_minimum_text(stand->app)};
    size_t const count = lint_draw_list(list, &metrics, &options, &arena, &findings);
    for (size_t i = 0; i < count; i++)
        complain(stand, "%s", findings[i]);
    const char *text = "", *code = "";
    struct rect clip = {.w = -1};
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind == DRAW_CLIP)
            clip = command->rect;
        if (command->kind != DRAW_TEXT || is_clipped(command, clip))
            continue;
        size_t const length = strlen(command->text);
        bool const value = length > 5 && strcmp(command->text + length - 5, ", …") == 0; /* with more elements */
        if (length >= 4 && command->role != FONT_CODE && !value && strcmp(command->text + length - 3, "…") == 0)
            complain(stand, "\"%s\" is cut", command->text);
        text = arena_format(&arena, "%s%s", text, squeezed(&arena, command->text));
        if (command->role == FONT_CODE)
            code = arena_format(&arena, "%s%s", code, squeezed(&arena, command->text));
    }
    stand->text = arena_format(&stand->arena, "%s\n%s", stand->text, text);
    stand->code = arena_format(&stand->arena, "%s\n%s", stand->code, code);
    arena_free(&arena);
}

static void press(struct app *app, int key, int modifiers)
{
    struct app_event const event = {.kind = APP_KEY, .key = key, .modifiers = modifiers};
    app_event(app, &event);
}

static void press_in(const struct stand *stand, int key, int modifiers)
{
    press(stand->app, key, modifiers);
}

static void click_at(const struct stand *stand, struct point at)
{
    struct app_event event = {.kind = APP_MOUSE_DOWN, .x = at.x, .y = at.y};
    app_event(stand->app, &event);
    app_frame(stand->app, 0);
    event.kind = APP_MOUSE_UP;
    app_event(stand->app, &event);
    app_frame(stand->app, 0);
    app_event(stand->app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
}

static struct point middle_of(const struct draw_command *text)
{
    return (struct point){text->at.x + text->extent / 2, text->at.y - text->size * 0.3f};
}

/* Clicks on a text. Returns false if there is none like it. */
static bool click(const struct stand *stand, const char *label)
{
    const struct draw_list *list = app_frame(stand->app, 1e6);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind != DRAW_TEXT || strcmp(command->text, label) != 0)
            continue;
        click_at(stand, middle_of(command));
        return true;
    }
    return false;
}

static void use_look(struct stand *stand, const struct look *look)
{
    struct look const before = stand->look;
    stand->look = *look;
    app_event(stand->app, &(struct app_event){.kind = APP_RESIZE,
                                              .width = look->window.width,
                                              .height = look->window.height,
                                              .scale = look->window.scale});
    if (before.present != look->present)
        press_in(stand, KEY_F5, 0);
    press_in(stand, KEY_0, MODIFIER_CONTROL);
    for (int text = 100; text < look->text; text += 10)
        press_in(stand, KEY_EQUALS, MODIFIER_CONTROL);
    if (before.korean != look->korean)
        press_in(stand, KEY_L, 0);
    if (before.dark != look->dark)
        press_in(stand, KEY_T, 0);
    arena_reset(&stand->arena);
    stand->text = stand->code = "";
}

/* Returns whether a text is the name of a tab: "Text", "Code · Knobs". */
static bool names_tab(const char *text)
{
    const char *const parts[] = {_("Text"), _("Picture"), _("Code"), _("Knobs"), _("Time")};
    size_t const count = sizeof parts / sizeof *parts;
    while (*text) {
        size_t i = 0, length = strcspn(text, " ");
        while (i < count && (strlen(parts[i]) != length || strncmp(parts[i], text, length) != 0))
            i++;
        if (i == count)
            return false;
        text += length;
        text += strncmp(text, " · ", strlen(" · ")) == 0 ? strlen(" · ") : 0;
    }
    return true;
}

/* Looks at the page on screen, and at its further text and code. */
static void look_at_page(struct stand *stand, bool code)
{
    enum { MOST = 40 }; /* more pages than any text has */
    for (int i = 0; i < MOST && click(stand, "↑"); i++)
        ;
    look_at(stand);
    for (int i = 0; i < MOST && click(stand, _("More ↓")); i++)
        look_at(stand);
    for (int i = 0; code && i < MOST && click(stand, "↓"); i++)
        look_at(stand);
}

/* Finds the tabs: the longest series of texts, one drawn after the other, that name tabs. */
static int find_tabs(struct stand *stand, struct point tabs[8])
{
    const struct draw_list *list = app_frame(stand->app, 1e6);
    struct point series[8];
    int count = 0, in_series = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].kind != DRAW_TEXT)
            continue;
        bool const named = *list->items[i].text && names_tab(list->items[i].text);
        in_series = named ? in_series : 0;
        if (!named || in_series == 8)
            continue;
        series[in_series++] = middle_of(&list->items[i]);
        if (in_series > count)
            memcpy(tabs, series, sizeof series);
        count = in_series > count ? in_series : count;
    }
    return count;
}

/* Clicks on the tab of this name, if there is one. A knob may have the same name. */
static void click_tab(struct stand *stand, const char *name)
{
    struct point tabs[8];
    int const count = find_tabs(stand, tabs);
    const struct draw_list *list = app_frame(stand->app, 1e6);
    for (size_t i = 0; i < list->count; i++)
        for (int tab = 0; tab < count && list->items[i].kind == DRAW_TEXT; tab++) {
            struct point const middle = middle_of(&list->items[i]);
            if (middle.x != tabs[tab].x || middle.y != tabs[tab].y || strcmp(list->items[i].text, name) != 0)
                continue;
            click_at(stand, middle);
            return;
        }
}

static void look_at_all_pages(struct stand *stand, bool code)
{
    struct point tabs[8];
    int const count = find_tabs(stand, tabs);
    if (count < 2)
        look_at_page(stand, code);
    for (int i = 0; count > 1 && i < count; i++) {
        click_at(stand, tabs[i]);
        look_at_page(stand, code);
    }
}

/* Checks that a text was drawn, word by word, except for what stands between braces. */
static void expect_words(struct stand *stand, const char *part, const char *text)
{
    struct arena arena = {0};
    int depth = 0;
    if (strncmp(text, "{?", 2) == 0) { /* it is shown in some runs only */
        return;
    }
    while (*text) {
        size_t const length = strcspn(text, " \n");
        bool plain = depth == 0;
        for (size_t i = 0; i < length; i++) {
            depth += (text[i] == '{') - (text[i] == '}');
            plain = plain && text[i] != '{' && text[i] != '}';
        }
        if (length && plain && !strstr(stand->text, squeezed(&arena, arena_text_n(&arena, text, length))))
            complain(stand, "%s: \"%.*s\" is on no page", part, (int)length, text);
        text += length + strspn(text + length, " \n");
    }
    arena_free(&arena);
}

static void expect_text(struct stand *stand, const char *part, const struct lesson_text *text)
{
    for (size_t i = 0; i < text->count; i++) {
        struct arena arena = {0};
        const char *words = "";
        for (size_t j = 0; j < text->paragraphs[i].span_count; j++)
            words = arena_format(&arena, "%s%s", words, text->paragraphs[i].spans[j].text);
        expect_words(stand, part, words);
        arena_free(&arena);
    }
}

static bool asks(const struct lesson_beat *beat)
{
    return beat->kind == BEAT_ASK || beat->kind == BEAT_OBSERVE || beat->kind == BEAT_MARK || beat->kind == BEAT_BUG;
}

/* Checks that everything essential to the step was on a page. */
static void expect_step(struct stand *stand, const struct lesson *lesson, int beat, bool answered)
{
    const struct lesson_beat *step = &lesson->beats[beat];
    enum language const language = stand->look.korean ? LANGUAGE_KO : LANGUAGE_EN;
    expect_text(stand, "words", answered && asks(step) ? &step->after[language] : &step->words[language]);
    for (int i = 0; asks(step) && !answered && i < step->choice_count; i++) {
        char number[32];
        snprintf(number, sizeof number, "%g", step->choices[i]);
        const char **worded = step->choice_words[language];
        expect_words(stand, "choice", worded ? worded[i] : number);
    }
    for (int i = 0; (answered || !asks(step)) && i < lesson->knob_count; i++)
        expect_words(stand, "knob", lesson->knobs[i].label[language]);
    if (!strstr(stand->text, "›"))
        complain(stand, "no way on");
    if (!strstr(stand->text, "‹"))
        complain(stand, "no way back");
    if (step->kind == BEAT_BUG && !answered && !strstr(stand->code, squeezed(&stand->arena, step->line)))
        complain(stand, "the line \"%s\" is on no page", step->line);
}

static void see_computer(struct computer_facts *facts, const atomic_bool *cancel)
{
    (void)cancel;
    snprintf(facts->gpu, sizeof facts->gpu, "NVIDIA RTX 6000 Ada Generation");
}

static struct app *open_app(const struct look *look, const char *lesson)
{
    struct app_options const options = {.lesson = lesson,
                                        .on = EXECUTOR_EMULATOR,
                                        .language = look->korean ? "ko" : "en",
                                        .theme = look->dark ? "dark" : "light",
                                        .present = look->present,
                                        .text_percent = look->text,
                                        .width = look->window.width,
                                        .height = look->window.height,
                                        .computer = see_computer,
                                        .scale = look->window.scale};
    struct text_metrics const metrics = platform_metrics(platform);
    struct app *app;
    struct error error;
    if (!app_new(&options, &metrics, NULL, &app, &error))
        fail_msg("%s", error.message);
    return app;
}

/* Answers the step wrongly, as most students do. */
static void answer(struct stand *stand, const struct lesson_beat *step)
{
    if (step->kind == BEAT_BUG || step->kind == BEAT_MARK) {
        press_in(stand, KEY_DOWN, 0);
        press_in(stand, KEY_DOWN, 0);
        press_in(stand, KEY_SPACE, 0);
        stand->what = "half answered";
        look_at(stand);
        stand->what = "answered";
    } else {
        press_in(stand, KEY_1 + 1, 0);
    }
    press_in(stand, KEY_ENTER, 0);
}

static bool is_drawn(const struct draw_list *list, const char *text)
{
    bool drawn = false;
    for (size_t i = 0; i < list->count && !drawn; i++)
        drawn = list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, text) == 0;
    return drawn;
}

/* Checks that the panels in the step's focus are drawn, by their labels. Banks and chunks share a place, and a race
 * takes that of shared memory. */
static void expect_panels(struct stand *stand, const struct draw_list *list, const struct lesson_beat *step)
{
    bool const access = is_drawn(list, _("Banks")) || is_drawn(list, _("Chunks"));
    for (int i = 0; i < STAGE_PANELS; i++) {
        const struct panel *panel = &stage_panels[i];
        if (!(step->focus & panel->flag))
            continue;
        if (panel->traits & PANEL_ACCESS ? !access
                                         : panel->label && !is_drawn(list, _(panel->label)) &&
                                               !(i == STAGE_AT_shared && is_drawn(list, _("Race"))))
            complain(stand, "the panel %s is in focus and not drawn", panel->name);
    }
}

/* Checks that nothing has moved since the lesson's first step in this look, and that the panels in focus are drawn. */
static void expect_still(struct stand *stand, struct places *before, const struct lesson_beat *step, int beat,
                         bool answered)
{
    struct arena arena = {0};
    click_tab(stand, _("Picture")); /* where it shares a slot with the cards */
    const struct draw_list *list = app_frame(stand->app, 1e6);
    struct places now = places_in(list, arena_format(&arena, _("STEP %d"), beat + 1), stand->look.window.scale);
    if ((asks(step) && !answered) || stand->look.present || stand->look.text > 100)
        now.at[PLACE_NUMBER].w = 0; /* a choice, or the number of a stage whose text is smaller than elsewhere */
    if (!(asks(step) && !answered) && stand->look.text == 100)
        expect_panels(stand, list, step);
    for (int i = PLACE_CODE; i <= PLACE_TIME; i++)
        if (now.at[i].x < now.at[PLACE_BACK].x)
            now.at[i].w = 0; /* on the stage */
    enum place const moved = places_moved(before, &now);
    if (moved < PLACES)
        complain(stand, "%s: from %.0f, %.0f to %.0f, %.0f", place_names[moved], (double)before->at[moved].x,
                 (double)before->at[moved].y, (double)now.at[moved].x, (double)now.at[moved].y);
    arena_free(&arena);
}

static void look_at_step(struct stand *stand, const struct lesson *lesson, int number, int beat, bool answered,
                         struct places *places)
{
    const struct lesson_beat *step = &lesson->beats[beat];
    bool const code = step->kind == BEAT_BUG && !answered;
    for (int i = (number + beat) % STRIDE; i < look_count(); i += STRIDE) {
        struct look const look = look_of(number, i);
        use_look(stand, &look);
        if (answered && !strstr(app_state_line(stand->app), "--answered")) /* a class has answers of its own */
            answer(stand, step);
        expect_still(stand, &places[i], step, beat, answered);
        look_at_all_pages(stand, code);
        expect_step(stand, lesson, beat, answered);
    }
}

static void look_at_lesson(const char *name)
{
    struct lesson *lesson;
    struct error error;
    assert_true(lesson_load(name, &lesson, &error));
    int const number = lesson->order + WINDOWS * TEXTS; /* a new lesson does not move the looks of the others */
    struct look const first = look_of(number, 0);
    struct stand stand = {.app = open_app(&first, name), .look = first, .what = "as it opens"};
    struct places places[ALL_LOOKS] = {0};
    for (int beat = 0; beat < lesson->beat_count; beat++) {
        stand.what = "as it opens";
        look_at_step(&stand, lesson, number, beat, false, places);
        if (asks(&lesson->beats[beat])) {
            answer(&stand, &lesson->beats[beat]);
            stand.what = "answered";
            look_at_step(&stand, lesson, number, beat, true, places);
        }
        struct look const look = look_of(number, (number * 5 + beat) % look_count());
        use_look(&stand, &look);
        stand.what = "recorded"; /* the recorded run, then both */
        press_in(&stand, KEY_E, 0);
        look_at(&stand);
        stand.what = "compared";
        press_in(&stand, KEY_TAB, MODIFIER_SHIFT);
        look_at(&stand);
        press_in(&stand, KEY_E, 0);
        if (stand.look.present) /* there, the key first shows the run */
            press_in(&stand, KEY_F5, 0);
        stand.look.present = false;
        press_in(&stand, KEY_PAGE_DOWN, 0);
    }
    app_free(stand.app);
    arena_free(&stand.arena);
    lesson_free(lesson);
}

/* One of several parts of the lessons, so that the parts may run side by side. */
static void lessons_lose_nothing(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count;
    size_t const count = lesson_names(&arena, &names, &errors, &error_count);
    assert_true(count > 0);
    problems = 0;
    const char *wanted = getenv("LANESCOPE_ALL_LOOKS");
    bool const some = SANITIZED && (!wanted || strcmp(wanted, "1") == 0); /* else, the lesson of a name */
    size_t seen = 0;
    if (wanted && strchr(wanted, '/')) {
        look_at_lesson(wanted);
        seen++;
    }
    for (size_t i = 0; i < count; i += some ? 3 : 1)
        if (is_wanted(names[i])) {
            look_at_lesson(names[i]);
            seen++;
        }
    assert_true(seen > 0); /* a name that no lesson has, or that of a lesson that cannot be read, finds none */
    arena_free(&arena);
    assert_int_equal(problems, 0);
}

/* Looks at every page of the first screen, and of the list of a folder. */
static void look_at_home(struct stand *stand)
{
    enum { MOST = 60 };
    look_at(stand);
    for (int i = 0; i < MOST && click(stand, _("More ›")); i++)
        look_at(stand);
    press_in(stand, KEY_O, MODIFIER_CONTROL);
    look_at(stand);
    click(stand, _("More ›"));
    look_at(stand);
    press_in(stand, KEY_ESCAPE, 0);
}

static void lists_fit(void **state)
{
    (void)state;
    problems = 0;
    for (int i = 0; i < WINDOWS; i++)
        for (int t = 0; t < TEXTS; t++) {
            struct look const look = {windows[i], texts[t], (i + t) % 2 != 0, t / 2 % 2 != 0, false};
            struct stand stand = {.app = open_app(&look, NULL), .look = look, .text = "", .code = ""};
            stand.what = "lesson list";
            look_at_home(&stand);
            press_in(&stand, KEY_F1, 0);
            stand.what = "keys";
            look_at(&stand);
            app_free(stand.app);
            arena_free(&stand.arena);
        }
    assert_int_equal(problems, 0);
}

/* No knob value and no position cuts any text, including the grid of 64 passes. */
static void every_knob_value_and_event_fits(void **state)
{
    (void)state;
    static const struct look looks[] = {{{1280, 720, 1}, 100, false, false, false},
                                        {{1280, 720, 1}, 100, false, false, true},
                                        {{1024, 600, 1}, 100, true, false, false}};
    problems = 0;
    for (size_t w = 0; w < sizeof looks / sizeof *looks; w++) {
        struct stand stand = {.app = open_app(&looks[w], "banks"), .look = looks[w], .text = "", .code = ""};
        stand.what = "knob";
        for (int i = 0; i < 66; i += STRIDE) {
            look_at(&stand);
            for (int k = 0; k < STRIDE; k++)
                press_in(&stand, KEY_RIGHT_BRACKET, 0);
        }
        app_free(stand.app);
        stand.app = open_app(&looks[w], "adjdiff");
        stand.what = "event";
        for (int beat = 0; beat < 5; beat++)
            press_in(&stand, KEY_PAGE_DOWN, 0);
        press_in(&stand, KEY_HOME, 0);
        for (int i = 0; i < 90; i += STRIDE) {
            look_at(&stand);
            for (int k = 0; k < STRIDE; k++)
                press_in(&stand, KEY_RIGHT, MODIFIER_SHIFT);
        }
        app_free(stand.app);
        arena_free(&stand.arena);
    }
    assert_int_equal(problems, 0);
}

/* The reports of a kernel's mistakes: every picture of each. */
static void reports_fit(void **state)
{
    (void)state;
    static const struct {
        const char *name, *arguments[3];
        uint32_t block;
    } kernels[] = {{"race_neighbour", {"f32[64]=iota", "f32[64]=zero"}, 64},
                   {"bounds_read_next", {"f32[64]=iota", "f32[64]=zero"}, 64},
                   {"bounds_read_before", {"f32[64]=iota", "f32[64]=zero"}, 64},
                   {"misaligned_float4", {"f32[132]=iota", "f32[32]=zero"}, 32},
                   {"misaligned_int", {"u8[256]=zero", "i32[32]=zero"}, 32},
                   {"barrier_half_a_warp", {"i32[32]=iota", "i32[32]=zero"}, 32}};
    static const struct look looks[] = {
        {{1280, 720, 1}, 100, false, false, false},  {{1920, 1080, 1}, 100, true, true, false},
        {{3840, 2160, 2}, 100, false, false, false}, {{2560, 1440, 1}, 100, true, false, false},
        {{900, 1200, 1}, 100, false, true, false},   {{900, 1200, 1}, 100, true, true, false},
        {{1280, 720, 1}, 100, true, false, true},    {{1920, 1080, 1}, 100, false, false, true}};
    problems = 0;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (size_t w = 0; w < sizeof looks / sizeof *looks; w++) {
            struct arena arena = {0};
            struct run_file_request const file = {
                .path = arena_format(&arena, "%s/tests/faults/%s.ptx", LANESCOPE_SOURCE_FOLDER, kernels[k].name),
                .grid = {1, 1, 1},
                .block = {kernels[k].block, 1, 1},
                .arguments = kernels[k].arguments,
                .argument_count = 2};
            struct app_options const options = {.file = &file,
                                                .on = EXECUTOR_EMULATOR,
                                                .language = looks[w].korean ? "ko" : "en",
                                                .theme = looks[w].dark ? "dark" : "light",
                                                .present = looks[w].present,
                                                .width = looks[w].window.width,
                                                .height = looks[w].window.height,
                                                .scale = looks[w].window.scale};
            struct text_metrics const metrics = platform_metrics(platform);
            struct stand stand = {.look = looks[w], .what = kernels[k].name, .text = "", .code = ""};
            struct error error;
            assert_true(app_new(&options, &metrics, NULL, &stand.app, &error));
            look_at(&stand);
            app_free(stand.app);
            arena_free(&stand.arena);
            arena_free(&arena);
        }
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lessons_lose_nothing),
        cmocka_unit_test(lists_fit),
        cmocka_unit_test(every_knob_value_and_event_fits),
        cmocka_unit_test(reports_fit),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
