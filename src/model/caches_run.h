/* What the parts of the model of caches share: the steps of blocks, the multiprocessors, the requests to the L2. */
#ifndef LANESCOPE_MODEL_CACHES_RUN_H
#define LANESCOPE_MODEL_CACHES_RUN_H
#include "model/cache_sets.h"
#include "model/caches.h"
#include "model/coalescing.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MAX = 256 };

enum step_kind {
    STEP_LOAD,
    STEP_LOAD_FIRST, /* its line is the first to be thrown out */
    STEP_LOAD_PAST,  /* does not look into the L1 */
    STEP_COPY,       /* the same, but of a copy that no load instruction makes */
    STEP_STORE,
    STEP_ATOMIC,
    STEP_LOCAL_LOAD,
    STEP_LOCAL_STORE
};

/* A step in 64 bits: the number of the line (address / 128), whether it goes on with the access of the step before, the
 * site, the sectors, the kind. */
enum {
    KIND_BITS = 3,
    SITE_BITS = 15,
    SITE_MOST = (1 << SITE_BITS) - 1,
    GOES_ON_SHIFT = KIND_BITS + 4 + SITE_BITS,
    LINE_SHIFT = GOES_ON_SHIFT + 1
};
typedef uint64_t step;
static inline enum step_kind step_kind(step s)
{
    return (enum step_kind)(s & 7);
}
static inline uint8_t step_sectors(step s)
{
    return s >> KIND_BITS & 15;
}
static inline uint32_t step_site(step s)
{
    return s >> (KIND_BITS + 4) & SITE_MOST;
}
static inline uint64_t step_line(step s)
{
    return s >> LINE_SHIFT;
}
static inline bool step_goes_on(step s)
{
    return s >> GOES_ON_SHIFT & 1;
}
static const step BARRIER = ~(UINT64_C(1) << GOES_ON_SHIFT); /* the warp arrives at a barrier */
#define LOCAL_LINES (UINT64_C(1) << 40)                      /* lines of local memory: their numbers have this bit */

/* A load of what one of the last loads of the same warp has loaded is a hit for sure: it makes no step. */
enum { RECENT = 4 };

/* The steps of one block, warp after warp as they ran. */
struct stream {
    struct stream *next; /* of the ended ones of a multiprocessor, by block */
    uint64_t block;
    uint32_t warp, recent_at; /* warp: that runs, of the last stretch */
    uint64_t recent[RECENT];  /* its last loads: the line's number, then the sectors, 4 bits */
    struct {
        step *items;
        size_t count, capacity;
    } steps;
    struct {
        struct stretch {
            uint32_t warp, first; /* its steps begin there */
        } * items;
        size_t count, capacity;
    } stretches;
};

/* What leaves an L1. */
struct request {
    uint64_t line;
    uint32_t time; /* since the group began */
    uint8_t sectors;
    enum step_kind kind : 8;
};
struct outgoing {
    struct request *items;
    size_t count, capacity;
};
struct group {
    struct group *next; /* of its multiprocessor, or of those to use again */
    struct outgoing out;
};

/* Requests for the same sectors that are close in time become one, up to four of them: loads of all multiprocessors on
 * one side of the L2, and stores of one multiprocessor without a load between them. An L1 takes a line in a unit of
 * time. */
enum { MERGED_MOST = 4, LOAD_TIME = 8, STORE_TIME = 12, SOON_TIME = 400, L2_SIDES = 2 };
struct merge {
    uint64_t name; /* 1 + line */
    uint32_t time;
    uint8_t sectors, count;
};
enum { LOAD_MERGES = 1 << 12, STORE_MERGES = 1 << 6 };

static inline bool merges(struct merge *merge, uint64_t line, uint8_t sectors, uint32_t time, uint32_t most)
{
    if (merge->name == line + 1 && !(sectors & ~merge->sectors) && merge->count < MERGED_MOST &&
        time - merge->time <= most) {
        merge->count++;
        return true;
    }
    *merge = (struct merge){.name = line + 1, .time = time, .sectors = sectors, .count = 1};
    return false;
}

