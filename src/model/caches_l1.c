/* A multiprocessor takes the steps of the blocks that are on it together, and sends on what its L1 does not hold. */
#include "model/caches_run.h"
#include <stddef.h>

static inline void send(struct processor *processor, uint64_t line, uint8_t sectors, enum request_kind kind)
{
    struct outgoing *out = &processor->now->out;
    uint64_t since = processor->time - out->last;
    if (since >= REQUEST_TIMES) {
        array_push(out, since << REQUEST_LINE_SHIFT);
        since = 0;
    }
    out->last = processor->time;
    array_push(out, line << REQUEST_LINE_SHIFT | since << REQUEST_TIME_SHIFT | (uint64_t)kind << REQUEST_KIND_SHIFT |
                        sectors);
}

/* Counts the sectors of a step that were not in the L1. */
static inline void miss(struct processor *processor, step s, uint8_t sectors)
{
    processor->misses[step_kind(s)] += count_of(sectors);
    if (step_kind(s) < STEP_LOCAL_LOAD)
        processor->site_misses[step_site(s)] += count_of(sectors);
}

static inline void simulate_load(struct processor *processor, step s, unsigned set, bool first)
{
    bool found;
    uint64_t const line = step_line(s);
    struct l1_line *place = l1_place(processor->l1, set, line, &found);
    uint8_t const missed = step_sectors(s) & (uint8_t)~l1_touch(processor->l1, place, step_sectors(s), first);
    if (!missed)
        return;
    miss(processor, s, missed);
    send(processor, line, missed, REQUEST_LOAD);
}

static inline void simulate_store(struct processor *processor, step s, unsigned set)
{
    bool found;
    uint64_t const line = step_line(s);
    uint8_t const sectors = step_sectors(s);
    uint32_t const since = processor->time - processor->loaded - 1;
    l1_touch(processor->l1, l1_place(processor->l1, set, line, &found), sectors, false);
    if (!found)
        miss(processor, s, sectors);
    if (step_kind(s) == STEP_LOCAL_STORE ||
        !stores_merge(&processor->stores[merge_place(line, STORE_MERGES)], line, sectors, processor->time,
                      STORE_TIME <= since ? STORE_TIME : since))
        send(processor, line, sectors, REQUEST_STORE);
}

/* Whether a load hits what the step right before it has loaded. */
static inline bool hits_last(step s, step last)
{
    return step_kind(s) == STEP_LOAD && step_kind(last) == STEP_LOAD && step_line(s) == step_line(last) &&
           !(step_sectors(s) & ~step_sectors(last));
}

static inline unsigned set_of(struct processor *processor, uint64_t line)
{
    if (line >> L1_LOW_BITS != processor->above) {
        processor->above = line >> L1_LOW_BITS;
        processor->above_number = l1_number_above(processor->above);
    }
    return l1_number_below(line) ^ processor->above_number;
}

static inline void simulate_step(struct processor *processor, step s)
{
    enum step_kind const kind = step_kind(s);
    processor->time++;
    if (kind == STEP_STORE || kind == STEP_LOCAL_STORE) {
        processor->step = s;
        simulate_store(processor, s, set_of(processor, step_line(s)));
        return;
    }
    processor->loaded = processor->time;
    if (hits_last(s, processor->step))
        return;
    processor->step = s;
    if (kind == STEP_LOAD || kind == STEP_LOAD_FIRST || kind == STEP_LOCAL_LOAD) {
        simulate_load(processor, s, set_of(processor, step_line(s)), kind == STEP_LOAD_FIRST);
        return;
    }
    if (kind == STEP_ATOMIC)
        l1_drop(processor->l1, step_line(s), step_sectors(s));
    send(processor, step_line(s), step_sectors(s), kind == STEP_ATOMIC ? REQUEST_ATOMIC : REQUEST_LOAD);
}

/* A warp's place in its stream. */
struct reader {
    const word *at, *end; /* of the stretch it is in */
    const struct stream *stream;
    uint32_t next;  /* its next stretch; 0: none */
    uint32_t block; /* index of its block in the part */
    bool waits;     /* at a barrier */
};
/* The warps of a block that have not ended, and those of them that wait at a barrier. */
struct crew {
    uint32_t going, waiting;
};

static inline void enter(struct reader *reader, uint32_t stretch)
{
    const struct stretch *is = &reader->stream->stretches.items[stretch];
    reader->next = is->next;
    reader->at = is->words;
    reader->end = is->words + is->count;
}

