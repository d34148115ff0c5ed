/* The elements that a block accesses and the way of a value from array to array, in the lessons' own kernels: the ways
 * are compared with the formula of each kernel, the counts with those of the plain trace. */
#include "scene/follow.h"
#include "lesson/lesson_run.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* A run of a lesson's variant on the emulator, with the scene of its first block. */
struct shown {
    struct arena arena;
    struct lesson *lesson;
    struct run *run;
    struct playback *playback;
    struct scene scene;
};

static void show(struct shown *shown, const char *name, int variant, int64_t knob, size_t position)
{
    struct error error = {0};
    *shown = (struct shown){0};
    assert_true(lesson_load(name, &shown->lesson, &error));
    struct lesson_setting setting = lesson_defaults(shown->lesson);
    setting.variant = variant;
    const struct lesson_knob *first = &shown->lesson->knobs[0];
    for (int i = 0; i < first->value_count; i++)
        if (first->values[i] == knob)
            setting.value[0] = i;
    assert_true(run_lesson(shown->lesson, &setting, EXECUTOR_EMULATOR, NULL, &shown->run, &error));
    shown->playback = playback_new(&shown->arena, shown->run->trace, 0);
    scene_build(&shown->scene, shown->playback, position, NULL, &shown->arena);
    shown->scene.arrays = &shown->lesson->arrays;
    shown->scene.picture = shown->run->picture;
}

static void hide(struct shown *shown)
{
    arena_free(&shown->arena);
    run_free(shown->run);
    lesson_free(shown->lesson);
}

static const struct element_array *array_of(const struct shown *shown, const char *name)
{
    const struct element_array *array = elements_array(playback_elements(shown->playback), name);
    assert_non_null(array);
    return array;
}

/* Through a register, a tile, a padded tile, a swizzled one, or four elements a thread: row and column change places.
 */
static void an_element_of_a_transposition_goes_from_row_and_column_to_column_and_row(void **state)
{
    (void)state;
    enum { NAIVE, VARIANTS = 5 };
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int64_t tile = 8; tile <= 32; tile *= 2) {
            struct shown shown;
            show(&shown, "transpose", variant, tile, 0);
            const struct element_array *in = array_of(&shown, "in"), *out = array_of(&shown, "out");
            for (uint32_t row = 0; row < in->rows; row++)
                for (uint32_t column = 0; column < in->columns; column++) {
                    struct element_way const way = scene_way(&shown.scene, in, row * in->columns + column, out);
                    if (row >= tile || column >= tile) { /* another block's */
                        assert_int_equal(way.to, UINT32_MAX);
                        continue;
                    }
                    assert_int_equal(way.to, column * out->columns + row);
                    assert_true(way.loaded < way.stored);
                    assert_int_equal(way.kept == SIZE_MAX, variant == NAIVE);
                    if (variant != NAIVE)
                        assert_true(way.loaded < way.kept && way.kept < way.read && way.read < way.stored);
                }
            hide(&shown);
        }
}

/* Returns how often lanes of the first block have loaded an element up to a position, by its address alone. */
static uint32_t loads_in_trace(const struct shown *shown, const struct element_array *array, uint32_t element,
                               size_t position)
{
    uint64_t const address = array->buffer->address + (uint64_t)element * array->bytes;
    uint32_t count = 0;
    for (size_t at = 0; at <= position; at++) {
        const struct trace_event *event = playback_event(shown->playback, at);
        const struct trace_site *site = playback_site(shown->playback, at);
        if (event->kind != TRACE_ACCESS || site->operation != TRACE_LOAD)
            continue;
        for (int lane = 0; lane < WARP_LANES; lane++)
            count += (event->mask >> lane & 1) && trace_addresses(shown->run->trace, event)[lane] == address;
    }
    return count;
}

static void the_counts_on_cells_are_those_of_the_trace(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    static uint32_t const steps[] = {0, 3, 10};
    for (int variant = 0; variant < 3; variant++) {
        struct shown shown;
        show(&shown, "matmul", variant, 16, 0);
        for (size_t i = 0; i < 2 * sizeof steps / sizeof *steps; i++) {
            const struct element_array *array = array_of(&shown, names[i % 2]);
            size_t const position = steps[i / 2] * (shown.playback->count - 1) / 10;
            for (uint32_t element = 0; element < array->rows * array->columns; element += 7) {
                const struct element_use *use = elements_use(array, element, position);
                assert_int_equal(use ? use->loads : 0, loads_in_trace(&shown, array, element, position));
            }
        }
        /* Without a tile each of the 16 threads of a row loads an element of a; with one the block does so once. */
        const struct element_use *last = elements_use(array_of(&shown, "a"), 0, shown.playback->count);
        assert_int_equal(last->loads, variant == 0 ? 16 : 1);
        hide(&shown);
    }
}

