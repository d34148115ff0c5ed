/* Streams, and events that are recorded in them. */
#include "cudart/backend/backend.h"
#include "cudart/layer/graph.h"
#include "cudart/layer/line.h"
#include <stdlib.h>

struct stream *stream_of(struct stream *stream)
{
    uintptr_t const handle = (uintptr_t)stream;
    if (handle <= 2) /* NULL, legacy, per thread */
        return &runtime.default_stream;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s == stream)
            return s;
    return NULL;
}

enum status stream_create(struct stream **stream, unsigned flags, int priority)
{
    struct stream *new = stream ? calloc(1, sizeof *new) : NULL;
    line_number("flags", flags);
    if (!new)
        return STATUS_INVALID_VALUE;
    new->priority = priority;
    enum status const status = runtime.backend->stream_create(new, flags);
    if (status) {
        free(new);
        return status;
    }
    new->number = ++runtime.stream_count;
    new->nonblocking = flags & 1;
    new->next = runtime.streams;
    runtime.streams = new;
    *stream = new;
    line_number("stream", new->number);
    return runtime.sticky;
}

enum status stream_destroy(struct stream *handle)
{
    struct stream *gone = stream_of(handle);
    if (!gone || gone == &runtime.default_stream)
        return STATUS_INVALID_RESOURCE_HANDLE;
    line_number("stream", gone->number);
    if (gone->capture && gone->capture->origin == gone) /* one that joined the capture may go: its work stays */
        return STATUS_STREAM_CAPTURE_UNSUPPORTED;
    if (gone->time > runtime.default_stream.time) /* its work goes on */
        runtime.default_stream.time = gone->time;
    for (struct stream **at = &runtime.streams; *at; at = &(*at)->next)
        if (*at == gone) {
            *at = gone->next;
            break;
        }
    runtime.backend->stream_destroy(gone);
    free(gone->last.items);
    free(gone);
    return runtime.sticky;
}

enum status stream_wait_event(struct stream *handle, struct event *event, unsigned flags, const void *from)
{
    struct stream *stream = stream_of(handle);
    struct event *e = event_of(event);
    line_number("flags", flags);
    if (!stream || !e)
        return STATUS_INVALID_RESOURCE_HANDLE;
    line_number("stream", stream->number);
    line_number("event", e->number);
    if ((flags & EVENT_EXTERNAL) && stream->capture) {
        struct work const work = {WORK_WAIT, from, .event = e};
        return capture_work(&work, NULL, stream);
    }
    if (e->capture) { /* the stream joins the capture */
        if (stream == &runtime.default_stream || (stream->capture && stream->capture != e->capture))
            return STATUS_STREAM_CAPTURE_MERGE;
        stream->capture = e->capture;
        for (size_t i = 0; i < e->last.count; i++)
            node_set_add(&stream->last, e->last.items[i]);
        return STATUS_SUCCESS;
    }
    if (stream->capture)
        return e->recorded ? STATUS_STREAM_CAPTURE_ISOLATION : STATUS_SUCCESS;
    return runtime.backend->stream_wait_event(stream, e, flags);
}

struct host_call {
    void (*function)(void *);
    void *data;
};
static __thread bool host_runs;

bool stream_host_runs(void)
{
    return host_runs;
}

static void run_host(void *context)
{
    struct host_call const call = *(struct host_call *)context;
    free(context);
    host_runs = true;
    call.function(call.data);
    host_runs = false;
}

enum status stream_host(const struct stream *stream, void (*function)(void *), void *data)
{
    struct host_call *kept = malloc(sizeof *kept);
    if (!kept)
        return STATUS_MEMORY_ALLOCATION;
    *kept = (struct host_call){function, data};
    enum status const status = runtime.backend->stream_host(stream, run_host, kept);
    if (status)
        free(kept);
    return status;
}

enum status work_host(const struct work *work, struct stream *stream)
{
    if (!stream || !work->host.function)
        return STATUS_INVALID_VALUE;
    if (stream->capture)
        return capture_work(work, NULL, stream);
    return runtime.pending ? runtime.sticky : stream_host(stream, work->host.function, work->host.data);
}

/* ---- events ---- */

struct event *event_of(struct event *handle)
{
    for (struct event *e = runtime.events; e; e = e->next)
        if (e == handle)
            return e;
    return NULL;
}

enum status event_create(struct event **event, unsigned flags)
{
    enum { DISABLE_TIMING = 2 };
    struct event *new = event ? calloc(1, sizeof *new) : NULL;
    line_number("flags", flags);
    if (!new)
        return STATUS_INVALID_VALUE;
    enum status const status = runtime.backend->event_create(new, flags);
    if (status) {
        free(new);
        return status;
    }
    new->number = ++runtime.event_count;
    new->timed = !(flags & DISABLE_TIMING);
    new->next = runtime.events;
    runtime.events = new;
    *event = new;
    line_number("event", new->number);
    return runtime.sticky;
}

enum status event_destroy(struct event *handle)
{
    struct event *gone = event_of(handle);
    if (!gone)
        return STATUS_INVALID_RESOURCE_HANDLE;
    line_number("event", gone->number);
    for (struct event **at = &runtime.events; *at; at = &(*at)->next)
        if (*at == gone) {
            *at = gone->next;
            break;
        }
    runtime.backend->event_destroy(gone);
    free(gone->last.items);
    free(gone);
    return runtime.sticky;
}

enum status event_record(struct event *handle, struct stream *stream, unsigned flags, const void *from)
{
    struct event *e = event_of(handle);
    if (!e || !stream)
        return STATUS_INVALID_RESOURCE_HANDLE;
    line_number("event", e->number);
    line_number("stream", stream->number);
    if ((flags & EVENT_EXTERNAL) && stream->capture) {
        struct work const work = {WORK_RECORD, from, .event = e};
        return capture_work(&work, NULL, stream);
    }
    e->capture = stream->capture;
    e->last.count = 0;
    for (size_t i = 0; stream->capture && i < stream->last.count; i++)
        node_set_add(&e->last, stream->last.items[i]);
    if (stream->capture)
        return STATUS_SUCCESS;
    e->recorded = true;
    return runtime.backend->event_record(e, stream);
}
