/* Traces of other programs: what Accel-Sim's tracer and NVBit's mem_trace wrote of one kernel is the same trace, and
 * what is wrong in a file is told with its line. Tests run in the folder tests/. */
#include "trace/format/import.h"
#include "base/file.h"
#include "trace/format/registry.h"
#include "trace/trace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static struct trace *read(const char *path)
{
    struct trace *trace = NULL;
    struct error error = {0};
    if (!trace_read(path, &trace, &error))
        fail_msg("%s: %s", path, error.message);
    return trace;
}

static size_t count(const struct trace *trace, enum trace_kind kind)
{
    size_t found = 0;
    for (size_t i = 0; i < trace->events.count; i++)
        found += trace->events.items[i].kind == kind;
    return found;
}

static void grouped_instructions_take_turns(void **state)
{
    (void)state;
    struct trace *trace = read("trace/foreign/reverse.traceg");
    assert_string_equal(trace->kernel, "_Z7reversePfPKf");
    assert_int_equal(trace->grid[0], 2);
    assert_int_equal(trace->block[0], 48);
    assert_int_equal(trace->shared_bytes, 256);
    assert_int_equal(trace->totals.warp_instructions, 32);
    assert_int_equal(trace->totals.thread_instructions, 8 * 2 * 48);
    assert_int_equal(count(trace, TRACE_ACCESS), 16);
    assert_int_equal(count(trace, TRACE_BARRIER_ARRIVE), 4);
    assert_int_equal(count(trace, TRACE_BARRIER_RELEASE), 4);
    assert_int_equal(count(trace, TRACE_EXIT), 4);
    assert_int_equal(trace->site_count, 5);
    assert_non_null(strstr(trace->source, "0010  LDG.E.SYS R4, R2\n"));
    /* No warp reads shared memory before both have written it. */
    size_t stores = 0;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS || trace->sites[event->site].space != PTX_SPACE_SHARED || event->block != 0)
            continue;
        stores += trace->sites[event->site].operation == TRACE_STORE;
        if (trace->sites[event->site].operation == TRACE_LOAD)
            assert_int_equal(stores, 2);
    }
    /* A stride, differences and a list of addresses. */
    const struct trace_event *last = &trace->events.items[trace->events.count - 1];
    assert_int_equal(last->kind, TRACE_EXIT);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS || event->block != 1)
            continue;
        const struct trace_site *site = &trace->sites[event->site];
        const uint64_t *at = trace_addresses(trace, event);
        unsigned const lane = 15, thread = event->warp * WARP_LANES + lane;
        if (site->space == PTX_SPACE_GLOBAL)
            assert_int_equal(at[lane],
                             (site->operation == TRACE_LOAD ? 0x7f1000000000 : 0x7f1000100000) + 192 + 4 * thread);
        else
            assert_int_equal(at[lane], 4 * (site->operation == TRACE_STORE ? thread : 47 - thread));
    }
    trace_free(trace);
}

static void the_files_of_one_kernel_hold_the_same(void **state)
{
    (void)state;
    struct trace_difference difference;
    struct trace *grouped = read("trace/foreign/reverse.traceg"), *raw = read("trace/foreign/reverse-raw.trace"),
                 *printed = read("trace/foreign/reverse-nvbit.txt");
    trace_compare(grouped, raw, &difference);
    assert_false(difference.differ);
    assert_non_null(strstr(raw->source, "0010  LDG.E.SYS R4, R2  // line 11\n"));
    /* mem_trace has no barriers, and its warps are those of the multiprocessor. */
    assert_int_equal(count(printed, TRACE_ACCESS), 16);
    size_t at = 0;
    for (size_t i = 0; i < printed->events.count; i++) {
        const struct trace_event *event = &printed->events.items[i];
        for (at = 0; at < raw->events.count; at++) {
            const struct trace_event *other = &raw->events.items[at];
            if (other->kind == TRACE_ACCESS && other->block == event->block && other->warp == event->warp &&
                other->mask == event->mask &&
                memcmp(trace_addresses(raw, other), trace_addresses(printed, event), WARP_LANES * sizeof(uint64_t)) ==
                    0)
                break;
        }
        assert_true(at < raw->events.count);
    }
    trace_free(grouped);
    trace_free(raw);
    trace_free(printed);
}

static void a_trace_is_known_by_its_name_or_its_beginning(void **state)
{
    (void)state;
    assert_true(trace_is_named("trace/foreign/reverse.traceg"));
    assert_true(trace_is_named("trace/foreign/reverse-raw.trace"));
    assert_true(trace_is_named("trace/foreign/reverse-nvbit.txt"));
    assert_false(trace_is_named("trace/sample.txt"));
    assert_false(trace_is_named("no/such/file.txt"));
}

