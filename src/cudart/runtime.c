/* The frame of every call: lock, record, error. And the state itself. */
#include "base/file.h"
#include "cudart/gpu.h"
#include "cudart/record.h"
#include "cudart/signals.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct runtime runtime;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool started;
static __thread cudaError_t last_error;

/* The end of the program: its last line, so that a reader knows a normal end from a crash. Nothing is freed. */
static void at_end(void)
{
    struct call const call = {.name = "exit", .began = clock_seconds()};
    fflush(stdout);
    if (gpu_on())
        gpu_measured_at_end();
    line_open_list("live");
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        if (a->freed || a->kind == ALLOCATION_VARIABLE || a->of_graph)
            continue;
        line_open_object(NULL);
        line_number("allocation", a->number);
        line_number("bytes", a->size);
        line_close();
    }
    line_close();
    line_number("unflushed", runtime.printed.count);
    line_signed("pending", runtime.pending);
    line_write(&call, cudaSuccess);
}

/* Without a GPU every call fails, as on such a machine. */
static void start_gpu(void)
{
    struct error error;
    char text[1200];
    if (gpu_start(&error))
        return;
    fprintf(stderr, "lanescope: %s\n", error_line(&error, text, sizeof text));
    runtime.sticky = cudaErrorNoDevice;
}

static void start(void)
{
    started = true;
    options_read(&runtime.options);
    if (runtime.options.gpu)
        start_gpu();
    if (runtime.options.folder) {
        line_open(runtime.options.folder, gpu_on() ? gpu_name() : NULL);
        setvbuf(stdout, NULL, _IOLBF, 0); /* so that the output has its place among the calls */
    }
    signals_start();
    atexit(at_end);
}

struct call call_begin(const char *name, const void *from)
{
    pthread_mutex_lock(&lock);
    if (!started)
        start();
    if (gpu_on())
        gpu_enter();
    return (struct call){.name = name, .from = from, .began = clock_seconds()};
}

cudaError_t call_end(const struct call *call, cudaError_t error)
{
    line_write(call, error);
    if (error != cudaSuccess && error != cudaErrorNotReady)
        last_error = error;
    pthread_mutex_unlock(&lock);
    return error;
}

void runtime_print_flush(void)
{
    if (!runtime.printed.count)
        return;
    fwrite(runtime.printed.items, 1, runtime.printed.count, stdout);
    fflush(stdout);
    runtime.printed.count = 0;
}

cudaError_t runtime_synchronize(void)
{
    if (gpu_on()) {
        cudaError_t const error = gpu_wait();
        if (!runtime.sticky)
            runtime.sticky = runtime.pending;
        runtime.pending = cudaSuccess;
        return runtime.sticky ? runtime.sticky : error;
    }
    runtime.host_time = stream_all_done();
    runtime_print_flush();
    space_open_all();
    if (!runtime.sticky)
        runtime.sticky = runtime.pending;
    runtime.pending = cudaSuccess;
    return runtime.sticky;
}

cudaError_t runtime_last_error(bool reset)
{
    cudaError_t const error = last_error;
    if (reset)
        last_error = cudaSuccess;
    return error;
}
