/* The cards of a lesson's step: the words with their question, the code, the measured time, the knobs. They stand below
 * one another. Where they do not fit, first the code has fewer lines, the knobs are lower, the time has fewer bars and
 * the words are smaller. If that is not enough, they stand on pages, and words that are longer than their page scroll.
 * Nothing is cut, and nothing is left out. */
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

/* The order of the cards on a page, from top to bottom. */
static const enum part order[] = {PART_WORDS, PART_CODE, PART_TIME, PART_KNOBS};
enum { CARDS = (int)(sizeof order / sizeof *order) };

static float sum_of(const float heights[PART_COUNT], unsigned parts, float gap)
{
    float sum = -gap;
    for (int i = 0; i < CARDS; i++)
        if (has(parts, order[i]) && heights[order[i]] > 0)
            sum += heights[order[i]] + gap;
    return sum;
}

/* Measures the words, with the choices below them, in the size of their text. */
static void measure_words(struct view *view, float width, struct deck_cards *cards)
{
    struct words_view small = cards->words;
    small.size = text_caption(view->ui);
    cards->best[PART_WORDS] = card_words_height(view, width, &cards->words) + cards->asking;
    cards->least[PART_WORDS] = fminf(cards->best[PART_WORDS], card_words_height(view, width, &small) + cards->asking);
}

/* Returns whether there is something to show or to measure, or the lesson is about times. */
static bool has_times(const struct document *document, const struct time_view *time)
{
    bool measured = time->measure || time->busy || document_has_clock(document);
    for (int i = 0; i < time->count; i++)
        measured = measured || time->bars[i].time.source != TIME_NONE;
    return measured;
}

static void measure(struct drawing *drawing, struct view *view, float width, struct deck_cards *cards)
{
    const struct document *document = drawing->document;
    float const u = drawing->ui->unit, inner = width - 36 * u;
    *cards = (struct deck_cards){.words = words_now(drawing),
                                 .code = code_now(drawing, view, 0),
                                 .time = time_now(drawing),
                                 .question = question_now(drawing),
                                 .knobs = knobs_now(drawing),
                                 .ways = ways_now(drawing),
                                 .asks = document_asks(document),
                                 .asks_line = document_asks_line(document),
                                 .turns = document_beat(document)->kind == BEAT_TASK ||
                                          document_beat(document)->kind == BEAT_REMEMBER,
                                 .clock = document_beat(document)->tells_time[drawing->preferences->language]};
    if (cards->asks)
        cards->asking = card_question_height(view, inner, &cards->question, false) + 6 * u;
    else if (cards->ways.count)
        cards->asking = card_ways_height(view, inner, &cards->ways) + 6 * u;
    measure_words(view, width, cards);
    if (*cards->code.source && !drawing->bug_stage) { /* else it has the stage */
        struct code_heights const code = card_code_heights(view, width, &cards->code);
        cards->best[PART_CODE] = code.best;
        cards->least[PART_CODE] = cards->asks_line ? fmaxf(code.least, fminf(code.best, 200 * u)) : code.least;
    }
    if (cards->asks)
        return;
    cards->best[PART_KNOBS] = card_knobs_height(view, width, &cards->knobs);
    cards->least[PART_KNOBS] = card_knobs_least(view, width, &cards->knobs);
    if (document_time_is_asked(document) || !has_times(document, &cards->time))
        return;
    cards->best[PART_TIME] = card_time_height(view, &cards->time, width);
    /* the note goes first, all but what ran; the other bars only if the step has no times in its words */
    cards->least[PART_TIME] =
        fminf(cards->best[PART_TIME], cards->clock ? card_time_least(view, &cards->time) : 104 * u);
}

/* Adds the parts to pages of this height, the more important ones first. alone: the words keep their page for
 * themselves. */
