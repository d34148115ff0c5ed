/* Whole kernels in the emulator against the hardware's counters. Each line of tests/silicon/kernels.txt and
 * constant_kernels.txt is a launch on an H200 of the machine code that ptxas made of the PTX run here. */
#include "model/atomics.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include "silicon_run.h"

/* The numbers of a line after the colon: the command line's counters in its order, then those of atomics. */
enum { LINE_COUNTERS = 10, LINE_COUNTS = 17 };

static struct run *run_row(struct arena *arena, const struct silicon_row *row)
{
    struct compile_define define = {0};
    struct run_file_request request = silicon_request(arena, row, &define);
    request.options.recorded = LAUNCH_ALL_BLOCKS;
    struct run *run = NULL;
    struct error error = {0};
    if (!run_file(&request, &run, &error))
        fail_msg("%s %s: %s", row->words[1], row->words[2], error.message);
    assert_int_equal(run->trace->lost, 0);
    return run;
}

/* Returns how many of an instruction the kernel's machine code has: tests/silicon/machine_code.txt. */
static uint64_t machine_instructions(const struct silicon_row *row, const char *instruction)
{
    struct arena arena = {0};
    uint64_t found = 0;
    char *text = silicon_open(&arena, "machine_code");
    assert_non_null(text);
    char start[256], *rest = NULL;
    snprintf(start, sizeof start, "%s %s : ", row->words[1], row->words[2]);
    char *line = strstr(text, start);
    assert_non_null(line);
    line += strlen(start);
    line[strcspn(line, "\n")] = 0;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        uint64_t const count = strtoull(strtok_r(NULL, " ", &rest), NULL, 10);
        if (strcmp(word, instruction) == 0)
            found += count;
    }
    arena_free(&arena);
    return found;
}

/* Counts atomics, which the command line does not count: those of shared memory, then of global memory with and without
 * a result. The sites that the model takes for additions that the machine counts are those of which ptxas made
 * ATOMS.POPC.INC. */
static void count_atomics(const struct trace *trace, const struct silicon_row *row, uint64_t ours[LINE_COUNTS])
{
    bool const increments = machine_instructions(row, "ATOMS.POPC.INC.32") != 0;
    bool const reductions = machine_instructions(row, "REDG.E.ADD.STRONG.GPU") +
                                machine_instructions(row, "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU") !=
                            0;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS)
            continue;
        const struct trace_site *site = &trace->sites[event->site];
        const uint64_t *addresses = trace_addresses(trace, event);
        if (site->operation != TRACE_ATOMIC && site->operation != TRACE_REDUCTION)
            continue;
        if (trace_space(site, event) == PTX_SPACE_SHARED) {
            uint32_t ideal,
                passes = model_wavefronts(addresses, event->mask, site->bytes, banks_operation(site), &ideal);
            assert_int_equal(site->counts, increments);
            ours[10]++;
            ours[11] += passes;
            ours[12] += passes - ideal;
        } else {
            ours[reductions ? 15 : 13]++;
            ours[reductions ? 16 : 14] +=
                model_atomic_sectors(addresses, event->mask, strstr(site->text, ".cas.") != NULL);
        }
    }
}

/* Reads the register and the offset of "ld.shared.f32 %f13, [%rd3+4];". */
static bool read_operand(const char *text, char base[32], unsigned *distance)
{
    const char *open = strchr(text, '[');
    *distance = 0;
    return open && sscanf(open, "[%31[^]+]+%u", base, distance) >= 1;
}

/* Returns a site's index, 0 to 3, among four loads of consecutive words from one register at a multiple of 16 bytes; -1
 * when there are not four. */
static int place_of_four(const struct trace *trace, uint32_t site)
{
    char base[32], other_base[32];
    unsigned distance, other, found = 0;
    if (!read_operand(trace->sites[site].text, base, &distance))
        return -1;
    for (uint32_t i = 0; i < trace->site_count; i++) {
        const struct trace_site *at = &trace->sites[i];
        if (at->operation == TRACE_LOAD && at->space == PTX_SPACE_SHARED && at->bytes == 4 &&
            read_operand(at->text, other_base, &other) && strcmp(base, other_base) == 0 && other / 16 == distance / 16)
            found |= 1u << other % 16 / 4;
    }
    return found == 15 ? (int)(distance % 16 / 4) : -1;
}

