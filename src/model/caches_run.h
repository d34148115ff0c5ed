/* What the parts of the model of caches share: the steps of blocks, the multiprocessors, the requests to the L2. */
#ifndef LANESCOPE_MODEL_CACHES_RUN_H
#define LANESCOPE_MODEL_CACHES_RUN_H
#include "model/cache_pairs.h"
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

/* A step in 64 bits: the number of the line (address / 128), the site, the sectors, the kind. */
enum { KIND_BITS = 3, SITE_BITS = 15, SITE_MOST = (1 << SITE_BITS) - 1, LINE_SHIFT = KIND_BITS + 4 + SITE_BITS };
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
#define LOCAL_LINES (UINT64_C(1) << 40) /* lines of local memory: their numbers have this bit */
/* Local memory lies so that the lanes' words of one place are one line. */
enum { LOCAL_WORD = 4, LOCAL_ROOM_BITS = 18 /* of a warp */ };
static inline uint32_t local_words(uint32_t bytes)
{
    return bytes > LOCAL_WORD ? bytes / LOCAL_WORD : 1;
}
/* Returns the lanes, of some, whose word in local memory is at a place: they are one line. sectors: of that line. */
static inline uint32_t local_lanes(const uint64_t *addresses, uint32_t of, uint64_t place, uint8_t *sectors)
{
    uint32_t lanes = 0;
    *sectors = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        if (of >> l & 1 && addresses[l] / LOCAL_WORD == place) {
            lanes |= 1u << l;
            *sectors |= (uint8_t)(1u << l / 8);
        }
    return lanes;
}
/* Returns the number of the line with a word of local memory, numbered from the beginning of the lanes' room. */
static inline uint64_t local_line(uint64_t block, uint32_t warp, uint64_t at)
{
    uint64_t const line = (block * WARP_LANES + warp) << LOCAL_ROOM_BITS | (at & ((1 << LOCAL_ROOM_BITS) - 1));
    return LOCAL_LINES | (line & (LOCAL_LINES - 1));
}

/* As all steps of a group are kept, a step mostly takes a word of 32 bits: a place, the sectors, whether it goes on
 * with the access of the step before, the line as a distance from the base of the place. Each of the first sites has a
 * place, whose base is for each block a little below the line that it accesses first. Where that is not possible, two
 * more words follow, with the whole step. */
typedef uint32_t word;
enum {
    PLACE_BITS = 6,
    PLACES = (1 << PLACE_BITS) - 2, /* of sites */
    PLACE_BARRIER = PLACES,         /* the warp arrives at a barrier */
    PLACE_WHOLE,
    GOES_ON = 1 << (PLACE_BITS + 4),
    DISTANCE_SHIFT = PLACE_BITS + 4 + 1,
    DISTANCES = 1 << (32 - DISTANCE_SHIFT),
    STEP_WORDS = 3
};
#define NO_BASE (UINT64_C(1) << 60) /* too far from all lines */

/* A load of what one of the last loads of the same warp has loaded is a hit for sure: it makes no step. */
enum { RECENT = 4, TAG_BITS = 64 / RECENT };
struct recent_loads {
    uint64_t tags;          /* the low bits of their lines' numbers, those of the last load lowest */
    uint64_t loads[RECENT]; /* the line's number, then the sectors, 4 bits; load n is at n % RECENT */
    uint64_t count;
};

/* The last load of halves that each load in one sector. Another of the same sectors, as long as they are among the last
 * loads, is a hit for sure, too. */
struct single_load {
    uint64_t sectors[2]; /* address / 32 */
    uint64_t until;      /* as long as recent_loads.count is less, and worker.forgotten is the same: */
    uint32_t forgotten;
    uint32_t count; /* of the sectors */
};

/* The steps of an access of halves, as long as the next of its site begins at the same place of a line and is of the
 * same form. */
enum { FORM_STEPS = 2 };
struct form {
    uint64_t way, bytes;           /* from the first half to the second; trace_halves.bytes */
    uint64_t distance[FORM_STEPS]; /* from the line that it begins in */
    uint8_t place;                 /* address % CHUNK_BYTES */
    uint8_t count;                 /* of its steps; 0: there is no form */
    uint8_t steps[FORM_STEPS];     /* sectors of each */
    uint8_t sectors;               /* of all */
};

