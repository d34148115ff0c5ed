/* The cards of a lesson: the words with their question, the code, the measured time, the knobs. Each has a slot of its
 * own, which depends on the room and on the lesson's knobs and variants, never on the step: nothing moves from the
 * first step to the last. Where there is not room for all slots, some share one behind tabs. Words that are longer than
 * their slot scroll. */
#include "screen/side/deck.h"
#include <math.h>

static float gap_of(const struct drawing *drawing)
{
    return 12 * drawing->ui->unit;
}

static bool has(unsigned parts, enum part part)
{
    return parts >> part & 1;
}

enum { TABS = 34, TABS_GAP = 8 }; /* units */

/* Returns the lesson's knobs, with the names that its variants have once their bugs are found. */
static struct knobs_view lasting_knobs(const struct drawing *drawing)
{
    const struct lesson *lesson = drawing->document->lesson;
    struct knobs_view knobs = knobs_now(drawing);
    const char **variants = arena_array(drawing->arena, const char *, (size_t)lesson->variant_count);
    for (int v = 0; v < lesson->variant_count; v++)
        variants[v] = lesson->variants[v].label[drawing->preferences->language];
    knobs.variants = variants;
    return knobs;
}

static void measure(struct drawing *drawing, struct view *view, float width, struct deck_cards *cards)
{
    const struct document *document = drawing->document;
    float const inner = width - 36 * drawing->ui->unit;
    *cards = (struct deck_cards){.words = words_now(drawing),
                                 .code = code_now(drawing, view, 0),
                                 .time = time_now(drawing),
                                 .question = question_now(drawing),
                                 .knobs = knobs_now(drawing),
                                 .ways = ways_now(drawing),
                                 .asks = document_asks(document),
                                 .asks_line = document_asks_line(document)};
    cards->knobs.rest = document_setting_rests(document);
    if (cards->asks)
        cards->asking = card_question_height(view, inner, &cards->question, false) + 6 * drawing->ui->unit;
    else if (cards->ways.count)
        cards->asking = card_ways_height(view, inner, &cards->ways) + 6 * drawing->ui->unit;
}

/* Returns the height of the words with what is below them. */
static float words_height(struct view *view, float width, const struct deck_cards *cards)
{
    return card_words_height(view, width, &cards->words) + cards->asking;
}

/* Returns the usual size of the words. */
static float words_size(const struct ui *ui)
{
    return (ui->screen.h >= 960 * ui->unit ? 20 : 18) * ui->unit;
}

/* Returns the height of the lesson's longest question with its choices, in this size of text. The expressions in it
 * stand for their values. */
static float longest_question(struct drawing *drawing, struct view *view, float width, float size)
{
    const struct lesson *lesson = drawing->document->lesson;
    enum language const language = drawing->preferences->language;
    float longest = 0;
    for (int b = 0; b < lesson->beat_count; b++) {
        const struct lesson_beat *beat = &lesson->beats[b];
        const char *numbers[CHOICES_MAX];
        for (int i = 0; i < beat->choice_count; i++)
            numbers[i] = "0";
        if (!beat->choice_count)
            continue;
        struct question_view const question = {.choices = beat->choice_words[language] ? beat->choice_words[language]
                                                                                       : numbers,
                                               .count = beat->choice_count,
                                               .worded = beat->choice_words[language] != NULL,
                                               .chosen = -1};
        struct words_view const words = {.title = "",
                                         .paragraphs = beat->words[language].paragraphs,
                                         .count = beat->words[language].count,
                                         .size = size};
        float const choices = card_question_height(view, width - 36 * drawing->ui->unit, &question, false);
        longest = fmaxf(longest, card_words_height(view, width, &words) + choices + 6 * drawing->ui->unit);
    }
    return longest;
}

static void add_slot(struct deck *deck, struct rect *room, float height, unsigned parts, float gap)
{
    deck->slots[deck->count++] = (struct deck_slot){.parts = parts, .box = rect_cut_top(room, height)};
    rect_cut_top(room, gap);
}

