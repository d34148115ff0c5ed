/* Reads of bytes of a buffer that neither the launch nor a thread wrote before. */
#include "emulator/check/proof.h"
#include "emulator/memory/memory.h"
#include <stdlib.h>

enum { BITS = 64 };

/* Whether every byte of a region is written already, as after a copy from the host. Looks only as long as that takes no
 * longer than a few accesses of each thread. */
static bool is_written(const struct emulation *emulation, const struct region *r)
{
    const uint32_t *grid = emulation->launch->grid;
    uint64_t const threads = (uint64_t)grid[0] * grid[1] * grid[2] * emulation->threads, whole = r->size / BITS;
    bool all = r->size / BITS <= threads;
    for (uint64_t i = 0; i < whole && all; i++)
        all = r->written[i] == UINT64_MAX;
    return all && (r->size % BITS == 0 || !(~r->written[whole] & ((UINT64_C(1) << r->size % BITS) - 1)));
}

static enum check_start start(struct emulation *emulation)
{
    bool found = false;
    for (uint32_t i = 0; i < emulation->region_count; i++) {
        struct region *r = &emulation->regions[i];
        if (!r->unwritten)
            continue;
        if (r->written_kept && is_written(emulation, r)) {
            r->written = NULL;
            continue;
        }
        found = true;
        if (r->written_kept)
            continue;
        r->written = calloc(r->size / BITS + 1, sizeof *r->written);
        if (!r->written)
            return CHECK_NO_MEMORY;
    }
    return found ? CHECK_ACTIVE : CHECK_IDLE;
}

static void finish(struct emulation *emulation)
{
    for (uint32_t i = 0; i < emulation->region_count; i++)
        if (!emulation->regions[i].written_kept)
            free(emulation->regions[i].written);
}

/* Other workers may write other bits of the same word. */
static bool access_global(struct warp *w, const struct check_access *access)
{
    uint64_t *written = access->region->written;
    uint64_t const offset = access->address - access->region->base;
    bool noted = !access->reads;
    for (uint64_t at = offset; written && at < offset + access->bytes; at++) {
        uint64_t const bit = UINT64_C(1) << at % BITS;
        bool const known = __atomic_load_n(&written[at / BITS], __ATOMIC_RELAXED) & bit;
        if (!known && !noted) {
            checks_note_unwritten(w, access, at);
            noted = true;
        }
        if (!known && access->writes)
            __atomic_fetch_or(&written[at / BITS], bit, __ATOMIC_RELAXED);
    }
    return true;
}

bool unwritten_global_run(const struct region *region, uint64_t offset, uint32_t bytes, bool store)
{
    uint64_t *written = region->written;
    for (uint64_t at = offset, end = offset + bytes; written && at < end;) {
        uint64_t const left = BITS - at % BITS, some = left < end - at ? left : end - at;
        uint64_t const bits = (some == BITS ? UINT64_MAX : (UINT64_C(1) << some) - 1) << at % BITS;
        uint64_t const known = __atomic_load_n(&written[at / BITS], __ATOMIC_RELAXED);
        if (!store && (known & bits) != bits)
            return false;
        if (store && (known & bits) != bits)
            __atomic_fetch_or(&written[at / BITS], bits, __ATOMIC_RELAXED);
        at += some;
    }
    return true;
}

bool unwritten_global_lanes(const struct region *region, uint32_t bytes, uint32_t mask, const uint64_t *addresses,
                            bool store)
{
    EACH_LANE(l, region->written ? mask : 0)
    if (!unwritten_global_run(region, addresses[l] - region->base, bytes, store))
        return false;
    return true;
}

const struct checker check_unwritten_global = {.start = start, .finish = finish, .global = access_global};
