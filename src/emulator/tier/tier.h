/* Compiled runs of a launch. A worker takes them up where a block or a warp's turn begins: the state of an interpreted
 * warp is whole there. Blocks that are recorded run without. Code that does not come, or not in time, costs nothing but
 * speed: handlers do the same. */
#ifndef LANESCOPE_EMULATOR_TIER_TIER_H
#define LANESCOPE_EMULATOR_TIER_TIER_H
#include "emulator/core/emulation.h"

/* Before the first block. */
void tier_start(struct emulation *emulation);
/* A worker begins a block: sets worker->compiled, and asks for code once the launch proves long. */
void tier_block(struct worker *worker);
/* The same where a warp of a block begins its turn. */
void tier_turn(struct worker *worker);
void tier_end(struct emulation *emulation);

/* emit.c: returns the C text of the launch's runs, of *size bytes, which the caller frees; NULL: none is worth it. */
char *tier_emit(const struct emulation *emulation, size_t *size);
/* tier/unit.inc as one text, made when Lanescope is built; empty: there was no clang to make it. */
extern const char tier_unit[];
#endif
