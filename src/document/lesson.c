/* A lesson as a document: its steps, and its knobs. */
#include "base/words.h"
#include "document/document.h"
#include "document/program.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void document_want_ladder(struct document *document)
{
    if (document->lesson)
        ladder_want(&document->ladder, document->lesson, &document->look.setting, document->beat);
}

struct lesson_setting document_setting_of_beat(const struct document *document, int beat)
{
    const struct lesson_beat *step = &document->lesson->beats[beat];
    struct lesson_setting setting = document->look.setting;
    lesson_apply_sets(&setting, step->sets, step->set_count);
    return setting;
}

/* Goes to the step, without a run. Returns false if there is no such step. */
static bool enter_beat(struct document *document, struct playhead *playhead, int beat)
{
    const struct lesson *lesson = document->lesson;
    if (!lesson || beat < 0 || beat >= lesson->beat_count)
        return false;
    const struct lesson_beat *step = &lesson->beats[beat];
    if (document->notice->from_start)
        notice_clear(document->notice);
    document->beat = beat;
    document->chosen = 0;
    document->reading = (struct reading){0};
    document->has_other = document->showing_other = document->above = false;
    document_read_bug(document);
    playhead->playing = playhead->passes_seen = false;
    struct lesson_setting const before = document->look.setting;
    struct lesson_setting *setting = &document->look.setting;
    lesson_apply_sets(setting, step->sets, step->set_count);
    for (int i = 0; i < step->set_count; i++) {
        int const knob = step->sets[i].knob;
        if (knob >= 0 && before.value[knob] != setting->value[knob])
            document->knob = knob;
    }
    if (step->stage & STAGE_LADDER)
        document->knob = step->ladder_knob;
    return true;
}

void document_go_beat(struct document *document, struct playhead *playhead, int beat)
{
    if (!enter_beat(document, playhead, beat))
        return;
    document_show_setting(document, playhead, false);
    document_want_ladder(document);
}

void document_resume_beat(struct document *document, struct playhead *playhead, int beat,
                          const struct lesson_setting *setting)
{
    if (!enter_beat(document, playhead, beat))
        return;
    if (!document_setting_rests(document))
        document->look.setting = *setting;
    document_show_setting(document, playhead, false);
    document_want_ladder(document);
}

static void forget_answers(struct document *document)
{
    for (int i = 0; i < document->lesson->beat_count; i++)
        document->guesses[i] = (struct guess){.chosen = -1};
}

void document_teach(struct document *document, struct playhead *playhead, bool in_class)
{
    struct guess *const before = document->guesses;
    if (!document->lesson || document->in_class == in_class)
        return;
    bool const answered = document_answered(document);
    document->guesses = document->guesses_kept;
    document->guesses_kept = before;
    document->in_class = in_class;
    if (in_class)
        forget_answers(document);
    if (document->run && document_answered(document) != answered)
        document_go_beat(document, playhead, document->beat);
}

void document_restart(struct document *document, struct playhead *playhead)
{
    if (!document->lesson)
        return;
    forget_answers(document);
    document->knobs_turned = 0;
    document->look.setting = lesson_defaults(document->lesson);
    document_go_beat(document, playhead, 0);
}

void document_drop_unfit_question(struct document *document, struct playhead *playhead)
{
    const struct lesson_beat *beat = document_beat(document);
    double answer;
    if (!document_asks(document) || !beat->choice_count || !document->run || !document_answer(document, &answer))
        return;
    for (int i = 0; i < beat->choice_count; i++)
        if (fabs(answer - beat->choices[i]) < 1e-9)
            return;
    document->guesses[document->beat].skipped = true;
    document_describe_run(document, playhead);
    notice_say(document->notice, "%s", _("no choice fits this setting, so the answer is shown; R asks again"));
}

bool document_setting_rests(const struct document *document)
{
    return document_asks(document) && document_beat(document)->choice_count > 0;
}