/* Goes to the warp's next step. Returns false when it has ended. */
static inline bool has_step(struct reader *reader)
{
    while (reader->at == reader->end) {
        if (!reader->next)
            return false;
        enter(reader, reader->next);
    }
    return true;
}

/* Adds a reader for each warp of a stream. */
static uint32_t readers_of(const struct stream *stream, uint32_t block, struct reader readers[WARP_LANES])
{
    for (uint32_t i = 0; i < stream->warp_count; i++) {
        readers[i] = (struct reader){.stream = stream, .block = block};
        enter(&readers[i], stream->first[i]);
    }
    return stream->warp_count;
}

static inline step next_step(const struct caches_run *run, struct reader *reader)
{
    word const w = *reader->at++;
    unsigned const place = w % (1 << PLACE_BITS);
    step s;
    if (place < PLACES)
        return (reader->stream->bases[place] + (w >> DISTANCE_SHIFT)) << LINE_SHIFT |
               (w >> PLACE_BITS & 15) << KIND_BITS | run->rests[place];
    memcpy(&s, reader->at, sizeof s);
    reader->at += sizeof s / sizeof *reader->at;
    return s;
}

/* The word of the step taken last, and whose it was. */
struct last_word {
    const struct stream *stream;
    word word;
};
/* Whether the next step is a load that hits what the step right before it has loaded, seen without decoding it: its
 * word is the same. */
static inline bool is_same_load(const struct caches_run *run, const struct last_word *last, const struct reader *reader)
{
    word const w = *reader->at;
    return w == last->word && reader->stream == last->stream && w % (1 << PLACE_BITS) < PLACES &&
           step_kind(run->rests[w % (1 << PLACE_BITS)]) == STEP_LOAD;
}

/* Takes a warp's turn: one access. Returns false when it has ended. */
static inline bool take_turn(const struct caches_run *run, struct processor *processor, struct reader *reader,
                             struct crew *crew, struct last_word *last)
{
    enum { AHEAD = 16 }; /* words; those of many warps are read at a time */
    if (!has_step(reader)) {
        crew->going--;
        return false;
    }
    if (*reader->at == PLACE_BARRIER) {
        reader->waits = true;
        crew->waiting++;
        reader->at++;
        return true;
    }
    if (reader->end - reader->at > AHEAD)
        __builtin_prefetch(reader->at + AHEAD);
    do {
        if (is_same_load(run, last, reader)) {
            processor->loaded = ++processor->time;
            reader->at++;
            continue;
        }
        *last = (struct last_word){reader->stream, *reader->at};
        simulate_step(processor, next_step(run, reader));
    } while (reader->at != reader->end && (*reader->at & GOES_ON));
    return true;
}

/* Begins to read an L1: those of all multiprocessors are more than the caches of the processor that runs this. */
static inline __attribute__((always_inline)) void read_ahead(const struct l1 *l1)
{
    enum { LINE = 64 };
    for (size_t at = 0; at < sizeof l1->lines; at += LINE)
        __builtin_prefetch((const char *)l1->lines + at, 1);
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
    processor->step = STEP_STORE; /* no load */
    read_ahead(processor->l1);
    struct last_word last = {0};
    while (reading) {
        size_t left = 0;
        for (size_t i = 0; i < reading; i++)
            if (readers[i].waits || take_turn(run, processor, &readers[i], &crews[readers[i].block], &last)) {
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
    free(crews);
    free(readers);
}

uint64_t caches_blocks_of(const struct caches_run *run, size_t number)
{
    uint64_t const count = run->machine.multiprocessors;
    return (run->machine.blocks + count - 1 - number) / count;
}

/* Returns an L1 each of whose sets is one line of the processor's own caches; or NULL. */
static struct l1 *l1_at_lines(uint32_t room)
{
    enum { LINE = 64 };
    _Static_assert(offsetof(struct l1, lines) == 0 && LINE % sizeof(struct l1_line[L1_WAYS]) == 0, "sets are in lines");
    struct l1 *l1 = aligned_alloc(LINE, (sizeof *l1 + LINE - 1) / LINE * LINE);
    if (l1)
        l1_reset(l1, room);
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
            steps += behind->step_count;
        if (!count || (processor->done + count < end && steps < PART_STEPS))
            return;
        if (!processor->now)
            processor->now = caches_group_take(run);
        if (!processor->l1)
            processor->l1 = l1_at_lines(run->machine.l1_room);
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
