/* The model of the caches against the counters of an H100: tests/silicon/caches_*.txt. The launches begin with empty
 * caches. An L1 hit, a store's sectors and a sector of the DRAM may be off by what docs/validation.md says; how many
 * launches are within that is known, and may not change unseen. */
#include "model/cache_sets.h"
#include "model/gpu.h"
#include "model/origins.h"
#include "sanitized.h"
#include "silicon_run.h"
#include <inttypes.h>

enum {
    LOADS,
    LOAD_HITS,
    STORES,
    STORE_HITS,
    LOCAL_LOADS,
    LOCAL_LOAD_HITS,
    LOCAL_STORES,
    LOCAL_STORE_HITS,
    L2_READS,
    L2_READ_HITS,
    L2_WRITES,
    DRAM_READS,
    SHARED_SHARE,
    COUNTS
};

/* Launches of a family, and of these, those within the bounds. */
struct family {
    const char *name;
    unsigned launches, unknown; /* unknown: the model says that it cannot tell */
    unsigned l1;                /* hits of global loads */
    unsigned shared, l2;        /* shared: the reads of the L2 are not known; l2: within 3 %, of the others */
    unsigned hits_told, hits;   /* of the reads of the L2; hits: within 3 % of the reads */
    unsigned between;           /* reads of the L2 between the least and the most, give or take 3 % */
    unsigned dram_many, dram;   /* many: launches that the DRAM delivers more than DRAM_FEW sectors to */
};
/* Code and parameters are some 200 sectors. */
enum { DRAM_FEW = 4000, WARM_FEW = 500 }; /* warm: nothing, but for what others read meanwhile */

static const struct family known[] = {
    {"caches_walks", 119, 0, 116, 0, 119, 104, 103, 119, 22, 22},
    {"caches_warps", 100, 0, 95, 0, 96, 80, 76, 96, 20, 19},
    {"caches_blocks", 107, 0, 101, 84, 23, 23, 23, 107, 28, 28},
    {"caches_operations", 106, 36, 70, 18, 52, 52, 52, 70, 10, 10},
    {"caches_stores", 98, 16, 82, 3, 79, 78, 74, 82, 2, 2},
    {"caches_shared", 181, 0, 171, 14, 159, 167, 159, 173, 83, 83},
    {"caches_local", 24, 0, 22, 9, 10, 15, 10, 18, 3, 0},
    {"caches_scatter", 56, 0, 51, 24, 30, 22, 16, 54, 40, 38},
    {"caches_big", 26, 0, 21, 0, 22, 26, 22, 22, 19, 18},
    {"caches_kernels", 278, 0, 272, 120, 157, 147, 144, 277, 0, 0},
    {"caches_fresh", 148, 0, 139, 85, 63, 47, 45, 146, 79, 79},
    {"caches_single", 100, 0, 100, 83, 17, 8, 7, 100, 4, 4},
};

static bool within(uint64_t ours, uint64_t theirs, double share, uint64_t of)
{
    uint64_t const apart = ours > theirs ? ours - theirs : theirs - ours;
    return (double)apart <= share * (double)of;
}

