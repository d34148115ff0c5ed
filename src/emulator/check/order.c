/* The happens-before relation between the threads of a block, as vector clocks. The view of a thread has an entry
 * for each thread: the time up to which all accesses of that thread happen before the next access of the view's
 * owner. A phase of a barrier gathers the views of all arriving threads, and a thread that sees the phase complete
 * adds the gathered view to its own. A thread that only arrives learns nothing. Threads share a view until one of
 * them changes it, so a phase copies one view instead of one for each thread. Copies in the background belong to no
 * thread once they have begun: they have entries of their own behind those of the threads, and only a phase that
 * they complete passes these on. A barrier of the whole block, and a __syncwarp, is no entry in a view but a time in
 * the block or the warp. */
#include "emulator/check/order.h"
#include <stdlib.h>

enum { OBJECTS_MAX = 256 };

struct view {
    union {
        uint32_t users;
        struct view *next; /* of the unused ones */
    };
    uint64_t known[];
};

struct meeting {
    struct view *gathered, *complete;
    struct view *joined; /* the view gathered last; most arriving threads have the same one */
};

struct order {
    uint32_t threads, warps, objects_most, length; /* length: entries of a view */
    bool copies;                                   /* the block made copies, so barriers must join their entries, too */
    struct view *spare;
    struct arena arena; /* of views */
    struct meeting barriers[BARRIERS], objects[OBJECTS_MAX];
    uint32_t object_count;
    uint16_t *numbers;    /* of the object at each 8 bytes of shared memory, from 1 on; 0: none */
    struct view *views[]; /* of each thread; NULL: all entries are 0 */
};

struct order *order_new(const struct emulation *emulation)
{
    uint32_t threads = emulation->warps * WARP_LANES;
    struct order *order = calloc(1, sizeof *order + threads * sizeof *order->views);
    if (!order)
        return NULL;
    uint32_t places = emulation->shared_bytes / sizeof(uint64_t) + 1;
    order->numbers = calloc(places, sizeof *order->numbers);
    order->threads = threads;
    order->warps = emulation->warps;
    order->objects_most = places < OBJECTS_MAX ? places : OBJECTS_MAX;
    order->length = threads + emulation->warps + 1 + order->objects_most;
    if (order->numbers)
        return order;
    free(order);
    return NULL;
}

void order_free(struct order *order)
{
    if (!order)
        return;
    arena_free(&order->arena);
    free(order->numbers);
    free(order);
}

/* ---- views ---- */

static struct view *view_new(struct order *order, const struct view *like)
{
    size_t size = sizeof(struct view) + order->length * sizeof(uint64_t);
    struct view *view = order->spare;
    if (view)
        order->spare = view->next;
    else
        view = arena_alloc(&order->arena, size);
    if (like)
        memcpy(view, like, size);
    else
        memset(view, 0, size);
    view->users = 1;
    return view;
}

static void drop(struct order *order, struct view **at)
{
    struct view *view = *at;
    *at = NULL;
    if (!view || --view->users)
        return;
    view->next = order->spare;
    order->spare = view;
}

static void share(struct order *order, struct view **at, struct view *view)
{
    if (view)
        view->users++;
    drop(order, at);
    *at = view;
}

/* Returns the view at a place for writing: a copy of it when others share it. */
static struct view *own(struct order *order, struct view **at)
{
    struct view *view = *at;
    if (view && view->users == 1)
        return view;
    *at = view_new(order, view);
    if (view)
        view->users--;
    return *at;
}

static void join(const struct order *order, struct view *view, const struct view *other)
{
    for (uint32_t i = 0; i < order->length; i++)
        view->known[i] = other->known[i] > view->known[i] ? other->known[i] : view->known[i];
}

static void learn(struct view *view, uint32_t place, uint64_t time)
{
    if (view->known[place] < time)
        view->known[place] = time;
}

static uint64_t known(const struct order *order, uint32_t self, uint32_t place)
{
    return order->views[self] ? order->views[self]->known[place] : 0;
}

/* The entries of a view. */
static uint32_t place_of_copies(const struct order *order, uint32_t warp)
{
    return order->threads + warp;
}

static uint32_t place_of_any_bulk(const struct order *order)
{
    return order->threads + order->warps;
}

static uint32_t place_of_bulk(const struct order *order, uint32_t object)
{
    return order->threads + order->warps + 1 + object;
}

uint64_t order_of_thread(const struct order *order, uint32_t self, uint32_t other)
{
    return known(order, self, other);
}

uint64_t order_of_copies(const struct order *order, uint32_t self, uint32_t warp)
{
    return known(order, self, place_of_copies(order, warp));
}

uint64_t order_of_bulk(const struct order *order, uint32_t self, uint32_t object)
{
    return known(order, self, place_of_bulk(order, object));
}

uint64_t order_of_any_bulk(const struct order *order, uint32_t self)
{
    return known(order, self, place_of_any_bulk(order));
}

