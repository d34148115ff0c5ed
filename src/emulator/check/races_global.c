/* Races in global memory. Two accesses by different threads, at least one of them a write, race unless something
 * orders them: a barrier of their block, a __syncwarp of their warp, a phase of a barrier object (order.c), or an
 * exchange through atomics or volatile accesses, by which one warp sees what another has done. That last rule is
 * generous: after such an exchange, a warp counts as ordered after everything that was done before it, so a missing
 * fence is not found. Two plain writes of the same value are no race, as in racecheck. One worker runs all blocks
 * then, so that the findings are the same everywhere.
 *
 * What a word remembers (race_words.h) takes 14 to 40 times as much memory as the word itself, and 70 times or more
 * for a split word, so only so many pages of memory are watched: those used first. The words of a line that have been
 * accessed together only, one lane beside the other, are kept together as if they were one word: most memory is used
 * so, and its words take no memory then. */
#include "emulator/check/check.h"
#include "emulator/check/proof.h"
#include "emulator/check/race_words.h"
#include "emulator/memory/memory.h"
#include <sys/mman.h>

enum { PAGE = 4096, WATCHED = 64 << 20, SPLIT_SHARE = 16 }; /* of what is watched, a sixteenth may be split */

/* 32 words, as long as all plain reads, and all plain writes, were of the same words, by lanes of a warp that stand
 * side by side. Threads are those of the first word, as if its lane were there. A write replaces another one only when
 * it is ordered behind it, so there are no others. */
enum { LINE_WORDS = 32, LINE_BYTES = LINE_WORDS * WORD };
struct words_line {
    struct visit read, write;
    uint32_t others;              /* of the reads: place in the pool, from 1 on; 0: none */
    uint32_t words_read, written; /* a bit for each word */
    uint8_t lane_log;             /* log2 of the words of a lane */
    bool apart;                   /* the words are kept each for itself */
};

/* The state of the checker. */
struct watch {
    struct pools pools;
    uint64_t watched_bytes, left_out_bytes; /* of global memory that was used */
    struct slab *newest;                    /* memory of the pages */
};

/* A piece of memory for pages. */
enum { SLAB_FIRST = 128 << 10, SLAB_LARGEST = 8 << 20 };
struct slab {
    struct slab *before;
    size_t used, size; /* bytes, with this head */
};

/* A page that is watched. */
enum { PAGE_WORDS = PAGE / WORD, PAGE_LINES = PAGE / LINE_BYTES };
struct watched_page {
    struct words_line lines[PAGE_LINES];
    struct word *words;          /* of lines that are apart; NULL: there is none */
    uint32_t values[PAGE_WORDS]; /* that the last plain write left, of the other lines */
};
static struct watched_page left_out; /* stands for all pages that are not watched */

static struct watch *watch_of(const struct emulation *emulation)
{
    return emulation->checks->state[CHECK_races_global];
}

static uint64_t watched_most(const struct emulation *emulation)
{
    return emulation->options->watched ? emulation->options->watched : WATCHED;
}

/* Gives a region its places for pages. Regions of the same memory share them, so that an access through the one meets
 * those through the others: as many as the longest needs. */
static void add_pages(const struct emulation *emulation, struct region *region)
{
    uint64_t most = region->size;
    for (uint32_t i = 0; region->memory && i < emulation->region_count; i++) {
        const struct region *other = &emulation->regions[i];
        if (other->memory != region->memory)
            continue;
        if (other->pages)
            region->pages = other->pages;
        most = other->size > most ? other->size : most;
    }
    if (!region->pages)
        region->pages = arena_array(emulation->arena, struct watched_page *, most / PAGE + 1);
}

static enum check_start start(struct emulation *emulation)
{
    struct watch *watch = emulation->checks->state[CHECK_races_global] = arena_new(emulation->arena, struct watch);
    watch->pools.split_most = watched_most(emulation) / SPLIT_SHARE;
    bool found = false;
    if (emulation->proving & PROVE_GLOBAL)
        return CHECK_IDLE;
    for (uint32_t i = 0; i < emulation->region_count; i++) {
        struct region *r = &emulation->regions[i];
        if ((r->read_only && !r->memory) || !r->shared_by_all) /* what one cannot write, another mapping may */
            continue;
        found = true;
        add_pages(emulation, r);
    }
    return found ? CHECK_ACTIVE : CHECK_IDLE;
}

