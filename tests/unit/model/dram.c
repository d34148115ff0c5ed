#include "model/dram.h"
#include "../dram/streams.h"
#include "base/file.h"
#include "model_random.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
/* cmocka.h needs the headers above it */
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

static void presets_are_consistent(void **state)
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

/* A second implementation: an in-order open-row count with shifts and masks, which presets of powers of two allow.
 * Digits start from the lowest. */
struct plain {
    uint64_t rows[DRAM_BANKS_MAX + 1]; /* row + 1; 0: closed */
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
    if (mapping == DRAM_RO_BA_RA_CO_CH) { /* any fixed numbering of the banks is right */
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

/* A line of tests/dram/ramulator.txt: Ramulator 2's counts of one stream. */
struct simulated {
    char preset[16], mapping[16];
    unsigned queue;
    int stream;
    unsigned long hits, misses, conflicts;
};

static bool read_simulated(const char *line, struct simulated *simulated)
{
    return sscanf(line, "%15s %15s %u %d : %lu %lu %lu", simulated->preset, simulated->mapping, &simulated->queue,
                  &simulated->stream, &simulated->hits, &simulated->misses, &simulated->conflicts) == 7;
}

/* Counts one channel, as the simulator does. */
static void count_stream(const struct simulated *simulated, struct dram *dram, struct plain *plain)
{
    struct dram_preset preset = *dram_preset(simulated->preset);
    preset.mapping = strcmp(simulated->mapping, "RoBaRaCoCh") == 0 ? DRAM_RO_BA_RA_CO_CH : DRAM_CH_RA_BA_RO_CO;
    preset.channels = 1;
    static struct dram_preset kept;
    kept = preset;
    memset(plain, 0, sizeof *plain);
    dram_reset(dram, &kept);
    for (uint64_t i = 0; i < STREAM_REQUESTS; i++) {
        dram_request(dram, stream_address(simulated->stream, i));
        plain_request(plain, &kept, kept.mapping, stream_address(simulated->stream, i));
    }
}

/* Returns the difference in percent of the requests. */
static double off(uint64_t ours, unsigned long theirs)
{
    return 100.0 * ((double)theirs - (double)ours) / STREAM_REQUESTS;
}

/* Prints the table of docs/validation.md. With queue 1, Ramulator takes one request at a time, in order, as the model
 * does. */
static void ramulator_counts_the_same_rows(void **state)
{
    (void)state;
    static struct dram dram;
    static struct plain plain;
    struct arena arena = {0};
    struct error error = {0};
    struct simulated simulated;
    char *text;
    unsigned lines = 0, exact = 0;
    assert_true(file_read(&arena, "dram/ramulator.txt", &text, NULL, &error));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (*line == '#')
            continue;
        assert_true(read_simulated(line, &simulated));
        count_stream(&simulated, &dram, &plain);
        assert_int_equal(dram.hits, plain.hits);
        assert_int_equal(dram.misses, plain.misses);
        assert_int_equal(dram.conflicts, plain.conflicts);
        double const hits = off(dram.hits, simulated.hits), misses = off(dram.misses, simulated.misses),
                     conflicts = off(dram.conflicts, simulated.conflicts);
        assert_true(fabs(hits) <= 1 && fabs(misses) <= 1 && fabs(conflicts) <= 1);
        exact += hits == 0 && misses == 0 && conflicts == 0;
        if (simulated.queue == 32)
            print_message("| %s | %s | %s | %lu/%lu/%lu | %lu/%lu/%lu |\n", simulated.preset, simulated.mapping,
                          stream_names[simulated.stream], (unsigned long)dram.hits, (unsigned long)dram.misses,
                          (unsigned long)dram.conflicts, simulated.hits, simulated.misses, simulated.conflicts);
        lines++;
    }
    print_message("equal: %u of %u\n", exact, lines);
    assert_int_equal(lines, 3 * 2 * 2 * STREAM_COUNT);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_classroom_chip_plays_its_four_banks),
        cmocka_unit_test(presets_are_consistent),
        cmocka_unit_test(streams_agree_with_a_plain_count),
        cmocka_unit_test(walking_a_row_hits_and_walking_a_column_does_not),
        cmocka_unit_test(ramulator_counts_the_same_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
