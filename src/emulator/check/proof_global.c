/* Owners in global memory. A line of 128 bytes that accesses of one warp with one place for each lane have touched has
 * one number for all its words, the key of that access. A line that other accesses share is apart: each of its words
 * has an owner of its own. All numbers are atomic, so workers share them. */
#include "emulator/check/proof_memory.h"
#include "emulator/decode/provided.h"
#include <string.h>

enum { WORD = PROOF_WORD, LINE_WORDS = PROOF_LINE_WORDS };

/* The state of a line: one of these, or a key and whether its lanes have written. */
enum { LINE_UNTOUCHED, LINE_READ_BY_MANY, LINE_APART, LINE_LOCKED };
/* A key: the warp from KEY_WARP on; the lane of the line's first word, which need not exist, plus KEY_NO_LANE; log2 of
 * the words of a lane; and the halves of the warp that accessed, or none: then warps one behind the other have read the
 * line, each word by the thread that comes as far behind that of the first word. */
enum { KEY_WRITTEN = 1, KEY_HALVES = 2, KEY_WORDS = 4, KEY_LANE = 8, KEY_WARP = 16, KEY_NO_LANE = 64 };

/* The owner of a word: 0 for none, WORD_READ_BY_MANY, WORD_ATOMIC, or thread and pattern, and whether it has written.
 */
enum { WORD_WRITTEN = 1, WORD_READ_BY_MANY = 2, WORD_ATOMIC = 4, OWNER_PATTERN = 3, OWNER_THREAD = 5 };
static const uint64_t threads_most = (UINT64_C(1) << (32 - OWNER_THREAD)) - 2;

/* What the kernel writes over is kept for any proof: that of shared memory may fail. */
static enum check_start start(struct emulation *emulation)
{
    bool found = false;
    if (!emulation->proving)
        return CHECK_IDLE;
    for (uint32_t i = 0; i < emulation->region_count; i++) {
        struct region *r = &emulation->regions[i];
        if (r->read_only || !r->shared_by_all || !r->size)
            continue;
        found = true;
        r->owners = owners_new(emulation, r);
        if (!r->owners) /* the other checkers can do with less memory */
            proof_refute(emulation, PROVE_ALL);
    }
    found &= (emulation->proving & PROVE_GLOBAL) != 0;
    return found ? CHECK_ACTIVE : CHECK_IDLE;
}

static void finish(struct emulation *emulation)
{
    for (uint32_t i = 0; i < emulation->region_count; i++)
        if (emulation->regions[i].owners)
            owners_free(emulation->regions[i].owners);
}

/* Whether an access may lie across the words, or one of 16 bytes across the lines, of a buffer: those that a program
 * registers may begin anywhere. */
static bool lies_across(const struct emulation *emulation)
{
    enum { LANE_MOST = 16 };
    bool found = false;
    for (uint32_t i = 0; i < emulation->region_count; i++) {
        const struct region *r = &emulation->regions[i];
        found = found || (!r->read_only && r->shared_by_all && r->base % LANE_MOST);
    }
    return found;
}

unsigned proof_misfits(const struct emulation *emulation)
{
    const struct launch *launch = emulation->launch;
    uint64_t const blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    bool const many = blocks > threads_most / (emulation->warps * WARP_LANES);
    if (emulation->meets || emulation->heap_bytes || launch->heap || launch->overlaps ||
        provided_launches(emulation->module))
        return PROVE_ALL;
    return emulation->blocks_talk || many || lies_across(emulation) ? PROVE_GLOBAL : 0;
}

void proof_refute(struct emulation *emulation, unsigned parts)
{
    atomic_fetch_or_explicit(&emulation->refuted, emulation->proving & parts, memory_order_relaxed);
}

/* ---- owners of words ---- */

static uint32_t owner_of(uint64_t thread, unsigned pattern)
{
    return (uint32_t)(thread + 1) << OWNER_THREAD | pattern << OWNER_PATTERN;
}

