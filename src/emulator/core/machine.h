/* What the emulator's own files share. A kernel is decoded once into ops; a warp runs ops on rows, one row of 32 lanes
 * for each register; lanes that part become fragments, which meet again at joins. See decode.h for the ops. */
#ifndef LANESCOPE_EMULATOR_CORE_MACHINE_H
#define LANESCOPE_EMULATOR_CORE_MACHINE_H
#include "emulator/emulator.h"
#include <pthread.h>
#include <string.h>

struct op;
struct warp;
/* Does one instruction for the lanes of warp->mask and returns the next op; NULL when warp->pc was set instead, because
 * the flow of control changed, or the warp stopped. */
typedef const struct op *(*handler)(struct warp *w, const struct op *op);

/* Which of an op's handlers fits a mask: all lanes, some (computed for all and blended), or few (lane by lane). */
enum variant { FOR_ALL, FOR_SOME, FOR_FEW, VARIANTS };
enum { FEW_LANES = 4 };
#define ALL_LANES UINT32_MAX

enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

struct op {
    handler run[VARIANTS];
    uint32_t d, a, b, c, e; /* operands: byte offsets of rows in the frame; a predicate is 32 bits there */
    uint32_t flip;          /* xor for the predicate operand: all ones when it is negated */
    uint32_t run_count;     /* instructions from here to the end of the straight run */
    uint8_t count;          /* 1, or 0 for a pseudo op */
    uint8_t combine;        /* of a comparison: 0, or how the result meets predicate c: enum combine */
    uint32_t site;
    uint64_t immediate;
    const void *extra; /* what the handler knows it to be: struct access, struct op of a branch target, ... */
    const struct ptx_instruction *source;
};

enum { SPECIAL_LOCAL = PTX_SPECIAL_COUNT }; /* a row with frame->local_base + offset in it */
struct special_row {
    uint32_t special, component, offset; /* offset: of the row */
    bool wide;
    uint64_t addend;
    bool varies; /* with the block, the warp or the frame; the others are filled in once */
};

/* One function, decoded. */
struct code {
    const struct ptx_function *function;
    struct op *ops;
    uint32_t op_count;
    size_t frame_bytes;
    uint32_t constant_start; /* rows of constants are the tail of a frame */
    const uint8_t *constants;
    const struct special_row *specials;
    uint32_t special_count;
    uint32_t register_end; /* bytes to clear when registers may be read before they are written */
    bool clear;
    uint32_t local_bytes; /* of one thread: .local variables, call-scoped parameters, own parameters and results */
    const uint32_t *variable_offset, *parameter_offset, *result_offset;
    const uint32_t *rows; /* of each register */
    uint32_t signature;   /* index of the first function with these parameters and results, which lie alike in all */
};

struct frame {
    struct frame *parent;      /* of the caller; or the next free one */
    struct frame *made_before; /* of the worker's frames */
    const struct code *code;
    uint32_t local_base;
    uint32_t depth;
    uint8_t rows[] __attribute__((aligned(64)));
};

/* Addresses outside shared and local memory. */
struct region {
    uint64_t base, size;
    uint8_t *host;
    const char *name;
    bool read_only;
    bool shared_by_all; /* a buffer or a variable, not the heap's pieces */
    bool unwritten;     /* nobody filled it before the launch */
    bool owned;         /* host is the run's, freed with it */
    /* Where never-written reads are looked for, else NULL: a bit for each byte of a buffer, enum heap_state of each
     * byte of the heap. */
    uint64_t *written;
    uint8_t *state;
    struct word *words; /* where races are looked for: see global.c; else NULL */
    uint8_t *pages;     /* which of its pages are */
};

/* A branch. */
struct branch {
    const struct op *target, *meet;  /* meet: NULL when the paths meet only at the function's end */
    const struct op *const *targets; /* of a table */
    uint32_t target_count;
    bool counted; /* it is in the program, not made by decoding a predicated instruction */
};

/* A call: where arguments lie in the caller and the callee. */
struct call_value {
    bool in_register, callee_register;
    uint32_t from, to; /* row, or offset in the frame's local memory */
    uint8_t row_bytes;
    uint32_t bytes;
};
struct call {
    const struct code *callee; /* NULL: through a pointer, in row op->a */
    uint32_t signature;        /* of what it may point to */
    const struct call_value *arguments, *results;
    uint32_t argument_count, result_count;
};