/* Divides the column or row of the cards into slots. */
static void divide(struct drawing *drawing, struct view *view, struct rect box, struct deck *deck)
{
    float const u = drawing->ui->unit, gap = gap_of(drawing), tabs = (TABS + TABS_GAP) * u;
    struct knobs_view const knobs = lasting_knobs(drawing);
    bool const turns = knobs.count || knobs.variant_count > 1;
    unsigned const words = 1u << PART_WORDS, code = 1u << PART_CODE, turn = turns ? 1u << PART_KNOBS : 0,
                   time = document_has_clock(drawing->document) ? 1u << PART_TIME : 0;
    float const clock = time ? card_time_slot(view, document_most_bars(drawing->document)) + gap : 0;
    float const turning = turns ? card_knobs_least(view, box.w, &knobs) + gap : 0;
    float const asked = longest_question(drawing, view, box.w, words_size(drawing->ui));
    float const reading = fminf(0.6f * box.h, fmaxf(asked, fmaxf(300 * u, 0.38f * box.h))), lines = 210 * u,
                both = tabs + fmaxf(lines, clock - gap);
    float const spare = box.h - reading - gap - lines - clock - turning, left = spare + lines + clock - both;
    float const small = fmaxf(300 * u, longest_question(drawing, view, box.w, text_caption(drawing->ui)));
    float const below =
        tabs + fmaxf(fmaxf(turning - gap, 190 * u), (box.h - gap - tabs - fmaxf(asked, 300 * u)) * 0.6f);
    bool const ptx = drawing->document->ptx; /* it is read beside the source and needs all the room */
    if (spare >= 0 && !ptx) {                /* a slot each */
        float const more = turns ? fminf(spare / 3, card_knobs_height(view, box.w, &knobs) + gap - turning) : 0;
        add_slot(deck, &box, reading + (spare - more) * 0.35f, words, gap);
        add_slot(deck, &box, lines + (spare - more) * 0.65f, code, gap);
        if (time)
            add_slot(deck, &box, clock - gap, time, gap);
        if (turns)
            add_slot(deck, &box, turning + more - gap, turn, gap);
    } else if (time && left >= 0 && !ptx) {
        add_slot(deck, &box, reading + left * 0.4f, words, gap);
        add_slot(deck, &box, both + left * 0.6f, code | time, gap);
        if (turns)
            add_slot(deck, &box, turning - gap, turn, gap);
    } else if (box.h - gap - below >= small && !ptx) {
        add_slot(deck, &box, box.h - gap - below, words, gap);
        add_slot(deck, &box, below, code | time | turn, gap);
    } else {
        add_slot(deck, &box, box.h, words | code | time | turn, gap);
    }
}

/* Returns the part that a slot shows unless the user has chosen another: what the step is about. A class sees the
 * picture, unless its question has no room there. */
static enum part own_part(struct drawing *drawing, struct view *view, const struct deck *deck,
                          const struct deck_slot *slot)
{
    const struct deck_cards *cards = &deck->cards;
    const struct lesson_beat *beat = document_beat(drawing->document);
    if (has(slot->parts, PART_PICTURE) && drawing->preferences->presenting && beat->kind != BEAT_REMEMBER)
        return (cards->asks || cards->ways.count) &&
                       slot->box.h < words_height(view, slot->box.w, cards) + 240 * drawing->ui->unit
                   ? PART_WORDS
                   : PART_PICTURE;
    if (has(slot->parts, PART_WORDS))
        return PART_WORDS;
    if (document_tells_time(drawing->document, drawing->preferences->language) && has(slot->parts, PART_TIME))
        return PART_TIME;
    bool const turns = beat->kind == BEAT_TASK || beat->kind == BEAT_REMEMBER;
    return turns && has(slot->parts, PART_KNOBS) ? PART_KNOBS : PART_CODE;
}