/* Merges four scalar loads into one of 16 bytes, as ptxas does when it can prove the alignment. The machine code must
 * have exactly as many wide and scalar loads as that gives; the loads are then counted as the machine ran them. */
static void merge_loads(const struct trace *trace, const struct silicon_row *row, uint64_t ours[LINE_COUNTS])
{
    enum { SITES_MAX = 256 };
    int places[SITES_MAX];
    uint64_t wide = 0, scalar = 0, instructions = 0, passes = 0, least = 0;
    assert_true(trace->site_count <= SITES_MAX);
    for (uint32_t i = 0; i < trace->site_count; i++) {
        const struct trace_site *site = &trace->sites[i];
        bool const load = site->operation == TRACE_LOAD && site->space == PTX_SPACE_SHARED;
        places[i] = load ? place_of_four(trace, i) : 4;
        wide += places[i] == 0;
        scalar += places[i] < 0;
    }
    assert_true(wide > 0);
    assert_int_equal(machine_instructions(row, "LDS.128"), wide);
    assert_int_equal(machine_instructions(row, "LDS"), scalar);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS || places[event->site] > 0) /* the first of four stands for all */
            continue;
        uint32_t const bytes = places[event->site] == 0 ? 16 : 4;
        uint32_t ideal;
        passes += model_wavefronts(trace_addresses(trace, event), event->mask, bytes, TRACE_LOAD, &ideal);
        least += ideal;
        instructions++;
    }
    ours[4] = instructions;
    ours[6] = passes;
    ours[8] = passes - least;
}

/* Returns how many of a site's instructions a warp runs in an unrolled loop. ptxas unrolls a loop by four, then two,
 * then one, each with its own instructions, so lanes with different numbers of rounds often pass through several of
 * them. */
static uint64_t unrolled(const uint32_t rounds[WARP_LANES])
{
    uint32_t fours = 0;
    bool two = false, one = false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        fours = rounds[lane] / 4 > fours ? rounds[lane] / 4 : fours;
        two = two || rounds[lane] % 4 >= 2;
        one = one || rounds[lane] % 2;
    }
    return 4 * fours + 2 * two + one;
}

/* Counts loads from shared memory again as unrolled loops make them. Each takes one pass here. */
static void unroll_loads(const struct trace *trace, uint64_t ours[LINE_COUNTS])
{
    enum { WARPS_MAX = 8 };
    uint64_t instructions = 0;
    assert_int_equal(ours[4], ours[6]);
    for (uint32_t site = 0; site < trace->site_count; site++) {
        uint32_t rounds[WARPS_MAX][WARP_LANES] = {{0}};
        if (trace->sites[site].operation != TRACE_LOAD || trace->sites[site].space != PTX_SPACE_SHARED)
            continue;
        for (size_t i = 0; i < trace->events.count; i++) {
            const struct trace_event *event = &trace->events.items[i];
            assert_true(event->block == 0 && event->warp < WARPS_MAX);
            for (unsigned lane = 0; event->kind == TRACE_ACCESS && event->site == site && lane < WARP_LANES; lane++)
                rounds[event->warp][lane] += event->mask >> lane & 1;
        }
        for (unsigned warp = 0; warp < WARPS_MAX; warp++)
            instructions += unrolled(rounds[warp]);
    }
    ours[4] = ours[6] = instructions;
}

/* Returns whether the row is the known exception: lanes return from fibonacci together in the emulator but not on the
 * machine, which then runs more instructions with as few as one lane each. The groups cannot be predicted
 * (docs/validation.md). */
