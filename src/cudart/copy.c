/* Copies and fills in all their forms. Every one becomes rows of bytes that lie in one allocation or on the host. */
#include "cudart/gpu.h"
#include "cudart/graph.h"
#include "cudart/record.h"
#include <string.h>

/* The bytes of one side of a copy. */
struct side {
    uint8_t *bytes;
    struct allocation *allocation; /* NULL: plain host memory */
    uint64_t offset;
    bool device; /* only the device can reach it */
};

/* Returns false when `size` bytes from the pointer on are not all in one live allocation. */
static bool side_of(const void *pointer, uint64_t size, struct side *side)
{
    uint64_t const address = (uint64_t)(uintptr_t)pointer;
    struct allocation *a = space_find(address);
    *side = (struct side){.bytes = (uint8_t *)(uintptr_t)address};
    if (!a)
        return !space_is_device_range(address) && pointer;
    side->allocation = a;
    side->offset = address - a->address;
    side->device = a->kind == ALLOCATION_DEVICE || a->kind == ALLOCATION_VARIABLE;
    if (a->freed)
        return false;
    if (a->kind != ALLOCATION_REGISTERED) /* host memory goes on beyond its registered part */
        side->bytes = (uint8_t *)((uintptr_t)a->data + side->offset);
    return a->kind == ALLOCATION_REGISTERED || size <= a->size - side->offset;
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

/* The bytes that a copy leaves behind count as written where those that it took did. */
static void mark_copied(const struct side *to, const struct side *from, uint64_t size)
{
    const uint64_t *known = from->allocation ? from->allocation->written : NULL;
    if (!to->allocation || !to->allocation->written)
        return;
    if (!known) {
        space_mark_written(to->allocation, to->offset, size);
        return;
    }
    for (uint64_t i = 0; i < size; i++) {
        uint64_t const at = from->offset + i, there = to->offset + i;
        uint64_t const bit = known[at / 64] >> at % 64 & 1;
        to->allocation->written[there / 64] &= ~(UINT64_C(1) << there % 64);
        to->allocation->written[there / 64] |= bit << there % 64;
    }
}

/* Records how many bytes of the source nothing ever wrote, and where the first is. */
static void record_unwritten(const struct side *from, uint64_t size)
{
    const uint64_t *known = from->allocation ? from->allocation->written : NULL;
    uint64_t unwritten = 0, first = size;
    for (uint64_t i = 0; known && i < size; i++) {
        uint64_t const at = from->offset + i;
        if (at % 64 == 0 && size - i >= 64 && known[at / 64] == UINT64_MAX) {
            i += 63;
        } else if (!(known[at / 64] >> at % 64 & 1)) {
            first = first < i ? first : i;
            unwritten++;
        }
    }
    if (!unwritten)
        return;
    line_number("unwritten", unwritten);
    line_number("unwritten_first", first);
}

static uint64_t span(const struct rows *rows, size_t pitch, size_t slice)
{
    return (rows->depth - 1) * slice + (rows->height - 1) * pitch + rows->width;
}

static struct gpu_rows on_gpu(const void *to, const void *from, const struct rows *rows)
{
    return (struct gpu_rows){.to = (uint64_t)(uintptr_t)to,
                             .from = (uint64_t)(uintptr_t)from,
                             .width = rows->width,
                             .height = rows->height,
                             .depth = rows->depth,
                             .to_pitch = rows->to_pitch,
                             .to_slice = rows->to_slice,
                             .from_pitch = rows->from_pitch,
                             .from_slice = rows->from_slice};
}

static cudaError_t copy_rows(void *to, const void *from, const struct rows *rows, int kind, const struct stream *stream,
                             bool waits)
{
    struct side target, source;
    if (kind < COPY_HOST_TO_HOST || kind > COPY_DEFAULT)
        return cudaErrorInvalidMemcpyDirection;
    if (!rows->width || !rows->height || !rows->depth)
        return cudaSuccess;
    bool const to_fits = side_of(to, span(rows, rows->to_pitch, rows->to_slice), &target);
    bool const from_fits = side_of(from, span(rows, rows->from_pitch, rows->from_slice), &source);
    if (!to_fits || !from_fits)
        return cudaErrorInvalidValue;
    if (!direction_fits(&target, &source, kind))
        return cudaErrorInvalidValue;
    if (gpu_on()) {
        struct gpu_rows const all = on_gpu(to, from, rows);
        return gpu_copy(&all, stream, waits);
    }
    if (source.device && !target.device && rows->height == 1 && rows->depth == 1)
        record_unwritten(&source, rows->width);
    for (size_t z = 0; z < rows->depth; z++)
        for (size_t y = 0; y < rows->height; y++) {
            size_t const there = z * rows->to_slice + y * rows->to_pitch;
            size_t const here = z * rows->from_slice + y * rows->from_pitch;
            struct side row_to = target, row_from = source;
            row_to.offset += there;
            row_from.offset += here;
            memmove(target.bytes + there, source.bytes + here, rows->width);
            mark_copied(&row_to, &row_from, rows->width);
        }
    return cudaSuccess;
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

/* One copy as a call: it waits for the device unless it is asynchronous. */
static cudaError_t copy(const struct call *call, void *to, const void *from, const struct rows *rows, int kind,
                        struct stream *stream, bool waits)
{
    uint64_t const bytes = (uint64_t)rows->width * rows->height * rows->depth;
    int const real = direction_of(to, from);
    line_pointer("to", to);
    line_pointer("from_pointer", from);
    line_number("bytes", bytes);
    line_signed("kind", kind);
    line_signed("direction", real);
    if (!stream)
        return call_end(call, cudaErrorInvalidResourceHandle);
    line_number("stream", stream->number);
    if (stream->capture) {
        struct work const work = {WORK_COPY, call->from, .copy = {to, from, *rows, kind}};
        return capture_work(call, &work, stream);
    }
    cudaError_t error = waits ? capture_refuses_waiting(NULL) : capture_refuses_work(stream);
    if (!error)
        error = waits && !gpu_on() ? runtime_synchronize() : runtime.sticky;
    space_pause();
    if (!error)
        error = copy_rows(to, from, rows, kind, stream, waits);
    space_resume();
    if (!error && !waits)
        close_pinned(to, from, rows);
    if (!error && !gpu_on()) {
        double const model = model_copy_us(bytes, real, is_pinned(to) || is_pinned(from));
        line_real("model_us", model);
        stream_add(stream, model);
        if (waits)
            runtime.host_time = stream_all_done();
    }
    return call_end(call, error);
}

cudaError_t work_copy(const struct call *call, const struct work *work, struct stream *stream)
{
    const struct work_copy *c = &work->copy;
    return copy(call, c->to, c->source, &c->rows, c->direction, stream, false);
}

static struct rows plain(size_t size)
{
    return (struct rows){.width = size, .height = 1, .depth = 1};
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, int kind)
{
    CALL_BEGIN(cudaMemcpy);
    struct rows const rows = plain(size);
    return copy(&call, to, from, &rows, kind, &runtime.default_stream, true);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpyAsync);
    struct rows const rows = plain(size);
    return copy(&call, to, from, &rows, kind, stream_of(stream), false);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size)
{
    CALL_BEGIN(cudaMemcpyPeer);
    struct rows const rows = plain(size);
    if (to_device || from_device)
        return call_end(&call, cudaErrorInvalidDevice);
    return copy(&call, to, from, &rows, COPY_DEVICE_TO_DEVICE, &runtime.default_stream, true);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                                cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpyPeerAsync);
    struct rows const rows = plain(size);
    if (to_device || from_device)
        return call_end(&call, cudaErrorInvalidDevice);
    return copy(&call, to, from, &rows, COPY_DEVICE_TO_DEVICE, stream_of(stream), false);
}

