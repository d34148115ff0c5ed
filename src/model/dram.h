/* DRAM rows under an open-row policy, in request order. Each 32-byte burst is a row-buffer hit, a miss (its bank has no
 * open row) or a conflict (another row of the bank must be closed first). This is a model: NVIDIA does not publish the
 * real address mapping. */
#ifndef LANESCOPE_MODEL_DRAM_H
#define LANESCOPE_MODEL_DRAM_H
#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

/* Meaning of the address bits, from the highest to the lowest. Names and orders are Ramulator 2's. */
enum dram_mapping {
    DRAM_RO_BA_RA_CO_CH, /* row, bank, group, rank, pseudo-channel, column, channel */
    DRAM_CH_RA_BA_RO_CO  /* channel, pseudo-channel, rank, group, bank, row, column */
};

struct dram_preset {
    const char *name;   /* "hbm3", or "hbm3:ChRaBaRoCo" for the other mapping */
    const char *source; /* origin of the figures */
    /* each per unit of the one before, and a power of two; dram_banks gives the product */
    uint32_t channels, pseudo_channels, ranks, bank_groups, banks;
    uint32_t rows, row_bytes, burst_bytes; /* rows: per bank */
    double cl_ns, rcd_ns, rp_ns, ras_ns;
    enum dram_mapping mapping;
};
/* Returns the number of banks over all channels, at most DRAM_BANKS_MAX. */
uint32_t dram_banks(const struct dram_preset *preset);
/* Returns the preset of a name, or NULL: "classroom", "gddr6", "hbm2" and "hbm3", each also with ":ChRaBaRoCo"
 * appended. dram_presets returns all of them; NULL ends the list. */
const struct dram_preset *dram_preset(const char *name);
/* The preset for a file or a trace unless the user chooses another: the memory of the GPU whose clock is the default.
 * Lessons name their own. */
#define DRAM_OF_FILES "hbm3"
const struct dram_preset *const *dram_presets(void);

enum dram_outcome { DRAM_HIT, DRAM_MISS, DRAM_CONFLICT };
struct dram_access {
    enum dram_outcome outcome;
    uint32_t bank;                    /* number over all channels: the channel changes slowest, the bank fastest */
    uint64_t row, column, closed_row; /* column: in bursts; closed_row: of a conflict */
};

enum { DRAM_BANKS_MAX = 1024 };
struct dram {
    const struct dram_preset *preset;
    bool open[DRAM_BANKS_MAX];
    uint64_t row[DRAM_BANKS_MAX];
    uint64_t requests, hits, misses, conflicts;
};
/* Returns bank, row and column of a byte address. Changes no state, so outcome is not set. */
struct dram_access dram_locate(const struct dram_preset *preset, uint64_t address);
/* Returns the bytes, a power of two, of the aligned pieces of memory of which each lies in one row of one bank. */
uint64_t dram_row_span(const struct dram_preset *preset);
/* Where such a piece lies, which is asked for again and again. */
struct dram_span {
    uint64_t name; /* 1 + its number: address / dram_row_span; 0: none */
    uint64_t row;
    uint32_t bank;
};
/* Returns where the piece with a byte address lies, which has this number. spans: some places for the last ones, a
 * power of two, zeroed at first. */
static inline const struct dram_span *dram_span_of(const struct dram_preset *preset, struct dram_span *spans,
                                                   size_t places, uint64_t number, uint64_t address)
{
    struct dram_span *span = &spans[number & (places - 1)];
    if (span->name != number + 1) {
        struct dram_access const access = dram_locate(preset, address);
        *span = (struct dram_span){.name = number + 1, .row = access.row, .bank = access.bank};
    }
    return span;
}
/* Closes all rows and clears the counts. */
void dram_reset(struct dram *dram, const struct dram_preset *preset);
/* Performs one burst in a row of a bank: opens the row, counts the outcome and returns it. */
static inline enum dram_outcome dram_open(struct dram *dram, uint32_t bank, uint64_t row)
{
    enum dram_outcome const outcome = !dram->open[bank] ? DRAM_MISS : dram->row[bank] == row ? DRAM_HIT : DRAM_CONFLICT;
    dram->requests++;
    dram->hits += outcome == DRAM_HIT;
    dram->misses += outcome == DRAM_MISS;
    dram->conflicts += outcome == DRAM_CONFLICT;
    dram->open[bank] = true;
    dram->row[bank] = row;
    return outcome;
}
/* The same at a byte address. */
struct dram_access dram_request(struct dram *dram, uint64_t address);
#endif
