/* Text that does not fit in a panel: a step's number and counter, and a wide source line. */
#include "model/counts.h"
#include "view_stand.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Returns the n-th text drawn in a font, from 0; "" when there are fewer. */
static const char *drawn(const struct stand *stand, enum font_role role, int n)
{
    for (size_t i = 0; i < stand->ui.draw.count; i++) {
        const struct draw_command *command = &stand->ui.draw.items[i];
        if (command->kind == DRAW_TEXT && command->role == role && n-- == 0)
            return command->text;
    }
    return "";
}

static void a_headline_is_cut_at_its_line_alone(void **state)
{
    (void)state;
    static const struct {
        const char *number, *words, *shown, *rest;
    } cases[] = {
        {"8", "{} passes", "8 passes", ""},
        {"8", "패스 {}번", "패스 8번", ""},
        {"1", "{} {path|paths}", "1 path", ""},
        {"8", "{}번\n(쓰기)", "8번(쓰기)", ""},
        {"2,100", "{} bank conflicts", "2,100 bank conflicts", ""},
        {"35", "{} loads\ninstead of 64", "35 loads", "instead of 64"},
        {"35", "읽기 {}번\n(전역 버전은 64번)", "읽기 35번", "(전역 버전은 64번)"},
        {"64", "차례로 하나씩 읽는 원소 {}개", "차례로 하나씩 읽는 원소 64개", ""},
        {"race", NULL, "race", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stand stand;
        stand_up(&stand, (struct rect){0, 0, 1000, 600});
        struct tally const tally = {.number = cases[i].number, .words = cases[i].words, .sentence = "so it is"};
        view_tally(&stand.view, (struct rect){0, 0, 700, 84}, &tally, 56);
        assert_string_equal(drawn(&stand, FONT_BOLD, 0), cases[i].shown);
        assert_string_equal(drawn(&stand, FONT_BOLD, 1), cases[i].rest);
        arena_free(&stand.arena);
    }
}

static const char wide[] =
    "int i = 0;\n    total_of_all_rows[row * n + column] += matrix[row * n + k] * other[k];\nend\n";

/* A card 380 wide has 40 characters beside the number. No part of the line is lost, and each row ends at a space. */
static void a_wide_line_goes_on_in_the_next_row(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 1000, 600});
    struct code_view const code = {.source = wide, .name = "wide.cu", .line = 2};
    float const height = card_code_heights(&stand.view, 380, &code).best;
    assert_true(height >= (26 + 24 + 25 * 5) * 1.0f); /* five rows for three lines */
    card_code(&stand.view, (struct rect){0, 0, 380, 400}, &code);
    char line[256] = "";
    for (int n = 0; *drawn(&stand, FONT_CODE, n); n++) {
        const char *piece = drawn(&stand, FONT_CODE, n);
        assert_null(strstr(piece, "…"));
        if (strlen(piece) > 3 && strncmp(piece, "int", 3) != 0) {
            strcat(line, *line ? " " : "");
            strcat(line, piece);
        }
    }
    assert_string_equal(line, "total_of_all_rows[row * n + column] += matrix[row * n + k] * other[k];");
    arena_free(&stand.arena);
}

/* Without spaces, a row ends after a bracket or a comma. */
static void a_word_too_wide_parts_at_a_bracket(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 1000, 600});
    struct code_view const code = {
        .source = "a_long_name_of_a_matrix[a_long_name_of_a_row]=0;\n", .name = "x", .line = 1};
    card_code(&stand.view, (struct rect){0, 0, 380, 400}, &code);
    assert_string_equal(drawn(&stand, FONT_CODE, 1), "a_long_name_of_a_matrix[");
    assert_string_equal(drawn(&stand, FONT_CODE, 2), "a_long_name_of_a_row]=0;");
    arena_free(&stand.arena);
}

/* Returns whether a bold text has these words. */
static bool says(const struct stand *stand, const char *words)
{
    bool said = false;
    for (int n = 0; *drawn(stand, FONT_BOLD, n); n++)
        said = said || strstr(drawn(stand, FONT_BOLD, n), words);
    return said;
}

/* Draws a line that loads from global memory and stores to shared memory. */
static void draw_two_costs(struct stand *stand, uint64_t stores, uint64_t passes)
{
    stand_up(stand, (struct rect){0, 0, 1000, 600});
    struct trace_site sites[2] = {{.line = 1, .operation = TRACE_STORE}, {.line = 1, .operation = TRACE_LOAD}};
    struct site_counts site_counts[2] = {
        {.requests = stores, .shared_requests = stores, .wavefronts = passes, .wavefronts_ideal = passes},
        {.requests = 1, .global_requests = 1, .sectors = 32, .sectors_ideal = 4}};
    struct trace trace = {.sites = sites, .site_count = 2};
    struct counts const counts = {.sites = site_counts, .site_count = 2};
    struct code_view const code = {.source = "a_tile[threadIdx.y][threadIdx.x] = a[row * n + column];\n",
                                   .name = "x",
                                   .line = 1,
                                   .trace = &trace,
                                   .counts = &counts};
    card_code(&stand->view, (struct rect){0, 0, 380, 400}, &code);
}

static void a_line_that_loads_and_stores_has_both_costs(void **state)
{
    (void)state;
    struct stand stand;
    draw_two_costs(&stand, 1, 1);
    assert_true(says(&stand, "32 sectors") && says(&stand, "1 pass"));
    arena_free(&stand.arena);
}

/* A mean takes more room: where only one number fits, it is the bad load's. */
static void the_cost_that_stands_alone_is_the_bad_one(void **state)
{
    (void)state;
    struct stand stand;
    draw_two_costs(&stand, 2, 3);
    assert_true(says(&stand, "32 sectors"));
    assert_false(says(&stand, "pass"));
    arena_free(&stand.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_headline_is_cut_at_its_line_alone),
        cmocka_unit_test(a_wide_line_goes_on_in_the_next_row),
        cmocka_unit_test(a_word_too_wide_parts_at_a_bracket),
        cmocka_unit_test(a_line_that_loads_and_stores_has_both_costs),
        cmocka_unit_test(the_cost_that_stands_alone_is_the_bad_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
