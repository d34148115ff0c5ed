/* Loops that wait for other threads by reading memory again and again, for meet.c. */
#ifndef LANESCOPE_PTX_POLLS_H
#define LANESCOPE_PTX_POLLS_H
#include "ptx/module.h"

/* The instructions of one loop. leaves: whether the instruction may leave the loop. reads: by number of the function,
 * whether a call of it may read memory that other threads write; a call through a pointer always may. */
struct ptx_loop {
    const struct ptx_function *function;
    const uint32_t *instructions;
    const bool *leaves;
    uint32_t count;
    const bool *reads;
};
/* Returns true when the loop may need other threads to end: it decides by the result of an atomic, of a volatile load,
 * of a test of a barrier object or of a call that reads memory; or it reads memory, and nothing that it computes itself
 * decides when it ends. Other loops end by themselves, if they end. */
bool ptx_loop_polls(struct arena *scratch, const struct ptx_loop *loop);
/* Returns true for an instruction that reads memory that other threads may write. Calls are left out. */
bool ptx_reads_shared_state(const struct ptx_instruction *instruction);
#endif
