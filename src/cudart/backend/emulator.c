/* The emulator as the device. Work runs at once; a stream only keeps the model time at which its work would be done
 * (docs/programs.md). */
#include "cudart/backend/emulator.h"
#include "cudart/layer/device.h"
#include "cudart/layer/line.h"
#include "emulator/emulator.h"
#include <string.h>

/* A driver serves every runtime of its version and earlier ones: 13.0 is what hosts of CUDA 13 ask for. */
enum { DRIVER_VERSION = 13000 };

void emulator_enter(void)
{
}

void emulator_finish(void)
{
}

enum status emulator_wait(void)
{
    runtime.host_time = emulator_done_us();
    runtime_print_flush();
    space_open_all();
    return STATUS_SUCCESS;
}

enum status emulator_reset(void)
{
    emulator_free_heap();
    emulator_reset_variables();
    return STATUS_SUCCESS;
}

/* ---- the device: as its GPU's file says ---- */

void emulator_describe(struct gpu *gpu, const struct occupancy_limits **limits)
{
    (void)gpu, (void)limits;
}

enum status emulator_bus(char *name, int size)
{
    snprintf(name, (size_t)size, "0000:00:00.0");
    return STATUS_SUCCESS;
}

enum status emulator_version(int *number)
{
    *number = DRIVER_VERSION;
    return STATUS_SUCCESS;
}

enum { LIMIT_STACK, LIMIT_PRINTF, LIMIT_HEAP, LIMITS = 7 };
static size_t limits[LIMITS] = {[LIMIT_STACK] = 1024,
                                [LIMIT_PRINTF] = 1 << 20,
                                [LIMIT_HEAP] = 8 << 20,
                                [3] = 2,
                                [LIMIT_PENDING_LAUNCHES] = 2048,
                                [5] = 128};

size_t emulator_heap_limit(void)
{
    return limits[LIMIT_HEAP];
}

enum status emulator_limit_get(size_t *value, int limit)
{
    *value = limits[limit];
    return runtime.sticky;
}

enum status emulator_limit_set(int limit, size_t value)
{
    if (limit == LIMIT_HEAP && runtime.heap.data) /* kernels use it already */
        return STATUS_INVALID_VALUE;
    if (limit < LIMITS)
        limits[limit] = value;
    return runtime.sticky;
}

enum status emulator_priorities(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return STATUS_SUCCESS;
}

size_t emulator_memory_total(void)
{
    return runtime.options.device_bytes;
}

enum status emulator_memory_info(size_t *available, size_t *total)
{
    *total = emulator_memory_total();
    *available = *total - runtime.bytes_in_use;
    return runtime.sticky;
}

/* ---- memory whose place changes nothing ---- */

enum status emulator_settle(void)
{
    return runtime_synchronize();
}

enum status emulator_host_register(void *pointer, size_t size)
{
    (void)pointer, (void)size;
    return STATUS_SUCCESS;
}

enum status emulator_prefetch(const void *pointer, size_t size, int device, const struct stream *stream)
{
    (void)pointer, (void)size, (void)device, (void)stream;
    return STATUS_SUCCESS;
}

enum status emulator_advise(const void *pointer, size_t size, int advice, int device)
{
    (void)pointer, (void)size, (void)advice, (void)device;
    return STATUS_SUCCESS;
}

void emulator_move_variable(const struct allocation *variable, void *host, size_t size, bool to_host)
{
    memcpy(to_host ? host : variable->data, to_host ? variable->data : host, size);
    if (!to_host)
        space_changed(space_find(variable->address));
}

/* ---- kernels: as the PTX says ---- */

enum status emulator_kernel_set(struct kernel *kernel, int attribute, int value)
{
    (void)kernel, (void)attribute, (void)value;
    return runtime.sticky;
}

void emulator_kernel_attribute(int *value, int attribute, struct kernel *kernel)
{
    (void)value, (void)attribute, (void)kernel;
}

enum status emulator_blocks_at_once(int *blocks, struct kernel *kernel, int threads, size_t shared)
{
    *blocks = (int)device_blocks(module_function(kernel), (uint32_t)threads, shared);
    return STATUS_SUCCESS;
}

enum status emulator_shared_at_once(size_t *shared, struct kernel *kernel, int blocks, int threads)
{
    *shared = device_shared(module_function(kernel), (uint32_t)threads, (uint32_t)blocks);
    return STATUS_SUCCESS;
}

/* ---- streams and events ---- */

double emulator_done_us(void)
{
    double last = runtime.default_stream.time > runtime.host_time ? runtime.default_stream.time : runtime.host_time;
    for (const struct stream *s = runtime.streams; s; s = s->next)
        last = s->time > last ? s->time : last;
    return last;
}

void emulator_add_work(struct stream *stream, double microseconds)
{
    double begin = stream->time > runtime.host_time ? stream->time : runtime.host_time;
    if (stream == &runtime.default_stream) /* after the work of all streams, and theirs after it */
        begin = emulator_done_us();
    else if (!stream->nonblocking && runtime.default_stream.time > begin)
        begin = runtime.default_stream.time;
    stream->time = begin + microseconds;
    line_real("model_begin_us", begin);
}

enum status emulator_stream_create(struct stream *stream, unsigned flags)
{
    (void)stream, (void)flags;
    return STATUS_SUCCESS;
}

void emulator_stream_destroy(struct stream *stream)
{
    (void)stream;
}

enum status emulator_stream_wait(const struct stream *stream)
{
    (void)stream;
    return runtime_synchronize();
}

enum status emulator_stream_query(const struct stream *stream)
{
    return emulator_stream_wait(stream);
}

enum status emulator_stream_wait_event(struct stream *stream, const struct event *event, unsigned flags)
{
    (void)flags;
    if (event->recorded && event->time > stream->time)
        stream->time = event->time;
    return runtime.sticky;
}

enum status emulator_stream_host(const struct stream *stream, void (*function)(void *), void *data)
{
    (void)stream;
    space_open_all();
    if (!runtime.sticky) {
        runtime.host_work.function = function;
        runtime.host_work.data = data;
    }
    return runtime.sticky;
}

enum status emulator_event_create(struct event *event, unsigned flags)
{
    (void)event, (void)flags;
    return STATUS_SUCCESS;
}

void emulator_event_destroy(struct event *event)
{
    (void)event;
}

enum status emulator_event_record(struct event *event, const struct stream *stream)
{
    event->time = stream == &runtime.default_stream  ? emulator_done_us()
                  : stream->time > runtime.host_time ? stream->time
                                                     : runtime.host_time;
    line_real("model_at_us", event->time);
    return runtime.sticky;
}

enum status emulator_event_wait(const struct event *event)
{
    (void)event;
    return runtime_synchronize();
}

enum status emulator_event_query(const struct event *event)
{
    return emulator_event_wait(event);
}

enum status emulator_event_elapsed(float *milliseconds, const struct event *start, const struct event *end)
{
    if (end->time > runtime.host_time) /* the work before the second event may still run */
        return STATUS_NOT_READY;
    *milliseconds = (float)((end->time - start->time) / 1000);
    line_real("model_ms", (double)*milliseconds);
    return runtime.sticky;
}

const struct backend emulator_backend = {
    .range_begin = EMULATOR_PLACED_BASE,
    .range_end = EMULATOR_PLACED_END,
#define BACKEND(result, name, parameters) .name = emulator_##name,
#include "cudart/backend/backend.def"
};
