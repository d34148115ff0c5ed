#include "app/home.h"
#include "base/words.h"
#include <stdint.h>

const struct home_sample home_samples[HOME_SAMPLES] = {
    {"race.cu", N_("A race"), N_("a barrier is missing"), 0},
    {"copy.cu", N_("An uncoalesced copy"), N_("each lane needs a sector of its own"), 1},
    {"conflict.cu", N_("A bank conflict"), N_("a column of a tile, 32 passes"), 65}};

size_t home_count(const struct cards *cards, const struct progress *progress)
{
    int recent = 0;
    while (progress_recent(progress, recent))
        recent++;
    return cards->count + 1 + HOME_SAMPLES + (size_t)recent;
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

size_t home_go_on(const struct cards *cards, const struct progress *progress)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < cards->count; i++) {
        if (progress_of_lesson(progress, cards->items[i].name).last)
            return i;
        if (first == SIZE_MAX && !cards->items[i].problem)
            first = i;
    }
    return first == SIZE_MAX ? 0 : first;
}
