/* PTX that no compiler writes is refused with the instruction's name, or ends with a fault, in bounded memory and
 * time. */
#include "emulator_helper.h"
#include <stdio.h>

#define HEAD                                                                                                           \
    ".version 8.8\n.target sm_100\n.address_size 64\n"                                                                 \
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"                                          \
    ".global .align 1 .b8 format[64] = {%s};\n"                                                                        \
    ".entry k(.param .u64 p) {\n .reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .pred %%p<3>; .reg .b128 %%q;\n"            \
    " .shared .align 64 .b8 s[8192];\n ld.param.u64 %%rd1, [p]; mov.u32 %%r1, %%tid.x; mov.u32 %%r2, s;\n"

static bool start(struct bench *b, const char *format, const char *body)
{
    char text[4096], bytes[600] = "0";
    size_t length = 0;
    for (const char *c = format; *c; c++)
        length += (size_t)snprintf(bytes + length, sizeof bytes - length, "%s%d", length ? "," : "", *c);
    int const head = snprintf(text, sizeof text, HEAD, bytes);
    snprintf(text + head, sizeof text - (size_t)head, "%s ret;\n}\n", body);
    static uint64_t data[1024];
    bench_text(b, text);
    bench_mode(b, CHECKED, 1);
    bench_launch(b, "k", 2, 64);
    bench_buffer(b, PTX_U64, data, 1024);
    return emulator_run(b->module, &b->launch, &b->options, &b->result, &b->error);
}

/* 64 bytes a lane, which no GPU supports. */
static void wider_accesses_than_any_machine_has_are_refused(void **state)
{
    (void)state;
    static const char *const bodies[] = {" st.shared.v8.b64 [%r2], {%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1};\n",
                                         " st.global.v8.b64 [%rd1], {%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1};\n",
                                         " st.global.v4.b128 [%rd1], {%q,%q,%q,%q};\n"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct bench b;
        assert_false(start(&b, "", bodies[i]));
        assert_non_null(strstr(b.error.message, "cannot run `st."));
        bench_free(&b);
    }
}

/* The bytes before the first parameter belong to no parameter. */
static void parameters_are_not_read_beyond_their_ends(void **state)
{
    (void)state;
    static const char *const places[] = {"p+-4", "p+-8", "p+-1024", "p+4", "p+8"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct bench b;
        char body[100];
        snprintf(body, sizeof body, " ld.param.u64 %%rd2, [%s];\n st.global.u64 [%%rd1], %%rd2;\n", places[i]);
        assert_true(start(&b, "", body));
        assert_int_equal(trace_faults(b.result.trace), 1);
        bench_free(&b);
    }
}

/* The host's printf would fill fields of two billion characters. */
static void printf_fills_no_fields_beyond_reason(void **state)
{
    (void)state;
    struct bench b;
    assert_true(start(&b, "%2000000000d%.2000000000d%*d%.*f|",
                      " .local .align 8 .b8 v[64]; .reg .b64 %a; mov.u64 %a, v; cvta.local.u64 %a, %a;\n"
                      " mov.u32 %r3, 2000000000; st.v2.u32 [%a], {%r3, %r3}; st.v2.u32 [%a+8], {%r3, %r3};\n"
                      " st.v2.u32 [%a+16], {%r3, %r3};\n mov.u64 %rd2, format; cvta.global.u64 %rd2, %rd2;\n"
                      " { .param .b64 x; .param .b64 y; .param .b32 z; st.param.b64 [x], %rd2; st.param.b64 [y], %a;\n"
                      " call.uni (z), vprintf, (x, y); }\n"));
    assert_int_equal(trace_faults(b.result.trace), 0);
    assert_true(strlen(b.result.output) > 128 && strlen(b.result.output) < 128 * 4096);
    bench_free(&b);
}

/* More barrier objects in a block than the check distinguishes: their phases then order the whole block, and no race is
 * invented. */
static void many_barrier_objects_order_more_not_less(void **state)
{
    (void)state;
    struct bench b;
    assert_true(
        start(&b, "",
              " setp.eq.u32 %p1, %r1, 0; mov.u32 %r4, 0;\n"
              "next: add.u32 %r5, %r2, %r4; @%p1 mbarrier.init.shared.b64 [%r5], 64; add.u32 %r4, %r4, 8;\n"
              " setp.lt.u32 %p2, %r4, 4096; @%p2 bra next; bar.sync 0;\n"
              " shl.b32 %r6, %r1, 2; add.u32 %r6, %r6, %r2; st.shared.u32 [%r6+4096], %r1; mov.u32 %r4, 0;\n"
              "round: add.u32 %r5, %r2, %r4; mbarrier.arrive.shared.b64 _, [%r5];\n"
              "w: mbarrier.test_wait.parity.shared.b64 %p2, [%r5], 0; @!%p2 bra w;\n"
              " add.u32 %r4, %r4, 8; setp.lt.u32 %p2, %r4, 4096; @%p2 bra round;\n"
              " xor.b32 %r7, %r1, 32; shl.b32 %r7, %r7, 2; add.u32 %r7, %r7, %r2; ld.shared.u32 %r8, [%r7+4096];\n"));
    assert_int_equal(trace_faults(b.result.trace), 0);
    assert_int_equal(trace_hazards(b.result.trace), 0);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wider_accesses_than_any_machine_has_are_refused),
        cmocka_unit_test(parameters_are_not_read_beyond_their_ends),
        cmocka_unit_test(printf_fills_no_fields_beyond_reason),
        cmocka_unit_test(many_barrier_objects_order_more_not_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
