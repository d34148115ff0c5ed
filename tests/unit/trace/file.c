#include "base/file.h"
#include "trace/check.h"
#include "trace/format/format.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static void same_trace(const struct trace *a, const struct trace *b)
{
    assert_string_equal(a->kernel, b->kernel);
    assert_string_equal(a->source, b->source);
    assert_int_equal(a->executor, b->executor);
    assert_memory_equal(a->grid, b->grid, sizeof a->grid);
    assert_memory_equal(a->block, b->block, sizeof a->block);
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    assert_int_equal(a->shared_base, b->shared_base);
    assert_int_equal(a->lost, b->lost);
    assert_int_equal(a->recorded.last, b->recorded.last);
    assert_int_equal(a->site_count, b->site_count);
    for (uint32_t i = 0; i < a->site_count; i++) {
        assert_string_equal(a->sites[i].text, b->sites[i].text);
        assert_int_equal(a->sites[i].bytes, b->sites[i].bytes);
        assert_int_equal(a->sites[i].file, b->sites[i].file);
    }
    assert_string_equal(a->buffers[0].name, b->buffers[0].name);
    assert_int_equal(a->buffers[0].type, b->buffers[0].type);
    assert_memory_equal(&a->buffers[0].shape, &b->buffers[0].shape, sizeof a->buffers[0].shape);
    assert_int_equal(a->finding_count, b->finding_count);
    assert_int_equal(a->events.count, b->events.count);
    for (size_t i = 0; i < a->events.count; i++) {
        const struct trace_event *x = &a->events.items[i], *y = &b->events.items[i];
        assert_true(x->kind == y->kind && x->site == y->site && x->block == y->block && x->warp == y->warp);
        assert_true(x->mask == y->mask && x->other == y->other && x->sm == y->sm && x->space == y->space);
        assert_true(x->time == y->time && x->lanes == y->lanes);
    }
    assert_int_equal(a->addresses.count, b->addresses.count);
    assert_int_equal(a->values.count, b->values.count);
    assert_memory_equal(a->addresses.items, b->addresses.items, a->addresses.count * sizeof(uint64_t));
    if (a->values.count)
        assert_memory_equal(a->values.items, b->values.items, a->values.count * sizeof(uint64_t));
}

/* A finding with all its arguments set. */
static struct finding sample_finding(const struct trace *trace, enum finding_form form)
{
    static const struct finding_wait waits[] = {{FINDING_AT_MBARRIER, 1, 31, 12, true},
                                                {FINDING_AT_BARRIER, 0, 32, 0, false}};
    size_t count;
    const struct finding_field *fields = finding_fields(form, &count);
    struct finding finding = {.kind = finding_kind_of(form),
                              .form = form,
                              .at = {SITE_STORE, 0, 7, 9, true, 1, {39, 0, 0}},
                              .lanes = 0x80000001,
                              .address = UINT64_MAX - form,
                              .waits = waits,
                              .wait_count = 2,
                              .wait_total = 40};
    for (size_t i = 0; i < count; i++)
        if (fields[i].type == FINDING_STRING)
            finding_set_string(&finding, &fields[i], fields[i].name);
        else if (fields[i].type == FINDING_SITE || fields[i].type == FINDING_FILE)
            finding_set_number(&finding, &fields[i], form % 2 ? PTX_NO_INDEX : 0);
        else
            finding_set_number(&finding, &fields[i], fields[i].most ? (i + 1) % fields[i].most : (uint64_t)-5 - i);
    if (finding_kind_of(form) == FINDING_RACE) {
        finding.race.first.block = 1;
        memcpy(finding.race.first.thread, (uint32_t[3]){38, 0, 0}, sizeof finding.race.first.thread);
    }
    assert_true(trace->file_count > 0);
    return finding;
}

static void same_place(const struct finding_place *a, const struct finding_place *b)
{
    assert_true(a->site == b->site && a->file == b->file && a->line == b->line && a->column == b->column);
    assert_true(a->near == b->near && a->block == b->block);
    assert_memory_equal(a->thread, b->thread, sizeof a->thread);
}

