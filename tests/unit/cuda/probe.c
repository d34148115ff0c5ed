/* PTX with probes is valid PTX: it parses, keeps every instruction of the kernel in order, and adds no name that
 * collides with one of the kernel's. */
#include "cuda/probe/probe.h"
#include "base/file.h"
#include "cuda/cuda.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char small_text[] = HEAD ".visible .entry k(.param .u64 p)\n{\n"
                                      ".reg .pred %p<2>;\n.reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n"
                                      "ld.param.u64 %rd1, [p];\n"
                                      "setp.ne.s64 %p1, %rd1, 0;\n"
                                      "@%p1 ld.global.u32 %r1, [%rd1+8];\n"
                                      "bar.sync 0;\n"
                                      "@!%p1 bra END;\n"
                                      "st.shared.u32 [%r1], %r1;\n"
                                      "END:\n"
                                      "ret;\n}\n";

static const struct ptx_module *parse(struct arena *arena, const char *text)
{
    struct ptx_module *module = NULL;
    struct error error;
    char line[1024];
    if (!ptx_parse(arena, "test", text, strlen(text), &module, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    return module;
}

static const char *probed_text(struct arena *arena, const char *text, const char *kernel)
{
    const struct ptx_module *module = parse(arena, text);
    struct error error;
    char *ptx = NULL, line[1024];
    if (!cuda_add_probes(arena, module, ptx_kernel(module, kernel), &ptx, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    return ptx;
}

/* Returns the same for a known launch. */
static const char *launched_text(struct arena *arena, const char *text, struct launch launch)
{
    const struct ptx_module *module = parse(arena, text);
    struct probed probed = {0};
    struct error error;
    char line[1024];
    if (!probe_module(arena, module, ptx_kernel(module, NULL), &launch, false, &probed, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    return probed.ptx;
}

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        count++;
    return count;
}

/* Returns every instruction of one kernel that the probes did not add, one per line. */
static const char *own_instructions(struct arena *arena, const struct ptx_module *module, const char *name)
{
    const struct ptx_function *kernel = ptx_kernel(module, name);
    char *all = arena_text(arena, "");
    for (uint32_t i = 0; i < kernel->instruction_count; i++) {
        const struct ptx_instruction *instruction = &kernel->instructions[i];
        char *text = arena_text_n(arena, module->text + instruction->text_start,
                                  instruction->text_end - instruction->text_start);
        bool const meets = strstr(text, "bar.warp.sync 0xffffffff") != NULL; /* before an access of matrices */
        if (!strstr(text, "lanescope") && !strstr(text, "%laneid") && !meets)
            all = arena_format(arena, "%s%s\n", all, text);
    }
    return all;
}

static void check_kept(const char *text, const char *kernel)
{
    struct arena arena = {0};
    const char *ptx = probed_text(&arena, text, kernel);
    const struct ptx_module *before = parse(&arena, text), *after = parse(&arena, ptx);
    const char *own = own_instructions(&arena, before, kernel), *all = own_instructions(&arena, after, kernel);
    assert_memory_equal(all, own, strlen(own));
    /* from the first event on once more, unmodified, for blocks that are not recorded */
    const char *again = all + strlen(own);
    assert_true(*again && strlen(again) <= strlen(own));
    size_t const once = strlen(own) - strlen(again);
    assert_string_equal(own + once, again);
    static const char *const events[] = {"ld.global", "ld.shared", "st.", "atom.", "red.", "bar.", "bra", "ret"};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        assert_null(strstr(arena_text_n(&arena, own, once), events[i]));
    assert_true(after->site_count > before->site_count);
    arena_free(&arena);
}

static void the_kernels_own_instructions_stay_as_they_are(void **state)
{
    (void)state;
    check_kept(small_text, "k");
}

static void every_kernel_of_the_lessons_parses_again(void **state)
{
    (void)state;
    struct arena arena = {0};
    char **names;
    const char *folder = data_path(&arena, "assets/ptx");
    size_t const count = folder_list(&arena, folder, &names);
    for (size_t i = 0; i < count; i++) {
        char *text;
        size_t size;
        struct error error;
        if (!strstr(names[i], ".ptx"))
            continue;
        assert_true(file_read(&arena, arena_format(&arena, "%s/%s", folder, names[i]), &text, &size, &error));
        const struct ptx_module *module = parse(&arena, text);
        for (uint32_t f = 0; f < module->function_count; f++)
            if (module->functions[f].is_kernel)
                check_kept(text, module->functions[f].name);
    }
    arena_free(&arena);
}

static void the_text_of_a_probe_is_the_one_that_was_tried_on_a_gpu(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *ptx = probed_text(&arena, small_text, NULL), *path = "golden/probe.ptx";
    if (getenv("UPDATE_GOLDEN"))
        assert_true(file_write(path, ptx, strlen(ptx), NULL));
    char *golden;
    size_t size;
    struct error error;
    assert_true(file_read(&arena, path, &golden, &size, &error));
    assert_string_equal(ptx, golden);
    arena_free(&arena);
}

/* Blocks that are not recorded must pay little. The kernel asks whether its block is recorded where other work hides
 * the cost, in as few instructions as the grid allows. */
static void the_test_of_the_block_is_late_and_short(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct launch launch = {.kernel = "k", .grid = {64, 1, 1}, .block = {32, 1, 1}};
    const char *one = launched_text(&arena, small_text, launch), *asked = strstr(one, "bra.uni lanescope_plain;");
    const char *loaded = strstr(one, "ld.param.u64 %rd1, [p];"), *plain = strstr(one, "lanescope_plain:");
    assert_true(loaded && asked && plain && loaded < asked && asked < strstr(one, "setp.ne.s64 %p1"));
    assert_null(strstr(plain, "ld.param.u64 %rd1")); /* the one before the question holds for both copies */
    assert_non_null(strstr(plain, "setp.ne.s64 %p1"));
    assert_non_null(strstr(one, "setp.le.u32 lanescope_on"));
    assert_null(strstr(one, "%ctaid.y"));
    launch.grid[1] = 2;
    const char *two = launched_text(&arena, small_text, launch);
    assert_non_null(strstr(two, "%ctaid.y"));
    assert_null(strstr(two, "%ctaid.z"));
    launch.grid[0] = 1U << 31;
    const char *many = launched_text(&arena, small_text, launch);
    assert_non_null(strstr(many, "setp.le.u64 lanescope_on")); /* 2^32 blocks do not fit in 32 bits */
    arena_free(&arena);
}

/* With a loop, no register is kept for both copies. */
static void a_kernel_with_a_loop_tests_the_block_at_its_start(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *ptx = probed_text(&arena,
                                  HEAD ".visible .entry k()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<2>;\n"
                                       "mov.u32 %r1, %tid.x;\nLOOP:\nsub.s32 %r1, %r1, 1;\nsetp.gt.s32 %p1, %r1, 0;\n"
                                       "@%p1 bra LOOP;\nret;\n}\n",
                                  NULL);
    const char *asked = strstr(ptx, "bra.uni lanescope_plain;"), *plain = strstr(ptx, "lanescope_plain:");
    assert_true(asked && plain && asked < strstr(ptx, "mov.u32 %r1, %tid.x;"));
    assert_non_null(strstr(plain, "mov.u32 %r1, %tid.x;\nLOOP:\nsub.s32 %r1"));
    parse(&arena, ptx);
    arena_free(&arena);
}

/* Lanes reach a label on several paths. */
static void a_label_ends_the_common_code(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *ptx = probed_text(&arena,
                                  HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n"
                                       "ld.param.u64 %rd1, [p];\n// a: comment\nmov.u32 %r1, 1;\nHERE:\n"
                                       "mov.u32 %r2, %tid.x;\nst.global.u32 [%rd1], %r2;\nret;\n}\n",
                                  NULL);
    const char *asked = strstr(ptx, "bra.uni lanescope_plain;"), *plain = strstr(ptx, "lanescope_plain:");
    assert_true(asked && plain && strstr(ptx, "mov.u32 %r1, 1;") < asked && asked < strstr(ptx, "HERE:"));
    assert_non_null(strstr(plain, "HERE:\nmov.u32 %r2, %tid.x;"));
    parse(&arena, ptx);
    arena_free(&arena);
}

static void each_site_has_the_probes_it_needs(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *ptx = probed_text(&arena, small_text, NULL);
    const struct {
        enum record_kind kind;
        uint32_t number; /* of a site or run */
        size_t count;    /* a run's record is written twice: for lane 0 and for the others */
    } wanted[] = {{RECORD_AFFINE, 0, 2}, {RECORD_LANES64, 0, 1}, {RECORD_RUN, 0, 2},     {RECORD_RUN, 1, 2},
                  {RECORD_RUN, 2, 0},    {RECORD_FULL32, 3, 1},  {RECORD_LANES32, 3, 1}, {RECORD_LANES64, 3, 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_int_equal(count_of(ptx, arena_format(&arena, " %u", RECORD_TAG(wanted[i].kind, wanted[i].number))),
                         wanted[i].count);
    const char *arrive = strstr(ptx, arena_format(&arena, " %u;", RECORD_TAG(RECORD_RUN, 0)));
    const char *release = strstr(ptx, arena_format(&arena, " %u;", RECORD_TAG(RECORD_RUN, 1)));
    const char *barrier = strstr(ptx, "bar.sync 0");
    assert_true(arrive && barrier && release && arrive < barrier && barrier < release);
    arena_free(&arena);
}

static void lanes_with_a_false_predicate_are_not_recorded(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *ptx = probed_text(&arena, small_text, NULL);
    assert_int_equal(count_of(ptx, "@!%p1 bra lanescope_done_"), 1); /* of the load, not of the branch */
    assert_int_equal(count_of(ptx, "vote.sync.ballot.b32 lanescope_taken, !%p1"), 1); /* of the branch */
    arena_free(&arena);
}

static void another_kernel_of_the_module_is_left_alone(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *text = HEAD ".visible .entry other(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
                            "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nret;\n}\n"
                            ".func f(.param .b64 q)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
                            "ld.param.u64 %rd1, [q];\nld.global.u32 %r1, [%rd1];\nret;\n}\n"
                            ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
                            "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nret;\n}\n";
    const struct ptx_module *after = parse(&arena, probed_text(&arena, text, "k"));
    assert_int_equal(ptx_kernel(after, "other")->instruction_count, 3);
    assert_true(ptx_kernel(after, "k")->instruction_count > 20);
    for (uint32_t i = 0; i < after->function_count; i++)
        if (strcmp(after->functions[i].name, "f") == 0)
            assert_true(after->functions[i].instruction_count > 20);
    arena_free(&arena);
}

static void probe_names_avoid_the_kernels_names(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *text = HEAD ".visible .entry k(.param .u64 lanescope_out)\n{\n"
                            ".reg .b64 lanescope2_next;\n.reg .b32 %r<2>;\n"
                            "ld.param.u64 lanescope2_next, [lanescope_out];\n"
                            "ld.global.u32 %r1, [lanescope2_next];\nret;\n}\n";
    const char *ptx = probed_text(&arena, text, NULL);
    parse(&arena, ptx);
    assert_int_equal(count_of(ptx, ".reg .b64 lanescope2_next;"), 1);
    assert_non_null(strstr(ptx, "lanescope3_control"));
    assert_null(strstr(ptx, "lanescope_control"));
    arena_free(&arena);
}

static void old_versions_and_targets_are_raised_and_new_ones_kept(void **state)
{
    (void)state;
    static const char body[] = ".address_size 64\n.visible .entry k()\n{\nret;\n}\n";
    static const struct {
        const char *head, *wanted;
    } cases[] = {{".version 6.0\n.target sm_30\n", ".version 6.2\n.target sm_61\n"},
                 {".version 5.1\n.target sm_20, debug\n", ".version 6.2\n.target sm_61, debug\n"},
                 {"// .version 1.0\n.version 9.0\n.target sm_90a\n", "// .version 1.0\n.version 9.0\n.target sm_90a\n"},
                 {".version 6.3 /* .target sm_10 */\n.target sm_75\n", ".version 6.3 /* .target sm_10 */\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        const char *ptx = probed_text(&arena, arena_format(&arena, "%s%s", cases[i].head, body), NULL);
        assert_memory_equal(ptx, cases[i].wanted, strlen(cases[i].wanted));
        parse(&arena, ptx);
        arena_free(&arena);
    }
}

static void addresses_of_32_bits_are_refused(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct ptx_module module = {.text = ".version 6.3\n.target sm_75\n.address_size 32\n", .version_major = 6};
    struct ptx_function const kernel = {.name = "k", .is_kernel = true};
    struct error error;
    char *ptx;
    assert_false(cuda_add_probes(&arena, &module, &kernel, &ptx, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error.message, ".address_size 64"));
    arena_free(&arena);
}

/* The probes cannot know the addresses of these accesses. */
static void accesses_beyond_the_probes_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *instruction, *why;
    } beyond[] = {
        {"wgmma.fence.sync.aligned;", "descriptors"},
        {"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2}], [%r3];",
         "tensor map"},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 64;", "sum in bulk"},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b8 {%r1}, [%r2];", "form is not known"},
    };
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        struct arena arena = {0};
        const char *text = arena_format(&arena, "%s%s%s%s", HEAD,
                                        ".visible .entry k()\n{\n.reg .b32 %r<4>, %f<5>;\n.reg .b64 %rd<2>;\n",
                                        beyond[i].instruction, "\nret;\n}\n");
        const struct ptx_module *module = parse(&arena, text);
        struct error error;
        char *ptx;
        assert_false(cuda_add_probes(&arena, module, ptx_kernel(module, "k"), &ptx, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_non_null(strstr(error.message, beyond[i].instruction));
        assert_non_null(strstr(error.message, beyond[i].why));
        assert_non_null(strstr(error.message, "line 8"));
        arena_free(&arena);
    }
}

/* Returns whether the text with probes parses, with values and without. Sets the error if there is none. */
static bool can_be_probed(struct arena *arena, const char *body, struct error *error)
{
    const struct ptx_module *module = parse(arena, arena_format(arena, "%s%s", HEAD, body));
    bool good = true;
    for (int values = 0; values < 2 && good; values++) {
        struct probed probed = {0};
        good = probe_module(arena, module, ptx_kernel(module, "k"), NULL, values != 0, &probed, error);
        if (good)
            parse(arena, probed.ptx);
    }
    return good;
}

static void names_may_mean_something_else_in_another_scope_or_further_down(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        /* a label that is an opcode */
        ".entry k()\n{\n.reg .pred %p;\n.reg .b32 %r;\nsetp.eq.u32 %p, %r, 0;\nbra:\n@%p bra bra;\nret;\n}\n",
        /* labels that two scopes have */
        ".entry k()\n{\n.reg .pred %p;\nsetp.eq.u32 %p, 0, 0;\n{ L: @%p bra L; }\n{ L: @%p bra L; }\nret;\n}\n",
        /* a module's variable, then a register of its name */
        ".shared .b32 s;\n.entry k()\n{\n.reg .b32 %r<3>;\nld.shared.u32 %r1, [s];\n.reg .b64 s;\nmov.u64 s, 8;\n"
        "st.shared.u32 [%r2], %r1;\nret;\n}\n",
        /* the address of a scope that is over */
        ".entry k()\n{\n.reg .b32 %r<3>;\n{\n.reg .b64 t;\nmov.u64 t, 8;\nld.shared.u32 %r1, [t];\n}\n"
        "st.shared.u32 [%r2], %r1;\nret;\n}\n",
        /* a range that hides one of another type */
        ".entry k()\n{\n.reg .b32 %r<3>;\n.reg .pred %p<2>;\nbar.sync 0;\n{\n.reg .b64 %r<3>;\nsetp.eq.u64 %p1, %r1, "
        "0;\n}\n"
        "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra E;\nst.shared.u32 [%r2], %r1;\nE:\nret;\n}\n",
        /* a comma in a comment of a shuffle */
        ".entry k()\n{\n.reg .b32 %r<3>;\nshfl.sync.idx.b32 /* from, to */ %r1, %r2, 0, 31, -1;\nret;\n}\n"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct arena arena = {0};
        struct error error;
        if (!can_be_probed(&arena, bodies[i], &error))
            fail_msg("body %zu: %s", i, error.message);
        arena_free(&arena);
    }
}

/* The second copy of the body must not have a variable of its own: shared memory would be there twice. */
static void memory_declared_behind_an_access_is_declared_once(void **state)
{
    (void)state;
    static const char *const bodies[] = {".global .b32 memory;", ".shared .align 4 .b8 memory[40000];",
                                         "{ .shared .b32 memory[2]; mov.b64 %d, memory; }",
                                         ".shared .b32 memory; .shared .b32 other[3];", ".shared .b32 memory, other;"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct arena arena = {0};
        const char *use = strchr(bodies[i], '{') ? "" : "mov.u64 %d, memory;\n";
        const char *text =
            arena_format(&arena, HEAD ".entry k()\n{\n.reg .b64 %%d;\nbar.sync 0;\n%s\n%sret;\n}\n", bodies[i], use);
        const char *ptx = probed_text(&arena, text, "k");
        const struct ptx_module *before = parse(&arena, text), *after = parse(&arena, ptx);
        assert_int_equal(ptx_shared_bytes(before, ptx_kernel(before, "k")),
                         ptx_shared_bytes(after, ptx_kernel(after, "k")));
        arena_free(&arena);
    }
}

static void memory_whose_name_has_another_meaning_elsewhere_is_refused_by_name(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ".shared .b32 s;\n.entry k()\n{\n.reg .b64 %d;\nmov.b64 %d, s;\nbar.sync 0;\n{ .shared .b32 s; }\nret;\n}\n",
        ".entry k()\n{\nbar.sync 0;\n{ .shared .b32 s; }\n{ .shared .b64 s; }\nret;\n}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena arena = {0};
        struct error error = {0};
        assert_false(can_be_probed(&arena, texts[i], &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_non_null(strstr(error.message, "kernel \"k\" declares `s` behind its first instructions"));
        arena_free(&arena);
    }
}

/* PTX from 3.0 on, which probes need, has none. */
static void local_memory_outside_functions_is_refused(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    static const char text[] = ".version 2.3\n.target sm_20\n.address_size 64\n.local .u32 x;\n.entry k() { ret; }\n";
    char *ptx;
    assert_true(ptx_parse(&arena, "x.ptx", text, strlen(text), &module, &error));
    assert_false(cuda_add_probes(&arena, module, ptx_kernel(module, "k"), &ptx, &error));
    assert_non_null(strstr(error.message, "has local memory outside functions, so it cannot be recorded on a GPU"));
    arena_free(&arena);
}

static void scopes_as_deep_as_the_parser_allows_are_refused(void **state)
{
    (void)state;
    for (unsigned depth = 1; depth < 64; depth++) {
        struct arena arena = {0};
        struct error error = {0};
        const char *text = "bar.sync 0;";
        for (unsigned i = 0; i < depth; i++)
            text = arena_format(&arena, "{%s}", text);
        bool const good = can_be_probed(&arena, arena_format(&arena, ".entry k()\n{\n%s\nret;\n}\n", text), &error);
        assert_true(good || strstr(error.message, "scopes inside each other, so it cannot be recorded"));
        assert_true(good || depth > 50);
        arena_free(&arena);
    }
}

/* A matrix access has a record of all lanes, a copy one for each active lane. cuda_emulated decides which accesses
 * these are. */
static void accesses_without_one_address_per_lane_have_their_own_record(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        enum record_kind kind; /* kind of the first record */
        const char *said;      /* text before the instruction */
    } cases[] = {
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", RECORD_FULL32, "bar.warp.sync 0xffffffff;"},
        {"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r2], {%r1, %r1, %r1, %r1};", RECORD_LANES32,
         "bar.warp.sync 0xffffffff;"},
        {"wmma.load.c.sync.aligned.row.m8n8k32.global.s32 {%r1, %r2}, [%rd1], %r3;", RECORD_GIVEN,
         "mov.b32 lanescope_other, %r3;"},
        {"wmma.load.c.sync.aligned.row.m8n8k32.global.s32 {%r1, %r2}, [%rd1];", RECORD_GIVEN,
         "mov.u32 lanescope_other, 8;"},
        {"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 64;", RECORD_GIVEN,
         "add.s64 lanescope_address, %rd1, 0;"},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0+16], %r2, [%r3];",
         RECORD_GIVEN, "add.s64 lanescope_address, %rd0, 16;"},
        {"@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r3;", RECORD_GIVEN,
         "@!%p1 bra lanescope_done_"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        const char *ptx =
            probed_text(&arena,
                        arena_format(&arena, "%s%s%s%s", HEAD,
                                     ".visible .entry k()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<2>;\n",
                                     cases[i].instruction, "\nret;\n}\n"),
                        "k");
        const char *at = strstr(ptx, cases[i].instruction), *said = strstr(ptx, cases[i].said);
        parse(&arena, ptx);
        assert_int_equal(count_of(ptx, arena_format(&arena, " %u;", RECORD_TAG(cases[i].kind, 0))), 1);
        assert_true(at && said && said < at);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernels_own_instructions_stay_as_they_are),
        cmocka_unit_test(every_kernel_of_the_lessons_parses_again),
        cmocka_unit_test(the_text_of_a_probe_is_the_one_that_was_tried_on_a_gpu),
        cmocka_unit_test(the_test_of_the_block_is_late_and_short),
        cmocka_unit_test(a_kernel_with_a_loop_tests_the_block_at_its_start),
        cmocka_unit_test(a_label_ends_the_common_code),
        cmocka_unit_test(each_site_has_the_probes_it_needs),
        cmocka_unit_test(lanes_with_a_false_predicate_are_not_recorded),
        cmocka_unit_test(another_kernel_of_the_module_is_left_alone),
        cmocka_unit_test(probe_names_avoid_the_kernels_names),
        cmocka_unit_test(old_versions_and_targets_are_raised_and_new_ones_kept),
        cmocka_unit_test(addresses_of_32_bits_are_refused),
        cmocka_unit_test(accesses_beyond_the_probes_are_refused_by_name),
        cmocka_unit_test(names_may_mean_something_else_in_another_scope_or_further_down),
        cmocka_unit_test(memory_declared_behind_an_access_is_declared_once),
        cmocka_unit_test(memory_whose_name_has_another_meaning_elsewhere_is_refused_by_name),
        cmocka_unit_test(local_memory_outside_functions_is_refused),
        cmocka_unit_test(scopes_as_deep_as_the_parser_allows_are_refused),
        cmocka_unit_test(accesses_without_one_address_per_lane_have_their_own_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
