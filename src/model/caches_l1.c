/* A multiprocessor takes the steps of the blocks that are on it together, and sends on what its L1 does not hold. */
#include "model/caches_run.h"

static void send(struct processor *processor, uint64_t line, uint8_t sectors, enum step_kind kind)
{
    struct request const request = {.line = line, .time = processor->time, .sectors = sectors, .kind = kind};
    if (sectors)
        array_push(&processor->now->out, request);
}

static void simulate_step(struct processor *processor, step s)
{
    struct caches *sums = &processor->sums;
    struct caches_site *site = &processor->sites[step_site(s)];
    enum step_kind const kind = step_kind(s);
    uint8_t const sectors = step_sectors(s);
    uint64_t const line = step_line(s);
    uint8_t hits = 0;
    processor->time++;
    if (kind != STEP_STORE && kind != STEP_LOCAL_STORE)
        processor->loaded = processor->time;
    switch (kind) {
    case STEP_LOAD:
    case STEP_LOAD_FIRST:
        hits = l1_use(processor->l1, line, sectors, kind == STEP_LOAD_FIRST);
        sums->load_hits += count_of(hits);
        send(processor, line, sectors & (uint8_t)~hits, STEP_LOAD);
        break;
    case STEP_LOCAL_LOAD:
        hits = l1_use(processor->l1, line, sectors, false);
        sums->local_loads += count_of(sectors);
        sums->local_load_hits += count_of(hits);
        send(processor, line, sectors & (uint8_t)~hits, STEP_LOAD);
        return;
    case STEP_LOAD_PAST:
    case STEP_COPY:
        send(processor, line, sectors, STEP_LOAD);
        if (kind == STEP_COPY)
            return;
        break;
    case STEP_STORE:
        if (l1_has(processor->l1, line))
            hits = sectors;
        l1_use(processor->l1, line, sectors, false);
        sums->store_hits += count_of(hits);
        if (!merges(&processor->stores[merge_place(line, STORE_MERGES)], line, sectors, processor->time,
                    STORE_TIME < processor->time - processor->loaded ? STORE_TIME
                                                                     : processor->time - processor->loaded - 1))
            send(processor, line, sectors, STEP_STORE);
        break;
    case STEP_LOCAL_STORE:
        l1_use(processor->l1, line, sectors, false);
        sums->local_stores += count_of(sectors);
        send(processor, line, sectors, STEP_STORE);
        return;
    case STEP_ATOMIC:
        l1_drop(processor->l1, line, sectors);
        send(processor, line, sectors, STEP_ATOMIC);
        return;
    }
    site->sectors += count_of(sectors);
    site->l1_hits += count_of(hits);
}

/* A warp's place in its stream. */
struct reader {
    const struct stream *stream;
    size_t stretch; /* index of the stretch it is in; the number of them: it has ended */
    size_t at;
    uint32_t block; /* index of its block in the part */
    bool waits;     /* at a barrier */
};
/* The warps of a block that have not ended, and those of them that wait at a barrier. */
struct crew {
    uint32_t going, waiting;
};

static size_t stretch_end(const struct stream *stream, size_t index)
{
    return index + 1 < stream->stretches.count ? stream->stretches.items[index + 1].first : stream->steps.count;
}

/* Finds the warp's next step. Returns NULL when it has ended. */
static const step *next_step(struct reader *reader)
{
    const struct stream *stream = reader->stream;
    while (reader->stretch < stream->stretches.count && reader->at == stretch_end(stream, reader->stretch)) {
        uint32_t const warp = stream->stretches.items[reader->stretch].warp;
        do
            reader->stretch++;
        while (reader->stretch < stream->stretches.count && stream->stretches.items[reader->stretch].warp != warp);
        if (reader->stretch < stream->stretches.count)
            reader->at = stream->stretches.items[reader->stretch].first;
    }
    return reader->stretch < stream->stretches.count ? &stream->steps.items[reader->at] : NULL;
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
            readers[count++] = (struct reader){.stream = stream, .stretch = i, .at = stretch.first, .block = block};
        }
    }
    return count;
}

/* Takes a warp's turn: one access. Returns false when it has ended. */
static bool take_turn(struct processor *processor, struct reader *reader, struct crew *crew)
{
    const step *s = next_step(reader);
    if (!s) {
        crew->going--;
        return false;
    }
    if (*s == BARRIER) {
        reader->waits = true;
        crew->waiting++;
        reader->at++;
        return true;
    }
    do {
        simulate_step(processor, *s);
        reader->at++;
        s = next_step(reader);
    } while (s && *s != BARRIER && step_goes_on(*s));
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
            if (readers[i].waits || take_turn(processor, &readers[i], &crews[readers[i].block]))
                readers[left++] = readers[i];
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
            processor->now = calloc(1, sizeof *processor->now);
        if (!processor->l1 && (processor->l1 = malloc(sizeof *processor->l1)))
            l1_reset(processor->l1, run->machine.shared);
        if (!processor->sites)
            processor->sites =
                calloc(SITE_MOST + 1 < run->site_count ? SITE_MOST + 1 : run->site_count + 1, sizeof *processor->sites);
        if (!processor->now || !processor->l1 || !processor->sites) {
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
