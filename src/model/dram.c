/* An address is a number in a mixed base: each level of the memory (channel, rank, bank, row, column) is a digit, and a
 * mapping is the order of the digits. The remainder above the highest digit continues the row number, so that addresses
 * beyond the memory's size never share a row. */
#include "model/dram.h"
#include <stddef.h>
#include <string.h>

/* Each chip has both mappings: RoBaRaCoCh under its own name, ChRaBaRoCo after a colon. */
#define CHIP(chip, ...)                                                                                                \
    {.name = chip, .mapping = DRAM_RO_BA_RA_CO_CH, __VA_ARGS__},                                                       \
    {                                                                                                                  \
        .name = chip ":ChRaBaRoCo", .mapping = DRAM_CH_RA_BA_RO_CO, __VA_ARGS__                                        \
    }

static const struct dram_preset presets[] = {
    CHIP("classroom", .source = "round figures, small enough to draw; no such chip exists", .channels = 1,
         .pseudo_channels = 1, .ranks = 1, .bank_groups = 1, .banks = 4, .rows = 1 << 14, .row_bytes = 1024,
         .burst_bytes = 32, .cl_ns = 10, .rcd_ns = 10, .rp_ns = 10, .ras_ns = 30),
    /* A burst is 16 transfers of 16 bits. */
    CHIP("gddr6", .source = "Ramulator 2, GDDR6_8Gb_x16 and GDDR6_14000_1350mV_double; two channels", .channels = 2,
         .pseudo_channels = 1, .ranks = 1, .bank_groups = 4, .banks = 4, .rows = 1 << 14, .row_bytes = 2048,
         .burst_bytes = 32, .cl_ns = 13.7, .rcd_ns = 15.4, .rp_ns = 15.4, .ras_ns = 30.2),
    /* A burst is 4 transfers of 64 bits. */
    CHIP("hbm2", .source = "Ramulator 2, HBM2_4Gb and HBM2_2000Mbps (JESD235); one channel", .channels = 1,
         .pseudo_channels = 2, .ranks = 1, .bank_groups = 4, .banks = 4, .rows = 1 << 15, .row_bytes = 1024,
         .burst_bytes = 32, .cl_ns = 14, .rcd_ns = 14, .rp_ns = 14, .ras_ns = 34),
    /* A burst is 8 transfers of 32 bits. */
    CHIP("hbm3", .source = "Ramulator 2, HBM3_16Gb_8hi and HBM3_6400Mbps (JESD238); one channel", .channels = 1,
         .pseudo_channels = 2, .ranks = 2, .bank_groups = 4, .banks = 4, .rows = 1 << 14, .row_bytes = 1024,
         .burst_bytes = 32, .cl_ns = 12.5, .rcd_ns = 19.4, .rp_ns = 16.3, .ras_ns = 28.1),
};
static const struct dram_preset *const preset_list[] = {&presets[0], &presets[1], &presets[2], &presets[3], &presets[4],
                                                        &presets[5], &presets[6], &presets[7], NULL};

const struct dram_preset *const *dram_presets(void)
{
    return preset_list;
}

const struct dram_preset *dram_preset(const char *name)
{
    for (size_t i = 0; preset_list[i]; i++)
        if (name && strcmp(preset_list[i]->name, name) == 0)
            return preset_list[i];
    return NULL;
}

uint32_t dram_banks(const struct dram_preset *preset)
{
    return preset->channels * preset->pseudo_channels * preset->ranks * preset->bank_groups * preset->banks;
}

void dram_reset(struct dram *dram, const struct dram_preset *preset)
{
    memset(dram, 0, sizeof *dram);
    dram->preset = preset;
}

/* base: a power of two. */
static uint64_t take_digit(uint64_t *rest, uint32_t base)
{
    uint64_t const digit = *rest & (base - 1);
    *rest >>= __builtin_ctz(base);
    return digit;
}

uint64_t dram_row_span(const struct dram_preset *preset)
{
    bool const neighbours = preset->mapping == DRAM_RO_BA_RA_CO_CH && preset->channels > 1;
    return neighbours ? preset->burst_bytes : preset->row_bytes;
}

struct dram_access dram_locate(const struct dram_preset *preset, uint64_t address)
{
    uint64_t rest = address >> __builtin_ctz(preset->burst_bytes);
    uint32_t const columns = preset->row_bytes / preset->burst_bytes;
    uint64_t channel, pseudo, rank, group, bank, column, row;
    if (preset->mapping == DRAM_RO_BA_RA_CO_CH) {
        channel = take_digit(&rest, preset->channels);
        column = take_digit(&rest, columns);
        pseudo = take_digit(&rest, preset->pseudo_channels);
        rank = take_digit(&rest, preset->ranks);
        group = take_digit(&rest, preset->bank_groups);
        bank = take_digit(&rest, preset->banks);
        row = rest;
    } else {
        column = take_digit(&rest, columns);
        row = take_digit(&rest, preset->rows);
        bank = take_digit(&rest, preset->banks);
        group = take_digit(&rest, preset->bank_groups);
        rank = take_digit(&rest, preset->ranks);
        pseudo = take_digit(&rest, preset->pseudo_channels);
        channel = take_digit(&rest, preset->channels);
        row += rest * preset->rows;
    }
    uint64_t const unit = (channel * preset->pseudo_channels + pseudo) * preset->ranks + rank;
    return (struct dram_access){
        .bank = (uint32_t)((unit * preset->bank_groups + group) * preset->banks + bank), .row = row, .column = column};
}

struct dram_access dram_request(struct dram *dram, uint64_t address)
{
    struct dram_access access = dram_locate(dram->preset, address);
    uint64_t const before = dram->row[access.bank];
    access.outcome = dram_open(dram, access.bank, access.row);
    access.closed_row = access.outcome == DRAM_CONFLICT ? before : 0;
    return access;
}