/* Steps lie in slabs, one behind the other as a worker hears them, whatever their block. A slab is used again when the
 * blocks with steps in it have been simulated. */
enum { SLAB_BYTES = 1 << 16, SLAB_WORDS = (SLAB_BYTES - 2 * sizeof(void *)) / sizeof(word) };
struct slab {
    struct slab *next; /* of those to use again */
    atomic_uint users; /* the worker that fills it, and blocks */
    word words[SLAB_WORDS];
};
_Static_assert(sizeof(struct slab) <= SLAB_BYTES, "the address of a step tells its slab");

/* The steps of one block, warp after warp as they ran. */
struct stream {
    struct stream *next; /* of the ended ones of a multiprocessor, by block */
    uint64_t block;
    struct slab *slab; /* that its last stretch is in */
    size_t step_count; /* of the stretches that are over */
    uint32_t warp;     /* that runs, of the last stretch */
    uint64_t bases[PLACES];
    struct recent_loads recent; /* of the worker, while another block runs */
    uint32_t warp_count;
    uint32_t first[WARP_LANES]; /* stretch of each warp, in the order in which they began */
    uint32_t last[WARP_LANES];  /* by warp: 1 + the stretch; 0: none */
    struct {
        struct stretch {
            const word *words;
            uint32_t count; /* of words */
            uint32_t next;  /* of its warp; 0: none */
        } * items;
        size_t count, capacity;
    } stretches;
};

/* What leaves an L1, in 64 bits: the line, the time since the request before, the kind, the sectors. Without sectors,
 * it is no request: time passes, as much as the line's number. */
typedef uint64_t request;
enum request_kind { REQUEST_LOAD, REQUEST_STORE, REQUEST_ATOMIC };
enum {
    REQUEST_TIME_BITS = 16,
    REQUEST_TIMES = 1 << REQUEST_TIME_BITS,
    REQUEST_KIND_SHIFT = 4,
    REQUEST_TIME_SHIFT = REQUEST_KIND_SHIFT + 2,
    REQUEST_LINE_SHIFT = REQUEST_TIME_SHIFT + REQUEST_TIME_BITS
};
static inline uint8_t request_sectors(request r)
{
    return r & 15;
}
static inline enum request_kind request_kind(request r)
{
    return (enum request_kind)(r >> REQUEST_KIND_SHIFT & 3);
}
static inline uint32_t request_time(request r)
{
    return (uint32_t)(request_sectors(r) ? r >> REQUEST_TIME_SHIFT & (REQUEST_TIMES - 1) : r >> REQUEST_LINE_SHIFT);
}
static inline uint64_t request_line(request r)
{
    return r >> REQUEST_LINE_SHIFT;
}
struct outgoing {
    request *items;
    size_t count, capacity;
    uint32_t last; /* time of the last request, since the group began */
};
struct group {
    struct group *next; /* of its multiprocessor, or of those to use again */
    struct outgoing out;
};

/* Up to four requests for the same sectors may become one: loads of all multiprocessors, and stores of one
 * multiprocessor, close in time, without a load between them. An L1 takes a line in a unit of time. The times of two
 * multiprocessors tell little about each other, so that only the loads of one must be close in time. */
enum { MERGED_MOST = 4, LOAD_TIME = 8, STORE_TIME = 12, SOON_TIME = 400 };
struct merge {
    uint64_t name; /* 1 + line */
    uint32_t time;
    uint16_t processor; /* of the last load */
    uint8_t sectors, count;
};
enum { LOAD_MERGES = 1 << 14, STORE_MERGES = 1 << 6 };

static inline bool stores_merge(struct merge *merge, uint64_t line, uint8_t sectors, uint32_t time, uint32_t most)
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