struct deck deck_of(struct drawing *drawing, struct view *view, struct rect box, enum deck_place place)
{
    struct deck deck = {0};
    measure(drawing, view, box.w, &deck.cards);
    if (place != DECK_PAGES) {
        divide(drawing, view, box, &deck);
    } else {
        unsigned const time = document_has_clock(drawing->document) ? 1u << PART_TIME : 0;
        add_slot(&deck, &box, box.h, 1u << PART_WORDS | 1u << PART_PICTURE | 1u << PART_CODE | 1u << PART_KNOBS | time,
                 0);
    }
    enum part const wanted = drawing->document->reading.part;
    for (int i = 0; i < deck.count; i++) {
        struct deck_slot *slot = &deck.slots[i];
        bool const shared = slot->parts & (slot->parts - 1);
        slot->shown = wanted != PART_OWN && has(slot->parts, wanted) ? wanted : own_part(drawing, view, &deck, slot);
        for (enum part part = PART_WORDS; !shared && part < PART_COUNT; part++)
            slot->shown = has(slot->parts, part) ? part : slot->shown;
        if (shared && place != DECK_PAGES) {
            slot->tabs = rect_cut_top(&slot->box, TABS * drawing->ui->unit);
            rect_cut_top(&slot->box, TABS_GAP * drawing->ui->unit);
        }
    }
    return deck;
}

bool deck_shows(const struct deck *deck, enum part part)
{
    bool shows = false;
    for (int i = 0; i < deck->count; i++)
        shows |= deck->slots[i].shown == part;
    return shows;
}

bool deck_has_own(const struct deck *deck, enum part part)
{
    bool own = false;
    for (int i = 0; i < deck->count; i++)
        own |= deck->slots[i].parts == 1u << part;
    return own;
}

/* Draws the choices and buttons. Where the lines or cells to choose from are on another page, the first button leads
 * there as long as nothing is chosen. */
static void draw_asking(struct drawing *drawing, struct view *view, struct rect box, const struct deck_cards *cards)
{
    struct question_view question = cards->question;
    box = rect_inset(box, 18 * drawing->ui->unit, 0);
    if (cards->elsewhere != PART_OWN && !question.ready) {
        question.commit = cards->elsewhere == PART_CODE ? _("Code ›") : _("Picture ›");
        question.ready = true;
        struct action const action = card_question(view, box, &question, false);
        if (action.kind == ACTION_COMMIT)
            drawing_ask(drawing, ACTION_SHOW_PART, (int)cards->elsewhere);
        else
            action_ask(drawing->actions, action);
    } else if (cards->asks)
        action_ask(drawing->actions, card_question(view, box, &question, false));
    else if (cards->ways.count)
        action_ask(drawing->actions, card_ways(view, box, &cards->ways));
}

/* Draws the mark at the edge that shows which part of the whole is in sight. */
static void scroll_mark(struct ui *ui, struct rect box, float scroll, float all)
{
    float const u = ui->unit;
    struct rect const track = {box.x + box.w - 9 * u, box.y, 5 * u, box.h};
    draw_fill(&ui->draw, track, 3 * u, ui_color(ui, COLOR_BAR));
    draw_fill(&ui->draw, (struct rect){track.x, track.y + box.h * scroll / all, track.w, box.h * box.h / all}, 3 * u,
              ui_color(ui, COLOR_ACCESS));
}

/* Draws words that are higher than their box. A button, the wheel and a key lead on. */
static void scrolled_words(struct drawing *drawing, struct view *view, struct rect box, const struct deck_cards *cards)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, all = words_height(view, box.w, cards);
    struct rect window = box, foot = rect_inset(rect_cut_bottom(&window, 42 * u), 18 * u, 6 * u);
    float const most = fmaxf(0, all - window.h), scroll = fminf((float)drawing->document->reading.words * u, most);
    ui_window(ui, window);
    struct rect text = {box.x, window.y - scroll, box.w, all - cards->asking};
    card_words(view, text, &cards->words);
    draw_asking(drawing, view, (struct rect){text.x, text.y + text.h, text.w, cards->asking}, cards);
    float const cut = ui_window_end(ui);
    scroll_mark(ui, window, scroll, all);
    float const on = cut < INFINITY ? cut - window.y + scroll : scroll, back = fmaxf(0, scroll - window.h);
    float wanted = scroll;
    float const width = ui_text_width(ui, FONT_BOLD, text_caption(ui), _("More ↓")) + 40 * u;
    struct rect const more = rect_cut_right(&foot, width), up = rect_cut_right(&foot, 52 * u);
    if (cut < INFINITY && ui_button(ui, ui_id_text("more words"), more, _("More ↓"), !cards->asks))
        wanted = on;
    if (scroll > 0 && ui_button(ui, ui_id_text("words above"), rect_inset(up, 6 * u, 0), "↑", false))
        wanted = back;
    if (ui_hovered(ui, box) && ui->input.wheel != 0)
        wanted = fminf(most, fmaxf(0, scroll - 60 * u * ui->input.wheel));
    if ((ui->input.read_on > 0 && cut < INFINITY) || (ui->input.read_on < 0 && scroll > 0)) {
        wanted = ui->input.read_on > 0 ? on : back;
        ui->input.read_on = 0;
    }
    for (uint32_t i = 0; drawing->lookup->fresh && i < ui->mark_count; i++)
        if (ui->marks[i].mark == ui->mark_open && !ui->marks[i].shown)
            wanted = fminf(most, fmaxf(0, ui->marks[i].box.y - window.y + scroll - 40 * u));
    if (wanted > scroll || wanted < scroll)
        drawing_ask(drawing, ACTION_SCROLL_WORDS, (int)floorf(wanted / u));
}

