/* The rows of PTX that a reader sees, and the lines of the source that they belong to. */
#include "ptx/listing.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".file 1 \"k.cu\"\n.file 2 \"header.h\"\n"
                           ".func unused { ret; }\n"
                           ".func leaf { .loc 1 3 1\n ret; }\n"
                           ".entry k(.param .u64 k_param_0) {\n"
                           "  .reg .b32 %r<4>;\n  .reg .pred %p<2>;\n"
                           "  .loc 1 10 5\n"
                           "  mov.u32 \t%r1,\n    %tid.x; // not: a label\n"
                           "$L__BB0_1: first:\n"
                           "  .loc 1 4 9, function_name $L__info, inlined_at 1 10 5\n"
                           "  add.s32 %r2, %r1, 1;\n"
                           "  .loc 2 77 1, function_name $L__info, inlined_at 1 4 9\n"
                           "  add.s32 %r3, %r2, 1;\n"
                           "  .loc 2 78 1, function_name $L__info, inlined_at 1 10 5\n"
                           "  setp.eq.s32 %p1, %r3, 0;\n"
                           "  .loc 1 11 5\n"
                           "  @%p1 bra $L__BB0_1;\n"
                           "  call leaf;\n"
                           "  ret;\n$L_end:\n}\n";

struct expected {
    const char *text;
    uint32_t line, call_line; /* 0: no instruction, or not inlined */
};
static const struct expected rows[] = {{"mov.u32 %r1, %tid.x", 10, 0},
                                       {"$L__BB0_1:", 0, 0},
                                       {"first:", 0, 0},
                                       {"add.s32 %r2, %r1, 1", 4, 10},
                                       {"add.s32 %r3, %r2, 1", 4, 10},
                                       {"setp.eq.s32 %p1, %r3, 0", 10, 0},
                                       {"@%p1 bra $L__BB0_1", 11, 0},
                                       {"call leaf", 11, 0},
                                       {"ret", 11, 0},
                                       {"$L_end:", 0, 0},
                                       {"leaf", 0, 0},
                                       {"ret", 3, 0}};

static void each_instruction_and_label_is_a_row_at_its_line(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct ptx_module *module;
    struct error error;
    if (!ptx_parse(&arena, "test.ptx", text, strlen(text), &module, &error))
        fail_msg("%s", error.message);
    struct ptx_listing const listing = ptx_listing_of(&arena, module, ptx_kernel(module, "k"));
    assert_int_equal(listing.count, sizeof rows / sizeof *rows);
    for (uint32_t i = 0; i < listing.count; i++) {
        const struct ptx_row *row = &listing.rows[i];
        assert_string_equal(row->text, rows[i].text);
        assert_int_equal(row->instruction ? row->instruction->line : 0, rows[i].line);
        assert_int_equal(row->instruction ? row->instruction->call_line : 0, rows[i].call_line);
    }
    arena_free(&arena);
}

int main(void)
{
    struct CMUnitTest const tests[] = {cmocka_unit_test(each_instruction_and_label_is_a_row_at_its_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