static cudaError_t copy_2d(const struct call *call, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t height, int kind, struct stream *stream, bool waits)
{
    struct rows const rows = {
        .width = width, .height = height, .depth = 1, .to_pitch = to_pitch, .from_pitch = from_pitch};
    line_number("width", width);
    line_number("rows", height);
    line_number("to_pitch", to_pitch);
    line_number("from_pitch", from_pitch);
    if (width > to_pitch || width > from_pitch)
        return call_end(call, cudaErrorInvalidPitchValue);
    return copy(call, to, from, &rows, kind, stream, waits);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         int kind)
{
    CALL_BEGIN(cudaMemcpy2D);
    return copy_2d(&call, to, to_pitch, from, from_pitch, width, height, kind, &runtime.default_stream, true);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, int kind, cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpy2DAsync);
    return copy_2d(&call, to, to_pitch, from, from_pitch, width, height, kind, stream_of(stream), false);
}

static uint8_t *corner(const struct pitched *memory, const struct position *at)
{
    return (uint8_t *)memory->ptr + at->z * memory->pitch * memory->ysize + at->y * memory->pitch + at->x;
}

bool work_of_copy_3d(const struct copy_3d *p, struct work *work)
{
    if (p->from_array || p->to_array)
        return false;
    work->kind = WORK_COPY;
    work->copy = (struct work_copy){.to = corner(&p->to, &p->to_position),
                                    .source = corner(&p->from, &p->from_position),
                                    .rows = {.width = p->extent.width,
                                             .height = p->extent.height,
                                             .depth = p->extent.depth,
                                             .to_pitch = p->to.pitch,
                                             .to_slice = p->to.pitch * p->to.ysize,
                                             .from_pitch = p->from.pitch,
                                             .from_slice = p->from.pitch * p->from.ysize},
                                    .direction = p->kind};
    return true;
}

