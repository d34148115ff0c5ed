#include "model/dram.h"
#include "model_random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka wants those above first */
#include <cmocka.h>

static void the_classroom_chip_plays_its_four_banks(void **state)
{
    (void)state;
    static struct dram dram;
    dram_reset(&dram, dram_preset("classroom"));
    static const struct {
        uint64_t address;
        enum dram_outcome outcome;
        uint32_t bank;
        uint64_t row, column, closed;
    } steps[] = {
        {0, DRAM_MISS, 0, 0, 0, 0},        {32, DRAM_HIT, 0, 0, 1, 0},        {1023, DRAM_HIT, 0, 0, 31, 0},
        {1024, DRAM_MISS, 1, 0, 0, 0},     {3 * 1024, DRAM_MISS, 3, 0, 0, 0}, {4096, DRAM_CONFLICT, 0, 1, 0, 0},
        {4096 + 64, DRAM_HIT, 0, 1, 2, 0}, {1024, DRAM_HIT, 1, 0, 0, 0},      {0, DRAM_CONFLICT, 0, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct dram_access const access = dram_request(&dram, steps[i].address);
        assert_int_equal(access.outcome, steps[i].outcome);
        assert_int_equal(access.bank, steps[i].bank);
        assert_int_equal(access.row, steps[i].row);
        assert_int_equal(access.column, steps[i].column);
        assert_int_equal(access.closed_row, steps[i].closed);
    }
    assert_int_equal(dram.requests, 9);
    assert_int_equal(dram.hits, 4);
    assert_int_equal(dram.misses, 3);
    assert_int_equal(dram.conflicts, 2);
}

static void presets_are_whole(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct dram_preset *const *preset = dram_presets(); *preset; preset++, count++) {
        assert_ptr_equal(dram_preset((*preset)->name), *preset);
        assert_true(dram_banks(*preset) > 0 && dram_banks(*preset) <= DRAM_BANKS_MAX);
        assert_int_equal((*preset)->row_bytes % (*preset)->burst_bytes, 0);
        assert_true((*preset)->ras_ns > (*preset)->rcd_ns && (*preset)->source[0]);
    }
    assert_int_equal(count, 8);
    assert_int_equal(dram_banks(dram_preset("hbm3")), 64);
    assert_null(dram_preset("ddr2"));
}

/* A plain in-order open-row count over shifts and masks, which presets of powers of two allow: digits from the lowest.
 */
struct plain {
    uint64_t rows[DRAM_BANKS_MAX + 1]; /* row + 1, 0 closed */
    uint64_t hits, misses, conflicts;
};

static uint64_t bits(uint64_t *address, uint32_t size)
{
    uint64_t const low = *address & (size - 1);
    *address >>= __builtin_ctz(size);
    return low;
}

static void plain_request(struct plain *plain, const struct dram_preset *p, enum dram_mapping mapping, uint64_t address)
{
    uint64_t bank, row;
    bits(&address, p->burst_bytes);
    if (mapping == DRAM_RO_BA_RA_CO_CH) { /* any fixed numbering of the banks will do */
        bank = bits(&address, p->channels);
        bits(&address, p->row_bytes / p->burst_bytes);
        bank += p->channels * bits(&address, p->pseudo_channels * p->ranks * p->bank_groups * p->banks);
        row = address;
    } else {
        bits(&address, p->row_bytes / p->burst_bytes);
        row = bits(&address, p->rows);
        bank = bits(&address, dram_banks(p));
        row += address * p->rows;
    }
    plain->hits += plain->rows[bank] == row + 1;
    plain->misses += plain->rows[bank] == 0;
    plain->conflicts += plain->rows[bank] != 0 && plain->rows[bank] != row + 1;
    plain->rows[bank] = row + 1;
}

static void streams_agree_with_a_plain_count(void **state)
{
    (void)state;
    static const uint64_t strides[] = {32, 4096, 65536, 8448, 40000, 0};
    for (const struct dram_preset *const *preset = dram_presets(); *preset; preset++)
        for (unsigned mapping = 0; mapping < 2; mapping++)
            for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
                static struct dram dram;
                static struct plain plain;
                struct dram_preset changed = **preset;
                changed.mapping = (enum dram_mapping)mapping;
                memset(&plain, 0, sizeof plain);
                dram_reset(&dram, &changed);
                uint64_t random = 42;
                for (uint64_t i = 0; i < 5000; i++) { /* a stride of 0 stands for random addresses */
                    uint64_t const address = strides[s] ? i * strides[s] : random_next(&random) >> 28;
                    dram_request(&dram, address);
                    plain_request(&plain, &changed, changed.mapping, address);
                }
                assert_int_equal(dram.hits, plain.hits);
                assert_int_equal(dram.misses, plain.misses);
                assert_int_equal(dram.conflicts, plain.conflicts);
                assert_int_equal(dram.hits + dram.misses + dram.conflicts, dram.requests);
            }
}

static void walking_a_row_hits_and_walking_a_column_does_not(void **state)
{
    (void)state;
    static struct dram dram;
    dram_reset(&dram, dram_preset("classroom"));
    for (uint64_t i = 0; i < 32 * 4; i++)
        dram_request(&dram, i * 32);
    assert_int_equal(dram.misses, 4);
    assert_int_equal(dram.hits, 31 * 4);
    dram_reset(&dram, dram_preset("classroom"));
    for (uint64_t i = 0; i < 128; i++)
        dram_request(&dram, i * 4096);
    assert_int_equal(dram.misses, 1);
    assert_int_equal(dram.conflicts, 127);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_classroom_chip_plays_its_four_banks),
        cmocka_unit_test(presets_are_whole),
        cmocka_unit_test(streams_agree_with_a_plain_count),
        cmocka_unit_test(walking_a_row_hits_and_walking_a_column_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
