/* The kernels of the lesson reduction: sums equal to the host's bit by bit, in the order in which each kernel adds, and
 * the tree of the values that flow between the threads, which is made of the trace alone. */
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

static struct lesson *opened(void)
{
    struct lesson *lesson;
    struct error error = {0};
    if (!lesson_load("reduction", &lesson, &error))
        fail_msg("%s", error.message);
    return lesson;
}

static struct lesson_setting setting_of(const struct lesson *lesson, int variant, int block)
{
    struct lesson_setting setting = lesson_defaults(lesson);
    setting.variant = variant;
    setting.value[0] = block;
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

static void each_kernel_adds_in_the_order_of_its_reference(void **state)
{
    (void)state;
    struct lesson *lesson = opened();
    for (int variant = 0; variant < lesson->variant_count; variant++)
        for (int block = 0; block < lesson->knobs[0].value_count; block++) {
            struct lesson_setting const setting = setting_of(lesson, variant, block);
            struct arena arena = {0};
            struct error error = {0};
            const struct ptx_module *module;
            struct launch launch;
            struct launch_blocks recorded;
            struct emulator_result result;
            float sums[64] = {0};
            if (lesson->variants[variant].faulty)
                continue;
            if (!plan_find_module(lesson, &setting, &module, &error) ||
                !plan_launch(lesson, &setting, false, &arena, &launch, &recorded, &error))
                fail_msg("%s", error.message);
            fill_with_fractions(&launch.buffers[1]);
            assert_true(launch.buffers[0].count <= 64);
            assert_true(reference_compute(lesson->variants[variant].reference, &launch, 0, sums, &error));
            float others[64] = {0};
            const char *other = variant < 2 ? "reduction_halves" : "reduction_neighbours";
            assert_true(variant == 4 || reference_compute(other, &launch, 0, others, &error));
            assert_true(variant == 4 || memcmp(sums, others, sizeof sums) != 0); /* the order matters */
            struct emulator_options const options = {.recorded = {1, 0}};
            if (!emulator_run(module, &launch, &options, &result, &error))
                fail_msg("%s", error.message);
            assert_int_equal(result.trace->finding_count, 0);
            assert_memory_equal(launch.buffers[0].data, sums, launch.buffers[0].count * sizeof *sums);
            trace_free(result.trace);
            launch_buffers_free(&launch);
            arena_free(&arena);
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

/* Returns the only node that a result needs at the last level. */
static const struct tree_node *top_of(const struct tree *tree)
{
    const struct tree_node *top = NULL;
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (tree->nodes[i].level == tree->level_count - 1 && tree->nodes[i].used) {
            assert_null(top);
            top = &tree->nodes[i];
        }
    assert_non_null(top);
    return top;
}

static void check_tree(const struct tree *tree, uint32_t threads, float sum)
{
    assert_int_equal(1u << (tree->level_count - 1), threads);
    assert_int_equal(tree->type, PTX_F32);
    for (uint32_t level = 1; level < tree->level_count; level++)
        assert_int_equal(tree->levels[level].combined - tree->levels[level].wasted, threads >> level);
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        if (!node->used)
            continue;
        assert_true(node->known && node->source_count == (node->level ? 2 : 0));
        if (node->level) {
            assert_int_equal(node->operation, '+');
            assert_true(float_of(node->value) ==
                        float_of(tree->nodes[node->sources[0]].value) + float_of(tree->nodes[node->sources[1]].value));
        }
    }
    assert_true(float_of(top_of(tree)->value) == sum);
    assert_int_equal(top_of(tree)->thread, 0);
}

/* Returns the sum of input numbers `first` to `first + count - 1`. */
static float sum_of_digits(uint64_t first, uint32_t count)
{
    struct fill const fill = {.kind = FILL_DIGITS, .number = 1};
    struct launch_buffer buffer = {.name = "in", .type = PTX_F32, .count = first + count};
    struct launch launch = {.buffers = &buffer, .buffer_count = 1};
    struct error error = {0};
    assert_true(launch_buffers_allocate(&launch, &error) && fill_buffer(&fill, &buffer, &error));
    float sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += ((const float *)buffer.data)[first + i];
    launch_buffers_free(&launch);
    return sum;
}

static void every_way_is_a_tree_of_the_same_sum(void **state)
{
    (void)state;
    struct lesson *lesson = opened();
    for (int variant = 0; variant < lesson->variant_count; variant++)
        for (int block = 0; block < lesson->knobs[0].value_count; block++) {
            struct lesson_setting const setting = setting_of(lesson, variant, block);
            struct arena arena = {0};
            struct error error = {0};
            struct run *run;
            if (lesson->variants[variant].faulty || strcmp(lesson->variants[variant].name, "all") == 0)
                continue; /* the last joins the sums of the blocks */
            if (!run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error))
                fail_msg("%s", error.message);
            for (uint64_t b = 0; b < run->trace->grid[0]; b++) {
                const struct tree *tree = tree_new(&arena, timeline_new(&arena, run->trace, b));
                uint32_t const threads = run->trace->block[0], numbers = threads << (variant == 4);
                float const sum = sum_of_digits(b * numbers, numbers);
                assert_non_null(tree);
                check_tree(tree, threads, sum);
                bool const shuffles = strcmp(lesson->variants[variant].name, "shuffle") == 0 || variant == 4;
                assert_int_equal(tree->levels[tree->level_count - 1].shuffles, shuffles);
            }
            run_free(run);
            arena_free(&arena);
        }
    lesson_free(lesson);
}

/* Without values, the accesses alone tell who takes a number of whom. */
static void a_tree_without_values_has_the_same_shape(void **state)
{
    (void)state;
    struct lesson *lesson = opened();
    struct lesson_setting const setting = setting_of(lesson, 2, 1);
    struct arena arena = {0};
    struct error error = {0};
    struct run *run;
    assert_true(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error));
    const struct tree *with = tree_new(&arena, timeline_new(&arena, run->trace, 0));
    size_t const values = run->trace->values.count;
    run->trace->values.count = 0;
    const struct tree *without = tree_new(&arena, timeline_new(&arena, run->trace, 0));
    run->trace->values.count = values;
    assert_int_equal(without->node_count, with->node_count);
    for (uint32_t i = 1; i < with->node_count; i++) {
        assert_int_equal(without->nodes[i].thread, with->nodes[i].thread);
        assert_int_equal(without->nodes[i].level, with->nodes[i].level);
        assert_int_equal(without->nodes[i].source_count, with->nodes[i].source_count);
        assert_false(without->nodes[i].known);
    }
    run_free(run);
    arena_free(&arena);
    lesson_free(lesson);
}

static void kernels_that_combine_nothing_have_no_tree(void **state)
{
    (void)state;
    static const char *const names[] = {"barrier", "transpose", "banks", "coalescing"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lesson *lesson;
        struct error error = {0};
        struct run *run;
        struct arena arena = {0};
        assert_true(lesson_load(names[i], &lesson, &error));
        struct lesson_setting setting = lesson_defaults(lesson);
        for (setting.variant = 0; setting.variant < lesson->variant_count; setting.variant++) {
            if (!run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error))
                fail_msg("%s", error.message);
            assert_null(tree_new(&arena, timeline_new(&arena, run->trace, 0)));
            run_free(run);
        }
        arena_free(&arena);
        lesson_free(lesson);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kernel_adds_in_the_order_of_its_reference),
        cmocka_unit_test(every_way_is_a_tree_of_the_same_sum),
        cmocka_unit_test(a_tree_without_values_has_the_same_shape),
        cmocka_unit_test(kernels_that_combine_nothing_have_no_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
