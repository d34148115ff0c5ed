/* Streams, events and host functions of a program on the emulator: the order of work, and handles that are none. */
#include "cudart/calls/api.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BYTES = 16 << 20 };
static void *memory;

static cudaStream_t new_stream(unsigned flags)
{
    cudaStream_t stream = NULL;
    assert_int_equal(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess);
    return stream;
}

static cudaEvent_t new_event(void)
{
    cudaEvent_t event = NULL;
    assert_int_equal(cudaEventCreate(&event), cudaSuccess);
    return event;
}

static void work_in(cudaStream_t stream)
{
    assert_int_equal(cudaMemsetAsync(memory, 1, BYTES, stream), cudaSuccess);
}

static float between(cudaEvent_t start, cudaEvent_t end)
{
    float milliseconds = -1;
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
    return milliseconds;
}

/* Returns how much later work in `second` ends than work in `first`, where both have the same to do. */
static float lag(cudaStream_t first, cudaStream_t second)
{
    cudaEvent_t const a = new_event(), b = new_event();
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    work_in(first);
    assert_int_equal(cudaEventRecord(a, first), cudaSuccess);
    work_in(second);
    assert_int_equal(cudaEventRecord(b, second), cudaSuccess);
    float const milliseconds = between(a, b);
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    return milliseconds;
}

