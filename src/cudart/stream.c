/* Streams and events, and the model time of work in them. Work runs at once; a stream only keeps the time at which its
 * work would be done. Model times: docs/programs.md. */
#include "cudart/device.h"
#include "cudart/gpu.h"
#include "cudart/graph.h"
#include "cudart/record.h"
#include "run/run.h"
#include <stdlib.h>

/* Where the GPU's file has no rates of copies. Source: PCI Express 5.0 x16, the link of the H200, by its
 * specification. */
static const double link_rate = 64;

double model_copy_us(uint64_t bytes, int kind, bool pinned)
{
    double const wait = device_fact("dram_latency", 0) / device_fact("clock_mhz", 1);
    if (kind == COPY_DEVICE_TO_DEVICE) /* copy_rate counts both ways */
        return device_fact("within_device_latency", wait) + 2 * (double)bytes / (device_fact("copy_rate", 1) * 1e3);
    bool const out = kind == COPY_DEVICE_TO_HOST;
    double const latency = device_fact(pinned ? out ? "pinned_from_device_latency" : "pinned_to_device_latency"
                                       : out  ? "from_device_latency"
                                              : "to_device_latency",
                                       wait);
    double const rate = device_fact(pinned ? out ? "pinned_from_device_rate" : "pinned_to_device_rate"
                                    : out  ? "from_device_rate"
                                           : "to_device_rate",
                                    link_rate);
    return latency + (double)bytes / (rate * 1e3);
}

double model_fill_us(uint64_t bytes)
{
    double const wait = device_fact("dram_latency", 0) / device_fact("clock_mhz", 1);
    double const rate = device_fact("write_rate", device_fact("copy_rate", 1));
    return wait + (double)bytes / (rate * 1e3);
}

/* The longer of two bounds: every multiprocessor issues four warp instructions a cycle, and the memory moves its
 * sectors at the rate of a copy; after one access to memory. */
double model_launch_us(const struct run *run)
{
    double const clock = device_fact("clock_mhz", 1), rate = device_fact("copy_rate", 1) * 1e3;
    double const issue = (double)run->counts.totals.warp_instructions / (4 * device_fact("multiprocessors", 1) * clock);
    uint64_t sectors = 0;
    for (uint32_t i = 0; i < run->counts.site_count; i++)
        sectors += run->counts.sites[i].sectors;
    double const moved = 32 * (double)sectors / rate;
    return device_fact("dram_latency", 0) / clock + (issue > moved ? issue : moved);
}

struct stream *stream_of(cudaStream_t stream)
{
    uintptr_t const handle = (uintptr_t)stream;
    if (handle <= 2) /* NULL, legacy, per thread */
        return &runtime.default_stream;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s == stream)
            return s;
    return NULL;
}

double stream_all_done(void)
{
    double last = runtime.default_stream.time > runtime.host_time ? runtime.default_stream.time : runtime.host_time;
    for (const struct stream *s = runtime.streams; s; s = s->next)
        last = s->time > last ? s->time : last;
    return last;
}

void stream_add(struct stream *stream, double microseconds)
{
    double begin = stream->time > runtime.host_time ? stream->time : runtime.host_time;
    if (stream == &runtime.default_stream) /* after the work of all streams, and theirs after it */
        begin = stream_all_done();
    else if (!stream->nonblocking && runtime.default_stream.time > begin)
        begin = runtime.default_stream.time;
    stream->time = begin + microseconds;
    line_real("model_begin_us", begin);
}

/* Ends a call that waited for the GPU or asked it. */
static cudaError_t answered(const struct call *call, int code)
{
    cudaError_t const error = gpu_error(code);
    gpu_measured();
    return call_end(call, error ? error : runtime.sticky);
}

