/* What the kernel wrote over, while its launch is being proved: each line as it was before. */
#include "emulator/check/proof_memory.h"
#include <string.h>

enum { SAVE_NOT, SAVE_BEGUN, SAVE_DONE };

/* Returns whether the caller is the one to save the line. */
static bool begin_save(uint8_t *state)
{
    uint8_t before = SAVE_NOT;
    if (__atomic_compare_exchange_n(state, &before, SAVE_BEGUN, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
        return true;
    while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != SAVE_DONE) /* another worker copies it */
        ;
    return false;
}

static uint64_t bytes_in_line(const struct region *r, uint64_t line)
{
    uint64_t const left = r->size - line * PROOF_LINE;
    return left < PROOF_LINE ? left : PROOF_LINE;
}

static unsigned marks_in_line(const struct region *r, uint64_t line)
{
    return r->written ? (unsigned)((bytes_in_line(r, line) + MARK_BYTES - 1) / MARK_BYTES) : 0;
}

/* Returns whether there is room for a further line of the worker. */
static bool has_room(struct worker *worker)
{
    struct saved *saved = worker->saved;
    if (saved && saved->count < saved->most)
        return true;
    struct saved *more = saved_new(saved != NULL);
    if (!more)
        return false;
    more->before = saved;
    worker->saved = more;
    return true;
}

static void save(struct worker *worker, const struct region *r, uint64_t line)
{
    if (!has_room(worker)) { /* what is about to be written could not be undone */
        worker->emulation->failed = true;
        return;
    }
    struct saved_line *kept = &worker->saved->lines[worker->saved->count++];
    kept->region = r, kept->line = line;
    memcpy(kept->bytes, r->host + line * PROOF_LINE, bytes_in_line(r, line));
    for (unsigned i = 0; i < marks_in_line(r, line); i++)
        kept->written[i] = __atomic_load_n(&r->written[line * MARKS + i], __ATOMIC_RELAXED);
}

void proof_keep(struct warp *w, const struct region *r, uint64_t address, unsigned bytes)
{
    uint64_t const from = address - r->base;
    for (uint64_t line = from / PROOF_LINE; r->owners && line * PROOF_LINE < from + bytes; line++) {
        uint8_t *state = &r->owners->saved[line];
        if (__atomic_load_n(state, __ATOMIC_ACQUIRE) == SAVE_DONE || !begin_save(state))
            continue;
        owners_use(r->owners, line);
        save(w->worker, r, line);
        __atomic_store_n(state, SAVE_DONE, __ATOMIC_RELEASE);
    }
}

void proof_undo(const struct worker *worker)
{
    for (const struct saved *saved = worker->saved; saved; saved = saved->before)
        for (unsigned i = 0; i < saved->count; i++) {
            const struct saved_line *kept = &saved->lines[i];
            const struct region *r = kept->region;
            memcpy(r->host + kept->line * PROOF_LINE, kept->bytes, bytes_in_line(r, kept->line));
            for (unsigned k = 0; k < marks_in_line(r, kept->line); k++)
                r->written[kept->line * MARKS + k] = kept->written[k];
        }
}

void proof_forget(struct worker *worker)
{
    while (worker->saved) {
        struct saved *before = worker->saved->before;
        saved_free(worker->saved);
        worker->saved = before;
    }
}