static void divide(struct deck *deck, float room, float gap, bool alone)
{
    static const enum part usual[] = {PART_CODE, PART_KNOBS, PART_TIME}, turning[] = {PART_KNOBS, PART_CODE, PART_TIME},
                           clock[] = {PART_TIME, PART_KNOBS, PART_CODE};
    const enum part *next = deck->cards.clock ? clock : deck->cards.turns ? turning : usual;
    int const first = deck->pages.count;
    for (int i = 0; i < CARDS - 1; i++) {
        if (deck->cards.best[next[i]] <= 0)
            continue;
        int page = alone ? first : first - 1;
        while (page < deck->pages.count &&
               sum_of(deck->cards.least, deck->pages.sets[page] | 1u << next[i], gap) > room)
            page++;
        if (page == deck->pages.count)
            deck->pages.count++;
        deck->pages.sets[page] |= 1u << next[i];
    }
}

/* Returns the part that the step opens with. A class sees the picture, unless its question has no room there. */
static enum part own_part(const struct drawing *drawing, const struct deck *deck, const struct rect *box)
{
    const struct deck_cards *cards = &deck->cards;
    float const u = drawing->ui->unit;
    bool const words_first = cards->asks || cards->ways.count;
    if (!drawing->preferences->presenting)
        return PART_WORDS;
    if (document_beat(drawing->document)->kind == BEAT_REMEMBER)
        return PART_WORDS;
    return words_first && box->h < cards->best[PART_WORDS] + 240 * u ? PART_WORDS : PART_PICTURE;
}

/* Keeps the pages of the last frame. A card that is new has its place on the last one. */
static void hold(struct part_pages *pages, const struct part_pages *last)
{
    unsigned held = 0, all = 0;
    for (int page = 0; page < last->count; page++)
        held |= last->sets[page];
    for (int page = 0; page < pages->count; page++)
        all |= pages->sets[page];
    if (has(held ^ all, PART_PICTURE) || !last->count) /* the window has another layout, or shows something else */
        return;
    *pages = *last;
    pages->sets[last->count - 1] |= all & ~held;
}

struct deck deck_of(struct drawing *drawing, struct view *view, struct rect box, enum deck_place place)
{
    struct deck deck = {.pages.count = 1};
    float const gap = gap_of(drawing), tabs = place == DECK_BESIDE ? 42 * drawing->ui->unit : 0;
    unsigned all = 0;
    measure(drawing, view, box.w, &deck.cards);
    for (int i = 0; i < CARDS; i++)
        if (deck.cards.best[order[i]] > 0)
            all |= 1u << order[i];
    deck.pages.sets[0] = all;
    if (place == DECK_PAGES || sum_of(deck.cards.least, all, gap) > box.h + 0.5f) {
        deck.pages.sets[0] = 1u << PART_WORDS;
        divide(&deck, box.h - tabs, gap, drawing->preferences->presenting); /* large, for a class */
    }
    if (place == DECK_PAGES) { /* the picture is the second page, after the words */
        for (int page = deck.pages.count++; page > 1; page--)
            deck.pages.sets[page] = deck.pages.sets[page - 1];
        deck.pages.sets[1] = 1u << PART_PICTURE;
    }
    if (drawing->ui->input.down)
        hold(&deck.pages, &drawing->pages);
    drawing->pages_next = deck.pages;
    enum part wanted = drawing->document->reading.part;
    wanted = wanted == PART_OWN ? own_part(drawing, &deck, &box) : wanted;
    for (int page = 0; page < deck.pages.count; page++)
        if (has(deck.pages.sets[page], wanted))
            deck.shown = page;
    return deck;
}

bool deck_shows(const struct deck *deck, enum part part)
{
    return has(deck->pages.sets[deck->shown], part);
}

/* Reduces a height by the page's excess, but not below its least. */
static void give(float heights[PART_COUNT], unsigned parts, enum part part, float least, float room, float gap)
{
    if (has(parts, part))
        heights[part] -= fmaxf(0, fminf(sum_of(heights, parts, gap) - room, heights[part] - least));
}

