/* The sentences about what a launch wastes. English is the key of the Korean catalogue. */
#include "report/explain.h"
#include "base/words.h"
#include "report/datum.h"
#include "report/json.h"
#include "report/speech.h"
#include <string.h>

/* A heading and a remedy for each kind. */
static const struct {
    const char *title, *remedy;
} words[] = {
    [EXPLAIN_STRIDE] = {N_("strided access"), N_("Let neighbouring lanes take neighbouring elements; of an array of "
                                                 "structs make one array for each member.")},
    [EXPLAIN_WALK] = {N_("each lane walks its own part"),
                      N_("Let neighbouring lanes take neighbouring elements in each round of the loop, and let the "
                         "index grow by the number of threads.")},
    [EXPLAIN_EXCHANGED] = {N_("x and y exchanged"),
                           N_("Exchange x and y: let threadIdx.x count the columns and threadIdx.y the rows, and "
                              "blockIdx and the grid likewise.")},
    [EXPLAIN_COLUMN] = {N_("access down a column"),
                        N_("Let threadIdx.x count along the rows as they lie in memory. If another array needs the "
                           "other order, exchange rows and columns in a tile of shared memory.")},
    [EXPLAIN_FAR_COLUMN] =
        {N_("access down a column"),
         N_("Let neighbouring threads take neighbouring columns, so that a warp walks along a row.")},
    [EXPLAIN_MISALIGNED] = {N_("misaligned access"),
                            N_("Begin at a multiple of 32 bytes: leave the offset out, or move the data.")},
    [EXPLAIN_ROWS] =
        {N_("misaligned rows"),
         N_("Give each row a multiple of 32 bytes, as cudaMallocPitch does, and use that pitch for the addresses.")},
    [EXPLAIN_PIECES] = {N_("narrow rows of threads"),
                        N_("Make blockDim.x a multiple of 32, so that a warp covers one row.")},
    [EXPLAIN_SCATTERED] = {N_("scattered access"),
                           N_("Sort or regroup the data so that lanes of a warp meet in the same sectors, or bring it "
                              "into shared memory in order and pick there.")},
    [EXPLAIN_OVERLAP] = {N_("overlaps another access"),
                         N_("There is little to gain: the L1 has these sectors from the other access.")},
    [EXPLAIN_HALO] = {N_("halo of a tile"),
                      N_("There is little to gain: a tile with a halo does not begin where a sector begins.")},
    [EXPLAIN_REREAD] = {N_("loaded again and again"),
                        N_("Let the block copy the part it needs into a tile of shared memory, once, and read it "
                           "there; or keep what a lane needs again in a register.")},
    [EXPLAIN_WINDOW] = {N_("windows that overlap"), N_("Let the block copy its part and the halo around it into a tile "
                                                       "of shared memory, once, and read the windows there.")},
    [EXPLAIN_LOCAL] =
        {N_("local memory"),
         N_("Index the array by constants (a loop that is unrolled), or make it smaller, so that registers hold it.")},
    [EXPLAIN_CONSTANT] =
        {N_("different constants"),
         N_("Let all lanes of a warp read the same element, or keep the table in global or in shared memory.")},
    [EXPLAIN_BANK_COLUMN] = {N_("bank conflict down a column"), N_("Add an unused word behind each row of 32 words.")},
    [EXPLAIN_BANK_TILE] = {N_("bank conflict down a column"),
                           N_("Give each row of the tile one more element that stays unused, or swizzle the columns.")},
    [EXPLAIN_BANK_STRIDE] = {N_("bank conflict by a stride"),
                             N_("Let neighbouring lanes take neighbouring words, or choose an odd stride.")},
    [EXPLAIN_BANK_TREE] =
        {N_("bank conflict in a tree"),
         N_("Let the working lanes take neighbouring words: add the upper half to the lower half, and halve.")},
    [EXPLAIN_BANK_SCAN] = {N_("bank conflict in a scan"), N_("Add an unused word behind each 32 words.")},
    [EXPLAIN_BANK_MATRIX] = {N_("bank conflict of matrix rows"),
                             N_("Give each row 16 more bytes that stay unused, or swizzle the pieces of 16 bytes.")},
    [EXPLAIN_BANK_SCATTERED] = {N_("bank conflict"),
                                N_("Arrange the words so that lanes of a warp need different banks.")},
    [EXPLAIN_ATOMIC] = {N_("atomics on one address"),
                        N_("Let lanes combine their values first (shuffles, __match_any_sync), or give them several "
                           "copies that are added up at the end.")},
    [EXPLAIN_BRANCH] = {N_("divergent branch"),
                        N_("Let the condition agree in each warp: choose it by the number of the warp, or sort the "
                           "data by it; give the lanes of a warp loops of equal length.")},
    [EXPLAIN_BRANCH_TREE] = {N_("divergent tree"), N_("Let the first threads work (t < half), so that whole warps stop "
                                                      "together, and finish the last warp with shuffles.")},
    [EXPLAIN_PARTIAL_WARP] = {N_("partial warp"), N_("Choose a block whose number of threads is a multiple of 32.")},
    [EXPLAIN_FEW_WARPS] =
        {N_("few resident warps"),
         N_("Use less shared memory in a block, or another number of threads, so that more warps are resident.")},
    [EXPLAIN_FINE] = {N_("nothing wasted"), ""},
};
_Static_assert(sizeof words / sizeof *words == EXPLAIN_KINDS, "a kind a row");

