/* One large number with a sentence on it: the number of the step, the cost of this access, or a finding. */
#include "base/agree.h"
#include "model/fragments.h"
#include "view/stage.h"
#include <math.h>
#include <string.h>

enum { SPANS = 4 }; /* beside the figure: the rest of its words, a sentence, the step's, the sign that there is more */

/* The headline, and the words that had no room in it. */
struct figure {
    const char *shown, *rest;
    float size, width;
};

/* Returns the words with the number at their {}, and in the form that fits it. */
static char *with_number(struct arena *arena, const char *words, const char *number)
{
    const char *place = strstr(words, "{}");
    char *text = place ? arena_format(arena, "%.*s%s%s", (int)(place - words), words, number, place + 2)
                       : arena_text(arena, words);
    return agree(text, "");
}

/* Returns the number with all of its words, or with those on its line in the largest size that has room. Another line
 * goes above the sentence. */
static struct figure figure_of(const struct view *view, float room, const struct tally *tally, float size)
{
    struct ui *ui = view->ui;
    if (!tally->number || !*tally->number)
        return (struct figure){"", "", 0, 0};
    const char *head = with_number(view->arena, tally->words ? tally->words : "{}", tally->number), *rest = "";
    char *cut = strchr(head, '\n');
    float const least = 50 * ui->unit;
    if (cut) {
        *cut = '\0';
        const char *whole = arena_format(view->arena, "%s%s%s", head, cut[1] == '(' ? "" : " ", cut + 1);
        bool const fits = ui_text_width(ui, FONT_BOLD, fminf(size, least), whole) <= room;
        head = fits ? whole : head;
        rest = fits ? "" : cut + 1;
    }
    while (size > 24 * ui->unit && ui_text_width(ui, FONT_BOLD, size, head) > room)
        size *= 0.92f;
    return (struct figure){head, rest, size, ui_text_width(ui, FONT_BOLD, size, head)};
}

/* Returns the spans of the sentences beside the figure. */
static void tally_spans(const struct view *view, const struct tally *tally, const struct figure *figure,
                        struct ui_span spans[SPANS])
{
    const char *sentence = tally->sentence ? tally->sentence : "";
    const char *step = tally->step ? arena_format(view->arena, "%s%s", *sentence ? "\n" : "", tally->step) : "";
    spans[0] = (struct ui_span){arena_format(view->arena, "%s%s%s%s", figure->rest, *figure->rest ? "\n" : "",
                                             tally->answer ? tally->answer : "", tally->answer ? "\n" : ""),
                                FONT_BOLD, COLOR_TEXT};
    spans[1] = (struct ui_span){sentence, FONT_TEXT, COLOR_TEXT};
    spans[2] = (struct ui_span){step, FONT_TEXT, COLOR_TEXT_DIM};
    spans[3] = (struct ui_span){"", FONT_BOLD, COLOR_ACCESS};
}

/* Returns the sign that there are further sentences: the key that leads to them. Paper has no keys. */
static const char *sign_of_more(const struct view *view)
{
    return view->ui->paper ? "" : arena_format(view->arena, "  %s", view_unbroken(view->arena, _("P ›")));
}

/* Adds the further sentences that have room in this size, and the sign that there are more.
 * Returns false if not even the sign has room. */
static bool add_sentences(const struct view *view, struct rect box, const struct tally *tally, float size,
                          struct ui_span spans[SPANS])
{
    const char *further = tally->further ? tally->further : "", *step = spans[2].text;
    const char *const sign = sign_of_more(view);
    for (size_t taken = 0; further[taken];) {
        const char *end = strstr(further + taken, ". ");
        size_t const next = end ? (size_t)(end + 2 - further) : strlen(further);
        struct ui_span const before = spans[2];
        spans[2].text = arena_format(view->arena, "%s %.*s", step, (int)next, further);
        spans[3].text = further[next] ? sign : "";
        if (ui_paragraph_height(view->ui, box.w, size, spans, SPANS) > box.h) {
            spans[2] = before;
            spans[3].text = sign;
            break;
        }
        taken = next;
    }
    return ui_paragraph_height(view->ui, box.w, size, spans, SPANS) <= box.h;
}

