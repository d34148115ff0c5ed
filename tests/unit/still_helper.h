/* Finds the places of a lesson's furniture in a frame: the cards, the buttons to other steps, the tabs and the large
 * number. A test compares them from step to step. */
#ifndef LANESCOPE_TESTS_STILL_HELPER_H
#define LANESCOPE_TESTS_STILL_HELPER_H
#include "base/words.h"
#include "lesson/lesson.h"
#include "ui/draw.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum place {
    PLACE_BACK,
    PLACE_NEXT,
    PLACE_WORDS,
    PLACE_CODE,
    PLACE_TIME,
    PLACE_KNOBS,
    PLACE_TABS,
    PLACE_NUMBER,
    PLACES
};
static const char *const place_names[PLACES] = {"Back", "Next", "words", "code", "time", "knobs", "tabs", "number"};
struct places {
    struct rect at[PLACES]; /* w 0: not in sight so far */
};

static inline bool begins_with(const char *text, const char *words)
{
    return strncmp(text, words, strcspn(words, "%")) == 0;
}

/* Returns the place that a text marks; PLACES: none. The large number has the height of its slot. */
static inline enum place place_of(const struct draw_command *command, const char *step, float scale)
{
    const char *text = command->text;
    size_t const length = strlen(text), arrow = strlen(" ›");
    bool const bold = command->role == FONT_BOLD;
    if (strcmp(text, _("‹ Back")) == 0 || strcmp(text, _("‹ Lessons")) == 0)
        return PLACE_BACK;
    if (length > arrow && strcmp(text + length - arrow, " ›") == 0)
        return PLACE_NEXT;
    if (bold && strncmp(text, step, strlen(step)) == 0)
        return PLACE_WORDS;
    if (bold && begins_with(text, _("KERNEL")))
        return PLACE_CODE;
    if (bold && begins_with(text, _("TIME")) && begins_with(text + strlen(_("TIME")), " ·")) /* not "When ...?" */
        return PLACE_TIME;
    if (bold && (strcmp(text, _("KNOBS · at rest until the answer")) == 0 ||
                 strcmp(text, _("KNOBS · [ ] turn the marked one")) == 0))
        return PLACE_KNOBS;
    if (strcmp(text, _("Code")) == 0)
        return PLACE_TABS;
    return bold && *text >= '0' && *text <= '9' && command->size >= 26 * scale && command->rect.h >= 60 * scale
               ? PLACE_NUMBER
               : PLACES;
}

/* Finds the places of a frame. step: "STEP 3"; scale: pixels a point. */
static inline struct places places_in(const struct draw_list *list, const char *step, float scale)
{
    struct places places = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        enum place const place = command->kind == DRAW_TEXT ? place_of(command, step, scale) : PLACES;
        if (place < PLACES)
            places.at[place] = command->rect; /* the last one: the buttons to other steps are drawn last */
    }
    return places;
}

/* Compares the places with those of earlier steps, which it extends. Returns the first that moved; PLACES: none. */
static inline enum place places_moved(struct places *before, const struct places *now)
{
    enum place moved = PLACES;
    for (int i = PLACES - 1; i >= 0; i--) {
        struct rect *old = &before->at[i];
        const struct rect *new = &now->at[i];
        if (new->w <= 0)
            continue;
        bool const wide = i == PLACE_BACK || i == PLACE_NEXT;
        bool const other = fabsf(old->x - new->x) > 1 || fabsf(old->y - new->y) > 1 || fabsf(old->h - new->h) > 1 ||
                           (wide && fabsf(old->w - new->w) > 1);
        if (old->w <= 0)
            *old = *new;
        else if (other)
            moved = (enum place)i;
    }
    return moved;
}
#endif