static bool is_parted(const struct silicon_row *row, const uint64_t ours[LINE_COUNTS])
{
    static const char *const kernels[] = {"_Z4callPii", "recursion", "fibonacci_meets", "fibonacci_groups"};
    bool more = false, known = false;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        known = known || strcmp(row->words[2], kernels[i]) == 0;
    if (!known)
        return false;
    for (size_t i = 0; i < LINE_COUNTS; i++) {
        uint64_t const most = i < LINE_COUNTERS - 6 ? WARP_LANES * ours[i] : ours[i]; /* loads and stores, global */
        if (row->counts[i] < ours[i] || row->counts[i] > most)
            return false;
        more = more || row->counts[i] > ours[i];
    }
    return more;
}

/* Returns the fewest requests that a site's accesses of global memory can make, those of the lane with the most in each
 * warp; summed over the sites of loads or of stores. */
static uint64_t fewest_requests(const struct trace *trace, enum trace_operation operation)
{
    enum { WARPS_MAX = 64 };
    uint64_t fewest = 0;
    for (uint32_t site = 0; site < trace->site_count; site++) {
        uint32_t rounds[WARPS_MAX][WARP_LANES] = {{0}};
        if (trace->sites[site].operation != operation)
            continue;
        for (size_t i = 0; i < trace->events.count; i++) {
            const struct trace_event *event = &trace->events.items[i];
            uint64_t const warp = event->block * 2 + event->warp; /* blocks of two warps */
            assert_true(warp < WARPS_MAX && event->warp < 2);
            for (unsigned lane = 0; event->kind == TRACE_ACCESS && event->site == site && lane < WARP_LANES; lane++)
                rounds[warp][lane] += event->mask >> lane & 1;
        }
        for (unsigned warp = 0; warp < WARPS_MAX; warp++) {
            uint32_t most = 0;
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                most = rounds[warp][lane] > most ? rounds[warp][lane] : most;
            fewest += most;
        }
    }
    return fewest;
}

/* Returns whether the row is one in which the machine's lanes meet earlier than the emulator's: where several paths of
 * a branch join, although another one does not come there. The machine then has fewer requests, but not fewer than its
 * busiest lanes need. */
static bool meets_earlier(const struct silicon_row *row, const struct trace *trace, const uint64_t ours[LINE_COUNTS])
{
    static const char *const kernels[] = {"leaves_and_goes_on", "cases", "conditions"};
    uint64_t const *const counts = row->counts;
    bool known = false;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        known = known || strcmp(row->words[2], kernels[i]) == 0;
    return known && counts[0] < ours[0] && counts[2] <= ours[2] && counts[0] >= fewest_requests(trace, TRACE_LOAD) &&
           counts[2] >= fewest_requests(trace, TRACE_STORE);
}

static bool equal_counts(const struct silicon_row *row, const uint64_t ours[LINE_COUNTS])
{
    return memcmp(row->counts, ours, LINE_COUNTS * sizeof *ours) == 0;
}

static void print_counts(const struct silicon_row *row, const uint64_t ours[LINE_COUNTS])
{
    print_error("%s %s %s %s: the H200 and the emulator differ\n", row->words[1], row->words[2], row->words[3],
                row->words[4]);
    for (size_t i = 0; i < LINE_COUNTS; i++)
        if (row->counts[i] != ours[i])
            print_error("  count %zu: %llu, %llu\n", i + 1, (unsigned long long)row->counts[i],
                        (unsigned long long)ours[i]);
}

