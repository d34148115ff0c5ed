/* Chooses the checkers of a run and passes them its accesses. */
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/check/order.h"
#include "emulator/decode/decode.h"
#include "emulator/memory/memory.h"
#include <stdlib.h>

static const struct {
    const struct checker *checker;
    size_t option; /* in struct launch_checks */
} table[CHECKS] = {
#define CHECKER(name, option) [CHECK_##name] = {&check_##name, offsetof(struct launch_checks, option)},
#include "emulator/check/checkers.def"
#undef CHECKER
};

static bool is_wanted(const struct emulation *emulation, unsigned check)
{
    const char *options = (const char *)&emulation->options->checks;
    return *(const bool *)(options + table[check].option);
}

bool checks_start(struct emulation *emulation)
{
    struct checks *checks = emulation->checks = arena_new(emulation->arena, struct checks);
    for (unsigned i = 0; i < CHECKS; i++) {
        const struct checker *checker = table[i].checker;
        enum check_start const start = is_wanted(emulation, i) ? checker->start(emulation) : CHECK_IDLE;
        if (start == CHECK_NO_MEMORY)
            return false;
        checks->active[i] = start == CHECK_ACTIVE;
        checks->one_worker |= checks->active[i] && checker->one_worker;
        if (checks->active[i] && checker->shared)
            checks->on_shared[checks->shared++] = checker->shared;
        if (checks->active[i] && checker->global)
            checks->on_global[checks->global++] = checker->global;
    }
    return true;
}

void checks_finish(struct emulation *emulation)
{
    for (unsigned i = 0; emulation->checks && i < CHECKS; i++)
        if (table[i].checker->finish)
            table[i].checker->finish(emulation);
}

bool checks_active(const struct emulation *emulation, enum check check)
{
    return emulation->checks && emulation->checks->active[check];
}

/* Runs the statement for each active checker that has a hook. */
#define EACH_HOOK(emulation, i, hook)                                                                                  \
    for (unsigned i = 0; i < CHECKS; i++)                                                                              \
        if ((emulation)->checks->active[i] && table[i].checker->hook)

struct unchecked checks_unchecked(const struct emulation *emulation)
{
    EACH_HOOK(emulation, i, unchecked)
    {
        struct unchecked const left = table[i].checker->unchecked(emulation);
        if (left.reason != UNCHECKED_NOTHING)
            return left;
    }
    return (struct unchecked){.reason = UNCHECKED_NOTHING};
}

/* ---- blocks ---- */

bool checks_block_new(const struct emulation *emulation, struct block *block)
{
    bool const ordered = emulation->meets && emulation->options->checks.races;
    bool good = true;
    block->order = ordered ? order_new(emulation) : NULL;
    block->checks = calloc(CHECKS, sizeof *block->checks);
    if (!block->checks || (ordered && !block->order))
        return false;
    EACH_HOOK(emulation, i, block_new)
    {
        block->checks[i] = table[i].checker->block_new(emulation);
        good &= block->checks[i] != NULL;
    }
    return good;
}

void checks_block_free(struct block *block)
{
    order_free(block->order);
    for (unsigned i = 0; block->checks && i < CHECKS; i++)
        if (table[i].checker->block_free)
            table[i].checker->block_free(block->checks[i]);
    free(block->checks);
}

void checks_block_start(const struct emulation *emulation, struct block *block)
{
    if (block->order)
        order_start(block->order);
    EACH_HOOK(emulation, i, block_start) table[i].checker->block_start(emulation, block->checks[i]);
}

/* ---- accesses ---- */

bool checks_shared(struct warp *w, const struct check_access *access)
{
    const struct checks *checks = w->worker->emulation->checks;
    for (unsigned i = 0; i < checks->shared; i++)
        if (!checks->on_shared[i](w, access))
            return false;
    return true;
}

bool checks_global(struct warp *w, struct check_access *access)
{
    const struct emulation *emulation = w->worker->emulation;
    const struct access *form = access->op->extra;
    const struct region *region = w->worker->recent[form->cache].region; /* where the access was found */
    if (access->address - region->base >= region->size)
        region = memory_region(emulation, access->address);
    if (!region || region->read_only || access->address - region->base + access->bytes > region->size)
        return true;
    access->region = region;
    for (unsigned i = 0; i < emulation->checks->global; i++)
        if (!emulation->checks->on_global[i](w, access))
            return false;
    return true;
}

void checks_values(const struct warp *w, const struct access *form, unsigned lane, uint8_t *values)
{
    if (form->staged) {
        memcpy(values, w->worker->staged[lane], form->total);
        return;
    }
    for (unsigned k = 0; k < form->elements; k++) {
        uint64_t const value = lane_get(w, form->rows[k], form->row_bytes, lane);
        memcpy(values + k * form->bytes, &value, form->bytes);
    }
}