static cudaError_t copy_3d(const struct call *call, const struct copy_3d *p, struct stream *stream, bool waits)
{
    struct work work;
    if (!p || p->from_array || p->to_array || !p->from.ptr || !p->to.ptr || !work_of_copy_3d(p, &work))
        return call_end(call, p && (p->from_array || p->to_array) ? cudaErrorNotSupported : cudaErrorInvalidValue);
    return copy(call, work.copy.to, work.copy.source, &work.copy.rows, work.copy.direction, stream, waits);
}

cudaError_t cudaMemcpy3D(const struct copy_3d *parameters)
{
    CALL_BEGIN(cudaMemcpy3D);
    return copy_3d(&call, parameters, &runtime.default_stream, true);
}

cudaError_t cudaMemcpy3DAsync(const struct copy_3d *parameters, cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpy3DAsync);
    return copy_3d(&call, parameters, stream_of(stream), false);
}

/* ---- symbols ---- */

/* Returns the address `offset` bytes into a variable, or NULL when the symbol or the range is wrong. */
static void *in_symbol(const void *symbol, size_t size, size_t offset, cudaError_t *error)
{
    const struct allocation *variable = module_variable(symbol);
    *error = !variable                                                   ? cudaErrorInvalidSymbol
             : offset > variable->size || size > variable->size - offset ? cudaErrorInvalidValue
                                                                         : cudaSuccess;
    return *error ? NULL : (void *)(uintptr_t)(variable->address + offset);
}

static cudaError_t copy_symbol(const struct call *call, const void *symbol, void *to, const void *from, size_t size,
                               size_t offset, int kind, struct stream *stream, bool waits)
{
    cudaError_t error;
    struct rows const rows = plain(size);
    void *place = in_symbol(symbol, size, offset, &error);
    if (error)
        return call_end(call, error);
    return copy(call, to ? to : place, from ? from : place, &rows, kind, stream, waits);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, int kind)
{
    CALL_BEGIN(cudaMemcpyToSymbol);
    if (!from)
        return call_end(&call, cudaErrorInvalidValue);
    return copy_symbol(&call, symbol, NULL, from, size, offset, kind, &runtime.default_stream, true);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind)
{
    CALL_BEGIN(cudaMemcpyFromSymbol);
    if (!to)
        return call_end(&call, cudaErrorInvalidValue);
    return copy_symbol(&call, symbol, to, NULL, size, offset, kind, &runtime.default_stream, true);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, int kind,
                                    cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpyToSymbolAsync);
    if (!from)
        return call_end(&call, cudaErrorInvalidValue);
    return copy_symbol(&call, symbol, NULL, from, size, offset, kind, stream_of(stream), false);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, int kind,
                                      cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpyFromSymbolAsync);
    if (!to)
        return call_end(&call, cudaErrorInvalidValue);
    return copy_symbol(&call, symbol, to, NULL, size, offset, kind, stream_of(stream), false);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    CALL_BEGIN(cudaGetSymbolAddress);
    const struct allocation *variable = module_variable(symbol);
    if (pointer && variable)
        *pointer = (void *)(uintptr_t)variable->address;
    return call_end(&call, !pointer ? cudaErrorInvalidValue : variable ? cudaSuccess : cudaErrorInvalidSymbol);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    CALL_BEGIN(cudaGetSymbolSize);
    const struct allocation *variable = module_variable(symbol);
    if (size && variable)
        *size = variable->size;
    return call_end(&call, !size ? cudaErrorInvalidValue : variable ? cudaSuccess : cudaErrorInvalidSymbol);
}

