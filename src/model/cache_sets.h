/* The tags of two caches of a GPU: the L1 of one multiprocessor, and the L2 (cache_pairs.c). They know which sectors
 * are inside, and no data. Figures and rules were found on an H100 (compute capability 9.0): docs/model.md#caches says
 * how. */
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

/* The numbers of sets are looked up by pieces of a line's number: parities add up bit by bit, and so do the numbers of
 * the sets of lines that have only seven of the bits each. */
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
/* Returns the number of a line's set, as l1_set does. */
static inline unsigned l1_number(const struct l1 *l1, uint64_t line)
{
    unsigned set = 0;
    for (unsigned piece = 0; piece < L1_PIECES; piece++)
        set ^= l1->pieces[piece][line >> piece * L1_PIECE_BITS & ((1 << L1_PIECE_BITS) - 1)];
    return set;
}
/* Returns the place of a line, which it gets when it has none: then none of its sectors is inside. found: it had one.
 */
struct l1_line *l1_bring(struct l1 *l1, unsigned set, uint64_t line);
static inline struct l1_line *l1_place(struct l1 *l1, unsigned set, uint64_t line, bool *found)
{
    struct l1_line *lines = l1->lines[set];
    unsigned way = 0; /* without branches: which way it is cannot be foretold */
    for (unsigned i = 1; i < L1_WAYS; i++)
        way = lines[i].name == line + 1 ? i : way;
    *found = lines[way].name == line + 1;
    return *found ? &lines[way] : l1_bring(l1, set, line);
}
/* Uses sectors at a line's place, for l1_use. */
static inline uint8_t l1_touch(struct l1 *l1, struct l1_line *place, uint8_t sectors, bool first)
{
    uint8_t const hits = place->sectors & sectors;
    place->sectors |= sectors;
    place->used = first ? 0 : ++l1->now;
    return hits;
}
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
/* What a search in a set reads first: few bytes, so that those of all sets stay in the processor's caches. */
struct l2_set {
    uint64_t order;    /* the places, 4 bits each, the one used last lowest; exclusive or the order at the beginning */
    uint64_t hints[2]; /* by place, 8 bits each: those of the hash of its pair */
    uint64_t unused;
};
struct l2 {
    void *memory; /* of the tables: as far as they are not used, it takes none */
    struct l2_set *sets;
    /* By set and place. A pair: 1 + address / 64; then which of its sectors someone asked for or wrote, 2 bits; then
     * which are inside or on their way, 2 bits: another may have come along. 0: none. */
    uint64_t (*pairs)[L2_WAYS];
    uint32_t (
        *fetched)[L2_WAYS]; /* time at which the DRAM was asked for both sectors of a pair, where one came along */
    uint32_t set_count;
    uint64_t sectors; /* that are inside or on their way */
};
/* Returns false without memory. bytes: what the cache can hold. */
bool l2_new(struct l2 *l2, uint64_t bytes);
void l2_free(struct l2 *l2);
void l2_empty(struct l2 *l2);
/* Begins to read what a search for a line will read. */
void l2_prefetch(const struct l2 *l2, uint64_t line);

struct l2_answer {
    uint8_t hits;  /* sectors that were inside */
    uint8_t reads; /* sectors that the DRAM delivers */
};
/* Asks for sectors of a line at a time. write: they are written whole, so that the DRAM need not deliver them. A sector
 * that came along with another counts as a hit from `soon` on after that. */
struct l2_answer l2_use(struct l2 *l2, uint64_t line, uint8_t sectors, bool write, uint32_t time, uint32_t soon);
#endif
