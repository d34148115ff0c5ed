/* The report of the run on screen: the shown finding, and the way to its events. */
#include "document/document.h"

struct report document_report(const struct document *document)
{
    const struct run *run = document_run(document);
    if (run)
        return (struct report){.trace = run->trace, .looked_known = true, .looked = run->counted};
    return (struct report){
        .trace = document->file.trace, .causes = document->file.causes, .mistake = document->file.mistake};
}

bool document_hides_findings(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    return document_asks(document) && document->run && beat->kind != BEAT_OBSERVE &&
           document->lesson->variants[document->look.setting.variant].faulty;
}

static const struct finding *shown(const struct document *document, const struct playhead *playhead)
{
    struct report const report = document_report(document);
    if (document_covered(document) || document_hides_findings(document) || playhead->finding < 0 ||
        playhead->finding >= (int)report_count(&report))
        return NULL;
    return report_finding(&report, (uint32_t)playhead->finding);
}

const struct finding *document_race_shown(const struct document *document, const struct playhead *playhead)
{
    const struct finding *finding = shown(document, playhead);
    return finding && finding_is_race(finding) ? finding : NULL;
}

/* Returns the side of the finding that is the event on screen, or -1. */
static int side_of(const struct document *document, const struct playhead *playhead, const struct finding *finding)
{
    const struct trace *trace = document_report(document).trace;
    if (!finding || !document->playback || playhead->position >= document->playback->count)
        return -1;
    for (int side = 0; side < (finding_is_race(finding) ? 2 : 1); side++)
        if (finding_position(trace, finding, side, document->playback) == playhead->position)
            return side;
    return -1;
}

/* Returns the side of the shown finding that is the event on screen, or -1. */
static int side_here(const struct document *document, const struct playhead *playhead)
{
    return side_of(document, playhead, shown(document, playhead));
}

int document_first_finding(const struct document *document, const struct playhead *playhead)
{
    struct report const report = document_report(document);
    int const count = (int)report_count(&report);
    for (int i = 0; i < count; i++) {
        const struct finding *finding = report_finding(&report, (uint32_t)i);
        if (!finding_is_race(finding))
            break;
        if (side_of(document, playhead, finding) >= 0)
            return i;
    }
    return count ? 0 : -1;
}

const struct finding *document_fault_here(const struct document *document, const struct playhead *playhead)
{
    const struct finding *finding = side_here(document, playhead) >= 0 ? shown(document, playhead) : NULL;
    return finding && !finding_is_race(finding) ? finding : NULL;
}

uint32_t document_finding_lanes(const struct document *document, const struct playhead *playhead)
{
    int const side = side_here(document, playhead);
    uint32_t warp;
    if (side < 0)
        return 0;
    const uint32_t *thread = report_side(shown(document, playhead), side)->thread;
    return 1u << report_lane(document_report(document).trace, thread, &warp);
}

void document_go_finding(struct document *document, struct playhead *playhead, int index, int side)
{
    const struct trace *trace = document_report(document).trace;
    size_t event = 0;
    playhead->finding = index;
    const struct finding *finding = shown(document, playhead);
    if (!finding || !report_event(trace, finding, side, &event))
        return;
    if (trace->events.items[event].block != document->block || !document->playback)
        document_use_block(document, playhead, trace, trace->events.items[event].block);
    playhead->playing = false;
    playhead->filter = 0;
    size_t const position = finding_position(trace, finding, side, document->playback);
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
        marks[(*count)++] = (struct code_mark){.line = (uint32_t)document->file.error.line,
                                               .column = (uint32_t)document->file.error.column};
    for (uint32_t i = 0; i < findings; i++) {
        uint32_t lines[2];
        const struct finding *finding = report_finding(&report, i);
        report_lines(finding, lines);
        for (int side = 0; side < 2; side++)
            if (lines[side])
                marks[(*count)++] = (struct code_mark){.line = lines[side], .words = report_title(finding)};
    }
    return marks;
}
