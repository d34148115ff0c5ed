/* The accesses of blocks become steps. */
#include "model/caches_run.h"
#include <stdio.h>

static struct stream *stream_take(struct caches_run *run, uint64_t block)
{
    pthread_mutex_lock(&run->free_lock);
    struct stream *stream = run->free;
    if (stream)
        run->free = stream->next;
    pthread_mutex_unlock(&run->free_lock);
    if (!stream)
        stream = calloc(1, sizeof *stream);
    if (!stream) {
        run->failed = true;
        return NULL;
    }
    stream->block = block;
    stream->next = NULL;
    stream->slab = NULL;
    stream->stretches.count = 0;
    stream->step_count = 0;
    stream->warp_count = 0;
    memset(stream->last, 0, sizeof stream->last);
    for (uint32_t i = 0; i < run->places; i++)
        stream->bases[i] = NO_BASE;
    stream->warp = UINT32_MAX;
    return stream;
}

/* Leaves the slabs that a stream uses. */
static void leave_slabs(struct caches_run *run, const struct stream *stream)
{
    struct slab *before = NULL;
    for (size_t i = 0; i < stream->stretches.count; i++) {
        struct slab *slab = caches_slab_of(stream->stretches.items[i].words);
        if (slab != before)
            caches_slab_leave(run, slab);
        before = slab;
    }
}

void caches_steps_return(struct caches_run *run, struct stream *stream)
{
    leave_slabs(run, stream);
    pthread_mutex_lock(&run->free_lock);
    stream->next = run->free;
    run->free = stream;
    pthread_mutex_unlock(&run->free_lock);
}

void caches_steps_free(struct stream *stream)
{
    while (stream) {
        struct stream *next = stream->next;
        free(stream->stretches.items);
        free(stream);
        stream = next;
    }
}

/* A worker's blocks in flight are few, and mostly the last is asked for. */
struct stream *caches_steps_of(struct caches_run *run, struct worker *worker, uint64_t block)
{
    if (worker->found < worker->open.count && worker->open.items[worker->found]->block == block)
        return worker->open.items[worker->found];
    for (worker->found = 0; worker->found < worker->open.count; worker->found++)
        if (worker->open.items[worker->found]->block == block)
            return worker->open.items[worker->found];
    struct stream *stream = stream_take(run, block);
    if (stream)
        array_push(&worker->open, stream);
    return stream;
}

void caches_steps_close(struct worker *worker)
{
    struct stream *stream = worker->now;
    if (!stream)
        return;
    struct stretch *stretch = &stream->stretches.items[stream->stretches.count - 1];
    stretch->count = (uint32_t)(worker->at - stretch->words);
    stream->step_count += stretch->count;
    stream->recent = worker->recent;
    worker->now = NULL;
    worker->key = UINT64_MAX;
}

/* Begins a stretch in the worker's slab. */
static void add_stretch(struct worker *worker, struct stream *stream, uint32_t warp)
{
    uint32_t const number = (uint32_t)stream->stretches.count, before = stream->last[warp];
    struct stretch const stretch = {.words = worker->at};
    array_push(&stream->stretches, stretch);
    if (before)
        stream->stretches.items[before - 1].next = number;
    else
        stream->first[stream->warp_count++] = number;
    stream->last[warp] = number + 1;
    if (stream->slab != worker->slab) {
        stream->slab = worker->slab;
        atomic_fetch_add(&stream->slab->users, 1);
    }
    worker->recent = stream->warp == warp ? stream->recent : (struct recent_loads){0};
    worker->forgotten++;
    stream->warp = warp;
    worker->now = stream;
    worker->bases = stream->bases;
    worker->key = worker_key(stream->block, warp);
}

/* Makes room for an access. */
static bool make_room(struct caches_run *run, struct worker *worker)
{
    if (worker->at < worker->limit)
        return true;
    if (worker->slab)
        caches_slab_leave(run, worker->slab);
    worker->at = worker->limit = NULL;
    worker->slab = caches_slab_take(run);
    if (!worker->slab)
        return false;
    worker->at = worker->slab->words;
    worker->limit = worker->at + SLAB_WORDS - ACCESS_WORDS;
    return true;
}

static __attribute__((noinline)) bool begin_stretch(struct caches_run *run, struct worker *worker, uint64_t block,
                                                    uint32_t warp)
{
    caches_steps_close(worker);
    struct stream *stream = caches_steps_of(run, worker, block);
    if (!worker->sectors)
        worker->sectors = calloc(run->site_count + 1, sizeof *worker->sectors);
    if (!worker->forms)
        worker->forms = calloc(run->site_count + 1, sizeof *worker->forms);
    if (!stream || !worker->sectors || !worker->forms || warp >= WARP_LANES || stream->step_count >= BLOCK_STEPS ||
        !make_room(run, worker)) {
        run->failed = true;
        return false;
    }
    add_stretch(worker, stream, warp);
    return true;
}

