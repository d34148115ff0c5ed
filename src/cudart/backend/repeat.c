#include "cudart/backend/repeat.h"
#include "base/memory.h"
#include "cudart/backend/hash.h"
#include <stdlib.h>
#include <string.h>

enum { KNOWN = 256, OUTCOMES = 4, BITS = 64 };
enum { TRIES = 6 }; /* in a row for nothing; then only each time that their number has doubled */
/* Bytes to hash for a warp instruction that need not be executed, at most. Hashing 64 B takes some 6 ns, a checked warp
 * instruction 20 to 100 ns. What is executed thus depends on no clock. */
enum { BYTES_PER_INSTRUCTION = 64 };
enum { FIRST_INSTRUCTIONS = 16 };    /* of a warp: a guess, before a kernel runs for the first time */
enum { LAUNCH_INSTRUCTIONS = 2000 }; /* in whose time a launch without any begins and ends */
/* Bytes of all outcomes: as much for every launch, and more for one that is not the first of its kind. */
static const uint64_t kept_always = 64 << 20, kept_most = 1 << 30;
enum { MEMORY_SHARE = 16 }; /* of the memory that is free, at most */

/* An allocation that a launch used, or may have: what it was before and behind it. */
struct used {
    uint64_t address, size;
    XXH128_hash_t before, after;
    uint8_t *data;     /* behind it, where it changed it; NULL: it did not, or it is not kept */
    uint64_t *written; /* the same */
};

/* What a launch on some state of the memory did. */
struct outcome {
    bool settled;        /* nothing that it changed was read: on what it left it does the same, and changes nothing */
    bool kept;           /* the changes are: it can be repeated on what it found */
    XXH128_hash_t names; /* of the allocations, where findings name them */
    struct used *used;   /* by address */
    size_t used_count;
    uint64_t bytes; /* of the changes */
    struct run *run;
    struct repeat_result result;
};

/* A launch by kernel, shape and arguments. */
struct known {
    bool used;
    XXH128_hash_t key;
    bool executed;
    uint64_t instructions;     /* of warps, in its last execution */
    uint64_t written;          /* bytes of the allocations that it wrote to, or may have */
    uint64_t in_vain, to_skip; /* tries since one was good; launches until the next try */
    struct outcome outcomes[OUTCOMES];
    unsigned outcome_count, next_outcome;
};

static struct known known[KNOWN];
static unsigned known_next;
static uint64_t kept;
/* Instructions of warps, and LAUNCH_INSTRUCTIONS for each launch, that no hashes were paid with. */
static uint64_t executed;

static struct {
    struct known *known;   /* of the launch that is executed now; NULL: none is looked after */
    bool hashed;           /* then: its memory was */
    XXH128_hash_t *hashes; /* of each allocation before it */
    size_t capacity;
    uint64_t since; /* by runtime.changes: hashes made later hold for memory that the host can write, too */
} now;

static void drop_changes(struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->used_count; i++) {
        free(outcome->used[i].data);
        free(outcome->used[i].written);
        outcome->used[i].data = NULL;
        outcome->used[i].written = NULL;
    }
    kept -= outcome->bytes;
    outcome->bytes = 0;
}

static void drop_outcome(struct outcome *outcome)
{
    drop_changes(outcome);
    free(outcome->used);
    if (outcome->run)
        launch_release_run(outcome->run);
    *outcome = (struct outcome){0};
}

static void drop_known(struct known *k)
{
    for (unsigned i = 0; i < k->outcome_count; i++)
        drop_outcome(&k->outcomes[i]);
    *k = (struct known){0};
}

/* ---- the launch ---- */

static XXH128_hash_t key_of(const struct kernel_launch *p)
{
    XXH3_state_t *state = XXH3_createState();
    XXH128_hash_t key = {0};
    if (!state)
        return key;
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, &p->kernel, sizeof p->kernel);
    XXH3_128bits_update(state, p->launch.grid, sizeof p->launch.grid);
    XXH3_128bits_update(state, p->launch.block, sizeof p->launch.block);
    XXH3_128bits_update(state, &p->launch.shared_bytes, sizeof p->launch.shared_bytes);
    XXH3_128bits_update(state, &p->cooperative, sizeof p->cooperative);
    for (uint32_t i = 0; i < p->launch.argument_count; i++)
        XXH3_128bits_update(state, p->launch.arguments[i].bytes, p->launch.arguments[i].size);
    key = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return key;
}