void view_tally(struct view *view, struct rect box, const struct tally *tally, float size)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, apart = 26 * u;
    struct figure figure;
    struct ui_span spans[SPANS];
    struct rect beside;
    if (box.h < 24 * u) /* a very low stage below a long notice */
        return;
    for (float figure_size = fminf(size, box.h * 0.73f);; figure_size *= 0.85f) {
        figure = figure_of(view, box.w * 0.46f, tally, figure_size);
        tally_spans(view, tally, &figure, spans);
        beside = box;
        rect_cut_left(&beside, figure.width > 0 ? figure.width + 2 + apart : 0);
        /* a smaller number leaves more room for long sentences: for all of them in a good size, or the first in the
         * least */
        bool const ample = figure_size > 54 * u;
        float const height = ui_paragraph_height(ui, beside.w, ample ? 21 * u : text_caption(ui), spans, ample ? 3 : 2);
        if (figure_size < 24 * u || figure.width <= 0 || height <= beside.h)
            break;
    }
    enum color_role const color = tally->bad ? COLOR_CONFLICT : COLOR_ACCESS;
    if (figure.width > 0 && ui_paragraph_height(ui, beside.w, text_caption(ui), spans, 2) > beside.h) {
        /* long words instead of a number: the sentence goes on in their line */
        spans[0] = (struct ui_span){arena_format(view->arena, "%s: %s", figure.shown, spans[0].text), FONT_BOLD, color};
        figure.width = 0;
        beside = box;
    }
    if (figure.width > 0)
        ui_label(ui, (struct rect){box.x, box.y, figure.width + 2, box.h}, FONT_BOLD, figure.size, UI_LEFT,
                 ui_color(ui, color), figure.shown);
    bool const whole = *spans[2].text && ui_paragraph_height(ui, beside.w, text_caption(ui), spans, 3) <= beside.h;
    float const largest = fminf(26 * u, size * 0.36f);
    float const sizes[] = {largest, fminf(largest, 23 * u), 21 * u, text_body(ui), text_caption(ui)};
    float text = 0, height = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) { /* the largest size that fits */
        text = fmaxf(sizes[i], text_caption(ui));
        height = ui_paragraph_height(ui, beside.w, text, spans, whole ? 3 : 2);
        if (height <= beside.h)
            break;
    }
    const char *const step = spans[2].text;
    while (whole && !add_sentences(view, beside, tally, text, spans) && text > text_caption(ui)) {
        text = fmaxf(text_caption(ui), text - u);
        spans[2].text = step;
    }
    if (!whole) { /* the key leads to what is not here */
        spans[3].text = *spans[2].text ? sign_of_more(view) : "";
        spans[2].text = "";
        if (ui_paragraph_height(ui, beside.w, text, spans, SPANS) > beside.h)
            spans[3].text = "";
    }
    height = ui_paragraph_height(ui, beside.w, text, spans, SPANS);
    beside.y += fmaxf(0, (beside.h - height) / 2);
    ui_paragraph(ui, beside, text, spans, SPANS, false);
}

/* Returns the sentence on a branch: one path or two and, for two, the share of this warp's lane steps that are masked.
 */
static const char *branch_words(const struct scene *scene, struct arena *arena, struct tally *tally)
{
    int const taken = __builtin_popcount(scene->event->other & scene->event->mask);
    int const reached = __builtin_popcount(scene->event->mask);
    if (scene->event->kind == TRACE_RECONVERGE) {
        tally->number = "";
        return arena_format(arena, _("The paths reconverge: %d {lane goes|lanes go} on together."), reached);
    }
    if (taken == 0 || taken == reached) {
        tally->number = "1";
        tally->words = _("{} {path|paths}");
        return arena_format(arena, _("A branch: all active lanes (%d) go the same way."), reached);
    }
    tally->bad = true;
    if (scene->site->by_table) {
        tally->number = "";
        return arena_format(
            arena, _("A branch by a table. Lanes to one target: %d, to others: %d. The paths run one after the other."),
            taken, reached - taken);
    }
    struct divergence cost;
    model_divergence(scene->trace, scene->block, scene->warp, &cost);
    tally->number = "2";
    tally->words = _("{} {path|paths}");
    return arena_format(arena,
                        _("Of %d lanes, %d {jumps|jump} and %d {goes|go} on: one path after the other. In the whole "
                          "run %.0f %% of this warp's lane-steps are idle."),
                        reached, taken, reached - taken,
                        100.0 * (double)cost.idle_steps / (double)(cost.idle_steps + cost.lane_steps));
}