/* An array in shared memory, by name; dynamic ones share all that is behind the others. */
enum { ARRAYS_MAX = 256 };
struct shared_array {
    const struct ptx_variable *variable;
    const char *name;
    uint64_t base, size;
};

/* A memory instruction. A lane moves so many bytes at most. Source: PTX ISA 9.0, vectors of ld and st. */
enum { ACCESS_BYTES = 32 };
struct access {
    enum ptx_space space;
    bool store, wide;        /* wide: the address is a 64-bit row */
    bool is_signed, silent;  /* silent: no event, such as a parameter */
    bool strong;             /* volatile, relaxed, acquire, release */
    bool staged;             /* what lanes store lies in worker.staged, not in rows of theirs */
    uint8_t bytes, elements; /* of one element; how many */
    uint8_t total;           /* bytes a lane */
    uint8_t row_bytes;       /* 2, 4, 8: size of the registers */
    uint8_t operation;       /* of an atomic: enum atomic_operation */
    enum ptx_type type;
    uint32_t rows[8];                 /* PTX_NO_INDEX: sink */
    uint32_t results[8];              /* of an atomic */
    uint64_t offset;                  /* of the source of a copy */
    const struct shared_array *array; /* that the address is made from; NULL: not known */
    uint32_t cache;                   /* index in worker.recent */
    uint32_t told;                    /* index of the first in worker.told */
};

/* What ops last found in an address row: loops walk on, but lanes keep their distances from the first one. Ops of one
 * straight run that use the same row, which nobody writes between them, share it; see lanes_memory.inc. */
struct recent {
    uint64_t distances[WARP_LANES] __attribute__((aligned(64)));
    uint32_t narrow[WARP_LANES]; /* the same in 32 bits */
    uint64_t run;                /* warp.run when the row was looked at last */
    uint64_t base;               /* of the first lane then */
    const struct region *region;
    uint64_t low, high, bits; /* of the distances: least, most, all or-ed */
    uint64_t shape;           /* enum shape, and the way from the first half warp to the second; 0: no such shape */
};
/* Each half of a warp's accesses is a run (each lane beside the one before) or all the same. The rest of the number: */
enum shape { SHAPE_KNOWN = 1, SHAPE_FIRST_RUN = 2, SHAPE_SECOND_RUN = 4, SHAPE_PLACE = 3, SHAPE_WAY = 8 };

/* Accesses that count alike and were not told yet, see trace_listener.accesses. */
enum { TOLD_SHAPES = 8 }; /* of an op, by where in 32 bytes they begin, which is what changes as a loop walks on */
struct told {
    const struct op *op; /* NULL: none */
    uint64_t shape, first, times;
};

struct join { /* where lanes that parted meet again */
    const struct op *at;
    struct frame *frame;
    struct frame *callee; /* of a call: the frame that returns here */
    uint32_t expected, arrived;
    int32_t parent; /* -1: none */
    uint32_t site;
    const struct op *call;
};

enum fragment_state { FRAGMENT_READY, FRAGMENT_BARRIER, FRAGMENT_WARP_BARRIER, FRAGMENT_MBARRIER };
struct fragment { /* lanes of a warp that run together */
    const struct op *pc;
    struct frame *frame;
    uint32_t mask;
    int32_t join;
    enum fragment_state state;
    uint32_t barrier, wanted; /* id; or the lanes that a warp-wide instruction waits for */
    bool gathered;
    const struct op *wait;
    uint64_t ready; /* model time */
};

enum warp_state { WARP_READY, WARP_WAITING, WARP_DONE, WARP_FAULT };

struct block;
struct worker;

