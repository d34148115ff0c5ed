/* Fills the struct stage_view that the stage is drawn from, out of the document and the playhead. */
#include "screen/stage.h"
#include "lesson/facts.h"
#include "screen/side/side.h"
#include "view/stage.h"
#include <math.h>
#include <string.h>

static const char *fact_words(const struct lesson_beat *beat)
{
    switch (beat->ladder_counts) {
    case COUNTS_PASSES:
        return _("number of passes");
    case COUNTS_SECTORS:
        return _("number of sectors");
    case COUNTS_STEPS:
        return _("number of steps");
    case COUNTS_TIME:
        return _("measured time in µs");
    case COUNTS_PER_CENT_IN_L1:
        return _("sectors found in L1, in per cent");
    case COUNTS_GIGABYTES_OF_DRAM:
        return _("read from DRAM, GB");
    default:
        return beat->ladder;
    }
}

static struct ladder *ladder_now(const struct drawing *drawing)
{
    const struct ladder_points *points = &drawing->document->ladder;
    if (!points->wanted)
        return NULL;
    struct ladder *ladder = arena_array(drawing->arena, struct ladder, 1);
    struct ladder_line *others = arena_array(drawing->arena, struct ladder_line, LADDER_LINES_MAX);
    for (int i = 0; i < points->other_count; i++)
        others[i] =
            (struct ladder_line){.label = document_variant_label(drawing->document, drawing->arena,
                                                                 drawing->preferences->language, points->variants[i]),
                                 .values = points->others[i]};
    *ladder = (struct ladder){
        .points = points->points,
        .others = others,
        .other_count = points->other_count,
        .name = document_variant_label(drawing->document, drawing->arena, drawing->preferences->language,
                                       drawing->document->look.setting.variant),
        .count = points->count,
        .known = points->known,
        .knob = points->knob,
        .times = document_beat(drawing->document)->ladder_counts == COUNTS_TIME,
        .current = drawing->document->look.setting.value[points->knob],
        .x_name = drawing->document->lesson->knobs[points->knob].label[drawing->preferences->language],
        .y_name = fact_words(document_beat(drawing->document))};
    return ladder;
}

/* Returns the last sentence of the question's words: "How many passes?". */
static const char *question_words(const struct drawing *drawing)
{
    const char *words = beat_last_words(drawing), *end;
    while ((end = strstr(words, ". ")))
        words = end + 2;
    return words;
}

/* Returns "Answer: 5 x 5" for a question that is answered, NULL where the step's own number says it already. */
static const char *answer_line(const struct drawing *drawing, const char *number)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    double value;
    if (!beat->choice_count || !document_answered(drawing->document) || !document_answer(drawing->document, &value))
        return NULL;
    for (int i = 0; i < beat->choice_count; i++)
        if (fabs(value - beat->choices[i]) < 1e-9) {
            const char *said = choice_label(drawing, i);
            return strcmp(said, number) == 0 ? NULL : arena_format(drawing->arena, _("Answer: %s"), said);
        }
    return NULL;
}

/* Returns what a task says first, and behind it what is to be done. */
static const char *task_words(const struct drawing *drawing)
{
    const char *first = beat_first_words(drawing), *last = beat_last_words(drawing);
    return strncmp(last, first, strlen(first)) == 0 ? last : arena_format(drawing->arena, "%s %s", first, last);
}

/* Returns the step's own number and, for a class, the answer, at the position where the step opens; NULL anywhere else
 * and before the answer. */
static struct tally *tally_now(const struct drawing *drawing)
{
    const struct document *document = drawing->document;
    const struct lesson_beat *beat = document_beat(document);
    enum language const language = drawing->preferences->language;
    bool known = false;
    if (document_asks(document) || document->block != drawing->playhead->opening_block ||
        drawing->playhead->position != drawing->playhead->beat_position)
        return NULL;
    struct tally *tally = arena_array(drawing->arena, struct tally, 1);
    *tally = (struct tally){.number = ""};
    if (beat->big) {
        enum fact_counts const counts = facts_count(document->lesson, beat->big);
        tally->number = document_number(document, drawing->arena, beat->big, &known);
        tally->words = document_fill(document, drawing->arena, beat->big_words[language]);
        tally->sentence = document_fill(document, drawing->arena, beat->tally[language]);
        tally->bad = known && counts == COUNTS_MISTAKES && strcmp(tally->number, "0") != 0;
        tally->of_access = counts == COUNTS_PASSES || counts == COUNTS_SECTORS;
    }
    bool const remembers = beat->kind == BEAT_REMEMBER && !beat->big; /* the number of an access is not its point */
    if (remembers)
        tally->sentence = beat_first_words(drawing);
    tally->answer = drawing->compact ? answer_line(drawing, tally->number) : NULL;
    const char *said = drawing->compact ? beat_verdict(drawing) : NULL;
    if (drawing->compact && beat->kind == BEAT_TASK && !document_task_done(document))
        tally->sentence = task_words(drawing);
    else if (said)
        tally->sentence = arena_format(drawing->arena, "%s %s", said, tally->sentence ? tally->sentence : "");
    return known || remembers || tally->answer ? tally : NULL;
}

