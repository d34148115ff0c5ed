/* A multiprocessor takes the steps of the blocks that are on it together, and sends on what its L1 does not hold. */
#include "model/caches_run.h"
#include <stddef.h>

static inline void send(struct processor *processor, uint64_t line, uint8_t sectors, enum step_kind kind)
{
    struct request const request = {.line = line, .time = processor->time, .sectors = sectors, .kind = kind};
    array_push(&processor->now->out, request);
}

/* Counts the sectors of a step that were not in the L1. */
static inline void miss(struct processor *processor, step s, uint8_t sectors)
{
    processor->misses[step_kind(s)] += count_of(sectors);
    if (step_kind(s) < STEP_LOCAL_LOAD)
        processor->site_misses[step_site(s)] += count_of(sectors);
}

static void simulate_load(struct processor *processor, step s, unsigned set, bool first)
{
    bool found;
    uint64_t const line = step_line(s);
    struct l1_line *place = l1_place(processor->l1, set, line, &found);
    uint8_t const missed = step_sectors(s) & (uint8_t)~l1_touch(processor->l1, place, step_sectors(s), first);
    if (!missed)
        return;
    miss(processor, s, missed);
    send(processor, line, missed, STEP_LOAD);
}

static void simulate_store(struct processor *processor, step s, unsigned set)
{
    bool found;
    uint64_t const line = step_line(s);
    uint8_t const sectors = step_sectors(s);
    uint32_t const since = processor->time - processor->loaded - 1;
    l1_touch(processor->l1, l1_place(processor->l1, set, line, &found), sectors, false);
    if (!found)
        miss(processor, s, sectors);
    if (step_kind(s) == STEP_LOCAL_STORE || !merges(&processor->stores[merge_place(line, STORE_MERGES)], line, sectors,
                                                    processor->time, STORE_TIME <= since ? STORE_TIME : since))
        send(processor, line, sectors, STEP_STORE);
}

static inline void simulate_step(struct processor *processor, step s, unsigned set)
{
    enum step_kind const kind = step_kind(s);
    processor->time++;
    if (kind == STEP_STORE || kind == STEP_LOCAL_STORE) {
        simulate_store(processor, s, set);
        return;
    }
    processor->loaded = processor->time;
    if (kind == STEP_LOAD || kind == STEP_LOAD_FIRST || kind == STEP_LOCAL_LOAD) {
        simulate_load(processor, s, set, kind == STEP_LOAD_FIRST);
        return;
    }
    if (kind == STEP_ATOMIC)
        l1_drop(processor->l1, step_line(s), step_sectors(s));
    send(processor, step_line(s), step_sectors(s), kind == STEP_ATOMIC ? STEP_ATOMIC : STEP_LOAD);
}

/* Simulates the steps whose turn it is. Many multiprocessors' L1s are more than the caches of the processor that runs
 * this, which begins to read the set of a step when its turn is known. */
static void simulate_turns(struct processor *processor)
{
    for (uint32_t i = 0; i < processor->turns.count; i++)
        simulate_step(processor, processor->turns.steps[i].step, processor->turns.steps[i].set);
    processor->turns.count = 0;
}

static inline void add_turn(struct processor *processor, step s)
{
    unsigned const set = l1_number(processor->l1, step_line(s));
    __builtin_prefetch(processor->l1->lines[set], 1);
    processor->turns.steps[processor->turns.count++] = (struct turn){s, set};
    if (processor->turns.count == TURNS_STEPS)
        simulate_turns(processor);
}

/* A warp's place in its stream. */
struct reader {
    const step *at, *end; /* of the stretch it is in */
    const struct stream *stream;
    uint32_t stretch, block; /* block: index of its block in the part */
    bool waits;              /* at a barrier */
};
/* The warps of a block that have not ended, and those of them that wait at a barrier. */
struct crew {
    uint32_t going, waiting;
};

static void enter(struct reader *reader, size_t stretch)
{
    const struct stream *stream = reader->stream;
    reader->stretch = (uint32_t)stretch;
    reader->at = stream->steps.items + stream->stretches.items[stretch].first;
    reader->end =
        stream->steps.items +
        (stretch + 1 < stream->stretches.count ? stream->stretches.items[stretch + 1].first : stream->steps.count);
}

/* Goes to the warp's next step. Returns false when it has ended. */
static inline bool has_step(struct reader *reader)
{
    const struct stream *stream = reader->stream;
    size_t next = reader->stretch;
    while (reader->at == reader->end) {
        uint32_t const warp = stream->stretches.items[reader->stretch].warp;
        do
            next++;
        while (next < stream->stretches.count && stream->stretches.items[next].warp != warp);
        if (next == stream->stretches.count)
            return false;
        enter(reader, next);
    }
    return true;
}

