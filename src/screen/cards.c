#include "screen/cards.h"
#include <string.h>

/* Returns the index of the lesson's card; the number of cards if it has none. */
static size_t card_of(const struct cards *cards, const struct lesson *lesson)
{
    size_t i = 0;
    while (i < cards->count && (!lesson || strcmp(cards->items[i].name, lesson->name) != 0))
        i++;
    return i;
}

const struct lesson_card *cards_next(const struct cards *cards, const struct lesson *lesson)
{
    size_t const i = card_of(cards, lesson);
    return i + 1 < cards->count && !cards->items[i + 1].problem ? &cards->items[i + 1] : NULL;
}

const struct lesson_card *cards_previous(const struct cards *cards, const struct lesson *lesson)
{
    size_t const i = card_of(cards, lesson);
    return i > 0 && i < cards->count && !cards->items[i - 1].problem ? &cards->items[i - 1] : NULL;
}
