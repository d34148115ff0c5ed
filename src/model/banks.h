/* Shared memory: 32 banks of 4 bytes. One pass (wavefront) serves each bank one word, to any number of lanes. Equals
 * ncu's l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st} on an H200; atomics in machine code: docs/model.md. */
#ifndef LANESCOPE_MODEL_BANKS_H
#define LANESCOPE_MODEL_BANKS_H
#include "trace/trace.h"

enum { BANKS = 32, BANK_BYTES = 4, PASSES_MAX = 64 };

struct bank_slot {
    uint32_t lanes; /* served in this pass by this bank: 0 idle, several: broadcast */
    uint64_t word;  /* address / 4 */
};

struct bank_passes {
    uint32_t passes;       /* wavefronts */
    uint32_t passes_ideal; /* the least this width needs when no two words collide: 1, 2, 4 for 4, 8, 16 bytes a lane,
                              fewer when few lanes are active */
    uint32_t conflicts;    /* as ncu counts them: passes - passes_ideal */
    uint32_t slots_used;   /* of passes * 32 */
    struct bank_slot slots[PASSES_MAX][BANKS];
};

void model_banks(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, enum trace_operation operation,
                 struct bank_passes *result);
/* Only the numbers of passes. */
uint32_t model_wavefronts(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, enum trace_operation operation,
                          uint32_t *ideal);
#endif
