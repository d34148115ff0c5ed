/* Reads of bytes of shared memory that no thread of the block wrote before. */
#include "emulator/check/fault.h"
#include "emulator/check/proof.h"
#include "emulator/memory/memory.h"
#include <stdlib.h>

enum { BITS = 64 };

struct written {     /* by a block */
    uint64_t noted;  /* worker.time of the access that was noted last: one of its lanes is enough */
    uint64_t bits[]; /* one for each byte */
};

static size_t words(const struct emulation *emulation)
{
    return emulation->shared_bytes / BITS + 1;
}

static enum check_start start(struct emulation *emulation)
{
    return emulation->shared_bytes ? CHECK_ACTIVE : CHECK_IDLE;
}

static void *block_new(const struct emulation *emulation)
{
    return calloc(1, sizeof(struct written) + words(emulation) * sizeof(uint64_t));
}

static void block_start(const struct emulation *emulation, void *state)
{
    struct written *written = state;
    memset(written->bits, 0, words(emulation) * sizeof *written->bits);
    written->noted = 0;
}

static void note(struct warp *w, const struct check_access *access, uint64_t address)
{
    const struct shared_array *array = memory_array(w->worker->emulation, address);
    struct finding found = {.form = FINDING_UNWRITTEN_SHARED,
                            .address = address,
                            .memory = fault_access(w, access->op, PTX_SPACE_SHARED, access->bytes, false)};
    found.memory.offset = (int64_t)address;
    found.memory.space_bytes = w->worker->emulation->shared_bytes;
    if (array) {
        found.memory.name = array->name, found.memory.base = array->base, found.memory.size = array->size;
        found.memory.offset -= (int64_t)array->base;
    }
    fault_note(w, access->op, access->lane, &found);
}

/* An access never lies in two words of bits: it is aligned, and a multiple of its size fits into a word. */
static bool access_shared(struct warp *w, const struct check_access *access)
{
    struct written *written = w->block->checks[CHECK_unwritten_shared];
    unsigned const first = (unsigned)(access->address % BITS);
    uint64_t *word = &written->bits[access->address / BITS], bits = ((UINT64_C(1) << access->bytes) - 1) << first;
    uint64_t const missing = bits & ~*word;
    if (access->reads && missing && written->noted != w->worker->time) {
        note(w, access, access->address - first + (unsigned)__builtin_ctzll(missing));
        written->noted = w->worker->time;
    }
    if (access->writes)
        *word |= bits;
    return true;
}

bool unwritten_shared_run(const struct block *block, uint64_t offset, uint32_t bytes, bool store)
{
    struct written *written = block->checks[CHECK_unwritten_shared];
    for (uint64_t at = offset, end = offset + bytes; written && at < end;) {
        uint64_t const left = BITS - at % BITS, some = left < end - at ? left : end - at;
        uint64_t const bits = (some == BITS ? UINT64_MAX : (UINT64_C(1) << some) - 1) << at % BITS;
        if (store)
            written->bits[at / BITS] |= bits;
        else if ((written->bits[at / BITS] & bits) != bits)
            return false;
        at += some;
    }
    return true;
}

const struct checker check_unwritten_shared = {
    .start = start, .block_new = block_new, .block_free = free, .block_start = block_start, .shared = access_shared};
