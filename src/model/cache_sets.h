/* The tags of two caches of a GPU: the L1 of one multiprocessor, and the L2. They know which sectors are inside, and
 * no data. Figures and rules were found on an H100 (compute capability 9.0): docs/model.md#caches says how. */
#ifndef LANESCOPE_MODEL_CACHE_SETS_H
#define LANESCOPE_MODEL_CACHE_SETS_H
#include <stdbool.h>
#include <stdint.h>

/* L1: 512 sets of 4 lines of 128 bytes with 4 sectors each. Fewer lines hold data when shared memory takes a part. */
/* L1_SPARE: lines that a slice holds beyond its share of the room. */
enum { L1_SETS = 512, L1_WAYS = 4, L1_SLICES = 4, L1_BYTES = 256 << 10, L1_RESERVED = 8 << 10, L1_SPARE = 2 };

struct l1_line {
    uint64_t name; /* 1 + the number of the line: address / 128; 0: none */
    uint32_t used; /* time of the last use; 0: to be thrown out first */
    uint8_t sectors;
};

/* The numbers of sets are looked up by pieces of a line's number. */
enum { L1_PIECES = 6, L1_PIECE_BITS = 7 };
struct l1 {
    uint16_t pieces[L1_PIECES][1 << L1_PIECE_BITS];
    struct l1_line lines[L1_SETS][L1_WAYS];
    uint32_t now;
    uint32_t most;              /* lines of a slice that can hold data */
    uint32_t inside[L1_SLICES]; /* lines of a slice that do */
    uint32_t hand[L1_SLICES];   /* the set of a slice where the search for the next line to throw out begins */
};

/* Returns the set of a line. A slice is the sets of equal number modulo L1_SLICES. */
unsigned l1_set(uint64_t line);
/* Returns the bytes of an L1 that hold data beside a share of `shared` bytes. */
uint32_t l1_room(uint32_t shared);
/* Empties an L1 beside a share of `shared` bytes. */
void l1_reset(struct l1 *l1, uint32_t shared);
/* Returns the sectors of a line that are inside, of those asked for, and puts the others inside. first: the line is to
 * be thrown out before all others. */
uint8_t l1_use(struct l1 *l1, uint64_t line, uint8_t sectors, bool first);
/* Returns whether any sector of a line is inside. */
bool l1_has(const struct l1 *l1, uint64_t line);
/* Takes sectors out, as an atomic does, which changes them in the L2. */
void l1_drop(struct l1 *l1, uint64_t line, uint8_t sectors);

/* Returns the bytes that the driver takes from the L1 for shared memory, for a kernel that asks for no share of its
 * own. threads and shared: of a block; shared without the system's part; blocks: that fit on a multiprocessor. */
uint32_t l1_shared_share(uint32_t threads, uint64_t shared, uint32_t blocks);

/* L2: sets of 16 pairs of sectors, 64 bytes, which the DRAM delivers together. */
/* The share of the L2 that a launch found to hold its data. */
#define L2_SHARE_THAT_HOLDS 0.8
enum { L2_WAYS = 16 };
struct l2_pair {
    uint64_t name;    /* 1 + address / 64; 0: none */
    uint32_t fetched; /* time at which the DRAM was asked for both sectors */
    uint8_t inside;   /* sectors that are inside or on their way */
    uint8_t asked;    /* of them, those that someone asked for or wrote; another came along */
};
struct l2 {
    struct l2_pair (*sets)[L2_WAYS]; /* the pair used last is first */
    uint32_t set_count;
    uint64_t sectors; /* that are inside or on their way */
};
/* Returns false without memory. bytes: what the cache can hold. */
bool l2_new(struct l2 *l2, uint64_t bytes);
void l2_free(struct l2 *l2);

struct l2_answer {
    uint8_t hits;  /* sectors that were inside */
    uint8_t reads; /* sectors that the DRAM delivers */
};
/* Asks for sectors of a line at a time. write: they are written whole, so that the DRAM need not deliver them. A sector
 * that came along with another counts as a hit from `soon` on after that. */
struct l2_answer l2_use(struct l2 *l2, uint64_t line, uint8_t sectors, bool write, uint32_t time, uint32_t soon);
#endif