static void add_launch(struct family *family, const struct silicon_row *row)
{
    struct arena arena = {0};
    struct compile_define define = {0};
    struct run_file_request request = silicon_request(&arena, row, &define);
    request.options.no_recording = true;
    request.options.caches = true;
    request.options.gpu = "nvidia-h100";
    struct run *run = NULL;
    struct error error = {0};
    assert_int_equal(row->count_count, COUNTS);
    if (!run_file(&request, &run, &error))
        fail_msg("%s %s: %s", row->words[1], row->words[2], error.message);
    const struct caches *caches = run->caches;
    const uint64_t *counts = row->counts;
    family->launches++;
    if (!caches) {
        assert_non_null(run->caches_unknown);
        family->unknown++;
    } else {
        if (!within(caches->local_load_hits, counts[LOCAL_LOAD_HITS], 0.01, counts[LOCAL_LOADS]))
            printf("  hits of local loads, %s: %" PRIu64 ", of the machine %" PRIu64 "\n",
                   row->words[row->word_count - 1], caches->local_load_hits, counts[LOCAL_LOAD_HITS]);
        family->l1 += within(caches->load_hits, counts[LOAD_HITS], 0.01, counts[LOADS]);
        family->shared += caches->shared;
        family->l2 += !caches->shared && within(caches->l2_reads, counts[L2_READS], 0.03, counts[L2_READS]);
        family->hits_told += caches_l2_hits_known(caches);
        family->hits +=
            caches_l2_hits_known(caches) && within(caches->l2_read_hits, counts[L2_READ_HITS], 0.03, counts[L2_READS]);
        family->between += (double)caches->l2_reads_least <= 1.03 * (double)counts[L2_READS] &&
                           (double)caches->l2_reads >= 0.97 * (double)counts[L2_READS];
        family->dram_many += counts[DRAM_READS] > DRAM_FEW;
        family->dram +=
            counts[DRAM_READS] > DRAM_FEW && within(caches->dram_reads, counts[DRAM_READS], 0.1, counts[DRAM_READS]);
    }
    run_free(run);
    arena_free(&arena);
}

static void the_caches_hold_what_the_hardware_counted(void **state)
{
    (void)state;
    printf("%-20s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "family", "launches", "unknown", "L1", "shared", "L2",
           "hits of", "hits", "between", "DRAM of", "DRAM");
    unsigned apart = 0; /* all families are printed, also behind one whose numbers are others */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct arena arena = {0};
        struct silicon_row row;
        struct family family = {.name = known[i].name};
        char *text = silicon_open(&arena, family.name);
        assert_non_null(text);
        for (unsigned k = 0; silicon_next(&text, &row); k++)
            if (!SANITIZED || k % 16 == 0)
                add_launch(&family, &row);
        printf("%-20s %8u %8u %8u %8u %8u %8u %8u %8u %8u %8u\n", family.name, family.launches, family.unknown,
               family.l1, family.shared, family.l2, family.hits_told, family.hits, family.between, family.dram_many,
               family.dram);
        arena_free(&arena);
        apart += !SANITIZED && (family.launches != known[i].launches || family.unknown != known[i].unknown ||
                                family.l1 != known[i].l1 || family.shared != known[i].shared ||
                                family.l2 != known[i].l2 || family.between != known[i].between ||
                                family.hits_told != known[i].hits_told || family.hits != known[i].hits ||
                                family.dram_many != known[i].dram_many || family.dram != known[i].dram);
    }
    assert_int_equal(apart, 0);
}

struct warm {
    unsigned launches, few, many, close;
};

static void add_second_launch(struct warm *warm, const struct silicon_row *row)
{
    struct arena arena = {0};
    struct compile_define define = {0};
    struct run_file_request request = silicon_request(&arena, row, &define);
    request.options.no_recording = request.options.caches = request.options.caches_warm = true;
    request.options.gpu = "nvidia-h200";
    struct run *run = NULL;
    struct error error = {0};
    assert_int_equal(row->count_count, 2);
    if (!run_file(&request, &run, &error))
        fail_msg("%s %s: %s", row->words[1], row->words[2], error.message);
    if (run->caches) {
        uint64_t const ours = run->caches->dram_reads, theirs = row->counts[1];
        bool const few = theirs <= WARM_FEW && ours <= WARM_FEW;
        warm->launches++;
        warm->few += few;
        warm->many += theirs > WARM_FEW;
        warm->close += theirs > WARM_FEW && within(ours, theirs, 0.1, theirs);
        if (!few)
            printf("  second launch, %s: %" PRIu64 ", of the machine %" PRIu64 "\n", row->words[row->word_count - 2],
                   ours, theirs);
    }
    run_free(run);
    arena_free(&arena);
}