static void opcodes_say_what_they_access(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        enum sass_kind kind;
        enum trace_operation operation;
        enum ptx_space space;
        uint8_t bytes;
    } rows[] = {{"LDG.E.64.CONSTANT.SYS", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_GLOBAL, 8},
                {"LDG.E.LTC128B.128", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_GLOBAL, 16},
                {"LDS.U.64", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_SHARED, 8},
                {"STG.E.U8", SASS_ACCESS, TRACE_STORE, PTX_SPACE_GLOBAL, 1},
                {"STL", SASS_ACCESS, TRACE_STORE, PTX_SPACE_LOCAL, 4},
                {"LD.E.S16", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_GENERIC, 2},
                {"RED.E.ADD.F64.RN.STRONG.GPU", SASS_ACCESS, TRACE_REDUCTION, PTX_SPACE_GENERIC, 8},
                {"ATOMG.E.ADD.F16x2.RN", SASS_ACCESS, TRACE_ATOMIC, PTX_SPACE_GLOBAL, 4},
                {"ATOMS.POPC.INC.32", SASS_ACCESS, TRACE_ATOMIC, PTX_SPACE_SHARED, 4},
                {"LDGSTS.E.BYPASS.128", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_SHARED, 16},
                {"LDSM.16.M88.4", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_SHARED, 16},
                {"BAR.SYNC.DEFER_BLOCKING", SASS_BARRIER, TRACE_BARRIER, PTX_SPACE_GENERIC, 0},
                {"BAR.ARV", SASS_STRANGE, TRACE_LOAD, PTX_SPACE_GENERIC, 4},
                {"LDC.64", SASS_OTHER, TRACE_LOAD, PTX_SPACE_CONST, 4},
                {"LDGDEPBAR", SASS_STRANGE, TRACE_LOAD, PTX_SPACE_GENERIC, 4},
                {"UBLKCP", SASS_STRANGE, TRACE_LOAD, PTX_SPACE_GENERIC, 4},
                {"LDG.E.256", SASS_STRANGE, TRACE_LOAD, PTX_SPACE_GLOBAL, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sass_form const form = sass_read(rows[i].opcode);
        if (form.kind != rows[i].kind || form.operation != rows[i].operation || form.space != rows[i].space ||
            form.bytes != rows[i].bytes)
            fail_msg("%s: kind %d, operation %d, space %d, bytes %d", rows[i].opcode, (int)form.kind,
                     (int)form.operation, (int)form.space, form.bytes);
    }
    assert_true(sass_read("LDGSTS.E.BYPASS.128").copies);
    assert_int_equal(sass_read("LDSM.16.M88.4").rows, 32);
    assert_int_equal(sass_read("LDSM.16.MT88.2").rows, 16);
}

#define HEAD "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 64\n-binary version = 80\n"
#define WARP HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
#define LAUNCH                                                                                                         \
    "MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x2 - Kernel name k - grid launch id 3 - grid size 1,1,1 - block size "    \
    "32,1,1 - nregs 8 - shmem 0 - cuda stream id 0\n"
#define ACCESS "MEMTRACE: CTX 0x1 - grid_launch_id 2 - CTA 0,0,0 - warp 0 - LDG.E - "
#define FOUR " 0x10 0x14 0x18 0x1c"
#define LANES FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR

static bool read_text(const char *text, size_t size, struct trace **trace, struct error *error)
{
    const struct trace_format *format =
        trace_format_accelsim.probe((const uint8_t *)text, size) ? &trace_format_accelsim : &trace_format_nvbit;
    *error = (struct error){0};
    return format->read("x", (const uint8_t *)text, size, trace, error);
}