static unsigned popcount(uint32_t mask)
{
    return (unsigned)__builtin_popcount(mask);
}

static unsigned long long apart(const struct explanation *item)
{
    return (unsigned long long)(item->stride < 0 ? -item->stride : item->stride);
}

const char *report_explain_title(enum report_language language, enum explain_kind kind)
{
    struct speech const s = {NULL, language};
    return say(&s, words[kind].title);
}

const char *report_explain_beyond(struct arena *arena, uint64_t beyond)
{
    return beyond ? arena_format(arena, _(", beyond the L1 %s {byte|bytes}"), words_count(arena, beyond))
                  : _(", nothing of it beyond the L1");
}

const char *report_explain_order(void)
{
    return _(
        "Sectors that the L1 holds do not count for the order: they cost work of the L1, but no bandwidth of the L2 "
        "and the DRAM.");
}

/* ---- place, cost, lanes ---- */

const char *report_explain_place(struct arena *arena, enum report_language language, const struct explanation *item)
{
    struct speech const s = {arena, language};
    const struct trace_site *site = item->site;
    if (!site)
        return say(&s, N_("the whole launch"));
    const char *line = report_line(arena, site, true);
    if (site->operation == TRACE_BRANCH)
        return arena_format(arena, "%s · %s", line, say(&s, N_("branch")));
    const char *words_of = arena_format(arena, "%s · %s.%s %u B", line, trace_operation_word(site->operation),
                                        ptx_space_name(item->space), (unsigned)site->bytes);
    if (item->copies > 1)
        words_of = arena_format(arena, "%s ×%u", words_of, item->copies);
    return item->array ? arena_format(arena, "%s · %s", words_of, item->array) : words_of;
}

static const char *percent(struct arena *arena, double part)
{
    return arena_format(arena, part > 0 && part < 0.01 ? "%.1f %%" : "%.0f %%", 100 * part);
}

/* Returns the cost of accesses whose way through the caches is known. */
static const char *cost_beyond(const struct speech *s, const struct explanation *item)
{
    const char *wasted = words_count(s->arena, item->wasted), *part = percent(s->arena, item->part);
    const char *beyond = words_count(s->arena, item->beyond), *there = percent(s->arena, item->beyond_part);
    if (!item->beyond)
        return arena_format(s->arena,
                            say(s, N_("%s {byte|bytes} · %s of the traffic to the L1 · nothing of it beyond the L1")),
                            wasted, part);
    return arena_format(
        s->arena,
        item->space == PTX_SPACE_LOCAL && item->l1_sectors
            ? say(s, N_("%s {byte|bytes} · %s of the traffic to the L1 · beyond it at most %s {byte|bytes}, %s of the "
                        "traffic there"))
            : say(s, N_("%s {byte|bytes} · %s of the traffic to the L1 · beyond it %s {byte|bytes}, %s of the traffic "
                        "there")),
        wasted, part, beyond, there);
}

