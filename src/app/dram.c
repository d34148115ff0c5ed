/* Which DRAM the model on the stage has: the lesson's own, until another is chosen. Presets differ in rows and banks,
 * mappings in which bits of an address choose the bank; nobody publishes the real one, so one may try both. */
#include "app/state.h"
#include <string.h>

const char *dram_mapping_name(enum dram_mapping mapping)
{
    return mapping == DRAM_CH_RA_BA_RO_CO ? "ChRaBaRoCo" : "RoBaRaCoCh";
}

const struct dram_preset *app_dram(struct app *app)
{
    const char *own = app->screen == SCREEN_LESSON ? app->open.lesson->dram_preset : NULL;
    struct dram_preset *preset = arena_new(&app->frame, struct dram_preset);
    *preset = app->dram_preset ? *dram_presets()[app->dram_preset - 1] : *dram_preset(own ? own : "classroom");
    if (app->dram_mapping)
        preset->mapping = (enum dram_mapping)(app->dram_mapping - 1);
    return preset;
}

void app_turn_dram(struct app *app, int direction)
{
    const char *name = app_dram(app)->name;
    int count = 0, now = 0;
    for (const struct dram_preset *const *preset = dram_presets(); *preset; preset++, count++)
        if (strcmp((*preset)->name, name) == 0)
            now = count;
    app->dram_preset = (now + count + direction) % count + 1;
    app->dram_mapping = 0;
}

void app_turn_dram_mapping(struct app *app)
{
    app->dram_mapping =
        app_dram(app)->mapping == DRAM_RO_BA_RA_CO_CH ? DRAM_CH_RA_BA_RO_CO + 1 : DRAM_RO_BA_RA_CO_CH + 1;
}
