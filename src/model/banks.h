/* Bank conflicts in shared memory: 32 banks of 4 bytes. One pass (wavefront) serves one word per bank, to any number of
 * lanes. The counts equal l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st} of Nsight Compute on an H200.
 * docs/model.md describes the exceptions for atomics in machine code. */
#ifndef LANESCOPE_MODEL_BANKS_H
#define LANESCOPE_MODEL_BANKS_H
#include "trace/trace.h"

enum { BANKS = 32, BANK_BYTES = 4, PASSES_MAX = 64 };

struct bank_slot {
    uint32_t lanes; /* lanes that this bank serves in this pass; 0: idle; several: broadcast */
    uint64_t word;  /* address / 4 */
};

struct bank_passes {
    uint32_t passes; /* wavefronts */
    /* passes without any conflict: 1, 2, 4 for 4, 8, 16 bytes a lane, fewer when few lanes are active */
    uint32_t passes_ideal;
    uint32_t conflicts;  /* passes - passes_ideal, which Nsight Compute calls bank conflicts */
    uint32_t slots_used; /* slots with lanes, of passes * 32 */
    struct bank_slot slots[PASSES_MAX][BANKS];
};

/* Returns the operation in whose way shared memory serves an access: lanes share the word of an addition of 1 that the
 * machine code counts (ATOMS.POPC.INC), as they do in a load. */
static inline enum trace_operation banks_operation(const struct trace_site *site)
{
    return site->counts ? TRACE_LOAD : site->operation;
}
/* Lays out the passes of one warp access. mask: active lanes; bytes: width of a lane's access, 1 2 4 8 or 16. */
void model_banks(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, enum trace_operation operation,
                 struct bank_passes *result);
/* Returns the number of passes only, and the ideal number in *ideal. */
uint32_t model_wavefronts(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, enum trace_operation operation,
                          uint32_t *ideal);
#endif