static inline size_t merge_place(uint64_t line, size_t places)
{
    return (line * UINT64_C(0x9e3779b97f4a7c15) >> 32) % places;
}

enum { STEP_KINDS = STEP_LOCAL_STORE + 1, TURNS_STEPS = 64 };
struct processor { /* a multiprocessor */
    pthread_mutex_t lock;
    struct l1 *l1;
    struct stream *ended;
    uint64_t done;       /* of its blocks, that are simulated */
    uint32_t time;       /* since the group began: lines that the L1 took */
    uint32_t loaded;     /* time of the last load */
    struct group *first; /* finished groups that the L2 has not seen */
    struct group **last;
    struct group *now;
    struct turns { /* the next steps, in their order */
        struct turn {
            step step;
            uint32_t set;
        } steps[TURNS_STEPS];
        uint32_t count;
    } turns;
    struct merge stores[STORE_MERGES];
    uint64_t misses[STEP_KINDS]; /* sectors that were not in the L1 */
    uint64_t *site_misses;       /* of loads and stores in global memory */
};

struct worker {
    struct {
        struct stream **items;
        size_t count, capacity;
    } open; /* blocks in flight, in their order */
    size_t at;
    uint64_t *sectors; /* of each site's accesses to global memory */
    uint64_t local_loads, local_stores;
    char apart[64]; /* two workers write no line of the processor's caches in turn */
};

struct caches_run {
    const struct trace_site *sites;
    enum step_kind *kinds; /* of each site */
    uint32_t site_count;
    struct caches_machine machine;
    struct trace_listener next;
    struct worker workers[WORKERS_MAX];
    struct processor *processors;
    atomic_bool failed;
    pthread_mutex_t l2_lock; /* guards the fields below */
    struct l2 l2;
    uint32_t time;
    struct merge loads[L2_SIDES][LOAD_MERGES];
    struct caches sums;
    uint64_t merged; /* sectors of loads that merged with others */
    pthread_mutex_t free_lock;
    struct stream *free; /* streams to use again */
    struct group *free_groups;
};

/* A group whose steps are more than this is simulated in parts of whole blocks; a block that makes more than this
 * many steps is not followed. */
enum { PART_STEPS = 1 << 17, BLOCK_STEPS = 1 << 23 };

static inline unsigned count_of(uint8_t sectors)
{
    static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return bits[sectors & 15];
}

/* caches_steps.c */
void caches_steps_return(struct caches_run *run, struct stream *stream);
void caches_steps_free(struct stream *stream); /* and those behind it */
struct stream *caches_steps_of(struct caches_run *run, unsigned worker, uint64_t block);
enum step_kind caches_steps_kind_of(const struct trace_site *site);
/* Hear the events of a launch: see trace_listener. */
void caches_steps_hear(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses);
void caches_steps_hear_arrival(void *context, unsigned worker, uint64_t block, uint32_t warp);
void caches_steps_hear_halves(void *context, unsigned worker, uint64_t block, uint32_t site,
                              const struct trace_halves *halves);

/* caches_l2.c */
/* Gives the L2 the groups that every multiprocessor has finished. */
void caches_serve_l2(struct caches_run *run);
struct group *caches_group_take(struct caches_run *run); /* NULL: no memory */
void caches_group_free(struct group *group);             /* and those behind it */

/* caches_l1.c */
/* Returns how many blocks a multiprocessor gets. */
uint64_t caches_blocks_of(const struct caches_run *run, size_t number);
/* Simulates the ended blocks of a multiprocessor that can be: those of a group once all have ended, or the first ones,
 * once their steps are many. Its lock is held. */
void caches_simulate(struct caches_run *run, size_t number);
#endif