unsigned document_idle_knobs(const struct document *document)
{
    return document_setting_rests(document)
               ? 0
               : lesson_idle_knobs(document->run, document->lesson, &document->look.setting, document_beat(document));
}

void document_change_setting(struct document *document, struct playhead *playhead, const struct lesson_setting *setting)
{
    if (document_setting_rests(document)) {
        notice_pass(document->notice, "%s", _("answer or skip the question first, then turn the knobs"));
        return;
    }
    document->other = document->look;
    for (int k = 0; k < document->lesson->knob_count; k++)
        if (document->look.setting.value[k] != setting->value[k]) {
            document->knob = k;
            document->knobs_turned |= 1u << k;
        }
    document->look.setting = *setting;
    if (document_asks_cells(document))
        memset(document->guesses[document->beat].cells, 0, MARKS_MAX);
    document->has_other = true;
    document->showing_other = false;
    playhead->playing = false;
    document_show_setting(document, playhead, true);
    document_want_ladder(document);
}

void document_turn_knob(struct document *document, struct playhead *playhead, int knob, int value)
{
    if (!document->lesson || knob < 0 || knob >= document->lesson->knob_count)
        return;
    int const last = document->lesson->knobs[knob].value_count - 1;
    struct lesson_setting setting = document->look.setting;
    setting.value[knob] = value < 0 ? 0 : value > last ? last : value;
    if (setting.value[knob] != document->look.setting.value[knob])
        document_change_setting(document, playhead, &setting);
}

static void close_file(struct open_file *file)
{
    if (file->run)
        run_free(file->run); /* and its trace */
    else if (file->trace)
        trace_free(file->trace);
    arena_free(&file->arena);
}

void document_close(struct document *document, struct playhead *playhead)
{
    measure_stop(&document->measuring, document->worker);
    document_free_runs(document);
    document_forget_kernel(document);
    close_file(&document->file);
    program_close(document->program, document->worker);
    arena_free(&document->ladder.arena);
    arena_free(&document->bug.arena);
    free(document->guesses);
    free(document->guesses_kept);
    if (document->lesson)
        lesson_free(document->lesson);
    struct document const old = *document;
    *document = (struct document){.notice = old.notice,
                                  .worker = old.worker,
                                  .ended = old.ended,
                                  .patience = old.patience,
                                  .opened = old.opened + 1,
                                  .look.executor = old.look.executor,
                                  .gpu = old.gpu,
                                  .caches = old.caches,
                                  .dram_feed = old.dram_feed,
                                  .dram = old.dram,
                                  .blocks_chosen = old.blocks_chosen,
                                  .blocks = old.blocks,
                                  .ptx = old.ptx,
                                  .form = old.form,
                                  .pinned = old.pinned,
                                  .failed = old.failed,
                                  .block_arenas = {old.block_arenas[0], old.block_arenas[1]},
                                  .block_arena = old.block_arena,
                                  .other_block = {.arena = old.other_block.arena}};
    playhead->finding = -1;
    playhead->playing = false;
    playhead_settle(playhead);
}

bool document_open_lesson(struct document *document, struct playhead *playhead, const char *name, struct error *error)
{
    if (document->lesson && document->run && lesson_is_named(document->lesson, name))
        return true; /* as it was left */
    struct lesson *lesson = NULL;
    if (!lesson_load(name, &lesson, error))
        return false;
    lesson_cancel_with(lesson, document->ended);
    if ((document->gpu && !lesson_use_gpu(lesson, document->gpu, error)) ||
        (document->dram && !lesson_use_dram(lesson, document->dram, error))) {
        lesson_free(lesson);
        return false;
    }
    document_close(document, playhead);
    document->kind = DOCUMENT_LESSON;
    document->lesson = lesson;
    document->look.setting = lesson_defaults(lesson);
    document->guesses = calloc((size_t)lesson->beat_count + 1, sizeof *document->guesses);
    document->guesses_kept = calloc((size_t)lesson->beat_count + 1, sizeof *document->guesses);
    forget_answers(document);
    return true;
}