/* Makes room for the steps of an access of a warp, whose stretch it begins when another warp ran before. */
static inline bool begin_access(struct caches_run *run, struct worker *worker, uint64_t block, uint32_t warp)
{
    return (worker->key == worker_key(block, warp) && worker->at < worker->limit) ||
           begin_stretch(run, worker, block, warp);
}

/* Returns whether a load hits for sure. Then oldest is no more than the number of the load that it hits. */
static inline bool hits_for_sure(const struct recent_loads *recent, uint64_t line, uint8_t sectors, uint64_t *oldest)
{
    uint64_t const each = UINT64_MAX / ((1 << TAG_BITS) - 1), load = line << 4 | sectors;
    uint64_t const apart = recent->tags ^ (line & ((1 << TAG_BITS) - 1)) * each; /* 0 where the tag is */
    uint64_t equal = (apart - each) & ~apart & each << (TAG_BITS - 1);           /* and where it may not be */
    for (; equal; equal &= equal - 1) {
        uint64_t const number = recent->count - 1 - (unsigned)__builtin_ctzll(equal) / TAG_BITS;
        if (((recent->loads[number % RECENT] ^ load) & (~UINT64_C(15) | sectors)) == 0) {
            *oldest = number < *oldest ? number : *oldest;
            return true;
        }
    }
    return false;
}

/* Adds a step whose distance from the base of its place is too large, or unknown as there is no base yet. */
static __attribute__((noinline)) void add_far(struct worker *worker, step rest, word w, uint64_t line, uint8_t sectors)
{
    step const whole = line << LINE_SHIFT | (uint64_t)sectors << KIND_BITS | rest;
    unsigned const place = w % (1 << PLACE_BITS);
    if (place < PLACES && worker->bases[place] == NO_BASE) {
        worker->bases[place] = line - DISTANCES / 2;
        *worker->at++ = w | (word)sectors << PLACE_BITS | (word)(DISTANCES / 2) << DISTANCE_SHIFT;
        return;
    }
    *worker->at++ = (w & GOES_ON) | PLACE_WHOLE;
    memcpy(worker->at, &whole, sizeof whole);
    worker->at += sizeof whole / sizeof *worker->at;
    worker->now->step_count -= sizeof whole / sizeof *worker->at; /* they are no steps */
}

/* Adds a step. Returns w for the next of the same access. w: its place, whether it goes on; rest: its kind and site. */
static inline word add_step(struct worker *worker, step rest, word w, uint64_t line, uint8_t sectors)
{
    struct recent_loads *recent = &worker->recent;
    if (step_kind(rest) == STEP_LOAD) {
        if (hits_for_sure(recent, line, sectors, &worker->oldest))
            return w;
        recent->loads[recent->count++ % RECENT] = line << 4 | sectors;
        recent->tags = recent->tags << TAG_BITS | (line & ((1 << TAG_BITS) - 1));
    } else if (step_kind(rest) == STEP_ATOMIC) { /* it takes lines out */
        *recent = (struct recent_loads){0};
        worker->forgotten++;
    }
    unsigned const place = w % (1 << PLACE_BITS);
    uint64_t const distance = place < PLACES ? line - worker->bases[place] : NO_BASE;
    if (distance < DISTANCES)
        *worker->at++ = w | (word)sectors << PLACE_BITS | (word)distance << DISTANCE_SHIFT;
    else
        add_far(worker, rest, w, line, sectors);
    return w | GOES_ON;
}

/* Returns the bits of the sectors from one to another, which are of one line. */
static inline uint8_t bits_of(uint64_t first, uint64_t last)
{
    return (uint8_t)((2u << last % CHUNK_SECTORS) - (1u << first % CHUNK_SECTORS));
}

static void add_global(struct worker *worker, const struct site_step *is, const struct trace_event *event,
                       const uint64_t *addresses, uint32_t bytes)
{
    struct line_part parts[CHUNKS_MAX];
    uint32_t const count = model_lines(addresses, event->mask, bytes, parts);
    word w = is->place;
    uint64_t sectors = 0;
    for (uint32_t i = 0; i < count; i++) {
        sectors += count_of(parts[i].sectors);
        w = add_step(worker, is->rest, w, parts[i].line, parts[i].sectors);
    }
    worker->sectors[event->site] += sectors;
}