static void managed_memory_is_attached_whole_and_not_alone_to_the_default_stream(void **state)
{
    enum { GLOBAL = 1, HOST = 2, SINGLE = 4 };
    cudaStream_t const stream = new_stream(0);
    void *managed, *device;
    (void)state;
    assert_int_equal(cudaMallocManaged(&managed, 4096, GLOBAL), cudaSuccess);
    assert_int_equal(cudaMalloc(&device, 4096), cudaSuccess);
    assert_int_equal(cudaStreamAttachMemAsync(stream, managed, 0, SINGLE), cudaSuccess);
    assert_int_equal(cudaStreamAttachMemAsync(stream, managed, 4096, HOST), cudaSuccess);
    assert_int_equal(cudaStreamAttachMemAsync(NULL, managed, 0, GLOBAL), cudaSuccess);
    assert_int_equal(cudaStreamAttachMemAsync(NULL, managed, 0, SINGLE), cudaErrorInvalidValue);
    assert_int_equal(cudaStreamAttachMemAsync(stream, managed, 1024, SINGLE), cudaErrorInvalidValue);
    assert_int_equal(cudaStreamAttachMemAsync(stream, managed, 0, 3), cudaErrorInvalidValue);
    assert_int_equal(cudaStreamAttachMemAsync(stream, device, 0, SINGLE), cudaErrorInvalidValue);
    assert_int_equal(cudaStreamAttachMemAsync((cudaStream_t)memory, managed, 0, SINGLE),
                     cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaFree(device), cudaSuccess);
    assert_int_equal(cudaFree(managed), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

static void time_is_known_when_its_work_is_done(void **state)
{
    cudaEvent_t const start = new_event(), end = new_event();
    cudaStream_t const stream = new_stream(0);
    float milliseconds = -1;
    (void)state;
    assert_int_equal(cudaEventRecord(start, stream), cudaSuccess);
    work_in(stream);
    assert_int_equal(cudaEventRecord(end, stream), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorNotReady);
    assert_int_equal(cudaEventSynchronize(end), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
    assert_true(milliseconds > 0);
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
}

static void streams_wait_for_the_default_stream_alone(void **state)
{
    enum { NONBLOCKING = 1 };
    cudaStream_t const a = new_stream(0), b = new_stream(0), free_stream = new_stream(NONBLOCKING);
    (void)state;
    assert_true(lag(a, a) > 0);
    assert_true(lag(a, b) < lag(a, a) / 2);
    assert_true(lag(NULL, a) > 0);
    assert_true(lag(a, NULL) > 0);
    assert_true(lag(NULL, free_stream) < lag(NULL, a) / 2);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaStreamDestroy(free_stream);
}

static void a_stream_waits_for_the_event_of_another(void **state)
{
    cudaStream_t const a = new_stream(0), b = new_stream(0);
    cudaEvent_t const event = new_event(), end = new_event();
    (void)state;
    work_in(a);
    assert_int_equal(cudaEventRecord(event, a), cudaSuccess);
    assert_int_equal(cudaStreamWaitEvent(b, event, 0), cudaSuccess);
    work_in(b);
    assert_int_equal(cudaEventRecord(end, b), cudaSuccess);
    assert_true(between(event, end) > 0);
    cudaEventDestroy(event);
    cudaEventDestroy(end);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

static void events_without_times_have_none(void **state)
{
    enum { DISABLE_TIMING = 2 };
    cudaEvent_t const start = new_event();
    cudaEvent_t timeless = NULL;
    float milliseconds;
    (void)state;
    assert_int_equal(cudaEventElapsedTime(&milliseconds, start, start), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventRecord(start, NULL), cudaSuccess);
    assert_int_equal(cudaEventCreateWithFlags(&timeless, DISABLE_TIMING), cudaSuccess);
    assert_int_equal(cudaEventRecord(timeless, NULL), cudaSuccess);
    assert_int_equal(cudaEventSynchronize(timeless), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&milliseconds, start, timeless), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventElapsedTime(NULL, start, start), cudaErrorInvalidValue);
    cudaEventDestroy(start);
    cudaEventDestroy(timeless);
}

static void destroyed_handles_are_refused(void **state)
{
    cudaStream_t const stream = new_stream(0);
    cudaEvent_t const event = new_event();
    (void)state;
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaStreamQuery(stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventDestroy(event), cudaSuccess);
    assert_int_equal(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventSynchronize(event), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaStreamWaitEvent(NULL, event, 0), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
}

static void note(void *data)
{
    *(int *)data += 1;
}

struct back {
    cudaStream_t stream;
    cudaError_t error;
    int calls;
};
static void note_back(cudaStream_t stream, cudaError_t error, void *data)
{
    struct back *back = data;
    *back = (struct back){stream, error, back->calls + 1};
}

static void a_host_function_runs_once_after_its_call(void **state)
{
    cudaStream_t const stream = new_stream(0);
    struct back back = {.error = cudaErrorUnknown};
    int calls = 0;
    (void)state;
    assert_int_equal(cudaLaunchHostFunc(stream, note, &calls), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_int_equal(calls, 1);
    assert_int_equal(cudaLaunchHostFunc(stream, NULL, &calls), cudaErrorInvalidValue);
    assert_int_equal(cudaStreamAddCallback(stream, note_back, &back, 0), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_int_equal(back.calls, 1);
    assert_int_equal(back.error, cudaSuccess);
    assert_ptr_equal(back.stream, stream);
    assert_int_equal(cudaStreamAddCallback(stream, note_back, &back, 1), cudaErrorInvalidValue);
    assert_int_equal(back.calls, 1);
    cudaStreamDestroy(stream);
}

static void a_stream_keeps_what_it_was_made_with(void **state)
{
    cudaStream_t stream = NULL;
    unsigned flags = 0;
    int priority = 0;
    char set[64] = "window", got[64] = "";
    (void)state;
    assert_int_equal(cudaStreamCreateWithPriority(&stream, 1, -3), cudaSuccess);
    assert_int_equal(cudaStreamGetFlags(stream, &flags), cudaSuccess);
    assert_int_equal(cudaStreamGetPriority(stream, &priority), cudaSuccess);
    assert_int_equal(flags, 1);
    assert_int_equal(priority, -3);
    assert_int_equal(cudaStreamSetAttribute(stream, 1, set), cudaSuccess);
    assert_int_equal(cudaStreamGetAttribute(stream, 1, got), cudaSuccess);
    assert_memory_equal(set, got, sizeof set);
    assert_int_equal(cudaStreamGetAttribute(stream, 16, got), cudaErrorInvalidValue);
    cudaStreamDestroy(stream);
}

static int begin(void **state)
{
    (void)state;
    return (int)cudaMalloc(&memory, BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(managed_memory_is_attached_whole_and_not_alone_to_the_default_stream),
        cmocka_unit_test(time_is_known_when_its_work_is_done),
        cmocka_unit_test(streams_wait_for_the_default_stream_alone),
        cmocka_unit_test(a_stream_waits_for_the_event_of_another),
        cmocka_unit_test(events_without_times_have_none),
        cmocka_unit_test(destroyed_handles_are_refused),
        cmocka_unit_test(a_host_function_runs_once_after_its_call),
        cmocka_unit_test(a_stream_keeps_what_it_was_made_with),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
