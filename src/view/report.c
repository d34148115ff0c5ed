/* Finds the event of a finding in the playback of a block. */
#include "view/report.h"

static size_t position_of(const struct playback *playback, size_t event)
{
    for (size_t i = 0; i < playback->count; i++)
        if (playback->timeline->events[i] == event)
            return i;
    return SIZE_MAX;
}

size_t finding_position(const struct trace *trace, const struct finding *finding, int side, struct playback *playback)
{
    for (int k = 0; k < 2 && playback->finding.of != finding; k++) {
        size_t event;
        playback->finding.position[k] =
            report_event(trace, finding, k, &event) ? position_of(playback, event) : SIZE_MAX;
    }
    playback->finding.of = finding;
    return playback->finding.position[side];
}