static const char *shuffle_words(struct view *view, struct tally *tally)
{
    const struct scene *scene = view->scene;
    unsigned taking = 0, staying = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (scene->event->mask >> lane & 1) {
            taking += scene->sources[lane] != lane;
            staying += scene->sources[lane] == lane;
        }
    tally->number = arena_format(view->arena, "%u", taking);
    tally->words = _("{} {lane takes|lanes take} a value");
    return staying
               ? arena_format(view->arena,
                              _("A shuffle passes registers from lane to lane, without shared memory. Lanes that keep "
                                "their own value, because no lane is there to take from: %u."),
                              staying)
               : _("A shuffle passes registers from lane to lane, without shared memory.");
}

static const char *atomic_words(struct view *view, struct tally *tally)
{
    const struct atomic_passes *atomics = &view->scene->atomics;
    tally->number = arena_format(view->arena, "%u", atomics->passes);
    tally->words = _("{} {pass|passes}");
    tally->bad = atomics->passes > atomics->passes_ideal;
    return arena_format(view->arena,
                        view->scene->kind == SCENE_SHARED
                            ? _("An atomic on shared memory. Lanes: %d, addresses: %u, most lanes on one address: %u.")
                            : _("An atomic on global memory. Lanes: %d, addresses: %u, most lanes on one address: %u."),
                        __builtin_popcount(view->scene->event->mask), atomics->place_count, atomics->most);
}

static const char *product_words(struct view *view, struct tally *tally)
{
    const struct fragments *fragments = playback_fragments(view->scene->playback);
    const struct fragment_site *site = fragments ? fragments_at(fragments, view->scene->position) : NULL;
    tally->number = "";
    if (!site)
        return "";
    const struct ptx_matrix *form = &site->form;
    tally->number = words_count(view->arena, (uint64_t)form->m * form->n * form->k);
    tally->words = _("{} multiply-adds");
    return arena_format(view->arena, _("For the whole warp: D (%u × %u) = A (%u × %u) × B (%u × %u) + C."), form->m,
                        form->n, form->m, form->k, form->k, form->n);
}

/* Returns where the sectors of a load came from, or why that is not known, or "". */
static const char *origin_words(const struct view *view)
{
    const struct scene *scene = view->scene;
    const struct origin *origins = scene_origins(scene);
    uint32_t counts[ORIGIN_LEVELS];
    if (scene->caches && scene->playback->caches_unknown && scene->kind == SCENE_GLOBAL)
        return arena_format(view->arena, _("The caches are not known: %s."), _(scene->playback->caches_unknown));
    bool const local = scene->caches && !scene->playback->caches_unknown &&
                       origins_count_local(playback_origins(scene->playback), scene->position, counts);
    if (!origins && !local)
        return "";
    if (origins)
        origins_count(origins, &scene->chunks, counts);
    return arena_format(view->arena,
                        view_unmeasured_caches(view->arena, scene->playback)
                            ? _("Sectors: %u from L1, %u from L2, %u from DRAM (caches not measured).")
                            : _("Sectors: %u from L1, %u from L2, %u from DRAM."),
                        counts[ORIGIN_L1], counts[ORIGIN_L2], counts[ORIGIN_DRAM]);
}

/* Returns the sentence on an access to local memory. */
static const char *local_words(const struct scene *scene, struct arena *arena)
{
    return arena_format(
        arena,
        scene->site->operation == TRACE_LOAD
            ? _("A load from local memory: %d {lane reads|lanes read} %u {byte|bytes} each. Every thread has its own "
                "local memory.")
            : _("A store to local memory: %d {lane writes|lanes write} %u {byte|bytes} each. Every thread has its own "
                "local memory."),
        __builtin_popcount(scene->event->mask), scene->site->bytes);
}

