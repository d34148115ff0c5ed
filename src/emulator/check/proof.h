/* The first of two steps of the search for races. Most launches need no history to be proved clean: no element of
 * memory that one thread writes is accessed by another. So the launch first runs on all processors with one owner for
 * each element (proof_global.c), in shared memory for each element between two barriers of the block (proof_shared.c).
 * Whatever is not so refutes the proof of global or of shared memory, and any finding refutes both: what the kernel
 * wrote is undone, and the launch runs again with a checker that follows every access to this memory, whose findings
 * hold (races_global.c, races_shared.c). Owners are generous only in one direction: they may refute a clean launch, but
 * they never prove one that races. */
#ifndef LANESCOPE_EMULATOR_CHECK_PROOF_H
#define LANESCOPE_EMULATOR_CHECK_PROOF_H
#include "emulator/check/check.h"
#include "emulator/memory/memory.h"

/* A word has one owner. If neighbouring threads access a byte or two of it each, it belongs to the first of them. */
enum { PROOF_WORD = 4 };
enum proof_pattern { PROOF_WHOLE, PROOF_HALVES, PROOF_BYTES };
/* Returns how an access of less than a word shares it. *first: how many lanes before this one the first of them is. */
static inline enum proof_pattern proof_share(uint64_t address, unsigned bytes, unsigned lane, unsigned *first)
{
    unsigned const neighbours = PROOF_WORD / bytes;
    *first = 0;
    if (address / bytes % neighbours != lane % neighbours)
        return PROOF_WHOLE;
    *first = lane % neighbours;
    return bytes == 1 ? PROOF_BYTES : PROOF_HALVES;
}

enum { PROOF_LINE = 128 }; /* bytes of global memory with one owner, as long as one warp access owns them */

/* An access of all lanes, in halves as memory/ finds them: see enum shape. Addresses are generic, or offsets in shared
 * memory. */
struct proof_access {
    uint64_t first[2]; /* of the first lane of each half */
    bool run[2];       /* each lane accesses the bytes behind those of the lane before; else all the same */
    uint32_t bytes;    /* of a lane: 4, 8 or 16 */
    bool store;
};

/* The bytes that one half accesses. */
static inline uint32_t proof_bytes(const struct proof_access *access, unsigned half)
{
    return access->run[half] ? WARP_LANES / 2 * access->bytes : access->bytes;
}

/* Returns the parts of memory, bits of enum proof_part, that cannot be proved in the first step. Blocks that depend on
 * each other need the order of their accesses to global memory; barrier objects, copies in the background, what the
 * kernel's malloc gives and buffers with bytes in common, that of all. Asked after decoding. */
unsigned proof_misfits(const struct emulation *emulation);
/* The proof of these parts, if there is one, has failed: the run ends soon. */
void proof_refute(struct emulation *emulation, unsigned parts);
/* Must be called before a thread writes to a buffer or a variable: keeps the bytes for proof_undo. */
void proof_keep(struct warp *w, const struct region *region, uint64_t address, unsigned bytes);
/* Gives memory the bytes, and the marks of written bytes, that this worker kept. proof_forget frees them. */
void proof_undo(const struct worker *worker);
void proof_forget(struct worker *worker);
/* All checks of such an access at once. False: lane by lane instead; nothing was noted then. */
bool proof_check_global(struct warp *w, const struct op *op, const struct region *region,
                        const struct proof_access *access);
bool proof_check_shared(struct warp *w, const struct op *op, const struct proof_access *access);

/* The same for all lanes that access a byte or two each, one behind the other, in global memory. */
bool proof_check_narrow(struct warp *w, const struct op *op, const struct region *region, const uint64_t *addresses);
/* The same for the lanes of a mask at any places: of global memory, all in one region, or of shared memory, where
 * addresses are offsets. All must be known to be inside. */
bool proof_check_lanes(struct warp *w, const struct op *op, const struct region *region, uint32_t mask,
                       const uint64_t *addresses, bool atomic);
bool proof_check_shared_lanes(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses,
                              bool atomic);

/* unwritten_global.c, unwritten_shared.c: the same for bytes in a row. Reads: whether all were written; writes: true,
 * and notes them. */
bool unwritten_global_run(const struct region *region, uint64_t offset, uint32_t bytes, bool store);
bool unwritten_global_lanes(const struct region *region, uint32_t bytes, uint32_t mask, const uint64_t *addresses,
                            bool store);
bool unwritten_shared_run(const struct block *block, uint64_t offset, uint32_t bytes, bool store);
#endif
