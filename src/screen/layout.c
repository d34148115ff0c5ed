/* The layout of a screen. The design is 1080 units high; a unit is one pixel there, and more on larger screens and with
 * larger text. A presentation is 800 units high, so that the smallest text (16 units) is 1/50 of the height.
 *
 * The words, the code, the time and the knobs of a lesson stand in a column beside the stage. A window that is too
 * narrow for it has them below the stage or, if it is low, on pages in turn with the picture. So does a presentation,
 * whose stage also shows the most important of them. */
#include "screen/layout.h"
#include "lesson/facts.h"
#include "screen/screen.h"
#include <math.h>
#include <string.h>

/* Returns where the cards of a lesson are. A window that is too narrow for a column has them below the stage or, if it
 * is low as well, on pages. So does a presentation. */
static enum deck_place place_of(const struct drawing *drawing)
{
    const struct ui *ui = drawing->ui;
    if (drawing->preferences->presenting)
        return DECK_PAGES;
    return ui->screen.w >= 880 * ui->unit ? DECK_BESIDE : ui->screen.h >= 1060 * ui->unit ? DECK_BELOW : DECK_PAGES;
}

/* Divides the room of a lesson between its stage and its cards. */
static void place_lesson(const struct drawing *drawing, struct layout *layout, struct rect all)
{
    float const u = drawing->ui->unit;
    if (layout->place == DECK_BESIDE) {
        float const wide = all.w * (all.w < 1130 * u ? 0.37f : 0.29f);
        layout->side = rect_cut_right(&all, fminf(540 * u, fmaxf(all.w < 1130 * u ? 330 * u : 412 * u, wide)));
        rect_cut_right(&all, (all.w < 700 * u ? 16 : 28) * u);
        layout->steps = rect_cut_right(&layout->timeline, drawing->ui->screen.w - layout->side.x);
    } else if (layout->place == DECK_BELOW) {
        layout->side = rect_cut_bottom(&all, all.h * 0.42f);
        rect_cut_bottom(&all, 16 * u);
    }
    layout->stage = all;
}

/* Returns whether a class sees the notice's error in large below: the wrong elements of a bug that it was asked for. A
 * number of hazards or faults says nothing of them: a GPU records none. */
static bool is_said_below(const struct drawing *drawing)
{
    const struct document *document = drawing->document;
    const struct run *run = document_run(document);
    const struct report report = document_report(document);
    const char *big = document_bug(document) ? document_beat(document)->big : NULL;
    return drawing->preferences->presenting && document_answered(document) && run && run->check.checked &&
           !run->check.right && !report_count(&report) && big &&
           fact_named(big, strlen(big)) == &fact_table[FACT_wrong_count];
}

struct layout layout_of(const struct drawing *drawing)
{
    float u = drawing->ui->unit;
    struct rect all = drawing->ui->screen;
    struct layout layout = {.place = place_of(drawing)};
    bool const low = all.h < 600 * u, lesson = !drawing->at_list && drawing_lesson(drawing);
    layout.compact = drawing->preferences->presenting || (!lesson && (all.w < 1180 * u || low));
    bool const slim = low || (lesson && drawing->preferences->presenting); /* the picture needs the room */
    layout.top = rect_cut_top(&all, drawing->preferences->bare ? 0 : (slim ? 44 : 56) * u);
    if (lesson && layout.place != DECK_BESIDE)
        layout.steps = rect_cut_bottom(&all, (slim && !low ? 48 : 52) * u);
    layout.timeline = rect_cut_bottom(&all, (slim ? 66 : 92) * u);
    layout.notice_text = notice_above(drawing, layout.top, &layout.notice_bad);
    if (layout.notice_bad && lesson && is_said_below(drawing))
        layout.notice_text = "";
    if (*layout.notice_text && !lesson)
        layout.notice = rect_cut_top(&all, notice_height(drawing, layout.notice_text, all.w));
    all = rect_inset(all, (all.w < 700 * u ? 12 : 24) * u, all.h < 760 * u ? 10 * u : 18 * u);
    if (lesson) {
        place_lesson(drawing, &layout, all);
        if (*layout.notice_text) { /* the cards stay where they are */
            layout.notice = rect_cut_top(&layout.stage, notice_height(drawing, layout.notice_text, layout.stage.w));
            rect_cut_top(&layout.stage, 8 * u);
        }
        return layout;
    }
    if (!layout.compact) {
        bool file = drawing->document->kind == DOCUMENT_FILE; /* wider, for a source of any width and its report */
        float side = fminf((file ? 660 : 540) * u, fmaxf(412 * u, all.w * (file ? 0.35f : 0.29f)));
        layout.side = rect_cut_right(&all, side);
        rect_cut_right(&all, 28 * u);
    }
    layout.stage = all;
    return layout;
}
