/* Copies and fills. Every one becomes rows of bytes that lie in one allocation or on the host. */
#include "cudart/backend/backend.h"
#include "cudart/layer/graph.h"
#include "cudart/layer/line.h"

/* Returns false when `size` bytes from the pointer on are not all in one live allocation, which is an array or not. */
static bool side_of(const void *pointer, uint64_t size, struct side *side, bool writes, bool array)
{
    uint64_t const address = (uint64_t)(uintptr_t)pointer;
    struct allocation *a = space_find(address);
    *side = (struct side){.address = address, .bytes = (uint8_t *)(uintptr_t)address};
    if (!a)
        return !space_is_device_range(address) && pointer && !array;
    side->allocation = a;
    side->offset = address - a->address;
    side->device = a->kind == ALLOCATION_DEVICE || a->kind == ALLOCATION_VARIABLE || a->kind == ALLOCATION_ARRAY;
    if (a->freed || array != (a->kind == ALLOCATION_ARRAY))
        return false;
    if (a->kind != ALLOCATION_REGISTERED) /* host memory goes on beyond its registered part */
        side->bytes = (uint8_t *)((uintptr_t)a->data + side->offset);
    return a->kind == ALLOCATION_REGISTERED || size <= space_reach(a, side->offset, writes);
}

/* Returns whether the direction fits: device memory on the side that it names, host memory on the other. Memory that
 * both can reach fits either. */
static bool direction_fits(const struct side *to, const struct side *from, int kind)
{
    bool const to_device = kind == COPY_HOST_TO_DEVICE || kind == COPY_DEVICE_TO_DEVICE;
    bool const from_device = kind == COPY_DEVICE_TO_HOST || kind == COPY_DEVICE_TO_DEVICE;
    if (kind == COPY_DEFAULT)
        return true;
    return (to->allocation ? to_device || !to->device : !to_device) &&
           (from->allocation ? from_device || !from->device : !from_device);
}

/* Returns the bytes from the first to the last, UINT64_MAX if they do not fit into 64 bits. */
static uint64_t span(const struct rows *rows, size_t pitch, size_t slice)
{
    uint64_t slices, whole, bytes;
    return __builtin_mul_overflow(rows->depth - 1, slice, &slices) ||
                   __builtin_mul_overflow(rows->height - 1, pitch, &whole) ||
                   __builtin_add_overflow(whole, slices, &whole) || __builtin_add_overflow(whole, rows->width, &bytes)
               ? UINT64_MAX
               : bytes;
}

/* The direction that the two pointers have: for the record, and for copies by cudaMemcpyDefault. */
static int direction_of(const void *to, const void *from)
{
    const struct allocation *a = space_find((uint64_t)(uintptr_t)to), *b = space_find((uint64_t)(uintptr_t)from);
    bool const to_device = a && a->kind != ALLOCATION_HOST && a->kind != ALLOCATION_REGISTERED;
    bool const from_device = b && b->kind != ALLOCATION_HOST && b->kind != ALLOCATION_REGISTERED;
    return to_device     ? from_device ? COPY_DEVICE_TO_DEVICE : COPY_HOST_TO_DEVICE
           : from_device ? COPY_DEVICE_TO_HOST
                         : COPY_HOST_TO_HOST;
}

static bool is_pinned(const void *pointer)
{
    const struct allocation *a = space_find((uint64_t)(uintptr_t)pointer);
    return a && (a->kind == ALLOCATION_HOST || a->kind == ALLOCATION_REGISTERED);
}

/* Closes pinned memory until the next synchronisation: what an asynchronous copy reads to writes, what it writes to
 * all. */
static void close_pinned(const void *to, const void *from, const struct rows *rows)
{
    struct allocation *target = space_find((uint64_t)(uintptr_t)to);
    struct allocation *source = space_find((uint64_t)(uintptr_t)from);
    bool const target_pinned = target && target->kind == ALLOCATION_HOST;
    bool const source_pinned = source && source->kind == ALLOCATION_HOST;
    if (!rows->width || !rows->height || !rows->depth || (target_pinned && source_pinned))
        return;
    if (target_pinned)
        space_close(target, (uint64_t)(uintptr_t)to - target->address, span(rows, rows->to_pitch, rows->to_slice),
                    true);
    if (source_pinned)
        space_close(source, (uint64_t)(uintptr_t)from - source->address, span(rows, rows->from_pitch, rows->from_slice),
                    false);
}

static enum status copy(const struct work_copy *c, struct transfer *t)
{
    const struct rows *rows = &c->rows;
    bool const empty = !rows->width || !rows->height || !rows->depth;
    if (c->kind < COPY_HOST_TO_HOST || c->kind > COPY_DEFAULT)
        return STATUS_INVALID_MEMCPY_DIRECTION;
    if (!empty &&
        (!side_of(c->to, span(rows, rows->to_pitch, rows->to_slice), &t->to, true, c->to_array) ||
         !side_of(c->source, span(rows, rows->from_pitch, rows->from_slice), &t->from, false, c->from_array) ||
         !direction_fits(&t->to, &t->from, c->kind)))
        return STATUS_INVALID_VALUE;
    return runtime.backend->copy(t);
}

enum status work_copy(const struct work *work, struct stream *stream, bool waits)
{
    const struct work_copy *c = &work->copy;
    struct transfer transfer = {.rows = c->rows,
                                .stream = stream,
                                .direction = direction_of(c->to, c->source),
                                .pinned = is_pinned(c->to) || is_pinned(c->source),
                                .waits = waits};
    line_pointer("to", c->to);
    line_pointer("from_pointer", c->source);
    line_number("bytes", (uint64_t)c->rows.width * c->rows.height * c->rows.depth);
    line_signed("kind", c->kind);
    line_signed("direction", transfer.direction);
    if (!stream)
        return STATUS_INVALID_RESOURCE_HANDLE;
    line_number("stream", stream->number);
    if (stream->capture)
        return capture_work(work, NULL, stream);
    enum status status = waits ? capture_refuses_waiting(NULL) : capture_refuses_work(stream);
    if (!status)
        status = waits ? runtime.backend->settle() : runtime.sticky;
    space_pause();
    if (!status)
        status = copy(c, &transfer);
    space_resume();
    if (!status && !waits)
        close_pinned(c->to, c->source, &c->rows);
    return status;
}

enum status work_fill(const struct work *work, struct stream *stream)
{
    struct side side;
    const struct work_fill *f = &work->fill;
    const struct rows *rows = &f->rows;
    uint64_t const bytes = (uint64_t)rows->width * rows->height * rows->depth;
    line_pointer("to", f->pointer);
    line_number("bytes", bytes);
    line_signed("value", (int)f->value);
    if (!stream)
        return STATUS_INVALID_RESOURCE_HANDLE;
    line_number("stream", stream->number);
    if (stream->capture)
        return capture_work(work, NULL, stream);
    enum status const refusal = capture_refuses_work(stream);
    if (refusal || runtime.sticky || !bytes)
        return refusal ? refusal : runtime.sticky;
    if (!side_of(f->pointer, span(rows, rows->to_pitch, rows->to_slice), &side, true, false) || !side.allocation)
        return STATUS_INVALID_VALUE;
    space_pause();
    enum status const status = runtime.backend->fill(&side, f, stream);
    space_resume();
    return status;
}