/* Sets the size of the words: the same in all steps, unless choices below them would be out of sight. A class
 * has the largest that the slot has room for. */
static void size_words(const struct drawing *drawing, struct view *view, struct rect box, struct deck_cards *cards)
{
    static const float sizes[] = {40, 35, 30, 26, 22, 20, 18}; /* units; for a class */
    float const u = drawing->ui->unit;
    cards->words.size = words_size(drawing->ui);
    if (cards->asking > 0 && words_height(view, box.w, cards) > box.h) /* the choices below stay in sight */
        cards->words.size = text_caption(drawing->ui);
    for (size_t i = 0; drawing->preferences->presenting && i < sizeof sizes / sizeof *sizes; i++) {
        cards->words.size = sizes[i] * u;
        if (words_height(view, box.w, cards) <= box.h - 40 * u)
            return;
    }
}

static void draw_words(struct drawing *drawing, struct view *view, struct rect box, struct deck_cards *cards)
{
    ui_card(drawing->ui, box);
    cards->words.bare = true;
    size_words(drawing, view, box, cards);
    if (words_height(view, box.w, cards) > box.h + 1) {
        scrolled_words(drawing, view, box, cards);
        return;
    }
    card_words(view, rect_cut_top(&box, card_words_height(view, box.w, &cards->words)), &cards->words);
    draw_asking(drawing, view, box, cards);
}

/* Draws a slot whose part has nothing to show in this step, and why. */
static void draw_empty(struct drawing *drawing, struct rect box, const char *title, const char *why)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    draw_outline(&ui->draw, box, 6 * u, hairline(ui), ui_color(ui, COLOR_EDGE));
    box = rect_inset(box, 18 * u, 10 * u);
    ui_label(ui, rect_cut_top(&box, fminf(box.h, 26 * u)), FONT_BOLD, text_caption(ui), UI_LEFT,
             ui_color(ui, COLOR_TEXT_DIM), title);
    if (box.h >= 20 * u)
        ui_text(ui, box, FONT_TEXT, text_caption(ui), COLOR_TEXT_DIM, why);
}

/* Draws the code. Without the words beside it, the buttons that answer the question about it are below it. */
static void draw_code(struct drawing *drawing, struct view *view, struct rect box, const struct deck *deck)
{
    struct code_view code = deck->cards.code;
    bool const alone = !deck_shows(deck, PART_WORDS);
    bool const on_stage = drawing->bug_stage || drawing->code_stage;
    if (on_stage || !*code.source) {
        draw_empty(drawing, box, _("KERNEL"), on_stage ? _("The kernel is on the stage.") : "");
        return;
    }
    if (deck->cards.asks_line && alone) {
        struct rect buttons = rect_cut_bottom(&box, deck->cards.asking + 4 * drawing->ui->unit);
        rect_cut_top(&buttons, 10 * drawing->ui->unit);
        draw_asking(drawing, view, buttons, &deck->cards);
    }
    code.reads = alone || deck->cards.asks_line;
    action_ask(drawing->actions, card_code(view, box, &code));
}