/* tests/silicon/caches_warm.txt: a second launch behind the first, whose caches nobody emptied. */
static void a_second_launch_finds_in_the_l2_what_the_first_left(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct silicon_row row;
    struct warm warm = {0};
    char *text = silicon_open(&arena, "caches_warm");
    assert_non_null(text);
    for (unsigned k = 0; silicon_next(&text, &row); k++)
        if (!SANITIZED || k % 16 == 0)
            add_second_launch(&warm, &row);
    printf("second launches: %u, of few sectors both: %u, of many: %u, of these within 10 %%: %u\n", warm.launches,
           warm.few, warm.many, warm.close);
    if (!SANITIZED) {
        assert_int_equal(warm.launches, 174);
        assert_int_equal(warm.few, 164);
        assert_int_equal(warm.many, 10);
        assert_int_equal(warm.close, 2);
    }
    arena_free(&arena);
}

/* tests/silicon/cache_sets.txt: five lines that throw each other out, at addresses of 47 bits. */
static void lines_that_throw_each_other_out_are_of_one_set(void **state)
{
    (void)state;
    enum { WAYS_AND_ONE = L1_WAYS + 1 };
    struct arena arena = {0};
    struct silicon_row row;
    unsigned rows = 0;
    char *text = silicon_open(&arena, "cache_sets");
    assert_non_null(text);
    for (; silicon_next(&text, &row); rows++) {
        assert_int_equal(row.word_count, 1 + WAYS_AND_ONE);
        for (unsigned i = 2; i <= WAYS_AND_ONE; i++)
            assert_int_equal(l1_set(strtoull(row.words[i], NULL, 10)), l1_set(strtoull(row.words[1], NULL, 10)));
    }
    assert_int_equal(rows, 45);
    arena_free(&arena);
}

/* Returns the limits of the GPU that was measured, in the arena. */
static const struct occupancy_limits *h100_limits(struct arena *arena)
{
    struct gpu_caches caches;
    assert_int_equal(gpu_caches(arena, "nvidia-h100", &caches), GPU_CACHES_COMPLETE);
    return caches.limits;
}

/* Returns the bytes that hold data beside so much shared memory of one block. */
static uint32_t room_beside(uint64_t shared)
{
    struct arena arena = {0};
    const struct occupancy_limits *limits = h100_limits(&arena);
    uint32_t const room = l1_room(limits->l1_bytes, l1_shared_share(limits, 1, shared, 1));
    arena_free(&arena);
    return room;
}

enum { ORDER_LINES = 400, ORDER_LOADS = 10000 };
/* A launch of cache_order.txt, which has one line more than a slice holds: so the first load of the table that missed
 * is for the line that was not inside. */
struct order_launch {
    unsigned count;
    uint32_t room; /* bytes of the L1 that hold data */
    uint64_t lines[ORDER_LINES];
    unsigned order[ORDER_LOADS]; /* index of the line of each load */
    bool missed[ORDER_LOADS];
    unsigned first; /* load that missed */
    const char *name;
};

static void read_launch(struct arena *arena, struct order_launch *launch, const struct silicon_row *row)
{
    assert_int_equal(row->word_count, 7);
    assert_int_equal(atoi(row->words[6]), ORDER_LOADS);
    assert_true(row->count_count > 0);
    *launch = (struct order_launch){
        .room = room_beside(strtoull(row->words[1], NULL, 10) << 10),
        .count = (unsigned)atoi(row->words[2]),
        .first = (unsigned)row->counts[0],
        .name = arena_format(arena, "%s KB, slice %s, %s", row->words[1], row->words[3], row->words[4])};
    assert_true(launch->count <= ORDER_LINES);
    uint64_t line = strtoull(row->words[5], NULL, 10);
    for (unsigned found = 0; found < launch->count; line++)
        if (l1_set(line) % L1_SLICES == (unsigned)atoi(row->words[3]))
            launch->lines[found++] = line;
    uint32_t seed = 1;
    for (unsigned i = 0; i < ORDER_LOADS; i++) {
        launch->order[i] = i % launch->count;
        if (strcmp(row->words[4], "random") == 0 && i >= launch->count) {
            seed = seed * 1664525 + 1013904223;
            launch->order[i] = (unsigned)((uint64_t)seed * launch->count >> 32);
        }
    }
}