static struct known *known_of(XXH128_hash_t key)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].used && XXH128_isEqual(known[i].key, key))
            return &known[i];
    return NULL;
}

/* ---- the memory ---- */

static bool is_live(const struct allocation *a)
{
    return !a->freed && a->size && a->data && a->kind != ALLOCATION_ARRAY; /* no kernel reaches an array */
}

/* The host writes memory of its own whenever it likes, and managed memory until a launch closes it. */
static bool is_open(const struct allocation *a)
{
    return (a->kind == ALLOCATION_MANAGED && !a->closed) || a->kind == ALLOCATION_HOST ||
           a->kind == ALLOCATION_REGISTERED;
}

static bool is_stale(const struct allocation *a)
{
    return (is_open(a) && a->hashed_at <= now.since) || !a->hashed_at || a->hashed_at < a->changed_at ||
           a->hashed_at < runtime.all_changed_at;
}

static size_t written_bytes(const struct allocation *a)
{
    return a->written ? (a->size + BITS - 1) / BITS * sizeof(uint64_t) : 0;
}

static XXH128_hash_t hash_of(const struct allocation *a)
{
    XXH128_hash_t hash = hash_memory(a->data, a->size);
    if (!a->written)
        return hash;
    XXH128_hash_t const both[2] = {hash, hash_memory(a->written, written_bytes(a))};
    return XXH3_128bits(both, sizeof both);
}

static void set_hash(struct allocation *a, XXH128_hash_t hash)
{
    a->hash[0] = hash.low64;
    a->hash[1] = hash.high64;
    a->hashed_at = ++runtime.changes;
}

static XXH128_hash_t get_hash(const struct allocation *a)
{
    return (XXH128_hash_t){a->hash[0], a->hash[1]};
}

static int by_address(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b; /* each begins with it */
    return (*x > *y) - (*x < *y);
}

static const struct used *used_of(const struct outcome *outcome, const struct allocation *a)
{
    return outcome->used_count
               ? bsearch(&a->address, outcome->used, outcome->used_count, sizeof *outcome->used, by_address)
               : NULL;
}

/* Whether the outcomes of a launch depend on an allocation: on every one as long as there are none. */
static bool matters(const struct known *k, const struct allocation *a)
{
    for (unsigned i = 0; k && i < k->outcome_count; i++)
        if (used_of(&k->outcomes[i], a))
            return true;
    return !k || !k->outcome_count;
}

/* Returns the bytes whose hashes are not known. k: only of the memory that matters to this launch. */
static uint64_t unhashed(const struct known *k)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        if (is_live(a) && is_stale(a) && matters(k, a))
            bytes += a->size + written_bytes(a);
    }
    return bytes;
}

/* Brings their hashes up to date. */
static void hash_all(const struct known *k)
{
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        struct allocation *a = &runtime.allocations.items[i];
        if (is_live(a) && is_stale(a) && matters(k, a))
            set_hash(a, hash_of(a));
    }
}

/* Returns a hash of what findings call the allocations. */
static XXH128_hash_t hash_names(void)
{
    XXH3_state_t *state = XXH3_createState();
    XXH128_hash_t hash = {0};
    if (!state)
        return hash;
    XXH3_128bits_reset(state);
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        if (!is_live(a))
            continue;
        uint64_t const place[2] = {a->address, (uint64_t)a->number << 1 | a->read_only};
        XXH3_128bits_update(state, place, sizeof place);
        XXH3_128bits_update(state, a->name ? a->name : "", a->name ? strlen(a->name) : 0);
    }
    hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return hash;
}

/* Returns what a run did with an allocation; NULL: nobody knows. */
static const struct launch_use *use_of(const struct run *run, const struct allocation *a)
{
    return run->use_count ? bsearch(&a->address, run->uses, run->use_count, sizeof *run->uses, by_address) : NULL;
}

