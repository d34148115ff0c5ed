/* Faults: the kernel did something that the hardware refuses or that no program intends. */
#ifndef LANESCOPE_EMULATOR_CHECK_FAULT_H
#define LANESCOPE_EMULATOR_CHECK_FAULT_H
#include "emulator/core/machine.h"

/* Ends the block with a fault; returns NULL, so that a handler can return it. */
const struct op *fault_at(struct warp *w, const struct op *op, unsigned lane, const char *kind, uint64_t address,
                          const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Notes a fault without stopping the warp. One is kept for each instruction and kind. */
void fault_note(struct warp *w, const struct op *op, unsigned lane, const char *kind, uint64_t address,
                const char *format, ...) __attribute__((format(printf, 6, 7)));
/* An access that memory refused: out of bounds, misaligned, read-only, or through a null pointer. */
const struct op *fault_memory(struct warp *w, const struct op *op, unsigned lane, enum ptx_space space,
                              uint64_t address, unsigned bytes, bool store);
/* The access lies in shared memory, but outside the array that its address was computed from. */
const struct op *fault_array(struct warp *w, const struct op *op, unsigned lane, uint64_t offset);
void fault_thread(const struct warp *w, unsigned lane, uint32_t thread[3]);
#endif
