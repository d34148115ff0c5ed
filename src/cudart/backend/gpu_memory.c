/* Memory of the GPU, and copies and fills by its driver. */
#include "cudart/backend/gpu.h"

static uint64_t number(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

enum status gpu_allocate(struct allocation *new)
{
    const struct cuda_api *api = gpu_api();
    void *host = NULL;
    int code;
    switch (new->kind) {
    case ALLOCATION_MANAGED:
        code = api->allocate_managed(&new->address, new->size, CUDA_API_MANAGED_GLOBAL);
        break;
    case ALLOCATION_HOST:
        code = api->allocate_host(&host, new->size, CUDA_API_HOST_PORTABLE | CUDA_API_HOST_MAPPED);
        new->address = number(host);
        break;
    default:
        code = api->allocate(&new->address, new->size);
    }
    if (code)
        return gpu_status(code);
    if (new->kind == ALLOCATION_MANAGED || new->kind == ALLOCATION_HOST)
        new->data = (uint8_t *)(uintptr_t) new->address;
    space_forget_freed(new->address, new->size);
    return STATUS_SUCCESS;
}

void gpu_release(struct allocation *a)
{
    const struct cuda_api *api = gpu_api();
    void *const host = (void *)(uintptr_t)a->address;
    if (a->kind == ALLOCATION_HOST)
        gpu_status(api->release_host(host));
    else if (a->kind == ALLOCATION_REGISTERED)
        gpu_status(api->host_unregister(host));
    else if (a->kind != ALLOCATION_VARIABLE)
        gpu_status(api->release(a->address));
}

enum status gpu_host_register(void *pointer, size_t size)
{
    return gpu_status(gpu_api()->host_register(pointer, size, CUDA_API_HOST_PORTABLE | CUDA_API_HOST_MAPPED));
}

enum status gpu_prefetch(const void *pointer, size_t size, int device, const struct stream *stream)
{
    gpu_measure_begin(stream);
    enum status const status = gpu_status(gpu_api()->prefetch(number(pointer), size, device, stream->driver));
    gpu_measure_end(stream);
    return status;
}

enum status gpu_advise(const void *pointer, size_t size, int advice, int device)
{
    return gpu_status(gpu_api()->advise(number(pointer), size, advice, device));
}

enum status gpu_copy(const struct transfer *t)
{
    const struct cuda_api *api = gpu_api();
    const struct rows *r = &t->rows;
    int code;
    if (!r->width || !r->height || !r->depth)
        return STATUS_SUCCESS;
    gpu_measure_begin(t->stream);
    if (r->height == 1 && r->depth == 1) {
        code = t->waits ? api->copy(t->to.address, t->from.address, r->width)
                        : api->copy_async(t->to.address, t->from.address, r->width, t->stream->driver);
    } else {
        size_t const from = r->from_pitch ? r->from_pitch : r->width, to = r->to_pitch ? r->to_pitch : r->width;
        struct cuda_copy_rows const rows = {.from_type = CUDA_API_COPY_UNIFIED,
                                            .from = t->from.address,
                                            .from_pitch = from,
                                            .from_height = r->from_slice ? r->from_slice / from : r->height,
                                            .to_type = CUDA_API_COPY_UNIFIED,
                                            .to = t->to.address,
                                            .to_pitch = to,
                                            .to_height = r->to_slice ? r->to_slice / to : r->height,
                                            .width = r->width,
                                            .height = r->height,
                                            .depth = r->depth};
        code = t->waits ? api->copy_rows(&rows) : api->copy_rows_async(&rows, t->stream->driver);
    }
    gpu_measure_end(t->stream);
    if (t->waits)
        gpu_measured();
    return gpu_status(code);
}

static int fill_plane(uint64_t to, const struct work_fill *f, void *stream)
{
    const struct cuda_api *api = gpu_api();
    const struct rows *r = &f->rows;
    size_t const pitch = r->height == 1 ? r->width : r->to_pitch; /* of one row it means nothing, but must be enough */
    if (f->element == 4)
        return api->fill_rows_32(to, pitch, f->value, r->width / 4, r->height, stream);
    if (f->element == 2)
        return api->fill_rows_16(to, pitch, (unsigned short)f->value, r->width / 2, r->height, stream);
    return r->height == 1 ? api->fill(to, (unsigned char)f->value, r->width, stream)
                          : api->fill_rows(to, pitch, (unsigned char)f->value, r->width, r->height, stream);
}

enum status gpu_fill(const struct side *to, const struct work_fill *f, struct stream *stream)
{
    int code = 0;
    gpu_measure_begin(stream);
    for (size_t z = 0; z < f->rows.depth && !code; z++)
        code = fill_plane(to->address + z * f->rows.to_slice, f, stream->driver);
    gpu_measure_end(stream);
    return gpu_status(code);
}

void gpu_move_variable(const struct allocation *variable, void *host, size_t size, bool to_host)
{
    if (to_host)
        gpu_wait(); /* the kernel may run in a stream that the copy does not wait for */
    gpu_status(
        gpu_api()->copy(to_host ? number(host) : variable->address, to_host ? variable->address : number(host), size));
}
