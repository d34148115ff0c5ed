/* The scoreboard of a warp in a recorded block: registers whose values are still on their way, by the model clock. An
 * instruction that names one of them, as a source or as a target, waits for it; other instructions go on. */
#ifndef LANESCOPE_EMULATOR_RUN_SCOREBOARD_H
#define LANESCOPE_EMULATOR_RUN_SCOREBOARD_H
#include "emulator/core/warp.h"

struct pending {
    const struct frame *frame; /* of the register */
    uint32_t number;           /* of the register in its function */
    uint32_t site;             /* of the access that brings the value */
    enum ptx_space space;      /* of that access's event */
    uint64_t there;            /* model time of its arrival */
};
struct scoreboard {
    struct pending *items;
    size_t count, capacity;
};

/* Notes that the registers that an access writes have their values at a time. */
void scoreboard_note(struct scoreboard *board, const struct ptx_instruction *instruction, struct pending value);
/* Returns the value that arrives last of those that an instruction waits for at a time; NULL: it need not wait. It
 * stays valid until the board changes. Forgets the values that have arrived. */
const struct pending *scoreboard_wait(struct scoreboard *board, const struct frame *frame,
                                      const struct ptx_instruction *instruction, uint64_t now);
#endif