/* The hashes of what a launch may have written hold no longer. Returns the bytes of that. */
static uint64_t note_changes(const struct run *run, bool good)
{
    uint64_t const change = ++runtime.changes;
    uint64_t bytes = 0;
    if (!good)
        runtime.all_changed_at = change;
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        struct allocation *a = &runtime.allocations.items[i];
        const struct launch_use *use = good ? use_of(run, a) : NULL;
        if (use && !use->written)
            continue;
        a->changed_at = change;
        bytes += is_live(a) ? a->size + written_bytes(a) : 0;
    }
    return bytes;
}

/* ---- outcomes ---- */

static void apply(const struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->used_count; i++) {
        const struct used *used = &outcome->used[i];
        struct allocation *a = used->data ? space_find(used->address) : NULL;
        if (!a)
            continue;
        memcpy(a->data, used->data, a->size);
        if (a->written)
            memcpy(a->written, used->written, written_bytes(a));
        set_hash(a, used->after);
    }
}

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size ? size : 1);
    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

/* Returns how many bytes all outcomes may have together. */
static uint64_t room(const struct known *k)
{
    uint64_t const share = (memory_available() + kept) / MEMORY_SHARE;
    return !k->executed || share < kept_always ? kept_always : share < kept_most ? share : kept_most;
}

/* Takes down what the launch used, and whether it read nothing that it changed: then it reads the same when it begins
 * with what it left. Returns false without memory. */
static bool take_used(struct outcome *outcome, const struct run *run)
{
    outcome->settled = true;
    outcome->used = calloc(runtime.allocations.count + 1, sizeof *outcome->used);
    if (!outcome->used)
        return false;
    now.since = runtime.changes;
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        struct allocation *a = &runtime.allocations.items[i];
        const struct launch_use *use = use_of(run, a);
        if (!is_live(a) || (use && !use->read && !use->written))
            continue;
        if (is_stale(a))
            set_hash(a, hash_of(a));
        struct used *used = &outcome->used[outcome->used_count++];
        *used = (struct used){.address = a->address, .size = a->size, .before = now.hashes[i], .after = get_hash(a)};
        if (!XXH128_isEqual(used->before, used->after)) {
            outcome->bytes += a->size + written_bytes(a);
            outcome->settled &= use && !use->read;
        }
    }
    qsort(outcome->used, outcome->used_count, sizeof *outcome->used, by_address);
    kept += outcome->bytes; /* as drop_changes expects */
    return true;
}

/* Takes down what the launch changed. Returns false if that is too much. */
static bool take_changes(struct outcome *outcome, const struct known *k)
{
    if (outcome->bytes && kept > kept_always && kept > room(k))
        return false;
    for (size_t i = 0; i < outcome->used_count; i++) {
        struct used *used = &outcome->used[i];
        if (XXH128_isEqual(used->before, used->after))
            continue;
        const struct allocation *a = space_find(used->address);
        used->data = copy_of(a->data, a->size);
        used->written = a->written ? copy_of(a->written, written_bytes(a)) : NULL;
        if (!used->data || (a->written && !used->written))
            return false;
    }
    return true;
}

/* Gives up the outcomes of launches that no longer find theirs, where the room for changes is used up. */
static void make_room(void)
{
    for (size_t i = 0; i < KNOWN && kept > kept_always / 2; i++)
        if (known[i].used && known[i].in_vain >= TRIES)
            drop_known(&known[i]);
}

/* ---- a launch ---- */

static bool is_wanted(void)
{
    const char *word = getenv("LANESCOPE_REPEATS");
    return !word || strcmp(word, "execute") != 0;
}

static void note_try(struct known *k, bool good)
{
    k->in_vain = good ? 0 : k->in_vain + 1;
    k->to_skip = k->in_vain < TRIES ? 0 : k->in_vain < BITS ? k->in_vain * k->in_vain : k->in_vain * BITS;
}

static uint64_t first_instructions(const struct launch *launch)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    uint64_t const threads = (uint64_t)block[0] * block[1] * block[2];
    return (uint64_t)grid[0] * grid[1] * grid[2] * (threads / 32 + 1) * FIRST_INSTRUCTIONS;
}

/* Whether hashes of so many bytes cost less than the launch, or than the launches that were executed since hashes were
 * paid for last: memory that stays as it is need not be hashed again for the next launch. Pays for them then. */
static bool is_worth_it(const struct known *k, uint64_t bytes)
{
    uint64_t const cost = bytes / BYTES_PER_INSTRUCTION;
    if (cost >= k->instructions + LAUNCH_INSTRUCTIONS && cost >= executed)
        return false;
    executed -= cost < executed ? cost : executed;
    return true;
}