/* Sets the heights of the page's cards. */
static void fit_heights(const struct deck_cards *cards, unsigned parts, float room, float gap, float u,
                        float heights[PART_COUNT])
{
    const float *least = cards->least;
    for (int part = 0; part < PART_COUNT; part++)
        heights[part] = has(parts, (enum part)part) ? cards->best[part] : 0;
    give(heights, parts, PART_CODE, fmaxf(least[PART_CODE], 250 * u), room, gap);
    give(heights, parts, PART_KNOBS, least[PART_KNOBS], room, gap);
    give(heights, parts, PART_CODE, least[PART_CODE], room, gap);
    give(heights, parts, PART_TIME, least[PART_TIME], room, gap);
    give(heights, parts, PART_WORDS, least[PART_WORDS], room, gap);
    give(heights, parts, PART_WORDS, 150 * u, room, gap);                        /* longer words scroll */
    if (has(parts, PART_WORDS) && heights[PART_WORDS] < cards->best[PART_WORDS]) /* whole or small */
        heights[PART_WORDS] = fminf(heights[PART_WORDS], least[PART_WORDS]);
    static const enum part again[] = {PART_WORDS, PART_CODE, PART_TIME};
    for (int i = 0; i < 3; i++) {
        float const spare = room - sum_of(heights, parts, gap);
        float const more = cards->best[again[i]] - heights[again[i]];
        if (has(parts, again[i]) && spare > 0 && more > 0 && (again[i] != PART_WORDS || more <= spare))
            heights[again[i]] += fminf(spare, more);
    }
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
    float const u = ui->unit, all = cards->least[PART_WORDS];
    struct words_view words = cards->words;
    words.size = text_caption(ui);
    words.bare = true;
    struct rect window = rect_inset(box, 0, 6 * u), foot = rect_inset(rect_cut_bottom(&window, 36 * u), 18 * u, 0);
    float const most = fmaxf(0, all - window.h), scroll = fminf((float)drawing->document->reading.words * u, most);
    ui_window(ui, window);
    struct rect text = {box.x, window.y - scroll, box.w, all - cards->asking};
    card_words(view, text, &words);
    draw_asking(drawing, view, (struct rect){text.x, text.y + text.h, text.w, cards->asking}, cards);
    float const cut = ui_window_end(ui);
    scroll_mark(ui, window, scroll, all);
    float const on = cut < INFINITY ? cut - window.y + scroll : scroll, back = fmaxf(0, scroll - window.h);
    float wanted = scroll;
    rect_cut_top(&foot, 2 * u);
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

static void draw_words(struct drawing *drawing, struct view *view, struct rect box, const struct deck_cards *cards)
{
    struct words_view words = cards->words;
    ui_card(drawing->ui, box);
    words.bare = true;
    if (cards->best[PART_WORDS] > box.h + 1)
        words.size = text_caption(drawing->ui);
    if (cards->least[PART_WORDS] > box.h + 1) {
        scrolled_words(drawing, view, box, cards);
        return;
    }
    struct rect const asking = rect_cut_bottom(&box, cards->asking);
    card_words(view, box, &words);
    draw_asking(drawing, view, asking, cards);
}

/* Chooses the largest words that the page has room for. */
static void enlarge_words(struct drawing *drawing, struct view *view, struct rect box, struct deck *deck)
{
    enum { USUAL = 5 };
    static const float sizes[] = {40, 35, 30, 26, 22, [USUAL] = 20}; /* units; the larger ones for a class */
    struct deck_cards *cards = &deck->cards;
    unsigned const parts = deck->pages.sets[deck->shown];
    float const u = drawing->ui->unit, usual = cards->words.size;
    for (int i = drawing->preferences->presenting ? 0 : USUAL; i <= USUAL; i++) {
        cards->words.size = sizes[i] * u;
        measure_words(view, box.w, cards);
        float const code = has(parts, PART_CODE) ? fmaxf(0, cards->best[PART_CODE] - 250 * u) : 0;
        if (sum_of(cards->best, parts, gap_of(drawing)) - code < box.h - 40 * u)
            return;
    }
    cards->words.size = usual;
    measure_words(view, box.w, cards);
}

/* Draws the code. On a page without the words, the buttons that answer the question about it are below it. */
static void draw_code(struct drawing *drawing, struct view *view, struct rect box, const struct deck *deck)
{
    struct code_view code = deck->cards.code;
    bool const alone = !deck_shows(deck, PART_WORDS);
    if (deck->cards.asks_line && alone) {
        struct rect buttons = rect_cut_bottom(&box, deck->cards.asking + 4 * drawing->ui->unit);
        rect_cut_top(&buttons, 10 * drawing->ui->unit);
        draw_asking(drawing, view, buttons, &deck->cards);
    }
    code.reads = alone || deck->cards.asks_line;
    action_ask(drawing->actions, card_code(view, box, &code));
}

/* Draws the knobs. The page that has them stays in sight, however the new run divides the cards. */
static void draw_knobs(struct drawing *drawing, struct view *view, struct rect box, const struct deck *deck)
{
    struct action const action = card_knobs(view, box, &deck->cards.knobs);
    action_ask(drawing->actions, action);
    if (action.kind == ACTION_SET_KNOB || action.kind == ACTION_CHOOSE_VARIANT)
        drawing_ask(drawing, ACTION_SHOW_PART, PART_KNOBS);
}

void deck_draw(struct drawing *drawing, struct view *view, struct rect box, struct deck *deck, enum deck_place place)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, gap = gap_of(drawing);
    unsigned const parts = deck->pages.sets[deck->shown];
    float heights[PART_COUNT];
    if (place == DECK_BESIDE && deck->pages.count > 1) {
        deck_tabs(drawing, rect_cut_top(&box, 34 * u), deck);
        rect_cut_top(&box, 8 * u);
    }
    if (!has(parts, PART_CODE) && deck->cards.asks_line && deck->cards.best[PART_CODE] > 0)
        deck->cards.elsewhere = PART_CODE;
    if (place == DECK_PAGES && document_asks_cells(drawing->document))
        deck->cards.elsewhere = PART_PICTURE;
    if (has(parts, PART_WORDS))
        enlarge_words(drawing, view, box, deck);
    fit_heights(&deck->cards, parts, box.h, gap, u, heights);
    if (!has(parts, PART_WORDS) && deck->cards.asks_line)
        heights[PART_CODE] = box.h;
    for (int i = 0; i < CARDS; i++) {
        if (heights[order[i]] <= 0)
            continue;
        struct rect const card = rect_cut_top(&box, heights[order[i]]);
        rect_cut_top(&box, gap);
        if (order[i] == PART_WORDS)
            draw_words(drawing, view, card, &deck->cards);
        else if (order[i] == PART_CODE)
            draw_code(drawing, view, card, deck);
        else if (order[i] == PART_TIME)
            action_ask(drawing->actions, card_time(view, card, &deck->cards.time));
        else
            draw_knobs(drawing, view, card, deck);
    }
}