/* Returns the blocks on a multiprocessor, or NULL if the limits of the GPU are not known. */
static const struct occupancy_case *occupancy_now(const struct drawing *drawing)
{
    const struct run *run = document_run(drawing->document);
    return run && run->occupancy.limits ? &run->occupancy : NULL;
}

static struct roofline *roofline_now(const struct drawing *drawing)
{
    struct roofline *roofline = arena_array(drawing->arena, struct roofline, 1);
    const struct document *document = drawing->document;
    bool const known = (document_beat(document)->stage & STAGE_ROOFLINE) &&
                       lesson_roofline(document->lesson, &document->look.setting, drawing->preferences->language,
                                       drawing->arena, roofline);
    return known ? roofline : NULL;
}

static struct stage_view lesson_stage(const struct drawing *drawing)
{
    const struct lesson_beat *beat = document_beat(drawing->document);
    bool const covered = document_covered(drawing->document);
    const char *explained = drawing->preferences->presenting ? beat_first_words(drawing) : "";
    struct tally *tally = tally_now(drawing);
    if (tally && tally->sentence && strncmp(tally->sentence, explained, strlen(explained)) == 0)
        explained = ""; /* the task begins with it */
    if (drawing->bug_told)
        explained = ""; /* it stands below the wrong line */
    return (struct stage_view){.shown = beat->stage,
                               .of_lesson = true,
                               .focus = beat->focus,
                               .plain = (beat->later & LATER_SECTORS) != 0,
                               .no_caches = (beat->later & LATER_CACHES) != 0,
                               .covered = covered,
                               .secrets = document_secrets(drawing->document),
                               .ladder = ladder_now(drawing),
                               .occupancy = occupancy_now(drawing),
                               .roofline = roofline_now(drawing),
                               .tally = tally,
                               .explained = *explained ? explained : NULL,
                               .further = *explained ? beat_further_words(drawing) : NULL,
                               .prompt = covered ? question_words(drawing) : NULL};
}

/* Draws the stage with the user's size of text or, if panels have no room then, with a smaller one: as small as the
 * size without enlargement, at which the columns stay readable. */
static struct action draw_sized(struct view *view, struct rect box, const struct stage_view *stage)
{
    struct ui *ui = view->ui;
    float const unit = ui->unit, least = fminf(unit, ui->minimum_text / 16), step = least * 0.1f;
    if (unit > least) {
        ui->unit = least;
        uint64_t const all = stage_kept(view, box, stage);
        for (ui->unit = unit; ui->unit > least; ui->unit = fmaxf(least, ui->unit - step))
            if (columns_in(ui, box).pitch >= 17 * ui->unit && (stage_kept(view, box, stage) & all) == all && all)
                break;
    }
    struct action const action = stage_draw(view, box, stage);
    ui->unit = unit;
    return action;
}

/* A stage with what its pointers lead to. */
struct offer {
    struct stage_view stage;
    struct report report;
    struct code_view code;
    struct time_view time;
    struct knobs_view knobs;
    struct words_view words;
    struct question_view question;
    struct ways_view ways;
    struct marks marks;
    struct sass_view sass;
};

/* Offers the question with its words, or the buttons that lead on from the step. */
static void offer_question(const struct drawing *drawing, struct offer *offer, bool asks, const char *half)
{
    const struct document *document = drawing->document;
    struct stage_view *stage = &offer->stage;
    bool const next_mends = drawing->in_class && document_bug(document) && !document_guess(document)->mended;
    if (asks || stage->covered) {
        offer->words = words_now(drawing);
        offer->question = question_now(drawing);
        stage->question = &offer->question;
    } else if (drawing_lesson(drawing) && drawing->compact && !half && !next_mends &&
               document_beat(document)->kind != BEAT_REMEMBER &&
               (offer->ways = ways_now(drawing))
                   .count) { /* the last step has its words and ways on a page of their own */
        stage->ways = &offer->ways;
    }
}