/* Adds a reader for each warp of a stream. */
static uint32_t readers_of(const struct stream *stream, uint32_t block, struct reader readers[WARP_LANES])
{
    uint32_t count = 0;
    bool seen[WARP_LANES] = {false};
    for (size_t i = 0; i < stream->stretches.count; i++) {
        struct stretch const stretch = stream->stretches.items[i];
        if (stretch.warp < WARP_LANES && !seen[stretch.warp]) {
            seen[stretch.warp] = true;
            readers[count] = (struct reader){.stream = stream, .block = block};
            enter(&readers[count++], i);
        }
    }
    return count;
}

/* Takes a warp's turn: one access. Returns false when it has ended. */
static inline bool take_turn(struct processor *processor, struct reader *reader, struct crew *crew)
{
    enum { AHEAD = 16 }; /* steps; those of many warps are read at a time */
    if (!has_step(reader)) {
        crew->going--;
        return false;
    }
    if (*reader->at == BARRIER) {
        reader->waits = true;
        crew->waiting++;
        reader->at++;
        return true;
    }
    if (reader->end - reader->at > AHEAD)
        __builtin_prefetch(reader->at + AHEAD);
    do
        add_turn(processor, *reader->at++);
    while (reader->at != reader->end && step_goes_on(*reader->at));
    return true;
}

/* Simulates ended blocks together. */
static void simulate_part(struct caches_run *run, struct processor *processor, const struct stream *stream,
                          uint32_t count)
{
    struct reader *readers = malloc(count * WARP_LANES * sizeof *readers);
    struct crew *crews = calloc(count, sizeof *crews);
    size_t reading = 0;
    if (!readers || !crews)
        run->failed = true;
    for (uint32_t i = 0; readers && crews && i < count; i++, stream = stream->next) {
        crews[i].going = readers_of(stream, i, readers + reading);
        reading += crews[i].going;
    }
    while (reading) {
        size_t left = 0;
        for (size_t i = 0; i < reading; i++)
            if (readers[i].waits || take_turn(processor, &readers[i], &crews[readers[i].block])) {
                if (left != i)
                    readers[left] = readers[i];
                left++;
            }
        reading = left;
        for (size_t i = 0; i < reading; i++) { /* a barrier opens when all that have not ended wait */
            struct crew *crew = &crews[readers[i].block];
            if (readers[i].waits && crew->waiting == crew->going)
                readers[i].waits = false;
        }
        for (uint32_t i = 0; i < count; i++)
            if (crews[i].waiting == crews[i].going)
                crews[i].waiting = 0;
    }
    simulate_turns(processor);
    free(crews);
    free(readers);
}

uint64_t caches_blocks_of(const struct caches_run *run, size_t number)
{
    uint64_t const count = run->machine.multiprocessors;
    return (run->machine.blocks + count - 1 - number) / count;
}

/* Returns an L1 each of whose sets is one line of the processor's own caches; or NULL. */
static struct l1 *l1_at_lines(uint32_t shared)
{
    enum { LINE = 64 };
    _Static_assert(offsetof(struct l1, lines) % LINE == 0 && sizeof(struct l1_line[L1_WAYS]) == LINE, "sets are lines");
    struct l1 *l1 = aligned_alloc(LINE, (sizeof *l1 + LINE - 1) / LINE * LINE);
    if (l1)
        l1_reset(l1, shared);
    return l1;
}

static void group_close(struct processor *processor)
{
    *processor->last = processor->now;
    processor->last = &processor->now->next;
    processor->now = NULL;
    processor->time = processor->loaded = 0;
}

void caches_simulate(struct caches_run *run, size_t number)
{
    struct processor *processor = &run->processors[number];
    uint64_t const all = caches_blocks_of(run, number), resident = run->machine.resident;
    for (;;) {
        uint64_t const group_end = (processor->done / resident + 1) * resident, end = group_end < all ? group_end : all;
        size_t count = 0, steps = 0;
        struct stream *behind = processor->ended;
        for (; behind && processor->done + count < end && steps < PART_STEPS &&
               behind->block / run->machine.multiprocessors == processor->done + count;
             behind = behind->next, count++)
            steps += behind->steps.count;
        if (!count || (processor->done + count < end && steps < PART_STEPS))
            return;
        if (!processor->now)
            processor->now = caches_group_take(run);
        if (!processor->l1)
            processor->l1 = l1_at_lines(run->machine.shared);
        if (!processor->site_misses)
            processor->site_misses = calloc(SITE_MOST + 1 < run->site_count ? SITE_MOST + 1 : run->site_count + 1,
                                            sizeof *processor->site_misses);
        if (!processor->now || !processor->l1 || !processor->site_misses) {
            run->failed = true;
            return;
        }
        simulate_part(run, processor, processor->ended, (uint32_t)count);
        processor->done += count;
        while (count--) {
            struct stream *stream = processor->ended;
            processor->ended = stream->next;
            caches_steps_return(run, stream);
        }
        if (processor->done == end)
            group_close(processor);
    }
}