const char *report_explain_cost(struct arena *arena, enum report_language language, const struct explanation *item)
{
    struct speech const s = {arena, language};
    const char *part = percent(arena, item->part), *wasted = words_count(arena, item->wasted);
    switch (item->kind) {
    case EXPLAIN_FINE:
        return say(&s, N_("nothing"));
    case EXPLAIN_FEW_WARPS:
        return arena_format(arena, say(&s, N_("%s of the room for warps")), part);
    case EXPLAIN_BRANCH:
    case EXPLAIN_BRANCH_TREE:
    case EXPLAIN_PARTIAL_WARP:
        return arena_format(arena,
                            item->by_instructions ? say(&s, N_("%s {byte|bytes} · %s of the lanes in all instructions"))
                                                  : say(&s, N_("%s {byte|bytes} · %s of the lanes in all steps")),
                            wasted, part);
    default:
        if (item->counts.constant_requests)
            return arena_format(arena, say(&s, N_("%s {byte|bytes} · %s of the traffic of constant memory")), wasted,
                                part);
        if (item->cached)
            return cost_beyond(&s, item);
        return arena_format(arena,
                            item->counts.shared_requests
                                ? say(&s, N_("%s {byte|bytes} · %s of the traffic of shared memory"))
                                : say(&s, N_("%s {byte|bytes} · %s of the traffic of global memory")),
                            wasted, part);
    }
}

/* "lanes 0 to 31", "lanes 0, 8, 16, 24", "lane 5"; of many without order the first six. */
static const char *lanes_text(const struct speech *s, uint32_t mask)
{
    unsigned const count = popcount(mask), first = (unsigned)__builtin_ctz(mask);
    unsigned const last = 31u - (unsigned)__builtin_clz(mask);
    const char *list = "";
    unsigned listed = 0;
    if (count == 1)
        return arena_format(s->arena, say(s, N_("lane %u")), first);
    if (last - first + 1 == count)
        return arena_format(s->arena, say(s, N_("lanes %u to %u")), first, last);
    for (uint32_t rest = mask; rest && listed < 6; rest &= rest - 1, listed++)
        list = arena_format(s->arena, "%s%s%u", list, listed ? ", " : "", (unsigned)__builtin_ctz(rest));
    return arena_format(s->arena, count > listed ? say(s, N_("lanes %s, … %u")) : say(s, N_("lanes %s")), list, last);
}

const char *report_explain_lanes(struct arena *arena, enum report_language language, const struct explanation *item)
{
    struct speech const s = {arena, language};
    if (item->event == SIZE_MAX || !item->lanes)
        return "";
    return arena_format(arena, say(&s, N_("block %llu, warp %u, %s")), (unsigned long long)item->block, item->warp,
                        lanes_text(&s, item->lanes));
}

/* ---- why ---- */

static const char *say_strided(const struct speech *s, const struct explanation *item)
{
    struct arena *arena = s->arena;
    const char *why =
        arena_format(arena,
                     say(s, N_("Neighbouring lanes are %s {byte|bytes} apart: the access fetches %u {sector|sectors} "
                               "(%s {byte|bytes}) for %s {byte|bytes} that %u {sector|sectors} could hold.")),
                     words_count(arena, apart(item)), item->units, words_count(arena, 32 * item->units),
                     words_count(arena, item->used), item->least);
    switch (item->kind) {
    case EXPLAIN_WALK:
        return arena_format(arena, "%s %s", why,
                            say(s, N_("The bytes between are needed later, by the same lane or its warp.")));
    case EXPLAIN_COLUMN:
        return arena_format(arena, "%s %s", why, say(s, N_("Other warps of the block need the bytes between.")));
    case EXPLAIN_FAR_COLUMN:
        return arena_format(arena, "%s %s", why, say(s, N_("Other blocks need the bytes between.")));
    default:
        return why;
    }
}

static const char *say_exchanged(const struct speech *s, const struct explanation *item)
{
    const struct explain_exchange *then = &item->exchange;
    const char *across = words_count(s->arena, then->by_x), *down = words_count(s->arena, then->by_y);
    const char *how =
        then->by_y
            ? arena_format(s->arena,
                           say(s, N_("Neighbours by threadIdx.x are %s {byte|bytes} apart in memory, neighbours by "
                                     "threadIdx.y %s {byte|bytes}.")),
                           across, down)
            : arena_format(s->arena,
                           say(s, N_("Neighbours by threadIdx.x are %s {byte|bytes} apart in memory, neighbours by "
                                     "threadIdx.y share an address.")),
                           across);
    return arena_format(s->arena,
                        say(s, N_("%s A warp runs along threadIdx.x, so the access needs %u {sector|sectors}. With x "
                                  "and y exchanged it would need %u.")),
                        how, item->units, then->units);
}

