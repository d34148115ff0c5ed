/* The cost of each line of the source: passes of shared and constant memory, sectors of global memory. */
#include "model/counts.h"
#include "view/code/parts.h"
#include <string.h>

struct line_cost { /* passes: of shared and of constant memory */
    uint64_t passes, passes_ideal, sectors, sectors_ideal;
    uint64_t shared_requests, constant_requests, global_requests;
    uint64_t divergent, branches;
};

static void add_site(struct line_cost *cost, const struct code_view *code, uint32_t s)
{
    const struct site_counts *counts = &code->counts->sites[s];
    if (!code->no_passes && (counts->wavefronts || counts->constant_passes)) {
        cost->shared_requests += counts->shared_requests;
        cost->constant_requests += counts->constant_requests;
        cost->passes += counts->wavefronts + counts->constant_passes;
        cost->passes_ideal += counts->wavefronts_ideal + counts->constant_passes_ideal;
    }
    if (counts->sectors) {
        cost->global_requests += counts->global_requests;
        cost->sectors += counts->sectors;
        cost->sectors_ideal += counts->sectors_ideal;
    }
    if (code->trace->sites[s].operation == TRACE_BRANCH) {
        cost->branches += counts->requests;
        cost->divergent += counts->divergent;
    }
}

static bool is_counted(const struct code_view *code, uint32_t site)
{
    return code->counts && site < code->counts->site_count && site < code->trace->site_count;
}

static struct line_cost cost_of(const struct code_view *code, uint32_t line)
{
    struct line_cost cost = {0};
    for (uint32_t s = 0; is_counted(code, s); s++)
        if (code->trace->sites[s].line == line)
            add_site(&cost, code, s);
    return cost;
}

/* The passes or sectors of a line per access of a warp. `average`: its accesses differ, so that this is the mean. */
struct ratio {
    const char *number;
    bool one, average;
};

static struct ratio ratio_of(struct arena *arena, uint64_t part, uint64_t whole)
{
    double const value = (double)part / (double)whole;
    bool const even = part % whole == 0;
    return (struct ratio){arena_format(arena, even ? "%.0f" : "%.1f", value), even && part == whole, !even};
}

/* The accesses of a line that do the same in the same kind of memory. */
enum { NUMBERS_MAX = 3, GROUPS_MAX = 4 };
struct group {
    const char *what; /* "load" */
    struct line_cost cost;
    const char *numbers[NUMBERS_MAX]; /* of its instructions, in the order of the PTX */
    int count;                        /* if there are more, as in an unrolled loop, they share their mean */
    bool average;                     /* one of the numbers is a mean of several accesses */
};

static const char *operation_words(enum trace_operation operation)
{
    return operation == TRACE_LOAD ? _("load") : operation == TRACE_STORE ? _("store") : _("atomic");
}

static struct ratio cost_number(struct arena *arena, const struct line_cost *cost)
{
    return cost->sectors ? ratio_of(arena, cost->sectors, cost->global_requests)
                         : ratio_of(arena, cost->passes, cost->shared_requests + cost->constant_requests);
}

static void add_number(struct group *group, struct ratio ratio)
{
    if (group->count < NUMBERS_MAX)
        group->numbers[group->count] = ratio.number;
    group->average = group->average || ratio.average;
    group->count++;
}

/* Divides the accesses of a line into groups. Returns their number, 0 if there are too many. */
static int groups_of(struct arena *arena, const struct code_view *code, uint32_t line, struct group groups[GROUPS_MAX])
{
    int count = 0;
    for (uint32_t s = 0; is_counted(code, s); s++) {
        struct line_cost cost = {0};
        if (code->trace->sites[s].line != line)
            continue;
        add_site(&cost, code, s);
        if (!cost.passes && !cost.sectors)
            continue;
        const char *what = operation_words(code->trace->sites[s].operation);
        int g = 0;
        while (g < count && (strcmp(groups[g].what, what) != 0 || !groups[g].cost.sectors != !cost.sectors))
            g++;
        if (g == GROUPS_MAX)
            return 0;
        if (g == count)
            groups[count++] = (struct group){.what = what};
        add_site(&groups[g].cost, code, s);
        add_number(&groups[g], cost_number(arena, &cost));
    }
    return count;
}

/* Returns the numbers of a group: "4 + 8", or one for all if there are many. */
static const char *group_numbers(struct arena *arena, const struct group *group)
{
    if (group->count > NUMBERS_MAX)
        return cost_number(arena, &group->cost).number;
    const char *text = "";
    for (int i = 0; i < group->count; i++)
        text = arena_format(arena, "%s%s%s", text, i ? " + " : "", group->numbers[i]);
    return text;
}

static bool group_is_average(struct arena *arena, const struct group *group)
{
    return group->count > NUMBERS_MAX ? cost_number(arena, &group->cost).average : group->average;
}

/* Returns the cost of each group: "sectors: load 32 + 4, store 4", or in brief "sectors: 32 + 4 + 4". */
static const char *groups_text(struct arena *arena, const struct group *groups, int count, bool brief)
{
    const char *lists[2] = {"", ""};
    bool averages[2] = {false, false};
    for (int g = 0; g < count; g++) {
        int const kind = groups[g].cost.sectors == 0;
        const char **list = &lists[kind];
        averages[kind] = averages[kind] || group_is_average(arena, &groups[g]);
        const char *numbers = group_numbers(arena, &groups[g]);
        if (brief)
            *list = arena_format(arena, "%s%s%s", *list, **list ? " + " : "", numbers);
        else
            *list = arena_format(arena, "%s%s%s %s", *list, **list ? ", " : "", groups[g].what, numbers);
    }
    const char *sectors =
        !*lists[0] ? "" : arena_format(arena, averages[0] ? _("avg. sectors: %s") : _("sectors: %s"), lists[0]);
    const char *passes =
        !*lists[1] ? "" : arena_format(arena, averages[1] ? _("avg. passes: %s") : _("passes: %s"), lists[1]);
    return arena_format(arena, "%s%s%s", sectors, *sectors && *passes ? " · " : "", passes);
}

