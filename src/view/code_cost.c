/* The cost of each line of the source: passes of shared and constant memory, sectors of global memory. */
#include "model/counts.h"
#include "view/code_parts.h"

struct line_cost { /* passes: of shared and of constant memory */
    uint64_t requests, passes, passes_ideal, sectors, sectors_ideal;
    uint64_t shared_requests, constant_requests, global_requests;
    uint64_t divergent, branches;
};

static struct line_cost cost_of(const struct code_view *code, uint32_t line)
{
    struct line_cost cost = {0};
    for (uint32_t s = 0; code->counts && s < code->counts->site_count && s < code->trace->site_count; s++) {
        const struct trace_site *site = &code->trace->sites[s];
        const struct site_counts *counts = &code->counts->sites[s];
        if (site->line != line)
            continue;
        cost.requests += counts->requests;
        if (counts->wavefronts || counts->constant_passes) {
            cost.shared_requests += counts->shared_requests;
            cost.constant_requests += counts->constant_requests;
            cost.passes += counts->wavefronts + counts->constant_passes;
            cost.passes_ideal += counts->wavefronts_ideal + counts->constant_passes_ideal;
        }
        if (counts->sectors) {
            cost.global_requests += counts->global_requests;
            cost.sectors += counts->sectors;
            cost.sectors_ideal += counts->sectors_ideal;
        }
        if (site->operation == TRACE_BRANCH) {
            cost.branches += counts->requests;
            cost.divergent += counts->divergent;
        }
    }
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

/* Returns the cost of a line, "8 passes", "4 sectors" or both, or NULL if it accesses no memory. bad: the cost is
 * higher than the access width requires. */
const char *code_cost_text(struct view *view, const struct code_view *code, uint32_t line, bool *bad, bool brief)
{
    struct line_cost cost = cost_of(code, line);
    struct arena *arena = view->arena;
    const char *passes = NULL, *sectors = NULL;
    *bad = cost.passes > cost.passes_ideal || cost.sectors > cost.sectors_ideal;
    if (cost.shared_requests + cost.constant_requests) {
        struct ratio const ratio = ratio_of(arena, cost.passes, cost.shared_requests + cost.constant_requests);
        passes = ratio.one        ? _("1 pass")
                 : !ratio.average ? arena_format(arena, _("%s passes"), ratio.number)
                 : brief          ? arena_format(arena, _("avg. %s passes"), ratio.number)
                                  : arena_format(arena, _("%s passes on average"), ratio.number);
    }
    if (cost.global_requests) {
        struct ratio const ratio = ratio_of(arena, cost.sectors, cost.global_requests);
        sectors = ratio.one        ? _("1 sector")
                  : !ratio.average ? arena_format(arena, _("%s sectors"), ratio.number)
                  : brief          ? arena_format(arena, _("avg. %s sectors"), ratio.number)
                                   : arena_format(arena, _("%s sectors on average"), ratio.number);
    }
    if (brief && passes && sectors) /* the one that costs more than necessary, if only one does */
        return cost.passes == cost.passes_ideal && *bad ? sectors : passes;
    if (passes && sectors)
        return arena_format(view->arena, "%s · %s", passes, sectors);
    if (!passes && !sectors && cost.divergent)
        return _("diverges");
    return passes ? passes : sectors;
}

void code_cost_tip(struct view *view, struct rect box, const struct code_view *code, uint32_t line)
{
    struct line_cost cost = cost_of(code, line);
    if (cost.constant_requests && !cost.shared_requests)
        ui_tip(view->ui, box, _("line %u, whole run: loads of constants by a warp %s, passes %s (at least %s)"), line,
               view_count(view->arena, cost.constant_requests), view_count(view->arena, cost.passes),
               view_count(view->arena, cost.passes_ideal));
    else if (cost.shared_requests)
        ui_tip(view->ui, box, _("line %u, whole run: shared accesses of a warp %s, passes %s (at least %s)"), line,
               view_count(view->arena, cost.shared_requests), view_count(view->arena, cost.passes),
               view_count(view->arena, cost.passes_ideal));
    else if (cost.global_requests)
        ui_tip(view->ui, box, _("line %u, whole run: accesses of a warp %s, sectors %s (at least %s)"), line,
               view_count(view->arena, cost.global_requests), view_count(view->arena, cost.sectors),
               view_count(view->arena, cost.sectors_ideal));
    else if (cost.branches)
        ui_tip(view->ui, box, _("line %u, whole run: branches %s, divergent %s"), line,
               view_count(view->arena, cost.branches), view_count(view->arena, cost.divergent));
}
