/* check/ looks for mistakes of a kernel while it runs. A checker is a row of checkers.def and a file with its hooks; a
 * run uses those that its options ask for and that its launch needs. Bounds of buffers and alignment are no checker:
 * memory/ refuses such accesses itself. Two services are shared: fault.h keeps findings, order.h the happens-before
 * relation between threads of a block. */
#ifndef LANESCOPE_EMULATOR_CHECK_CHECK_H
#define LANESCOPE_EMULATOR_CHECK_CHECK_H
#include "emulator/core/emulation.h"

struct access;
struct decoder;
struct meeting;
struct region;

enum check {
#define CHECKER(name, option) CHECK_##name,
#include "emulator/check/checkers.def"
#undef CHECKER
    CHECKS
};

enum check_copy { CHECK_NO_COPY, CHECK_ASYNC, CHECK_BULK }; /* CHECK_ASYNC: cp.async by a thread */

/* An access of one lane to bytes of shared or global memory. */
struct check_access {
    const struct op *op;
    unsigned lane;
    unsigned bytes;
    uint64_t address;            /* in shared memory the offset, in global memory the generic address */
    const struct region *region; /* in global memory */
    bool reads, writes, atomic;
    bool strong; /* atomic, volatile, relaxed, acquire or release */
    enum check_copy copy;
    const struct meeting *meeting; /* of a bulk copy: the barrier object whose phase it completes, or NULL */
    const uint8_t *values;         /* that a plain write writes; else NULL */
};

enum check_start { CHECK_IDLE, CHECK_ACTIVE, CHECK_NO_MEMORY };

/* False after a fault. */
typedef bool (*check_hook)(struct warp *w, const struct check_access *access);

/* The hooks of a checker. All but start may be NULL, and then cost nothing. */
struct checker {
    /* Before anything is decoded. CHECK_IDLE: the launch has nothing to check. */
    enum check_start (*start)(struct emulation *emulation);
    void (*finish)(struct emulation *emulation); /* after the run, also when start failed or was not called */
    /* Makes the checker's state of a block in flight, which is block->checks[CHECK_name]; NULL: no memory. Later
     * blocks use it again. */
    void *(*block_new)(const struct emulation *emulation);
    void (*block_free)(void *state);
    void (*block_start)(const struct emulation *emulation, void *state);
    check_hook shared, global; /* an access of a lane, to shared memory and to global memory */
    /* The kernel's malloc gave bytes from an offset in the heap on, or (bytes 0) free took them back. */
    void (*heap)(struct emulation *emulation, uint64_t offset, uint64_t bytes);
    /* An instruction is to be decoded; may emit ops that run before it. */
    void (*instruction)(struct decoder *d);
    /* Returns the part of memory that the checker could not cover in this run. */
    struct unchecked (*unchecked)(const struct emulation *emulation);
    bool one_worker; /* the result depends on the order of all accesses: one worker runs all blocks */
};
#define CHECKER(name, option) extern const struct checker check_##name;
#include "emulator/check/checkers.def"
#undef CHECKER

/* The checkers of a run: emulation->checks. */
struct checks {
    bool active[CHECKS];
    bool one_worker;         /* some active checker wants it */
    unsigned shared, global; /* hooks of the active checkers */
    check_hook on_shared[CHECKS], on_global[CHECKS];
    void *state[CHECKS]; /* of each checker, from its start on */
};

bool checks_start(struct emulation *emulation); /* false: no memory */
void checks_finish(struct emulation *emulation);
bool checks_active(const struct emulation *emulation, enum check check);
struct unchecked checks_unchecked(const struct emulation *emulation);
/* State for one more block in flight, in *block; false: no memory. And when a block takes it into use. */
bool checks_block_new(const struct emulation *emulation, struct block *block);
void checks_block_free(struct block *block);
void checks_block_start(const struct emulation *emulation, struct block *block);

/* A load, store or atomic of the lanes of a mask; false after a fault. Only where warp->checked. */
bool checks_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses, bool atomic);
/* races_global.c: all checks of the accesses of some lanes in one region of global memory at once. False: lane by lane
 * instead; nothing was noted then, but what is written. */
bool races_check_lanes(struct warp *w, const struct op *op, const struct region *region, uint32_t mask,
                       const uint64_t *addresses, bool atomic);
/* For checkers: the bytes that a lane stores, form->total of them. */
void checks_values(const struct warp *w, const struct access *form, unsigned lane, uint8_t *values);
/* One lane's access that a copy makes; false after a fault. */
bool checks_shared(struct warp *w, const struct check_access *access);
bool checks_global(struct warp *w, struct check_access *access);
void checks_heap(struct emulation *emulation, uint64_t offset, uint64_t bytes);
void checks_instruction(struct decoder *d);

/* For checkers: keeps a race between an earlier access, by thread `other` of a block at a site, and the current one,
 * by thread `self`. */
void checks_hazard(struct warp *w, const struct op *op, enum finding_form form, enum ptx_space space, uint64_t address,
                   uint32_t site, uint64_t block, uint16_t other, uint16_t self, enum finding_order order);
/* For checkers: notes that byte `at` of a region is read before it is written. */
void checks_note_unwritten(struct warp *w, const struct check_access *access, uint64_t at);
#endif
