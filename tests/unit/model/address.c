/* The address of an access, solved from the PTX, the launch and the trace: a loop's round follows from the address, the
 * rounds of nested loops from the branches. */
#include "model/address.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

enum { BUFFER = 0x10000, LANE = 3, SITE_STORE = 0, SITE_INNER = 1, SITE_OUTER = 2 };

#define HEAD                                                                                                           \
    ".version 7.0\n.target sm_70\n.address_size 64\n"                                                                  \
    ".visible .entry k(.param .u64 k_param_0)\n{\n"                                                                    \
    ".reg .pred %p<3>;\n.reg .b32 %r<5>;\n.reg .b64 %rd<6>;\n"                                                         \
    "ld.param.u64 %rd1, [k_param_0];\n"                                                                                \
    "mov.u32 %r1, %tid.x;\n"                                                                                           \
    "mul.wide.u32 %rd2, %r1, 4;\n"                                                                                     \
    "add.s64 %rd3, %rd1, %rd2;\n"                                                                                      \
    "mov.u32 %r2, 0;\n"                                                                                                \
    "OUTER:\n"                                                                                                         \
    "mov.u64 %rd4, %rd3;\n"                                                                                            \
    "mov.u32 %r3, 0;\n"                                                                                                \
    "INNER:\n"                                                                                                         \
    "st.global.u32 [%rd4], %r3;\n"                                                                                     \
    "add.s64 %rd4, %rd4, 128;\n"                                                                                       \
    "add.u32 %r3, %r3, 1;\n"                                                                                           \
    "setp.lt.u32 %p1, %r3, 4;\n"                                                                                       \
    "@%p1 bra INNER;\n"
static const char one_loop[] = HEAD "ret;\n}\n";
static const char two_loops[] = HEAD "add.s64 %rd3, %rd3, 1024;\n"
                                     "add.u32 %r2, %r2, 1;\n"
                                     "setp.lt.u32 %p2, %r2, 2;\n"
                                     "@%p2 bra OUTER;\n"
                                     "ret;\n}\n";

struct stand {
    struct arena arena;
    struct ptx_module *module;
    struct launch launch;
    struct trace *trace;
    struct address address;
};

static void add(struct stand *stand, enum trace_kind kind, uint32_t site, uint32_t other, uint64_t address)
{
    uint64_t addresses[WARP_LANES];
    for (uint64_t lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = address + 4 * lane;
    struct trace_event const event = {.kind = kind,
                                      .site = site,
                                      .mask = UINT32_MAX,
                                      .other = other,
                                      .space = PTX_SPACE_GLOBAL,
                                      .time = stand->trace->events.count};
    trace_add(stand->trace, &event, kind == TRACE_ACCESS ? addresses : NULL, NULL);
}

/* Records the rounds of both loops. `address` is that of the last store's lane 0. */
static void set_up(struct stand *stand, const char *kernel, int outer, int inner, uint64_t address)
{
    static struct launch_buffer buffers[] = {{.name = "out", .type = PTX_U32, .count = 4096}};
    static const struct launch_argument arguments[] = {{.is_buffer = true}};
    struct error error;
    *stand = (struct stand){.launch = {.kernel = "k",
                                       .grid = {1, 1, 1},
                                       .block = {WARP_LANES, 1, 1},
                                       .arguments = arguments,
                                       .argument_count = 1,
                                       .buffers = buffers,
                                       .buffer_count = 1}};
    assert_true(ptx_parse(&stand->arena, "k.ptx", kernel, strlen(kernel), &stand->module, &error));
    stand->trace = trace_new(stand->module, &stand->launch);
    stand->trace->buffers[0].address = BUFFER;
    for (int i = 0; i < outer; i++) {
        for (int k = 0; k < 4; k++)
            add(stand, TRACE_BRANCH_TAKEN, SITE_INNER, k < 3 ? UINT32_MAX : 0, 0);
        add(stand, TRACE_BRANCH_TAKEN, SITE_OUTER, UINT32_MAX, 0);
    }
    for (int k = 0; k < inner; k++)
        add(stand, TRACE_BRANCH_TAKEN, SITE_INNER, UINT32_MAX, 0);
    add(stand, TRACE_ACCESS, SITE_STORE, 0, address);
    stand->address = (struct address){.module = stand->module,
                                      .kernel = ptx_kernel(stand->module, "k"),
                                      .launch = &stand->launch,
                                      .timeline = timeline_new(&stand->arena, stand->trace, 0),
                                      .position = stand->trace->events.count - 1,
                                      .lane = LANE,
                                      .arena = &stand->arena};
    assert_true(address_solve(&stand->address));
}

static void clear(struct stand *stand)
{
    trace_free(stand->trace);
    arena_free(&stand->arena);
}

static void rounds_of_nested_loops_are_counted_from_the_branches(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand, two_loops, 1, 2, BUFFER + 1024 + 2 * 128);
    const struct address *address = &stand.address;
    assert_int_equal(address->thread[0], LANE);
    assert_int_equal(address->round_count, 2);
    assert_true(address->counted);
    for (uint32_t i = 0; i < address->round_count; i++) {
        bool const inner = address->kernel->instructions[address->rounds[i]->loop].site == SITE_INNER;
        int64_t value;
        assert_true(address_leaf(address, address->rounds[i], &value));
        assert_int_equal(value, inner ? 2 : 1);
    }
    clear(&stand);
}

static void rounds_that_do_not_give_the_address_are_not_known(void **state)
{
    (void)state;
    struct stand stand;
    int64_t value;
    set_up(&stand, two_loops, 1, 2, BUFFER + 1024 + 3 * 128);
    assert_false(stand.address.counted);
    assert_false(address_leaf(&stand.address, stand.address.rounds[0], &value));
    clear(&stand);
}

static void the_round_of_one_loop_follows_from_the_address(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand, one_loop, 0, 0, BUFFER + 3 * 128);
    assert_non_null(stand.address.solved);
    assert_int_equal(stand.address.solution, 3);
    clear(&stand);
}

static void no_round_is_solved_from_an_address_between_two_rounds(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand, one_loop, 0, 0, BUFFER + 3 * 128 + 4);
    assert_null(stand.address.solved);
    clear(&stand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_of_nested_loops_are_counted_from_the_branches),
                                       cmocka_unit_test(rounds_that_do_not_give_the_address_are_not_known),
                                       cmocka_unit_test(the_round_of_one_loop_follows_from_the_address),
                                       cmocka_unit_test(no_round_is_solved_from_an_address_between_two_rounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
