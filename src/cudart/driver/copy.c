/* Copies and fills in all their forms. */
#include "cudart/driver/driver.h"
#include "cudart/layer/array.h"

static void *at(CUdeviceptr pointer)
{
    return (void *)(uintptr_t)pointer;
}

static struct rows plain(size_t bytes)
{
    return (struct rows){.width = bytes, .height = 1, .depth = 1};
}

static CUresult copy(const struct call *call, void *to, const void *from, size_t bytes, enum copy_kind kind,
                     struct stream *stream, bool waits)
{
    struct work const work = {WORK_COPY, call->from,
                              .copy = {.to = to, .source = from, .rows = plain(bytes), .kind = (int)kind}};
    return driver_end(call, work_copy(&work, stream, waits));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpy, "cudaMemcpy");
    return copy(&call, at(to), at(from), bytes, COPY_DEFAULT, &runtime.default_stream, true);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    DRIVER_BEGIN(cuMemcpyAsync, "cudaMemcpyAsync");
    return copy(&call, at(to), at(from), bytes, COPY_DEFAULT, stream_of(stream), false);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpyPeer, "cudaMemcpyPeer");
    if (!context_is(to_context) || !context_is(from_context))
        return driver_end(&call, STATUS_DEVICE_UNINITIALIZED);
    return copy(&call, at(to), at(from), bytes, COPY_DEVICE_TO_DEVICE, &runtime.default_stream, true);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream)
{
    DRIVER_BEGIN(cuMemcpyPeerAsync, "cudaMemcpyPeerAsync");
    if (!context_is(to_context) || !context_is(from_context))
        return driver_end(&call, STATUS_DEVICE_UNINITIALIZED);
    return copy(&call, at(to), at(from), bytes, COPY_DEVICE_TO_DEVICE, stream_of(stream), false);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpyHtoD, "cudaMemcpy");
    return copy(&call, at(to), from, bytes, COPY_HOST_TO_DEVICE, &runtime.default_stream, true);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpyDtoH, "cudaMemcpy");
    return copy(&call, to, at(from), bytes, COPY_DEVICE_TO_HOST, &runtime.default_stream, true);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    DRIVER_BEGIN(cuMemcpyDtoD, "cudaMemcpy");
    return copy(&call, at(to), at(from), bytes, COPY_DEVICE_TO_DEVICE, &runtime.default_stream, true);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    DRIVER_BEGIN(cuMemcpyHtoDAsync, "cudaMemcpyAsync");
    return copy(&call, at(to), from, bytes, COPY_HOST_TO_DEVICE, stream_of(stream), false);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    DRIVER_BEGIN(cuMemcpyDtoHAsync, "cudaMemcpyAsync");
    return copy(&call, to, at(from), bytes, COPY_DEVICE_TO_HOST, stream_of(stream), false);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    DRIVER_BEGIN(cuMemcpyDtoDAsync, "cudaMemcpyAsync");
    return copy(&call, at(to), at(from), bytes, COPY_DEVICE_TO_DEVICE, stream_of(stream), false);
}

/* ---- many at once ---- */

struct driver_copy_hints { /* CUmemcpyAttributes */
    int order;             /* 1 to 3: when the source is read */
    struct driver_location from, to;
    unsigned flags;
};

/* The pieces of a batch: piece i has the hints of the last entry of `first` that is at most i. */
struct batch {
    const CUdeviceptr *to, *from;
    const size_t *bytes, *first;
    size_t count, hint_count;
    const struct driver_copy_hints *hints;
};

static bool is_batch(const struct batch *b)
{
    enum { ORDER_IN_STREAM = 1, ORDER_ANY = 3 };
    if (!b->to || !b->from || !b->bytes || !b->count || !b->hints || !b->first || !b->hint_count ||
        b->hint_count > b->count || b->first[0])
        return false;
    for (size_t i = 0; i < b->hint_count; i++)
        if (b->hints[i].order < ORDER_IN_STREAM || b->hints[i].order > ORDER_ANY || b->first[i] >= b->count ||
            (i && b->first[i] <= b->first[i - 1]))
            return false;
    return true;
}

/* Makes each copy a call of its own, up to one that fails, whose number *failed becomes. They are done at once, so that
 * every order of reading the sources holds. */
