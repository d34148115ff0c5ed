#include "cuda/record/plan.h"
#include "cuda/record/layout.h"

uint32_t record_row_shift(const uint32_t block[3])
{
    for (uint32_t shift = 1; shift < 5; shift++)
        if (block[0] == UINT32_C(1) << shift)
            return shift;
    return 5;
}

struct record_plan record_plan(uint64_t blocks, uint32_t warps, uint32_t chunk_bytes, uint64_t a_block, uint64_t limit)
{
    uint64_t const all = blocks > UINT64_MAX / warps ? UINT64_MAX : blocks * warps;
    struct record_plan plan = {.chunk_bytes = chunk_bytes ? chunk_bytes : all > 1 << 16 ? 512 : 2048};
    uint64_t const own = (uint64_t)RECORD_OWN_CHUNKS * warps * plan.chunk_bytes;
    /* When the need is unknown: as much again as the warps' own chunks, plus 64 KiB per warp, within an eighth of the
     * limit. */
    uint64_t const wanted = all < limit >> 16 ? all << 16 : limit, least = UINT64_C(1) << 26;
    uint64_t const most = limit / 8 > least ? limit / 8 : least;
    uint64_t const spare = wanted < least  ? least
                           : wanted > most ? most
                                           : wanted,
                   need = own + (a_block > own ? a_block : own);
    uint64_t const rest = limit > spare ? limit - spare : limit;
    plan.blocks = blocks < rest / need ? blocks : rest / need;
    if (!plan.blocks && own <= limit) {
        plan.blocks = 1;
        plan.all_memory = true;
        plan.more_chunks = (limit - own) / plan.chunk_bytes;
    } else if (plan.blocks) {
        plan.more_chunks = (plan.blocks * (need - own) + (limit - rest)) / plan.chunk_bytes;
    }
    plan.own_chunks = plan.blocks * warps * RECORD_OWN_CHUNKS;
    return plan;
}
