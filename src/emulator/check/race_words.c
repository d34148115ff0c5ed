#include "emulator/check/race_words.h"
#include "emulator/check/order.h"
#include <stdlib.h>

void pools_free(struct pools *pools)
{
    free(pools->others.items);
    free(pools->strong.items);
    free(pools->parts.items);
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

static const struct visit *later(const struct visit *a, const struct visit *b)
{
    return !a || (b && b->time > a->time) ? b : a;
}

static const struct visit *visit_if(const struct warp *w, const struct visit *earlier, const struct visit *now)
{
    return meet(w, earlier, now) ? earlier : NULL;
}

/* Returns a visit of a class that races with this access, or NULL. */
static const struct visit *find_visit(const struct pools *pools, const struct warp *w, const struct visit *last,
                                      uint32_t others, const struct visit *now)
{
    const struct visit *found = visit_if(w, last, now);
    if (found || !others)
        return found;
    const struct others *more = &pools->others.items[others - 1];
    found = visit_if(w, &more->lane, now);
    found = found ? found : visit_if(w, &more->warp, now);
    return found ? found : visit_if(w, &more->block, now);
}

static const struct visit *find_write(const struct pools *pools, const struct warp *w, const struct word *word,
                                      const struct touch *touch)
{
    const struct visit *now = &touch->now;
    if (touch->reads && !touch->writes)
        return visit_if(w, &word->write, now); /* the other writes left the same value */
    return touch->reads || differs(word, now, touch->value) ? find_visit(pools, w, &word->write, word->writes, now)
                                                            : NULL;
}

static void compare(const struct pools *pools, struct warp *w, const struct op *op, const struct word *word,
                    const struct touch *touch, uint64_t address)
{
    const struct visit *now = &touch->now;
    const struct strong *strong = word->strong ? &pools->strong.items[word->strong - 1] : NULL;
    const struct visit *first =
        later(find_write(pools, w, word, touch), strong ? visit_if(w, &strong->write, now) : NULL);
    enum finding_order order = touch->writes ? FINDING_WRITE_AFTER_WRITE : FINDING_READ_AFTER_WRITE;
    if (!first && touch->writes) {
        first =
            later(find_visit(pools, w, &word->read, word->reads, now), strong ? visit_if(w, &strong->read, now) : NULL);
        order = FINDING_WRITE_AFTER_READ;
    }
    if (first)
        checks_hazard(w, op, FINDING_RACING, PTX_SPACE_GLOBAL, address, first->site, first->block, first->thread,
                      now->thread, order);
}

/* A strong access acquires everything that the last strong access by another thread had published. */
static void exchange(struct warp *w, struct strong *last, const struct visit *now)
{
    bool const other = last->signal_block != now->block || last->signal_thread != now->thread;
    if (other && last->signal_time > w->acquired)
        w->acquired = last->signal_time;
    if (w->acquired > w->block->acquired_by_any)
        w->block->acquired_by_any = w->acquired;
    last->signal_time = now->time, last->signal_block = now->block, last->signal_thread = now->thread;
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
    words_keep(pools, &word->write, &word->writes, &touch->now, 0);
    word->value = touch->value;
}

static struct strong *strong_of(struct pools *pools, struct word *word)
{
    if (!word->strong) {
        array_push(&pools->strong, ((struct strong){.signal_time = 0}));
        word->strong = (uint32_t)pools->strong.count;
    }
    return &pools->strong.items[word->strong - 1];
}

static void visit_word(struct pools *pools, struct warp *w, const struct op *op, struct word *word,
                       const struct touch *touch, uint64_t address)
{
    const struct visit *now = &touch->now;
    compare(pools, w, op, word, touch, address);
    if (now->strong) {
        struct strong *strong = strong_of(pools, word);
        *(touch->writes ? &strong->write : &strong->read) = *now;
    } else if (touch->writes) {
        keep_write(pools, word, touch);
    } else {
        words_keep(pools, &word->read, &word->reads, now, 0);
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
static void split(struct pools *pools, struct word *word)
{
    struct part part;
    for (unsigned i = 0; i < WORD; i++) {
        part.bytes[i] = (struct word){.write = of_byte(word->write, i),
                                      .read = of_byte(word->read, i),
                                      .value = word->value >> 8 * i & 0xff,
                                      .reads = others_of_byte(pools, word->reads, i),
                                      .writes = others_of_byte(pools, word->writes, i)};
        if (word->strong) {
            struct strong const strong = pools->strong.items[word->strong - 1];
            *strong_of(pools, &part.bytes[i]) =
                (struct strong){.write = of_byte(strong.write, i), .read = of_byte(strong.read, i)};
        }
    }
    array_push(&pools->parts, part);
    word->split = (uint32_t)pools->parts.count;
    pools->split_bytes += WORD;
}

void words_visit(struct pools *pools, struct warp *w, const struct op *op, struct word *word, const struct touch *touch,
                 uint64_t address)
{
    if (!word->split && touch->now.bytes != 0xf && pools->split_bytes < pools->split_most)
        split(pools, word);
    struct part *parts = pools->parts.items, *split_in = parts && word->split ? &parts[word->split - 1] : NULL;
    for (unsigned i = 0; split_in && i < WORD; i++) {
        struct touch part = *touch;
        part.now.bytes = 1;
        part.value = touch->value >> 8 * i & 0xff;
        if (touch->now.bytes >> i & 1)
            visit_word(pools, w, op, &split_in->bytes[i], &part, address);
    }
    if (!split_in)
        visit_word(pools, w, op, word, touch, address);
    if (touch->now.strong)
        exchange(w, strong_of(pools, word), &touch->now);
}
