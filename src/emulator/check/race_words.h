/* What a word of global memory remembers of the accesses to it, for races_global.c. A word keeps its plain writes,
 * strong writes, plain reads and strong reads apart, so an access never hides one of another class. For plain reads,
 * and for plain writes of one value, four visits suffice to find any unordered one: the last visit, and the last ones
 * by another block, another warp and another lane. When parts of a word are accessed, it is split into four, one for
 * each byte, while the memory for that lasts. */
#ifndef LANESCOPE_EMULATOR_CHECK_RACE_WORDS_H
#define LANESCOPE_EMULATOR_CHECK_RACE_WORDS_H
#include "emulator/check/check.h"

enum { WORD = 4 };
enum { TIME_BITS = 48, THREAD_BITS = 10, THREAD_MAX = (1 << THREAD_BITS) - 1 };
#define TIME_MAX ((UINT64_C(1) << TIME_BITS) - 1)

/* There are many visits, so each takes 16 bytes: the time cannot overflow on any computer, and 10 bits hold the
 * threads of a block. */
struct visit { /* time 0: never; block and thread as numbers */
    union {
        struct {
            uint64_t time : TIME_BITS, thread : THREAD_BITS;
            uint64_t bytes : 4;  /* of the word, a bit each */
            uint64_t strong : 1; /* atomic, volatile, relaxed, acquire, release */
            uint64_t bulk : 1;   /* read by a copy in the background that the thread began */
        };
        uint64_t packed; /* all of them: written at once, a processor can pass them on at once */
    };
    uint32_t block, site;
};
enum { BYTES_AT = TIME_BITS + THREAD_BITS };

/* The visits of one class besides the last one: by another block than the last; by another warp of its block; by
 * another lane of its warp. Each is later than the one before it in this list, and an older visit is ordered
 * whenever these are. */
struct others {
    struct visit block, warp, lane;
};

struct word {
    struct visit write, read;              /* plain */
    uint32_t value;                        /* that the last plain write left */
    uint32_t reads, writes, strong, split; /* places in the pools, from 1 on; 0: none */
};

/* The strong accesses to a word. */
struct strong {
    struct visit write, read;
    uint64_t signal_time : TIME_BITS, signal_thread : THREAD_BITS; /* the last of them */
    uint32_t signal_block;
};

/* Data that only few words need. A word refers to it by number. A zeroed struct is empty. */
struct pools {
    struct {
        struct others *items;
        size_t count, capacity;
    } others; /* of plain reads, and of plain writes of the value that is there */
    struct {
        struct strong *items;
        size_t count, capacity;
    } strong;
    struct {
        struct part {
            struct word bytes[WORD];
        } * items;
        size_t count, capacity;
    } parts;                          /* words split into bytes */
    uint64_t split_bytes, split_most; /* of words split into bytes: there are, there may be */
};
void pools_free(struct pools *pools);

/* An access, as one word sees it. */
struct touch {
    struct visit now;
    bool reads, writes;
    uint32_t value; /* of a write */
};

/* Reports a race of this access with one before, and keeps it. `address`: generic, of the word. */
void words_visit(struct pools *pools, struct warp *w, const struct op *op, struct word *word, const struct touch *touch,
                 uint64_t address);

/* Adds a visit to its class. The visit that was last so far becomes one of the others if another thread made it.
 * Threads are `behind` those that are meant. */
static inline void words_keep(struct pools *pools, struct visit *last, uint32_t *others, const struct visit *now,
                              unsigned behind)
{
    struct visit const before = *last;
    *last = *now;
    if (!before.time || (before.block == now->block && before.thread == now->thread))
        return;
    if (!*others) {
        array_push(&pools->others, ((struct others){.block = {.packed = 0}}));
        *others = (uint32_t)pools->others.count;
    }
    struct others *more = &pools->others.items[*others - 1];
    if (before.block != now->block)
        *more = (struct others){.block = before};
    else if (((before.thread + behind) & THREAD_MAX) / WARP_LANES != ((now->thread + behind) & THREAD_MAX) / WARP_LANES)
        more->warp = before, more->lane.time = 0;
    else
        more->lane = before;
}

/* Returns whether this access and all before it are plain reads, of the whole word now: they race with none. */
static inline bool words_only_read(const struct word *word, const struct touch *touch)
{
    return !touch->writes && !touch->now.strong && touch->now.bytes == 0xf && !word->write.time && !word->strong &&
           !word->split;
}
#endif