enum act { ACT_READ, ACT_WRITE, ACT_ATOMIC, ACT_READ_BY_MANY };

/* Returns what becomes of a word, or false when the act refutes the proof. */
static bool word_after(uint32_t now, uint32_t owner, enum act act, uint32_t *after)
{
    bool const own = now == 0 || (now & ~(uint32_t)WORD_WRITTEN) == owner;
    switch (act) {
    case ACT_READ:
    case ACT_READ_BY_MANY:
        *after = own && act == ACT_READ ? (now ? now : owner) : WORD_READ_BY_MANY;
        return *after != WORD_READ_BY_MANY || !(now & (WORD_WRITTEN | WORD_ATOMIC));
    case ACT_WRITE:
        *after = owner | WORD_WRITTEN;
        return own;
    case ACT_ATOMIC:
        *after = WORD_ATOMIC;
        return now == 0 || now == WORD_ATOMIC;
    }
    return false;
}

static void touch_word(struct emulation *emulation, uint32_t *word, uint32_t owner, enum act act)
{
    uint32_t now = __atomic_load_n(word, __ATOMIC_RELAXED), after;
    do {
        if (!word_after(now, owner, act, &after)) {
            proof_refute(emulation, PROVE_GLOBAL);
            return;
        }
    } while (after != now && !__atomic_compare_exchange_n(word, &now, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* ---- lines ---- */

static uint64_t key_of(const struct warp *w, uint64_t line_begin, uint64_t first, unsigned first_lane, uint32_t bytes,
                       unsigned halves)
{
    unsigned const words_log = (unsigned)__builtin_ctz(bytes / WORD);
    int64_t const lane = (int64_t)first_lane + ((int64_t)line_begin - (int64_t)first) / (int64_t)bytes;
    uint64_t const warp = w->block->number * w->worker->emulation->warps + w->number + 1;
    return warp << KEY_WARP | (uint64_t)(lane + KEY_NO_LANE) << KEY_LANE | (uint64_t)words_log << KEY_WORDS |
           (uint64_t)halves << KEY_HALVES;
}

static int key_lane(uint64_t key)
{
    return (int)(key >> KEY_LANE & 0xff) - KEY_NO_LANE;
}

/* Returns the thread of a word of the line, plus one; 0: none of the key's lanes. */
static uint64_t key_thread(uint64_t key, unsigned word)
{
    int const lane = key_lane(key) + (int)(word >> (key >> KEY_WORDS & 0xf));
    unsigned const halves = key >> KEY_HALVES & 3;
    if (halves && (lane < 0 || lane >= WARP_LANES || !(halves >> lane / (WARP_LANES / 2) & 1)))
        return 0;
    int64_t const thread = ((int64_t)(key >> KEY_WARP) - 1) * WARP_LANES + lane;
    return thread < 0 ? 0 : (uint64_t)thread + 1;
}

/* Returns the key of warps one behind the other, of which this key is of one: where a row of elements begins anywhere,
 * two warps have parts of each line, and both may read them before one of them writes. */
static uint64_t key_of_row(uint64_t key)
{
    uint64_t const thread = (key >> KEY_WARP) * WARP_LANES + (uint64_t)(int64_t)key_lane(key);
    return (thread / WARP_LANES) << KEY_WARP | (thread % WARP_LANES + KEY_NO_LANE) << KEY_LANE |
           (key & (uint64_t)0xf << KEY_WORDS);
}

/* Gives each word of a line the owner that the key says. */
static void spread(struct emulation *emulation, uint32_t *words, uint64_t key, enum act act)
{
    for (unsigned i = 0; i < LINE_WORDS; i++) {
        uint64_t const thread = key_thread(key, i);
        if (thread)
            touch_word(emulation, &words[i], owner_of(thread - 1, PROOF_WHOLE), act);
    }
}

/* Gives a line another state. Returns false, with its new state, when another worker has changed it first. */
static bool change(const struct owners *owners, uint64_t number, uint64_t *now, uint64_t after)
{
    if (*now == LINE_UNTOUCHED)
        owners_use(owners, number);
    return __atomic_compare_exchange_n(&owners->lines[number], now, after, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Takes a line apart whose state was *now, and returns as change does. */
static bool take_apart(struct emulation *emulation, const struct owners *owners, uint64_t number, uint64_t *now)
{
    uint64_t const before = *now;
    uint32_t *words = &owners->words[number * LINE_WORDS];
    if (!change(owners, number, now, LINE_LOCKED))
        return false;
    memset(words, 0, LINE_WORDS * sizeof *words);
    if (before > LINE_LOCKED)
        spread(emulation, words, before & ~(uint64_t)KEY_WRITTEN, before & KEY_WRITTEN ? ACT_WRITE : ACT_READ);
    __atomic_store_n(&owners->lines[number], LINE_APART, __ATOMIC_RELEASE);
    *now = LINE_APART;
    return true;
}

/* An access with a key to the words of a line that the key names. */
static void touch_line(struct emulation *emulation, const struct owners *owners, uint64_t number, uint64_t key,
                       bool write)
{
    uint64_t *line = &owners->lines[number];
    uint32_t *words = &owners->words[number * LINE_WORDS];
    uint64_t now = __atomic_load_n(line, __ATOMIC_ACQUIRE);
    for (;;) {
        if (now == (key | KEY_WRITTEN) || (!write && (now == key || now == LINE_READ_BY_MANY)))
            return;
        if (now == LINE_APART) {
            spread(emulation, words, key, write ? ACT_WRITE : ACT_READ);
            return;
        }
        if (now == LINE_READ_BY_MANY) {
            proof_refute(emulation, PROVE_GLOBAL);
            return;
        }
        bool const fresh = now == LINE_UNTOUCHED || now == key;
        if (now == LINE_LOCKED)
            now = __atomic_load_n(line, __ATOMIC_ACQUIRE);
        else if (fresh && change(owners, number, &now, key | (write ? KEY_WRITTEN : 0)))
            return;
        else if (!fresh && !write && !(now & KEY_WRITTEN)) {
            uint64_t const row = key_of_row(key);
            if (now == row || change(owners, number, &now, key_of_row(now) == row ? row : LINE_READ_BY_MANY))
                return;
        } else if (!fresh) {
            take_apart(emulation, owners, number, &now);
        }
    }
}

/* Many lanes read a place in this line. */
static void touch_by_many(struct emulation *emulation, const struct owners *owners, uint64_t number,
                          unsigned first_word, unsigned count)
{
    uint64_t *line = &owners->lines[number];
    uint32_t *words = &owners->words[number * LINE_WORDS];
    uint64_t now = __atomic_load_n(line, __ATOMIC_ACQUIRE);
    while (now != LINE_READ_BY_MANY) {
        if (now == LINE_APART) {
            for (unsigned i = first_word; i < first_word + count; i++)
                touch_word(emulation, &words[i], 0, ACT_READ_BY_MANY);
            return;
        }
        if (now == LINE_LOCKED)
            now = __atomic_load_n(line, __ATOMIC_ACQUIRE);
        else if (now & KEY_WRITTEN && now > LINE_LOCKED)
            take_apart(emulation, owners, number, &now);
        else if (change(owners, number, &now, LINE_READ_BY_MANY))
            return;
    }
}

/* One thread accesses a word, or a part of it. */
static void touch_alone(struct emulation *emulation, const struct owners *owners, uint64_t word, uint64_t thread,
                        unsigned pattern, enum act act)
{
    uint64_t const number = word / LINE_WORDS;
    uint64_t *line = &owners->lines[number];
    uint32_t *words = &owners->words[number * LINE_WORDS];
    uint64_t now = __atomic_load_n(line, __ATOMIC_ACQUIRE);
    while (now != LINE_APART) {
        if (now == LINE_READ_BY_MANY) {
            if (act != ACT_READ)
                proof_refute(emulation, PROVE_GLOBAL);
            return;
        }
        if (now == LINE_LOCKED)
            now = __atomic_load_n(line, __ATOMIC_ACQUIRE);
        else
            take_apart(emulation, owners, number, &now);
    }
    touch_word(emulation, &words[word % LINE_WORDS], owner_of(thread, pattern), act);
}

/* ---- accesses ---- */

static void touch_half(struct warp *w, const struct region *r, uint64_t first, unsigned first_lane, unsigned halves,
                       const struct proof_access *access, uint64_t bytes)
{
    struct emulation *emulation = w->worker->emulation;
    uint64_t const from = first - r->base, to = from + bytes;
    for (uint64_t line = from / PROOF_LINE; line * PROOF_LINE < to; line++)
        touch_line(emulation, r->owners, line, key_of(w, line * PROOF_LINE, from, first_lane, access->bytes, halves),
                   access->store);
}

bool proof_check_global(struct warp *w, const struct op *op, const struct region *r, const struct proof_access *access)
{
    const struct access *form = op->extra;
    bool const plain = !form->strong && (access->run[0] || !access->store) && (access->run[1] || !access->store);
    if (!plain || (!r->read_only && !r->shared_by_all))
        return false;
    for (unsigned half = 0; half < 2 && access->store && r->owners; half++)
        proof_keep(w, r, access->first[half], proof_bytes(access, half));
    for (unsigned half = 0; half < 2; half++)
        if (!unwritten_global_run(r, access->first[half] - r->base, proof_bytes(access, half), access->store))
            return false;
    w->worker->time++;
    if (!r->owners)
        return true;
    uint32_t const half_run = WARP_LANES / 2 * access->bytes;
    if (access->run[0] && access->run[1] && access->first[1] - access->first[0] == half_run) {
        touch_half(w, r, access->first[0], 0, 3, access, 2 * half_run);
        return true;
    }
    for (unsigned half = 0; half < 2; half++) {
        uint64_t const offset = access->first[half] - r->base;
        if (access->run[half])
            touch_half(w, r, access->first[half], half * WARP_LANES / 2, 1u << half, access, half_run);
        else
            touch_by_many(w->worker->emulation, r->owners, offset / PROOF_LINE, offset % PROOF_LINE / WORD,
                          access->bytes / WORD);
    }
    return true;
}

bool proof_check_narrow(struct warp *w, const struct op *op, const struct region *r, const uint64_t *addresses)
{
    const struct access *form = op->extra;
    uint64_t const from = addresses[0] - r->base, all = form->bytes * (uint64_t)WARP_LANES;
    uint64_t apart = 0;
    if (form->space != PTX_SPACE_GLOBAL || form->bytes >= WORD || form->elements != 1 || form->strong || from % WORD ||
        from >= r->size || all > r->size - from || (!r->read_only && !r->shared_by_all))
        return false;
    for (unsigned l = 0; l < WARP_LANES; l++)
        apart |= addresses[l] - addresses[0] - l * (uint64_t)form->bytes;
    if (apart)
        return false;
    if (form->store && r->owners)
        proof_keep(w, r, addresses[0], (unsigned)all);
    if (!unwritten_global_run(r, from, (uint32_t)all, form->store))
        return false;
    w->worker->time++;
    unsigned const neighbours = WORD / form->bytes, pattern = form->bytes == 1 ? PROOF_BYTES : PROOF_HALVES;
    uint64_t const thread = (w->block->number * w->worker->emulation->warps + w->number) * WARP_LANES;
    for (unsigned i = 0; r->owners && i < WARP_LANES / neighbours; i++)
        touch_alone(w->worker->emulation, r->owners, from / WORD + i, thread + (uint64_t)i * neighbours, pattern,
                    form->store ? ACT_WRITE : ACT_READ);
    return true;
}

/* Whether a word of a line needs no look: the line says that the access changes nothing. */
static inline bool is_settled(uint64_t line, uint64_t thread, unsigned word, enum act act)
{
    if (line == LINE_READ_BY_MANY)
        return act == ACT_READ;
    return line > LINE_LOCKED && act != ACT_ATOMIC && (act == ACT_READ || line & KEY_WRITTEN) &&
           key_thread(line, word) == thread + 1;
}

/* Whole words of one lane: of 32 bytes, they may lie in two lines. */
static inline void touch_words(struct emulation *emulation, const struct owners *owners, uint64_t first, unsigned count,
                               uint64_t thread, enum act act)
{
    uint64_t line = 0;
    uint32_t const owner = owner_of(thread, PROOF_WHOLE);
    for (uint64_t word = first; word < first + count; word++) {
        if (word == first || word % LINE_WORDS == 0)
            line = __atomic_load_n(&owners->lines[word / LINE_WORDS], __ATOMIC_ACQUIRE);
        if (is_settled(line, thread, word % LINE_WORDS, act))
            continue;
        if (line == LINE_APART)
            touch_word(emulation, &owners->words[word], owner, act);
        else
            touch_alone(emulation, owners, word, thread, PROOF_WHOLE, act);
    }
}

bool proof_check_lanes(struct warp *w, const struct op *op, const struct region *r, uint32_t mask,
                       const uint64_t *addresses, bool atomic)
{
    const struct access *form = op->extra;
    struct emulation *emulation = w->worker->emulation;
    unsigned const bytes = form->total;
    bool const store = form->store && !atomic;
    enum act const act = atomic ? ACT_ATOMIC : store ? ACT_WRITE : ACT_READ;
    if ((form->strong && !atomic) || (!r->read_only && !r->shared_by_all))
        return false;
    if (!unwritten_global_lanes(r, bytes, mask, addresses, store))
        return false;
    w->worker->time++;
    if (!r->owners)
        return true;
    uint64_t const warp = (w->block->number * emulation->warps + w->number) * WARP_LANES;
    EACH_LANE(l, mask)
    {
        uint64_t const offset = addresses[l] - r->base;
        unsigned before;
        if (store)
            proof_keep(w, r, addresses[l], bytes);
        if (bytes >= WORD) {
            touch_words(emulation, r->owners, offset / WORD, bytes / WORD, warp + l, act);
            continue;
        }
        enum proof_pattern const pattern = proof_share(offset, bytes, l, &before);
        touch_alone(emulation, r->owners, offset / WORD, warp + l - before, pattern, act);
    }
    return true;
}

static bool access_global(struct warp *w, const struct check_access *access)
{
    struct emulation *emulation = w->worker->emulation;
    const struct region *r = access->region;
    uint64_t const offset = access->address - r->base,
                   thread = (w->block->number * emulation->warps + w->number) * WARP_LANES + access->lane;
    if (!r->owners)
        return true;
    if (access->copy || (access->strong && !access->atomic)) {
        proof_refute(emulation, PROVE_GLOBAL);
        return true;
    }
    enum act const act = access->atomic ? ACT_ATOMIC : access->writes ? ACT_WRITE : ACT_READ;
    if (access->bytes < WORD) {
        unsigned first;
        enum proof_pattern const pattern = proof_share(offset, access->bytes, access->lane, &first);
        touch_alone(emulation, r->owners, offset / WORD, thread - first, pattern, act);
        return true;
    }
    for (unsigned i = 0; i < access->bytes; i += WORD)
        touch_alone(emulation, r->owners, (offset + i) / WORD, thread, PROOF_WHOLE, act);
    return true;
}

const struct checker check_proof_global = {.start = start, .finish = finish, .global = access_global};