static const char *say_global(const struct speech *s, const struct explanation *item)
{
    struct arena *arena = s->arena;
    switch (item->kind) {
    case EXPLAIN_EXCHANGED:
        return say_exchanged(s, item);
    case EXPLAIN_MISALIGNED:
        return arena_format(arena,
                            say(s, N_("The lanes lie side by side, but begin %u {byte|bytes} behind the beginning of a "
                                      "sector: %u {sector|sectors} instead of %u.")),
                            item->behind, item->units, item->least);
    case EXPLAIN_ROWS:
        return arena_format(arena,
                            say(s, N_("The lanes lie side by side, but not every row begins with a sector; here it is "
                                      "%u {byte|bytes} behind one: %u {sector|sectors} instead of %u.")),
                            item->behind, item->units, item->least);
    case EXPLAIN_OVERLAP:
        return arena_format(
            arena,
            say(s, N_("The lanes begin %u {byte|bytes} behind the beginning of a sector: %u {sector|sectors} instead "
                      "of %u. Another access of the block loads these sectors, too.")),
            item->behind, item->units, item->least);
    case EXPLAIN_HALO:
        return arena_format(
            arena,
            say(s, N_("The lanes begin %u {byte|bytes} behind the beginning of a sector: %u {sector|sectors} instead "
                      "of %u. Neighbouring blocks load some of these bytes, too.")),
            item->behind, item->units, item->least);
    case EXPLAIN_PIECES:
        return arena_format(arena,
                            say(s, N_("A row of the block's threads is no multiple of a warp, so the lanes lie in %u "
                                      "{piece|pieces}: %u {sector|sectors} instead of %u.")),
                            item->pieces, item->units, item->least);
    case EXPLAIN_REREAD:
        return arena_format(
            arena, say(s, N_("A block loads each sector %.1f times: other lanes and later steps need the same bytes.")),
            item->repeats);
    case EXPLAIN_WINDOW:
        return arena_format(
            arena, say(s, N_("A block loads each sector %.1f times: the windows of neighbouring lanes overlap.")),
            item->repeats);
    case EXPLAIN_SCATTERED:
        if (item->event == SIZE_MAX)
            return say(s, N_("No recorded block has this access; --blocks records others."));
        return arena_format(arena,
                            say(s, N_("The lanes' addresses have no stride: %u {sector|sectors} for %s {byte|bytes} "
                                      "that %u {sector|sectors} could hold.")),
                            item->units, words_count(arena, item->used), item->least);
    default:
        return say_strided(s, item);
    }
}

static const char *say_banks(const struct speech *s, const struct explanation *item)
{
    struct arena *arena = s->arena;
    const char *passes = arena_format(arena, say(s, N_("%u {pass|passes} instead of %u.")), item->units, item->least);
    if (item->event == SIZE_MAX)
        return say(s, N_("No recorded block has this access; --blocks records others."));
    if (item->kind == EXPLAIN_BANK_MATRIX)
        return arena_format(arena, say(s, N_("%u {row|rows} of a matrix begin in the same bank, %u: %s")),
                            item->together, item->bank, passes);
    if (!item->stride)
        return arena_format(arena, say(s, N_("%u {lane|lanes} need different words of bank %u: %s")), item->together,
                            item->bank, passes);
    if (item->kind == EXPLAIN_BANK_TREE || item->kind == EXPLAIN_BANK_SCAN)
        return arena_format(
            arena,
            say(s, N_("The distance of neighbouring lanes is another power of two in each step; here it is %s "
                      "{byte|bytes}, and %u {lane|lanes} need different words of bank %u: %s")),
            words_count(arena, apart(item)), item->together, item->bank, passes);
    return arena_format(arena,
                        say(s, N_("Neighbouring lanes are %s {byte|bytes} apart, so %u {lane|lanes} need different "
                                  "words of bank %u: %s")),
                        words_count(arena, apart(item)), item->together, item->bank, passes);
}

static const char *say_branch(const struct speech *s, const struct explanation *item)
{
    struct arena *arena = s->arena;
    const char *parted = words_count(arena, item->counts.divergent), *all = words_count(arena, item->counts.requests);
    const char *how =
        item->event == SIZE_MAX
            ? ""
            : arena_format(arena, say(s, N_(" At the worst %u {lane goes|lanes go} one way and %u the other.")),
                           popcount(item->way), popcount(item->active & ~item->way));
    const char *first =
        arena_format(arena, say(s, N_("Lanes of a warp part here in %s of %s executions.%s")), parted, all, how);
    if (item->kind == EXPLAIN_BRANCH_TREE)
        return arena_format(arena, "%s %s", first,
                            say(s, N_("From step to step half of the working lanes of a warp are left.")));
    return first;
}