static void add_local(struct worker *worker, const struct site_step *is, const struct trace_event *event,
                      const uint64_t *addresses, const struct trace_site *site)
{
    bool const loads = site->operation == TRACE_LOAD;
    step const rest = (is->rest & ~(step)7) | (loads ? STEP_LOCAL_LOAD : STEP_LOCAL_STORE);
    uint32_t const words = local_words(site->bytes);
    word w = PLACE_WHOLE;
    for (uint32_t left = event->mask; left;) {
        uint64_t const place = addresses[__builtin_ctz(left)] / LOCAL_WORD;
        uint8_t sectors;
        left &= ~local_lanes(addresses, left, place, &sectors);
        for (uint64_t at = place; at < place + words; at++)
            w = add_step(worker, rest, w, local_line(event->block, event->warp, at), sectors);
        *(loads ? &worker->local_loads : &worker->local_stores) += words * count_of(sectors);
    }
}

enum step_kind caches_steps_kind_of(const struct trace_site *site)
{
    if (site->unit == TRACE_IN_BULK || strncmp(site->text, "cp.", 3) == 0)
        return STEP_COPY;
    if (site->operation == TRACE_ATOMIC || site->operation == TRACE_REDUCTION)
        return STEP_ATOMIC;
    if (site->operation != TRACE_LOAD)
        return STEP_STORE;
    static const char *const past[] = {".cg",      ".cv",      ".lu",   ".volatile",
                                       ".relaxed", ".acquire", ".mmio", "L1::no_allocate"};
    static const char *const first[] = {".cs", "L1::evict_first"};
    size_t const length = strcspn(site->text, " ");
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)length, site->text);
    for (unsigned i = 0; i < sizeof past / sizeof *past; i++)
        if (strstr(name, past[i]))
            return STEP_LOAD_PAST;
    for (unsigned i = 0; i < sizeof first / sizeof *first; i++)
        if (strstr(name, first[i]))
            return STEP_LOAD_FIRST;
    return STEP_LOAD;
}

static inline void add_barrier(struct caches_run *run, unsigned number, uint64_t block, uint32_t warp)
{
    struct worker *worker = &run->workers[number % WORKERS_MAX];
    if (begin_access(run, worker, block, warp))
        *worker->at++ = PLACE_BARRIER;
}

void caches_steps_hear(void *context, unsigned number, const struct trace_event *event, const uint64_t *addresses)
{
    struct caches_run *run = context;
    struct worker *worker = &run->workers[number % WORKERS_MAX];
    if (run->next.event)
        run->next.event(run->next.context, number, event, addresses);
    if (event->kind == TRACE_BARRIER_ARRIVE)
        add_barrier(run, number, event->block, event->warp);
    if (event->kind != TRACE_ACCESS || event->site >= run->site_count)
        return;
    const struct trace_site *site = &run->sites[event->site];
    const struct site_step *is = &run->site_steps[event->site];
    enum ptx_space const space = trace_space(site, event);
    if ((space != PTX_SPACE_GLOBAL && space != PTX_SPACE_LOCAL) ||
        !begin_access(run, worker, event->block, event->warp))
        return;
    if (space == PTX_SPACE_GLOBAL)
        add_global(worker, is, event, addresses, site->bytes);
    else if (local_words(site->bytes) * WARP_LANES * STEP_WORDS <= ACCESS_WORDS)
        add_local(worker, is, event, addresses, site);
    else
        run->failed = true;
}

void caches_steps_hear_arrival(void *context, unsigned worker, uint64_t block, uint32_t warp)
{
    struct caches_run *run = context;
    if (run->next.arrived)
        run->next.arrived(run->next.context, worker, block, warp);
    add_barrier(run, worker, block, warp);
}

static inline uint64_t bytes_of(const struct trace_halves *halves)
{
    return halves->bytes[0] | (uint64_t)halves->bytes[1] << 32;
}

static inline bool has_form(const struct form *form, const struct trace_halves *halves)
{
    return halves->first[0] % CHUNK_BYTES == form->place && halves->first[1] - halves->first[0] == form->way &&
           bytes_of(halves) == form->bytes && form->count;
}

/* Adds the sectors from one to another, and notes the steps in a form. */
static word add_sectors(struct worker *worker, const struct site_step *is, word w, uint64_t first, uint64_t last,
                        struct form *form)
{
    for (uint64_t at = first, end; at <= last; at = end + 1) {
        end = at | (CHUNK_SECTORS - 1);
        end = end < last ? end : last;
        uint8_t const sectors = bits_of(at, end);
        if (form->count < FORM_STEPS) {
            form->distance[form->count] = at / CHUNK_SECTORS;
            form->steps[form->count] = sectors;
        }
        form->count++;
        w = add_step(worker, is->rest, w, at / CHUNK_SECTORS, sectors);
    }
    form->sectors += (uint8_t)(last - first + 1);
    return w;
}

