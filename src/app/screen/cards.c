#include "app/screen/cards.h"
#include <string.h>

const struct lesson_card *cards_next(const struct cards *cards, const struct lesson *lesson)
{
    for (size_t i = 0; lesson && i + 1 < cards->count; i++)
        if (strcmp(cards->items[i].name, lesson->name) == 0)
            return &cards->items[i + 1];
    return NULL;
}