/* ---- fills ---- */

static void fill_row(uint8_t *bytes, const struct work_fill *f)
{
    if (f->element <= 1)
        memset(bytes, (int)f->value, f->rows.width);
    else
        for (size_t i = 0; i < f->rows.width; i++)
            bytes[i] = (uint8_t)(f->value >> 8 * (i % f->element));
}

cudaError_t work_fill(const struct call *call, const struct work *work, struct stream *stream)
{
    struct side side;
    const struct work_fill *f = &work->fill;
    const struct rows *rows = &f->rows;
    uint64_t const bytes = (uint64_t)rows->width * rows->height * rows->depth;
    line_pointer("to", f->pointer);
    line_number("bytes", bytes);
    line_signed("value", (int)f->value);
    if (!stream)
        return call_end(call, cudaErrorInvalidResourceHandle);
    line_number("stream", stream->number);
    if (stream->capture)
        return capture_work(call, work, stream);
    cudaError_t const refusal = capture_refuses_work(stream);
    if (refusal || runtime.sticky || !bytes)
        return call_end(call, refusal ? refusal : runtime.sticky);
    if (!side_of(f->pointer, span(rows, rows->to_pitch, rows->to_slice), &side) || !side.allocation)
        return call_end(call, cudaErrorInvalidValue);
    if (gpu_on()) {
        struct gpu_rows const all = on_gpu(f->pointer, NULL, rows);
        return call_end(call, gpu_fill(&all, f->value, f->element, stream));
    }
    space_pause();
    for (size_t z = 0; z < rows->depth; z++)
        for (size_t y = 0; y < rows->height; y++) {
            size_t const there = z * rows->to_slice + y * rows->to_pitch;
            fill_row(side.bytes + there, f);
            space_mark_written(side.allocation, side.offset + there, rows->width);
        }
    space_resume();
    double const model = model_fill_us(bytes);
    line_real("model_us", model);
    stream_add(stream, model);
    return call_end(call, cudaSuccess);
}

static cudaError_t fill(const struct call *call, void *pointer, int value, const struct rows *rows,
                        struct stream *stream)
{
    struct work const work = {WORK_FILL, call->from, .fill = {pointer, (unsigned)value, 1, *rows}};
    return work_fill(call, &work, stream);
}

cudaError_t cudaMemset(void *pointer, int value, size_t size)
{
    CALL_BEGIN(cudaMemset);
    struct rows const rows = plain(size);
    return fill(&call, pointer, value, &rows, &runtime.default_stream);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t size, cudaStream_t stream)
{
    CALL_BEGIN(cudaMemsetAsync);
    struct rows const rows = plain(size);
    return fill(&call, pointer, value, &rows, stream_of(stream));
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height)
{
    CALL_BEGIN(cudaMemset2D);
    struct rows const rows = {.width = width, .height = height, .depth = 1, .to_pitch = pitch};
    return fill(&call, pointer, value, &rows, &runtime.default_stream);
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    CALL_BEGIN(cudaMemset2DAsync);
    struct rows const rows = {.width = width, .height = height, .depth = 1, .to_pitch = pitch};
    return fill(&call, pointer, value, &rows, stream_of(stream));
}

static struct rows box(const struct pitched *memory, const struct extent *extent)
{
    return (struct rows){.width = extent->width,
                         .height = extent->height,
                         .depth = extent->depth,
                         .to_pitch = memory->pitch,
                         .to_slice = memory->pitch * memory->ysize};
}

cudaError_t cudaMemset3D(struct pitched memory, int value, struct extent extent)
{
    struct rows const rows = box(&memory, &extent);
    CALL_BEGIN(cudaMemset3D);
    return fill(&call, memory.ptr, value, &rows, &runtime.default_stream);
}

cudaError_t cudaMemset3DAsync(struct pitched memory, int value, struct extent extent, cudaStream_t stream)
{
    struct rows const rows = box(&memory, &extent);
    CALL_BEGIN(cudaMemset3DAsync);
    return fill(&call, memory.ptr, value, &rows, stream_of(stream));
}
