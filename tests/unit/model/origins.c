/* What the caches of a block hold at a position: the same on every way to it. */
#include "model/origins.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EVENTS = 5000 }; /* some snapshots apart */

/* Loads, stores and atomics of one block: runs over a few kilobytes, and strides that throw lines out. */
static struct trace *busy_block(unsigned events)
{
    static const uint32_t sites[] = {SITE_LOAD, SITE_LOAD, SITE_STORE, SITE_LOAD};
    static const int64_t strides[] = {4, 128, 0, 4096};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    uint32_t state = 1;
    for (unsigned i = 0; i < events; i++) {
        state = state * 1664525 + 1013904223;
        uint64_t const address = SAMPLE_BUFFER + (state >> 12 & 0xffff0);
        sample_access(trace, 0, 0, sites[state >> 8 & 3], UINT32_MAX, address, strides[state >> 10 & 3], false);
        if (i % 7 == 0)
            sample_event(trace, 0, 0, TRACE_BARRIER_ARRIVE, SITE_BARRIER, UINT32_MAX, 0);
        if (i % 50 == 0)
            sample_access(trace, 0, 0, SITE_GENERIC, 0xff, address, 4, false);
    }
    return trace;
}

/* Follows the block from its beginning, without snapshots. */
static void from_the_start(struct l1 *l1, const struct origins *origins, size_t until)
{
    const struct trace *trace = origins->timeline->trace;
    struct coalescing access;
    l1_reset(l1, origins->l1_room);
    for (size_t i = 0; i <= until; i++) {
        const struct trace_event *event = &trace->events.items[origins->timeline->events[i]];
        if (event->kind != TRACE_ACCESS)
            continue;
        model_coalescing(trace_addresses(trace, event), event->mask, trace->sites[event->site].bytes, &access);
        for (uint32_t k = 0; k < access.chunk_count; k++) {
            uint64_t const line = access.chunks[k].address / CHUNK_BYTES;
            if (event->site == SITE_GENERIC)
                l1_drop(l1, line, access.chunks[k].sectors);
            else
                l1_use(l1, line, access.chunks[k].sectors, false);
        }
    }
}

static void the_state_is_a_function_of_the_position(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = busy_block(EVENTS);
    const struct origins *origins = origins_new(&arena, timeline_new(&arena, trace, 0), NULL);
    assert_non_null(origins);
    size_t const last = origins->timeline->count - 1;
    assert_true(last > 2 * origins->every);
    size_t const places[] = {0, 700, last, origins->every, origins->every - 1, 2 * origins->every + 5, 700, last, 1};
    struct origins_l1 *now = malloc(sizeof *now);
    struct l1 *fresh = malloc(sizeof *fresh);
    bool full = false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) { /* forward, back, and over the snapshots */
        origins_l1_at(origins, places[i], now);
        from_the_start(fresh, origins, places[i]);
        assert_memory_equal(&now->l1, fresh, sizeof *fresh);
        full |= now->l1.inside[0] == now->l1.most;
    }
    assert_true(full); /* lines were thrown out of a full slice as well */
    free(now);
    free(fresh);
    trace_free(trace);
    arena_free(&arena);
}

/* Returns how many lines an L1 holds. */
static uint32_t lines_of(const struct l1 *l1)
{
    uint32_t count = 0;
    for (unsigned set = 0; set < L1_SETS; set++)
        for (unsigned way = 0; way < L1_WAYS; way++)
            count += l1->lines[set][way].name != 0;
    return count;
}

