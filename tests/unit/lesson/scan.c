/* The kernels of the lesson scan: sums equal to the host's bit by bit, in the order in which each kernel adds, and the
 * picture of their values: who adds, who keeps a number, and what each step costs. */
#include "emulator/emulator.h"
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include "model/tree.h"
#include "run/fill.h"
#include "run/reference.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { HILLIS, BLELLOCH, PADDED, SHUFFLE, IN_PLACE };
enum { NUMBERS_MOST = 2048 };

static struct lesson *opened(void)
{
    struct lesson *lesson;
    struct error error = {0};
    if (!lesson_load("scan", &lesson, &error))
        fail_msg("%s", error.message);
    return lesson;
}

static struct lesson_setting setting_of(const struct lesson *lesson, int variant, int size)
{
    struct lesson_setting setting = lesson_defaults(lesson);
    setting.variant = variant;
    setting.value[0] = size;
    return setting;
}

/* Floats whose sums depend on the order of the additions. */
static void fill_with_fractions(struct launch_buffer *buffer)
{
    float *numbers = buffer->data;
    uint32_t state = 12345;
    for (uint64_t i = 0; i < buffer->count; i++) {
        state = state * 1664525 + 1013904223;
        numbers[i] = (float)(state >> 8) * 0x1p-20f * (i % 7 ? 1.0f : 1e-3f);
    }
}

static void check_order(const struct lesson *lesson, const struct lesson_setting *setting)
{
    static const char *const references[] = {"scan_hillis", "scan_blelloch", "scan_blelloch", "scan_warps"};
    static float sums[NUMBERS_MOST], others[NUMBERS_MOST];
    struct arena arena = {0};
    struct error error = {0};
    const struct ptx_module *module;
    struct launch launch;
    struct launch_blocks recorded;
    struct emulator_result result;
    if (!plan_find_module(lesson, setting, &module, &error) ||
        !plan_launch(lesson, setting, false, &arena, &launch, &recorded, &error))
        fail_msg("%s", error.message);
    uint64_t const count = launch.buffers[0].count;
    fill_with_fractions(&launch.buffers[1]);
    assert_true(count <= NUMBERS_MOST);
    assert_string_equal(lesson->variants[setting->variant].reference, references[setting->variant]);
    assert_true(reference_compute(references[setting->variant], &launch, 0, sums, &error));
    assert_true(
        reference_compute(setting->variant == SHUFFLE ? "scan_hillis" : "scan_warps", &launch, 0, others, &error));
    bool const alike = memcmp(sums, others, count * sizeof *sums) == 0;
    assert_int_equal(alike, setting->value[0] == 0 && (setting->variant == HILLIS || setting->variant == SHUFFLE));
    struct emulator_options const options = {.recorded = {1, 0}};
    if (!emulator_run(module, &launch, &options, &result, &error))
        fail_msg("%s", error.message);
    assert_int_equal(result.trace->finding_count, 0);
    assert_memory_equal(launch.buffers[0].data, sums, count * sizeof *sums);
    trace_free(result.trace);
    launch_buffers_free(&launch);
    arena_free(&arena);
}

/* One warp by shuffles adds in the order of Hillis and Steele; every other pair of orders gives other sums. */
static void each_kernel_adds_in_the_order_of_its_reference(void **state)
{
    (void)state;
    struct lesson *lesson = opened();
    for (int variant = HILLIS; variant <= SHUFFLE; variant++)
        for (int size = 0; size < lesson->knobs[0].value_count; size++) {
            struct lesson_setting const setting = setting_of(lesson, variant, size);
            check_order(lesson, &setting);
        }
    lesson_free(lesson);
}

static float float_of(uint64_t bits)
{
    uint32_t const word = (uint32_t)bits;
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static uint32_t log2_of(uint32_t n)
{
    return 31 - (uint32_t)__builtin_clz(n);
}

/* Checks that every node is the sum of two numbers, or one number kept or moved. */
static void check_nodes(const struct tree *tree)
{
    assert_int_equal(tree->type, PTX_F32);
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        const struct tree_node *a = &tree->nodes[node->sources[0]], *b = &tree->nodes[node->sources[1]];
        if (!node->used)
            continue;
        if (!node->known)
            fail_msg("node %u of thread %u, level %u, is unknown", i, node->thread, node->level);
        if (node->source_count == 2) {
            if (node->operation != '+')
                fail_msg("node %u of thread %u, level %u: %g is %g %c %g", i, node->thread, node->level,
                         (double)float_of(node->value), (double)float_of(a->value), node->operation,
                         (double)float_of(b->value));
            assert_true(float_of(node->value) == float_of(a->value) + float_of(b->value));
        } else if (node->source_count) {
            assert_int_equal(node->source_count, 1);
            assert_int_equal(node->operation, '=');
            assert_true(node->value == a->value);
        }
    }
}

/* In step s of Hillis and Steele, n - 2^(s - 1) threads add and the others keep their numbers. */
static void check_hillis(const struct tree *tree, uint32_t n)
{
    assert_int_equal(tree->level_count - 1, log2_of(n));
    assert_int_equal(tree->places, 0);
    for (uint32_t level = 1; level < tree->level_count; level++) {
        uint32_t const keep = 1u << (level - 1);
        assert_int_equal(tree->levels[level].threads, n - keep);
        assert_int_equal(tree->levels[level].combined, n - keep);
        assert_int_equal(tree->levels[level].moved, keep);
        assert_int_equal(tree->levels[level].idle, 0);
        assert_int_equal(tree->levels[level].conflicts, 0);
        assert_int_equal(tree->levels[level].barriers, 1);
        assert_int_equal(tree->levels[level].distance, -(int64_t)keep);
    }
}