static cudaError_t make_stream(const struct call *call, cudaStream_t *stream, unsigned flags, int priority)
{
    struct stream *new = stream ? calloc(1, sizeof *new) : NULL;
    line_number("flags", flags);
    if (!new)
        return call_end(call, cudaErrorInvalidValue);
    cudaError_t const error =
        gpu_on() ? gpu_error(gpu_api()->stream_create(&new->driver, flags, priority)) : cudaSuccess;
    if (error) {
        free(new);
        return call_end(call, error);
    }
    new->number = ++runtime.stream_count;
    new->nonblocking = flags & 1;
    new->priority = priority;
    new->next = runtime.streams;
    runtime.streams = new;
    *stream = new;
    line_number("stream", new->number);
    return call_end(call, runtime.sticky);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    CALL_BEGIN(cudaStreamCreate);
    return make_stream(&call, stream, 0, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    CALL_BEGIN(cudaStreamCreateWithFlags);
    return make_stream(&call, stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    CALL_BEGIN(cudaStreamCreateWithPriority);
    line_signed("priority", priority);
    return make_stream(&call, stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    CALL_BEGIN(cudaStreamDestroy);
    struct stream *gone = stream_of(stream);
    if (!gone || gone == &runtime.default_stream)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    line_number("stream", gone->number);
    if (gone->capture)
        return call_end(&call, cudaErrorStreamCaptureUnsupported);
    if (gone->time > runtime.default_stream.time) /* its work goes on */
        runtime.default_stream.time = gone->time;
    for (struct stream **at = &runtime.streams; *at; at = &(*at)->next)
        if (*at == gone) {
            *at = gone->next;
            break;
        }
    if (gpu_on())
        gpu_error(gpu_api()->stream_destroy(gone->driver));
    free(gone->last.items);
    free(gone);
    return call_end(&call, runtime.sticky);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    CALL_BEGIN(cudaStreamSynchronize);
    const struct stream *of = stream_of(stream);
    if (!of)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    line_number("stream", of->number);
    cudaError_t const refusal = capture_refuses_waiting(of);
    if (refusal)
        return call_end(&call, refusal);
    if (gpu_on())
        return answered(&call, gpu_api()->stream_wait(of->driver));
    return call_end(&call, runtime_synchronize());
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    CALL_BEGIN(cudaStreamQuery);
    const struct stream *of = stream_of(stream);
    cudaError_t const refusal = of ? capture_refuses_waiting(of) : cudaSuccess;
    if (refusal)
        return call_end(&call, refusal);
    if (of && gpu_on())
        return answered(&call, gpu_api()->stream_query(of->driver));
    return call_end(&call, of ? runtime_synchronize() : cudaErrorInvalidResourceHandle);
}

static struct event *event_of(cudaEvent_t event)
{
    for (struct event *e = runtime.events; e; e = e->next)
        if (e == event)
            return e;
    return NULL;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    CALL_BEGIN(cudaStreamWaitEvent);
    struct stream *waits = stream_of(stream);
    const struct event *for_it = event_of(event);
    line_number("flags", flags);
    if (!waits || !for_it)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    line_number("stream", waits->number);
    line_number("event", for_it->number);
    if (for_it->capture) { /* the stream joins the capture */
        if (waits == &runtime.default_stream || (waits->capture && waits->capture != for_it->capture))
            return call_end(&call, cudaErrorStreamCaptureMerge);
        waits->capture = for_it->capture;
        for (size_t i = 0; i < for_it->last.count; i++)
            node_set_add(&waits->last, for_it->last.items[i]);
        return call_end(&call, cudaSuccess);
    }
    if (waits->capture)
        return call_end(&call, for_it->recorded ? cudaErrorStreamCaptureIsolation : cudaSuccess);
    if (gpu_on())
        return call_end(&call, gpu_error(gpu_api()->stream_wait_event(waits->driver, for_it->driver, flags)));
    if (for_it->recorded && for_it->time > waits->time)
        waits->time = for_it->time;
    return call_end(&call, runtime.sticky);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t size, unsigned flags)
{
    CALL_BEGIN(cudaStreamAttachMemAsync);
    line_pointer("pointer", pointer);
    line_number("bytes", size);
    line_number("flags", flags);
    return call_end(&call, stream_of(stream) ? runtime.sticky : cudaErrorInvalidResourceHandle);
}

/* Host functions of a stream: on a GPU the driver calls them, on the emulator they run at once, like all work. They
 * must not call the API, and so cannot deadlock. */
cudaError_t work_host(const struct call *call, const struct work *work, struct stream *in)
{
    bool const fits = in && work->host.function;
    if (fits && in->capture)
        return capture_work(call, work, in);
    if (fits && gpu_on())
        return call_end(call, gpu_error(gpu_api()->stream_host(in->driver, work->host.function, work->host.data)));
    if (fits)
        space_open_all();
    cudaError_t const error = call_end(call, fits ? runtime.sticky : cudaErrorInvalidValue);
    if (!error)
        work->host.function(work->host.data);
    return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *), void *data)
{
    CALL_BEGIN(cudaLaunchHostFunc);
    struct work const work = {WORK_HOST, call.from, .host = {function, data}};
    return work_host(&call, &work, stream_of(stream));
}

struct callback {
    stream_callback function;
    cudaStream_t stream;
    void *data;
};
static void call_back(void *context)
{
    struct callback const callback = *(struct callback *)context;
    free(context);
    callback.function(callback.stream, cudaSuccess, callback.data);
}

static int add_callback(void *in, struct callback callback)
{
    struct callback *kept = malloc(sizeof *kept);
    if (!kept)
        return cudaErrorMemoryAllocation;
    *kept = callback;
    int const code = gpu_api()->stream_host(in, call_back, kept);
    if (code)
        free(kept);
    return code;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, stream_callback callback, void *data, unsigned flags)
{
    CALL_BEGIN(cudaStreamAddCallback);
    const struct stream *in = stream_of(stream);
    if (!in || !callback || flags)
        return call_end(&call, cudaErrorInvalidValue);
    if (in->capture)
        return call_end(&call, capture_refuses_waiting(in));
    if (gpu_on())
        return call_end(&call, gpu_error(add_callback(in->driver, (struct callback){callback, stream, data})));
    space_open_all();
    cudaError_t const error = call_end(&call, runtime.sticky);
    if (!error)
        callback(stream, cudaSuccess, data);
    return error;
}

/* ---- events ---- */

static cudaError_t make_event(const struct call *call, cudaEvent_t *event, unsigned flags)
{
    enum { DISABLE_TIMING = 2 };
    struct event *new = event ? calloc(1, sizeof *new) : NULL;
    line_number("flags", flags);
    if (!new)
        return call_end(call, cudaErrorInvalidValue);
    cudaError_t const error = gpu_on() ? gpu_error(gpu_api()->event_create(&new->driver, flags)) : cudaSuccess;
    if (error) {
        free(new);
        return call_end(call, error);
    }
    new->number = ++runtime.event_count;
    new->timed = !(flags & DISABLE_TIMING);
    new->next = runtime.events;
    runtime.events = new;
    *event = new;
    line_number("event", new->number);
    return call_end(call, runtime.sticky);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    CALL_BEGIN(cudaEventCreate);
    return make_event(&call, event, 0);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    CALL_BEGIN(cudaEventCreateWithFlags);
    return make_event(&call, event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    CALL_BEGIN(cudaEventDestroy);
    struct event *gone = event_of(event);
    if (!gone)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    line_number("event", gone->number);
    for (struct event **at = &runtime.events; *at; at = &(*at)->next)
        if (*at == gone) {
            *at = gone->next;
            break;
        }
    if (gpu_on())
        gpu_error(gpu_api()->event_destroy(gone->driver));
    free(gone->last.items);
    free(gone);
    return call_end(&call, runtime.sticky);
}

static cudaError_t record(const struct call *call, cudaEvent_t event, cudaStream_t stream)
{
    struct event *e = event_of(event);
    const struct stream *in = stream_of(stream);
    if (!e || !in)
        return call_end(call, cudaErrorInvalidResourceHandle);
    line_number("event", e->number);
    line_number("stream", in->number);
    e->capture = in->capture;
    e->last.count = 0;
    for (size_t i = 0; in->capture && i < in->last.count; i++)
        node_set_add(&e->last, in->last.items[i]);
    if (in->capture)
        return call_end(call, cudaSuccess);
    e->recorded = true;
    if (gpu_on())
        return call_end(call, gpu_error(gpu_api()->event_record(e->driver, in->driver)));
    e->time = in == &runtime.default_stream  ? stream_all_done()
              : in->time > runtime.host_time ? in->time
                                             : runtime.host_time;
    line_real("model_at_us", e->time);
    return call_end(call, runtime.sticky);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    CALL_BEGIN(cudaEventRecord);
    return record(&call, event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    CALL_BEGIN(cudaEventRecordWithFlags);
    line_number("flags", flags);
    return record(&call, event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    CALL_BEGIN(cudaEventSynchronize);
    const struct event *e = event_of(event);
    if (!e)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    line_number("event", e->number);
    if (e->capture)
        return call_end(&call, cudaErrorCapturedEvent);
    if (gpu_on() && e->recorded)
        return answered(&call, gpu_api()->event_wait(e->driver));
    return call_end(&call, e->recorded ? runtime_synchronize() : cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    CALL_BEGIN(cudaEventQuery);
    const struct event *e = event_of(event);
    if (e && e->capture)
        return call_end(&call, cudaErrorCapturedEvent);
    if (e && gpu_on())
        return answered(&call, gpu_api()->event_query(e->driver));
    return call_end(&call, e ? runtime_synchronize() : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    CALL_BEGIN(cudaEventElapsedTime);
    const struct event *a = event_of(start), *b = event_of(end);
    if (!milliseconds)
        return call_end(&call, cudaErrorInvalidValue);
    if (!a || !b || !a->recorded || !b->recorded || !a->timed || !b->timed)
        return call_end(&call, cudaErrorInvalidResourceHandle);
    line_number("start", a->number);
    line_number("end", b->number);
    if (gpu_on()) {
        int const code = gpu_api()->event_elapsed(milliseconds, a->driver, b->driver);
        if (!code)
            line_real("measured_ms", (double)*milliseconds);
        return call_end(&call, gpu_error(code));
    }
    if (b->time > runtime.host_time) /* the work before the second event may still run */
        return call_end(&call, cudaErrorNotReady);
    *milliseconds = (float)((b->time - a->time) / 1000);
    line_real("model_ms", (double)*milliseconds);
    return call_end(&call, runtime.sticky);
}
