/* Runs of a lesson: those that are kept, and the one on screen. */
#include "base/lines.h"
#include "document/document.h"
#include <inttypes.h>
#include <string.h>

static struct kept_run *find_kept(struct document *document, const struct look *look)
{
    for (int i = 0; i < RUNS_KEPT; i++) {
        struct kept_run *kept = &document->kept[i];
        if (kept->run && memcmp(&kept->look.setting, &look->setting, sizeof look->setting) == 0 &&
            (kept->look.executor == look->executor || kept->run->executor == look->executor))
            return kept;
    }
    return NULL;
}

/* Returns an empty place, or that of the least recently used run, but never that of the run on screen. */
static struct kept_run *place_to_keep(struct document *document)
{
    struct kept_run *oldest = NULL;
    for (int i = 0; i < RUNS_KEPT; i++) {
        struct kept_run *kept = &document->kept[i];
        if (!kept->run)
            return kept;
        if (kept->run != document->run && (!oldest || kept->last_used < oldest->last_used))
            oldest = kept;
    }
    document->other_block.run = NULL; /* it may be the freed one */
    run_free(oldest->run);
    oldest->run = NULL;
    return oldest;
}

void document_free_runs(struct document *document)
{
    document->other_block.run = NULL;
    for (int i = 0; i < RUNS_KEPT; i++)
        if (document->kept[i].run)
            run_free(document->kept[i].run);
    memset(document->kept, 0, sizeof document->kept);
    document->run = NULL;
}

void document_forget_runs(struct document *document)
{
    document->other_block.run = NULL;
    if (document->lesson)
        lesson_forget_facts(document->lesson);
    for (int i = 0; i < RUNS_KEPT; i++)
        if (document->kept[i].run && document->kept[i].run != document->run) {
            run_free(document->kept[i].run);
            document->kept[i] = (struct kept_run){0};
        }
}

/* Compares an emulator's run with a GPU's run of the same setting: a live one if there is one, else a recorded one. */
static void compare_with_gpu(struct document *document, struct kept_run *kept)
{
    struct trace *recorded = NULL;
    const struct trace *gpu = NULL;
    if (kept->run->executor != EXECUTOR_EMULATOR)
        return;
    for (int i = 0; i < RUNS_KEPT; i++)
        if (document->kept[i].run && document->kept[i].run->executor == EXECUTOR_GPU &&
            memcmp(&document->kept[i].look.setting, &kept->look.setting, sizeof kept->look.setting) == 0)
            gpu = document->kept[i].run->trace;
    if (!gpu && lesson_recorded_trace(document->lesson, &kept->look.setting, &recorded, NULL))
        gpu = recorded;
    if (!gpu)
        return;
    kept->likeness = likeness_between(&kept->run->arena, kept->run->trace, gpu);
    trace_free(recorded);
}

struct kept_run *document_kept_run(struct document *document, const struct look *look, struct error *error)
{
    struct kept_run *kept = find_kept(document, look);
    if (!kept) {
        struct run *run = NULL;
        document->lesson->caches_asked = document->caches;
        if (!run_lesson(document->lesson, &look->setting, look->executor,
                        document->blocks_chosen ? &document->blocks : NULL, &run, error))
            return NULL;
        kept = place_to_keep(document);
        *kept = (struct kept_run){.look = *look, .run = run};
        compare_with_gpu(document, kept);
    }
    if (kept->last_used != document->clock) /* a frame that draws two runs changes nothing */
        kept->last_used = ++document->clock;
    return kept;
}

void document_say_likeness(struct document *document)
{
    const struct likeness *likeness = document_likeness(document);
    if (likeness && likeness->verdict == LIKE_DIFFERENT)
        notice_say(document->notice, _("differs from %s: %s"), likeness->device, likeness_words(likeness));
}

/* Says the symptom of a bug, and nothing of a run that is covered. */
static void describe_symptom(struct document *document, const struct report *report)
{
    struct notice *notice = document->notice;
    const struct run_check *check = &document->run->check;
    unsigned long long const wrong = check->checked && !check->right ? check->wrong_count : 0;
    const char *title = report_count(report) ? report_title(report_finding(report, 0)) : NULL;
    notice->bad = false;
    notice_clear(notice);
    if (document_covered(document))
        return;
    if (title && wrong)
        notice_say(notice, _("the checks report: %s · wrong elements: %llu"), title, wrong);
    else if (title)
        notice_say(notice, _("the checks report: %s"), title);
    else if (wrong)
        notice_say(notice, _("wrong elements: %llu"), wrong);
    notice->bad = title || wrong;
}

void document_describe_run(struct document *document, struct playhead *playhead)
{
    struct arena arena = {0};
    struct notice *notice = document->notice;
    const struct run *run = document->run;
    struct report const report = document_report(document);
    if (document_hides_findings(document)) {
        playhead->finding = -1;
        describe_symptom(document, &report);
        return;
    }
    playhead->finding = document_first_finding(document, playhead);
    bool bad = true;
    if (playhead->finding >= 0) {
        const struct finding *finding = report_finding(&report, (uint32_t)playhead->finding);
        notice_say(notice, "%s: %s", report_title(finding), report_summary(&arena, finding));
    } else if (run->check.checked && !run->check.right) {
        notice_say(
            notice,
            _("wrong result: %s[%" PRIu64 "] should be %g but is %g (wrong elements: %" PRIu64 "); check the kernel"),
            run->check.name, run->check.index, run->check.expected, run->check.got, run->check.wrong_count);
    } else if (run->trace->lost) {
        notice_say(notice, _("the record is full (events lost: %" PRIu64 "); record fewer blocks"), run->trace->lost);
    } else {
        bad = false;
        if (notice->bad)
            notice_clear(notice);
        document_say_likeness(document);
    }
    notice->bad = bad;
    arena_free(&arena);
}