static const char *limit_text(const struct speech *s, enum occupancy_limit limit)
{
    static const char *const names[] = {N_("the number of blocks"), N_("the number of threads"), N_("the registers"),
                                        N_("the shared memory of a block"), N_("the number of barriers")};
    return say(s, names[limit]);
}

static const char *say_launch(const struct speech *s, const struct explanation *item)
{
    struct arena *arena = s->arena;
    if (item->kind == EXPLAIN_FEW_WARPS)
        return arena_format(arena,
                            say(s, N_("At most %u of %u {warp|warps} fit on a multiprocessor (compute capability %s), "
                                      "in %u {block|blocks}. What limits them: %s.")),
                            item->fit->got.warps, item->fit->got.warps_max, item->fit->limits->capability,
                            item->fit->got.blocks, limit_text(s, item->fit->got.limit));
    return say(s,
               N_("The number of threads of a block is no multiple of 32: its last warp has lanes without a thread."));
}

static const char *say_item(const struct speech *s, const struct explanation *item)
{
    struct arena *arena = s->arena;
    switch (item->kind) {
    case EXPLAIN_FINE:
        return item->space == PTX_SPACE_GLOBAL ? say(s, N_("Each access fetches as few sectors as can hold its bytes."))
                                               : say(s, N_("Each access takes as few passes as are possible."));
    case EXPLAIN_LOCAL:
        return arena_format(arena,
                            say(s, N_("The array lies in local memory, outside of the registers: %s {byte|bytes} go "
                                      "there and back through the caches.")),
                            words_count(arena, item->wasted));
    case EXPLAIN_CONSTANT:
        return arena_format(arena,
                            say(s, N_("The lanes read %u different addresses, and constant memory serves one at a "
                                      "time: %u {pass|passes} instead of %u.")),
                            item->places, item->units, item->least);
    case EXPLAIN_ATOMIC:
        return arena_format(
            arena,
            say(s, N_("%u {lane|lanes} change the same address, one after the other: %u {pass|passes} instead of %u.")),
            item->together, item->units, item->least);
    case EXPLAIN_BRANCH:
    case EXPLAIN_BRANCH_TREE:
        return say_branch(s, item);
    case EXPLAIN_PARTIAL_WARP:
    case EXPLAIN_FEW_WARPS:
        return say_launch(s, item);
    default:
        return item->kind >= EXPLAIN_BANK_COLUMN && item->kind <= EXPLAIN_BANK_SCATTERED ? say_banks(s, item)
                                                                                         : say_global(s, item);
    }
}

/* What an L1 hit saves is bandwidth, not the request. */
static const char *say_caches(const struct speech *s, const struct explanation *item)
{
    const char *hits = words_count(s->arena, item->l1_hits), *all = words_count(s->arena, item->l1_sectors);
    const char *found =
        arena_format(s->arena,
                     item->space == PTX_SPACE_LOCAL
                         ? say(s, N_("Of the sectors of all local loads, the model of the caches finds %s of %s in "
                                     "the L1."))
                         : say(s, N_("The model of the caches finds %s of its %s sectors in the L1.")),
                     hits, all);
    if (item->wasted && !item->beyond)
        found = arena_format(s->arena, "%s %s", found,
                             say(s, N_("So what is wasted costs work of the L1, but no bandwidth of the L2 and the "
                                       "DRAM.")));
    else if (2 * item->l1_hits >= item->l1_sectors)
        found = arena_format(s->arena, "%s %s", found,
                             say(s, N_("Those cost work of the L1, but no bandwidth of the L2 and the DRAM.")));
    return item->l1_measured ? found
                             : arena_format(s->arena, "%s %s", found,
                                            say(s, N_("The sizes of these caches are from documents, and the rules of "
                                                      "the model were not measured on this GPU.")));
}

const char *report_explain(struct arena *arena, enum report_language language, const struct explanation *item)
{
    struct speech const s = {arena, language};
    const char *words_of_item = say_item(&s, item);
    return item->l1_sectors ? arena_format(arena, "%s %s", words_of_item, say_caches(&s, item)) : words_of_item;
}

static bool padding_helps(const struct explanation *item)
{
    return item->site && item->padded &&
           (item->kind == EXPLAIN_BANK_COLUMN || item->kind == EXPLAIN_BANK_TILE || item->kind == EXPLAIN_BANK_STRIDE ||
            item->kind == EXPLAIN_BANK_SCAN);
}

