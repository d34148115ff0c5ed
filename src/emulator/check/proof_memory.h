/* The memory of the proof of global memory (proof_global.c). It is kept from launch to launch, since the system would
 * fill its pages with zeros again, and only what a launch has used is cleared for the next: many a program launches
 * small kernels on large buffers. */
#ifndef LANESCOPE_EMULATOR_CHECK_PROOF_MEMORY_H
#define LANESCOPE_EMULATOR_CHECK_PROOF_MEMORY_H
#include "emulator/check/proof.h"

enum { PROOF_LINE_WORDS = PROOF_LINE / PROOF_WORD };
enum { CHUNK_LINES = 512 };              /* lines that are cleared together */
enum { CHUNK_USED = 1, CHUNK_KEPT = 2 }; /* by this launch; by one before */

/* The owners in a region: for each line its state, and one for each of its words, cleared when it is taken apart;
 * whether the line is saved; and for each chunk of lines whether any of this is used. One mapping holds all. */
struct owners {
    uint64_t *lines;
    uint32_t *words;
    uint8_t *saved;
    uint8_t *chunks;
    uint64_t line_count, chunk_count;
    size_t bytes;
};

/* Returns owners with lines and saved of zeros, or NULL without memory. */
struct owners *owners_new(struct emulation *emulation, const struct region *r);
void owners_free(struct owners *owners);

/* Must be called when a line gets a state, or is saved. */
static inline void owners_use(const struct owners *owners, uint64_t line)
{
    uint8_t *chunk = &owners->chunks[line / CHUNK_LINES];
    if (!(__atomic_load_n(chunk, __ATOMIC_RELAXED) & CHUNK_USED)) /* other workers read it, too */
        __atomic_fetch_or(chunk, CHUNK_USED, __ATOMIC_RELAXED);
}

enum { MARK_BYTES = 64, MARKS = PROOF_LINE / MARK_BYTES }; /* a mark has a bit for each byte */
/* A piece of memory for lines as they were before the kernel wrote there. */
struct saved {
    struct saved *before; /* further ones */
    unsigned count, most; /* lines */
    bool large;
    struct saved_line {
        const struct region *region;
        uint64_t line;
        uint64_t written[MARKS]; /* of region->written */
        uint8_t bytes[PROOF_LINE];
    } lines[];
};

/* Returns a piece, or NULL without memory. large: not the first one of a worker. */
struct saved *saved_new(bool large);
void saved_free(struct saved *saved);
#endif