/* Goes to the beat's opening position: its access in lesson.yaml, else its quoted line, else the first access. */
static void find_opening(struct document *document, struct playhead *playhead)
{
    const struct lesson_beat *beat = document_beat(document);
    const struct run *run = document->run;
    const struct trace *trace = run->trace;
    uint64_t block = beat && beat->block > 0 ? (uint64_t)beat->block : trace->recorded.first;
    size_t event = 0;
    bool named = beat && run_find_beat(run, document->lesson, &document->look.setting, beat, &event);
    if (named)
        block = trace->events.items[event].block;
    if (trace->events.count && block > trace->events.items[trace->events.count - 1].block && !named)
        block = trace->events.items[0].block;
    document_use_block(document, playhead, trace, block);
    playhead->opening_block = block;
    const struct playback *playback = document->playback;
    size_t position = playback->count ? playback_access(playback, 1) : 0;
    if (named) {
        for (size_t i = 0; i < playback->count; i++)
            if (playback->timeline->events[i] == event)
                position = i;
    } else if (beat && beat->at) {
        uint32_t const line = run->source ? line_with(run->source, beat->at) : 0;
        if (line)
            playback_line_access(playback, line, (uint32_t)beat->warp, beat->occurrence, &position);
    }
    playhead->position = playhead->beat_position = playhead->opening_position = position;
}

/* Returns the run of the current look. The emulator runs a setting that was not recorded, and a notice says so. */
static struct kept_run *run_now(struct document *document, struct error *error)
{
    struct look look = document->look;
    struct kept_run *kept = document_kept_run(document, &look, error);
    document->failed = kept ? (struct error){0} : *error;
    if (kept || look.executor != EXECUTOR_RECORDING || error->kind != ERROR_MISSING)
        return kept;
    look.executor = EXECUTOR_EMULATOR;
    kept = document_kept_run(document, &look, error);
    if (kept)
        notice_say(document->notice, "%s", _("this setting was not recorded on a GPU: this is the emulator's run"));
    return kept;
}

/* The place is kept for a knob, so that only one thing changes. */
bool document_show_setting(struct document *document, struct playhead *playhead, bool keep_place)
{
    struct error error = {0};
    struct kept_run *kept = run_now(document, &error);
    if (!kept) {
        notice_error(document->notice, &error);
        return false;
    }
    bool at_opening = !document->playback || playhead->position == playhead->beat_position;
    bool elsewhere = document->playback && document->block != playhead->opening_block;
    uint64_t block = document->block;
    struct playback_place place = {0};
    if (document->playback && document->playback->count)
        place = playback_place(document->playback, playhead->position);
    document->run = kept->run;
    find_opening(document, playhead);
    if (keep_place && elsewhere)
        document_show_block(document, playhead, block);
    if (keep_place && (elsewhere || !at_opening) && document->playback->count)
        playhead->position = playback_find_place(document->playback, &place);
    document_describe_run(document, playhead);
    return true;
}

void document_renew_runs(struct document *document, struct playhead *playhead)
{
    document->stale = false;
    document->other_block.run = NULL;
    for (int i = 0; i < RUNS_KEPT; i++)
        if (document->kept[i].run && document->kept[i].run != document->run) {
            run_free(document->kept[i].run);
            document->kept[i].run = NULL;
        }
    struct kept_run *shown = find_kept(document, &document->look);
    if (!shown || shown->run != document->run)
        return;
    struct run *old = shown->run;
    struct playhead const before = *playhead;
    uint64_t block = document->block;
    shown->run = NULL;
    document->run = NULL;
    if (!document_show_setting(document, playhead, true)) { /* keep the old picture */
        shown->run = old;
        document->run = old;
        return;
    }
    run_free(old);
    if (document->block != block) /* the user has not moved */
        document_show_block(document, playhead, block);
    if (before.position < document->playback->count)
        playhead->position = before.position;
    playhead->filter = before.filter;
    playhead->pass = before.pass;
    playhead->moving = before.moving;
    playhead->moved = before.moved;
}

void document_compare(struct document *document, struct playhead *playhead)
{
    if (!document->lesson || !document->has_other) {
        notice_pass(document->notice, "%s",
                    _("turn a knob first, or press E: Tab then switches between the run before and the run now"));
        return;
    }
    struct look const now = document->look;
    document->look = document->other;
    if (!document_show_setting(document, playhead, true)) {
        document->look = now;
        return;
    }
    document->other = now;
    document->showing_other = !document->showing_other;
}

void document_flip_lesson(struct document *document, struct playhead *playhead)
{
    static const enum executor order[] = {EXECUTOR_GPU, EXECUTOR_EMULATOR, EXECUTOR_RECORDING};
    enum { COUNT = sizeof order / sizeof *order };
    struct look const before = document->look;
    struct error error = {0};
    int now = 0;
    while (now < COUNT - 1 && order[now] != document->run->executor)
        now++;
    playhead->playing = false;
    for (int step = 1; step < COUNT; step++) {
        struct look const next = {before.setting, order[(now + step) % COUNT]};
        if (!document_kept_run(document, &next, &error))
            continue;
        document->look = next;
        document_show_setting(document, playhead, true);
        document->other = before;
        document->has_other = true;
        document->showing_other = false;
        return;
    }
    notice_pass(document->notice, "%s", _("there is no GPU here, and this setting was not recorded on one"));
}
