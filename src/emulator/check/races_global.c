/* Races in global memory. Two accesses by different threads, at least one of them a write, race unless something
 * orders them: a barrier of their block, a __syncwarp of their warp, a phase of a barrier object (order.c), or an
 * exchange through atomics or volatile accesses, by which one warp sees what another has done. That last rule is
 * generous: after such an exchange, a warp counts as ordered after everything that was done before it, so a missing
 * fence is not found. Two plain writes of the same value are no race, as in racecheck. One worker runs all blocks
 * then, so that the findings are the same everywhere.
 *
 * A word keeps its plain writes, strong writes, plain reads and strong reads apart, so an access never hides one of
 * another class. For plain reads, and for plain writes of one value, four visits suffice to find any unordered one:
 * the last visit, and the last ones by another block, another warp and another lane. When parts of a word are
 * accessed, it is split into four, one for each byte, while the memory for that lasts. All this takes 20 to 40 times
 * as much memory as the word itself, and 100 times as much for a split word, so only so many pages of memory are
 * watched: those used first. The words of a line that have been accessed together only, one lane beside the other, are
 * kept together as if they were one word: most memory is used so, and its words take no memory then. */
#include "emulator/check/check.h"
#include "emulator/check/order.h"
#include "emulator/check/proof.h"
#include "emulator/memory/memory.h"
#include <stdlib.h>

enum { WORD = 4, PAGE = 4096, WATCHED = 64 << 20, SPLIT_SHARE = 16 }; /* of what is watched, a sixteenth may be split */
enum { TIME_BITS = 48, THREAD_BITS = 10, THREAD_MAX = (1 << THREAD_BITS) - 1 };
#define TIME_MAX ((UINT64_C(1) << TIME_BITS) - 1)

/* There are many visits, so each takes 16 bytes: the time cannot overflow on any computer, and 10 bits hold the
 * threads of a block. */
struct visit { /* time 0: never; block and thread as numbers */
    union {
        struct {
            uint64_t time : TIME_BITS, thread : THREAD_BITS;
            uint64_t bytes : 4;  /* of the word, a bit each */
            uint64_t strong : 1; /* atomic, volatile, relaxed, acquire, release */
            uint64_t bulk : 1;   /* read by a copy in the background that the thread began */
        };
        uint64_t packed; /* all of them: written at once, a processor can pass them on at once */
    };
    uint32_t block, site;
};
enum { BYTES_AT = TIME_BITS + THREAD_BITS };

/* The visits of one class besides the last one: by another block than the last; by another warp of its block; by
 * another lane of its warp. Each is later than the one before it in this list, and an older visit is ordered
 * whenever these are. */
struct others {
    struct visit block, warp, lane;
};

struct word {
    struct visit write, strong_write, read;
    uint64_t signal_time : TIME_BITS, signal_thread : THREAD_BITS; /* the last strong access */
    uint32_t signal_block;
    uint32_t value;                        /* that the last plain write left */
    uint32_t reads, writes, strong, split; /* places in the pools, from 1 on; 0: none */
};

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

/* Data that only few words need. A word refers to it by number. */
struct pools {
    struct {
        struct others *items;
        size_t count, capacity;
    } others; /* of plain reads, and of plain writes of the value that is there */
    struct {
        struct visit *items;
        size_t count, capacity;
    } strong; /* strong reads */
    struct {
        struct part {
            struct word bytes[WORD];
        } * items;
        size_t count, capacity;
    } parts; /* words split into bytes */
};

/* The state of the checker. */
struct watch {
    struct pools pools;
    uint64_t watched_bytes, left_out_bytes; /* of global memory that was used */
    uint64_t split_bytes;                   /* of words split into bytes */
    struct watched_page *made;              /* all pages */
};

/* A page that is watched. */
enum { PAGE_WORDS = PAGE / WORD, PAGE_LINES = PAGE / LINE_BYTES };
struct watched_page {
    struct watched_page *made_before;
    struct words_line lines[PAGE_LINES];
    struct word *words;          /* of lines that are apart; NULL: there is none */
    uint32_t values[PAGE_WORDS]; /* that the last plain write left, of the other lines */
};
static struct watched_page left_out; /* stands for all pages that are not watched */

