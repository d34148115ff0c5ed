/* The strip and the list of a program's calls, compared with tests/views/program_*.txt. */
#include "view/cards/program.h"
#include "view_golden.h"

static const struct program_item items[] = {
    {.kind = PROGRAM_ALLOCATION,
     .name = "cudaMalloc",
     .file = "a.cu",
     .line = 9,
     .sized = true,
     .bytes = 4096,
     .in_use = 4096,
     .host_us = 3},
    {.kind = PROGRAM_COPY,
     .name = "cudaMemcpy",
     .file = "a.cu",
     .line = 10,
     .sized = true,
     .bytes = 4096,
     .direction = PROGRAM_TO_DEVICE,
     .in_use = 4096,
     .model_us = 2.5},
    {.kind = PROGRAM_LAUNCH,
     .name = "reverse",
     .file = "a.cu",
     .line = 11,
     .launch = 1,
     .opens = true,
     .grid = {4, 2, 1},
     .block = {256, 1, 1},
     .shared_bytes = 1024,
     .findings = 2,
     .worst_line = 4,
     .worst_wasted = 4096,
     .wasted = 6144,
     .in_use = 4096,
     .model_us = 5.7},
    {.kind = PROGRAM_WAIT, .name = "cudaDeviceSynchronize", .file = "a.cu", .line = 12, .error = 719, .in_use = 4096},
    {.kind = PROGRAM_COPY,
     .name = "cudaMemcpy",
     .file = "a.cu",
     .line = 13,
     .sized = true,
     .bytes = 2048,
     .direction = PROGRAM_FROM_DEVICE,
     .error = 719,
     .error_name = "cudaErrorLaunchFailure",
     .in_use = 4096},
    {.kind = PROGRAM_FREE,
     .name = "cudaFree",
     .file = "a.cu",
     .line = 14,
     .sized = true,
     .bytes = 4096,
     .mistake = 1,
     .mistakes = 1,
     .fault = true},
    {.kind = PROGRAM_CRASH, .name = "signal", .file = "a.cu", .line = 15, .error = 11}};
enum { COUNT = sizeof items / sizeof *items };
static const struct program_mistake mistakes[] = {{.item = 2,
                                                   .fault = true,
                                                   .title = "double free",
                                                   .words = "cudaFree of memory that was already freed.",
                                                   .advice = "Free each allocation once."}};
static const struct program_view program = {.mistakes = mistakes,
                                            .mistake_count = 1,
                                            .items = items,
                                            .count = COUNT,
                                            .chosen = 2,
                                            .most_in_use = 4096,
                                            .summary = "Launches: 1",
                                            .back = true};

static void the_strip_draws_as_its_golden_text(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 900, 400});
    assert_int_equal(card_program_strip(&stand.view, (struct rect){0, 0, 900, 132}, &program).kind, ACTION_NONE);
    compare_with_golden(&stand, "program_strip");
}

static void the_list_draws_as_its_golden_text(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 1300, 400});
    assert_int_equal(card_program_list(&stand.view, (struct rect){0, 0, 1300, 400}, &program).kind, ACTION_NONE);
    compare_with_golden(&stand, "program_list");
}

/* The chosen call's mistake stands at the bottom with its remedy, and the list keeps the rest of the room. */
static void a_mistake_draws_as_its_golden_text(void **state)
{
    (void)state;
    struct stand stand;
    struct rect box = {0, 0, 900, 400};
    stand_up(&stand, box);
    card_program_mistakes(&stand.view, &box, &program);
    assert_true(box.h > 200 && box.h < 400);
    compare_with_golden(&stand, "program_mistake");
}

/* However many calls there are, the chosen one is in sight, and a click names it. */
static void a_long_program_shows_the_calls_around_the_chosen_one(void **state)
{
    (void)state;
    enum { MANY = 500 };
    static struct program_item many[MANY];
    for (int i = 0; i < MANY; i++)
        many[i] = items[i % COUNT];
    struct program_view const shown = {
        .items = many, .count = MANY, .chosen = 250, .most_in_use = 4096, .summary = "Launches: 72"};
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 900, 400});
    card_program_strip(&stand.view, (struct rect){0, 0, 900, 132}, &shown);
    const char *dump = draw_dump(&stand.ui.draw, &stand.arena);
    assert_non_null(strstr(dump, "calls 235 to 267 of 500"));
    arena_free(&stand.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strip_draws_as_its_golden_text),
        cmocka_unit_test(the_list_draws_as_its_golden_text),
        cmocka_unit_test(a_mistake_draws_as_its_golden_text),
        cmocka_unit_test(a_long_program_shows_the_calls_around_the_chosen_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
