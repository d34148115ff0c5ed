/* DRAM rows: an open-row policy, in order: each 32-byte burst hits its bank's open row, finds the bank closed (miss) or
 * closes another row first (conflict). A model: the real address mapping is not published. */
#ifndef LANESCOPE_MODEL_DRAM_H
#define LANESCOPE_MODEL_DRAM_H
#include "base/error.h"
#include <stdint.h>

/* What the bits of an address choose, from the highest to the lowest; names and orders as in Ramulator 2. */
enum dram_mapping {
    DRAM_RO_BA_RA_CO_CH, /* row, bank, group, rank, pseudo-channel, column, channel */
    DRAM_CH_RA_BA_RO_CO  /* channel, pseudo-channel, rank, group, bank, row, column */
};

struct dram_preset {
    const char *name;   /* "hbm3", or "hbm3:ChRaBaRoCo" with the other mapping */
    const char *source; /* where its figures come from */
    uint32_t channels, pseudo_channels, ranks, bank_groups, banks; /* each within the one before; dram_banks: product */
    uint32_t rows, row_bytes, burst_bytes;                         /* rows: of a bank */
    double cl_ns, rcd_ns, rp_ns, ras_ns;
    enum dram_mapping mapping;
};
/* Banks over all channels: at most DRAM_BANKS_MAX. */
uint32_t dram_banks(const struct dram_preset *preset);
/* "classroom", "gddr6", "hbm2" and "hbm3", each also with ":ChRaBaRoCo" behind it. NULL when there is none of that
 * name. dram_presets: all of them, NULL at the end. */
const struct dram_preset *dram_preset(const char *name);
/* Of a file or a trace, unless another is chosen: the memory of the GPU whose clock is the default, too. Lessons say
 * their own. */
#define DRAM_OF_FILES "hbm3"
const struct dram_preset *const *dram_presets(void);

enum dram_outcome { DRAM_HIT, DRAM_MISS, DRAM_CONFLICT };
struct dram_access {
    enum dram_outcome outcome;
    uint32_t bank;                    /* over all channels: channels are the slowest to change, banks the fastest */
    uint64_t row, column, closed_row; /* column: in bursts; closed_row: of a conflict */
};

enum { DRAM_BANKS_MAX = 1024 };
struct dram {
    const struct dram_preset *preset;
    bool open[DRAM_BANKS_MAX];
    uint64_t row[DRAM_BANKS_MAX];
    uint64_t requests, hits, misses, conflicts;
};
/* Where a byte address lies: bank, row and column; no bank is opened. */
struct dram_access dram_locate(const struct dram_preset *preset, uint64_t address);
void dram_reset(struct dram *dram, const struct dram_preset *preset);
/* One burst at a byte address. */
struct dram_access dram_request(struct dram *dram, uint64_t address);
#endif