static void same_finding(const struct finding *a, const struct finding *b)
{
    size_t count;
    const struct finding_field *fields = finding_fields(a->form, &count);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->form, b->form);
    same_place(&a->at, &b->at);
    assert_int_equal(a->lanes, b->lanes);
    assert_true(a->address == b->address);
    assert_int_equal(a->wait_total, b->wait_total);
    assert_int_equal(a->wait_count, b->wait_count);
    for (uint32_t i = 0; i < a->wait_count; i++) {
        const struct finding_wait *x = &a->waits[i], *y = &b->waits[i];
        assert_true(x->thing == y->thing && x->warp == y->warp && x->threads == y->threads && x->line == y->line &&
                    x->near == y->near);
    }
    for (size_t i = 0; i < count; i++)
        if (fields[i].type == FINDING_STRING)
            assert_string_equal(finding_string(a, &fields[i]), finding_string(b, &fields[i]));
        else
            assert_true(finding_number(a, &fields[i]) == finding_number(b, &fields[i]));
}

static struct trace *faulty_sample(bool values)
{
    struct trace *trace = sample_trace(SAMPLE_BUFFER, 1024, values);
    if (values) {
        sample_shuffle(trace, 1);
        sample_product(trace, 1);
    }
    trace->lost = 7;
    trace->buffers[0].shape = (struct launch_shape){64, 60, 256};
    trace->recorded = (struct launch_blocks){0, 1};
    trace->events.items[3].sm = 131;
    trace->events.items[3].space = PTX_SPACE_GLOBAL;
    trace->findings = arena_array(&trace->arena, struct finding, FINDING_FORMS);
    for (unsigned form = FINDING_FORMS; form-- > 0;)
        trace->findings[trace->finding_count++] = sample_finding(trace, (enum finding_form)form);
    return trace;
}

static void a_trace_comes_back_from_its_file_as_it_was(void **state)
{
    (void)state;
    char path[] = "/tmp/lanescope-trace-XXXXXX";
    int const file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int values = 0; values < 2; values++) {
        struct error error = {0};
        struct trace *back = NULL, *trace = faulty_sample(values != 0);
        assert_true(trace_write(trace, path, &error));
        assert_true(trace_read(path, &back, &error));
        same_trace(trace, back);
        for (uint32_t i = 0; i < back->finding_count; i++)
            same_finding(&trace->findings[i], &back->findings[i]);
        trace_free(back);
        trace_free(trace);
    }
    unlink(path);
}

static uint8_t *packed_sample(struct arena *arena, size_t *size)
{
    uint8_t *bytes;
    struct error error = {0};
    struct trace *trace = faulty_sample(true);
    trace->finding_count = 1; /* a race */
    if (!trace_pack(trace, arena, &bytes, size, &error))
        fail_msg("%s", error.message);
    trace_free(trace);
    return bytes;
}

static bool unpack_quietly(const uint8_t *bytes, size_t size, struct error *error)
{
    struct trace *trace;
    *error = (struct error){0};
    if (!trace_unpack("sample", bytes, size, &trace, error))
        return false;
    trace_free(trace);
    return true;
}

static void every_flipped_byte_is_noticed(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t size;
    uint8_t *bytes = packed_sample(&arena, &size);
    struct error error;
    assert_true(unpack_quietly(bytes, size, &error));
    for (size_t at = 0; at < size; at++) {
        bytes[at] ^= 0x41;
        assert_false(unpack_quietly(bytes, size, &error));
        assert_true(error.message[0] && error.kind == ERROR_INPUT);
        bytes[at] ^= 0x41;
    }
    for (size_t cut = 0; cut < size; cut++)
        assert_false(unpack_quietly(bytes, cut, &error));
    arena_free(&arena);
}

/* Bodies with a valid checksum, as an attacker would write them: the reader reports an error that names a field, or
 * returns a trace consistent enough to be written again. */
