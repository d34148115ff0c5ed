/* Faults: the kernel did something that the hardware refuses or that no program intends. */
#ifndef LANESCOPE_EMULATOR_CHECK_FAULT_H
#define LANESCOPE_EMULATOR_CHECK_FAULT_H
#include "emulator/core/emulation.h"

/* Ends the block with a fault; returns NULL, so that a handler can return it. `what` says its form, arguments and
 * address; its place follows from the other parameters. */
const struct op *fault_at(struct warp *w, const struct op *op, unsigned lane, const struct finding *what);
/* Notes a finding without stopping the warp. One is kept for each instruction and kind. */
void fault_note(struct warp *w, const struct op *op, unsigned lane, const struct finding *what);
/* The access that a lane makes. The caller completes it with the memory that the access missed. */
struct finding_memory fault_access(const struct warp *w, const struct op *op, enum ptx_space space, unsigned bytes,
                                   bool writes);
/* Sets the index of the element at an address in the buffer that begins at memory->base, or that would lie there. */
void fault_element(const struct emulation *emulation, uint64_t address, struct finding_memory *memory);
/* Sets the site and the line of an instruction: where the compiler gave it none, the nearest line before it in its
 * function. */
void fault_place(const struct ptx_module *module, const struct ptx_instruction *instruction,
                 struct finding_place *place);
/* An access that memory refused: out of bounds, misaligned, read-only, or through a null pointer. */
const struct op *fault_memory(struct warp *w, const struct op *op, unsigned lane, enum ptx_space space,
                              uint64_t address, unsigned bytes, bool store);
/* The access lies in shared memory, but outside the array that its address was computed from. */
const struct op *fault_array(struct warp *w, const struct op *op, unsigned lane, uint64_t offset);
void fault_thread(const struct warp *w, unsigned lane, uint32_t thread[3]);
#endif
