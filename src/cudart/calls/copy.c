/* Copies and fills in all their forms. */
#include "cudart/calls/call.h"
#include "cudart/layer/array.h"
#include "cudart/layer/module.h"
#include "cudart/layer/work.h"

static cudaError_t copy(const struct call *call, void *to, const void *from, const struct rows *rows, int kind,
                        struct stream *stream, bool waits)
{
    struct work const work = {WORK_COPY, call->from, .copy = {.to = to, .source = from, .rows = *rows, .kind = kind}};
    return call_end(call, work_copy(&work, stream, waits));
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

/* One side of a copy: of an array, whose positions count elements, or of pitched memory. */
struct side_3d {
    struct array_handle *array;
    struct position at;
    struct pitched memory;
};

static enum status put_side(const struct side_3d *s, bool to, struct work_copy *copy)
{
    const struct array *array = array_of(s->array);
    const struct pitched *m = &s->memory;
    struct rows *rows = &copy->rows;
    size_t x = 0;
    if (!s->array == !m->ptr || __builtin_mul_overflow(s->at.x, array ? array->element : 1, &x))
        return STATUS_INVALID_VALUE;
    if (s->array)
        return array_side(&(struct array_place){s->array, x, s->at.y, s->at.z}, to, copy);
    void *const begin =
        (void *)((uintptr_t)m->ptr + s->at.z * m->pitch * m->ysize + s->at.y * m->pitch + s->at.x); /* may wrap round */
    if (to)
        copy->to = begin;
    else
        copy->source = begin;
    *(to ? &rows->to_pitch : &rows->from_pitch) = m->pitch;
    *(to ? &rows->to_slice : &rows->from_slice) = m->pitch * m->ysize;
    return STATUS_SUCCESS;
}

enum status copy_3d_work(const struct copy_3d *p, const void *from, struct work *work)
{
    if (!p)
        return STATUS_INVALID_VALUE;
    const struct array *source = array_of(p->from_array), *target = array_of(p->to_array);
    unsigned const element = source ? source->element : target ? target->element : 1;
    if (source && target && element != target->element)
        return STATUS_INVALID_VALUE;
    struct rows const rows = {.width = p->extent.width * element, .height = p->extent.height, .depth = p->extent.depth};
    if (rows.width / element != p->extent.width)
        return STATUS_INVALID_VALUE;
    *work = (struct work){WORK_COPY, from, .copy = {.rows = rows, .kind = p->kind}};
    struct side_3d const from_side = {p->from_array, p->from_position, p->from};
    struct side_3d const to_side = {p->to_array, p->to_position, p->to};
    enum status const status = put_side(&from_side, false, &work->copy);
    return status ? status : put_side(&to_side, true, &work->copy);
}

static cudaError_t copy_3d(const struct call *call, const struct copy_3d *p, struct stream *stream, bool waits)
{
    struct work work;
    enum status const status = copy_3d_work(p, call->from, &work);
    return call_end(call, status ? status : work_copy(&work, stream, waits));
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

static cudaError_t fill(const struct call *call, void *pointer, int value, const struct rows *rows,
                        struct stream *stream)
{
    struct work const work = {WORK_FILL, call->from, .fill = {pointer, (unsigned)value, 1, *rows}};
    return call_end(call, work_fill(&work, stream));
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