enum { STEP_KINDS = STEP_LOCAL_STORE + 1 };
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
    step step;             /* the one before */
    uint64_t above;        /* of the line that was asked for last: the bits above the first pieces of its number */
    uint32_t above_number; /* what these add to the number of its set */
    struct merge stores[STORE_MERGES];
    uint64_t misses[STEP_KINDS]; /* sectors that were not in the L1 */
    uint64_t *site_misses;       /* of loads and stores in global memory */
};

/* Words that one access may take. */
enum { ACCESS_WORDS = STEP_WORDS * SECTORS_MAX };
struct worker {
    /* The stretch that goes on. now is NULL where there is none. */
    uint64_t key;     /* worker_key of its block and warp */
    word *at, *limit; /* limit: behind it no access has room */
    uint64_t *bases;  /* of its block */
    struct recent_loads recent;
    uint64_t oldest;    /* number in it of the oldest load that was asked for last */
    uint32_t forgotten; /* how often it began anew, or became another's */
    struct single_load single;
    uint64_t *sectors;  /* of each site's accesses to global memory */
    struct form *forms; /* of each site */
    struct stream *now;
    struct slab *slab;
    struct {
        struct stream **items;
        size_t count, capacity;
    } open;       /* blocks in flight, in their order */
    size_t found; /* of them, the one asked for last */
    uint64_t local_loads, local_stores;
    char apart[64]; /* two workers write no line of the processor's caches in turn */
};

static inline uint64_t worker_key(uint64_t block, uint32_t warp)
{
    return block * WARP_LANES + warp;
}

/* Many, as all multiprocessors ask in turn. */
enum { ROW_SPANS = 512 };
struct caches_run {
    const struct trace_site *sites;
    enum step_kind *kinds; /* of each site */
    struct site_step {
        step rest;     /* of its steps: its number and kind */
        uint8_t place; /* PLACE_WHOLE: none */
        bool global;   /* by its name, not only by the addresses */
    } * site_steps;
    step rests[PLACES]; /* of the sites with a place */
    uint32_t places;
    uint32_t site_count;
    struct caches_machine machine;
    struct trace_listener next;
    struct worker workers[WORKERS_MAX];
    struct processor *processors;
    atomic_bool failed;
    pthread_mutex_t l2_lock; /* guards the fields below */
    struct l2 l2;
    uint32_t time_before;      /* at which the launch began */
    struct l2_copy *l2_before; /* what was inside when the launch began; NULL: nothing */
    uint32_t time;
    struct merge loads[LOAD_MERGES];
    struct caches sums;
    struct dram dram; /* without caches_machine.dram, nothing is counted */
    struct dram_span spans[ROW_SPANS];
    unsigned span_bits;        /* dram_row_span in sectors is 2 to the power of it */
    uint64_t merged;           /* sectors of loads that may merge with others */
    pthread_mutex_t free_lock; /* guards the fields below */
    struct stream *free;       /* streams to use again */
    struct slab *free_slabs;
    struct {
        void **items;
        size_t count, capacity;
    } regions; /* of slabs */
    char *region_at, *region_end;
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

/* caches_slabs.c */
struct slab *caches_slab_take(struct caches_run *run); /* NULL: no memory */
void caches_slab_leave(struct caches_run *run, struct slab *slab);
static inline struct slab *caches_slab_of(const word *at)
{
    return (struct slab *)((uintptr_t)at / SLAB_BYTES * SLAB_BYTES);
}
void caches_slabs_free(struct caches_run *run);

/* caches_steps.c */
void caches_steps_return(struct caches_run *run, struct stream *stream);
void caches_steps_free(struct stream *stream);  /* and those behind it */
void caches_steps_close(struct worker *worker); /* ends the stretch that goes on */
struct stream *caches_steps_of(struct caches_run *run, struct worker *worker, uint64_t block);
enum step_kind caches_steps_kind_of(const struct trace_site *site);
/* Hear the events of a launch: see trace_listener. */
void caches_steps_hear(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses);
void caches_steps_hear_arrival(void *context, unsigned worker, uint64_t block, uint32_t warp);
void caches_steps_hear_halves(void *context, unsigned worker, uint64_t block, uint32_t warp,
                              const struct trace_halves *halves, uint32_t count);

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