static enum part first_part(unsigned parts)
{
    enum part part = PART_WORDS;
    while (part + 1 < PART_COUNT && !has(parts, part))
        part++;
    return part;
}

/* Returns the names of a page's parts: "Text · Knobs". */
static const char *page_name(struct drawing *drawing, unsigned parts)
{
    const char *names[PART_COUNT] = {[PART_WORDS] = _("Text"),
                                     [PART_PICTURE] = _("Picture"),
                                     [PART_CODE] = _("Code"),
                                     [PART_KNOBS] = _("Knobs"),
                                     [PART_TIME] = _("Time")};
    const char *name = "";
    for (enum part part = PART_WORDS; part < PART_COUNT; part++)
        if (has(parts, part))
            name = arena_format(drawing->arena, "%s%s%s", name, *name ? " · " : "", names[part]);
    return name;
}

void deck_tabs(struct drawing *drawing, struct rect row, const struct deck *deck)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, gap = 6 * u;
    float widths[PART_COUNT], all = 0;
    for (int page = 0; page < deck->pages.count; page++)
        all += widths[page] =
            ui_text_width(ui, FONT_BOLD, text_caption(ui), page_name(drawing, deck->pages.sets[page])) + 24 * u;
    float const room = row.w - gap * (float)(deck->pages.count - 1), part = fminf(1, room / all);
    for (int page = 0; page < deck->pages.count; page++) {
        struct rect const tab = rect_cut_left(&row, widths[page] * part);
        rect_cut_left(&row, gap);
        bool const on = page == deck->shown, hot = ui_hovered(ui, tab);
        ui_id const id = ui_id_child(ui_id_text("tab"), (uint32_t)page);
        draw_fill(&ui->draw, tab, 5 * u, ui_color(ui, on || hot ? COLOR_ACCESS_SOFT : COLOR_PANEL));
        draw_outline(&ui->draw, tab, 5 * u, on ? 2 * u : hairline(ui), ui_color(ui, on ? COLOR_ACCESS : COLOR_EDGE));
        ui_label(ui, rect_inset(tab, 4 * u, 0), on ? FONT_BOLD : FONT_TEXT, text_caption(ui), UI_CENTER,
                 ui_color(ui, COLOR_TEXT), page_name(drawing, deck->pages.sets[page]));
        ui_tip(ui, tab, "%s", _("the next page: P"));
        ui_focusable(ui, id, tab, 5 * u);
        if (ui_area(ui, id, tab))
            drawing_ask(drawing, ACTION_SHOW_PART, (int)first_part(deck->pages.sets[page]));
    }
}