/* ---- meetings ---- */

void order_forget(struct order *order, struct meeting *meeting)
{
    drop(order, &meeting->gathered);
    drop(order, &meeting->complete);
    drop(order, &meeting->joined);
}

void order_start(struct order *order)
{
    for (uint32_t i = 0; i < order->threads; i++)
        drop(order, &order->views[i]);
    for (uint32_t i = 0; i < BARRIERS; i++)
        order_forget(order, &order->barriers[i]);
    for (uint32_t i = 0; i < order->object_count; i++)
        order_forget(order, &order->objects[i]);
    order->copies = false;
}

struct meeting *order_object(struct order *order, uint64_t offset)
{
    uint16_t *number = &order->numbers[offset / sizeof(uint64_t)];
    if (!*number && order->object_count < order->objects_most)
        *number = (uint16_t)++order->object_count;
    return *number ? &order->objects[*number - 1] : NULL;
}

struct meeting *order_barrier(struct order *order, uint32_t number)
{
    return &order->barriers[number];
}

uint32_t order_number(const struct order *order, const struct meeting *meeting)
{
    return (uint32_t)(meeting - order->objects);
}

void order_arrive(struct warp *w, struct meeting *meeting, unsigned lane)
{
    struct order *order = w->block->order;
    uint32_t first = w->number * WARP_LANES;
    struct view *mine = order->views[first + lane], *gathered = own(order, &meeting->gathered);
    if (mine && mine != meeting->joined) {
        join(order, gathered, mine);
        share(order, &meeting->joined, mine);
    }
    for (uint32_t l = 0; l < WARP_LANES && w->sync_time > w->block->barrier_time; l++)
        learn(gathered, first + l, w->sync_time);
    learn(gathered, first + lane, w->worker->time);
}

void order_copies(struct warp *w, struct meeting *meeting, uint32_t groups)
{
    struct order *order = w->block->order;
    order->copies = true;
    learn(own(order, &meeting->gathered), place_of_copies(order, w->number), groups);
}

void order_bulk(struct warp *w, struct meeting *meeting)
{
    struct order *order = w->block->order;
    struct view *gathered = own(order, &meeting->gathered);
    order->copies = true;
    learn(gathered, place_of_any_bulk(order), w->worker->time);
    learn(gathered, place_of_bulk(order, order_number(order, meeting)), w->worker->time);
}

void order_complete(struct order *order, struct meeting *meeting)
{
    share(order, &meeting->complete, meeting->gathered);
}

void order_observe(struct warp *w, struct meeting *meeting, uint32_t lanes)
{
    struct order *order = w->block->order;
    struct view *complete = meeting->complete, *before = NULL, *after = NULL;
    w->acquired = w->block->acquired_by_any; /* generous: any of the arriving threads may have known it */
    EACH_LANE(l, complete ? lanes : 0)
    {
        struct view **mine = &order->views[w->number * WARP_LANES + l];
        if (!*mine) {
            share(order, mine, complete);
        } else if (*mine == before) {
            share(order, mine, after);
        } else if (*mine != complete) {
            share(order, &before, *mine);
            join(order, own(order, mine), complete);
            share(order, &after, *mine);
        }
    }
    drop(order, &before);
    drop(order, &after);
}

/* Gives each of these lanes the union of all their views. */
static void level(struct order *order, uint32_t first, uint32_t lanes)
{
    struct view *all = NULL, *last = NULL;
    bool differ = false;
    EACH_LANE(l, lanes)
    {
        struct view *view = order->views[first + l];
        differ |= view != order->views[first + lowest(lanes)];
        if (!view || view == last)
            continue;
        if (!all)
            share(order, &all, view);
        else
            join(order, own(order, &all), view);
        last = view;
    }
    if (differ)
        EACH_LANE(l, lanes) share(order, &order->views[first + l], all);
    drop(order, &all);
}

void order_lanes(struct warp *w, uint32_t lanes)
{
    struct order *order = w->block->order;
    uint32_t first = w->number * WARP_LANES;
    level(order, first, lanes);
    if (lanes == w->live || !lanes)
        return; /* w->sync_time orders the rest */
    struct view *all = view_new(order, order->views[first + lowest(lanes)]);
    EACH_LANE(l, lanes) learn(all, first + l, w->worker->time);
    EACH_LANE(l, lanes) share(order, &order->views[first + l], all);
    drop(order, &all);
}

void order_block(struct block *block)
{
    struct order *order = block->order;
    uint32_t threads = order->threads;
    struct view *all = NULL;
    for (uint32_t i = 0; i < threads && order->copies; i++) {
        struct view *view = order->views[i];
        if (!view || view == all || (i && view == order->views[i - 1]))
            continue;
        if (!all)
            share(order, &all, view);
        else
            join(order, own(order, &all), view);
    }
    for (uint32_t i = 0; i < threads; i++)
        share(order, &order->views[i], all);
    drop(order, &all);
}
