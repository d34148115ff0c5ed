/* tier/ runs what is executed often as machine code: emit.c writes the straight runs of ops as C, whoever runs the
 * emulator has it compiled (struct emulator_native), and tier.c takes it up at the next block. This header: what the
 * compiled code and the emulator know of each other. */
#ifndef LANESCOPE_EMULATOR_TIER_CALLS_H
#define LANESCOPE_EMULATOR_TIER_CALLS_H
#include "emulator/run/block_record.h"

/* The functions of the emulator that compiled code calls. */
#define TIER_CALLS(CALL)                                                                                               \
    CALL(memory_find)                                                                                                  \
    CALL(memory_check_whole)                                                                                           \
    CALL(memory_load)                                                                                                  \
    CALL(memory_store)                                                                                                 \
    CALL(record_shape)                                                                                                 \
    CALL(record_halves)                                                                                                \
    CALL(record_access)
struct tier_calls {
#define TIER_CALL(name) __typeof__(name) *name;
    TIER_CALLS(TIER_CALL)
#undef TIER_CALL
};

/* What a compiled unit exports, under the name EMULATOR_NATIVE_SYMBOL. A run of ops begins at one op of one function
 * and is called, with all lanes active, as a handler of this op that does the whole run. */
struct tier_run {
    uint32_t function, op;
    handler run;
};
struct tier_table {
    uint32_t count;
    const struct tier_run *runs;
    void (*bind)(const struct tier_calls *calls); /* before anything is called */
};
#endif