static bool keep_hashes(void)
{
    if (now.capacity <= runtime.allocations.count) { /* also where there are none */
        free(now.hashes);
        now.capacity = 2 * runtime.allocations.count + 1;
        now.hashes = calloc(now.capacity, sizeof *now.hashes);
    }
    if (!now.hashes) {
        now.capacity = 0;
        return false;
    }
    for (size_t i = 0; i < runtime.allocations.count; i++)
        now.hashes[i] = get_hash(&runtime.allocations.items[i]);
    return true;
}

/* Whether all memory that a launch used is as it was before it, or `behind` it. */
static bool is_there(const struct outcome *outcome, bool behind)
{
    for (size_t i = 0; i < outcome->used_count; i++) {
        const struct used *used = &outcome->used[i];
        const struct allocation *a = space_find(used->address);
        if (!a || !is_live(a) || a->address != used->address || a->size != used->size ||
            !XXH128_isEqual(get_hash(a), behind ? used->after : used->before))
            return false;
    }
    return true;
}

/* Returns the outcome of a launch on this memory, which is then as that launch left it; NULL: there is none. */
static const struct outcome *find_outcome(const struct known *k)
{
    for (unsigned i = 0; i < k->outcome_count; i++) {
        const struct outcome *outcome = &k->outcomes[i];
        bool const again = outcome->settled && is_there(outcome, true);
        if (!again && !(outcome->kept && is_there(outcome, false)))
            continue;
        if (outcome->run->trace->finding_count && !XXH128_isEqual(outcome->names, hash_names()))
            continue;
        if (!again)
            apply(outcome);
        return outcome;
    }
    return NULL;
}

const struct repeat_result *repeat_begin(const struct kernel_launch *launch)
{
    now.known = NULL;
    now.hashed = false;
    now.since = runtime.changes;
    if (!is_wanted() || launch->launch.heap)
        return NULL;
    XXH128_hash_t const key = key_of(launch);
    struct known *k = known_of(key);
    if (!k) {
        k = &known[known_next++ % KNOWN];
        drop_known(k);
        *k = (struct known){.used = true, .key = key, .instructions = first_instructions(&launch->launch)};
        now.known = k;
        if (is_worth_it(k, unhashed(NULL))) {
            hash_all(NULL);
            now.hashed = keep_hashes();
        }
        return NULL;
    }
    now.known = k;
    if (k->to_skip) {
        k->to_skip--;
        return NULL;
    }
    if (!is_worth_it(k, unhashed(k)))
        return NULL;
    hash_all(k);
    const struct outcome *outcome = find_outcome(k);
    if (outcome) {
        note_try(k, true);
        now.known = NULL;
        return &outcome->result;
    }
    note_try(k, false);
    if (!is_worth_it(k, unhashed(NULL) + k->written))
        return NULL;
    hash_all(NULL);
    now.hashed = keep_hashes();
    return NULL;
}

bool repeat_end(struct run *run, double model_us, bool good, bool may_keep)
{
    struct known *k = now.known;
    uint64_t const written = note_changes(run, good);
    executed += run->counts.totals.warp_instructions + LAUNCH_INSTRUCTIONS;
    now.known = NULL;
    if (!k)
        return false;
    k->instructions = may_keep ? run->counts.totals.warp_instructions : 0;
    k->written = written;
    if (!may_keep || !now.hashed)
        return false;
    struct outcome outcome = {.result = {run, runtime.launches, model_us}};
    make_room();
    if (!take_used(&outcome, run))
        return false;
    outcome.kept = take_changes(&outcome, k);
    k->executed = true;
    if (!outcome.kept)
        drop_changes(&outcome);
    if (!outcome.kept && !outcome.settled) {
        free(outcome.used);
        return false;
    }
    outcome.names = run->trace->finding_count ? hash_names() : (XXH128_hash_t){0};
    outcome.run = run;
    struct outcome *place = &k->outcomes[k->next_outcome++ % OUTCOMES];
    if (k->outcome_count == OUTCOMES)
        drop_outcome(place);
    else
        k->outcome_count++;
    *place = outcome;
    return true;
}