static CUresult copy_batch(struct call call, const struct batch *b, CUstream stream, size_t *failed)
{
    const void *const from = call.from;
    size_t none;
    failed = failed ? failed : &none;
    *failed = SIZE_MAX; /* an error of no copy */
    if (!is_batch(b))
        return driver_end(&call, STATUS_INVALID_VALUE);
    for (size_t i = 0; i < b->count; i++) {
        if (i)
            call = driver_begin("cuMemcpyBatchAsync", "cudaMemcpyAsync", from);
        CUresult const result =
            copy(&call, at(b->to[i]), at(b->from[i]), b->bytes[i], COPY_DEFAULT, stream_of(stream), false);
        if (result) {
            *failed = i;
            return result;
        }
    }
    return CUDA_SUCCESS;
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                            struct driver_copy_hints *hints, size_t *first, size_t hint_count, size_t *failed,
                            CUstream stream)
{
    DRIVER_BEGIN(cuMemcpyBatchAsync, "cudaMemcpyAsync");
    struct batch const batch = {to, from, bytes, first, count, hint_count, hints};
    if (!stream) /* the default stream has no batches */
        return driver_end(&call, STATUS_INVALID_VALUE);
    return copy_batch(call, &batch, stream, failed);
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                               struct driver_copy_hints *hints, size_t *first, size_t hint_count, CUstream stream)
{
    DRIVER_BEGIN(cuMemcpyBatchAsync, "cudaMemcpyAsync");
    struct batch const batch = {to, from, bytes, first, count, hint_count, hints};
    if (!stream) /* the default stream has no batches */
        return driver_end(&call, STATUS_INVALID_VALUE);
    return copy_batch(call, &batch, stream, NULL);
}

/* ---- rows ---- */

enum { KIND_HOST = 1, KIND_DEVICE, KIND_ARRAY, KIND_UNIFIED }; /* CUmemorytype */

/* CUDA_MEMCPY2D and CUDA_MEMCPY3D. */
struct driver_copy_2d {
    size_t from_x, from_y;
    int from_kind;
    const void *from_host;
    CUdeviceptr from_device;
    CUarray from_array;
    size_t from_pitch, to_x, to_y;
    int to_kind;
    void *to_host;
    CUdeviceptr to_device;
    CUarray to_array;
    size_t to_pitch, width, height;
};
struct driver_copy_3d {
    size_t from_x, from_y, from_z, from_level;
    int from_kind;
    const void *from_host;
    CUdeviceptr from_device;
    CUarray from_array;
    void *from_unused;
    size_t from_pitch, from_height, to_x, to_y, to_z, to_level;
    int to_kind;
    void *to_host;
    CUdeviceptr to_device;
    CUarray to_array;
    void *to_unused;
    size_t to_pitch, to_height, width, height, depth;
};

static enum copy_kind direction(int from, int to)
{
    if (from == KIND_UNIFIED || to == KIND_UNIFIED)
        return COPY_DEFAULT;
    return from == KIND_HOST ? to == KIND_HOST ? COPY_HOST_TO_HOST : COPY_HOST_TO_DEVICE
           : to == KIND_HOST ? COPY_DEVICE_TO_HOST
                             : COPY_DEVICE_TO_DEVICE;
}

static bool is_kind(int kind)
{
    return kind >= KIND_HOST && kind <= KIND_UNIFIED;
}

/* One side of a copy. */
struct box_side {
    int kind;
    struct array_place in_array; /* whose position counts for plain memory, too */
    uint64_t address;
    size_t pitch, height, level;
};

static enum status put_side(const struct box_side *s, bool to, struct work_copy *copy)
{
    struct rows *rows = &copy->rows;
    bool const high = rows->height > 1 || rows->depth > 1;
    if (s->kind == KIND_ARRAY)
        return s->level ? STATUS_INVALID_VALUE : array_side(&s->in_array, to, copy);
    if ((high && s->pitch && s->pitch < rows->width) || (rows->depth > 1 && s->height && s->height < rows->height))
        return STATUS_INVALID_VALUE;
    size_t const pitch = s->pitch ? s->pitch : rows->width, slice = pitch * (s->height ? s->height : rows->height);
    void *const begin = at(s->address + s->in_array.z * slice + s->in_array.y * pitch + s->in_array.x);
    if (to)
        copy->to = begin;
    else
        copy->source = begin;
    *(to ? &rows->to_pitch : &rows->from_pitch) = pitch;
    *(to ? &rows->to_slice : &rows->from_slice) = slice;
    return STATUS_SUCCESS;
}

enum status copy_box_work(const struct driver_copy_3d *c, const void *place, struct work *work)
{
    if (!c || !is_kind(c->from_kind) || !is_kind(c->to_kind))
        return STATUS_INVALID_VALUE;
    uint64_t const from_host = (uint64_t)(uintptr_t)c->from_host, to_host = (uint64_t)(uintptr_t)c->to_host;
    struct box_side const from = {c->from_kind,
                                  {c->from_array, c->from_x, c->from_y, c->from_z},
                                  c->from_kind == KIND_HOST ? from_host : c->from_device,
                                  c->from_pitch,
                                  c->from_height,
                                  c->from_level};
    struct box_side const to = {c->to_kind,
                                {c->to_array, c->to_x, c->to_y, c->to_z},
                                c->to_kind == KIND_HOST ? to_host : c->to_device,
                                c->to_pitch,
                                c->to_height,
                                c->to_level};
    *work = (struct work){WORK_COPY, place,
                          .copy = {.rows = {.width = c->width, .height = c->height, .depth = c->depth},
                                   .kind = (int)direction(c->from_kind, c->to_kind)}};
    enum status status = put_side(&from, false, &work->copy);
    if (!status)
        status = put_side(&to, true, &work->copy);
    if (status)
        return status;
    line_number("width", c->width);
    line_number("rows", c->height);
    line_number("to_pitch", work->copy.rows.to_pitch);
    line_number("from_pitch", work->copy.rows.from_pitch);
    return STATUS_SUCCESS;
}