/* Returns a cost as "8 passes", "4 sectors" or both, or NULL if it is of no memory. */
static const char *cost_text(struct view *view, const struct line_cost *of, bool *bad, bool brief)
{
    struct line_cost const cost = *of;
    struct arena *arena = view->arena;
    const char *passes = NULL, *sectors = NULL;
    bool mean = false; /* a mean takes more room */
    *bad = cost.passes > cost.passes_ideal || cost.sectors > cost.sectors_ideal;
    if (cost.shared_requests + cost.constant_requests) {
        struct ratio const ratio = ratio_of(arena, cost.passes, cost.shared_requests + cost.constant_requests);
        mean = ratio.average;
        passes = ratio.one        ? _("1 pass")
                 : !ratio.average ? arena_format(arena, _("%s passes"), ratio.number)
                 : brief          ? arena_format(arena, _("avg. %s passes"), ratio.number)
                                  : arena_format(arena, _("%s passes on average"), ratio.number);
    }
    if (cost.global_requests) {
        struct ratio const ratio = ratio_of(arena, cost.sectors, cost.global_requests);
        mean = mean || ratio.average;
        sectors = ratio.one        ? _("1 sector")
                  : !ratio.average ? arena_format(arena, _("%s sectors"), ratio.number)
                  : brief          ? arena_format(arena, _("avg. %s sectors"), ratio.number)
                                   : arena_format(arena, _("%s sectors on average"), ratio.number);
    }
    if (brief && mean && passes && sectors) /* the one that costs more than necessary, if only one does */
        return cost.passes == cost.passes_ideal && *bad ? sectors : passes;
    if (passes && sectors)
        return arena_format(view->arena, "%s · %s", sectors, passes);
    if (!passes && !sectors && cost.divergent)
        return _("diverges");
    return passes ? passes : sectors;
}

const char *code_cost_text(struct view *view, const struct code_view *code, uint32_t line, bool *bad, bool brief)
{
    struct line_cost const cost = cost_of(code, line);
    struct group groups[GROUPS_MAX];
    int const count = groups_of(view->arena, code, line, groups);
    const char *sum = cost_text(view, &cost, bad, brief);
    bool const mixed = cost.sectors && cost.passes; /* in brief the one that costs more than necessary */
    bool const several = count > 1 || (count == 1 && groups[0].count > 1 && groups[0].count <= NUMBERS_MAX);
    return several && !(brief && mixed) ? groups_text(view->arena, groups, count, brief) : sum;
}

const char *code_site_text(struct view *view, const struct code_view *code, uint32_t site, bool *bad)
{
    struct line_cost cost = {0};
    if (is_counted(code, site))
        add_site(&cost, code, site);
    return cost_text(view, &cost, bad, true);
}

/* Adds how often the instructions of the line were executed, where that is known. */
static const char *executed_words(struct arena *arena, const struct code_view *code, uint32_t line)
{
    uint64_t sum = 0;
    uint32_t instructions = 0;
    for (uint32_t i = 0; code->ptx && !code->ptx->events_only && i < code->ptx->count; i++)
        if (code->ptx->rows[i].line == line && code->ptx->rows[i].counted) {
            sum += code->ptx->rows[i].executed;
            instructions++;
        }
    return instructions
               ? arena_format(arena, _("line %u, whole run: instructions of PTX %u, executed by warps %s {time|times}"),
                              line, instructions, words_count(arena, sum))
               : "";
}

void code_cost_tip(struct view *view, struct rect box, const struct code_view *code, uint32_t line)
{
    struct line_cost const cost = cost_of(code, line);
    struct arena *arena = view->arena;
    const char *executed = executed_words(arena, code, line), *said = "";
    if (cost.constant_requests && !cost.shared_requests)
        said = arena_format(arena, _("line %u, whole run: loads of constants by a warp %s, passes %s (at least %s)"),
                            line, words_count(arena, cost.constant_requests), words_count(arena, cost.passes),
                            words_count(arena, cost.passes_ideal));
    else if (cost.shared_requests)
        said = arena_format(arena, _("line %u, whole run: shared accesses of a warp %s, passes %s (at least %s)"), line,
                            words_count(arena, cost.shared_requests), words_count(arena, cost.passes),
                            words_count(arena, cost.passes_ideal));
    if (cost.global_requests)
        said =
            arena_format(arena, "%s%s%s", said, *said ? "\n" : "",
                         arena_format(arena, _("line %u, whole run: accesses of a warp %s, sectors %s (at least %s)"),
                                      line, words_count(arena, cost.global_requests), words_count(arena, cost.sectors),
                                      words_count(arena, cost.sectors_ideal)));
    else if (cost.branches && !*said)
        said = arena_format(arena, _("line %u, whole run: branches %s, divergent %s"), line,
                            words_count(arena, cost.branches), words_count(arena, cost.divergent));
    if (*said || *executed)
        ui_tip(view->ui, box, "%s%s%s", said, *said && *executed ? "\n" : "", executed);
}
