/* Helpers for tests of the window's contents. */
#ifndef LANESCOPE_TESTS_APP_HELPER_H
#define LANESCOPE_TESTS_APP_HELPER_H
#include "../fake_metrics.h"
#include "app/app.h"
#include "draw_dump.h"
#include "run/file.h"
#include <stdlib.h>
#include <string.h>

static inline struct app *app_opened(const struct app_options *options, const struct app_host *host)
{
    struct text_metrics const metrics = fake_metrics();
    struct app *app;
    struct error error;
    if (!app_new(options, &metrics, host, &app, &error))
        fail_msg("%s", error.message);
    return app;
}

/* Returns options for a lesson at one of its steps, on the emulator. */
static inline struct app_options app_options_of(const char *lesson, int beat)
{
    return (struct app_options){.lesson = lesson,
                                .on = EXECUTOR_EMULATOR,
                                .language = "en",
                                .theme = "light",
                                .beat = beat,
                                .width = 1920,
                                .height = 1080,
                                .scale = 1};
}

/* Opens a file of kernels or a whole program, on the emulator. */
static inline struct app *app_opened_request(const struct run_file_request *file)
{
    struct app_options options = app_options_of(NULL, 0);
    options.file = file;
    return app_opened(&options, NULL);
}

static inline struct app *app_opened_file(const char *path)
{
    return app_opened_request(&(struct run_file_request){.path = path});
}

static inline void press(struct app *app, int key, int modifiers)
{
    app_event(app, &(struct app_event){.kind = APP_KEY, .key = key, .modifiers = modifiers});
}

/* Returns the frame at rest, as text. */
static inline char *picture(struct app *app)
{
    struct arena arena = {0};
    app_frame(app, 1e6);
    char *text = strdup(draw_dump(app_frame(app, 1e6), &arena));
    arena_free(&arena);
    return text;
}

/* Returns whether a text in the frame at rest contains the words. */
static inline bool shows(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strstr(list->items[i].text, words))
            return true;
    return false;
}

/* Returns whether a paragraph of the frame says the words; its lines are separate texts, so spaces do not count. */
static inline bool says(struct app *app, const char *words)
{
    static char frame[1 << 16], sought[1 << 10];
    const struct draw_list *list = app_frame(app, 1e6);
    size_t size = 0, wanted = 0;
    for (size_t i = 0; i < list->count; i++)
        for (const char *c = list->items[i].kind == DRAW_TEXT ? list->items[i].text : ""; *c; c++)
            if (*c != ' ' && size + 1 < sizeof frame)
                frame[size++] = *c;
    for (; *words && wanted + 1 < sizeof sought; words++)
        if (*words != ' ')
            sought[wanted++] = *words;
    frame[size] = sought[wanted] = 0;
    return strstr(frame, sought) != NULL;
}

/* Clicks on a text of the frame. */
static inline void click_text(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind != DRAW_TEXT || strcmp(command->text, words) != 0)
            continue;
        float const x = command->at.x + 4, y = command->at.y - 4;
        app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = x, .y = y});
        app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = x, .y = y});
        app_frame(app, 0.01);
        app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = x, .y = y});
        app_frame(app, 0.01);
        return;
    }
    fail_msg("nothing says \"%s\"", words);
}
#endif