static void the_changes_tell_the_hits_and_lead_from_one_state_to_the_next(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = busy_block(1500);
    const struct origins *origins = origins_new(&arena, timeline_new(&arena, trace, 0), NULL);
    struct origins_l1 *now = malloc(sizeof *now);
    uint32_t lines = 0, kinds[L1_CHANGES] = {0};
    for (size_t i = 0; i < origins->timeline->count; i++) {
        const struct origin *chunks = origins_at(origins, i);
        const struct trace_event *event = &trace->events.items[origins->timeline->events[i]];
        struct coalescing access;
        uint8_t hits[CHUNKS_MAX] = {0}, brought[CHUNKS_MAX] = {0};
        uint32_t new_lines = 0;
        origins_l1_at(origins, i, now);
        for (uint32_t k = 0; k < now->change_count; k++) {
            const struct l1_change *change = &now->changes[k];
            kinds[change->kind]++;
            assert_int_equal(change->set, l1_set(change->line));
            if (change->kind == L1_HIT)
                hits[change->chunk] = change->sectors;
            if (change->kind == L1_BROUGHT)
                brought[change->chunk] = change->sectors;
        }
        assert_int_equal(now->way != L1_UNUSED, event->kind == TRACE_ACCESS);
        if (chunks) {
            assert_int_equal(now->way, L1_LOADS);
            model_coalescing(trace_addresses(trace, event), event->mask, trace->sites[event->site].bytes, &access);
            assert_int_equal(now->counts[L1_HIT] + now->counts[L1_BROUGHT], access.chunk_count);
            for (uint32_t k = 0; k < access.chunk_count; k++) {
                assert_int_equal(brought[k], access.chunks[k].sectors & ~chunks[k].l1);
                assert_int_equal(hits[k], brought[k] ? 0 : chunks[k].l1);
            }
        }
        new_lines = lines_of(&now->l1) + now->counts[L1_THROWN] - lines;
        assert_true(new_lines <= now->counts[L1_BROUGHT]);
        lines = lines_of(&now->l1);
        assert_int_equal(lines, now->l1.inside[0] + now->l1.inside[1] + now->l1.inside[2] + now->l1.inside[3]);
    }
    for (unsigned kind = 0; kind < L1_CHANGES; kind++)
        assert_true(kinds[kind] > 0);
    free(now);
    trace_free(trace);
    arena_free(&arena);
}

/* Five lines of one set are one too many: each throws out the one that was used longest ago. */
static void a_fifth_line_of_a_set_throws_one_out(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    uint64_t lines[5], line = SAMPLE_BUFFER / CHUNK_BYTES;
    for (unsigned i = 0; i < 5; line++)
        if (i == 0 || l1_set(line) == l1_set(lines[0]))
            lines[i++] = line;
    for (unsigned i = 0; i < 6; i++) /* the sixth is the first again, without one of its lanes */
        sample_access(trace, 0, 0, SITE_LOAD, i == 5 ? 0xff : UINT32_MAX, lines[i % 5] * CHUNK_BYTES, 4, false);
    const struct origins *origins = origins_new(&arena, timeline_new(&arena, trace, 0), NULL);
    struct origins_l1 *now = malloc(sizeof *now);
    origins_l1_at(origins, 4, now);
    assert_int_equal(now->change_count, 2);
    assert_int_equal(now->counts[L1_BROUGHT], 1);
    assert_int_equal(now->counts[L1_THROWN], 1);
    for (uint32_t k = 0; k < 2; k++)
        assert_int_equal(now->changes[k].line, now->changes[k].kind == L1_THROWN ? lines[0] : lines[4]);
    assert_int_equal(origins_at(origins, 5)->l1, 0);
    assert_int_equal(origins_at(origins, 5)->l2, 1); /* its sector is in the L2 */
    assert_int_equal(origins->l2_sectors[5], 5 * CHUNK_SECTORS);
    free(now);
    trace_free(trace);
    arena_free(&arena);
}

/* An atomic fetches into the L2 what is in no cache, and the load behind it finds it there; neither is a load of it. */
static void an_atomic_fetches_into_the_l2(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    static const uint32_t sites[] = {SITE_GENERIC, SITE_GENERIC, SITE_LOAD, SITE_STORE};
    for (unsigned i = 0; i < 4; i++)
        sample_access(trace, 0, 0, sites[i], 0xff, SAMPLE_BUFFER, 4, false);
    const struct origins *origins = origins_new(&arena, timeline_new(&arena, trace, 0), NULL);
    uint8_t const l2[] = {0, 1, 1};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(origins_fetched_at(origins, i)->l1, 0);
        assert_int_equal(origins_fetched_at(origins, i)->l2, l2[i]);
    }
    assert_null(origins_at(origins, 0));
    assert_ptr_equal(origins_at(origins, 2), origins_fetched_at(origins, 2));
    assert_null(origins_fetched_at(origins, 3));
    trace_free(trace);
    arena_free(&arena);
}

