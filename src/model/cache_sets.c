#include "model/cache_sets.h"
#include <pthread.h>
#include <string.h>

/* Each bit of a set's number is the parity of these bits of the line's number. The first two choose the slice; they are
 * the ways of atomics (model/atomics.c), with their higher bits. The others are so chosen that the hand of a slice
 * comes to the sets in the order of their numbers: see make_room. */
static const uint64_t set_masks[] = {0x56f5ef7ab5, 0xbbaebad5da, 0xb4e2ca9184, 0x68f796b748, 0x30d42ca938,
                                     0x0a58deddb0, 0x9e3a63aec8, 0x897bc9e5d4, 0x971f87ff14};
enum { SET_BITS = sizeof set_masks / sizeof *set_masks };
_Static_assert(1 << SET_BITS == L1_SETS, "a mask for each bit of a set's number");

unsigned l1_set(uint64_t line)
{
    unsigned set = 0;
    for (unsigned i = 0; i < SET_BITS; i++)
        set |= (unsigned)__builtin_parityll(line & set_masks[i]) << i;
    return set;
}

uint16_t l1_pieces[L1_PIECES][1 << L1_PIECE_BITS];

static void fill_pieces(void)
{
    for (unsigned piece = 0; piece < L1_PIECES; piece++)
        for (unsigned bit = 0; bit < L1_PIECE_BITS; bit++) {
            unsigned const set = l1_set(UINT64_C(1) << (piece * L1_PIECE_BITS + bit));
            for (unsigned below = 0; below < 1u << bit; below++)
                l1_pieces[piece][below | 1u << bit] = (uint16_t)(l1_pieces[piece][below] ^ set);
        }
}

enum { LINE_BYTES = 128, SLICE_SETS = L1_SETS / L1_SLICES };

uint32_t l1_room(uint64_t array, uint32_t shared)
{
    uint64_t const taken = (uint64_t)shared + L1_RESERVED;
    return taken < array ? (uint32_t)(array - taken) : LINE_BYTES * L1_SLICES;
}

void l1_reset(struct l1 *l1, uint32_t room)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_pieces);
    memset(l1, 0, sizeof *l1);
    uint32_t const most = room / LINE_BYTES / L1_SLICES + L1_SPARE;
    l1->most = most < SLICE_SETS * L1_WAYS ? most : SLICE_SETS * L1_WAYS;
}

static void throw_out(struct l1 *l1, unsigned slice, struct l1_line *line)
{
    *line = (struct l1_line){0};
    l1->inside[slice]--;
}

/* Returns the way of a set that is empty, or else whose line was used longest ago: the time is in the upper bits of a
 * line, and an empty way is 0. Without branches: which way it is cannot be foretold. */
static unsigned next_way(const struct l1_line set[L1_WAYS])
{
    uint64_t words[L1_WAYS];
    unsigned way = 0;
    memcpy(words, set, sizeof words);
    for (unsigned i = 1; i < L1_WAYS; i++)
        way = words[i] < words[way] ? i : way;
    return way;
}

/* The same, but of the ways that hold a line. Returns L1_WAYS for an empty set. */
static unsigned oldest_way(const struct l1_line set[L1_WAYS])
{
    uint64_t words[L1_WAYS];
    unsigned way = 0;
    memcpy(words, set, sizeof words);
    for (unsigned i = 1; i < L1_WAYS; i++)
        way = words[i] - 1 < words[way] - 1 ? i : way;
    return words[way] ? way : L1_WAYS;
}

/* Makes room in a full slice: the hand goes to the next set that holds a line, and its oldest line goes. The hand
 * counts up in blocks of 16 sets, and down within one. */
static void make_room(struct l1 *l1, unsigned slice)
{
    enum { BLOCK_SETS = 16 };
    for (;;) {
        struct l1_line *set = l1->lines[(l1->hand[slice] ^ (BLOCK_SETS - 1)) * L1_SLICES + slice];
        unsigned const way = oldest_way(set);
        l1->hand[slice] = (l1->hand[slice] + 1) % SLICE_SETS;
        if (way < L1_WAYS) {
            throw_out(l1, slice, &set[way]);
            return;
        }
    }
}