static void draw_time(struct drawing *drawing, struct view *view, struct rect box, const struct deck *deck)
{
    if (document_time_is_asked(drawing->document))
        draw_empty(drawing, box, _("TIME"), _("A question about times is still to come."));
    else
        action_ask(drawing->actions, card_time(view, box, &deck->cards.time));
}

/* Returns how far a task is, for one who turns the knobs and does not see its words; NULL: the step has no task. */
static const char *task_verdict(const struct drawing *drawing)
{
    if (document_beat(drawing->document)->kind != BEAT_TASK)
        return NULL;
    return document_task_done(drawing->document) ? _("Done. The text says why.") : beat_verdict(drawing);
}

void deck_draw(struct drawing *drawing, struct view *view, struct deck *deck)
{
    for (int i = 0; i < deck->count; i++) {
        const struct deck_slot *slot = &deck->slots[i];
        if (slot->tabs.h > 0)
            deck_tabs(drawing, slot->tabs, slot);
        switch (slot->shown) {
        case PART_WORDS:
            if (!deck_shows(deck, PART_CODE) && deck->cards.asks_line && !drawing->bug_stage)
                deck->cards.elsewhere = PART_CODE;
            if (has(slot->parts, PART_PICTURE) && document_asks_cells(drawing->document))
                deck->cards.elsewhere = PART_PICTURE;
            draw_words(drawing, view, slot->box, &deck->cards);
            break;
        case PART_CODE:
            draw_code(drawing, view, slot->box, deck);
            break;
        case PART_TIME:
            draw_time(drawing, view, slot->box, deck);
            break;
        case PART_KNOBS:
            if (!deck_shows(deck, PART_WORDS))
                deck->cards.knobs.verdict = task_verdict(drawing);
            action_ask(drawing->actions, card_knobs(view, slot->box, &deck->cards.knobs));
            break;
        default:
            break;
        }
    }
}

void deck_tabs(struct drawing *drawing, struct rect row, const struct deck_slot *slot)
{
    static const enum part order[] = {PART_WORDS, PART_PICTURE, PART_CODE, PART_TIME, PART_KNOBS};
    const char *names[PART_COUNT] = {[PART_WORDS] = _("Text"),
                                     [PART_PICTURE] = _("Picture"),
                                     [PART_CODE] = _("Code"),
                                     [PART_TIME] = _("Time"),
                                     [PART_KNOBS] = _("Knobs")};
    struct ui *ui = drawing->ui;
    float const u = ui->unit, gap = 6 * u;
    int const count = __builtin_popcount(slot->parts);
    float const width = fminf(120 * u, (row.w - gap * (float)(count - 1)) / (float)count);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!has(slot->parts, order[i]))
            continue;
        struct rect const tab = rect_cut_left(&row, width);
        rect_cut_left(&row, gap);
        bool const on = order[i] == slot->shown, hot = ui_hovered(ui, tab);
        ui_id const id = ui_id_child(ui_id_text("tab"), (uint32_t)order[i]);
        draw_fill(&ui->draw, tab, 5 * u, ui_color(ui, on || hot ? COLOR_ACCESS_SOFT : COLOR_PANEL));
        draw_outline(&ui->draw, tab, 5 * u, on ? 2 * u : hairline(ui), ui_color(ui, on ? COLOR_ACCESS : COLOR_EDGE));
        ui_label(ui, rect_inset(tab, 2 * u, 0), on ? FONT_BOLD : FONT_TEXT, text_caption(ui), UI_CENTER,
                 ui_color(ui, COLOR_TEXT), names[order[i]]);
        ui_tip(ui, tab, "%s", _("the next page: P"));
        ui_focusable(ui, id, tab, 5 * u);
        if (ui_area(ui, id, tab))
            drawing_ask(drawing, ACTION_SHOW_PART, (int)order[i]);
    }
}

/* Returns the next part, or the one before. A class sees the picture first, and its key leads to the whole text. */
static enum part part_after(enum part part, int step, bool class)
{
    static const enum part orders[][PART_COUNT] = {
        {PART_OWN, PART_WORDS, PART_PICTURE, PART_CODE, PART_KNOBS, PART_TIME},
        {PART_OWN, PART_PICTURE, PART_WORDS, PART_CODE, PART_TIME, PART_KNOBS}};
    const enum part *order = orders[class];
    int at = 0;
    while (order[at] != part)
        at++;
    return order[(at + PART_COUNT + step) % PART_COUNT];
}