/* Fills a slice as it was before the first load that missed: all other lines, in the order of their last loads. */
static void fill_slice(const struct order_launch *launch, struct l1 *l1)
{
    bool seen[ORDER_LINES] = {[0] = false};
    uint64_t last[ORDER_LINES];
    unsigned count = 0;
    seen[launch->order[launch->first]] = true;
    for (unsigned i = launch->first; i-- > 0;)
        if (!seen[launch->order[i]]) {
            seen[launch->order[i]] = true;
            last[count++] = launch->lines[launch->order[i]];
        }
    assert_int_equal(count, launch->count - 1);
    while (count)
        l1_use(l1, last[--count], 1, false);
}

/* Returns whether a slice whose hand begins at a set misses the loads that the GPU missed. A load directly behind a
 * miss may still find the line that the miss throws out. */
static bool misses_the_same(const struct order_launch *launch, struct l1 *l1, uint32_t hand)
{
    unsigned const slice = l1_set(launch->lines[0]) % L1_SLICES;
    l1_reset(l1, launch->room);
    l1->hand[slice] = hand;
    fill_slice(launch, l1);
    for (unsigned i = launch->first; i < ORDER_LOADS; i++) {
        uint64_t const line = launch->lines[launch->order[i]];
        if (!l1_has(l1, line) && !launch->missed[i] && i && launch->missed[i - 1])
            continue;
        if ((l1_use(l1, line, 1, false) != 0) == launch->missed[i])
            return false;
    }
    return true;
}

/* tests/silicon/cache_order.txt. Where the hand of a slice begins depends on the launches before. */
static void a_full_slice_throws_out_the_lines_that_the_hardware_does(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct silicon_row row;
    struct order_launch *launch = arena_new(&arena, struct order_launch);
    struct l1 *l1 = arena_new(&arena, struct l1);
    unsigned launches = 0, misses = 0;
    char *text = silicon_open(&arena, "cache_order");
    assert_non_null(text);
    for (bool more = silicon_next(&text, &row); more; launches++) {
        read_launch(&arena, launch, &row);
        do
            for (size_t i = 0; i < row.count_count; i++, misses++)
                launch->missed[row.counts[i]] = true;
        while ((more = silicon_next(&text, &row)) && strcmp(row.words[0], "more") == 0);
        uint32_t hand = 0;
        while (hand < L1_SETS / L1_SLICES && !misses_the_same(launch, l1, hand))
            hand++;
        if (hand == L1_SETS / L1_SLICES)
            fail_msg("%s", launch->name);
    }
    assert_int_equal(launches, 24);
    assert_int_equal(misses, 1368);
    arena_free(&arena);
}

/* Runs the product of two matrices of n rows in blocks of 32 x `rows` threads. */
static struct run *product(unsigned n, unsigned rows, bool recorded, unsigned threads)
{
    char words[3][32], size[16];
    const char *arguments[] = {words[0], words[1], words[2], size};
    static const char *const fills[] = {"zero", "mod:7", "mod:5"};
    for (unsigned i = 0; i < 3; i++)
        snprintf(words[i], sizeof words[i], "f32[%u]=%s", n * n, fills[i]);
    snprintf(size, sizeof size, "i32=%u", n);
    const struct run_file_request request = {.path = LANESCOPE_SOURCE_FOLDER "/kernels/matmul.cu",
                                             .kernel = "matmul_naive",
                                             .grid = {(n + 31) / 32, (n + rows - 1) / rows, 1},
                                             .block = {32, rows, 1},
                                             .arguments = arguments,
                                             .argument_count = 4,
                                             .compiler = COMPILER_SHIPPED,
                                             .options = {.executor = EXECUTOR_EMULATOR,
                                                         .recorded = LAUNCH_ALL_BLOCKS,
                                                         .no_recording = !recorded,
                                                         .caches = true,
                                                         .threads = threads}};
    struct run *run = NULL;
    struct error error = {0};
    if (!run_file(&request, &run, &error))
        fail_msg("%s", error.message);
    assert_non_null(run->caches);
    return run;
}