static void the_reader_survives_any_body(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t size, refused = 0, taken = 0;
    uint8_t *bytes = packed_sample(&arena, &size), *body = bytes + TRACE_HEADER_BYTES;
    static const uint8_t masks[] = {0x01, 0x40, 0x80, 0xff};
    for (size_t at = 0; at < size - TRACE_HEADER_BYTES; at++)
        for (size_t m = 0; m < sizeof masks; m++) {
            struct error error = {0};
            struct trace *trace;
            body[at] ^= masks[m];
            if (trace_decode("sample", TRACE_VERSION, body, size - TRACE_HEADER_BYTES, &trace, &error)) {
                struct arena scratch = {0};
                uint8_t *again;
                size_t again_size;
                assert_true(trace_pack(trace, &scratch, &again, &again_size, &error));
                assert_non_null(trace_dump(trace, &scratch));
                arena_free(&scratch);
                trace_free(trace);
                taken++;
            } else {
                assert_non_null(strstr(error.message, "the trace is damaged: "));
                refused++;
            }
            body[at] ^= masks[m];
        }
    for (size_t cut = 0; cut < size - TRACE_HEADER_BYTES; cut++) {
        struct error error = {0};
        struct trace *trace;
        assert_false(trace_decode("sample", TRACE_VERSION, body, cut, &trace, &error));
        assert_true(strstr(error.message, "cut off") || strstr(error.message, "room for"));
    }
    assert_true(refused > 100 && taken > 100);
    arena_free(&arena);
}

static void a_file_of_version_2_has_no_shuffles(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    for (int shuffles = 0; shuffles < 2; shuffles++) {
        struct trace *trace = sample_trace(SAMPLE_BUFFER, 1024, true), *back;
        struct trace_site *sites = (struct trace_site *)trace->sites;
        size_t size;
        trace->clock = TRACE_CLOCK_GPU;
        if (shuffles)
            sample_shuffle(trace, 1);
        else
            sites[SITE_SHUFFLE].operation = TRACE_LOAD;
        sites[SITE_PRODUCT].operation = TRACE_LOAD;
        uint8_t *body = trace_encode(trace, &arena, &size);
        assert_int_equal(trace_decode("old.trace", 2, body, size, &back, &error), !shuffles);
        if (!shuffles)
            trace_free(back);
        trace_free(trace);
    }
    arena_free(&arena);
}

static void a_file_of_version_3_has_no_groups_of_copies(void **state)
{
    (void)state;
    static const enum trace_kind kinds[] = {TRACE_COPY_TO, TRACE_COPY_GROUP, TRACE_COPY_WAIT};
    struct arena arena = {0};
    struct error error = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct trace *trace = sample_trace(SAMPLE_BUFFER, 1024, false), *back;
        uint64_t const places[WARP_LANES] = {0};
        trace->clock = TRACE_CLOCK_GPU; /* whose order the rules do not bind: the event belongs to no copy */
        struct trace_event const event = {
            .kind = kinds[i], .site = kinds[i] == TRACE_COPY_TO ? SITE_LOAD : PTX_NO_INDEX, .block = 1, .mask = 1};
        trace_add(trace, &event, kinds[i] == TRACE_COPY_TO ? places : NULL, NULL);
        trace_sort(trace);
        ((struct trace_site *)trace->sites)[SITE_PRODUCT].operation = TRACE_LOAD; /* version 4 has no products */
        size_t size;
        uint8_t *body = trace_encode(trace, &arena, &size);
        assert_false(trace_decode("old.trace", 3, body, size, &back, &error));
        assert_true(trace_decode("new.trace", 4, body, size, &back, &error));
        trace_free(back);
        trace_free(trace);
    }
    arena_free(&arena);
}

static void a_file_of_version_4_has_no_products(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    for (int products = 0; products < 2; products++) {
        struct trace *trace = sample_trace(SAMPLE_BUFFER, 1024, true), *back;
        struct trace_site *sites = (struct trace_site *)trace->sites;
        size_t size;
        trace->clock = TRACE_CLOCK_GPU; /* whose order the rules do not bind: the warp has ended */
        sample_shuffle(trace, 1);
        if (products)
            sample_product(trace, 1);
        else
            sites[SITE_PRODUCT].operation = TRACE_LOAD;
        uint8_t *body = trace_encode(trace, &arena, &size);
        assert_int_equal(trace_decode("old.trace", 4, body, size, &back, &error), !products);
        if (!products)
            trace_free(back);
        trace_free(trace);
    }
    arena_free(&arena);
}