void deck_read_on(struct drawing *drawing, const struct deck *deck)
{
    int const step = drawing->ui->input.read_on;
    for (int i = 0; step && i < deck->count; i++) {
        const struct deck_slot *slot = &deck->slots[i];
        if (!(slot->parts & (slot->parts - 1)))
            continue;
        enum part part = slot->shown;
        do
            part = part_after(part, step, drawing->preferences->presenting);
        while (!has(slot->parts, part));
        drawing_ask(drawing, ACTION_SHOW_PART, (int)part);
    }
}

/* A control that leads on or back. */
struct way_on {
    const char *label, *tip;
    enum action_kind kind;
    int value;
};

static struct way_on way_back(struct drawing *drawing)
{
    int const beat = drawing->document->beat;
    if (beat == 0)
        return (struct way_on){_("‹ Lessons"), _("all lessons (Esc)"), ACTION_HOME, 0};
    const char *name = beat_full_name(drawing, &drawing->document->lesson->beats[beat - 1]);
    return (struct way_on){_("‹ Back"), arena_format(drawing->arena, _("step %d: %s (PageUp)"), beat, name),
                           ACTION_STEP_BEAT, -1};
}

/* brief: the next step is called by what it asks for, not by its title, and the next lesson not by its name. */
static struct way_on way_next(struct drawing *drawing, bool brief)
{
    const struct document *document = drawing->document;
    const struct lesson_beat *beat = document_beat(document);
    int const next = document->beat + 1;
    const char *tip = "PageDown";
    if (drawing->in_class && document_asks(document)) /* as a clicker does */
        return (struct way_on){_("Show the run ›"), tip, ACTION_STEP_BEAT, 1};
    if (drawing->in_class && beat->kind == BEAT_TASK && document->run && !document_task_done(document))
        return (struct way_on){_("Do the task ›"), tip, ACTION_STEP_BEAT, 1};
    if (drawing->in_class && beat->kind == BEAT_BUG && beat->mended >= 0 && !document_guess(document)->mended)
        return (struct way_on){_("The fixed kernel ›"), tip, ACTION_STEP_BEAT, 1};
    if (next < document->lesson->beat_count) {
        const struct lesson_beat *to = &document->lesson->beats[next];
        return (struct way_on){
            arena_format(drawing->arena, _("Next: %s ›"), brief ? beat_name(to) : beat_title(drawing, to)),
            arena_format(drawing->arena, _("step %d: %s (PageDown)"), next + 1, beat_full_name(drawing, to)),
            ACTION_STEP_BEAT, 1};
    }
    if (drawing->next_lesson)
        return (struct way_on){brief ? _("Next lesson ›")
                                     : arena_format(drawing->arena, _("Next lesson: %s ›"), drawing->next_lesson),
                               _("the next lesson"), ACTION_NEXT_LESSON, 0};
    return (struct way_on){_("All lessons ›"), _("all lessons (Esc)"), ACTION_HOME, 0};
}

void draw_step_buttons(struct drawing *drawing, struct rect row)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    struct way_on ways[2] = {way_back(drawing), way_next(drawing, false)};
    bool const primary = !document_asks(drawing->document) && document_beat(drawing->document)->kind != BEAT_REMEMBER;
    struct rect boxes[2] = {rect_cut_left(&row, fminf(130 * u, row.w * 0.32f))};
    rect_cut_left(&row, 8 * u);
    boxes[1] = row;
    if (ui_text_width(ui, FONT_BOLD, text_caption(ui), ways[1].label) > row.w - 16 * u)
        ways[1] = way_next(drawing, true);
    for (int i = 0; i < 2; i++) {
        ui_tip(ui, boxes[i], "%s", ways[i].tip);
        if (ui_button(ui, ui_id_text(i ? "next" : "back"), boxes[i], ways[i].label, primary && i == 1))
            drawing_ask(drawing, ways[i].kind, ways[i].value);
    }
}
