/* Expands one record of a matrix load or store, or of a bulk copy, into the events that the emulator makes of the
 * instruction, by the same geometry (ptx_matrix_piece, trace_pieces). */
#include "cuda/record/lanes.h"

static uint32_t unfold_matrix(const struct ptx_matrix *form, uint32_t step, uint64_t stride,
                              const uint64_t given[WARP_LANES], uint64_t addresses[WARP_LANES])
{
    uint32_t const mask = step < form->steps ? ptx_matrix_lanes(form) : 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] =
            mask >> lane & 1 ? ptx_matrix_address(form, ptx_matrix_piece(form, step, lane), given[lane], stride) : 0;
    return mask;
}

uint32_t record_unfold(const struct record_unfold *unfold, uint32_t number, uint32_t other,
                       const uint64_t given[WARP_LANES], uint64_t addresses[WARP_LANES])
{
    uint64_t const told = (uint64_t)number * TRACE_PIECES;
    if (unfold->in_bulk)
        return trace_pieces(given[0] + told, other > told ? other - told : 0, addresses);
    uint32_t const mask = unfold_matrix(&unfold->form, number, other, given, addresses);
    for (unsigned lane = 0; unfold->small && lane < WARP_LANES; lane++)
        addresses[lane] = (uint32_t)addresses[lane];
    return mask;
}