static void kernels_count_as_the_hardware_does(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *text = silicon_open(&arena, "kernels");
    struct silicon_row row;
    unsigned launches = 0, exact = 0, merged = 0, rolled = 0, parted = 0, earlier = 0;
    assert_non_null(text);
    while (silicon_next(&text, &row)) {
        uint64_t ours[LINE_COUNTS] = {0};
        struct counter *counters;
        assert_int_equal(row.count_count, LINE_COUNTS);
        struct run *run = run_row(&arena, &row);
        counts_counters(&run->counts, run->trace->sites, &run->arena, &counters);
        for (size_t i = 0; i < LINE_COUNTERS; i++)
            ours[i] = counters[i].value;
        count_atomics(run->trace, &row, ours);
        launches++;
        if (equal_counts(&row, ours)) {
            exact++;
        } else if (is_parted(&row, ours)) {
            parted++;
        } else if (meets_earlier(&row, run->trace, ours)) {
            earlier++;
        } else {
            bool const merge = ours[4] > row.counts[4]; /* the PTX has more loads than the machine ran */
            if (merge)
                merge_loads(run->trace, &row, ours);
            else
                unroll_loads(run->trace, ours);
            if (equal_counts(&row, ours))
                ++*(merge ? &merged : &rolled);
            else
                print_counts(&row, ours);
        }
        run_free(run);
    }
    print_message("| kernels | %u | %u | %u merged, %u unrolled, %u meet earlier | %u parted |\n", launches, exact,
                  merged, rolled, earlier, parted);
    assert_int_equal(exact + merged + rolled + parted + earlier, launches);
    assert_int_equal(parted, 5);
    assert_int_equal(earlier, 3);
    assert_true(launches > 100);
    arena_free(&arena);
}

static uint64_t warps_of(const struct run *run)
{
    const uint32_t *grid = run->trace->grid, *block = run->trace->block;
    uint64_t const threads = (uint64_t)block[0] * block[1] * block[2];
    return (uint64_t)grid[0] * grid[1] * grid[2] * ((threads + WARP_LANES - 1) / WARP_LANES);
}

/* Replays are the passes beyond one address of each load, and the counts of both sides are equal. The requests include
 * what the machine code reads besides, such as parameters: the same number for every warp of a kernel, whatever the
 * step of the launch is. Loads through a generic address are loads from global memory, on both sides. */
static void constants_count_as_the_hardware_does(void **state)
{
    (void)state;
    enum { REQUESTS, REPLAYS, INSTRUCTIONS, GLOBAL_REQUESTS, GLOBAL_SECTORS, COUNTS };
    struct arena arena = {0};
    char *text = silicon_open(&arena, "constant_kernels");
    struct silicon_row row;
    unsigned launches = 0, exact = 0;
    assert_non_null(text);
    while (silicon_next(&text, &row)) {
        struct counter *counters;
        struct site_counts all = {0};
        struct run *run = run_row(&arena, &row);
        assert_int_equal(row.count_count, COUNTS);
        counts_counters(&run->counts, run->trace->sites, &run->arena, &counters);
        for (uint32_t i = 0; i < run->counts.site_count; i++) {
            all.constant_passes += run->counts.sites[i].constant_passes;
            all.constant_passes_ideal += run->counts.sites[i].constant_passes_ideal;
        }
        uint64_t const besides =
            warps_of(run) * (machine_instructions(&row, "LDC") + machine_instructions(&row, "LDC.64"));
        launches++;
        if (row.counts[REQUESTS] == all.constant_passes + besides &&
            row.counts[REPLAYS] == all.constant_passes - all.constant_passes_ideal &&
            row.counts[REQUESTS] == row.counts[INSTRUCTIONS] + row.counts[REPLAYS] &&
            row.counts[GLOBAL_REQUESTS] == counters[0].value && row.counts[GLOBAL_SECTORS] == counters[1].value)
            exact++;
        else
            print_error("%s %s %s: the H200 counted %llu requests, %llu of them replays; the emulator %llu passes, at "
                        "least %llu\n",
                        row.words[2], row.words[3], row.words[4], (unsigned long long)row.counts[REQUESTS],
                        (unsigned long long)row.counts[REPLAYS], (unsigned long long)all.constant_passes,
                        (unsigned long long)all.constant_passes_ideal);
        run_free(run);
    }
    print_message("| constant_kernels | %u | %u |\n", launches, exact);
    assert_int_equal(exact, launches);
    assert_true(launches > 100);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_count_as_the_hardware_does),
                                       cmocka_unit_test(constants_count_as_the_hardware_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
