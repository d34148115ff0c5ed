/* The code finds the definition of a name, shows what the name is in this run, and shows the launch. */
#include "model/counts.h"
#include "source/definitions.h"
#include "view/code/parts.h"
#include "view_stand.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] = "#define TILE 32\n"                                               /* 1 */
                             "typedef float element;\n"                                        /* 2 */
                             "struct point { float x, y; };\n"                                 /* 3 */
                             "__device__ int twice(int value) { return 2 * value; }\n"         /* 4 */
                             "// int wrong = 1;\n"                                             /* 5 */
                             "__global__ void one(element *out, const point *points, int n)\n" /* 6 */
                             "{\n"                                                             /* 7 */
                             "    __shared__ element tile[TILE][TILE + 1], more[4];\n"         /* 8 */
                             "    int i = threadIdx.x, j = twice(i * n);\n"                    /* 9 */
                             "    for (unsigned k = 0; k < n; k++)\n"                          /* 10 */
                             "        out[i] = tile[j][k] + points[i].x; /* int late; */\n"    /* 11 */
                             "    const char *text = \"int quoted = 2;\";\n"                   /* 12 */
                             "}\n"                                                             /* 13 */
                             "template <typename T> __global__ void two(T *out)\n"             /* 14 */
                             "{\n"                                                             /* 15 */
                             "    int i = blockIdx.x;\n"                                       /* 16 */
                             "    T held = out[i * TILE];\n"                                   /* 17 */
                             "    out[i] = held;\n"                                            /* 18 */
                             "}\n";

static uint32_t line_of(const char *name, uint32_t from)
{
    struct arena arena = {0};
    struct code_names const names = code_names_of(&arena, source);
    uint32_t const line = code_names_line(&names, name, strlen(name), from);
    arena_free(&arena);
    return line;
}

