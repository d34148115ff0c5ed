/* The models against the hardware's counters, launch by launch. Each line of tests/silicon is one access of one warp on
 * an H200 with Nsight Compute's counts. The rules are those of docs/model.md; a line that meets none of them fails.
 * Prints the table of docs/validation.md. */
#include "model/atomics.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include "model/constant.h"
#include "silicon_table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

enum { SHARED_BASE = 1024, GLOBAL_BASE = 1 << 24 }; /* as aligned as the probe's own */

struct access {
    uint64_t addresses[32];
    uint32_t mask, bytes;
    bool shared;
    enum trace_operation operation;
    const char *variant; /* of an atomic: "add", "one", "cas", ... */
};

struct counted {
    uint64_t first, second; /* shared: wavefronts and conflicts; global: requests and sectors; constant: requests and
                               replays */
};

static enum trace_operation operation_of(const char *name)
{
    return strncmp(name, "ld.", 3) == 0   ? TRACE_LOAD
           : strncmp(name, "st.", 3) == 0 ? TRACE_STORE
           : strncmp(name, "red", 3) == 0 ? TRACE_REDUCTION
                                          : TRACE_ATOMIC;
}

/* Adds the elements of START, START+STEP*COUNT or START-STEP*COUNT, as patterns.py writes them. */
static unsigned add_elements(struct access *access, unsigned lane, uint64_t base, const char *word)
{
    long long start = 0, step = 0, count = 1;
    char sign = '+';
    if (sscanf(word, "%lld%c%lld*%lld", &start, &sign, &step, &count) == 4 && sign == '-')
        step = -step;
    for (long long i = 0; i < count && lane < 32; i++)
        access->addresses[lane++] = base + (uint64_t)(start + i * step) * access->bytes;
    return lane;
}

static void read_access(const struct silicon_row *row, struct access *access)
{
    assert_true(row->word_count > 3);
    const char *name = row->words[0];
    const char *space = strchr(name, '.');
    const char *variant = space ? strchr(space + 1, '.') : NULL;
    *access = (struct access){.bytes = (uint32_t)strtoul(row->words[1], NULL, 10),
                              .mask = (uint32_t)strtoul(row->words[2], NULL, 16),
                              .shared = space && strncmp(space, ".shared", 7) == 0,
                              .operation = operation_of(name),
                              .variant = variant ? variant + 1 : ""};
    unsigned lanes = 0;
    for (size_t i = 3; i < row->word_count; i++)
        lanes = add_elements(access, lanes, access->shared ? SHARED_BASE : GLOBAL_BASE, row->words[i]);
    assert_int_equal(lanes, 32);
}

/* A reduction by the constant 1 becomes ATOMS.POPC.INC, which counts the lanes of a word and lets them share a pass, as
 * loads do. Machine code differs from PTX in a compare and exchange, which takes two passes. See docs/model.md. */
static struct counted count_shared(const struct access *access)
{
    bool const increment = access->operation == TRACE_REDUCTION && strcmp(access->variant, "one") == 0;
    bool const compare = strcmp(access->variant, "cas") == 0;
    struct trace_site const site = {.operation = access->operation, .counts = increment};
    enum trace_operation const operation = banks_operation(&site);
    struct bank_passes grid;
    uint32_t ideal;
    model_banks(access->addresses, access->mask, access->bytes, operation, &grid);
    uint32_t const quick = model_wavefronts(access->addresses, access->mask, access->bytes, operation, &ideal);
    assert_int_equal(quick, grid.passes);
    assert_int_equal(ideal, grid.passes_ideal);
    return (struct counted){compare ? 2 * grid.passes : grid.passes, grid.conflicts};
}

static struct counted count_global(const struct access *access)
{
    struct coalescing whole;
    uint32_t ideal;
    model_coalescing(access->addresses, access->mask, access->bytes, &whole);
    uint32_t const quick = model_sectors(access->addresses, access->mask, access->bytes, &ideal);
    assert_int_equal(quick, whole.sectors);
    if (access->operation == TRACE_ATOMIC || access->operation == TRACE_REDUCTION)
        return (struct counted){
            whole.requests, model_atomic_sectors(access->addresses, access->mask, strcmp(access->variant, "cas") == 0)};
    return (struct counted){whole.requests, whole.sectors};
}

/* Compares the launches of a family, each of which must be exact, and returns their number. */
static unsigned compare_family(const char *family)
{
    struct arena arena = {0};
    char *text = silicon_open(&arena, family);
    struct silicon_row row;
    struct access access;
    unsigned launches = 0, exact = 0;
    assert_non_null(text);
    while (silicon_next(&text, &row)) {
        assert_int_equal(row.count_count, 2);
        read_access(&row, &access);
        struct counted const ours = access.shared ? count_shared(&access) : count_global(&access);
        launches++;
        if (ours.first == row.counts[0] && ours.second == row.counts[1])
            exact++;
        else
            print_error("%s: %s %s %s %s ...: the H200 counted %llu %llu, the model %llu %llu\n", family, row.words[0],
                        row.words[1], row.words[2], row.words[3], (unsigned long long)row.counts[0],
                        (unsigned long long)row.counts[1], (unsigned long long)ours.first,
                        (unsigned long long)ours.second);
    }
    print_message("| %s | %u | %u |\n", family, launches, exact);
    assert_int_equal(exact, launches);
    arena_free(&arena);
    return launches;
}

