/* Events of a run: to the listener, and into the trace for recorded blocks. */
#ifndef LANESCOPE_EMULATOR_RUN_BLOCK_RECORD_H
#define LANESCOPE_EMULATOR_RUN_BLOCK_RECORD_H
#include "emulator/memory/memory.h"

/* One access of the lanes of a mask. */
void record_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses);
/* A shuffle, if the run keeps values: the lane that each lane's value comes from. w->values holds the values. */
void record_shuffle(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *sources);
/* In recorded blocks: the places in shared memory that the lanes of a cp.async write; and the end of a group of copies,
 * or a wait for groups, which holds the warp for w->hold cycles. */
void record_target(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *targets);
void record_group(struct warp *w, enum trace_kind kind);
/* Returns whether the next instruction of a warp of a recorded block must wait for a value by the model clock, if it is
 * to begin at `now`. Then the warp is ready when the value is there, and the wait is an event. */
bool record_wait(struct warp *w, uint64_t now);
/* A part of the registers of a matrix product, if the run keeps values: the low 8 bytes of each lane. w->values holds
 * the others. */
void record_registers(struct warp *w, const struct op *op, uint32_t part, const uint64_t *low);
/* Passes on the accesses of all lanes that were kept, and begins to keep those with another shape, of which the next is
 * at `first`. members: NULL for an op alone. */
void record_shape(struct warp *w, const struct op *op, struct batch *batch, uint64_t shape, uint64_t first,
                  const struct batch_members *members);
/* Keeps an access of such a shape, the first lane's at `first`, for a listener that wants its place in the order;
 * record_order passes all of them on, before any other event of the warp and at the end of its slice. */
void record_halves(struct warp *w, const struct op *op, uint64_t shape, uint64_t first);
void record_order(struct warp *w);
/* Passes on all accesses that are still kept. */
void record_batches(struct worker *worker);
void record_event(struct warp *w, enum trace_kind kind, uint32_t site, uint32_t mask, uint32_t other);

/* The record of one block, owned by the block until record_finish hands it to the emulation. */
struct block_record;
struct block_record *record_start(const struct emulation *emulation); /* NULL: no memory */
void record_drop(struct block_record *record);
void record_merge(struct trace *trace, const struct block_record *record);
void record_finish(struct emulation *emulation, struct block *block);
#endif
