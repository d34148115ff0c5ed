/* The report of the run on screen: which finding is shown, and the way to its events. */
#include "app/document/document.h"

struct report document_report(const struct document *document)
{
    const struct run *run = document_run(document);
    if (run)
        return (struct report){run->trace, run->hazards, run->hazard_count, true, run->counted};
    return (struct report){.trace = document->file.trace};
}

static bool shown(const struct document *document, const struct playhead *playhead, struct report *report,
                  struct finding *finding)
{
    *report = document_report(document);
    if (playhead->finding < 0 || playhead->finding >= (int)report_count(report))
        return false;
    *finding = report_finding(report, (uint32_t)playhead->finding);
    return true;
}

const struct emulator_hazard *document_race_shown(const struct document *document, const struct playhead *playhead)
{
    struct report report;
    struct finding finding;
    return shown(document, playhead, &report, &finding) ? finding.hazard : NULL;
}

/* The side of the shown finding that the event on screen is, or -1. */
static int side_here(const struct document *document, const struct playhead *playhead, struct report *report,
                     struct finding *finding)
{
    if (!document->playback || playhead->position >= document->playback->count ||
        !shown(document, playhead, report, finding))
        return -1;
    for (int side = 0; side < (finding->hazard ? 2 : 1); side++)
        if (finding_position(report, finding, side, document->playback) == playhead->position)
            return side;
    return -1;
}

const struct trace_fault *document_fault_here(const struct document *document, const struct playhead *playhead)
{
    struct report report;
    struct finding finding;
    return side_here(document, playhead, &report, &finding) >= 0 ? finding.fault : NULL;
}

uint32_t document_finding_lanes(const struct document *document, const struct playhead *playhead)
{
    struct report report;
    struct finding finding;
    int const side = side_here(document, playhead, &report, &finding);
    uint32_t warp;
    if (side < 0)
        return 0;
    return 1u << finding_lane(report.trace,
                              finding.fault ? finding.fault->thread
                              : side        ? finding.hazard->second_thread
                                            : finding.hazard->first_thread,
                              &warp);
}

void document_go_finding(struct document *document, struct playhead *playhead, int index, int side)
{
    struct report report;
    struct finding finding;
    size_t event = 0;
    playhead->finding = index;
    if (!shown(document, playhead, &report, &finding) || !finding_event(&report, &finding, side, &event))
        return;
    if (report.trace->events.items[event].block != document->block || !document->playback)
        document_use_block(document, playhead, report.trace, report.trace->events.items[event].block);
    playhead->playing = false;
    playhead->filter = 0;
    size_t const position = finding_position(&report, &finding, side, document->playback);
    if (position != SIZE_MAX)
        playhead_seek(playhead, document->playback, position, false);
}

struct code_mark *document_marks(const struct document *document, struct arena *arena, uint32_t *count)
{
    struct report const report = document_report(document);
    uint32_t const findings = report_count(&report);
    struct code_mark *marks = arena_array(arena, struct code_mark, 2 * (size_t)findings + 1);
    *count = 0;
    if (document->file.refused && document->file.error.line > 0)
        marks[(*count)++] =
            (struct code_mark){(uint32_t)document->file.error.line, (uint32_t)document->file.error.column, NULL};
    for (uint32_t i = 0; i < findings; i++) {
        uint32_t lines[2];
        struct finding const finding = report_finding(&report, i);
        finding_lines(&report, &finding, lines);
        for (int side = 0; side < 2; side++)
            if (lines[side])
                marks[(*count)++] = (struct code_mark){lines[side], 0, finding_title(&finding)};
    }
    return marks;
}