/* Returns the sentence on sectors that the L2 had although the block did not ask for them before, or "". */
static const char *along_words(const struct view *view)
{
    const struct scene *scene = view->scene;
    bool const known = scene->caches && !scene->playback->caches_unknown;
    uint32_t const along = known ? origins_count_along(playback_origins(scene->playback), scene->position) : 0;
    return along ? arena_format(view->arena,
                                _("Of the sectors from L2, %u came along with a neighbour: DRAM delivers pairs of "
                                  "sectors."),
                                along)
                 : "";
}

static bool is_local(const struct scene *scene)
{
    return scene->event && scene->event->kind == TRACE_ACCESS && scene->site &&
           trace_space(scene->site, scene->event) == PTX_SPACE_LOCAL;
}

static const char *general_words(struct view *view, struct tally *tally)
{
    const struct scene *scene = view->scene;
    struct arena *arena = view->arena;
    struct scene_arrived const arrived = scene_arrived(scene);
    if (scene->atomics.place_count)
        return atomic_words(view, tally);
    switch (scene->kind) {
    case SCENE_SHARED:
        tally->number = arena_format(arena, "%u", scene->banks.passes);
        tally->words = _("{} {pass|passes}");
        tally->bad = scene->banks.conflicts > 0;
        return arena_format(arena,
                            __builtin_popcount(scene->event->mask) == 1
                                ? _("%u of %s slots used; %u lane asks for %u {byte|bytes}.")
                                : _("%u of %s slots used; %u lanes ask for %u {byte|bytes} each."),
                            scene->banks.slots_used, words_count(arena, (uint64_t)scene->banks.passes * BANKS),
                            (unsigned)__builtin_popcount(scene->event->mask), scene->site->bytes);
    case SCENE_SHUFFLE:
        return shuffle_words(view, tally);
    case SCENE_PRODUCT:
        return product_words(view, tally);
    case SCENE_GLOBAL:
        tally->number = arena_format(arena, "%u", arrived.sectors);
        tally->words = _("{} {sector|sectors}");
        tally->bad = scene->chunks.sectors > scene->chunks.sectors_ideal;
        return arena_format(arena,
                            scene->site->operation == TRACE_LOAD ? _("fetched %s bytes, used %s; chunks touched: %u.")
                                                                 : _("sent %s bytes, wrote %s; chunks touched: %u."),
                            words_count(arena, arrived.fetched), words_count(arena, arrived.used),
                            scene->chunks.chunk_count);
    case SCENE_CONSTANT:
        tally->number = arena_format(arena, "%u", scene->constant.passes);
        tally->words = _("{} {pass|passes}");
        tally->bad = scene->constant.addresses > 1;
        return arena_format(arena,
                            scene->constant.passes_ideal > 1
                                ? _("Constant memory serves 8 bytes of one address a pass. Active lanes: %d, "
                                    "addresses: %u.")
                                : _("Constant memory serves one address a pass. Active lanes: %d, addresses: %u."),
                            __builtin_popcount(scene->event->mask), scene->constant.addresses);
    case SCENE_BARRIER: {
        unsigned waiting = 0;
        for (uint32_t w = 0; w < scene->warp_count; w++)
            waiting += scene->warps[w] == TIMELINE_BARRIER;
        tally->number = arena_format(arena, "%u", waiting);
        tally->words = _("{} waiting");
        return scene->event->kind == TRACE_BARRIER_RELEASE
                   ? _("The barrier opens: every warp of the block has arrived.")
                   : arena_format(arena, _("Warp %u arrives at the barrier."), scene->warp);
    }
    case SCENE_BRANCH:
        return branch_words(scene, arena, tally);
    case SCENE_FAULT:
        tally->number = "";
        return _("The run stopped here.");
    case SCENE_EMPTY:
    case SCENE_OTHER:
        break;
    }
    tally->number = "";
    if (is_local(scene))
        return local_words(scene, arena);
    return scene->event && scene->event->kind == TRACE_EXIT
               ? arena_format(arena, _("Lanes that end here: %d."), __builtin_popcount(scene->event->mask))
               : "";
}

