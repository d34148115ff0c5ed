#include "emulator/check/proof_memory.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SPARE_OWNERS = 64 };
static const size_t small_owners = 4 << 10; /* bytes of owners that need no mapping of their own */
/* Bytes of spare memory: this much at least, or a share of what is free; and those of owners that are left when a
 * program uses other sizes. */
static const size_t spare_least = 1 << 30, spare_unused = 256 << 20;
enum { SPARE_SHARE = 4 };
/* The bytes of a worker's first piece of saved lines, and of each one behind it, which are in large pages. */
static const size_t saved_bytes[] = {80 << 10, 4 << 20};

static struct {
    pthread_mutex_t lock;
    struct {
        void *all;
        size_t bytes, used; /* of the mapping; of them, what has memory */
    } owners[SPARE_OWNERS];
    size_t owners_used;
    struct saved *saved[2]; /* small and large ones */
    size_t saved_bytes;     /* of both */
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_room(size_t bytes)
{
    size_t const all = spare.owners_used + spare.saved_bytes + bytes;
    return all <= spare_least || all <= memory_available() / SPARE_SHARE;
}

/* ---- owners ---- */

static void *map(size_t bytes)
{
    void *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    memory_prefer_large_pages(all, bytes);
    return all;
}

static void unmap_spare(unsigned i)
{
    munmap(spare.owners[i].all, spare.owners[i].bytes);
    spare.owners_used -= spare.owners[i].used;
    spare.owners[i].all = NULL;
}

/* Returns spare memory of this size, as the last launch left it, or NULL. */
static void *take_spare(size_t bytes)
{
    void *all = NULL;
    pthread_mutex_lock(&spare.lock);
    for (unsigned i = 0; i < SPARE_OWNERS && !all; i++)
        if (spare.owners[i].all && spare.owners[i].bytes == bytes) {
            all = spare.owners[i].all;
            spare.owners[i].all = NULL;
            spare.owners_used -= spare.owners[i].used;
        }
    for (unsigned i = 0; i < SPARE_OWNERS && !all && spare.owners_used > spare_unused; i++)
        if (spare.owners[i].all) /* the program uses other sizes now */
            unmap_spare(i);
    pthread_mutex_unlock(&spare.lock);
    return all;
}

static void clear(const struct owners *owners)
{
    for (uint64_t i = 0; i < owners->chunk_count; i++) {
        if (!(owners->chunks[i] & CHUNK_USED))
            continue;
        uint64_t const first = i * CHUNK_LINES, left = owners->line_count - first;
        uint64_t const count = left < CHUNK_LINES ? left : CHUNK_LINES;
        memset(owners->lines + first, 0, count * sizeof *owners->lines);
        memset(owners->saved + first, 0, count);
        owners->chunks[i] = CHUNK_KEPT;
    }
}

struct owners *owners_new(struct emulation *emulation, const struct region *r)
{
    struct owners *owners = arena_new(emulation->arena, struct owners);
    owners->line_count = (r->size + PROOF_LINE - 1) / PROOF_LINE;
    owners->chunk_count = (owners->line_count + CHUNK_LINES - 1) / CHUNK_LINES;
    uint64_t const words = owners->line_count * PROOF_LINE_WORDS;
    owners->bytes = owners->line_count * (sizeof *owners->lines + sizeof *owners->saved) +
                    words * sizeof *owners->words + owners->chunk_count;
    bool const small = owners->bytes <= small_owners;
    owners->lines = small ? calloc(1, owners->bytes) : take_spare(owners->bytes);
    bool const spared = !small && owners->lines;
    if (!owners->lines && !small)
        owners->lines = map(owners->bytes);
    if (!owners->lines)
        return NULL;
    owners->words = (uint32_t *)(owners->lines + owners->line_count);
    owners->saved = (uint8_t *)(owners->words + words);
    owners->chunks = owners->saved + owners->line_count;
    if (spared)
        clear(owners);
    return owners;
}

void owners_free(struct owners *owners)
{
    size_t used = 0;
    bool kept = false;
    if (owners->bytes <= small_owners) {
        free(owners->lines);
        return;
    }
    for (uint64_t i = 0; i < owners->chunk_count; i++)
        used += owners->chunks[i] ? CHUNK_LINES : 0;
    used *= sizeof *owners->lines + sizeof *owners->saved + PROOF_LINE_WORDS * sizeof *owners->words;
    pthread_mutex_lock(&spare.lock);
    bool const room = is_room(used);
    for (unsigned i = 0; i < SPARE_OWNERS && !kept && room; i++)
        if (!spare.owners[i].all) {
            spare.owners[i].all = owners->lines;
            spare.owners[i].bytes = owners->bytes;
            spare.owners[i].used = used;
            spare.owners_used += used;
            kept = true;
        }
    pthread_mutex_unlock(&spare.lock);
    if (!kept)
        munmap(owners->lines, owners->bytes);
}

/* ---- saved lines ---- */

struct saved *saved_new(bool large)
{
    size_t const bytes = saved_bytes[large];
    pthread_mutex_lock(&spare.lock);
    struct saved *saved = spare.saved[large];
    if (saved) {
        spare.saved[large] = saved->before;
        spare.saved_bytes -= bytes;
    }
    pthread_mutex_unlock(&spare.lock);
    if (!saved)
        saved = map(bytes);
    if (saved)
        *saved = (struct saved){.most = (unsigned)((bytes - sizeof *saved) / sizeof *saved->lines), .large = large};
    return saved;
}

void saved_free(struct saved *saved)
{
    size_t const bytes = saved_bytes[saved->large];
    pthread_mutex_lock(&spare.lock);
    bool const kept = is_room(bytes);
    if (kept) {
        saved->before = spare.saved[saved->large];
        spare.saved[saved->large] = saved;
        spare.saved_bytes += bytes;
    }
    pthread_mutex_unlock(&spare.lock);
    if (!kept)
        munmap(saved, bytes);
}