/* Version 1 kept a finding as a word and an English sentence. */
static void a_file_of_version_1_keeps_its_sentences(void **state)
{
    static const uint8_t head[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* launch */
                                   0, 0, 0, 3 /* no file, site or buffer, three faults */};
    static const char *const words[][2] = {{"out of bounds", "4 bytes past the end"},
                                           {"race", "a word of ours that version 1 did not have"},
                                           {"melted", "the GPU is soft"}};
    static const enum finding_kind kinds[] = {FINDING_OUT_OF_BOUNDS, FINDING_OTHER, FINDING_OTHER};
    uint8_t body[256], *at = body;
    struct trace *trace;
    struct error error = {0};
    (void)state;
    memcpy(at, head, sizeof head);
    at += sizeof head;
    for (size_t i = 0; i < 3; i++) {
        static const uint8_t rest[] = {0, 0, 7, 0, 0,
                                       0, 0, 0, 5}; /* site, file, line, column, block, thread, address */
        for (size_t k = 0; k < 2; k++) {
            size_t const length = strlen(words[i][k]);
            *at++ = (uint8_t)length;
            memcpy(at, words[i][k], length);
            at += length;
        }
        memcpy(at, rest, sizeof rest);
        at += sizeof rest;
    }
    *at++ = 0; /* no events */
    *at++ = 0;
    if (!trace_decode("old.trace", 1, body, (size_t)(at - body), &trace, &error))
        fail_msg("%s", error.message);
    assert_int_equal(trace->finding_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(trace->findings[i].kind, kinds[i]);
        assert_string_equal(finding_word(&trace->findings[i]), words[i][0]);
        assert_string_equal(trace->findings[i].text.text, words[i][1]);
        assert_int_equal(trace->findings[i].at.line, 7);
        assert_int_equal(trace->findings[i].address, 5);
    }
    trace_free(trace);
}

static void errors_name_the_field(void **state)
{
    (void)state;
    struct error error;
    struct trace *trace;
    /* seven empty texts, a grid of 0 blocks, ten numbers of the launch, four tables, no event, no values */
    static const uint8_t no_grid[29] = {[8] = 1, [9] = 1, [10] = 1, [11] = 1, [12] = 1};
    assert_false(trace_decode("a.trace", TRACE_VERSION, no_grid, sizeof no_grid, &trace, &error));
    assert_string_equal(error.message, "the trace is damaged: grid[0] is 0");
    assert_string_equal(error.file, "a.trace");
    /* a count of 2^40 sites in a file that ends there must be refused */
    static const uint8_t many[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1,    32,   1,    1,    0,    0,
                                   0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20};
    assert_false(trace_decode("a.trace", TRACE_VERSION, many, sizeof many, &trace, &error));
    assert_non_null(strstr(error.message, "sites is larger than"));
    static const uint8_t long_text[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 'a'};
    assert_false(trace_decode("a.trace", TRACE_VERSION, long_text, sizeof long_text, &trace, &error));
    assert_string_equal(error.message, "the trace is damaged: kernel is larger than the file has room for");
}

/* Whether a result is read decides how the machine counts an addition of 1, and the text does not say it. */
static void a_file_says_whether_the_result_of_an_atomic_is_read(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    for (int unread = 0; unread < 2; unread++) {
        struct trace *trace = sample_trace(SAMPLE_BUFFER, 1024, true), *back;
        size_t size;
        ((struct trace_site *)trace->sites)[SITE_GENERIC].unread = unread;
        ((struct trace_site *)trace->sites)[SITE_SHUFFLE].operation = TRACE_LOAD;
        ((struct trace_site *)trace->sites)[SITE_PRODUCT].operation = TRACE_LOAD;
        uint8_t *body = trace_encode(trace, &arena, &size);
        assert_true(trace_decode("new.trace", TRACE_VERSION, body, size, &back, &error));
        assert_int_equal(back->sites[SITE_GENERIC].operation, TRACE_ATOMIC);
        assert_int_equal(back->sites[SITE_GENERIC].unread, unread);
        trace_free(back);
        assert_int_equal(trace_decode("old.trace", 3, body, size, &back, &error), !unread);
        if (!unread)
            trace_free(back);
        trace_free(trace);
    }
    arena_free(&arena);
}