static struct unchecked unchecked(const struct emulation *emulation)
{
    const struct watch *watch = watch_of(emulation);
    return (struct unchecked){.reason = watch->left_out_bytes ? UNCHECKED_MEMORY : UNCHECKED_NOTHING,
                              .watched_bytes = watch->watched_bytes,
                              .left_out_bytes = watch->left_out_bytes};
}

static void finish(struct emulation *emulation)
{
    struct watch *watch = watch_of(emulation);
    if (!watch)
        return;
    pools_free(&watch->pools);
    for (struct slab *slab = watch->newest, *before; slab; slab = before) {
        before = slab->before;
        munmap(slab, slab->size);
    }
}

/* Returns zeroed memory until the end, or NULL. Each piece from the system is twice as large as the one before it: the
 * pages of a large one come many at a time. */
static void *take(struct watch *watch, size_t bytes)
{
    struct slab *slab = watch->newest;
    if (!slab || slab->size - slab->used < bytes) {
        size_t const size = !slab ? SLAB_FIRST : slab->size < SLAB_LARGEST ? 2 * slab->size : SLAB_LARGEST;
        slab = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (slab == MAP_FAILED)
            return NULL;
        if (size == SLAB_LARGEST)
            madvise(slab, size, MADV_HUGEPAGE);
        *slab = (struct slab){.before = watch->newest, .used = sizeof *slab, .size = size};
        watch->newest = slab;
    }
    slab->used += bytes;
    return (char *)slab + slab->used - bytes;
}

/* Returns the page of an address, or NULL when it is not watched. */
static struct watched_page *page_at(const struct emulation *emulation, const struct region *r, uint64_t offset)
{
    struct watch *watch = watch_of(emulation);
    struct watched_page **page = &r->pages[offset / PAGE];
    if (!*page) {
        bool const room = watch->watched_bytes < watched_most(emulation);
        struct watched_page *made = room ? take(watch, sizeof *made) : NULL;
        *page = made ? made : &left_out;
        *(made ? &watch->watched_bytes : &watch->left_out_bytes) += PAGE;
    }
    return *page == &left_out ? NULL : *page;
}

/* ---- lines ---- */

static struct visit of_word(struct visit visit, unsigned word, unsigned lane_log)
{
    visit.thread = (visit.thread + (word >> lane_log)) & THREAD_MAX;
    return visit;
}

/* Gives each word of a line its own visits. `number`: in its page. Returns false without memory: the run ends then. */
static bool take_apart(const struct warp *w, struct watched_page *page, uint64_t number)
{
    struct watch *watch = watch_of(w->worker->emulation);
    struct pools *pools = &watch->pools;
    struct words_line *line = &page->lines[number];
    if (!page->words)
        page->words = take(watch, PAGE_WORDS * sizeof *page->words);
    if (!page->words) {
        w->worker->emulation->failed = true;
        return false;
    }
    struct word *words = &page->words[number * LINE_WORDS];
    unsigned const log = line->lane_log;
    for (uint32_t rest = line->words_read; rest; rest &= rest - 1) {
        unsigned const i = (unsigned)__builtin_ctz(rest);
        words[i].read = of_word(line->read, i, log);
        if (!line->others)
            continue;
        struct others const more = pools->others.items[line->others - 1];
        array_push(&pools->others, ((struct others){of_word(more.block, i, log), of_word(more.warp, i, log),
                                                    of_word(more.lane, i, log)}));
        words[i].reads = (uint32_t)pools->others.count;
    }
    for (uint32_t rest = line->written; rest; rest &= rest - 1) {
        unsigned const i = (unsigned)__builtin_ctz(rest);
        words[i].write = of_word(line->write, i, log);
        words[i].value = page->values[number * LINE_WORDS + i];
    }
    line->words_read = line->written = 0;
    line->apart = true;
    return true;
}