static struct watch *watch_of(const struct emulation *emulation)
{
    return emulation->checks->state[CHECK_races_global];
}

static enum check_start start(struct emulation *emulation)
{
    emulation->checks->state[CHECK_races_global] = arena_new(emulation->arena, struct watch);
    bool found = false;
    if (emulation->proving & PROVE_GLOBAL)
        return CHECK_IDLE;
    for (uint32_t i = 0; i < emulation->region_count; i++) {
        struct region *r = &emulation->regions[i];
        if (r->read_only || !r->shared_by_all)
            continue;
        found = true;
        r->pages = arena_array(emulation->arena, struct watched_page *, r->size / PAGE + 1);
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
    if (watch) {
        free(watch->pools.others.items);
        free(watch->pools.strong.items);
        free(watch->pools.parts.items);
    }
    while (watch && watch->made) {
        struct watched_page *before = watch->made->made_before;
        free(watch->made->words);
        free(watch->made);
        watch->made = before;
    }
}

/* Returns whether the earlier visit happens before the current access of thread `self`. */
static bool ordered(const struct warp *w, const struct visit *earlier, uint16_t self)
{
    if (earlier->time <= w->acquired || earlier->time <= w->block->acquired)
        return true;
    if (earlier->block != (uint32_t)w->block->number)
        return false;
    if (earlier->thread == self || earlier->time <= w->block->barrier_time)
        return true;
    if (earlier->thread / WARP_LANES == w->number && earlier->time <= w->sync_time)
        return true;
    const struct order *order = w->block->order;
    return order && (earlier->time <= order_of_thread(order, self, earlier->thread) ||
                     (earlier->bulk && earlier->time <= order_of_any_bulk(order, self)));
}

static bool meet(const struct warp *w, const struct visit *earlier, const struct visit *now)
{
    return earlier->time && earlier->bytes & now->bytes && !(earlier->strong && now->strong) &&
           !ordered(w, earlier, now->thread);
}

/* Returns whether this write leaves other bytes than the last one, where both wrote. */
static bool differs(const struct word *word, const struct visit *now, uint32_t value)
{
    uint32_t both = 0;
    for (unsigned i = 0; i < WORD; i++)
        if ((word->write.bytes & now->bytes) >> i & 1)
            both |= 0xffu << 8 * i;
    return (word->value ^ value) & both;
}

/* An access, as one word sees it. */
struct touch {
    struct visit now;
    bool reads, writes;
    uint32_t value; /* of a write */
};

static const struct visit *later(const struct visit *a, const struct visit *b)
{
    return !a || (b && b->time > a->time) ? b : a;
}

static const struct visit *visit_if(const struct warp *w, const struct visit *earlier, const struct visit *now)
{
    return meet(w, earlier, now) ? earlier : NULL;
}

/* Returns a visit of a class that races with this access, or NULL. */
static const struct visit *find_visit(const struct warp *w, const struct visit *last, uint32_t others,
                                      const struct visit *now)
{
    const struct visit *found = visit_if(w, last, now);
    if (found || !others)
        return found;
    const struct others *more = &watch_of(w->worker->emulation)->pools.others.items[others - 1];
    found = visit_if(w, &more->lane, now);
    found = found ? found : visit_if(w, &more->warp, now);
    return found ? found : visit_if(w, &more->block, now);
}

static const struct visit *find_write(const struct warp *w, const struct word *word, const struct touch *touch)
{
    const struct visit *now = &touch->now;
    if (touch->reads && !touch->writes)
        return visit_if(w, &word->write, now); /* the other writes left the same value */
    return touch->reads || differs(word, now, touch->value) ? find_visit(w, &word->write, word->writes, now) : NULL;
}

static void compare(struct warp *w, const struct op *op, const struct word *word, const struct touch *touch,
                    uint64_t address)
{
    const struct visit *now = &touch->now;
    const struct visit *first = later(find_write(w, word, touch), visit_if(w, &word->strong_write, now));
    enum finding_order order = touch->writes ? FINDING_WRITE_AFTER_WRITE : FINDING_READ_AFTER_WRITE;
    if (!first && touch->writes) {
        const struct visit *strong =
            word->strong ? &watch_of(w->worker->emulation)->pools.strong.items[word->strong - 1] : NULL;
        first = later(find_visit(w, &word->read, word->reads, now), strong ? visit_if(w, strong, now) : NULL);
        order = FINDING_WRITE_AFTER_READ;
    }
    if (first)
        checks_hazard(w, op, FINDING_RACING, PTX_SPACE_GLOBAL, address, first->site, first->block, first->thread,
                      now->thread, order);
}

/* A strong access acquires everything that the last strong access by another thread had published. */
static void exchange(struct warp *w, struct word *word, const struct visit *now)
{
    bool other = word->signal_block != now->block || word->signal_thread != now->thread;
    if (other && word->signal_time > w->acquired)
        w->acquired = word->signal_time;
    if (w->acquired > w->block->acquired_by_any)
        w->block->acquired_by_any = w->acquired;
    word->signal_time = now->time, word->signal_block = now->block, word->signal_thread = now->thread;
}

/* Adds a visit to its class. The visit that was last so far becomes one of the others if another thread made it.
 * Threads are `behind` those that are meant. */
static void keep(struct pools *pools, struct visit *last, uint32_t *others, const struct visit *now, unsigned behind)
{
    struct visit const before = *last;
    *last = *now;
    if (!before.time || (before.block == now->block && before.thread == now->thread))
        return;
    if (!*others) {
        array_push(&pools->others, ((struct others){.block = {.packed = 0}}));
        *others = (uint32_t)pools->others.count;
    }
    struct others *more = &pools->others.items[*others - 1];
    if (before.block != now->block)
        *more = (struct others){.block = before};
    else if (((before.thread + behind) & THREAD_MAX) / WARP_LANES != ((now->thread + behind) & THREAD_MAX) / WARP_LANES)
        more->warp = before, more->lane.time = 0;
    else
        more->lane = before;
}

/* A plain write of another value replaces the earlier ones: each of them is ordered, or its race has just been
 * found. */
static void keep_write(struct pools *pools, struct word *word, const struct touch *touch)
{
    bool const same =
        word->write.time && word->write.bytes == touch->now.bytes && !differs(word, &touch->now, touch->value);
    if (!same && word->writes)
        pools->others.items[word->writes - 1] = (struct others){.block = {.packed = 0}};
    if (!same)
        word->write.time = 0;
    keep(pools, &word->write, &word->writes, &touch->now, 0);
    word->value = touch->value;
}

static void visit_word(struct warp *w, const struct op *op, struct word *word, const struct touch *touch,
                       uint64_t address)
{
    struct pools *pools = &watch_of(w->worker->emulation)->pools;
    const struct visit *now = &touch->now;
    compare(w, op, word, touch, address);
    if (touch->writes && now->strong) {
        word->strong_write = *now;
    } else if (touch->writes) {
        keep_write(pools, word, touch);
    } else if (now->strong) {
        if (!word->strong) {
            array_push(&pools->strong, *now);
            word->strong = (uint32_t)pools->strong.count;
        }
        pools->strong.items[word->strong - 1] = *now;
    } else {
        keep(pools, &word->read, &word->reads, now, 0);
    }
}

/* ---- parts of a word ---- */

static struct visit of_byte(struct visit visit, unsigned byte)
{
    if (visit.bytes >> byte & 1)
        visit.bytes = 1;
    else
        visit.time = 0;
    return visit;
}

static uint32_t others_of_byte(struct pools *pools, uint32_t others, unsigned byte)
{
    if (!others)
        return 0;
    struct others const more = pools->others.items[others - 1];
    array_push(&pools->others,
               ((struct others){of_byte(more.block, byte), of_byte(more.warp, byte), of_byte(more.lane, byte)}));
    return (uint32_t)pools->others.count;
}

/* Splits a word into four, one for each byte. Each byte inherits the word's visits. */
static void split(const struct emulation *emulation, struct word *word)
{
    struct watch *watch = watch_of(emulation);
    struct pools *pools = &watch->pools;
    struct part part;
    for (unsigned i = 0; i < WORD; i++) {
        part.bytes[i] = (struct word){.write = of_byte(word->write, i),
                                      .strong_write = of_byte(word->strong_write, i),
                                      .read = of_byte(word->read, i),
                                      .value = word->value >> 8 * i & 0xff,
                                      .reads = others_of_byte(pools, word->reads, i),
                                      .writes = others_of_byte(pools, word->writes, i)};
        if (word->strong) {
            array_push(&pools->strong, of_byte(pools->strong.items[word->strong - 1], i));
            part.bytes[i].strong = (uint32_t)pools->strong.count;
        }
    }
    array_push(&pools->parts, part);
    word->split = (uint32_t)pools->parts.count;
    watch->split_bytes += WORD;
}

static uint64_t watched_most(const struct emulation *emulation)
{
    return emulation->options->watched ? emulation->options->watched : WATCHED;
}

static void visit_parts(struct warp *w, const struct op *op, struct word *word, const struct touch *touch,
                        uint64_t address)
{
    const struct emulation *emulation = w->worker->emulation;
    struct watch *watch = watch_of(emulation);
    bool const room = watch->split_bytes < watched_most(emulation) / SPLIT_SHARE;
    if (!word->split && touch->now.bytes != 0xf && room)
        split(emulation, word);
    struct part *parts = watch->pools.parts.items, *split_in = parts && word->split ? &parts[word->split - 1] : NULL;
    for (unsigned i = 0; split_in && i < WORD; i++) {
        struct touch part = *touch;
        part.now.bytes = 1;
        part.value = touch->value >> 8 * i & 0xff;
        if (touch->now.bytes >> i & 1)
            visit_word(w, op, &split_in->bytes[i], &part, address);
    }
    if (!split_in)
        visit_word(w, op, word, touch, address);
    if (touch->now.strong)
        exchange(w, word, &touch->now);
}

/* Returns whether this access and all before it are plain reads, of the whole word now: they race with none. */
static bool is_only_read(const struct word *word, const struct touch *touch)
{
    return !touch->writes && !touch->now.strong && touch->now.bytes == 0xf && !word->write.time &&
           !word->strong_write.time && !word->split;
}

/* Returns the page of an address, or NULL when it is not watched. */
static struct watched_page *page_at(const struct emulation *emulation, const struct region *r, uint64_t offset)
{
    struct watch *watch = watch_of(emulation);
    struct watched_page **page = &r->pages[offset / PAGE];
    if (!*page) {
        bool const room = watch->watched_bytes < watched_most(emulation);
        struct watched_page *made = room ? calloc(1, sizeof *made) : NULL;
        *page = made ? made : &left_out;
        *(made ? &watch->watched_bytes : &watch->left_out_bytes) += PAGE;
        if (made)
            made->made_before = watch->made, watch->made = made;
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
    struct pools *pools = &watch_of(w->worker->emulation)->pools;
    struct words_line *line = &page->lines[number];
    if (!page->words)
        page->words = calloc(PAGE_WORDS, sizeof *page->words);
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
        keep(&watch_of(w->worker->emulation)->pools, &line->read, &line->others, now, lanes_before(words, lane_log));
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
        if (is_only_read(word, &one)) /* most words of an input */
            keep(pools, &word->read, &word->reads, &one.now, 0);
        else
            visit_parts(w, op, word, &one, r->base + (number * LINE_WORDS + i) * WORD);
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
            visit_parts(w, access->op, &page->words[in_page], &touch, r->base + offset + i);
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
    return word ? !word->write.time && !word->strong_write.time && !word->split : !line->written;
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