static void what_is_wrong_is_told_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *message;
    } rows[] = {
        {HEAD, 0, "holds no access"},
        {"-kernel name = k\n#BEGIN_TB\n", 0, "does not say its grid dim"},
        {"-kernel name = k\n-grid dim = 1,1\n", 2, "a size is three numbers"},
        {"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (2048,1,1)\n#\n", 0, "larger than a launch can have"},
        {"-kernel name = k\n-shmem = 99999999\n", 2, "shmem is a number"},
        {"-kernel name = k\n-binary version = new\n", 2, "the binary version"},
        {HEAD "#END_TB\n", 6, "that did not begin"},
        {HEAD "#BEGIN_TB\n#BEGIN_TB\n", 7, "before the one before ended"},
        {HEAD "#BEGIN_TB\nthread block = 1,0,0\n", 7, "block (1,0,0) is outside the grid of 1 x 1 x 1"},
        {HEAD "#BEGIN_TB\nthread block = 0,0\n", 7, "three numbers"},
        {HEAD "#BEGIN_TB\nwarp = 0\n", 7, "before the number of its block"},
        {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\n", 8, "no such warp"},
        {HEAD "#BEGIN_TB\nthread block = 0,0,0\n0000 ffffffff 0 EXIT 0 0\n", 8, "belongs to no warp"},
        {WARP "0000 ffffffff 0 EXIT 0 0\nwarp = 0\n", 11, "comes twice"},
        {WARP "0000 ffffffff 0 EXIT 0 0\n", 10, "cut off"},
        {WARP "words that mean nothing\n", 10, "is no instruction"},
        {WARP "0000 ffffffff 99 R1 EXIT 0 0\n", 10, "the registers or the opcode"},
        {WARP "0000 ffffffff 0 EXIT 0\n", 10, "the width"},
        {WARP "0000 ffffffff 1 R1 LDG.E 1 R2 4 7 0x10 4\n", 10, "the form of the addresses"},
        {WARP "0000 ffffffff 1 R1 LDG.E 1 R2 4 1\n", 10, "the base of the addresses"},
        {WARP "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x10\n", 10, "an address of its lanes"},
        {WARP "0000 ffffffff 1 R1 LDG.E 1 R2 4 0 0x10 0x14\n", 10, "an address of its lanes"},
        {WARP "0000 00000005 1 R1 LDG.E 1 R2 4 1 0x10 4\n", 10, "side by side"},
        {WARP "0000 00000001 1 R1 LDS 1 R2 4 1 0xffffffff 4\n#END_TB\n", 10, "leaves the window of shared memory"},
        {WARP "0000 00000001 1 R1 LDG.E 1 R2 4 1 0xffffffffffffffff 4\n#END_TB\n", 10, "leaves the address space"},
        {WARP "0000 ffffffff 0 EXIT 0 0\n0010 ffffffff 0 EXIT 0 0\n#END_TB\n", 11, "that have ended"},
        {HEAD "0 0 0 1 0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x10 4\n", 6, "no warp 1"},
        {HEAD "0 0 2 0 0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x10 4\n", 6, "outside the grid"},
        {"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (8,1,1)\n0 0 0 0 0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x10 "
         "4\n",
         4, "lanes that warp 0 does not have"},
        {"\xfd"
         "7zXZ\0",
         0, "is packed by xz"},
        {"MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x2\n", 1, "no kernel name"},
        {"MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x2 - Kernel name k - grid launch id 3\n", 1, "no grid size"},
        {ACCESS LANES "\n", 1, "before the line of its launch"},
        {LAUNCH ACCESS FOUR "\n", 2, "has not 32 addresses"},
        {LAUNCH "MEMTRACE: CTX 0x1 - grid_launch_id 2 - CTA 0,1,0 - warp 0 - LDG.E - " LANES "\n", 2,
         "outside the grid"},
        {LAUNCH "MEMTRACE: CTX 0x1 - grid_launch_id 2 - CTA 0,0,0 - warp x - LDG.E - " LANES "\n", 2, "names no warp"},
        {LAUNCH ACCESS LANES "\n" LAUNCH, 1, "holds 2 launches"},
        {LAUNCH ACCESS LANES "\nMEMTRACE: CTX 0x1 - grid_launch_id 2 - CTA 0,0,0 - warp 9 - LDG.E - " LANES "\n", 3,
         "no warp 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace *trace;
        struct error error;
        size_t const size = rows[i].text[0] == '\xfd' ? 6 : strlen(rows[i].text);
        if (read_text(rows[i].text, size, &trace, &error))
            fail_msg("row %zu is read", i);
        if (error.line != rows[i].line || !strstr(error.message, rows[i].message))
            fail_msg("row %zu: line %d: %s", i, error.line, error.message);
        assert_string_equal(error.file, "x");
    }
}

static void the_words_of_odd_files_are_understood(void **state)
{
    (void)state;
    struct trace *trace;
    struct error error;
    /* A generic address in the window of shared memory; a copy to shared memory; rows of matrices; a texture. */
    static const char odd[] = "-kernel name = k\r\n-grid dim = (1,1,1)\r\n-block dim = (32,1,1)\r\n-shmem = 4096\r\n"
                              "-shmem base_addr = 0x7f0000000000\r\n-local mem base_addr = 0x7e0000000000\r\n#\r\n"
                              "0 0 0 0 0000 0000000f 1 R1 LD.E 1 R2 4 1 0x7f0000000400 4\r\n"
                              "0 0 0 0 0010 0000000f 1 R1 LD.E 1 R2 4 1 0x7e0000000400 4\r\n"
                              "0 0 0 0 0020 0000000f 1 R1 LD.E 1 R2 4 1 0x7d0000000400 4\r\n"
                              "0 0 0 0 0030 0000000f 0 LDGSTS.E.128 2 R1 R2 16 1 0x500 16\r\n"
                              "0 0 0 0 0030 0000000f 0 LDGSTS.E.128 2 R1 R2 16 1 0x7d0000000800 16\r\n"
                              "0 0 0 0 0040 ffffffff 2 R1 R2 LDSM.16.M88.2 1 R3 4 1 0x400 16\r\n"
                              "0 0 0 0 0050 00000000 1 R1 LDG.E 1 R2 4 0\r\n"
                              "0 0 0 0 0060 0000000f 1 R1 SULD.D.2D 1 R2 4 0 0x1 0x2 0x3 0x4\r\n";
    assert_true(read_text(odd, sizeof odd - 1, &trace, &error));
    static const struct {
        enum trace_kind kind;
        enum ptx_space space;
        uint32_t mask;
        uint64_t first;
    } events[] = {
        {TRACE_ACCESS, PTX_SPACE_SHARED, 0xf, 0x400},          {TRACE_ACCESS, PTX_SPACE_LOCAL, 0xf, 0x7e0000000400},
        {TRACE_ACCESS, PTX_SPACE_GLOBAL, 0xf, 0x7d0000000400}, {TRACE_ACCESS, PTX_SPACE_GLOBAL, 0xf, 0x7d0000000800},
        {TRACE_COPY_TO, PTX_SPACE_SHARED, 0xf, 0x500},         {TRACE_ACCESS, PTX_SPACE_SHARED, 0xffff, 0x400}};
    assert_int_equal(trace->events.count, 6);
    for (size_t i = 0; i < 6; i++) {
        const struct trace_event *event = &trace->events.items[i];
        assert_int_equal(event->kind, events[i].kind);
        assert_int_equal(trace_space(&trace->sites[event->site], event), events[i].space);
        assert_int_equal(event->mask, events[i].mask);
        assert_int_equal(trace_addresses(trace, event)[0], events[i].first);
    }
    assert_true(trace_is_copy(&trace->sites[trace->events.items[3].site], &trace->events.items[3]));
    assert_int_equal(trace->sites[trace->events.items[5].site].unit, TRACE_BY_ROWS);
    assert_int_equal(trace->lost, 1); /* the surface */
    /* What is written and read again is the same. */
    uint8_t *bytes;
    size_t size;
    struct arena arena = {0};
    struct trace *again;
    assert_true(trace_pack(trace, &arena, &bytes, &size, &error));
    assert_true(trace_unpack("x", bytes, size, &again, &error));
    assert_int_equal(again->events.count, trace->events.count);
    assert_int_equal(again->sites[again->events.items[5].site].unit, TRACE_BY_ROWS);
    assert_int_equal(again->lost, 1);
    trace_free(again);
    arena_free(&arena);
    trace_free(trace);
}

/* Any bytes give a trace that obeys the rules, or an error. */
static void damaged_files_do_no_harm(void **state)
{
    (void)state;
    static const char *const paths[] = {"trace/foreign/reverse.traceg", "trace/foreign/reverse-raw.trace",
                                        "trace/foreign/reverse-nvbit.txt"};
    static const char letters[] = "0123456789abcdefx-, .\n#=()RLDSTBAE";
    struct arena arena = {0};
    struct error error;
    uint32_t seed = 1;
    size_t refused = 0;
    for (size_t f = 0; f < sizeof paths / sizeof *paths; f++) {
        char *whole;
        size_t size;
        assert_true(file_read(&arena, paths[f], &whole, &size, &error));
        char *text = arena_alloc(&arena, size);
        for (int round = 0; round < 2000; round++) {
            memcpy(text, whole, size);
            for (int k = 0; k < 1 + round % 4; k++) {
                seed = seed * 1664525 + 1013904223;
                size_t const at = (seed >> 8) % size;
                seed = seed * 1664525 + 1013904223;
                text[at] = letters[(seed >> 8) % (sizeof letters - 1)];
            }
            struct trace *trace;
            seed = seed * 1664525 + 1013904223;
            if (read_text(text, round % 5 ? size : (seed >> 8) % size, &trace, &error))
                trace_free(trace);
            else
                refused++;
        }
    }
    assert_true(refused > 600);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grouped_instructions_take_turns),
        cmocka_unit_test(the_files_of_one_kernel_hold_the_same),
        cmocka_unit_test(a_trace_is_known_by_its_name_or_its_beginning),
        cmocka_unit_test(opcodes_say_what_they_access),
        cmocka_unit_test(what_is_wrong_is_told_with_its_line),
        cmocka_unit_test(the_words_of_odd_files_are_understood),
        cmocka_unit_test(damaged_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
