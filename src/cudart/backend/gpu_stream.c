/* Streams and events of the GPU's driver. */
#include "cudart/backend/gpu.h"
#include "cudart/layer/line.h"

/* Returns the status of a call that waited for the GPU or asked it. */
static enum status status_after(int code)
{
    enum status const status = gpu_status(code);
    if (!call_is_aside())
        gpu_measured();
    return status ? status : runtime.sticky;
}

enum status gpu_stream_create(struct stream *stream, unsigned flags)
{
    return gpu_status(gpu_api()->stream_create(&stream->driver, flags, stream->priority));
}

void gpu_stream_destroy(struct stream *stream)
{
    gpu_status(gpu_api()->stream_destroy(stream->driver));
}

enum status gpu_stream_wait(const struct stream *stream)
{
    return status_after(gpu_api()->stream_wait(stream->driver));
}

enum status gpu_stream_query(const struct stream *stream)
{
    return status_after(gpu_api()->stream_query(stream->driver));
}

enum status gpu_stream_wait_event(struct stream *stream, const struct event *event, unsigned flags)
{
    return gpu_status(gpu_api()->stream_wait_event(stream->driver, event->driver, flags));
}

enum status gpu_stream_host(const struct stream *stream, void (*function)(void *), void *data)
{
    return gpu_status(gpu_api()->stream_host(stream->driver, function, data));
}

enum status gpu_event_create(struct event *event, unsigned flags)
{
    return gpu_status(gpu_api()->event_create(&event->driver, flags));
}

void gpu_event_destroy(struct event *event)
{
    gpu_status(gpu_api()->event_destroy(event->driver));
}

enum status gpu_event_record(struct event *event, const struct stream *stream)
{
    return gpu_status(gpu_api()->event_record(event->driver, stream->driver));
}

enum status gpu_event_wait(const struct event *event)
{
    return status_after(gpu_api()->event_wait(event->driver));
}

enum status gpu_event_query(const struct event *event)
{
    return status_after(gpu_api()->event_query(event->driver));
}

enum status gpu_event_elapsed(float *milliseconds, const struct event *start, const struct event *end)
{
    int const code = gpu_api()->event_elapsed(milliseconds, start->driver, end->driver);
    if (!code)
        line_real("measured_ms", (double)*milliseconds);
    return gpu_status(code);
}