void l1_count_anew(struct l1 *l1)
{
    for (unsigned set = 0; set < L1_SETS; set++) {
        struct l1_line before[L1_WAYS];
        memcpy(before, l1->lines[set], sizeof before);
        for (unsigned i = 0; i < L1_WAYS; i++) {
            unsigned older = 0;
            for (unsigned k = 0; k < L1_WAYS; k++)
                older += before[k].used < before[i].used;
            l1->lines[set][i].used = before[i].used ? (1 + older) & (L1_TIMES - 1) : 0;
        }
    }
    l1->now = 1 + L1_WAYS;
}

static struct l1_line *find(struct l1_line *set, uint64_t line)
{
    for (unsigned i = 0; i < L1_WAYS; i++)
        if (set[i].name == line + 1)
            return &set[i];
    return NULL;
}

bool l1_has(const struct l1 *l1, uint64_t line)
{
    const struct l1_line *set = l1->lines[l1_number(line)];
    for (unsigned i = 0; i < L1_WAYS; i++)
        if (set[i].name == line + 1)
            return true;
    return false;
}

struct l1_line *l1_bring(struct l1 *l1, unsigned number, uint64_t line)
{
    struct l1_line *set = l1->lines[number], *place = &set[next_way(set)];
    unsigned const slice = number % L1_SLICES;
    if (place->name)
        throw_out(l1, slice, place);
    else if (l1->inside[slice] >= l1->most)
        make_room(l1, slice);
    *place = (struct l1_line){.name = (line + 1) & UINT64_C(0xfffffffffff)};
    l1->inside[slice]++;
    return place;
}

uint8_t l1_use(struct l1 *l1, uint64_t line, uint8_t sectors, bool first)
{
    bool found;
    struct l1_line *place = l1_place(l1, l1_number(line), line, &found);
    return l1_touch(l1, place, sectors, first);
}

void l1_drop(struct l1 *l1, uint64_t line, uint8_t sectors)
{
    struct l1_line *place = find(l1->lines[l1_number(line)], line);
    if (place)
        place->sectors = place->sectors & ~(unsigned)sectors & 15u;
}

/* Returns the smallest share that holds so many bytes, or the largest. The driver was never seen to take none. */
static uint32_t share_for(const struct occupancy_limits *limits, uint64_t bytes)
{
    uint64_t share = 0;
    for (unsigned i = 0; i < limits->shared_share_count && (!share || bytes > share); i++)
        share = limits->shared_shares_kb[i] << 10;
    return (uint32_t)share;
}

uint32_t l1_shared_share(const struct occupancy_limits *limits, uint32_t threads, uint64_t shared, uint32_t blocks)
{
    enum { FREELY = 132 << 10 };
    if (!shared) /* the driver does not count blocks then */
        return share_for(limits, (threads < 512 ? 32u : threads < 768 ? 16u : 8u) << 10);
    uint64_t const unit = limits->shared_unit, block = (shared + limits->shared_reserved + unit - 1) / unit * unit;
    uint64_t wished = threads <= 896 ? 2 * (uint64_t)blocks : threads <= 928 ? 3 : blocks;
    if (wished > limits->blocks)
        wished = limits->blocks;
    uint32_t const needed = share_for(limits, blocks * block), generous = share_for(limits, wished * block);
    uint32_t const most = generous < FREELY ? generous : FREELY;
    return needed > most ? needed : most;
}

struct l1_launch l1_launch_of(const struct occupancy_limits *limits, uint32_t threads, uint64_t shared)
{
    struct occupancy_needs const needs = {.threads = threads, .barriers = 1, .shared = shared};
    uint32_t const fit = occupancy_of(limits, &needs).blocks;
    return (struct l1_launch){fit, l1_room(limits->l1_bytes, l1_shared_share(limits, threads, shared, fit))};
}