void deck_read_on(struct drawing *drawing, const struct deck *deck)
{
    const struct ui *ui = drawing->ui;
    if (!ui->input.read_on)
        return;
    int const next = (deck->shown + deck->pages.count + ui->input.read_on) % deck->pages.count;
    drawing_ask(drawing, ACTION_SHOW_PART, (int)first_part(deck->pages.sets[next]));
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

/* brief: the next step is called by what it asks for, not by its title. */
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
        return (struct way_on){arena_format(drawing->arena, _("Next lesson: %s ›"), drawing->next_lesson),
                               _("the next lesson"), ACTION_NEXT_LESSON, 0};
    return (struct way_on){_("All lessons ›"), _("all lessons (Esc)"), ACTION_HOME, 0};
}

float draw_step_buttons(struct drawing *drawing, struct rect row)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, gap = 8 * u, whole = row.w;
    struct way_on ways[2] = {way_next(drawing, false), way_back(drawing)};
    bool const primary = !document_asks(drawing->document) && document_beat(drawing->document)->kind != BEAT_REMEMBER;
    float widths[2], all = 0;
    for (int brief = 0; brief < 2 && (!brief || all > row.w); brief++) {
        ways[0] = way_next(drawing, brief);
        all = gap;
        for (int i = 0; i < 2; i++)
            all += widths[i] = ui_text_width(ui, FONT_BOLD, 18 * u, ways[i].label) + 34 * u;
    }
    float const part = fminf(1, (row.w - gap) / (all - gap));
    for (int i = 0; i < 2; i++) {
        struct rect const box = rect_cut_right(&row, widths[i] * part);
        rect_cut_right(&row, gap);
        ui_tip(ui, box, "%s", ways[i].tip);
        if (ui_button(ui, ui_id_text(i ? "back" : "next"), box, ways[i].label, primary && i == 0))
            drawing_ask(drawing, ways[i].kind, ways[i].value);
    }
    return whole - row.w;
}
