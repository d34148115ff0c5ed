/* Worker and machine: all state of a run. emulator_run owns both; a worker's memory lies apart from that of other
 * workers. */
#ifndef LANESCOPE_EMULATOR_CORE_MACHINE_H
#define LANESCOPE_EMULATOR_CORE_MACHINE_H
#include "emulator/core/block.h"
#include <pthread.h>

struct checks;       /* check/check.h */
struct region;       /* memory/memory.h */
struct shared_array; /* memory/memory.h */

enum { CACHE_LINE = 128 }; /* two, which some processors fetch together */
struct machine;
/* One thread of the host. It runs one block at a time to its end, or puts it aside; see run/resident.h. */
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
    struct finding *fault;
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

/* One launch on the emulator. */
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
    uint32_t threads, warps; /* in a block */
    const uint32_t *tid[3];  /* of each lane of each warp of a block */
    bool waits;              /* a warp may have to wait for another */
    bool meets;              /* and by barrier objects, or barriers of some of the threads */
    struct checks *checks;   /* check/check.h */
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
    struct finding *fault; /* that ended the run, or NULL */
    struct {
        struct finding *items;
        size_t count, capacity;
    } notes; /* faults that did not */
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
    uint64_t heap_base, heap_bytes; /* of the kernel's malloc; none when it does not call it */
    uint64_t heap_used;             /* a kernel that has one has one worker */
};
#endif