/* Returns the passes of a load from constant memory and, of them, those beyond one address. Where ptxas cannot prove
 * the alignment of 8 or 16 bytes ("loose"), it loads 4 bytes at a time. */
static struct counted count_constant(const struct access *access)
{
    struct constant_passes whole;
    uint32_t ideal;
    bool const loose = strcmp(access->variant, "loose") == 0;
    model_constant(access->addresses, access->mask, access->bytes, &whole);
    assert_int_equal(model_constant_passes(access->addresses, access->mask, access->bytes, &ideal), whole.passes);
    uint32_t const loads = loose ? access->bytes / 4 : ideal;
    assert_int_equal(whole.passes, whole.addresses * ideal);
    return (struct counted){whole.addresses * loads, (whole.addresses - 1) * loads};
}

/* Compares loads from constant memory. The first counter includes the other constants that the launch reads, such as
 * its parameter. A launch without active lanes, at the top of the file, gives their number. */
static unsigned compare_constants(const char *family)
{
    struct arena arena = {0};
    char *text = silicon_open(&arena, family);
    struct silicon_row row;
    struct access access;
    uint64_t besides[2][17] = {{0}}; /* by bytes a lane */
    bool known[2][17] = {{false}};
    unsigned launches = 0, exact = 0;
    assert_non_null(text);
    while (silicon_next(&text, &row)) {
        assert_int_equal(row.count_count, 2);
        read_access(&row, &access);
        bool const loose = strcmp(access.variant, "loose") == 0;
        assert_true(strncmp(row.words[0], "ld.constant", 11) == 0 && access.bytes <= 16);
        if (!access.mask) {
            besides[loose][access.bytes] = row.counts[0];
            known[loose][access.bytes] = row.counts[1] == 0;
            continue;
        }
        assert_true(known[loose][access.bytes]);
        uint64_t const rest = besides[loose][access.bytes];
        struct counted const ours = count_constant(&access);
        launches++;
        if (rest + ours.first == row.counts[0] && ours.second == row.counts[1])
            exact++;
        else
            print_error("%s: %s %s %s %s ...: the H200 counted %llu, %llu of them besides, and %llu replays; the model "
                        "%llu %llu\n",
                        family, row.words[0], row.words[1], row.words[2], row.words[3],
                        (unsigned long long)row.counts[0], (unsigned long long)rest, (unsigned long long)row.counts[1],
                        (unsigned long long)ours.first, (unsigned long long)ours.second);
    }
    print_message("| %s | %u | %u |\n", family, launches, exact);
    assert_int_equal(exact, launches);
    arena_free(&arena);
    return launches;
}

static void constant_memory_counts_as_the_hardware_does(void **state)
{
    (void)state;
    assert_true(compare_constants("constant_strides") >= 60);
    assert_true(compare_constants("constant_gathers") >= 100);
    assert_true(compare_constants("constant_broadcasts") >= 100);
    assert_true(compare_constants("constant_partial") >= 100);
}

static void shared_memory_counts_as_the_hardware_does(void **state)
{
    (void)state;
    unsigned launches = 0;
    static const char *const families[] = {"shared_strides", "shared_offsets",    "shared_gathers",
                                           "shared_partial", "shared_broadcasts", "shared_tiles"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        launches += compare_family(families[i]);
    assert_true(launches >= 400);
}

static void wide_lanes_share_wavefronts_as_the_hardware_lets_them(void **state)
{
    (void)state;
    assert_true(compare_family("shared_merges") >= 200);
    assert_true(compare_family("shared_fresh") >= 300);
}

static void shared_atomics_count_as_the_hardware_does(void **state)
{
    (void)state;
    assert_true(compare_family("shared_atomics") >= 200);
    assert_true(compare_family("shared_cas8") >= 30);
}

static void global_memory_counts_as_the_hardware_does(void **state)
{
    (void)state;
    unsigned launches = 0;
    static const char *const families[] = {"global_strides", "global_offsets",    "global_gathers",
                                           "global_partial", "global_broadcasts", "global_tiles"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        launches += compare_family(families[i]);
    assert_true(launches >= 400);
}

static void global_atomics_count_as_the_hardware_does(void **state)
{
    (void)state;
    assert_true(compare_family("global_atomics") >= 200);
    assert_true(compare_family("global_scattered") >= 100);
    assert_true(compare_family("global_ways") >= 100);
    assert_true(compare_family("global_fresh") >= 200);
    assert_true(compare_family("global_cas8") >= 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_memory_counts_as_the_hardware_does),
        cmocka_unit_test(shared_memory_counts_as_the_hardware_does),
        cmocka_unit_test(wide_lanes_share_wavefronts_as_the_hardware_lets_them),
        cmocka_unit_test(shared_atomics_count_as_the_hardware_does),
        cmocka_unit_test(global_memory_counts_as_the_hardware_does),
        cmocka_unit_test(global_atomics_count_as_the_hardware_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
