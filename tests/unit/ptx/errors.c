/* The errors of bad PTX: name and line of the text, the statement as written, and one sentence. No bytes cause a
 * crash. */
#include "base/file.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#define HEADER ".version 8.0\n.target sm_75\n.address_size 64\n"
#define KERNEL HEADER ".entry k(.param .u64 p) {\n.reg .pred %p<3>;\n.reg .b32 %r<5>;\n.reg .f32 %f<5>;\n"

static void check(const char *text, const char *expected)
{
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    char line[1024];
    assert_false(ptx_parse(&arena, "x.ptx", text, strlen(text), &module, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_string_equal(error_line(&error, line, sizeof line), expected);
    arena_free(&arena);
}

static void unknown_instruction_is_named_with_its_line(void **state)
{
    (void)state;
    check(KERNEL "ret;\n\tfrobnicate.u32 %r1,\n\t\t%r2; }",
          "x.ptx:9:2: \"frobnicate\" is not an instruction that is known in \"frobnicate.u32 %r1, %r2;\"");
}

static void unknown_word_is_named(void **state)
{
    (void)state;
    check(KERNEL "@%p1 add.sideways.u32 %r1, %r2, 3; }",
          "x.ptx:8:1: \".sideways\" is not known in \"@%p1 add.sideways.u32 %r1, %r2, 3;\"");
}

static void number_of_operands_is_checked(void **state)
{
    (void)state;
    check(KERNEL "add.u32 %r1, %r2; }", "x.ptx:8:1: \"add\" takes at least 3 operands in \"add.u32 %r1, %r2;\"");
    check(KERNEL "not.b32 %r1, %r2, %r3; }",
          "x.ptx:8:1: \"not\" takes at most 2 operands in \"not.b32 %r1, %r2, %r3;\"");
}

static void every_operand_is_checked(void **state)
{
    (void)state;
    check(KERNEL "add.u32 %r1, %p1, 3; }",
          "x.ptx:8:1: operand 2 of \"add\" must be a register or a number of type .u32, "
          "not a register of type .pred in \"add.u32 %r1, %p1, 3;\"");
    check(KERNEL "add.u32 %r1, %r2, [%r3]; }", "x.ptx:8:1: operand 3 of \"add\" must be a register or a number of type "
                                               ".u32, not an address in \"add.u32 %r1, %r2, [%r3];\"");
    check(KERNEL "mul.wide.u32 %r1, %r2, 3; }",
          "x.ptx:8:1: operand 1 of \"mul\" must be a register of type .u64, not a "
          "register of type .b32 in \"mul.wide.u32 %r1, %r2, 3;\"");
    check(KERNEL "ld.global.u32 %f1, [p]; }",
          "x.ptx:8:1: operand 1 of \"ld\" must be a register of type .u32 or wider, "
          "not a register of type .f32 in \"ld.global.u32 %f1, [p];\"");
    check(KERNEL "ld.global.v2.u32 %r1, [p]; }",
          "x.ptx:8:1: operand 1 of \"ld\" must be a vector of 2 of type .u32 or "
          "wider, not a register of type .b32 in \"ld.global.v2.u32 %r1, [p];\"");
    check(KERNEL "ld.param.u32 _, [p]; }",
          "x.ptx:8:1: operand 1 of \"ld\" must be a register of type .u32 or wider, not "
          "_ in \"ld.param.u32 _, [p];\"");
    check(KERNEL "ld.global.u32 %r1, [%f1]; }",
          "x.ptx:8:1: operand 2 is an address that does not fit: a register of 32 or 64 bits, or a variable of the "
          "instruction's space, must stand in the brackets in \"ld.global.u32 %r1, [%f1];\"");
    check(KERNEL "cp.async.cg.shared.global %r1, [%r2], 16; }",
          "x.ptx:8:1: operand 1 of \"cp\" must be an address in brackets, not a register of type .b32 in "
          "\"cp.async.cg.shared.global %r1, [%r2], 16;\"");
    check(KERNEL "cp.async.ca.shared.global [%r1], [%r2], 0; }",
          "x.ptx:8:1: operand 3 of \"cp\" must be 4, 8 or 16, not 0 in \"cp.async.ca.shared.global [%r1], [%r2], 0;\"");
    check(KERNEL "cp.async.cg.shared.global [%r1], [%r2], 8; }",
          "x.ptx:8:1: operand 3 of \"cp\" must be 16, not 8 in \"cp.async.cg.shared.global [%r1], [%r2], 8;\"");
    check(KERNEL "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2]; }",
          "x.ptx:8:1: operand 1 of \"ldmatrix\" must be a vector of 2 registers of type .b32, not a vector of 1 in "
          "\"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];\"");
    check(KERNEL "@%r1 ret; }",
          "x.ptx:8:1: the register behind \"@\" must be of type .pred, not .b32 in \"@%r1 ret;\"");
    check(KERNEL "not.f32 %f1, %f2; }",
          "x.ptx:8:1: this form of \"not\" does not take type .f32 in \"not.f32 %f1, %f2;\"");
    check(KERNEL "mov %r1, %r2; }", "x.ptx:8:1: \"mov\" needs a type in \"mov %r1, %r2;\"");
    check(KERNEL "bar.arrive 1; }", "x.ptx:8:1: this form of \"bar\" takes 2 operands, not 1 in \"bar.arrive 1;\"");
}

static void values_of_a_call_are_checked(void **state)
{
    (void)state;
#define CALLEE HEADER ".func (.param .b32 r) f(.param .b64 x);\n.func g(.reg .b32 %x);\n.entry k2() { ret; }\n"
#define CALLER CALLEE ".entry k() {\n.reg .b32 %r<5>;\n.param .b32 a;\n.param .b64 b;\n"
    check(CALLER "call (a), f, (a); }",
          "x.ptx:11:1: argument 1 of the call does not fit: the parameter of 8 bytes cannot "
          "be the name of a variable in \"call (a), f, (a);\"");
    check(CALLER "call (b), f, (b); }",
          "x.ptx:11:1: result 1 of the call does not fit: the result of 4 bytes cannot be "
          "the name of a variable in \"call (b), f, (b);\"");
    check(CALLER "call (a), f; }", "x.ptx:11:1: \"f\" has 1 parameters, and the call gives 0 in \"call (a), f;\"");
    check(CALLER "call f, (b); }", "x.ptx:11:1: \"f\" has 1 results, and the call takes 0 in \"call f, (b);\"");
    check(CALLER "call g, ([%r1]); }",
          "x.ptx:11:1: argument 1 of the call does not fit: the parameter of 4 bytes cannot "
          "be an address in \"call g, ([%r1]);\"");
    check(CALLER "call %r1, (b); }",
          "x.ptx:11:1: a call through a register needs one of 64 bits in \"call %r1, (b);\"");
    check(CALLER "call k2; }", "x.ptx:11:1: \"k2\" is a kernel, which no instruction can call in \"call k2;\"");
    check(CALLEE ".func g(.reg .b64 %x) { ret; }",
          "x.ptx:7:23: function \"g\" is declared with other parameters or results before");
}

static void undeclared_names_are_errors(void **state)
{
    (void)state;
    check(KERNEL "mov.u32 %r5, 1; }", "x.ptx:8:1: \"%r5\" is not declared in \"mov.u32 %r5, 1;\"");
    check(KERNEL "mov.u32 %r01, 1; }", "x.ptx:8:1: \"%r01\" is not declared in \"mov.u32 %r01, 1;\"");
    check(KERNEL "@%p3 ret; }", "x.ptx:8:1: \"%p3\" is not declared in \"@%p3 ret;\"");
    check(KERNEL "call nobody; }", "x.ptx:8:1: \"nobody\" is not declared in \"call nobody;\"");
    check(KERNEL "bra nowhere; }", "x.ptx:8:5: label \"nowhere\" is not in this function");
    check(HEADER ".global .u64 a = b;", "x.ptx:4:18: \"b\" in the initial values of \"a\" is not declared");
}

static void label_of_an_inner_scope_is_not_seen_outside(void **state)
{
    (void)state;
    check(KERNEL "{ L: ret; }\nbra L; }", "x.ptx:9:5: label \"L\" is not in this function");
}

static void numbers_of_the_wrong_kind_are_errors(void **state)
{
    (void)state;
    check(KERNEL "add.f32 %f1, %f2, 1; }", "x.ptx:8:1: \"1\" is not a number of type .f32 in \"add.f32 %f1, %f2, 1;\"");
    check(KERNEL "add.u32 %r1, %r2, 1.5; }",
          "x.ptx:8:1: \"1.5\" is not a number of type .u32 in \"add.u32 %r1, %r2, 1.5;\"");
    check(KERNEL "mov.u32 %r1, 18446744073709551616; }",
          "x.ptx:8:1: an operand is missing in \"mov.u32 %r1, 18446744073709551616;\"");
}

static void a_constant_expression_without_a_value_is_an_error(void **state)
{
    (void)state;
    check(KERNEL "mov.u32 %r1, 1 / (2 - 2); }",
          "x.ptx:8:1: a number is divided by zero in \"mov.u32 %r1, 1 / (2 - 2);\"");
    check(KERNEL "mov.f32 %f1, 1.5 * 2; }",
          "x.ptx:8:1: \"*\" does not take these numbers in \"mov.f32 %f1, 1.5 * 2;\"");
    check(KERNEL "mov.f32 %f1, (1.5 < 2.0) ; }",
          "x.ptx:8:1: \"(1.5 < 2.0)\" is not a number of type .f32 in \"mov.f32 %f1, (1.5 < 2.0) ;\"");
    check(KERNEL "mov.u32 %r1, 1.5 ? 2 : 3; }",
          "x.ptx:8:1: a whole number is missing in \"mov.u32 %r1, 1.5 ? 2 : 3;\"");
    check(KERNEL "mov.u32 %r1, 1 + %r2; }", "x.ptx:8:1: a number is missing in \"mov.u32 %r1, 1 + %r2;\"");
    check(KERNEL "mov.u32 %r1, (.u32)1; }", "x.ptx:8:1: a number is missing in \"mov.u32 %r1, (.u32)1;\"");
    check(KERNEL "mov.u32 %r1, (1; }", "x.ptx:8:16: \")\" is missing");
    check(HEADER ".global .b8 a[2 + 2];", "x.ptx:4:17: \"]\" is missing");
}

static void deep_parentheses_end_in_an_error_and_not_the_stack(void **state)
{
    (void)state;
    static char text[1 << 20] = KERNEL "mov.u32 %r1, ";
    size_t const head = strlen(text);
    memset(text + head, '(', sizeof text - 1 - head);
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    assert_false(ptx_parse(&arena, "x.ptx", text, sizeof text - 1, &module, &error));
    assert_non_null(strstr(error.message, "a number is nested more than 64 times"));
    arena_free(&arena);
}

static void only_a_predicate_takes_the_special_register_that_is_one(void **state)
{
    (void)state;
    check(KERNEL "mov.u32 %r1, %is_explicit_cluster; }",
          "x.ptx:8:1: operand 2 of \"mov\" must be a register, a number, a variable's name or values in braces of type "
          ".u32, not a special register in \"mov.u32 %r1, %is_explicit_cluster;\"");
    check(KERNEL "mov.pred %p1, %laneid; }",
          "x.ptx:8:1: operand 2 of \"mov\" must be a register or a number of type .pred, not a special register in "
          "\"mov.pred %p1, %laneid;\"");
}

static void a_name_declared_twice_is_an_error(void **state)
{
    (void)state;
    check(HEADER ".global .u32 a;\n.global .u32 a;", "x.ptx:5:1: \"a\" is declared twice in \".global .u32 a;\"");
    check(KERNEL ".param .b64.const q; }", "x.ptx:8:1: this type of variable is not known in \".param .b64.const q;\"");
    check(KERNEL "L: ret;\nL: ret; }", "x.ptx:9:4: label \"L\" is declared twice");
    check(HEADER ".func f { ret; }\n.func f { ret; }", "x.ptx:5:9: function \"f\" has two bodies");
}

static void oversized_declarations_are_errors(void **state)
{
    (void)state;
    check(HEADER ".global .u32 a[99999999999][99999999999];",
          "x.ptx:4:1: an array's length must be a number, and the array smaller than 2^40 bytes in "
          "\".global .u32 a[99999999999][99999999999];\"");
    check(HEADER ".global .b8 a[1000000000] = {1};",
          "x.ptx:4:1: \"a\" is too large for a variable with initial values in \".global .b8 a[1000000000] = {1};\"");
    check(HEADER ".global .align 3 .b8 a;",
          "x.ptx:4:1: an alignment must be a power of two up to 1048576 in \".global .align 3 .b8 a;\"");
    check(HEADER ".global .u32 a[2] = {1, 2, 3};",
          "x.ptx:4:1: more initial values than \"a\" has room for in \".global .u32 a[2] = {1, 2, 3};\"");
}

/* Neither lets a short text take much memory. */
static void more_text_or_registers_than_any_module_has_are_refused_with_the_limit(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    assert_false(ptx_parse(&arena, "x.ptx", "", (size_t)200 << 20, &module, &error));
    assert_string_equal(error.message, "the PTX is 209715200 B long; the limit is 134217728 B");
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs(HEADER ".entry k() {\n.reg .b32 a", out);
    for (unsigned i = 0; i < 1u << 18; i++)
        fprintf(out, ",b%x", i);
    fputs(";\nret;\n}\n", out);
    fclose(out);
    assert_false(ptx_parse(&arena, "x.ptx", text, size, &module, &error));
    assert_string_equal(error.message, "the function uses more than 262144 registers");
    free(text);
    arena_free(&arena);
}

static void truncated_text_is_an_error(void **state)
{
    (void)state;
    check(KERNEL, "x.ptx:8:1: the text ends inside function \"k\"");
    check(KERNEL "add.u32 %r1,", "x.ptx:8:1: an operand is missing in \"add.u32 %r1,...\"");
    check("hello", "x.ptx:1:1: the text does not begin with .version");
}

static void long_statement_is_shortened(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    char *text = arena_format(&arena, "%s what %0500d; }", KERNEL, 7);
    assert_false(ptx_parse(&arena, "x.ptx", text, strlen(text), &module, &error));
    assert_true(strlen(error.message) < 200);
    assert_non_null(strstr(error.message, "000...\""));
    arena_free(&arena);
}

static void survey_lists_all_unknown_statements(void **state)
{
    (void)state;
    static const char text[] = KERNEL "mov.u32 %r1, 1;\nwarp.drive %r1, {%r2,\n %r3};\nL: add.odd.u32 %r1, %r1, 1;\n"
                                      "@%p1 bra L;\n@!%p1 nop.later Q;\nret; }\n"
                                      ".file 1 \"x.cu\"\n";
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    struct ptx_unknown *unknown;
    size_t count;
    assert_true(ptx_survey(&arena, "x.ptx", text, strlen(text), &module, &unknown, &count, &error));
    assert_int_equal(count, 3);
    assert_string_equal(unknown[0].instruction, "warp.drive %r1, {%r2,\n %r3}");
    assert_int_equal(unknown[0].ptx_line, 9);
    assert_string_equal(unknown[0].function, "k");
    assert_string_equal(unknown[1].instruction, "add.odd.u32 %r1, %r1, 1");
    assert_string_equal(unknown[2].instruction, "@!%p1 nop.later Q");
    assert_string_equal(unknown[0].reason, "\"warp\" is not an instruction that is known");
    assert_string_equal(unknown[1].reason, "\".odd\" is not known");
    assert_int_equal(ptx_kernel(module, "k")->instruction_count, 3);
    arena_free(&arena);
}

static void survey_of_a_broken_text_is_still_an_error(void **state)
{
    (void)state;
    static const char text[] = KERNEL "mov.u32 %r9, 1; }";
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    struct ptx_unknown *unknown;
    size_t count;
    assert_false(ptx_survey(&arena, "x.ptx", text, strlen(text), &module, &unknown, &count, &error));
    assert_string_equal(error.message, "\"%r9\" is not declared in \"mov.u32 %r9, 1;\"");
    arena_free(&arena);
}

/* Unknown statements noted before it must not hide an error that ends a survey. */
static void an_error_after_unknown_statements_is_reported(void **state)
{
    (void)state;
    static const char *const texts[] = {KERNEL "warp.drive %r1; }\n.global oops;\n", HEADER ".global .oops x;\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct ptx_module *module;
        struct ptx_unknown *unknown;
        size_t count;
        assert_false(ptx_survey(&arena, "x.ptx", texts[i], strlen(texts[i]), &module, &unknown, &count, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_non_null(strstr(error.message, "oops"));
        arena_free(&arena);
    }
}

static void the_head_of_a_module_stands_before_all_else_and_only_once(void **state)
{
    (void)state;
    check(".func f() { ret; }\n" HEADER, "x.ptx:1:2: the text does not begin with .version");
    check(".version 8.0\n.func f() { ret; }\n.target sm_75\n", "x.ptx:2:2: .target is missing behind .version");
    check(HEADER ".func f() { ret; }\n.address_size 64\n",
          "x.ptx:5:2: \".address_size\" stands at the start of a module, once");
    check(HEADER ".entry k(.param .u64 p)\n.address_size 64\n{ ret; }",
          "x.ptx:5:2: directive \".address_size\" is not known");
    check(HEADER ".local .u32 x;\n",
          "x.ptx:4:1: from PTX 3.0 on, local memory is declared in a function in \".local .u32 x;\"");
    check(HEADER ".target sm_90\n", "x.ptx:4:2: \".target\" stands at the start of a module, once");
}

#define VECTORS KERNEL ".reg .v2 .u32 v, w; .reg .v4 .u32 z; .reg .b64 d;\n"
#define AT "x.ptx:9:1: "

static void vector_registers_stand_where_ptxas_takes_them(void **state)
{
    (void)state;
    static const char most[] = "x.ptx:8:1: a register that is a vector has at most 128 bits, and no predicates in ";
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"mov.u32 v.z, 5;", "\".z\" is no element of a vector of 2"},
        {"mov.u32 v.b0, 5;", "\".b0\" is no element of a vector of 2"},
        {"add.u32 v, v, w;", "operand 1 of \"add\" must be a register of type .u32, not a vector of 2"},
        {"mov.v4.u32 z, v;", "operand 2 of \"mov\" must be a vector of 4"},
        {"mov.v2.u32 v, %r1;", "operand 2 of \"mov\" must be a vector of 2"},
        {"mov.v2.pred {%p1, %p2}, {%p2, %p1};",
         "\"mov\" moves vectors of at most four elements and 128 bits, and of no predicates"},
        {"ld.global.v4.u32 {v, w}, [d];", "a vector stands inside another one"},
        {"ld.global.u32 v, [d];", "operand 1 of \"ld\" must be a register of type .u32 or wider, not a vector of 2"},
        {"ld.global.u32 %r1, [v.x];", "an address starts from a register, a variable or a number"},
        {"and.b32 %r1, !v, 1;", "\"!\" stands before a vector"},
        {"mov.u32 %r1, %tid;", "operand 2 of \"mov\" must be a register, a number, a variable's name or values in "
                               "braces of type .u32, not a vector of 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], expected[1024];
        snprintf(text, sizeof text, "%s%s }", VECTORS, cases[i].text);
        snprintf(expected, sizeof expected, AT "%s in \"%s\"", cases[i].error, cases[i].text);
        check(text, expected);
    }
    char expected[256];
    snprintf(expected, sizeof expected, "%s\".reg .v4 .b64 v;\"", most);
    check(KERNEL ".reg .v4 .b64 v; }", expected);
    snprintf(expected, sizeof expected, "%s\".reg .v2 .pred v;\"", most);
    check(KERNEL ".reg .v2 .pred v; }", expected);
    check(KERNEL ".reg .v2 .u32 v; .reg .u32 v; }", "x.ptx:8:18: \"v\" is declared twice in \".reg .u32 v;\"");
}

static void calls_take_whole_vector_registers(void **state)
{
    (void)state;
    static const char head[] =
        HEADER ".func (.reg .v2 .u32 o) f(.reg .v2 .u32 i, .reg .u32 n) { mov.v2.u32 o, i; ret; }\n"
               ".entry k() { .reg .v2 .u32 v; .reg .v4 .u32 z; .reg .u32 r;\n";
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"call (v), f, ({r, r}, r);", "a call takes no vector in braces"},
        {"call (v), f, (v, v.x);", "a call takes a whole vector register, not an element of one"},
        {"call (v), f, (r, r, r);",
         "argument 1 of the call does not fit: a vector of 2 cannot be a register of type .u32"},
        {"call (v), f, (z, r);", "\"f\" has 3 parameters, and the call gives 5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], expected[1024];
        snprintf(text, sizeof text, "%s%s }", head, cases[i].text);
        snprintf(expected, sizeof expected, "x.ptx:6:1: %s in \"%s\"", cases[i].error, cases[i].text);
        check(text, expected);
    }
    check(HEADER ".entry k(.reg .v2 .u32 v) { ret; }", "x.ptx:4:27: parameter \"v\" of a kernel must be .param");
}

static void sums_stand_behind_the_first_operand_and_are_of_integers(void **state)
{
    (void)state;
    check(KERNEL "add.u32 %r1+1, %r2, 3; }", "x.ptx:8:1: \",\" or \";\" is missing in \"add.u32 %r1+1, %r2, 3;\"");
    check(KERNEL "add.u32 %r1, %r2-1, 3; }", "x.ptx:8:1: \",\" or \";\" is missing in \"add.u32 %r1, %r2-1, 3;\"");
    check(KERNEL "add.f32 %f1, %f2+1, %f3; }", "x.ptx:8:1: a number is added to a register of integers of 16 bits or "
                                               "more, not of .f32 in \"add.f32 %f1, %f2+1, %f3;\"");
    check(KERNEL "add.u32 %r1, %r2+1.5, 3; }",
          "x.ptx:8:1: \"1.5\" is not a number of type .s64 in \"add.u32 %r1, %r2+1.5, 3;\"");
}

/* As ptxas 13.0 has it: it inlines such calls, in a module whose calls have no ABI. */
static void predicates_are_passed_in_modules_without_the_abi(void **state)
{
    (void)state;
#define NOT HEADER ".func (.reg .pred o) f(.reg .pred i) { not.pred o, i; ret; }\n"
#define CALL ".entry k() { .reg .pred p; .reg .u32 r;\n"
    static const char refused[] =
        "x.ptx:6:1: calls pass predicates only in a module where a function has several results, or that has local "
        "memory outside functions: these end the ABI of calls";
    check(NOT CALL "call (p), f, (p); }", refused);
    check(NOT CALL "call (p), f, (1); }", "x.ptx:6:1: argument 1 of the call does not fit: a predicate cannot be a "
                                          "number in \"call (p), f, (1);\"");
    check(NOT CALL "call (p), f, (r); }", "x.ptx:6:1: argument 1 of the call does not fit: a predicate cannot be a "
                                          "register of type .u32 in \"call (p), f, (r);\"");
    check(HEADER ".func (.param .pred o) f() { ret; }",
          "x.ptx:4:22: a predicate is passed in a register, not in .param");
    static const char *const texts[] = {
        NOT ".func (.reg .u32 a, .reg .u32 b) two();\n" CALL "call (p), f, (p); }",
        ".version 2.3\n.target sm_20\n.local .u32 x;\n.func (.reg .pred o) f(.reg .pred i) { not.pred o, i; ret; "
        "}\n" CALL "call (p), f, (p); }",
        NOT,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct ptx_module *module;
        if (!ptx_parse(&arena, "x.ptx", texts[i], strlen(texts[i]), &module, &error))
            fail_msg("%zu: %s", i, error.message);
        arena_free(&arena);
    }
}

static void local_memory_outside_a_function_is_plain(void **state)
{
    (void)state;
#define OLD ".version 2.3\n.target sm_20\n"
    check(OLD ".extern .local .u32 x;\n",
          "x.ptx:3:1: local memory is neither .extern, .weak nor .common in \".extern .local .u32 x;\"");
    check(OLD ".local .u32 x = 4;\n", "x.ptx:3:1: \"x\" cannot have initial values in \".local .u32 x = 4;\"");
    check(OLD ".local .u32 x[];\n", "x.ptx:3:1: \"x\" needs a size in \".local .u32 x[];\"");
    check(OLD ".local .u32 x; .local .u32 x;\n", "x.ptx:3:16: \"x\" is declared twice in \".local .u32 x;\"");
    check(OLD ".local .u32 x; .global .u64 g = x;\n",
          "x.ptx:3:33: \"x\" lies at another address in each thread, so it is no initial value");
}

static void text_with_a_zero_byte_is_an_error(void **state)
{
    (void)state;
    static const char text[] = HEADER "// a \0 b\n.func f() { ret; }\n";
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    assert_false(ptx_parse(&arena, "x.ptx", text, sizeof text - 1, &module, &error));
    assert_string_equal(error.message, "the PTX holds a zero byte, so it is not text");
    arena_free(&arena);
}

/* Other compilers end a text with a zero byte; cuobjdump writes headers before and behind it. */
static void text_of_other_compilers_keeps_its_lines(void **state)
{
    (void)state;
    static const char text[] = "\nFatbin ptx code:\n================\narch = sm_75\ncompressed\n\n//\n" HEADER
                               ".visible .entry k()\n{ ret; }\n\nFatbin elf code:\n================\narch = sm_75\n\0";
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    assert_true(ptx_parse(&arena, "x.ptx", text, sizeof text, &module, &error));
    assert_int_equal(module->functions[0].instructions[0].ptx_line, 12);
    assert_null(strstr(module->text, "Fatbin"));
    assert_int_equal(strlen(module->text), module->text_size);
    arena_free(&arena);
    check("Fatbin ptx code:\narch = sm_75\n" HEADER "\nFatbin ptx code:\narch = sm_80\n" HEADER,
          "x.ptx:9:2: \".version\" stands at the start of a module, once");
}

/* As ptxas has it: parameters, registers, variables and labels of a body share one scope. A module's names lie outside.
 */
static void a_body_declares_each_name_once(void **state)
{
    (void)state;
    static const char hides[] = HEADER ".global .u8 m;\n.func f() { .global .u8 m; st.global.u8 [m], 1; ret; }\n";
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    assert_false(ptx_parse(&arena, "x.ptx", hides, strlen(hides), &module, &error));
    arena_free(&arena);
    check(HEADER ".func f() {\n.local .b32 m;\n.global .u8 m;\nret; }",
          "x.ptx:6:1: \"m\" is declared twice in \".global .u8 m;\"");
    check(HEADER ".func f(.param .b32 m) {\n.global .u8 m;\nret; }",
          "x.ptx:5:1: \"m\" is declared twice in \".global .u8 m;\"");
    check(KERNEL ".reg .b64 p; }", "x.ptx:8:1: \"p\" is declared twice in \".reg .b64 p;\"");
    check(KERNEL "p: bra p; }", "x.ptx:8:4: label \"p\" is declared twice");
    check(KERNEL ".reg .b64 %r<9>; }", "x.ptx:8:1: \"%r<\" is declared twice in \".reg .b64 %r<9>;\"");
    check(KERNEL ".reg .b64 %r4; }", "x.ptx:8:1: \"%r4\" is declared twice in \".reg .b64 %r4;\"");
    check(HEADER ".entry k(.param .u64 p, .param .u32 p) { ret; }", "x.ptx:4:42: parameter \"p\" is declared twice");
}

static void a_location_is_read_to_its_end_and_no_further(void **state)
{
    (void)state;
    check(KERNEL ".loc 1 2 3, function_name $L0\nmov.u32 %r9, 1;\n }",
          "x.ptx:9:1: \"%r9\" is not declared in \"mov.u32 %r9, 1;\"");
    check(KERNEL ".loc 1 2 3, here\nret; }",
          "x.ptx:8:1: \"function_name\" or \"inlined_at\" is missing behind a comma in \".loc 1 2 3, here ret;\"");
    check(KERNEL ".loc 1 2 2147483648\nret; }",
          "x.ptx:8:1: 2147483648 is larger than 2^31 - 1 in \".loc 1 2 2147483648 ret;\"");
}

static uint32_t random_next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void try_both(const char *text, size_t size)
{
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    struct ptx_unknown *unknown;
    size_t count;
    if (!ptx_parse(&arena, "m.ptx", text, size, &module, &error))
        assert_true(error.kind == ERROR_INPUT && error.message[0]);
    ptx_survey(&arena, "m.ptx", text, size, &module, &unknown, &count, &error);
    assert_true(arena.bytes < (256u << 20));
    arena_free(&arena);
}

/* Every golden text cut at every length, then with bytes and words exchanged: each gives a program or an error. */
static void damaged_text_never_crashes(void **state)
{
    (void)state;
    static const char *const names[] = {"forms", "calls", "loops"};
    static const char bytes[] = "{}()[];,.@%|!<>:\"-+0f x9\n\xff";
    struct arena arena = {0};
    struct error error = {0};
    uint32_t random = 7;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char *text;
        size_t size;
        assert_true(file_read(&arena, arena_format(&arena, "ptx/%s.ptx", names[n]), &text, &size, &error));
        for (size_t cut = 0; cut < size; cut += 1 + random_next(&random) % 16)
            try_both(text, cut);
        char *copy = arena_alloc(&arena, size);
        for (int round = 0; round < 500; round++) {
            memcpy(copy, text, size);
            for (uint32_t k = 0, changes = 1 + random_next(&random) % 4; k < changes; k++) {
                size_t const at = random_next(&random) % size, from = random_next(&random) % size;
                size_t const length = random_next(&random) % 24;
                if (random_next(&random) % 2 && at + length < size && from + length < size)
                    memmove(copy + at, copy + from, length);
                else
                    copy[at] = bytes[random_next(&random) % (sizeof bytes)];
            }
            try_both(copy, size);
        }
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_instruction_is_named_with_its_line),
        cmocka_unit_test(unknown_word_is_named),
        cmocka_unit_test(number_of_operands_is_checked),
        cmocka_unit_test(every_operand_is_checked),
        cmocka_unit_test(values_of_a_call_are_checked),
        cmocka_unit_test(undeclared_names_are_errors),
        cmocka_unit_test(label_of_an_inner_scope_is_not_seen_outside),
        cmocka_unit_test(numbers_of_the_wrong_kind_are_errors),
        cmocka_unit_test(a_constant_expression_without_a_value_is_an_error),
        cmocka_unit_test(deep_parentheses_end_in_an_error_and_not_the_stack),
        cmocka_unit_test(only_a_predicate_takes_the_special_register_that_is_one),
        cmocka_unit_test(a_name_declared_twice_is_an_error),
        cmocka_unit_test(oversized_declarations_are_errors),
        cmocka_unit_test(more_text_or_registers_than_any_module_has_are_refused_with_the_limit),
        cmocka_unit_test(truncated_text_is_an_error),
        cmocka_unit_test(long_statement_is_shortened),
        cmocka_unit_test(survey_lists_all_unknown_statements),
        cmocka_unit_test(survey_of_a_broken_text_is_still_an_error),
        cmocka_unit_test(an_error_after_unknown_statements_is_reported),
        cmocka_unit_test(the_head_of_a_module_stands_before_all_else_and_only_once),
        cmocka_unit_test(vector_registers_stand_where_ptxas_takes_them),
        cmocka_unit_test(calls_take_whole_vector_registers),
        cmocka_unit_test(sums_stand_behind_the_first_operand_and_are_of_integers),
        cmocka_unit_test(predicates_are_passed_in_modules_without_the_abi),
        cmocka_unit_test(local_memory_outside_a_function_is_plain),
        cmocka_unit_test(text_with_a_zero_byte_is_an_error),
        cmocka_unit_test(text_of_other_compilers_keeps_its_lines),
        cmocka_unit_test(a_body_declares_each_name_once),
        cmocka_unit_test(a_location_is_read_to_its_end_and_no_further),
        cmocka_unit_test(damaged_text_never_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
