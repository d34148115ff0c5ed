/* Warp-wide instructions: shuffles, votes, matches, reductions. A lane mask names the participants; those that still
 * live must arrive, see barrier_gather. Lanes that run together may name different masks, as the tiles of a warp do:
 * the lanes of each mask form a group. */
#include "emulator/check/fault.h"
#include "emulator/core/barrier.h"
#include "emulator/core/control.h"
#include "emulator/core/emulation.h"
#include "emulator/run/block_record.h"

static uint32_t mask_of(const struct warp *w, const struct op *op, unsigned lane)
{
    return (uint32_t)lane_get(w, (uint32_t)op->immediate, 4, lane);
}

/* Returns whether all lanes name the same mask, which is the common case. */
static bool agreed(const struct warp *w, const struct op *op, uint32_t wanted)
{
    uint32_t row[WARP_LANES], other = 0;
    memcpy(row, w->rows + op->immediate, sizeof row);
    for (unsigned l = 0; l < WARP_LANES; l++)
        other |= row[l] ^ wanted;
    return other == 0;
}

/* Returns the group of the lowest of these lanes: those that name the same mask. */
static uint32_t group_of(const struct warp *w, const struct op *op, uint32_t lanes)
{
    if (!op->immediate)
        return lanes;
    uint32_t wanted = mask_of(w, op, lowest(lanes)), group = 0;
    if (agreed(w, op, wanted))
        return lanes;
    EACH_LANE(l, lanes) group |= (uint32_t)(mask_of(w, op, l) == wanted) << l;
    return group;
}
#define EACH_GROUP(w, op, group)                                                                                       \
    for (uint32_t group##_left = (w)->mask, group; group##_left && (group = group_of((w), (op), group##_left), 1);     \
         group##_left &= ~group)

/* Returns false after a fault, or when named lanes have not arrived yet and the current ones wait. An incomplete
 * group separates from the others. */
static bool gather(struct warp *w, const struct op *op)
{
    uint32_t missing = 0;
    if (!op->immediate)
        return true;
    uint32_t wanted = mask_of(w, op, lowest(w->mask));
    if ((w->mask & ~wanted) == 0 && agreed(w, op, wanted))
        return w->mask != w->active || barrier_gather(w, op, wanted);
    EACH_LANE(l, w->mask)
    {
        uint32_t own = mask_of(w, op, l);
        missing |= own & w->live & ~w->active;
        if (!(own >> l & 1)) {
            fault_at(w, op, l,
                     &(struct finding){
                         .form = FINDING_MASK_RUNS_WITHOUT_SELF, .address = own, .mask = {.lane = l, .mask = own}});
            return false;
        }
    }
    if (w->mask != w->active || !missing || w->gathered)
        return barrier_gather(w, op, 0);
    uint32_t group = group_of(w, op, w->active), others = w->active & ~group;
    if (others) {
        set_active(w, others);
        control_park(w, op, FRAGMENT_READY);
        set_active(w, group);
    }
    return barrier_gather(w, op, mask_of(w, op, lowest(group)));
}

const struct op *warp_shuffle(struct warp *w, const struct op *op)
{
    uint32_t values[WARP_LANES], valid = 0;
    uint64_t sources[WARP_LANES] = {0};
    bool const keeps = op->site != PTX_NO_INDEX && w->worker->emulation->options->checks.values;
    if (!gather(w, op))
        return NULL;
    memcpy(values, w->rows + op->a, sizeof values);
    EACH_LANE(l, w->mask)
    {
        uint32_t b = (uint32_t)lane_get(w, op->b, 4, l) & 31, c = (uint32_t)lane_get(w, op->c, 4, l);
        uint32_t clamp = c & 31, segment = c >> 8 & 31, source;
        uint32_t max_lane = (l & segment) | (clamp & ~segment), min_lane = l & segment;
        bool in;
        switch ((enum shuffle_mode)op->combine) {
        case SHUFFLE_UP:
            in = (int32_t)(l - b) >= (int32_t)max_lane;
            source = l - b;
            break;
        case SHUFFLE_DOWN:
            source = l + b;
            in = source <= max_lane;
            break;
        case SHUFFLE_BFLY:
            source = l ^ b;
            in = source <= max_lane;
            break;
        default:
            source = min_lane | (b & ~segment);
            in = source <= max_lane;
        }
        sources[l] = in ? source & 31 : l;
        lane_set(w, op->d, 4, l, values[sources[l]]);
        if (keeps)
            w->values[l] = (uint64_t)values[l] << 32 | values[sources[l]];
        valid |= (uint32_t)in << l;
    }
    if (op->e) {
        uint32_t *p = predicate(w, op->e);
        *p = (*p & ~w->mask) | valid;
    }
    if (keeps)
        record_shuffle(w, op, w->mask, sources);
    return op + 1;
}

const struct op *warp_vote(struct warp *w, const struct op *op)
{
    if (!gather(w, op))
        return NULL;
    uint32_t all = *predicate(w, op->a) ^ op->flip, *p = predicate(w, op->d);
    EACH_GROUP(w, op, lanes)
    {
        uint32_t set = all & lanes;
        if (op->combine == VOTE_BALLOT) {
            EACH_LANE(l, lanes) lane_set(w, op->d, 4, l, set);
            continue;
        }
        bool result = op->combine == VOTE_ALL   ? set == lanes
                      : op->combine == VOTE_ANY ? set != 0
                                                : set == lanes || set == 0;
        *p = (*p & ~lanes) | (result ? lanes : 0);
    }
    return op + 1;
}

static void match(struct warp *w, const struct op *op, uint32_t lanes)
{
    uint32_t all_same = 1;
    uint64_t values[WARP_LANES];
    EACH_LANE(l, lanes) values[l] = lane_get(w, op->a, op->b, l);
    EACH_LANE(l, lanes)
    {
        uint32_t same = 0;
        EACH_LANE(k, lanes) same |= (uint32_t)(values[k] == values[l]) << k;
        all_same &= same == lanes;
        if (!op->combine)
            lane_set(w, op->d, 4, l, same);
    }
    if (op->combine)
        EACH_LANE(l, lanes) lane_set(w, op->d, 4, l, all_same ? lanes : 0);
    if (op->e) {
        uint32_t *p = predicate(w, op->e);
        *p = (*p & ~lanes) | (all_same ? lanes : 0);
    }
}

const struct op *warp_match(struct warp *w, const struct op *op)
{
    if (!gather(w, op))
        return NULL;
    EACH_GROUP(w, op, lanes) match(w, op, lanes);
    return op + 1;
}

static uint32_t reduced(unsigned operation, bool is_signed, uint32_t x, uint32_t y)
{
    bool less = is_signed ? (int32_t)x < (int32_t)y : x < y;
    switch (operation) {
    case 0:
        return x + y;
    case 1:
        return less ? x : y;
    case 2:
        return less ? y : x;
    case 3:
        return x & y;
    case 4:
        return x | y;
    default:
        return x ^ y;
    }
}

const struct op *warp_reduce(struct warp *w, const struct op *op)
{
    if (!gather(w, op))
        return NULL;
    EACH_GROUP(w, op, lanes)
    {
        uint32_t result = (uint32_t)lane_get(w, op->a, 4, lowest(lanes));
        EACH_LANE(l, lanes & (lanes - 1))
        result = reduced(op->combine, op->flip == PTX_S32, result, (uint32_t)lane_get(w, op->a, 4, l));
        EACH_LANE(l, lanes) lane_set(w, op->d, 4, l, result);
    }
    return op + 1;
}

const struct op *warp_elect(struct warp *w, const struct op *op)
{
    if (!gather(w, op))
        return NULL;
    EACH_GROUP(w, op, lanes)
    {
        EACH_LANE(l, lanes) lane_set(w, op->d, 4, l, lowest(lanes));
        if (op->e) {
            uint32_t *p = predicate(w, op->e);
            *p = (*p & ~lanes) | (lanes & (0 - lanes));
        }
    }
    return op + 1;
}

const struct op *warp_active(struct warp *w, const struct op *op)
{
    EACH_LANE(l, w->mask) lane_set(w, op->d, 4, l, w->active);
    return op + 1;
}

/* A clock shows model cycles in a recorded block, and executed instructions elsewhere. */
const struct op *warp_clock(struct warp *w, const struct op *op)
{
    uint64_t now = w->block->recorded ? w->block->clock
                                      : w->instructions - op->run_count; /* a straight run is counted at its begin */
    w->polls++;
    w->timed = true;
    if (op->immediate == PTX_SR_clock_hi || op->immediate == PTX_SR_globaltimer_hi)
        now >>= 32;
    EACH_LANE(l, w->mask) lane_set(w, op->d, op->combine, l, now);
    return op + 1;
}

const struct op *warp_nothing(struct warp *w, const struct op *op)
{
    (void)w;
    return op + 1;
}