static void waits_for_values_are_kept_and_belong_to_loads(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct trace_problem problem;
    struct trace *trace = sample_empty(SAMPLE_BUFFER), *back;
    size_t size;
    sample_access(trace, 0, 0, SITE_LOAD, UINT32_MAX, SAMPLE_BUFFER, 4, false);
    sample_event(trace, 0, 0, TRACE_LOAD_WAIT, SITE_LOAD, UINT32_MAX, 600);
    uint8_t *body = trace_encode(trace, &arena, &size);
    assert_true(trace_decode("new.trace", TRACE_VERSION, body, size, &back, &error));
    assert_int_equal(back->events.items[1].kind, TRACE_LOAD_WAIT);
    assert_int_equal(back->events.items[1].site, SITE_LOAD);
    assert_int_equal(back->events.items[1].other, 600);
    trace_free(back);
    assert_false(trace_decode("old.trace", 5, body, size, &back, &error));
    assert_non_null(strstr(error.message, "events.kind[1]"));
    trace->events.items[1].site = SITE_STORE;
    assert_false(trace_check(trace, &problem));
    assert_string_equal(problem.field, "events.site");
    trace->events.items[1].site = PTX_NO_INDEX;
    assert_false(trace_check(trace, &problem));
    assert_string_equal(problem.field, "events.site");
    trace_free(trace);
    arena_free(&arena);
}

static void headers_of_other_files_and_versions_are_errors(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error;
    size_t size;
    uint8_t *bytes = packed_sample(&arena, &size);
    assert_false(unpack_quietly((const uint8_t *)"hello", 5, &error));
    assert_non_null(strstr(error.message, "is not a Lanescope trace"));
    bytes[8] = 9;
    assert_false(unpack_quietly(bytes, size, &error));
    assert_non_null(strstr(error.message, "header.version is 9"));
    assert_true(error.remedy[0]);
    bytes[8] = TRACE_VERSION;
    bytes[23] = 1; /* 2^56 bytes */
    assert_false(unpack_quietly(bytes, size, &error));
    assert_non_null(strstr(error.message, "header.body_bytes"));
    arena_free(&arena);
}

/* A compressed body may unpack to any size. The reader unpacks no more than the header declares. */
static void a_compression_bomb_is_stopped(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error;
    size_t const zeros = (size_t)16 << 20;
    uint8_t *plain = calloc(1, zeros), *file = arena_alloc(&arena, TRACE_HEADER_BYTES + ZSTD_compressBound(zeros));
    size_t const packed = ZSTD_compress(file + TRACE_HEADER_BYTES, ZSTD_compressBound(zeros), plain, zeros, 1);
    struct trace_header header = {TRACE_VERSION, TRACE_ZSTD, 1000, 0};
    trace_header_write(file, &header);
    assert_false(unpack_quietly(file, TRACE_HEADER_BYTES + packed, &error));
    assert_non_null(strstr(error.message, "longer than header.body_bytes"));
    header = (struct trace_header){TRACE_VERSION, TRACE_ZSTD, zeros, trace_checksum(plain, zeros)};
    trace_header_write(file, &header);
    /* unpacked completely, but zeros are not a trace */
    assert_false(unpack_quietly(file, TRACE_HEADER_BYTES + packed, &error));
    assert_non_null(strstr(error.message, "the body goes on after its last field"));
    assert_false(unpack_quietly(file, TRACE_HEADER_BYTES + packed - 1, &error));
    free(plain);
    arena_free(&arena);
}

/* Returns a trace of so many regular accesses, which compresses very well. */
static struct trace *regular_trace(uint32_t accesses)
{
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    trace->clock = TRACE_CLOCK_GPU; /* whose order the rules do not bind */
    for (uint32_t i = 0; i < accesses; i++)
        sample_access(trace, 0, 0, SITE_LOAD, UINT32_MAX, SAMPLE_BUFFER, 4, false);
    return trace;
}