/* Offers the times or the code, where the cards have no room for them. */
static void offer_below(struct drawing *drawing, const struct view *view, struct rect box, struct offer *offer,
                        bool asks, const char *half)
{
    const struct document *document = drawing->document;
    struct stage_view *stage = &offer->stage;
    bool const lesson = drawing_lesson(drawing);
    bool const asks_places = asks && document_asks_cells(document) &&
                             document_mark_cells(document) == CELLS_VARIABLES; /* their declarations */
    bool const asks_line = lesson && document_asks_line(document);
    bool const tells_time = lesson && !stage->covered && document_tells_time(document, drawing->preferences->language);
    bool const below = drawing->compact && !half && !drawing->bug_shown &&
                       (!asks || stage->covered ||
                        (asks_line && box.h > 480 * drawing->ui->unit)); /* else the question stands there */
    if (tells_time && (below || (!drawing->compact && !half && !drawing->time_aside))) {
        offer->time = time_now(drawing); /* in place of the code */
        stage->time = &offer->time;
    } else if (below || drawing->code_stage) {
        offer->code = code_now(drawing, view, asks_line ? 24 : asks_places ? 9 : drawing->code_stage ? 14 : 3);
        stage->code = &offer->code;
    }
}

static void offer_stage(struct drawing *drawing, struct view *view, struct rect box, const char *half,
                        struct offer *offer)
{
    const struct document *document = drawing->document;
    bool const lesson = drawing_lesson(drawing), asks = lesson && document_asks(document) && !half;
    *offer = (struct offer){.report = document_report(document)};
    struct stage_view *stage = &offer->stage;
    *stage = lesson ? lesson_stage(drawing) : (struct stage_view){.shown = stage_in_file(view->scene)};
    if (lesson && !half && document_cells(document, drawing->playhead, view->scene, drawing->arena, &offer->marks)) {
        offer->marks.stroke = drawing->actions;
        stage->marks = &offer->marks;
    }
    offer_question(drawing, offer, asks, half);
    if (lesson && document_asks_line(document) && drawing->compact)
        stage->shown = 0; /* the class looks for a line: the code has all the room */
    const struct run *run = document_run(document);
    if (run && !half) {
        offer->sass = (struct sass_view){&run->sass, &run->counts, run->sass_lines, run->sass_line_count};
        stage->sass = &offer->sass;
    }
    stage->compact = drawing->compact;
    if (drawing->paged && asks && document_asks_cells(document) &&
        (!drawing->compact || card_words_height(view, box.w, &offer->words) > box.h * 0.42f)) {
        stage->compact = true; /* the buttons alone; the words have a page of their own */
        offer->words.count = 0;
    }
    if (drawing->paged && stage->covered && box.h < 480 * drawing->ui->unit)
        stage->compact = false; /* the question has a page of its own: the sheet is enough */
    stage->half = half;
    stage->cells = (enum cell_number)drawing->preferences->cells;
    stage->report = &offer->report;
    stage->fault = document_fault_here(document, drawing->playhead);
    stage->race = document_race_shown(document, drawing->playhead);
    stage->race_here = document_finding_lanes(document, drawing->playhead);
    stage->race_said = stage->race && strstr(drawing->notice->text, report_summary(view->arena, stage->race));
    stage->words = &offer->words;
    if (document->has_other && !half)
        stage->beside = document->showing_other ? _("A: before (Tab)") : _("B: now (Tab)");
    if (lesson && !drawing->knobs_aside && !stage->covered && !half && !document_setting_rests(document)) {
        offer->knobs = knobs_now(drawing);
        stage->knobs = &offer->knobs;
    }
    offer_below(drawing, view, box, offer, asks, half);
}

float draw_stage_least(struct drawing *drawing, struct view *view, struct rect box, bool low)
{
    struct offer offer;
    offer_stage(drawing, view, box, NULL, &offer);
    return stage_least(view, box, &offer.stage, low);
}

float draw_stage_spare(struct drawing *drawing, struct view *view, struct rect box)
{
    struct offer offer;
    offer_stage(drawing, view, box, NULL, &offer);
    return stage_spare(view, box, &offer.stage);
}

void draw_stage(struct drawing *drawing, struct view *view, struct rect box, const char *half)
{
    struct offer offer;
    offer_stage(drawing, view, box, half, &offer);
    action_ask(drawing->actions, draw_sized(view, box, &offer.stage));
}
