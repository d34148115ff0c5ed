/* Preferences and the window's place, kept from one start to the next. */
#include "screen/preferences.h"
#include "app/app.h"
#include "app/language.h"
#include "app/progress/state.h"
#include "document/playhead.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const languages[LANGUAGE_COUNT] = {"en", "ko"};

void progress_preferences(const struct progress *progress, struct preferences *preferences, struct playhead *playhead)
{
    const json_t *kept = progress ? json_object_get(progress->state, "preferences") : NULL;
    const char *theme = progress_text(kept, "theme"), *language = progress_text(kept, "language");
    const char *environment = progress_text(kept, "environment"), *motion = progress_text(kept, "motion");
    if (theme && (strcmp(theme, "dark") == 0 || strcmp(theme, "light") == 0)) {
        preferences->dark = strcmp(theme, "dark") == 0;
        preferences->theme_chosen = true;
    }
    if (language && environment && strcmp(environment, languages[language_of_environment()]) == 0)
        for (int i = 0; i < LANGUAGE_COUNT; i++)
            if (strcmp(language, languages[i]) == 0)
                preferences->language = (enum language)i;
    preferences->text_step =
        progress_int(kept, "text", 100, 100 + 10 * TEXT_STEPS, 100 + 10 * preferences->text_step) / 10 - 10;
    preferences->presenting = progress_true(kept, "presenting");
    playhead->reduced_motion = motion && strcmp(motion, "reduced") == 0;
    const char *links = progress_text(kept, "links");
    if (links)
        snprintf(preferences->links, sizeof preferences->links, "%s", links);
    double const speed = json_number_value(json_object_get(kept, "speed"));
    if (speed >= 0.1 && speed <= 8)
        playhead->speed = (float)speed;
}

static json_t *preferences_json(const struct preferences *preferences, const struct playhead *playhead)
{
    double const speed = round((double)playhead->speed * 1000) / 1000;
    json_t *json =
        json_pack("{s:s,s:s,s:i,s:b,s:s,s:f}", "language", languages[preferences->language], "environment",
                  languages[language_of_environment()], "text", 100 + 10 * preferences->text_step, "presenting",
                  preferences->presenting, "motion", playhead->reduced_motion ? "reduced" : "full", "speed", speed);
    if (preferences->links[0])
        json_object_set_new(json, "links", json_string(preferences->links));
    if (preferences->theme_chosen)
        json_object_set_new(json, "theme", json_string(preferences->dark ? "dark" : "light"));
    return json;
}

/* Puts what has changed since `*noted` below a name of the state. The first call only compares. Takes over `now`. */
static void note(struct progress *progress, const char *name, json_t **noted, json_t *now)
{
    if (*noted && !json_equal(*noted, now)) {
        json_t *merged = progress_merge(*noted, now, progress_object(progress->state, name));
        json_object_set_new(progress->state, name, merged);
    }
    json_decref(*noted);
    *noted = now;
}

void progress_note_preferences(struct progress *progress, const struct preferences *preferences,
                               const struct playhead *playhead)
{
    if (!progress)
        return;
    note(progress, "preferences", &progress->preferences, preferences_json(preferences, playhead));
    json_t *kept = json_object_get(progress->state, "preferences");
    if (kept) /* a language is kept together with its environment */
        json_object_set(kept, "environment", json_object_get(progress->preferences, "environment"));
}

bool progress_window(const struct progress *progress, struct window_place *place)
{
    enum { FAR = 30000 };
    const json_t *kept = progress ? json_object_get(progress->state, "window") : NULL;
    *place = (struct window_place){.width = progress_int(kept, "width", 1, FAR, 0),
                                   .height = progress_int(kept, "height", 1, FAR, 0),
                                   .x = progress_int(kept, "x", -FAR, FAR, FAR + 1),
                                   .y = progress_int(kept, "y", -FAR, FAR, FAR + 1),
                                   .maximized = progress_true(kept, "maximized")};
    place->placed = place->x <= FAR && place->y <= FAR;
    return place->width && place->height;
}

void progress_note_window(struct progress *progress, const struct window_place *place)
{
    json_t *const before = progress ? json_incref(progress->window) : NULL;
    if (progress)
        note(progress, "window", &progress->window,
             json_pack("{s:i,s:i,s:i,s:i,s:b}", "width", place->width, "height", place->height, "x", place->x, "y",
                       place->y, "maximized", place->maximized));
    if (before && !json_equal(before, progress->window)) /* a place is kept whole */
        json_object_set(progress->state, "window", progress->window);
    json_decref(before);
}
