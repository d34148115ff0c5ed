/* Which atomics the machine counts by ATOMS.POPC.INC, and which results are read. Each form was compiled by ptxas 13.0
 * for sm_90: `counts` is whether it made ATOMS.POPC.INC of it. */
#include "base/arena.h"
#include "ptx/parse.h"
#include "trace/trace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static const struct {
    const char *text;
    bool unread, counts;
} forms[] = {
    {"red.shared.add.u32 [%r1], 1;", false, true},
    {"red.shared.add.u32 [%r1], %r2;", false, false},
    {"red.shared.add.s32 [%r1], 1;", false, false},
    {"red.shared.add.u32 [%r1], -1;", false, false},
    {"red.shared.add.u64 [%r1], 1;", false, false},
    {"red.shared.or.b32 [%r1], 1;", false, false},
    {"red.shared.inc.u32 [%r1], -1;", false, true},
    {"red.global.add.u32 [%rd1], 1;", false, false},
    {"atom.shared.add.u32 %r3, [%r1], 1;", true, true},
    {"atom.shared.add.u32 _, [%r1], 1;", true, true},
    {"atom.shared.cta.add.u32 %r3, [%r1], 1;", true, true},
    {"atom.shared.add.u32 %r3, [%r1], 2;", true, false},
    {"atom.shared.add.u32 %r3, [%r1], 1; st.global.u32 [%rd1], %r3;", false, false},
    {"atom.shared.add.u32 %r3, [%r1], 1; st.shared.u32 [%r3], %r2;", false, false},
    {"atom.shared.add.u32 %r3, [%r1], 1; st.shared.v2.u32 [%r1], {%r2, %r3};", false, false},
    {"atom.add.u32 %r3, [%rd1], 1;", true, false},
};

static void additions_of_one_without_a_reader_are_counted_in_shared_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct ptx_module *module;
        uint32_t count;
        const char *text = arena_format(&arena,
                                        ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                                        ".reg .b32 %%r<5>; .reg .b64 %%rd<5>; mov.u32 %%r1, 0; mov.u32 %%r2, 7;\n%s\n"
                                        "ret;\n}\n",
                                        forms[i].text);
        assert_true(ptx_parse(&arena, "form.ptx", text, strlen(text), &module, &error));
        const struct trace_site *sites = trace_sites(&arena, module, &count);
        assert_true(count > 0);
        if (sites[0].unread != forms[i].unread || sites[0].counts != forms[i].counts)
            fail_msg("%s: unread %d, counts %d", forms[i].text, sites[0].unread, sites[0].counts);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(additions_of_one_without_a_reader_are_counted_in_shared_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