/* Returns whether the earlier visit to words of a line happens before the current one to the same words, as far as that
 * is simple. `behind`: lanes_before of these words. */
static bool line_ordered(const struct warp *w, const struct visit *earlier, const struct visit *now, unsigned behind)
{
    if (!earlier->time || earlier->time <= w->acquired || earlier->time <= w->block->acquired)
        return true;
    if (earlier->block != now->block)
        return false;
    return earlier->thread == now->thread || earlier->time <= w->block->barrier_time ||
           (((earlier->thread + behind) & THREAD_MAX) / WARP_LANES == w->number && earlier->time <= w->sync_time);
}

static bool reads_ordered(const struct warp *w, const struct words_line *line, const struct visit *now, unsigned behind)
{
    if (!line_ordered(w, &line->read, now, behind))
        return false;
    if (!line->others)
        return true;
    const struct others *more = &watch_of(w->worker->emulation)->pools.others.items[line->others - 1];
    return line_ordered(w, &more->block, now, behind) && line_ordered(w, &more->warp, now, behind) &&
           line_ordered(w, &more->lane, now, behind);
}

/* How far the first of some words is behind the first word of its line, in lanes. */
static unsigned lanes_before(uint32_t words, unsigned lane_log)
{
    return lowest(words) >> lane_log;
}

/* Whether a visit is a part of the same access of a warp. */
static bool is_same(const struct visit *a, const struct visit *b)
{
    return a->packed == b->packed && a->block == b->block && a->site == b->site;
}

/* Keeps a plain access to some words of a line as one, if that loses nothing. */
static bool keep_in_line(const struct warp *w, struct words_line *line, uint32_t words, unsigned lane_log,
                         const struct touch *touch)
{
    const struct visit *now = &touch->now;
    uint32_t const wrote = line->written & words, read = line->words_read & words;
    if (line->apart || ((line->words_read || line->written) && line->lane_log != lane_log))
        return false;
    bool const more = line->written && is_same(&line->write, now) && !wrote;
    if (wrote && !line_ordered(w, &line->write, now, lanes_before(wrote, lane_log)))
        return false;
    if (touch->writes) {
        if ((read && !reads_ordered(w, line, now, lanes_before(read, lane_log))) || (line->written & ~words && !more))
            return false;
        line->write = *now;
        line->written |= words;
    } else if (!line->words_read) {
        line->read = *now;
        line->words_read = words;
    } else if (line->words_read == words) {
        words_keep(&watch_of(w->worker->emulation)->pools, &line->read, &line->others, now,
                   lanes_before(words, lane_log));
    } else if (!line->others && is_same(&line->read, now) && !read) {
        line->words_read |= words;
    } else {
        return false;
    }
    line->lane_log = (uint8_t)lane_log;
    return true;
}

/* A plain access to some whole words of a line, by lanes that stand side by side. touch->now.thread: of the first word,
 * as if its lane were there. `values`: what is written, from the first of these words on. */
static void visit_line(struct warp *w, const struct op *op, const struct region *r, uint64_t number, uint32_t words,
                       unsigned lane_log, const struct touch *touch, const uint8_t *values)
{
    struct pools *pools = &watch_of(w->worker->emulation)->pools;
    struct watched_page *page = page_at(w->worker->emulation, r, number * LINE_BYTES);
    unsigned const first = lowest(words);
    if (!page)
        return;
    uint64_t const in_page = number % PAGE_LINES;
    struct words_line *line = &page->lines[in_page];
    bool const together = keep_in_line(w, line, words, lane_log, touch);
    if (!together && !line->apart && !take_apart(w, page, in_page))
        return;
    for (uint32_t rest = together && !touch->writes ? 0 : words; rest; rest &= rest - 1) {
        unsigned const i = (unsigned)__builtin_ctz(rest);
        struct touch one = *touch;
        one.now = of_word(touch->now, i, lane_log);
        if (touch->writes)
            memcpy(&one.value, values + (i - first) * WORD, WORD);
        if (together) {
            page->values[in_page * LINE_WORDS + i] = one.value;
            continue;
        }
        struct word *word = &page->words[in_page * LINE_WORDS + i];
        if (words_only_read(word, &one)) /* most words of an input */
            words_keep(pools, &word->read, &word->reads, &one.now, 0);
        else
            words_visit(pools, w, op, word, &one, r->base + (number * LINE_WORDS + i) * WORD);
    }
}

