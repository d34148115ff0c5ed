/* PTX with probes brings lanes together where ptx/meet.h allows it, and nowhere else. That its lanes then run as those
 * of the unmodified kernel do is seen only on a GPU (gpu_requests); cuda_launches runs this text on the emulator. */
#include "ptx/meet.h"
#include "base/file.h"
#include "cuda/cuda.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#include "sanitized.h"

enum { EVERY = SANITIZED ? 3 : 1 }; /* looked at is one file in so many */

static struct ptx_module *parse(struct arena *arena, const char *text)
{
    struct ptx_module *module;
    struct error error = {0};
    char line[1024];
    if (!ptx_parse(arena, "test", text, strlen(text), &module, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    return module;
}

static const char *probed(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel)
{
    char *ptx = NULL, line[1024];
    struct error error = {0};
    if (!cuda_add_probes(arena, module, kernel, &ptx, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    parse(arena, ptx);
    return ptx;
}

static unsigned occurrences(const char *text, const char *word)
{
    unsigned found = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        found++;
    return found;
}

/* Returns how many meetings the kernel and the module's functions have; *left_alone: and how many are no meetings. */
static unsigned meetings_of(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel,
                            unsigned *left_alone)
{
    const struct ptx_meetings *all = ptx_find_meetings(arena, module);
    unsigned found = 0;
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < all[f].count; i++)
            if (!module->functions[f].is_kernel || &module->functions[f] == kernel)
                ++*(all[f].items[i].state == PTX_MEETING ? &found : left_alone);
    return found;
}

/* Returns how often an instruction on remembered lanes is written. Our names begin with a prefix that the text is free
 * of. */
static unsigned written(struct arena *arena, const char *ptx, const char *instruction)
{
    static const char start[] = ".visible .const .align 8 .b8 ";
    const char *prefix = strstr(ptx, start) + strlen(start);
    size_t const length = strcspn(prefix, "_");
    return occurrences(ptx, arena_format(arena, "%s %.*s_meet", instruction, (int)length, prefix));
}

static void check_file(const char *path, unsigned *found, unsigned *left_alone)
{
    struct arena arena = {0};
    char *text = arena_text(&arena, "");
    size_t size;
    struct error error = {0};
    assert_true(file_read(&arena, path, &text, &size, &error));
    struct ptx_module *module;
    if (!ptx_parse(&arena, path, text, size, &module, &error)) /* some files hold mistakes on purpose */
        text = NULL;
    for (uint32_t f = 0; text && f < module->function_count; f++) {
        const struct ptx_function *kernel = &module->functions[f];
        char *ptx;
        if (!kernel->is_kernel || !cuda_add_probes(&arena, module, kernel, &ptx, &error))
            continue;
        parse(&arena, ptx);
        unsigned const meetings = meetings_of(&arena, module, kernel, left_alone);
        if (written(&arena, ptx, "activemask.b32") != meetings || written(&arena, ptx, "bar.warp.sync") != meetings)
            fail_msg("%s: %s has %u meetings, but the text has not", path, kernel->name, meetings);
        *found += meetings;
    }
    arena_free(&arena);
}

static void each_meeting_is_written_once_and_nothing_else_waits(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *const folders[] = {data_path(&arena, "assets/ptx"), "silicon/ptx", "faults", "emulator"};
    unsigned found = 0, left_alone = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char **names;
        size_t const count = folder_list(&arena, folders[i], &names);
        for (size_t k = 0; k < count; k += EVERY)
            if (strstr(names[k], ".ptx"))
                check_file(arena_format(&arena, "%s/%s", folders[i], names[k]), &found, &left_alone);
    }
    assert_true(found > 200 / EVERY && left_alone > 200 / EVERY);
    arena_free(&arena);
}

#define HEAD                                                                                                           \
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"                             \
    ".reg .pred %p<5>;\n.reg .b32 %r<5>;\n.reg .b64 %d<3>;\nld.param.u64 %d1, [p];\n"

/* Returns the place of a text; fails when it is missing or comes before `after`. */
static const char *find_behind(const char *after, const char *word)
{
    const char *found = strstr(after, word);
    if (!found)
        fail_msg("there is no `%s` behind `%.60s`", word, after);
    return found;
}

/* The lanes are remembered before the branch's own probe, which makes lanes wait, and they meet before the probe of the
 * first instruction there. */
static void lanes_are_remembered_and_meet_before_the_probes(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct ptx_module *module = parse(&arena, HEAD "setp.eq.u64 %p1, %d1, 0;\n@%p1 bra M;\nld.global.u32 %r1, [%d1];\n"
                                                   "M:\nst.global.u32 [%d1], %r1;\nret;\n}\n");
    const char *at = find_behind(probed(&arena, module, ptx_kernel(module, "k")), ".reg .b32 lanescope_meet<1>;");
    at = find_behind(at, "\tactivemask.b32 lanescope_meet0;");
    at = find_behind(at, "vote.sync.ballot.b32 lanescope_taken");
    at = find_behind(at, "@%p1 bra M;");
    at = find_behind(at, "M:\n");
    at = find_behind(at, "\tbar.warp.sync lanescope_meet0;");
    at = find_behind(at, "activemask.b32 lanescope_mask;");
    find_behind(at, "st.global.u32 [%d1], %r1;");
    arena_free(&arena);
}

/* In a loop that starts where paths meet, only the first round waits. */
static void a_second_round_does_not_wait_again(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct ptx_module *module =
        parse(&arena, HEAD "setp.eq.u64 %p1, %d1, 0;\nmov.u32 %r2, 0;\n@%p1 bra L;\nld.global.u32 %r1, [%d1];\n"
                           "L:\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%d1], %r2;\nsetp.lt.u32 %p2, %r2, 9;\n"
                           "@%p2 bra L;\nret;\n}\n");
    const char *at = find_behind(probed(&arena, module, ptx_kernel(module, "k")), "mov.u32 lanescope_meet0, 0;");
    at = find_behind(at, "\tactivemask.b32 lanescope_meet0;");
    at = find_behind(at, "L:\n");
    at = find_behind(at, "setp.ne.u32 lanescope_room, lanescope_meet0, 0;");
    at = find_behind(at, "@lanescope_room bar.warp.sync lanescope_meet0;");
    find_behind(at, "mov.u32 lanescope_meet0, 0;");
    arena_free(&arena);
}

/* The probe of a predicated access is skipped by some lanes, which the access itself does not part. */
static void lanes_that_skip_a_probe_wait_behind_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct ptx_module *module =
        parse(&arena, HEAD "setp.eq.u64 %p1, %d1, 0;\n@%p1 ld.global.u32 %r1, [%d1];\nst.global.u32 [%d1], %r1;\n"
                           "ret;\n}\n");
    const char *ptx = probed(&arena, module, ptx_kernel(module, "k"));
    const char *at = find_behind(ptx, "activemask.b32 lanescope_whole;");
    at = find_behind(at, "@!%p1 bra lanescope_done_");
    at = find_behind(at, "bar.warp.sync lanescope_whole;");
    find_behind(at, "@%p1 ld.global.u32 %r1, [%d1];");
    assert_int_equal(occurrences(ptx, "bar.warp.sync lanescope_whole;"), 1);
    arena_free(&arena);
}

/* A lock, flags, tickets, a barrier of the grid: lanes, warps or blocks wait there for others. */
static void waiting_kernels_have_no_meeting_around_their_wait(void **state)
{
    (void)state;
    static const char *const names[] = {"ok_lock_in_warp",           "ok_ticket_lock",          "ok_grid_barrier",
                                        "ok_wait_for_earlier_block", "ok_wait_for_later_block", "ok_wait_in_reverse"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct arena arena = {0};
        char *text = arena_text(&arena, "");
        struct error error = {0};
        assert_true(file_read(&arena, arena_format(&arena, "faults/%s.ptx", names[i]), &text, NULL, &error));
        const struct ptx_module *module = parse(&arena, text);
        const struct ptx_meetings *all = ptx_find_meetings(&arena, module);
        unsigned polls = 0;
        for (uint32_t f = 0; f < module->function_count; f++)
            for (uint32_t k = 0; k < all[f].count; k++)
                polls += all[f].items[k].state == PTX_MEETING_POLLS;
        if (polls == 0)
            fail_msg("%s: its wait was not found", names[i]);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_meeting_is_written_once_and_nothing_else_waits),
        cmocka_unit_test(lanes_are_remembered_and_meet_before_the_probes),
        cmocka_unit_test(a_second_round_does_not_wait_again),
        cmocka_unit_test(lanes_that_skip_a_probe_wait_behind_it),
        cmocka_unit_test(waiting_kernels_have_no_meeting_around_their_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
