/* Counts different addresses. Nearly every access reads one address or neighbouring elements, so the lanes' step is
 * looked at first. */
#include "model/constant.h"

static uint32_t parts_of(uint32_t mask, uint32_t bytes)
{
    if (!mask)
        return 0;
    uint32_t const parts = bytes > CONSTANT_BYTES ? bytes / CONSTANT_BYTES : 1, most = CONSTANT_PASSES_MAX / WARP_LANES;
    return parts < most ? parts : most;
}

void model_constant(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, struct constant_passes *result)
{
    *result = (struct constant_passes){.passes_ideal = parts_of(mask, bytes)};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint32_t at = 0;
        while (at < result->addresses && result->list[at].address != addresses[lane])
            at++;
        result->addresses += at == result->addresses;
        result->list[at].address = addresses[lane];
        result->list[at].lanes |= UINT32_C(1) << lane;
    }
    for (uint32_t part = 1; part < result->passes_ideal; part++)
        for (uint32_t i = 0; i < result->addresses; i++)
            result->list[part * result->addresses + i] = (struct constant_pass){
                result->list[i].address + (uint64_t)part * CONSTANT_BYTES, result->list[i].lanes};
    result->passes = result->addresses * result->passes_ideal;
}

uint32_t model_constant_passes(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint32_t *ideal)
{
    struct constant_passes whole;
    int64_t stride;
    *ideal = parts_of(mask, bytes);
    if (!mask)
        return 0;
    if (trace_stride(addresses, mask, &stride))
        return *ideal * (stride ? (uint32_t)__builtin_popcount(mask) : 1);
    model_constant(addresses, mask, bytes, &whole);
    return whole.passes;
}