static void what_compresses_too_well_is_written_uncompressed_and_read(void **state)
{
    (void)state;
    enum { FEW = 1000, MANY = 70000 };
    struct error error;
    for (int i = 0; i < 2; i++) {
        char path[] = "/tmp/lanescope-trace-XXXXXX";
        struct arena arena = {0};
        struct trace *trace = regular_trace(i ? MANY : FEW), *back = NULL;
        struct trace_header header;
        char *bytes = NULL;
        size_t size = 0;
        close(mkstemp(path));
        assert_true(trace_write(trace, path, &error) && file_read(&arena, path, &bytes, &size, &error));
        assert_true(trace_header_read(path, (const uint8_t *)bytes, size, &header, &error));
        assert_int_equal(header.compression, i ? TRACE_PLAIN : TRACE_ZSTD);
        if (!trace_read(path, &back, &error))
            fail_msg("%s", error.message);
        assert_int_equal(back->events.count, trace->events.count);
        trace_free(back);
        trace_free(trace);
        unlink(path);
        arena_free(&arena);
    }
}

static void a_small_file_of_many_events_is_refused_by_name(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error;
    struct trace *trace = regular_trace(70000);
    size_t size;
    const uint8_t *body = trace_encode(trace, &arena, &size);
    uint8_t *file = arena_alloc(&arena, TRACE_HEADER_BYTES + ZSTD_compressBound(size));
    size_t const packed = ZSTD_compress(file + TRACE_HEADER_BYTES, ZSTD_compressBound(size), body, size, 9);
    trace_header_write(file, &(struct trace_header){TRACE_VERSION, TRACE_ZSTD, size, trace_checksum(body, size)});
    assert_true(packed < 4096);
    assert_false(unpack_quietly(file, TRACE_HEADER_BYTES + packed, &error));
    assert_non_null(strstr(error.message, "lanes take more memory than a compressed file of this size may"));
    assert_true(trace_takes(trace, size) > trace_room(TRACE_HEADER_BYTES + packed));
    assert_true(trace_takes(trace, size) <= trace_room(TRACE_HEADER_BYTES + size));
    trace_free(trace);
    arena_free(&arena);
}

static void an_uncompressed_file_never_takes_too_much(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    trace->clock = TRACE_CLOCK_GPU;
    for (uint32_t i = 0; i < 70000; i++) /* one lane, with its value: the fewest bytes for the most memory */
        sample_access(trace, 0, 0, SITE_LOAD, 1, SAMPLE_BUFFER, 0, true);
    size_t size;
    assert_non_null(trace_encode(trace, &arena, &size));
    assert_true(trace->values.count);
    assert_true(trace_takes(trace, size) <= trace_room(size));
    trace_free(trace);
    arena_free(&arena);
}

static void overlapping_buffers_of_a_file_are_found_in_the_order_of_the_table(void **state)
{
    (void)state;
    enum { BUFFERS = 60, STEP = 4, LAST = 2000 };
    struct arena arena = {0};
    struct error error;
    struct trace *trace = sample_empty(SAMPLE_BUFFER), *back = NULL;
    size_t size;
    trace->buffers = arena_array(&trace->arena, struct trace_buffer, BUFFERS);
    trace->buffer_count = BUFFERS;
    for (uint32_t i = 0; i < BUFFERS; i++) /* some have no place, some are empty, some are equal */
        trace->buffers[i] = (struct trace_buffer){
            .name = "b", .type = PTX_F32, .address = i % 7 ? i * 37 % 29 * 64 : 0, .count = i * 53 % 41};
    const uint8_t *body = trace_encode(trace, &arena, &size);
    assert_true(trace_decode("sample", TRACE_VERSION, body, size, &back, &error));
    assert_true(back->places && !trace->places);
    for (uint64_t address = 0; address < LAST; address += STEP) {
        uint64_t element = 0, other = 0;
        const struct trace_buffer *slow = trace_find_buffer(trace, address, &element);
        const struct trace_buffer *fast = trace_find_buffer(back, address, &other);
        assert_true(!slow == !fast && element == other);
        assert_true(!slow || slow - trace->buffers == fast - back->buffers);
    }
    trace_free(back);
    trace_free(trace);
    arena_free(&arena);
}

static void an_unreadable_trace_is_not_written(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    uint8_t *bytes;
    size_t size;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    sample_access(trace, 5, 0, SITE_LOAD, 1, 0, 0, false);
    assert_false(trace_pack(trace, &arena, &bytes, &size, &error));
    assert_non_null(strstr(error.message, "events.block[0] is outside the grid"));
    trace_free(trace);
    arena_free(&arena);
}