const char *report_explain_remedy(struct arena *arena, enum report_language language, const struct explanation *item)
{
    struct speech const s = {arena, language};
    const char *remedy = say(&s, words[item->kind].remedy);
    if (item->kind == EXPLAIN_EXCHANGED)
        return arena_format(arena, "%s %s", remedy,
                            arena_format(arena,
                                         say(&s, N_("All accesses of the launch to global memory would then need %s "
                                                    "{sector|sectors} instead of %s.")),
                                         words_count(arena, item->exchange.all_then),
                                         words_count(arena, item->exchange.all)));
    if (!padding_helps(item))
        return remedy;
    uint64_t const row = apart(item) >= 128 ? apart(item) : 128;
    const char *padded = arena_format(
        arena,
        say(&s, N_("With %u unused {byte|bytes} behind each %s {byte|bytes} this access would take %u {pass|passes}.")),
        (unsigned)item->site->bytes, words_count(arena, row), item->padded);
    return arena_format(arena, "%s %s", remedy, padded);
}

const char *report_finding_lesson(const struct finding *finding)
{
    switch (finding->kind) {
    case FINDING_OUT_OF_BOUNDS:
        return "adjdiff";
    case FINDING_BARRIER:
        return "barrier";
    case FINDING_RACE:
        return finding->form == FINDING_RACING_COPY      ? "pipeline"
               : finding->race.space == PTX_SPACE_SHARED ? "barrier"
                                                         : "histogram";
    case FINDING_UNINITIALIZED:
        return "memory-spaces";
    default:
        return "";
    }
}

/* ---- JSON ---- */

static json_t *lanes_json(uint32_t mask)
{
    json_t *list = json_array();
    for (; mask; mask &= mask - 1)
        json_array_append_new(list, json_integer(__builtin_ctz(mask)));
    return list;
}

static json_t *worst_json(const struct explanation *item)
{
    if (item->event == SIZE_MAX)
        return json_null();
    return OBJECT(DATUM("block", item->block), DATUM("warp", item->warp), ITEM("lanes", lanes_json(item->lanes)),
                  DATUM("stride", item->stride), DATUM("units", item->units), DATUM("units_ideal", item->least));
}

static json_t *item_json(const struct trace *trace, const struct explanation *item, bool cached)
{
    static const struct trace_site none;
    struct arena arena = {0};
    const struct trace_site *site = item->site ? item->site : &none;
    bool const memory = item->site && site->operation != TRACE_BRANCH, global = item->space != PTX_SPACE_LOCAL;
    const char *lesson = explain_lesson(item->kind);
    json_t *row =
        OBJECT(DATUM("kind", explain_word(item->kind)), DATUM("blamed", item->blamed),
               DATUM("file", item->site ? report_file(trace, site->file) : ""), DATUM("line", site->line),
               DATUM("column", site->column),
               ITEM("operation", VALUE_OR_NULL(item->site, trace_operation_word(site->operation))),
               ITEM("space", VALUE_OR_NULL(memory, ptx_space_name(item->space))), DATUM("bytes", site->bytes),
               DATUM("array", item->array), DATUM("requests", item->counts.requests),
               ITEM("l1_hits", VALUE_OR_NULL(item->l1_sectors && global, item->l1_hits)),
               ITEM("l1_sectors", VALUE_OR_NULL(item->l1_sectors && global, item->l1_sectors)),
               DATUM("wasted_bytes", item->wasted),
               ITEM("wasted_beyond_l1_bytes", cached ? VALUE_OR_NULL(item->cached, item->beyond) : NULL),
               DATUM("part", item->part),
               ITEM("part_beyond_l1", cached ? VALUE_OR_NULL(item->cached, item->beyond_part) : NULL),
               ITEM("worst", worst_json(item)), DATUM("message", report_explain(&arena, REPORT_ENGLISH, item)),
               DATUM("remedy", report_explain_remedy(&arena, REPORT_ENGLISH, item)),
               ITEM("lesson", VALUE_OR_NULL(*lesson, lesson)),
               ITEM("words", report_words_json(report_explain(&arena, REPORT_TRANSLATED, item))),
               ITEM("remedy_words", report_words_json(report_explain_remedy(&arena, REPORT_TRANSLATED, item))));
    arena_free(&arena);
    return row;
}

json_t *report_explain_json(const struct explain *explain)
{
    json_t *list = json_array();
    for (size_t i = 0; i < explain->count; i++)
        json_array_append_new(list, item_json(explain->trace, &explain->items[i], explain->cached));
    return list;
}