/* Draws the finding at this event in place of a number. */
static void finding_words(struct view *view, struct rect area)
{
    struct ui *ui = view->ui;
    const struct stage_view *stage = view->stage;
    float u = ui->unit;
    const struct trace *trace = stage->report->trace;
    const struct finding *finding = stage->fault ? stage->fault : stage->race;
    const char *advice = stage->compact ? report_advice(view->arena, trace, finding) : NULL;
    const char *sentence =
        stage->fault ? report_sentence(view->arena, trace, finding) : report_summary(view->arena, finding);
    struct tally const tally = {
        .number = report_title(finding),
        .sentence = arena_format(view->arena, "%s%s%s", sentence, advice ? "\n" : "", advice ? advice : ""),
        .bad = true,
        .step = stage->explained,
        .further = stage->further};
    float size = 60 * u;
    while (size > 26 * u && ui_text_width(ui, FONT_BOLD, size, tally.number) > area.w * 0.45f)
        size *= 0.92f;
    view_tally(view, area, &tally, size);
}

struct panel_size panel_tally_size(const struct view *view)
{
    const struct stage_view *stage = view->stage;
    float const least = stage->compact ? 106 : 72, most = stage->compact ? 122 : 130;
    if (stage->question && stage->compact && !stage->covered)
        return NOT_SHOWN;
    float const best = stage->half ? least : fminf(most, fmaxf(least, 0.11f * view->ui->screen.h / view->ui->unit));
    return (struct panel_size){
        .least = best, .best = best, .low = stage->of_lesson ? 0 : 52}; /* the same at every step */
}

/* Returns whether the access takes more passes or sectors than its lanes need. */
static bool needs_too_many(const struct scene *scene)
{
    if (scene->atomics.place_count)
        return scene->atomics.passes > scene->atomics.passes_ideal;
    return (scene->kind == SCENE_SHARED && scene->banks.conflicts) ||
           (scene->kind == SCENE_CONSTANT && scene->constant.addresses > 1) ||
           (scene->kind == SCENE_GLOBAL && scene->chunks.sectors > scene->chunks.sectors_ideal);
}

static void add_sentence(struct arena *arena, struct tally *tally, const char *more)
{
    const char *before = tally->sentence ? tally->sentence : "";
    tally->sentence = *before && *more ? arena_format(arena, "%s %s", before, more) : *more ? more : before;
}

struct action panel_tally(struct view *view, struct rect box)
{
    const struct stage_view *stage = view->stage;
    const struct scene *scene = view->scene;
    float const u = view->ui->unit;
    struct rect const area = rect_inset(view_columns(view, box), 0, 4 * u);
    struct tally tally = {.number = ""};
    if (stage->question)
        return NO_ACTION; /* its number would give the answer away; its room stays, so that nothing moves */
    /* the race is told above and below, the step only here */
    bool const own = stage->tally && (stage->compact || stage->race_said);
    if (stage->fault || (stage->race && stage->race_here && !own)) {
        finding_words(view, area);
        return NO_ACTION;
    }
    if (stage->tally) {
        tally = *stage->tally;
        if (tally.of_access)
            tally.bad = needs_too_many(scene);
    } else
        tally.sentence = general_words(view, &tally);
    if (scene->kind == SCENE_GLOBAL && tally.of_access && scene->fan < 1)
        tally.number = arena_format(view->arena, "%u", scene_arrived(scene).sectors);
    add_sentence(view->arena, &tally, stage->tally ? "" : origin_words(view)); /* a lesson's own words are enough */
    add_sentence(view->arena, &tally, along_words(view));
    tally.step = stage->explained;
    tally.further = stage->further;
    view_tally(view, area, &tally, fmaxf((stage->compact ? 62 : 52) * u, fminf(96 * u, box.h * 0.62f)));
    return NO_ACTION;
}
