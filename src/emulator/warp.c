/* What lanes of a warp do together: shuffles, votes, matches, reductions. A lane mask names who takes part; those that
 * still live must be there, see barrier_gather. */
#include "emulator/decode.h"

/* The lanes an instruction names; false when some are still to come and the current ones wait. */
static bool members(struct warp *w, const struct op *op, uint32_t *lanes)
{
    *lanes = w->mask;
    if (!op->immediate)
        return true;
    unsigned first = lowest(w->mask);
    uint32_t wanted = (uint32_t)lane_get(w, (uint32_t)op->immediate, 4, first);
    EACH_LANE(l, w->mask & ~wanted)
    {
        uint32_t own = (uint32_t)lane_get(w, (uint32_t)op->immediate, 4, l);
        if (!(own >> l & 1)) {
            fault_at(w, op, l, "mismatched mask", own, "Lane %u runs an instruction whose mask 0x%08x does not name it",
                     l, own);
            return false;
        }
    }
    return w->mask != w->active || barrier_gather(w, op, wanted);
}

const struct op *warp_shuffle(struct warp *w, const struct op *op)
{
    uint32_t lanes, values[WARP_LANES], valid = 0;
    if (!members(w, op, &lanes))
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
        lane_set(w, op->d, 4, l, values[in ? source & 31 : l]);
        valid |= (uint32_t)in << l;
    }
    if (op->e) {
        uint32_t *p = predicate(w, op->e);
        *p = (*p & ~w->mask) | valid;
    }
    return op + 1;
}

const struct op *warp_vote(struct warp *w, const struct op *op)
{
    uint32_t lanes;
    if (!members(w, op, &lanes))
        return NULL;
    lanes = w->mask;
    uint32_t set = (*predicate(w, op->a) ^ op->flip) & lanes;
    if (op->combine == VOTE_BALLOT) {
        EACH_LANE(l, lanes) lane_set(w, op->d, 4, l, set);
        return op + 1;
    }
    bool result = op->combine == VOTE_ALL   ? set == lanes
                  : op->combine == VOTE_ANY ? set != 0
                                            : set == lanes || set == 0;
    uint32_t *p = predicate(w, op->d);
    *p = (*p & ~lanes) | (result ? lanes : 0);
    return op + 1;
}

const struct op *warp_match(struct warp *w, const struct op *op)
{
    uint32_t lanes, all_same = 1;
    uint64_t values[WARP_LANES];
    if (!members(w, op, &lanes))
        return NULL;
    lanes = w->mask;
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
    uint32_t lanes;
    if (!members(w, op, &lanes))
        return NULL;
    lanes = w->mask;
    uint32_t result = (uint32_t)lane_get(w, op->a, 4, lowest(lanes));
    EACH_LANE(l, lanes & (lanes - 1))
    result = reduced(op->combine, op->flip == PTX_S32, result, (uint32_t)lane_get(w, op->a, 4, l));
    EACH_LANE(l, lanes) lane_set(w, op->d, 4, l, result);
    return op + 1;
}

const struct op *warp_elect(struct warp *w, const struct op *op)
{
    uint32_t lanes;
    if (!members(w, op, &lanes))
        return NULL;
    lanes = w->mask;
    EACH_LANE(l, lanes) lane_set(w, op->d, 4, l, lowest(lanes));
    if (op->e) {
        uint32_t *p = predicate(w, op->e);
        *p = (*p & ~lanes) | (lanes & (0 - lanes));
    }
    return op + 1;
}

const struct op *warp_active(struct warp *w, const struct op *op)
{
    EACH_LANE(l, w->mask) lane_set(w, op->d, 4, l, w->active);
    return op + 1;
}

/* Clocks show the model's cycles where the block keeps them, and instructions run where it does not. */
const struct op *warp_clock(struct warp *w, const struct op *op)
{
    uint64_t now = w->block->recorded ? w->block->clock : w->instructions;
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
