/* check/ looks for mistakes of a kernel while it runs: faults, reads of unwritten memory, races. */
#ifndef LANESCOPE_EMULATOR_CHECK_CHECK_H
#define LANESCOPE_EMULATOR_CHECK_CHECK_H
#include "emulator/core/machine.h"

struct meeting;

/* checks.c: what is known of each byte of shared and global memory, to find races and reads of what nobody wrote. */
struct shadow *checks_new(uint32_t bytes);
void checks_free(struct shadow *shadow);
void checks_block(struct block *block, const struct machine *machine); /* a block starts */
bool checks_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses, bool atomic);
/* Shared memory that a copy filled: lane's bytes from offset on. */
void checks_copy(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, const uint8_t *bytes);
/* 16 bytes of shared memory that a bulk copy reads, or writes; whoever meets there knows when it has ended. */
void checks_bulk(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, const uint8_t *bytes, bool writes,
                 const struct meeting *meeting);
/* Keeps a hazard between what thread other of a block did at a site and what thread self does now. */
void checks_hazard(struct warp *w, const struct op *op, enum ptx_space space, uint64_t address, uint32_t site,
                   uint64_t block, uint16_t other, uint16_t self, enum finding_order order);

/* global.c: the same for global memory. */
enum global_use { GLOBAL_LOAD, GLOBAL_STORE, GLOBAL_ATOMIC, GLOBAL_BULK_LOAD };
enum heap_state { HEAP_NONE, HEAP_WRITTEN, HEAP_FRESH, HEAP_FREED };
bool global_watch(struct machine *machine); /* before the run; false: no memory */
void global_forget(struct machine *machine);
/* The memory that the search for races left out. */
struct unchecked global_unchecked(const struct machine *machine);
/* value: the bytes written; NULL: those that lie there. False after a fault. */
bool global_access(struct warp *w, const struct op *op, unsigned lane, uint64_t address, unsigned bytes,
                   enum global_use use, const uint8_t *value);
#endif
