#include "base/words.h"
#include "screen/home.h"
#include <stdint.h>

const struct home_sample home_samples[HOME_SAMPLES] = {
    {"race.cu", N_("A race"), N_("a barrier is missing"), 0},
    {"copy.cu", N_("An uncoalesced copy"), N_("each lane needs a sector of its own"), 1},
    {"conflict.cu", N_("A bank conflict"), N_("a column of a tile, 32 passes"), 65}};

size_t home_count(const struct cards *cards)
{
    return cards->count + 1 + HOME_SAMPLES + (size_t)cards->recent_count;
}

struct home_item home_item(const struct cards *cards, size_t at)
{
    if (at < cards->count)
        return (struct home_item){HOME_LESSON, (int)at};
    int const own = (int)(at - cards->count);
    if (own == 0)
        return (struct home_item){HOME_OPEN, 0};
    return own <= HOME_SAMPLES ? (struct home_item){HOME_SAMPLE, own - 1}
                               : (struct home_item){HOME_RECENT, own - 1 - HOME_SAMPLES};
}

static bool is_finished(const struct lesson_card *card)
{
    return card->way.furthest >= card->beats;
}

/* Returns the first unfinished lesson behind this one that can be opened, this one if there is none. */
static size_t next_unfinished(const struct cards *cards, size_t at)
{
    for (size_t i = at + 1; i < cards->count; i++)
        if (!cards->items[i].problem && !is_finished(&cards->items[i]))
            return i;
    return at;
}

size_t home_go_on(const struct cards *cards)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < cards->count; i++) {
        if (cards->items[i].way.last)
            return is_finished(&cards->items[i]) ? next_unfinished(cards, i) : i;
        if (first == SIZE_MAX && !cards->items[i].problem)
            first = i;
    }
    return first == SIZE_MAX ? 0 : first;
}