/* A load of one sector brings the other of its pair into the L2; only the first load of that one says so. */
static void a_sector_comes_along_with_its_neighbour(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    uint64_t const sectors[] = {0, 1, 1, 2, 3}; /* the fourth is stored first, which brings nothing */
    for (unsigned i = 0; i < 5; i++) {
        sample_access(trace, 0, 0, SITE_GENERIC, 1, SAMPLE_BUFFER + 1024, 4, false);
        sample_access(trace, 0, 0, i == 3 ? SITE_STORE : SITE_LOAD, 0xff, SAMPLE_BUFFER + sectors[i] * 32, 4, false);
    }
    for (unsigned i = 0; i < 10; i++)
        trace->events.items[i].time = 1000 * i; /* by then it has arrived */
    const struct origins *origins = origins_new(&arena, timeline_new(&arena, trace, 0), NULL);
    uint32_t const along[] = {0, 1, 0, 0, 0};
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(origins_count_along(origins, 2 * i), 0);
        assert_int_equal(origins_count_along(origins, 2 * i + 1), along[i]);
    }
    assert_int_equal(origins_at(origins, 3)->l2, 2);
    assert_int_equal(origins_at(origins, 3)->along, 2);
    trace_free(trace);
    arena_free(&arena);
}

static void the_block_is_followed_in_the_caches_of_the_chosen_gpu(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    sample_access(trace, 0, 0, SITE_LOAD, UINT32_MAX, SAMPLE_BUFFER, 4, false);
    const struct timeline *timeline = timeline_new(&arena, trace, 0);
    trace->shared_bytes = 0;
    const struct origins *own = origins_new(&arena, timeline, NULL), *other = origins_new(&arena, timeline, "a100");
    assert_int_equal(own->l1_room, (256 - 8 - 32) << 10);
    assert_int_equal(other->l1_room, (192 - 8 - 32) << 10);
    assert_int_equal(other->l2_bytes, (40 << 20) / 10 * 8);
    assert_true(own->gpu.measured);
    assert_false(other->gpu.measured);
    assert_null(origins_new(&arena, timeline, "no-such-gpu"));
    trace->shared_bytes = 200 << 10;
    assert_non_null(origins_new(&arena, timeline, NULL));
    assert_null(origins_new(&arena, timeline, "a100")); /* the block does not fit */
    trace_free(trace);
    arena_free(&arena);
}

/* A word of each lane is a line: what the lanes stored at the same place they find in the L1, at another one not. */
static void local_words_of_a_warp_are_lines_of_the_l1(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    sample_access(trace, 0, 1, SITE_STORE, UINT32_MAX, 8, 0, false);
    sample_access(trace, 0, 1, SITE_LOAD, 0xffff, 8, 0, false);
    sample_access(trace, 0, 1, SITE_LOAD, UINT32_MAX, 8, 4, false);
    for (unsigned i = 0; i < 3; i++)
        trace->events.items[i].space = PTX_SPACE_LOCAL;
    const struct origins *origins = origins_new(&arena, timeline_new(&arena, trace, 0), NULL);
    assert_non_null(origins);
    struct origins_l1 *now = malloc(sizeof *now);
    uint32_t counts[ORIGIN_LEVELS], warp, word;
    assert_false(origins_count_local(origins, 0, counts));
    origins_l1_at(origins, 0, now);
    assert_true(now->local && now->way == L1_STORES);
    assert_int_equal(now->stored, CHUNK_SECTORS);
    assert_true(origins_line_is_local(now->changes[0].line, &warp, &word));
    assert_int_equal(warp, 1);
    assert_int_equal(word, 2);
    assert_true(origins_count_local(origins, 1, counts));
    assert_int_equal(counts[ORIGIN_L1], 2);
    origins_l1_at(origins, 2, now); /* the word of lane 0 is inside, the lines of the other lanes' places are not */
    assert_int_equal(now->lines, 32);
    assert_int_equal(now->counts[L1_HIT], 1);
    assert_int_equal(now->counts[L1_BROUGHT], 31);
    assert_int_equal(now->changes[0].lanes, 1);
    assert_null(origins_fetched_at(origins, 1));
    assert_null(origins_at(origins, 1));
    free(now);
    trace_free(trace);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_is_a_function_of_the_position),
        cmocka_unit_test(the_changes_tell_the_hits_and_lead_from_one_state_to_the_next),
        cmocka_unit_test(a_fifth_line_of_a_set_throws_one_out),
        cmocka_unit_test(an_atomic_fetches_into_the_l2),
        cmocka_unit_test(a_sector_comes_along_with_its_neighbour),
        cmocka_unit_test(the_block_is_followed_in_the_caches_of_the_chosen_gpu),
        cmocka_unit_test(local_words_of_a_warp_are_lines_of_the_l1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