/* A lesson's recordings are many traces that differ in a stride. Together they must take little space. */
static void many_like_traces_compress_well_in_one_frame(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    size_t total = 0, const_room = (size_t)4 << 20;
    uint8_t *all = arena_alloc(&arena, const_room);
    for (int stride = 0; stride < 64; stride++) {
        uint8_t *bytes;
        size_t size;
        struct trace *trace = sample_trace(SAMPLE_BUFFER + 4096u * (unsigned)stride, 0, false);
        trace->clock = TRACE_CLOCK_GPU; /* whose order the rules do not bind: the warps have ended */
        for (uint32_t i = 0; i < 200; i++)
            sample_access(trace, i % 2, i / 2 % 2, SITE_LOAD, 0xff, SAMPLE_BUFFER + i * 32, stride * 4, false);
        assert_true(trace_pack(trace, &arena, &bytes, &size, &error));
        assert_true(total + size <= const_room);
        memcpy(all + total, bytes, size);
        total += size;
        trace_free(trace);
    }
    uint8_t *packed = arena_alloc(&arena, ZSTD_compressBound(total));
    size_t const packed_size = ZSTD_compress(packed, ZSTD_compressBound(total), all, total, 19);
    assert_true(packed_size < 64 * 100); /* under 100 bytes for a trace of 237 events */
    arena_free(&arena);
}

static void the_ending_chooses_the_format_that_is_written(void **state)
{
    (void)state;
    char folder[] = "/tmp/lanescope-trace-XXXXXX";
    struct arena arena = {0};
    struct error error = {0};
    struct trace *trace = faulty_sample(false), *back = NULL;
    char *bytes;
    assert_non_null(mkdtemp(folder));
    const char *text = arena_format(&arena, "%s/dump.txt", folder), *other = arena_format(&arena, "%s/x.dat", folder);
    assert_true(trace_write(trace, text, &error) && file_read(&arena, text, &bytes, NULL, &error));
    assert_string_equal(bytes, trace_dump(trace, &arena));
    assert_false(trace_read(text, &back, &error)); /* a dump is only written */
    assert_non_null(strstr(error.message, "is not a Lanescope trace"));
    assert_true(trace_write(trace, other, &error) && trace_read(other, &back, &error)); /* known by its first bytes */
    same_trace(trace, back);
    assert_true(trace_is_named("a.trace") && !trace_is_named("a.txt") && !trace_is_named(".trace"));
    trace_free(back);
    trace_free(trace);
    unlink(text);
    unlink(other);
    rmdir(folder);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_comes_back_from_its_file_as_it_was),
        cmocka_unit_test(the_ending_chooses_the_format_that_is_written),
        cmocka_unit_test(every_flipped_byte_is_noticed),
        cmocka_unit_test(the_reader_survives_any_body),
        cmocka_unit_test(a_file_of_version_2_has_no_shuffles),
        cmocka_unit_test(a_file_of_version_3_has_no_groups_of_copies),
        cmocka_unit_test(a_file_of_version_4_has_no_products),
        cmocka_unit_test(a_file_of_version_1_keeps_its_sentences),
        cmocka_unit_test(errors_name_the_field),
        cmocka_unit_test(waits_for_values_are_kept_and_belong_to_loads),
        cmocka_unit_test(headers_of_other_files_and_versions_are_errors),
        cmocka_unit_test(a_file_says_whether_the_result_of_an_atomic_is_read),
        cmocka_unit_test(a_compression_bomb_is_stopped),
        cmocka_unit_test(an_unreadable_trace_is_not_written),
        cmocka_unit_test(overlapping_buffers_of_a_file_are_found_in_the_order_of_the_table),
        cmocka_unit_test(what_compresses_too_well_is_written_uncompressed_and_read),
        cmocka_unit_test(a_small_file_of_many_events_is_refused_by_name),
        cmocka_unit_test(an_uncompressed_file_never_takes_too_much),
        cmocka_unit_test(many_like_traces_compress_well_in_one_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
