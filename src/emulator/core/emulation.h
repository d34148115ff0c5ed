/* Worker and emulation: all state of a run. emulator_run owns both; a worker's memory lies apart from that of other
 * workers. */
#ifndef LANESCOPE_EMULATOR_CORE_EMULATION_H
#define LANESCOPE_EMULATOR_CORE_EMULATION_H
#include "emulator/core/block.h"
#include <pthread.h>

struct checks;       /* check/check.h */
struct saved;        /* check/proof.h */
struct executions;   /* run/executed.h */
struct region;       /* memory/memory.h */
struct shared_array; /* memory/memory.h */

/* A warp whose loop may never end, and its state some ops ago: see run/endless.h. */
struct endless {
    const struct warp *warp; /* NULL: none is watched */
    uint64_t from;           /* instructions of the block from which on a warp is watched */
    uint32_t steps, renew;   /* ops so far; after how many the state is taken anew */
    const struct op *pc;
    const struct frame *frame;
    uint32_t active, carry;
    uint8_t *rows;
    size_t capacity;
};

enum { CACHE_LINE = 128 }; /* two, which some processors fetch together */
struct emulation;
/* One thread of the host. It runs one block at a time to its end, or puts it aside; see run/resident.h. */
enum { HALVES_KEPT = 64 };
struct worker {
    struct emulation *emulation __attribute__((aligned(CACHE_LINE))); /* no two workers share a line */
    unsigned number;
    struct warp *warps;
    uint32_t warp_count;
    struct block block;
    struct recent *recent;   /* of address rows: access.cache */
    struct batch *batches;   /* of each memory instruction: access.batch */
    struct trace_sums *sums; /* of each site: of the events that are not passed on one by one */
    uint32_t halves_count;   /* accesses of the warp that runs, not yet passed on in their order */
    struct trace_halves halves[HALVES_KEPT];
    uint64_t *reads; /* of each memory instruction: a hash of the values that it read last; see memory_note_poll */
    uint64_t run;    /* straight runs of ops begun so far */
    struct executions *executions; /* of each op, by its number: see run/executed.h */
    uint64_t time;                 /* checked accesses so far: no two accesses have the same time */
    struct saved *saved;           /* memory as it was before the launch, while it is proved to have no races */
    uint8_t staged[WARP_LANES][16];
    struct frame **free_frames;     /* by function */
    struct frame *made;             /* all frames of calls, in use or free */
    uint64_t next_block, end_block; /* blocks that the worker has taken but not begun */
    uint64_t blocks_run;            /* that ended */
    handler const *compiled;        /* of the current block: emulation.tier.compiled, or NULL */
    uint64_t looked;                /* its warp instructions when it last asked for code */
    uint32_t progress_calls;        /* how often the run asked whether it is cancelled */
    struct trace_totals totals;
    struct finding *fault;
    struct arena arena;
    pthread_t thread;
    struct resident *aside, *aside_last; /* blocks put aside; the next one in turn is first */
    struct resident *spare;              /* empty rooms */
    uint32_t aside_count, turns, fresh;  /* turns left in this round; blocks to begin before the next */
    uint64_t in_flight;                  /* blocks begun and not ended */
    uint64_t progress, round_progress;   /* slices that made progress; when the round began */
    bool stuck;                          /* no block made progress in the last round, and no block is left to begin */
    uint32_t stuck_rounds;               /* consecutive ones */
    uint64_t waited;                     /* the cost of their idle slices */
    uint64_t lowest;                     /* the lowest block that was aside when the round began */
    struct endless endless;
};

/* Compiled runs of a launch: see tier/tier.h. */
struct tier {
    char *text; /* of the unit */
    size_t size;
    bool hopeless;             /* nobody needs to ask for code (again) */
    handler *_Atomic compiled; /* by the number of the op that a run begins with; NULL: none yet */
};

enum use { USE_READ = 1, USE_WRITE = 2, USE_BOTH = 3 };
enum proof_part { PROVE_SHARED = 1, PROVE_GLOBAL = 2, PROVE_ALL = 3 }; /* see check/proof.h */

/* One launch on the emulator, from its first block to its last. */
struct emulation {
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    const struct launch *launch;
    const struct emulator_options *options;
    struct trace *trace;
    struct arena *arena; /* the trace's */
    struct code *codes;  /* by function; ops NULL where the kernel does not reach it */
    const struct code *code;
    struct region *regions; /* by base */
    uint32_t region_count;
    atomic_uchar *uses; /* of each region: enum use, what threads may have done there */
    uint8_t *parameters;
    const uint64_t *variable_address; /* of module variables */
    uint32_t shared_bytes, static_shared;
    uint64_t dynamic_offset;     /* of dynamic shared memory */
    struct shared_array *arrays; /* that the kernel names; NULL: it names none */
    uint32_t array_count;
    uint32_t local_bytes; /* of a thread */
    uint32_t stack_bytes; /* of them, at the beginning, for alloca; 0 when the kernel does not use it */
    uint32_t batch_count, op_count;
    struct {
        unsigned char *items; /* of each entry of worker.recent: enum use, what its accesses do */
        size_t count, capacity;
    } caches;
    uint32_t threads, warps; /* in a block */
    const uint32_t *tid[3];  /* of each lane of each warp of a block */
    bool waits;              /* a warp may have to wait for another */
    bool meets;              /* it may wait at barrier objects, or at barriers of some threads */
    bool syncs;              /* lanes of a warp may wait for each other: bar.warp.sync */
    unsigned proving;        /* parts of memory that are to be proved to have no races: enum proof_part */
    atomic_uint refuted;     /* those of which that failed */
    struct checks *checks;   /* check/check.h */
    uint64_t blocks, first_block, end_block;
    uint64_t budget;
    unsigned workers;
    bool blocks_talk; /* a block may depend on another block: it polls, uses results of atomics, or uses the heap */
    uint64_t blocks_at_once;
    /* Written as blocks are taken, by every worker: on a line of cache that holds nothing else. */
    atomic_uint_fast64_t next_block __attribute__((aligned(CACHE_LINE)));
    atomic_uint_fast64_t stop_after __attribute__((aligned(CACHE_LINE))); /* no block above this one starts */
    struct executor_progress at; /* where the lowest block was when the run was cancelled */
    atomic_bool failed;          /* there was not enough memory */
    atomic_bool broken;          /* a fault other than a deadlock ended a block */
    atomic_uint_fast64_t ended;  /* blocks that ran to their end */
    atomic_uint_fast64_t work;   /* of the blocks that ended, as most_work counts it */
    uint64_t resident;           /* blocks in flight at most, of a worker */
    pthread_mutex_t lock;
    struct block_record **records; /* of the recorded blocks, in order */
    uint64_t record_count, merged;
    struct tier tier;
    struct finding *fault; /* that ended the run, or NULL */
    struct {
        struct finding *items;
        size_t count, capacity;
    } notes; /* faults that did not end it */
    struct {
        struct finding *items;
        size_t count, capacity;
    } hazards;
    struct {
        struct block_output {
            uint64_t block;
            char *text;
        } * items;
        size_t count, capacity;
    } outputs;
    uint64_t output_bytes;
    uint64_t heap_base, heap_bytes; /* of the kernel's malloc; none when it does not call it */
    uint64_t heap_used;             /* such a kernel has one worker */
};
#endif
