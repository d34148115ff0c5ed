/* The happens-before relation between threads of a block, where more than barriers of the whole block and __syncwarp
 * order them; see order.c. Times are worker.time; see core/emulation.h. */
#ifndef LANESCOPE_EMULATOR_CHECK_ORDER_H
#define LANESCOPE_EMULATOR_CHECK_ORDER_H
#include "emulator/core/emulation.h"

struct order *order_new(const struct emulation *emulation); /* NULL: no memory */
void order_free(struct order *order);
void order_start(struct order *order); /* a block starts: all views are empty */

/* A place where threads arrive: a barrier object in shared memory, or a barrier of the block by its number. */
struct meeting;
/* Returns NULL when the block has too many objects: a phase of a further one orders the whole block. */
struct meeting *order_object(struct order *order, uint64_t offset);
struct meeting *order_barrier(struct order *order, uint32_t number);
void order_forget(struct order *order, struct meeting *meeting);
uint32_t order_number(const struct order *order, const struct meeting *meeting); /* of an object */

/* A thread arrives: all its accesses so far, and all that its view holds, happen before the end of this phase. */
void order_arrive(struct warp *w, struct meeting *meeting, unsigned lane);
/* Copies will have ended when the phase completes: the warp's groups of cp.async below `groups`; or a bulk copy that
 * is made now. */
void order_copies(struct warp *w, struct meeting *meeting, uint32_t groups);
void order_bulk(struct warp *w, struct meeting *meeting);
void order_complete(struct order *order, struct meeting *meeting);
void order_observe(struct warp *w, struct meeting *meeting, uint32_t lanes); /* these lanes see the phase complete */
/* Lanes of a warp waited for each other; or all threads of the block. */
void order_lanes(struct warp *w, uint32_t lanes);
void order_block(struct block *block);

/* The following return the accesses that happen before the next access of thread `self`: those of another thread up
 * to a time; the groups of cp.async of a warp below a number; the bulk copies to an object, or to any object, up to
 * a time. */
uint64_t order_of_thread(const struct order *order, uint32_t self, uint32_t other);
uint64_t order_of_copies(const struct order *order, uint32_t self, uint32_t warp);
uint64_t order_of_bulk(const struct order *order, uint32_t self, uint32_t object);
uint64_t order_of_any_bulk(const struct order *order, uint32_t self);
#endif