/* Adds an access of another form than the one before, and notes its form. */
static __attribute__((noinline)) void add_unknown(struct worker *worker, const struct site_step *is,
                                                  const struct trace_halves *halves)
{
    uint64_t a = halves->first[0] / SECTOR_BYTES, a_end = (halves->first[0] + halves->bytes[0] - 1) / SECTOR_BYTES,
             b = halves->first[1] / SECTOR_BYTES, b_end = (halves->first[1] + halves->bytes[1] - 1) / SECTOR_BYTES;
    bool const two = b > a_end + 1 || a > b_end + 1; /* stretches of memory */
    struct form form = {
        .place = halves->first[0] % CHUNK_BYTES, .way = halves->first[1] - halves->first[0], .bytes = bytes_of(halves)};
    if (!two) {
        a = a < b ? a : b;
        a_end = a_end > b_end ? a_end : b_end;
    }
    word w = add_sectors(worker, is, is->place, a, a_end, &form);
    if (two)
        add_sectors(worker, is, w, b, b_end, &form);
    worker->sectors[halves->site] += form.sectors;
    for (unsigned i = 0; i < FORM_STEPS; i++)
        form.distance[i] -= halves->first[0] / CHUNK_BYTES;
    form.count = form.count <= FORM_STEPS ? form.count : 0;
    worker->forms[halves->site] = form;
}

static inline void add_form(struct worker *worker, const struct site_step *is, const struct form *form,
                            const struct trace_halves *halves)
{
    uint64_t const line = halves->first[0] / CHUNK_BYTES;
    worker->sectors[halves->site] += form->sectors;
    word const w = add_step(worker, is->rest, is->place, line + form->distance[0], form->steps[0]);
    if (form->count == FORM_STEPS)
        add_step(worker, is->rest, w, line + form->distance[1], form->steps[1]);
}

/* Whether each half accesses one sector. */
static inline bool are_single(const struct trace_halves *halves)
{
    uint64_t const a = halves->first[0], b = halves->first[1];
    return ((a ^ (a + halves->bytes[0] - 1)) | (b ^ (b + halves->bytes[1] - 1))) < SECTOR_BYTES;
}

static inline uint8_t bit_of(uint64_t sector)
{
    return (uint8_t)(1u << sector % CHUNK_SECTORS);
}

static inline bool loads_again(const struct worker *worker, uint64_t a, uint64_t b)
{
    const struct single_load *last = &worker->single;
    return a == last->sectors[0] && b == last->sectors[1] && worker->recent.count < last->until &&
           worker->forgotten == last->forgotten;
}

static inline void add_single(struct worker *worker, const struct site_step *is, const struct trace_halves *halves)
{
    uint64_t const first = halves->first[0] / SECTOR_BYTES, second = halves->first[1] / SECTOR_BYTES;
    bool const loads = step_kind(is->rest) == STEP_LOAD;
    if (loads && loads_again(worker, first, second)) {
        worker->sectors[halves->site] += worker->single.count;
        return;
    }
    uint64_t a = first, b = second;
    bool const neighbours = b - a + 1 <= 2; /* or the same */
    if (neighbours && b < a)
        a = b++;
    bool const one = neighbours && a / CHUNK_SECTORS == b / CHUNK_SECTORS;
    uint32_t const count = 1u + (a != b);
    worker->sectors[halves->site] += count;
    worker->oldest = worker->recent.count;
    word const w = add_step(worker, is->rest, is->place, a / CHUNK_SECTORS, bit_of(a) | (one ? bit_of(b) : 0));
    if (!one)
        add_step(worker, is->rest, w, b / CHUNK_SECTORS, bit_of(b));
    if (loads)
        worker->single = (struct single_load){{first, second}, worker->oldest + RECENT + 1, worker->forgotten, count};
}

/* A function of its own, for the compiler to know the worker's place once and for all. */
static __attribute__((noinline)) void add_halves(struct caches_run *run, struct worker *worker, uint64_t block,
                                                 uint32_t warp, const struct trace_halves *halves, uint32_t count)
{
    for (const struct trace_halves *end = halves + count; halves < end; halves++) {
        const struct site_step *is = &run->site_steps[halves->site];
        if (halves->site >= run->site_count || !is->global)
            continue;
        if (!begin_access(run, worker, block, warp))
            return;
        const struct form *form = &worker->forms[halves->site];
        if (are_single(halves))
            add_single(worker, is, halves);
        else if (has_form(form, halves))
            add_form(worker, is, form, halves);
        else
            add_unknown(worker, is, halves);
    }
}

void caches_steps_hear_halves(void *context, unsigned number, uint64_t block, uint32_t warp,
                              const struct trace_halves *halves, uint32_t count)
{
    struct caches_run *run = context;
    if (run->next.halves)
        run->next.halves(run->next.context, number, block, warp, halves, count);
    add_halves(run, &run->workers[number % WORKERS_MAX], block, warp, halves, count);
}