/* A launch of one block, recorded: what its accesses show adds up to the counts of the launch. */
static void the_sectors_of_a_recorded_block_add_up(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct run *run = product(32, 32, true, 1);
    const struct timeline *timeline = timeline_new(&arena, run->trace, 0);
    const struct origins *origins = origins_new(&arena, timeline, NULL);
    uint64_t sums[ORIGIN_LEVELS] = {0};
    assert_non_null(origins);
    for (size_t i = 0; i < timeline->count; i++) {
        const struct trace_event *event = &run->trace->events.items[timeline->events[i]];
        const struct origin *chunks = origins_at(origins, i);
        struct coalescing access;
        uint32_t counts[ORIGIN_LEVELS];
        if (!chunks)
            continue;
        model_coalescing(trace_addresses(run->trace, event), event->mask, run->trace->sites[event->site].bytes,
                         &access);
        origins_count(chunks, &access, counts);
        for (unsigned level = 0; level < ORIGIN_LEVELS; level++)
            sums[level] += counts[level];
    }
    assert_int_equal(sums[ORIGIN_L1], run->caches->load_hits);
    assert_int_equal(sums[ORIGIN_L2] + sums[ORIGIN_DRAM], run->caches->l2_reads);
    assert_int_equal(run->caches->dram_reads, 256); /* two matrices of 4 KiB */
    assert_in_range(sums[ORIGIN_DRAM], 128, 256);   /* the other sector of a pair may have come along */
    run_free(run);
    arena_free(&arena);
}

static void the_number_of_processors_changes_nothing(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct run *one = product(100, 8, false, 1), *four = product(100, 8, false, 4);
    struct counter *a = NULL, *b = NULL;
    size_t const count = caches_counters(one->caches, &arena, &a);
    assert_int_equal(count, caches_counters(four->caches, &arena, &b));
    for (size_t i = 0; i < count; i++)
        if (a[i].value != b[i].value)
            fail_msg("%s: %lu with one, %lu with four", a[i].name, (unsigned long)a[i].value,
                     (unsigned long)b[i].value);
    for (uint32_t i = 0; i < one->caches->site_count; i++)
        assert_int_equal(one->caches->sites[i].l1_hits, four->caches->sites[i].l1_hits);
    assert_true(one->caches->load_hits > 100000);
    run_free(one);
    run_free(four);
    arena_free(&arena);
}

/* tests/silicon/caches_share.txt: no kernel of it uses more than the threads and the shared memory that the row says.
 */
static void the_driver_takes_the_share_that_the_rule_says(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct silicon_row row;
    const struct occupancy_limits *limits = h100_limits(&arena);
    unsigned launches = 0;
    char *text = silicon_open(&arena, "caches_share");
    assert_non_null(text);
    for (; silicon_next(&text, &row); launches++) {
        uint32_t shape[3];
        silicon_shape(row.words[4], shape);
        struct occupancy_needs const needs = {
            .threads = shape[0], .barriers = 1, .shared = strtoul(row.words[5], NULL, 10)};
        uint32_t const blocks = occupancy_of(limits, &needs).blocks;
        if (l1_shared_share(limits, needs.threads, needs.shared, blocks) != row.counts[0])
            fail_msg("%u threads, %lu bytes: %u, the driver takes %lu", needs.threads, (unsigned long)needs.shared,
                     l1_shared_share(limits, needs.threads, needs.shared, blocks), (unsigned long)row.counts[0]);
    }
    assert_int_equal(launches, 704);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_that_throw_each_other_out_are_of_one_set),
                                       cmocka_unit_test(the_number_of_processors_changes_nothing),
                                       cmocka_unit_test(the_sectors_of_a_recorded_block_add_up),
                                       cmocka_unit_test(the_driver_takes_the_share_that_the_rule_says),
                                       cmocka_unit_test(a_full_slice_throws_out_the_lines_that_the_hardware_does),
                                       cmocka_unit_test(a_second_launch_finds_in_the_l2_what_the_first_left),
                                       cmocka_unit_test(the_caches_hold_what_the_hardware_counted)};
    return cmocka_run_group_tests_name("caches of an H100", tests, NULL, NULL);
}