/* ---- accesses ---- */

/* An access of one lane. `values`: of it, or what lies there. */
struct lane_access {
    const struct op *op;
    unsigned lane, bytes;
    bool reads, writes, strong, bulk;
    const uint8_t *values;
};

static uint64_t packed(const struct warp *w, unsigned thread, const struct lane_access *access)
{
    return (w->worker->time & TIME_MAX) | (uint64_t)(thread & THREAD_MAX) << TIME_BITS |
           (uint64_t)access->strong << (BYTES_AT + 4) | (uint64_t)access->bulk << (BYTES_AT + 5);
}

static void visit(struct warp *w, const struct region *r, uint64_t offset, const struct lane_access *access)
{
    unsigned const bytes = access->bytes, thread = w->number * WARP_LANES + access->lane;
    uint64_t const who = packed(w, thread, access), all = (uint64_t)((1 << WORD) - 1) << BYTES_AT;
    struct touch touch = {.now = {.block = (uint32_t)w->block->number, .site = access->op->site},
                          .reads = access->reads,
                          .writes = access->writes};
    uint64_t const line = offset / LINE_BYTES, first = offset % LINE_BYTES / WORD;
    struct pools *pools = &watch_of(w->worker->emulation)->pools;
    if (!access->strong && !access->bulk && bytes >= WORD && !(bytes & (bytes - 1)) && offset % bytes == 0) {
        unsigned const log = (unsigned)__builtin_ctz(bytes / WORD);
        touch.now.packed = packed(w, thread - (unsigned)(first >> log), access) | all;
        visit_line(w, access->op, r, line, ((UINT32_C(1) << bytes / WORD) - 1) << first, log, &touch, access->values);
        return;
    }
    for (unsigned i = 0; i < bytes;) {
        unsigned in = (unsigned)((offset + i) % WORD), count = WORD - in < bytes - i ? WORD - in : bytes - i;
        uint32_t bits = 0;
        memcpy((uint8_t *)&bits + in, access->values + i, count);
        touch.now.packed = who | (uint64_t)(((1u << count) - 1) << in & 0xf) << BYTES_AT;
        touch.value = bits;
        uint64_t const in_page = (offset + i) % PAGE / WORD;
        struct watched_page *page = page_at(w->worker->emulation, r, offset + i);
        if (page && (page->lines[in_page / LINE_WORDS].apart || take_apart(w, page, in_page / LINE_WORDS)))
            words_visit(pools, w, access->op, &page->words[in_page], &touch, r->base + offset + i);
        i += count;
    }
}

static bool access_global(struct warp *w, const struct check_access *access)
{
    const struct region *r = access->region;
    uint64_t const offset = access->address - r->base;
    if (r->pages)
        visit(w, r, offset,
              &(struct lane_access){.op = access->op,
                                    .lane = access->lane,
                                    .bytes = access->bytes,
                                    .reads = access->reads,
                                    .writes = access->writes,
                                    .strong = access->strong,
                                    .bulk = access->copy == CHECK_BULK && !access->writes,
                                    .values = access->values ? access->values : r->host + offset});
    return true;
}

/* Returns whether lanes without a gap access their bytes one beside the other, whole words each of a buffer that begins
 * at `base`: one that a program registers may begin anywhere. */
static bool is_run(uint32_t mask, const uint64_t *addresses, unsigned bytes, uint64_t base)
{
    unsigned const low = lowest(mask);
    uint32_t const from_low = mask >> low;
    uint64_t apart = 0;
    if (bytes < WORD || (from_low & (from_low + 1)) || bytes & (bytes - 1) || (addresses[low] - base) % bytes)
        return false;
    EACH_LANE(l, mask) apart |= addresses[l] - addresses[low] - (uint64_t)(l - low) * bytes;
    return !apart;
}

