/* CUDA arrays and copies of their rows. */
#include "cudart/layer/array.h"
#include "cudart/calls/call.h"

enum { SIGNED, UNSIGNED, FLOAT, KINDS };

static const int formats[KINDS][3] = {/* of 8, 16 and 32 bits */
                                      [SIGNED] = {ARRAY_S8, ARRAY_S16, ARRAY_S32},
                                      [UNSIGNED] = {ARRAY_U8, ARRAY_U16, ARRAY_U32},
                                      [FLOAT] = {0, ARRAY_F16, ARRAY_F32}};

/* Returns false if there are no elements with such channels. */
static bool read_channels(const struct channels *c, struct array_request *request)
{
    int const bits = c->bits[0];
    unsigned count = 0;
    while (count < 4 && c->bits[count])
        count++;
    for (unsigned i = 0; i < 4; i++)
        if (c->bits[i] != (i < count ? bits : 0))
            return false;
    request->channels = count;
    if (c->kind < SIGNED || c->kind >= KINDS || count == 3 || (bits != 8 && bits != 16 && bits != 32))
        return false;
    request->format = formats[c->kind][bits / 16];
    return request->format;
}

struct channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct channels){{x, y, z, w}, kind};
}

static struct channels channels_of(const struct array *array)
{
    struct channels c = {.kind = FLOAT};
    for (unsigned i = 0; i < array->channels; i++)
        c.bits[i] = (int)array_format_bytes(array->format) * 8;
    for (int kind = 0; kind < KINDS; kind++)
        for (unsigned i = 0; i < 3; i++)
            if (formats[kind][i] == array->format)
                c.kind = kind;
    return c;
}

static cudaError_t create(const struct call *call, cudaArray_t *array, const struct channels *channels,
                          struct array_request request)
{
    if (!array || !channels)
        return call_end(call, cudaErrorInvalidValue);
    if (!read_channels(channels, &request))
        return call_end(call, cudaErrorInvalidChannelDescriptor);
    cudaError_t const refusal = capture_refuses_unsafe();
    return call_end(call, refusal ? refusal : array_create(array, &request));
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct channels *channels, size_t width, size_t height,
                            unsigned flags)
{
    CALL_BEGIN(cudaMallocArray);
    if (flags & (ARRAY_LAYERED | ARRAY_CUBE))
        return call_end(&call, cudaErrorInvalidValue);
    return create(&call, array, channels, (struct array_request){.width = width, .height = height, .flags = flags});
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct channels *channels, struct extent extent, unsigned flags)
{
    CALL_BEGIN(cudaMalloc3DArray);
    return create(
        &call, array, channels,
        (struct array_request){.width = extent.width, .height = extent.height, .depth = extent.depth, .flags = flags});
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    CALL_BEGIN(cudaFreeArray);
    cudaError_t const refusal = array ? capture_refuses_unsafe() : cudaSuccess;
    return call_end(&call, refusal ? refusal : array_destroy(array));
}

