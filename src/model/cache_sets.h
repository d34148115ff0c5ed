/* The tags of the L1 of one multiprocessor; those of the L2: cache_pairs.h. They know which sectors are inside, and no
 * data. The rules were found on an H100 (compute capability 9.0): docs/model.md#caches says how. For a GPU of another
 * capability they are taken to be the same, with the sizes of that GPU. */
#ifndef LANESCOPE_MODEL_CACHE_SETS_H
#define LANESCOPE_MODEL_CACHE_SETS_H
#include "model/occupancy.h"
#include <stdbool.h>
#include <stdint.h>

/* L1: 512 sets of 4 lines of 128 bytes with 4 sectors each. Fewer lines hold data when shared memory takes a part, or
 * when the array is smaller than that of 9.0. L1_RESERVED: bytes of the array that hold neither. L1_SPARE: lines that a
 * slice holds beyond its share of the room. */
enum { L1_SETS = 512, L1_WAYS = 4, L1_SLICES = 4, L1_RESERVED = 8 << 10, L1_SPARE = 2 };

/* The compute capability of the GPUs on which the rules were found. */
#define CACHES_MEASURED_ON "9.0"

/* Small, as the L1s of all multiprocessors are more than the caches of the processor that runs this. */
struct l1_line {
    uint64_t name : 44; /* 1 + the number of the line: address / 128; 0: none */
    uint64_t sectors : 4;
    uint64_t used : 16; /* time of the last use; 0: to be thrown out first */
};
enum { L1_TIMES = 1 << 16 };

struct l1 {
    struct l1_line lines[L1_SETS][L1_WAYS];
    uint32_t now;
    uint32_t most;              /* lines of a slice that can hold data */
    uint32_t inside[L1_SLICES]; /* lines of a slice that do */
    uint32_t hand[L1_SLICES];   /* the set of a slice where the search for the next line to throw out begins */
};

/* Returns the set of a line. A slice is the sets of equal number modulo L1_SLICES. */
unsigned l1_set(uint64_t line);
/* Returns the bytes that hold data in the L1 of an array of `array` bytes, beside a share of `shared` bytes. */
uint32_t l1_room(uint64_t array, uint32_t shared);
/* Empties an L1 of which `room` bytes can hold data. */
void l1_reset(struct l1 *l1, uint32_t room);
/* The numbers of sets are looked up by pieces of a line's number: parities add up bit by bit, and so do the numbers of
 * the sets of lines that have only seven of the bits each. l1_reset fills the table. */
enum { L1_PIECES = 6, L1_PIECE_BITS = 7, L1_LOW_BITS = 2 * L1_PIECE_BITS };
extern uint16_t l1_pieces[L1_PIECES][1 << L1_PIECE_BITS];
static inline unsigned l1_piece(uint64_t line, unsigned piece)
{
    return l1_pieces[piece][line >> piece * L1_PIECE_BITS & ((1 << L1_PIECE_BITS) - 1)];
}
/* The number of a line's set, as l1_set returns it, is the one of its low bits ^ the one of those above. */
static inline unsigned l1_number_below(uint64_t line)
{
    return l1_piece(line, 0) ^ l1_piece(line, 1);
}
static inline unsigned l1_number_above(uint64_t above)
{
    unsigned set = 0;
    for (unsigned piece = 2; piece < L1_PIECES; piece++)
        set ^= l1_piece(above << L1_LOW_BITS, piece);
    return set;
}
static inline unsigned l1_number(uint64_t line)
{
    return l1_number_below(line) ^ l1_number_above(line >> L1_LOW_BITS);
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
/* Begins to count the time anew. The lines of a set stay in the order in which they were used. */
void l1_count_anew(struct l1 *l1);
/* Uses sectors at a line's place, for l1_use. */
static inline uint8_t l1_touch(struct l1 *l1, struct l1_line *place, uint8_t sectors, bool first)
{
    uint8_t const before = place->sectors;
    if (l1->now == L1_TIMES - 1)
        l1_count_anew(l1);
    place->sectors = (before | sectors) & 15u;
    place->used = (first ? 0 : ++l1->now) & (L1_TIMES - 1);
    return before & sectors;
}
/* Returns the sectors of a line that are inside, of those asked for, and puts the others inside. first: the line is to
 * be thrown out before all others. */
uint8_t l1_use(struct l1 *l1, uint64_t line, uint8_t sectors, bool first);
/* Returns whether any sector of a line is inside. */
bool l1_has(const struct l1 *l1, uint64_t line);
/* Takes sectors out, as an atomic does, which changes them in the L2. */
void l1_drop(struct l1 *l1, uint64_t line, uint8_t sectors);

/* The blocks of a launch on a multiprocessor, and what they leave to its L1. */
struct l1_launch {
    uint32_t resident; /* blocks that are there together; 0: not even one fits */
    uint32_t room;     /* bytes of the L1 that hold data */
};
/* Returns it for blocks of `threads` threads with `shared` bytes each, without the system's part. Registers are not
 * known. limits: with the size of the L1. */
struct l1_launch l1_launch_of(const struct occupancy_limits *limits, uint32_t threads, uint64_t shared);
/* Returns the bytes that the driver takes from the L1 for shared memory, for a kernel that asks for no share of its
 * own: one of the shares of `limits`, which must have some. threads and shared: of a block; shared without the system's
 * part; blocks: that fit on a multiprocessor. */
uint32_t l1_shared_share(const struct occupancy_limits *limits, uint32_t threads, uint64_t shared, uint32_t blocks);
#endif