/* In a product through tiles, k runs along the row of a and the column of b: a lane reads from shared memory what its
 * element of c needs. */
static void a_tile_tells_which_elements_of_a_and_b_a_lane_reads(void **state)
{
    (void)state;
    enum { LANE = 20, TILED = 1, TILE = 16 };
    struct shown shown;
    show(&shown, "matmul", TILED, TILE, 0);
    const struct elements *elements = playback_elements(shown.playback);
    const struct element_array *a = array_of(&shown, "a"), *b = array_of(&shown, "b");
    uint32_t of_a = 0, of_b = 0;
    for (size_t at = 0; at < shown.playback->count; at++) {
        const struct trace_event *event = playback_event(shown.playback, at);
        const struct trace_site *site = playback_site(shown.playback, at);
        if (event->warp || event->kind != TRACE_ACCESS || site->operation != TRACE_LOAD ||
            trace_space(site, event) != PTX_SPACE_SHARED)
            continue;
        uint64_t const origin = elements_origin(elements, at, LANE);
        uint32_t const left = elements_at(a, origin), right = elements_at(b, origin);
        if (left != UINT32_MAX && elements_at(b, origin) == UINT32_MAX) {
            assert_int_equal(left / a->columns, LANE / TILE);
            assert_int_equal(left % a->columns, of_a++);
        } else {
            assert_int_equal(right % b->columns, LANE % TILE);
            assert_int_equal(right / b->columns, of_b++);
        }
    }
    assert_int_equal(of_a, a->columns);
    assert_int_equal(of_b, b->rows);
    hide(&shown);
}

static void the_followed_element_is_that_of_the_lane_or_the_chosen_one(void **state)
{
    (void)state;
    struct shown shown;
    show(&shown, "matmul", 0, 16, 0);
    struct followed followed = scene_follow(&shown.scene, 1u << 20);
    assert_string_equal(followed.array->buffer->name, "c");
    assert_int_equal(followed.element, followed.array->columns + 4);
    shown.scene.chosen = 7;
    followed = scene_follow(&shown.scene, 1u << 20);
    assert_int_equal(followed.element, 6);
    assert_int_equal(scene_neighbour(followed.array, 6, 0, 1), 6 + followed.array->columns);
    assert_int_equal(scene_neighbour(followed.array, 0, -1, -1), 0);
    hide(&shown);
    show(&shown, "transpose", 0, 32, 0);
    followed = scene_follow(&shown.scene, 1u << 5);
    assert_string_equal(followed.array->buffer->name, "in");
    assert_int_equal(followed.element, 5);
    hide(&shown);
    show(&shown, "stencil", 0, 3, 0);
    followed = scene_follow(&shown.scene, 1u << 9);
    assert_string_equal(followed.array->buffer->name, "out");
    assert_int_equal(followed.element, 9);
    hide(&shown);
}

/* With n = 40 the third phase stores zeros beyond the edge of the tile, and the sums are computed: neither comes from
 * an element. */
static void zeros_and_sums_come_from_nowhere(void **state)
{
    (void)state;
    struct error error = {0};
    struct shown shown;
    show(&shown, "matmul", 1, 16, 0);
    struct lesson_setting setting = lesson_defaults(shown.lesson);
    setting.variant = 1;
    setting.value[1] = 2; /* n = 40 */
    run_free(shown.run);
    assert_true(run_lesson(shown.lesson, &setting, EXECUTOR_EMULATOR, NULL, &shown.run, &error));
    shown.playback = playback_new(&shown.arena, shown.run->trace, 0);
    const struct elements *elements = playback_elements(shown.playback);
    uint32_t kept = 0, known = 0;
    for (size_t at = 0; at < shown.playback->count; at++) {
        const struct trace_event *event = playback_event(shown.playback, at);
        const struct trace_site *site = playback_site(shown.playback, at);
        if (event->kind != TRACE_ACCESS || site->operation != TRACE_STORE)
            continue;
        bool const shared = trace_space(site, event) == PTX_SPACE_SHARED;
        for (int lane = 0; lane < WARP_LANES; lane++) {
            uint64_t const origin = elements_origin(elements, at, lane);
            kept += shared && (event->mask >> lane & 1);
            known += shared && origin;
            assert_true(shared || !origin);
        }
    }
    assert_int_equal(kept, 3 * 2 * 16 * 16);
    assert_int_equal(known, 2 * 16 * 40);
    hide(&shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_element_of_a_transposition_goes_from_row_and_column_to_column_and_row),
        cmocka_unit_test(the_counts_on_cells_are_those_of_the_trace),
        cmocka_unit_test(a_tile_tells_which_elements_of_a_and_b_a_lane_reads),
        cmocka_unit_test(the_followed_element_is_that_of_the_lane_or_the_chosen_one),
        cmocka_unit_test(zeros_and_sums_come_from_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