cudaError_t cudaArrayGetInfo(struct channels *channels, struct extent *extent, unsigned *flags, cudaArray_t array)
{
    CALL_BEGIN(cudaArrayGetInfo);
    const struct array *a = array_of(array);
    if (!a)
        return call_end(&call, cudaErrorInvalidValue);
    if (channels)
        *channels = channels_of(a);
    if (extent)
        *extent = (struct extent){a->width, a->height, a->depth};
    if (flags)
        *flags = a->flags;
    return call_end(&call, cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct channels *channels, cudaArray_t array)
{
    CALL_BEGIN(cudaGetChannelDesc);
    const struct array *a = array_of(array);
    if (a && channels)
        *channels = channels_of(a);
    return call_end(&call, a && channels ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- copies of rows ---- */

static struct work rows_work(const struct call *call, size_t width, size_t height, int kind)
{
    return (struct work){WORK_COPY, call->from,
                         .copy = {.rows = {.width = width, .height = height, .depth = 1}, .kind = kind}};
}

static cudaError_t copy_rows(const struct call *call, const struct work *work, struct stream *stream, bool waits)
{
    const struct rows *rows = &work->copy.rows;
    line_number("width", rows->width);
    line_number("rows", rows->height);
    line_number("to_pitch", rows->to_pitch);
    line_number("from_pitch", rows->from_pitch);
    return call_end(call, work_copy(work, stream, waits));
}

/* Copies between an array and plain memory, the other side of the work, whose rows are `pitch` apart. */
static cudaError_t copy_2d(const struct call *call, struct work *work, const struct array_place *array, bool to,
                           size_t pitch, struct stream *stream, bool waits)
{
    struct rows *rows = &work->copy.rows;
    if (rows->width > pitch) /* as seen on an H200 */
        return call_end(call, rows->height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue);
    *(to ? &rows->from_pitch : &rows->to_pitch) = pitch;
    enum status const status = array_side(array, to, &work->copy);
    return status ? call_end(call, status) : copy_rows(call, work, stream, waits);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                size_t height, int kind)
{
    CALL_BEGIN(cudaMemcpy2DToArray);
    struct work work = rows_work(&call, width, height, kind);
    work.copy.source = from;
    return copy_2d(&call, &work, &(struct array_place){to, x, y, 0}, true, pitch, &runtime.default_stream, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, int kind, cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpy2DToArrayAsync);
    struct work work = rows_work(&call, width, height, kind);
    work.copy.source = from;
    return copy_2d(&call, &work, &(struct array_place){to, x, y, 0}, true, pitch, stream_of(stream), false);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width,
                                  size_t height, int kind)
{
    CALL_BEGIN(cudaMemcpy2DFromArray);
    struct work work = rows_work(&call, width, height, kind);
    work.copy.to = to;
    return copy_2d(&call, &work, &(struct array_place){from, x, y, 0}, false, pitch, &runtime.default_stream, true);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width,
                                       size_t height, int kind, cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpy2DFromArrayAsync);
    struct work work = rows_work(&call, width, height, kind);
    work.copy.to = to;
    return copy_2d(&call, &work, &(struct array_place){from, x, y, 0}, false, pitch, stream_of(stream), false);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, int kind)
{
    CALL_BEGIN(cudaMemcpy2DArrayToArray);
    struct work work = rows_work(&call, width, height, kind);
    enum status status = array_side(&(struct array_place){from, from_x, from_y, 0}, false, &work.copy);
    if (!status)
        status = array_side(&(struct array_place){to, to_x, to_y, 0}, true, &work.copy);
    return status ? call_end(&call, status) : copy_rows(&call, &work, &runtime.default_stream, true);
}

/* ---- copies of bytes, which go on in the next row ---- */

static cudaError_t copy_bytes(const struct call *call, struct work *work, const struct array_place *array, bool to,
                              struct stream *stream, bool waits)
{
    enum status const status = array_side_through(array, to, &work->copy);
    return call_end(call, status ? status : work_copy(work, stream, waits));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, int kind)
{
    CALL_BEGIN(cudaMemcpyToArray);
    struct work work = rows_work(&call, size, 1, kind);
    work.copy.source = from;
    return copy_bytes(&call, &work, &(struct array_place){to, x, y, 0}, true, &runtime.default_stream, true);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, int kind,
                                   cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpyToArrayAsync);
    struct work work = rows_work(&call, size, 1, kind);
    work.copy.source = from;
    return copy_bytes(&call, &work, &(struct array_place){to, x, y, 0}, true, stream_of(stream), false);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t size, int kind)
{
    CALL_BEGIN(cudaMemcpyFromArray);
    struct work work = rows_work(&call, size, 1, kind);
    work.copy.to = to;
    return copy_bytes(&call, &work, &(struct array_place){from, x, y, 0}, false, &runtime.default_stream, true);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_t from, size_t x, size_t y, size_t size, int kind,
                                     cudaStream_t stream)
{
    CALL_BEGIN(cudaMemcpyFromArrayAsync);
    struct work work = rows_work(&call, size, 1, kind);
    work.copy.to = to;
    return copy_bytes(&call, &work, &(struct array_place){from, x, y, 0}, false, stream_of(stream), false);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t from_x,
                                   size_t from_y, size_t size, int kind)
{
    CALL_BEGIN(cudaMemcpyArrayToArray);
    struct work work = rows_work(&call, size, 1, kind);
    enum status const status = array_side_through(&(struct array_place){from, from_x, from_y, 0}, false, &work.copy);
    return status ? call_end(&call, status)
                  : copy_bytes(&call, &work, &(struct array_place){to, to_x, to_y, 0}, true, &runtime.default_stream,
                               true);
}