static CUresult copy_box(const struct call *call, const struct driver_copy_3d *c, struct stream *stream, bool waits)
{
    struct work work;
    enum status const status = copy_box_work(c, call->from, &work);
    return driver_end(call, status ? status : work_copy(&work, stream, waits));
}

static struct driver_copy_3d box_of(const struct driver_copy_2d *c)
{
    return (struct driver_copy_3d){.from_x = c->from_x,
                                   .from_y = c->from_y,
                                   .from_kind = c->from_kind,
                                   .from_host = c->from_host,
                                   .from_device = c->from_device,
                                   .from_array = c->from_array,
                                   .from_pitch = c->from_pitch,
                                   .to_x = c->to_x,
                                   .to_y = c->to_y,
                                   .to_kind = c->to_kind,
                                   .to_host = c->to_host,
                                   .to_device = c->to_device,
                                   .to_array = c->to_array,
                                   .to_pitch = c->to_pitch,
                                   .width = c->width,
                                   .height = c->height,
                                   .depth = 1};
}

static CUresult copy_2d(const struct call *call, const struct driver_copy_2d *c, struct stream *stream, bool waits)
{
    struct driver_copy_3d const box = c ? box_of(c) : (struct driver_copy_3d){0};
    return copy_box(call, c ? &box : NULL, stream, waits);
}

CUresult cuMemcpy2D_v2(const struct driver_copy_2d *c)
{
    DRIVER_BEGIN(cuMemcpy2D, "cudaMemcpy2D");
    return copy_2d(&call, c, &runtime.default_stream, true);
}

CUresult cuMemcpy2DUnaligned_v2(const struct driver_copy_2d *c)
{
    DRIVER_BEGIN(cuMemcpy2DUnaligned, "cudaMemcpy2D");
    return copy_2d(&call, c, &runtime.default_stream, true);
}

CUresult cuMemcpy2DAsync_v2(const struct driver_copy_2d *c, CUstream stream)
{
    DRIVER_BEGIN(cuMemcpy2DAsync, "cudaMemcpy2DAsync");
    return copy_2d(&call, c, stream_of(stream), false);
}

CUresult cuMemcpy3D_v2(const struct driver_copy_3d *c)
{
    DRIVER_BEGIN(cuMemcpy3D, "cudaMemcpy3D");
    return copy_box(&call, c, &runtime.default_stream, true);
}

CUresult cuMemcpy3DAsync_v2(const struct driver_copy_3d *c, CUstream stream)
{
    DRIVER_BEGIN(cuMemcpy3DAsync, "cudaMemcpy3DAsync");
    return copy_box(&call, c, stream_of(stream), false);
}

/* ---- fills ---- */

static CUresult fill(const struct call *call, CUdeviceptr to, unsigned value, unsigned element, const struct rows *rows,
                     struct stream *stream)
{
    struct work work = {WORK_FILL, call->from, .fill = {at(to), value, element, *rows}};
    if (to % element || (rows->height > 1 && rows->to_pitch % element))
        return driver_end(call, STATUS_INVALID_VALUE);
    return driver_end(call, work_fill(&work, stream));
}

#define FILL(bits, type)                                                                                               \
    CUresult cuMemsetD##bits##_v2(CUdeviceptr to, type value, size_t count)                                            \
    {                                                                                                                  \
        DRIVER_BEGIN(cuMemsetD##bits, "cudaMemset");                                                                   \
        struct rows const rows = plain(count * sizeof value);                                                          \
        return fill(&call, to, value, sizeof value, &rows, &runtime.default_stream);                                   \
    }                                                                                                                  \
    CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t count, CUstream stream)                         \
    {                                                                                                                  \
        DRIVER_BEGIN(cuMemsetD##bits##Async, "cudaMemsetAsync");                                                       \
        struct rows const rows = plain(count * sizeof value);                                                          \
        return fill(&call, to, value, sizeof value, &rows, stream_of(stream));                                         \
    }                                                                                                                  \
    CUresult cuMemsetD2D##bits##_v2(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height)             \
    {                                                                                                                  \
        DRIVER_BEGIN(cuMemsetD2D##bits, "cudaMemset2D");                                                               \
        struct rows const rows = {.width = width * sizeof value, .height = height, .depth = 1, .to_pitch = pitch};     \
        return fill(&call, to, value, sizeof value, &rows, &runtime.default_stream);                                   \
    }                                                                                                                  \
    CUresult cuMemsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height,           \
                                      CUstream stream)                                                                 \
    {                                                                                                                  \
        DRIVER_BEGIN(cuMemsetD2D##bits##Async, "cudaMemset2DAsync");                                                   \
        struct rows const rows = {.width = width * sizeof value, .height = height, .depth = 1, .to_pitch = pitch};     \
        return fill(&call, to, value, sizeof value, &rows, stream_of(stream));                                         \
    }
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)
