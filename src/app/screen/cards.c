#include "app/screen/cards.h"
#include <string.h>

const struct lesson_card *cards_next(const struct cards *cards, const struct lesson *lesson)
{
    size_t i = 0;
    while (lesson && i < cards->count && strcmp(cards->items[i].name, lesson->name) != 0)
        i++;
    return lesson && i + 1 < cards->count && !cards->items[i + 1].problem ? &cards->items[i + 1] : NULL;
}