/* Half the threads up to one, then one up to half the threads; on the way down, each also moves a number. */
static void check_blelloch(const struct tree *tree, uint32_t n, bool padded)
{
    uint32_t const up = log2_of(n), threads = n / 2;
    uint32_t conflicts = 0;
    assert_int_equal(tree->level_count - 1, 2 * up);
    assert_int_equal(tree->places, n);
    assert_int_equal(tree_combined(tree), 2 * (n - 1));
    for (uint32_t level = 1; level < tree->level_count; level++) {
        uint32_t const busy = level <= up ? n >> level : 1u << (level - up - 1);
        assert_int_equal(tree->levels[level].threads, busy);
        assert_int_equal(tree->levels[level].moved, level <= up ? 0 : busy);
        assert_int_equal(tree->levels[level].idle, threads - busy);
        assert_int_equal(tree->levels[level].barriers, 1);
        conflicts += tree->levels[level].conflicts;
    }
    assert_int_equal(conflicts > 0, !padded && n > 32); /* 16 threads two words apart have a bank each */
    for (uint32_t i = 1; i < tree->node_count; i++)
        assert_true(!tree->nodes[i].used || (tree->nodes[i].place < n && tree->nodes[i].shares));
}

/* Five steps in every warp, as many as the warps need in the first, and one more for all threads but those of it. */
static void check_shuffle(const struct tree *tree, uint32_t n)
{
    uint32_t const warps = n / 32, among = log2_of(warps);
    assert_int_equal(tree->level_count - 1, 5 + among + (warps > 1));
    for (uint32_t level = 1; level < tree->level_count; level++) {
        uint32_t const away = 1u << (level - 1);
        bool const last = warps > 1 && level == tree->level_count - 1;
        assert_int_equal(tree->levels[level].shuffles, !last);
        assert_int_equal(tree->levels[level].conflicts, 0);
        if (level <= 5)
            assert_int_equal(tree->levels[level].combined, n - warps * away);
        if (last)
            assert_int_equal(tree->levels[level].combined, n - 32);
    }
}

static void every_way_adds_as_often_as_its_rule_says(void **state)
{
    (void)state;
    struct lesson *lesson = opened();
    for (int variant = HILLIS; variant <= SHUFFLE; variant++)
        for (int size = 0; size < lesson->knobs[0].value_count; size++) {
            struct lesson_setting const setting = setting_of(lesson, variant, size);
            uint32_t const n = 32u << size;
            struct arena arena = {0};
            struct error error = {0};
            struct run *run;
            if (!run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error))
                fail_msg("%s", error.message);
            for (uint64_t block = 0; block < run->trace->grid[0]; block++) {
                const struct tree *tree = tree_new(&arena, timeline_new(&arena, run->trace, block));
                assert_non_null(tree);
                check_nodes(tree);
                if (variant == HILLIS)
                    check_hillis(tree, n);
                else if (variant == SHUFFLE)
                    check_shuffle(tree, n);
                else
                    check_blelloch(tree, n, variant == PADDED);
            }
            run_free(run);
            arena_free(&arena);
        }
    lesson_free(lesson);
}

/* Every number of the block reaches its own sum: the last sum of Hillis and Steele depends on all leaves. */
static void the_last_sum_depends_on_every_number(void **state)
{
    (void)state;
    struct lesson *lesson = opened();
    for (int variant = HILLIS; variant <= SHUFFLE; variant++) {
        struct lesson_setting const setting = setting_of(lesson, variant, 2);
        struct arena arena = {0};
        struct error error = {0};
        struct run *run;
        bool needed[8192] = {false};
        uint32_t last = 0, leaves = 0;
        float most = -1;
        if (!run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error))
            fail_msg("%s", error.message);
        const struct tree *tree = tree_new(&arena, timeline_new(&arena, run->trace, 1));
        assert_true(tree && tree->node_count < 8192);
        for (uint32_t i = 1; i < tree->node_count; i++)
            if (tree->nodes[i].used && tree->nodes[i].level == tree->level_count - 1 &&
                float_of(tree->nodes[i].value) >= most) {
                most = float_of(tree->nodes[i].value);
                last = i;
            }
        needed[last] = true;
        for (uint32_t i = last; i > 0; i--)
            for (uint32_t k = 0; needed[i] && k < tree->nodes[i].source_count; k++)
                needed[tree->nodes[i].sources[k]] = true;
        for (uint32_t i = 1; i < tree->node_count; i++)
            leaves += needed[i] && !tree->nodes[i].source_count && tree->nodes[i].level == 0;
        assert_int_equal(leaves, variant == BLELLOCH || variant == PADDED ? 127 : 128); /* exclusive: not its own */
        run_free(run);
        arena_free(&arena);
    }
    lesson_free(lesson);
}

static void one_buffer_is_a_race(void **state)
{
    (void)state;
    struct lesson *lesson = opened();
    struct lesson_setting const setting = setting_of(lesson, IN_PLACE, 1);
    struct error error = {0};
    struct run *run;
    if (!run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error))
        fail_msg("%s", error.message);
    assert_true(trace_hazards(run->trace) > 0);
    run_free(run);
    lesson_free(lesson);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kernel_adds_in_the_order_of_its_reference),
        cmocka_unit_test(every_way_adds_as_often_as_its_rule_says),
        cmocka_unit_test(the_last_sum_depends_on_every_number),
        cmocka_unit_test(one_buffer_is_a_race),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