struct warp {
    uint8_t *rows; /* of the current frame */
    uint32_t mask; /* lanes of this instruction */
    uint32_t active, active_count;
    const struct op *pc;
    struct frame *frame;
    int32_t join;
    enum variant variant;
    bool watched, checked; /* someone listens; something is checked */
    bool together;         /* alike accesses may be told together */
    uint32_t live;         /* lanes that have not ended */
    enum warp_state state;
    struct worker *worker;
    struct block *block;
    uint32_t number, carry; /* carry: the CC flag of each lane */
    uint64_t sync_time;     /* worker.time when lanes of the warp waited for each other last */
    struct fragment others[WARP_LANES];
    uint32_t other_count;
    struct join *joins;
    uint32_t join_count, join_capacity;
    int32_t free_join;
    struct frame *bottom;       /* the kernel's own */
    uint8_t *local;             /* local_bytes of machine for each lane */
    uint32_t stack[WARP_LANES]; /* what alloca took last, down from machine.stack_bytes */
    struct recent *recent;      /* the worker's */
    struct told *told;
    uint64_t run;   /* straight runs of the worker so far */
    uint64_t ready; /* model time of its next instruction */
    uint64_t hold;  /* model cycles that memory holds it; set by accesses */
    uint64_t instructions;
    int64_t slice;  /* instructions left before other fragments and warps have their turn */
    uint32_t polls; /* reads that look like waiting for another thread, since the last turn that was none */
    uint32_t idle;  /* slices after each other that were spent on polling; see schedule.c */
    uint32_t slice_polls;
    uint64_t slice_start; /* instructions when the slice began */
    bool timed;           /* it read a clock in this slice: time may be what it waits for */
    bool gathered;        /* all lanes that this warp-wide instruction names are there */
    bool parted;          /* lanes were let go from a join because others poll; see control_yield */
    struct trace_event event;
    uint64_t addresses[WARP_LANES] __attribute__((aligned(64)));
    uint64_t values[WARP_LANES];
};

enum { BARRIERS = 17 };                                                    /* 0 to 15, and one for the cluster */
enum barrier_kind { BARRIER_SYNC, BARRIER_POPC, BARRIER_AND, BARRIER_OR }; /* op->immediate of a barrier */
struct barrier {
    uint32_t arrived, expected; /* threads; expected 0: all that have not ended */
    uint32_t any, all, sum;     /* bar.red: of the threads that arrived */
};

struct shadow; /* what is known of each byte of shared memory: see checks.c */
struct order;  /* which threads know of each other: see order.c */
struct meeting;

enum block_mode { BLOCK_ONE_BY_ONE, BLOCK_FAST, BLOCK_RECORDED }; /* how its warps take turns */

struct block {
    uint64_t number;
    enum block_mode mode;
    uint32_t next_warp; /* of one by one */
    uint32_t patience;  /* idle slices of each warp before the block makes room for others */
    uint32_t index[3];
    uint8_t *shared;
    uint32_t live_threads, live_warps;
    struct barrier barriers[BARRIERS];
    uint32_t waiting;   /* fragments */
    uint32_t fruitless; /* times that all waited since the last mbarrier completed; see mbarrier.c */
    uint32_t copies[WARP_LANES], copied[WARP_LANES]; /* of each warp: groups of cp.async begun, and waited for */
    uint64_t bulk_there;               /* model time at which all copies that mbarriers wait for are there */
    uint64_t copies_there[WARP_LANES]; /* model time at which all that it has begun are there */
    uint64_t barrier_time;             /* worker.time when all its threads waited for each other last */
    uint64_t acquired;                 /* see global.c */
    bool recorded;
    uint64_t clock;
    struct shadow *shadow;
    struct order *order; /* NULL: its threads do not meet other than all together, or no one asks */
    struct record *record;
    uint64_t instructions;
    struct {
        char *items;
        size_t count, capacity;
    } output; /* of printf */
};

enum { CACHE_LINE = 128 }; /* two, which some processors fetch together */
struct machine;
struct worker {
    struct machine *machine __attribute__((aligned(CACHE_LINE))); /* no two workers share a line */
    unsigned number;
    struct warp *warps;
    uint32_t warp_count;
    struct block block;
    struct recent *recent; /* of address rows: access.cache */
    struct told *told;     /* of each memory instruction: access.told */
    uint64_t *reads;       /* of each: what it read last, as a hash; see memory_note_poll */
    uint64_t run;          /* straight runs of ops that were begun */
    uint64_t time;         /* checked accesses; never the same for two of them */
    uint8_t staged[WARP_LANES][16];
    struct frame **free_frames;     /* by function */
    struct frame *made;             /* all frames of calls, in use or free */
    uint64_t next_block, end_block; /* taken and not begun */
    uint64_t blocks_run;            /* to their end */
    uint32_t asked;                 /* schedule_cancelled was */
    struct trace_totals totals;
    struct trace_fault *fault;
    struct arena arena;
    pthread_t thread;
    struct resident *aside, *aside_last; /* blocks that made room for others, the next in turn first */
    struct resident *spare;              /* empty rooms */
    uint32_t aside_count, turns, fresh;  /* turns left in this round; blocks to begin before the next */
    uint64_t in_flight;                  /* blocks begun and not ended */
    uint64_t moves, round_moves;         /* slices that did something; when the round began */
    bool stuck;                          /* the last round moved nothing, and no block is left to begin */
    uint32_t stuck_rounds;               /* one after the other */
    uint64_t waited;                     /* what idle slices cost in them */
    uint64_t lowest;                     /* of the blocks aside when the round began */
};

