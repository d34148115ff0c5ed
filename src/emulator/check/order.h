/* Which threads of a block know what others have done, where more than barriers of the whole block and __syncwarp order
 * them: see order.c. Times are the worker's: see machine.h. */
#ifndef LANESCOPE_EMULATOR_CHECK_ORDER_H
#define LANESCOPE_EMULATOR_CHECK_ORDER_H
#include "emulator/core/machine.h"

struct order *order_new(const struct machine *machine); /* NULL: no memory */
void order_free(struct order *order);
void order_start(struct order *order); /* a block starts: nobody knows anything */

/* What arrivals are gathered at: a barrier object of shared memory, or a barrier of the block by its number. */
struct meeting;
/* NULL beyond so many objects in a block: their phases then order the whole block. */
struct meeting *order_object(struct order *order, uint64_t offset);
struct meeting *order_barrier(struct order *order, uint32_t number);
void order_forget(struct order *order, struct meeting *meeting);
uint32_t order_number(const struct order *order, const struct meeting *meeting); /* of an object */

/* A thread arrives: whoever sees this phase complete will know what it knows, and all that it did until now. */
void order_arrive(struct warp *w, struct meeting *meeting, unsigned lane);
/* Copies that the warp's lanes began will have ended when the phase does: groups of cp.async below `groups`; or a bulk
 * copy made now. */
void order_copies(struct warp *w, struct meeting *meeting, uint32_t groups);
void order_bulk(struct warp *w, struct meeting *meeting);
void order_complete(struct order *order, struct meeting *meeting);
void order_observe(struct warp *w, struct meeting *meeting, uint32_t lanes); /* they see that it is complete */
/* Lanes of a warp waited for each other; or all threads of the block. */
void order_lanes(struct warp *w, uint32_t lanes);
void order_block(struct block *block);

/* What a thread knows: all that another one did until a time; the groups of cp.async of a warp that have ended are
 * those below a number; bulk copies to an object have ended that were made until a time, or to any object. */
uint64_t order_of_thread(const struct order *order, uint32_t self, uint32_t other);
uint64_t order_of_copies(const struct order *order, uint32_t self, uint32_t warp);
uint64_t order_of_bulk(const struct order *order, uint32_t self, uint32_t object);
uint64_t order_of_any_bulk(const struct order *order, uint32_t self);
#endif