/* The lines that such lanes access. `offset`: where the bytes of the first lane of the warp would lie. */
static void visit_run(struct warp *w, const struct region *r, uint32_t mask, uint64_t offset,
                      const struct lane_access *access)
{
    unsigned const bytes = access->bytes, log = (unsigned)__builtin_ctz(bytes / WORD);
    uint64_t const begin = offset + (uint64_t)lowest(mask) * bytes,
                   end = offset + (uint64_t)(WARP_LANES - (unsigned)__builtin_clz(mask)) * bytes;
    struct touch touch = {.now = {.block = (uint32_t)w->block->number, .site = access->op->site},
                          .reads = access->reads,
                          .writes = access->writes};
    for (uint64_t number = begin / LINE_BYTES; number * LINE_BYTES < end; number++) {
        uint64_t const line = number * LINE_BYTES, from = begin > line ? begin - line : 0,
                       to = end < line + LINE_BYTES ? end - line : LINE_BYTES;
        int64_t const lane = (int64_t)(line - offset) / (int64_t)bytes; /* of the first word; it need not exist */
        touch.now.packed = packed(w, (unsigned)((int64_t)w->number * WARP_LANES + lane), access) |
                           (uint64_t)((1 << WORD) - 1) << BYTES_AT;
        uint32_t const words = (uint32_t)((UINT64_C(1) << to / WORD) - (UINT64_C(1) << from / WORD));
        visit_line(w, access->op, r, number, words, log, &touch, access->values + (line + from - offset));
    }
}

/* Whether a read of a word adds nothing but itself: nobody has written there. */
static bool only_read(const struct region *r, uint64_t offset)
{
    const struct watched_page *page = r->pages[offset / PAGE];
    if (!page || page == &left_out)
        return true;
    const struct words_line *line = &page->lines[offset % PAGE / LINE_BYTES];
    const struct word *word = line->apart ? &page->words[offset % PAGE / WORD] : NULL;
    return word ? !word->write.time && !word->strong && !word->split : !line->written;
}

/* Whether two later lanes read the same as this one: then only their visits remain. */
static bool is_repeated(uint32_t rest, const uint64_t *addresses)
{
    uint32_t const later = rest & (rest - 1), last = later & (later - 1);
    return last && addresses[lowest(later)] == addresses[lowest(rest)] &&
           addresses[lowest(last)] == addresses[lowest(rest)];
}

bool races_check_lanes(struct warp *w, const struct op *op, const struct region *r, uint32_t mask,
                       const uint64_t *addresses, bool atomic)
{
    const struct access *form = op->extra;
    bool const store = form->store && !atomic;
    uint8_t values[WARP_LANES * ACCESS_BYTES];
    struct lane_access access = {
        .op = op, .bytes = form->total, .reads = !store, .writes = form->store, .strong = atomic, .values = values};
    if (form->used || (form->strong && !atomic) || (!r->read_only && !r->shared_by_all) ||
        !unwritten_global_lanes(r, form->total, mask, addresses, store))
        return false;
    w->worker->time++;
    if (!r->pages)
        return true;
    EACH_LANE(l, store && r->owners ? mask : 0) proof_keep(w, r, addresses[l], form->total);
    EACH_LANE(l, store ? mask : 0) checks_values(w, form, l, values + (size_t)l * form->total);
    if (!atomic && is_run(mask, addresses, form->total, r->base)) {
        unsigned const low = lowest(mask);
        visit_run(w, r, mask, addresses[low] - r->base - (uint64_t)low * form->total, &access);
        return true;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned const l = lowest(rest);
        uint64_t const offset = addresses[l] - r->base;
        if (!form->store && form->total == WORD && is_repeated(rest, addresses) && only_read(r, offset))
            continue;
        access.lane = l;
        access.values = store ? values + (size_t)l * form->total : r->host + offset;
        visit(w, r, offset, &access);
    }
    return true;
}

const struct checker check_races_global = {
    .start = start, .finish = finish, .global = access_global, .unchecked = unchecked, .one_worker = true};