struct machine {
    const struct ptx_program *program;
    const struct ptx_function *kernel;
    const struct launch *launch;
    const struct emulator_options *options;
    struct trace *trace;
    struct arena *arena; /* the trace's */
    struct code *codes;  /* by function; ops NULL where the kernel does not reach it */
    const struct code *code;
    struct region *regions; /* by base */
    uint32_t region_count;
    uint8_t *parameters;
    const uint64_t *variable_address; /* of module variables */
    uint32_t shared_bytes, static_shared;
    uint64_t dynamic_offset;     /* of dynamic shared memory */
    struct shared_array *arrays; /* that the kernel names; NULL: it names none */
    uint32_t array_count;
    uint32_t local_bytes; /* of a thread */
    uint32_t stack_bytes; /* of them, at the beginning: what alloca takes from; 0 where nothing uses it */
    uint32_t cache_count, told_count;
    uint32_t threads, warps;                /* in a block */
    const uint32_t *tid[3];                 /* of each lane of each warp of a block */
    bool waits;                             /* a warp may have to wait for another */
    bool meets;                             /* and by barrier objects, or barriers of some of the threads */
    bool shadowed;                          /* shared memory has a shadow, see checks.c */
    bool watch_global, watch_races;         /* global memory as well: see global.c */
    uint64_t watched_bytes, left_out_bytes; /* of global memory that was used: looked at for races, or too much */
    uint64_t blocks, first_block, end_block;
    uint64_t budget;
    unsigned workers;
    bool blocks_talk; /* a block may learn what another did: it polls, or uses what atomics give, or the heap */
    uint64_t blocks_at_once;
    /* Written as blocks are taken, by every worker: on a line of cache that holds nothing else. */
    atomic_uint_fast64_t next_block __attribute__((aligned(CACHE_LINE)));
    atomic_uint_fast64_t stop_after __attribute__((aligned(CACHE_LINE))); /* no block above this one starts */
    atomic_bool failed;                                                   /* no memory */
    atomic_bool broken; /* a fault ended a block, other than waiting in vain */
    uint64_t resident;  /* blocks in flight at most, of a worker */
    pthread_mutex_t lock;
    struct record **records; /* of the recorded blocks, in order */
    uint64_t record_count, merged;
    struct trace_fault *fault; /* that ended the run, or NULL */
    struct {
        struct trace_fault *items;
        size_t count, capacity;
    } notes; /* faults that did not */
    struct {
        struct emulator_hazard *items;
        size_t count, capacity;
    } hazards;
    struct {
        struct block_output {
            uint64_t block;
            char *text;
        } * items;
        size_t count, capacity;
    } outputs;
    uint64_t heap_base, heap_bytes; /* of the kernel's malloc; none when it does not call it */
    uint8_t *heap_state;            /* of each byte of the heap, where memory is checked */
    uint64_t heap_used;             /* a kernel that has one has one worker */
};

static inline enum variant variant_of(uint32_t mask)
{
    if (mask == ALL_LANES)
        return FOR_ALL;
    return __builtin_popcount(mask) <= FEW_LANES ? FOR_FEW : FOR_SOME;
}

static inline uint32_t *predicate(const struct warp *w, uint32_t offset)
{
    return (uint32_t *)(void *)(w->rows + offset);
}