/* Checks one lane's access: as a whole, or of a load of which only parts are used, the elements that are. */
static bool check_one(struct warp *w, const struct access *access, bool global, struct check_access *now)
{
    if (!access->used)
        return global ? checks_global(w, now) : checks_shared(w, now);
    struct check_access element = *now;
    element.bytes = access->bytes;
    for (unsigned k = 0; k < access->elements; k++, element.address += access->bytes)
        if ((access->used >> k * access->bytes & ((1u << access->bytes) - 1)) != 0 &&
            !(global ? checks_global(w, &element) : checks_shared(w, &element)))
            return false;
    return true;
}

bool checks_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses, bool atomic)
{
    const struct checks *checks = w->worker->emulation->checks;
    const struct access *access = op->extra;
    bool const generic = access->space == PTX_SPACE_GENERIC, store = access->store && !atomic;
    uint8_t values[ACCESS_BYTES] = {0};
    struct check_access now = {.op = op,
                               .bytes = access->total,
                               .reads = !store,
                               .writes = access->store,
                               .atomic = atomic,
                               .strong = atomic || access->strong,
                               .values = store ? values : NULL};
    w->worker->time++;
    if (access->space != PTX_SPACE_GLOBAL && now.strong) /* generous: it may pass on everything that the block knows */
        w->acquired = w->block->acquired_by_any;
    EACH_LANE(l, mask)
    {
        bool const above = generic && (addresses[l] >= EMULATOR_WINDOWS_END || addresses[l] < EMULATOR_LOCAL_BASE);
        bool const global = access->space == PTX_SPACE_GLOBAL || above;
        bool const shared =
            access->space == PTX_SPACE_SHARED || (generic && !above && addresses[l] >= EMULATOR_SHARED_BASE);
        if (!(global && checks->global) && !(shared && checks->shared))
            continue;
        now.lane = l;
        now.address = addresses[l] - (shared && generic ? EMULATOR_SHARED_BASE : 0);
        if (store)
            checks_values(w, access, l, values);
        if (!check_one(w, access, global, &now))
            return false;
    }
    return true;
}

void checks_heap(struct emulation *emulation, uint64_t offset, uint64_t bytes)
{
    EACH_HOOK(emulation, i, heap) table[i].checker->heap(emulation, offset, bytes);
}

void checks_instruction(struct decoder *d)
{
    if (d->emulation->checks)
        EACH_HOOK(d->emulation, i, instruction) table[i].checker->instruction(d);
}

/* ---- findings ---- */

static void lock_hazards(struct emulation *emulation)
{
    if (emulation->workers > 1) /* a race that is there again and again would lock most of the time */
        pthread_mutex_lock(&emulation->lock);
}

static void unlock_hazards(struct emulation *emulation)
{
    if (emulation->workers > 1)
        pthread_mutex_unlock(&emulation->lock);
}

static struct finding *known_hazard(struct emulation *emulation, uint32_t first, uint32_t at, enum finding_order order,
                                    enum ptx_space space, enum finding_form form)
{
    for (size_t i = 0; i < emulation->hazards.count; i++) {
        struct finding *known = &emulation->hazards.items[i];
        if (known->race.first.site == first && known->at.site == at && known->race.order == order &&
            known->race.space == space && known->form == form)
            return known;
    }
    return NULL;
}

/* Keeps one race for each pair of instructions: the first one in the lowest block. */
void checks_hazard(struct warp *w, const struct op *op, enum finding_form form, enum ptx_space space, uint64_t address,
                   uint32_t site, uint64_t block, uint16_t other, uint16_t self, enum finding_order order)
{
    struct emulation *emulation = w->worker->emulation;
    lock_hazards(emulation);
    struct finding *known = known_hazard(emulation, site, op->site, order, space, form);
    bool const lower = !known || known->at.block > w->block->number;
    unlock_hazards(emulation);
    if (!lower)
        return;
    struct finding hazard = {.kind = FINDING_RACE,
                             .form = form,
                             .at = {.site = op->site, .block = w->block->number},
                             .lanes = 1u << self % WARP_LANES,
                             .address = address,
                             .time = w->worker->time,
                             .race = {.order = order, .space = space, .first = {.site = site, .block = block}}};
    launch_thread(emulation->launch, other, hazard.race.first.thread);
    launch_thread(emulation->launch, self, hazard.at.thread);
    lock_hazards(emulation);
    known = known_hazard(emulation, site, op->site, order, space, form);
    if (!known)
        array_push(&emulation->hazards, hazard);
    else if (known->at.block > hazard.at.block)
        *known = hazard;
    unlock_hazards(emulation);
}

void checks_note_unwritten(struct warp *w, const struct check_access *access, uint64_t at)
{
    const struct region *r = access->region;
    struct finding note = {.form = FINDING_UNWRITTEN_GLOBAL,
                           .address = access->address,
                           .memory = fault_access(w, access->op, PTX_SPACE_GLOBAL, access->bytes, false)};
    note.memory.name = r->name, note.memory.base = r->base, note.memory.size = r->size;
    note.memory.offset = (int64_t)at;
    fault_element(w->worker->emulation, r->base + at, &note.memory);
    fault_note(w, access->op, access->lane, &note);
}
