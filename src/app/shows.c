#include "app/shows.h"
#include "app/commands/reopen.h"
#include "base/file.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *box_json(struct rect box)
{
    return json_pack("[f, f, f, f]", (double)box.x, (double)box.y, (double)box.w, (double)box.h);
}

/* The texts in the order of drawing, each with the box of its letters. */
static json_t *texts_json(const struct draw_list *list)
{
    static const char *const roles[FONT_ROLE_COUNT] = {"text", "bold", "code"};
    json_t *texts = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind != DRAW_TEXT)
            continue;
        struct rect const box = {command->at.x, command->at.y - command->size, command->extent, command->size};
        json_array_append_new(texts, json_pack("{s:s, s:s, s:o}", "text", command->text, "role", roles[command->role],
                                               "box", box_json(box)));
    }
    return texts;
}

/* The boxes that the mouse can use, or those with a tip. */
static json_t *noted_json(const struct ui *ui, bool tips)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < ui->noted_count; i++) {
        const struct ui_noted *noted = &ui->noted[i];
        if (tips && noted->tip)
            json_array_append_new(all, json_pack("{s:s, s:o}", "text", noted->tip, "box", box_json(noted->box)));
        else if (!tips && !noted->tip)
            json_array_append_new(all, box_json(noted->box));
    }
    return all;
}

char *app_shows(struct app *app)
{
    json_t *root =
        json_pack("{s:i, s:b, s:s, s:s, s:o, s:o, s:o}", "frame", (int)app->frames, "still", app_still(app), "screen",
                  app->blank     ? "blank"
                  : app->help    ? "keys"
                  : app->at_list ? "home"
                                 : "document",
                  "state", app->at_list ? "" : reopen_line(app), "texts", texts_json(&app->ui.draw), "controls",
                  noted_json(&app->ui, false), "tips", noted_json(&app->ui, true));
    char *words = root ? json_dumps(root, JSON_REAL_PRECISION(6)) : NULL;
    json_decref(root);
    return words;
}

void shows_write(struct app *app)
{
    struct error error;
    char *words = app_shows(app);
    if (words && !file_write(app->shows, words, strlen(words), &error))
        app->shows = NULL; /* the window goes on without it */
    free(words);
}