static inline unsigned lowest(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

/* Runs the statement for each lane l of a mask. */
#define EACH_LANE(l, lanes)                                                                                            \
    for (uint32_t l##_left = (lanes), l; l##_left && (l = lowest(l##_left), 1); l##_left &= l##_left - 1)

/* A lane of a row as bits: row_bytes 8, or 4 for all narrower registers. */
static inline uint64_t lane_get(const struct warp *w, uint32_t row, unsigned row_bytes, unsigned lane)
{
    const uint8_t *at = w->rows + row;
    if (row_bytes == 8) {
        uint64_t v;
        memcpy(&v, at + 8 * lane, 8);
        return v;
    }
    uint32_t v;
    memcpy(&v, at + 4 * lane, 4);
    return v;
}

static inline void lane_set(struct warp *w, uint32_t row, unsigned row_bytes, unsigned lane, uint64_t value)
{
    uint8_t *at = w->rows + row;
    if (row_bytes == 8) {
        memcpy(at + 8 * lane, &value, 8);
    } else {
        uint32_t v = row_bytes == 2 ? (uint16_t)value : (uint32_t)value;
        memcpy(at + 4 * lane, &v, 4);
    }
}

static inline void set_active(struct warp *w, uint32_t mask)
{
    w->active = w->mask = mask;
    w->variant = variant_of(mask);
    w->active_count = (uint32_t)__builtin_popcount(mask);
}

/* control.c */
const struct op *control_branch(struct warp *w, const struct op *op);
const struct op *control_branch_uniform(struct warp *w, const struct op *op);
const struct op *control_branch_table(struct warp *w, const struct op *op);
const struct op *control_join(struct warp *w, const struct op *op);
const struct op *control_guard(struct warp *w, const struct op *op);
const struct op *control_exit(struct warp *w, const struct op *op);
const struct op *control_return(struct warp *w, const struct op *op);
const struct op *control_call(struct warp *w, const struct op *op);
const struct op *control_trap(struct warp *w, const struct op *op);
const struct op *control_call_nowhere(struct warp *w, const struct op *op);
void control_start(struct warp *w, uint32_t lanes);
bool control_next(struct warp *w); /* takes up a fragment that is ready; false: none */
void control_yield(struct warp *w);
void control_wait(struct warp *w); /* the current lanes are parked: takes up others, or the warp waits or is done */
uint32_t control_join_new(struct warp *w, struct join join);
void control_frame_init(struct warp *w, struct frame *frame);
/* Lanes at joins stop waiting for the others: they go on by themselves. */
void control_release_joins(struct warp *w);
/* Adds the current lanes to the fragments that do not run now. */
struct fragment *control_park(struct warp *w, const struct op *pc, enum fragment_state state);

/* barrier.c */
const struct op *barrier_wait(struct warp *w, const struct op *op);
const struct op *barrier_arrive(struct warp *w, const struct op *op);
const struct op *barrier_warp(struct warp *w, const struct op *op);
/* Are all lanes of wanted that still live here? When not, the current lanes wait and false is returned. */
bool barrier_gather(struct warp *w, const struct op *op, uint32_t wanted);
void barrier_check(struct block *block, struct worker *worker); /* after threads ended */
void barrier_warp_check(struct warp *w);
void barrier_deadlock(struct worker *worker);
/* Who waits in the block, in words, and the first that does (in warp *warp); NULL: nobody. */
const struct fragment *barrier_waiting(const struct worker *worker, char *where, size_t size, uint32_t *warp);

/* memory.c, atomic.c, layout.c */
/* Instructions a fragment runs before others have their turn; what of them a poll costs, and what a fence, a nap or a
 * read costs that may be one. */
enum { SLICE = 65536, POLL_COST = SLICE / 64, PAUSE_COST = POLL_COST / 16 };
const struct op *memory_pause(struct warp *w, const struct op *op);
/* After a read that may be one of a loop that waits: when it gave what it gave the last time, it is. x: the operands of
 * an atomic, or NULL. */
void memory_note_poll(struct warp *w, const struct access *access, uint32_t mask, const uint64_t *x);
const struct op *memory_poll(struct warp *w, const struct op *op);
const struct op *memory_load(struct warp *w, const struct op *op);
const struct op *memory_store(struct warp *w, const struct op *op);
const struct op *memory_atomic(struct warp *w, const struct op *op);
const struct op *memory_copy_async(struct warp *w, const struct op *op);
const struct op *memory_copy_commit(struct warp *w, const struct op *op);
const struct op *memory_copy_wait(struct warp *w, const struct op *op); /* op->immediate: groups that may be left */
const struct region *memory_region(const struct machine *machine, uint64_t address);
/* Host bytes of one lane's access, or NULL after a fault. address is in the access's space. */
uint8_t *memory_resolve(struct warp *w, const struct op *op, enum ptx_space space, uint64_t address, unsigned bytes,
                        unsigned lane, bool store);
/* The same to look at only: NULL without a fault. The address is generic. */
const uint8_t *memory_peek(const struct warp *w, uint64_t address, unsigned bytes, unsigned lane);
bool memory_lay_out(struct machine *machine, struct error *error);
void memory_forget(struct machine *machine);
bool provided_heap(const struct ptx_program *program); /* does the program call malloc? */

/* record.c */
void record_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses);
/* Tells what was kept there, to keep accesses of all lanes with another shape, the next of them from `first` on. */
void record_shape(struct warp *w, const struct op *op, struct told *told, uint64_t shape, uint64_t first);
void record_told(struct worker *worker); /* tells the listener what is still to be told */
void record_event(struct warp *w, enum trace_kind kind, uint32_t site, uint32_t mask, uint32_t other);
struct record *record_start(const struct machine *machine); /* NULL: no memory */
void record_drop(struct record *record);
void record_merge(struct trace *trace, const struct record *record);
void record_finish(struct machine *machine, struct block *block);

/* "1 byte", "2 bytes" */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* fault.c: the warp stops here. */
const struct op *fault_at(struct warp *w, const struct op *op, unsigned lane, const char *kind, uint64_t address,
                          const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Worth saying, but the warp goes on: one for each instruction and kind is kept. */
void fault_note(struct warp *w, const struct op *op, unsigned lane, const char *kind, uint64_t address,
                const char *format, ...) __attribute__((format(printf, 6, 7)));
const struct op *fault_memory(struct warp *w, const struct op *op, unsigned lane, enum ptx_space space,
                              uint64_t address, unsigned bytes, bool store);
void fault_thread(const struct warp *w, unsigned lane, uint32_t thread[3]);

/* The address lies in shared memory, but not in the array that it was made from. */
const struct op *fault_array(struct warp *w, const struct op *op, unsigned lane, uint64_t offset);

/* origin.c: the array at an offset in shared memory, or NULL */
const struct shared_array *origin_at(const struct machine *machine, uint64_t offset);

/* schedule.c */
uint32_t schedule_instruction(const struct machine *machine); /* model cycles from one of a warp to its next */
void schedule_start(struct worker *worker);
bool schedule_cancelled(struct worker *worker); /* is the run to end? Says now and then how far it is, too */
bool schedule_run(struct worker *worker);       /* until the block ends: true; or only polls */

/* resident.c: which blocks are in flight. */
enum resident_next { RESIDENT_NONE, RESIDENT_NEW, RESIDENT_RESUMED };
enum resident_next resident_next(struct worker *worker, uint64_t *number);
bool resident_room(struct worker *worker); /* memory for a block; false: there is none, as below */
bool resident_warps(struct worker *worker, uint32_t count);
bool resident_put_aside(struct worker *worker);
bool resident_resume(struct worker *worker); /* false: none is aside */
void resident_free(struct worker *worker);
uint64_t resident_most(const struct machine *machine);
bool resident_deadlock(const struct worker *worker); /* Will nothing move any more? Then the lowest block is told. */

/* checks.c: what is known of each byte of shared and global memory, to find races and reads of what nobody wrote. */
struct shadow *checks_new(uint32_t bytes);
void checks_free(struct shadow *shadow);
void checks_block(struct block *block, const struct machine *machine); /* a block starts */
bool checks_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses, bool atomic);
/* Notes lanes whose divisor, row op->b of op->immediate bytes, is 0. */
const struct op *checks_divisor(struct warp *w, const struct op *op);
/* Shared memory that a copy filled: lane's bytes from offset on. */
void checks_copy(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, const uint8_t *bytes);
/* 16 bytes of shared memory that a bulk copy reads, or writes; whoever meets there knows when it has ended. */
void checks_bulk(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, const uint8_t *bytes, bool writes,
                 const struct meeting *meeting);
/* Keeps a hazard between what thread other of a block did at a site and what thread self does now. */
void checks_hazard(struct warp *w, const struct op *op, enum ptx_space space, uint64_t address, uint32_t site,
                   uint64_t block, uint16_t other, uint16_t self, const char *message);

/* global.c: the same for global memory. */
enum global_use { GLOBAL_LOAD, GLOBAL_STORE, GLOBAL_ATOMIC, GLOBAL_BULK_LOAD };
enum heap_state { HEAP_NONE, HEAP_WRITTEN, HEAP_FRESH, HEAP_FREED };
bool global_watch(struct machine *machine); /* before the run; false: no memory */
void global_forget(struct machine *machine);
const char *global_unchecked(const struct machine *machine); /* what was not looked at, in a sentence; "" nothing */
/* value: the bytes written; NULL: those that lie there. False after a fault. */
bool global_access(struct warp *w, const struct op *op, unsigned lane, uint64_t address, unsigned bytes,
                   enum global_use use, const uint8_t *value);
#endif
