/* The report of the run on screen: which finding is shown, and the way to its events. */
#include "app/state.h"

struct report app_report(const struct app *app)
{
    const struct run *run = app->run ? app->run : app->file.run;
    if (run)
        return (struct report){run->trace, run->hazards, run->hazard_count, true, run->counted};
    return (struct report){.trace = app->file.trace};
}

static bool shown(const struct app *app, struct report *report, struct finding *finding)
{
    *report = app_report(app);
    if (app->finding < 0 || app->finding >= (int)report_count(report))
        return false;
    *finding = report_finding(report, (uint32_t)app->finding);
    return true;
}

const struct emulator_hazard *app_race_shown(const struct app *app)
{
    struct report report;
    struct finding finding;
    return shown(app, &report, &finding) ? finding.hazard : NULL;
}

/* The side of the shown finding that the event on screen is, or -1. */
static int side_here(const struct app *app, struct report *report, struct finding *finding)
{
    if (!app->playback || app->position >= app->playback->count || !shown(app, report, finding))
        return -1;
    for (int side = 0; side < (finding->hazard ? 2 : 1); side++)
        if (finding_position(report, finding, side, app->playback) == app->position)
            return side;
    return -1;
}

const struct trace_fault *app_fault_here(const struct app *app)
{
    struct report report;
    struct finding finding;
    return side_here(app, &report, &finding) >= 0 ? finding.fault : NULL;
}

uint32_t app_finding_lanes(const struct app *app)
{
    struct report report;
    struct finding finding;
    int const side = side_here(app, &report, &finding);
    uint32_t warp;
    if (side < 0)
        return 0;
    return 1u << finding_lane(report.trace,
                              finding.fault ? finding.fault->thread
                              : side        ? finding.hazard->second_thread
                                            : finding.hazard->first_thread,
                              &warp);
}

void app_go_finding(struct app *app, int index, int side)
{
    struct report report;
    struct finding finding;
    size_t event = 0;
    app->finding = index;
    if (!shown(app, &report, &finding) || !finding_event(&report, &finding, side, &event))
        return;
    if (report.trace->events.items[event].block != app->block || !app->playback)
        app_build_playback(app, report.trace, report.trace->events.items[event].block);
    app->playing = false;
    app->filter = 0;
    size_t const position = finding_position(&report, &finding, side, app->playback);
    if (position != SIZE_MAX)
        app_seek(app, position, false);
}

struct code_mark *app_marks(struct app *app, uint32_t *count)
{
    struct report const report = app_report(app);
    uint32_t const findings = report_count(&report);
    struct code_mark *marks = arena_array(&app->frame, struct code_mark, 2 * (size_t)findings + 1);
    *count = 0;
    if (app->file.refused && app->file.error.line > 0)
        marks[(*count)++] = (struct code_mark){(uint32_t)app->file.error.line, (uint32_t)app->file.error.column, NULL};
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