static void every_kind_of_definition_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t from, line;
    } cases[] = {{"TILE", 8, 1},   {"element", 8, 2}, {"point", 6, 3}, {"x", 11, 3},      {"y", 11, 3},
                 {"twice", 9, 4},  {"value", 4, 4},   {"out", 11, 6},  {"points", 11, 6}, {"n", 9, 6},
                 {"tile", 11, 8},  {"more", 11, 8},   {"i", 11, 9},    {"j", 11, 9},      {"k", 11, 10},
                 {"text", 13, 12}, {"T", 17, 14},     {"out", 18, 14}, {"i", 18, 16},     {"held", 18, 17},
                 {"one", 13, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (line_of(cases[i].name, cases[i].from) != cases[i].line)
            fail_msg("%s, seen from line %u, is said to be defined in line %u", cases[i].name, cases[i].from,
                     line_of(cases[i].name, cases[i].from));
}

static void words_that_define_nothing_are_none(void **state)
{
    (void)state;
    static const char *const names[] = {"wrong", "late", "quoted", "threadIdx", "blockIdx", "int", "return", "TIL"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (line_of(names[i], 99))
            fail_msg("%s is said to be defined in line %u", names[i], line_of(names[i], 99));
    assert_int_equal(line_of("held", 16), 0); /* later */
}

static void a_name_is_found_at_its_bytes(void **state)
{
    (void)state;
    const char *line = "out[i] = tile[j] + 2.5f; // sum";
    struct arena arena = {0};
    size_t length = 0;
    assert_ptr_equal(code_name_at(&arena, line, 1, &length), line);
    assert_int_equal(length, 3);
    assert_ptr_equal(code_name_at(&arena, line, 4, &length), line + 4);
    assert_int_equal(length, 1);
    assert_null(code_name_at(&arena, line, 3, &length));
    assert_null(code_name_at(&arena, line, 20, &length));
    assert_null(code_name_at(&arena, line, 30, &length));
    assert_null(code_name_at(&arena, "f(\"tile\")", 4, &length));
    assert_null(code_name_at(&arena, "", 0, &length));
    arena_free(&arena);
}

/* Any text gives names or none, within bounds and in little time. */
static void any_text_is_read(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "int ", "a",  ",",  "=",  "(",  ")",  ";",        "{", "}", "#define ", "\n", "\"",       "'",
        "/*",   "*/", "//", "\\", "T ", "x9", "typedef ", "*", "<", "struct ",  "[",  "template", "\xEC\x9B\x8C"};
    uint32_t random = 7;
    for (int round = 0; round < 300; round++) {
        struct arena arena = {0};
        char text[4000];
        size_t length = 0;
        while (length + 16 < sizeof text) {
            random = random * 1664525u + 1013904223u;
            const char *part = parts[(random >> 16) % (sizeof parts / sizeof *parts)];
            memcpy(text + length, part, strlen(part));
            length += strlen(part);
        }
        text[length] = 0;
        struct code_names const names = code_names_of(&arena, text);
        for (size_t i = 0; i < names.count; i++)
            assert_true(names.items[i].start >= text && names.items[i].start + names.items[i].length <= text + length);
        arena_free(&arena);
    }
    struct arena arena = {0};
    size_t const huge = CODE_NAMES_BYTES + 1;
    char *text = malloc(huge + 1);
    assert_non_null(text);
    for (size_t i = 0; i < huge; i++)
        text[i] = "int a, "[i % 7];
    text[huge] = 0;
    assert_int_equal(code_names_of(&arena, text).count, 0);
    text[huge - 1] = 0;
    assert_true(code_names_of(&arena, text).count > 0);
    free(text);
    arena_free(&arena);
}

/* ---- the card ---- */

static struct code_value const values[] = {{"n", "n = 1024"}, {"out", "out: f32[64], 256 bytes at 0x1000"}};

static struct code_view code_of(void)
{
    return (struct code_view){.source = source,
                              .name = "names.cu",
                              .line = 11,
                              .launch = "one<<<dim3(4, 2), 256>>>(out, points, 1024)",
                              .values = values,
                              .value_count = 2,
                              .head = 6,
                              .end = 13};
}

/* Draws the card with the mouse on the first text that begins so, `letters` letters further on. */
static struct action draw_with_mouse(struct stand *stand, const struct code_view *code, const char *words,
                                     float letters, bool click)
{
    struct rect const box = {0, 0, 700, 620};
    struct action action = NO_ACTION;
    struct point at = {-1, -1};
    for (int frame = 0; frame < 4; frame++) {
        stand->ui.input.mouse = stand->ui.input.from = at;
        stand->ui.input.mouse_inside = frame > 0;
        stand->ui.input.pressed = stand->ui.input.down = click && frame == 2;
        stand->ui.input.released = click && frame == 3;
        ui_begin(&stand->ui, &stand->arena, box);
        struct action const wanted = card_code(&stand->view, box, code);
        action = wanted.kind != ACTION_NONE ? wanted : action;
        for (size_t i = 0; frame == 0 && i < stand->ui.draw.count; i++) {
            const struct draw_command *command = &stand->ui.draw.items[i];
            if (command->kind == DRAW_TEXT && strncmp(command->text, words, strlen(words)) == 0) {
                float const letter = ui_text_width(&stand->ui, FONT_CODE, command->size, " ");
                at = (struct point){command->at.x + letter * (letters + 0.5f), command->at.y - 4};
                break;
            }
        }
        ui_end(&stand->ui);
    }
    assert_true(at.x >= 0);
    return action;
}

static void a_click_on_a_name_goes_to_its_definition(void **state)
{
    (void)state;
    struct stand stand;
    struct code_view code = code_of();
    stand_up(&stand, (struct rect){0, 0, 700, 620});
    struct action action = draw_with_mouse(&stand, &code, "out[i] = tile", 10, true);
    assert_int_equal(action.kind, ACTION_GO_DEFINITION);
    assert_int_equal(action.value, 8);
    assert_int_equal(action.other, 11);
    action = draw_with_mouse(&stand, &code, "out[i] = tile", 7, true); /* a space: the line */
    assert_int_equal(action.kind, ACTION_CHOOSE_LINE);
    assert_int_equal(action.value, 11);
    action = draw_with_mouse(&stand, &code, "int i = thread", 9, true); /* no definition here */
    assert_int_equal(action.kind, ACTION_CHOOSE_LINE);
    code.picks = true; /* a step about a bug asks for the line */
    action = draw_with_mouse(&stand, &code, "out[i] = tile", 10, true);
    assert_int_equal(action.kind, ACTION_CHOOSE_LINE);
    code.picks = false;
    code.jumped = 8;
    action = draw_with_mouse(&stand, &code, "‹ 11", 1, true);
    assert_int_equal(action.kind, ACTION_LEAVE_DEFINITION);
    arena_free(&stand.arena);
}

static void a_name_below_the_mouse_says_what_it_is_in_this_run(void **state)
{
    (void)state;
    struct stand stand;
    struct code_view const code = code_of();
    stand_up(&stand, (struct rect){0, 0, 700, 620});
    draw_with_mouse(&stand, &code, "out[i] = tile", 1, false);
    assert_string_equal(stand.ui.tooltip, "out: f32[64], 256 bytes at 0x1000\ndefined in line 6: click");
    draw_with_mouse(&stand, &code, "out[i] = held", 1, false); /* another kernel's */
    assert_string_equal(stand.ui.tooltip, "defined in line 14: click");
    draw_with_mouse(&stand, &code, "one<<<", 1, false);
    assert_string_equal(stand.ui.tooltip, "the launch of this run: one<<<dim3(4, 2), 256>>>(out, points, 1024)");
    arena_free(&stand.arena);
}

/* ---- PTX ---- */

static struct trace_site const sites[] = {
    {.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .bytes = 4, .line = 17, .text = "ld.global.f32 %f1, [%rd1]"},
    {.operation = TRACE_STORE, .space = PTX_SPACE_GLOBAL, .bytes = 4, .line = 18, .text = "st.global.f32 [%rd2], %f1"},
    {.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .bytes = 4, .line = 11, .text = "ld.global.f32 %f1, [%rd3]"},
    {.operation = TRACE_LOAD, .space = PTX_SPACE_SHARED, .bytes = 4, .line = 11, .text = "ld.shared.f32 %f2, [%r1]"},
    {.operation = TRACE_STORE, .space = PTX_SPACE_GLOBAL, .bytes = 4, .line = 11, .text = "st.global.f32 [%rd4], %f3"},
    {.operation = TRACE_STORE, .space = PTX_SPACE_GLOBAL, .bytes = 4, .line = 11, .text = "st.global.f32 [%rd5], %f3"},
    {.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .bytes = 4, .line = 10, .text = "ld.global.f32 %f4, [%rd6]"},
    {.operation = TRACE_STORE, .space = PTX_SPACE_GLOBAL, .bytes = 4, .line = 10, .text = "st.global.f32 [%rd7], %f4"}};
enum { CODE_SITES = sizeof sites / sizeof *sites };
static struct site_counts site_counts[CODE_SITES] = {
    {.requests = 8, .global_requests = 8, .sectors = 32, .sectors_ideal = 32},
    {.requests = 8, .global_requests = 8, .sectors = 256, .sectors_ideal = 32},
    {.requests = 8, .global_requests = 8, .sectors = 256, .sectors_ideal = 32},
    {.requests = 8, .shared_requests = 8, .wavefronts = 16, .wavefronts_ideal = 8},
    {.requests = 8, .global_requests = 8, .sectors = 32, .sectors_ideal = 32},
    {.requests = 8, .global_requests = 8, .sectors = 36, .sectors_ideal = 32},
    {.requests = 2, .global_requests = 2, .sectors = 16, .sectors_ideal = 8},
    {.requests = 2, .global_requests = 2, .sectors = 8, .sectors_ideal = 8}};
static struct trace const trace = {.sites = sites, .site_count = CODE_SITES};
static struct counts const counts = {.sites = site_counts, .site_count = CODE_SITES};
static struct code_ptx_row const ptx_rows[] = {
    {.text = "mov.u32 %r1, %tid.x", .line = 16, .column = 13, .site = PTX_NO_INDEX, .counted = true, .executed = 8},
    {.text = "$L__BB0_1:", .label = true, .site = PTX_NO_INDEX},
    {.text = "ld.global.f32 %f1, [%rd1]", .line = 17, .column = 5, .site = 0, .counted = true, .executed = 8},
    {.text = "st.global.f32 [%rd2], %f1", .line = 18, .call_line = 9, .site = 1, .counted = true, .executed = 1024}};

static struct code_view code_with_ptx(const struct code_ptx *ptx)
{
    struct code_view code = code_of();
    code.trace = &trace;
    code.counts = &counts;
    code.ptx_known = true;
    code.ptx = ptx;
    code.line = 17;
    return code;
}

static void different_accesses_of_a_line_show_their_own_cost(void **state)
{
    (void)state;
    struct stand stand;
    struct code_view const code = code_with_ptx(NULL);
    bool bad = false;
    stand_up(&stand, (struct rect){0, 0, 700, 620});
    assert_string_equal(code_cost_text(&stand.view, &code, 17, &bad, false), "4 sectors");
    assert_false(bad);
    assert_string_equal(code_cost_text(&stand.view, &code, 11, &bad, false),
                        "avg. sectors: load 32, store 4 + 4.5 · passes: load 2");
    assert_true(bad);
    assert_string_equal(code_cost_text(&stand.view, &code, 11, &bad, true), "2 passes"); /* the shared load alone */
    assert_string_equal(code_cost_text(&stand.view, &code, 10, &bad, true), "sectors: 8 + 4");
    assert_string_equal(code_site_text(&stand.view, &code, 4, &bad), "4 sectors");
    assert_false(bad);
    arena_free(&stand.arena);
}

static bool draws(const struct stand *stand, const char *words)
{
    for (size_t i = 0; i < stand->ui.draw.count; i++)
        if (stand->ui.draw.items[i].kind == DRAW_TEXT && strcmp(stand->ui.draw.items[i].text, words) == 0)
            return true;
    return false;
}

static void ptx_stands_below_the_source_with_its_counts(void **state)
{
    (void)state;
    struct stand stand;
    struct code_ptx const ptx = {.rows = ptx_rows, .count = 4, .current = 3};
    struct code_view code = code_with_ptx(&ptx);
    stand_up(&stand, (struct rect){0, 0, 700, 620});
    draw_with_mouse(&stand, &code, "ld.global.f32", 1, false);
    assert_true(draws(&stand, "4 sectors · ×8"));
    assert_true(draws(&stand, "32 sectors · ×1,024"));
    assert_true(draws(&stand, "$L__BB0_1:"));
    assert_string_equal(stand.ui.tooltip, "line 17, column 5\nexecuted by warps 8 times");
    draw_with_mouse(&stand, &code, "st.global.f32", 1, false);
    assert_string_equal(stand.ui.tooltip, "line 18, inlined into line 9\nexecuted by warps 1,024 times");
    draw_with_mouse(&stand, &code, "T held", 2, false);
    assert_non_null(strstr(stand.ui.tooltip, "line 17, whole run: instructions of PTX 1, executed by warps 8 times"));
    code.counts = NULL; /* a question is open */
    draw_with_mouse(&stand, &code, "ld.global.f32", 1, false);
    assert_string_equal(stand.ui.tooltip, "line 17, column 5");
    assert_false(draws(&stand, "×8"));
    arena_free(&stand.arena);
}

static void a_click_on_ptx_lights_its_line_and_a_click_on_a_line_its_ptx(void **state)
{
    (void)state;
    struct stand stand;
    struct code_ptx const ptx = {.rows = ptx_rows, .count = 4, .current = 3};
    struct code_view const code = code_with_ptx(&ptx);
    stand_up(&stand, (struct rect){0, 0, 700, 620});
    struct action action = draw_with_mouse(&stand, &code, "mov.u32", 1, true);
    assert_int_equal(action.kind, ACTION_PTX_LIGHT);
    assert_int_equal(action.value, 1);
    assert_int_equal(action.position, 16);
    assert_int_equal(action.other, 17);
    action = draw_with_mouse(&stand, &code, "out[i] = held", 6, true);
    assert_int_equal(action.kind, ACTION_CHOOSE_LINE);
    assert_int_equal(action.value, 18);
    assert_int_equal(action.other, 17);
    action = draw_with_mouse(&stand, &code, "PTX", 1, true);
    assert_int_equal(action.kind, ACTION_PTX);
    arena_free(&stand.arena);
}

int main(void)
{
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(every_kind_of_definition_is_found),
        cmocka_unit_test(words_that_define_nothing_are_none),
        cmocka_unit_test(a_name_is_found_at_its_bytes),
        cmocka_unit_test(any_text_is_read),
        cmocka_unit_test(a_click_on_a_name_goes_to_its_definition),
        cmocka_unit_test(a_name_below_the_mouse_says_what_it_is_in_this_run),
        cmocka_unit_test(different_accesses_of_a_line_show_their_own_cost),
        cmocka_unit_test(ptx_stands_below_the_source_with_its_counts),
        cmocka_unit_test(a_click_on_ptx_lights_its_line_and_a_click_on_a_line_its_ptx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
